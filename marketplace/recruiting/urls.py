"""Addresses of the doors, and of the operator's pages about them."""

from django.urls import include, path, register_converter
from django.urls.converters import StringConverter

from .views import applying, joining, operator_invitations, operator_panels, operator_prolific, prolific_events, studies


class TokenConverter(StringConverter):
    """An invitation's token: URL-safe base64."""

    regex = "[A-Za-z0-9_-]{20,100}"


register_converter(TokenConverter, "token")

operator_patterns = [
    path("", operator_invitations.invitations, name="recruiting"),
    path("invitations/new/", operator_invitations.new_invitation, name="recruiting-invite"),
    path("invitations/<int:pk>/revoke/", operator_invitations.revoke, name="recruiting-revoke"),
    path("applications/", applying.queue, name="recruiting-applications"),
    path("applications/open/", applying.set_open, name="recruiting-open-sign-up"),
    path("applications/<int:pk>/decide/", applying.decide, name="recruiting-decide"),
    path("panels/", operator_panels.panels, name="recruiting-panels"),
    path("panels/new/", operator_panels.new_panel, name="recruiting-new-panel"),
    path("panels/<int:pk>/studies/new/", operator_panels.new_study, name="recruiting-new-study"),
    path("studies/<int:pk>/", operator_panels.study, name="recruiting-study"),
    path("studies/<int:pk>/open/", operator_panels.set_open, name="recruiting-set-open"),
    path("studies/<int:pk>/approvals.csv", operator_panels.approvals, name="recruiting-approvals"),
    path("studies/<int:pk>/bonuses/", operator_panels.take_bonuses, name="recruiting-take-bonuses"),
    path("studies/<int:pk>/prolific/", operator_prolific.draft, name="recruiting-prolific-draft"),
    path("studies/<int:pk>/prolific/publish/", operator_prolific.publish, name="recruiting-prolific-publish"),
    path("studies/<int:pk>/prolific/move/", operator_prolific.move, name="recruiting-prolific-move"),
    path("studies/<int:pk>/prolific/places/", operator_prolific.places, name="recruiting-prolific-places"),
    path("studies/<int:pk>/prolific/budget/", operator_prolific.budget, name="recruiting-prolific-budget"),
    path("studies/<int:pk>/prolific/bonuses/", operator_prolific.send_bonuses, name="recruiting-prolific-bonuses"),
    path("bonuses/<int:pk>/found/", operator_prolific.bonuses_found, name="recruiting-bonuses-found"),
    path("bonuses/<int:pk>.csv", operator_panels.bonuses, name="recruiting-bonuses"),
    path("terms/", operator_invitations.terms, name="recruiting-terms"),
]

urlpatterns = [
    path("join/", applying.apply, name="apply"),
    path("join/waiting/", applying.waiting, name="waiting"),
    path("join/<token:token>/", joining.join, name="join"),
    path("study/visit/", studies.visit, name="visit"),
    path("study/<slug:key>/", studies.study, name="study"),
    path("panels/prolific/events", prolific_events.events, name="prolific-events"),
    path("operator/recruiting/", include(operator_patterns)),
]
