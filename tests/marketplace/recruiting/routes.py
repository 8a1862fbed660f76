"""The addresses of the doors, for the test that asks each as everybody; see ``test_routes``."""

OPERATORS = "signin 404 404 404"
NOT_THIS_WAY = "405 405 405 405"
NOT_KNOWN = "404 404 404 404"  # an invitation that never was

PLACEHOLDERS = {"<token:token>": "x" * 32, "<slug:key>": "0123456789abcdef", "<int:pk>": "1"}

ROUTES = {
    "join/": (NOT_KNOWN, NOT_KNOWN),  # open sign-up is off unless an operator switches it on
    "join/waiting/": (NOT_KNOWN, NOT_THIS_WAY),
    "join/<token:token>/": (NOT_KNOWN, NOT_KNOWN),
    # Addresses of studies are as good as secret, and say nothing without a participant's parameters.
    "study/<slug:key>/": (NOT_KNOWN, NOT_KNOWN),
    "study/visit/": (NOT_KNOWN, NOT_THIS_WAY),
    "panels/prolific/events": (NOT_THIS_WAY, NOT_KNOWN),  # signed by its sender, and off without a secret
    "operator/recruiting/": (OPERATORS, NOT_THIS_WAY),
    "operator/recruiting/invitations/new/": (OPERATORS, OPERATORS),
    "operator/recruiting/invitations/<int:pk>/revoke/": (NOT_THIS_WAY, OPERATORS),
    "operator/recruiting/applications/": (OPERATORS, NOT_THIS_WAY),
    "operator/recruiting/applications/open/": (NOT_THIS_WAY, OPERATORS),
    "operator/recruiting/applications/<int:pk>/decide/": (NOT_THIS_WAY, OPERATORS),
    "operator/recruiting/panels/": (OPERATORS, NOT_THIS_WAY),
    "operator/recruiting/panels/new/": (OPERATORS, OPERATORS),
    "operator/recruiting/panels/<int:pk>/studies/new/": (OPERATORS, OPERATORS),
    "operator/recruiting/studies/<int:pk>/": (OPERATORS, NOT_THIS_WAY),
    "operator/recruiting/studies/<int:pk>/open/": (NOT_THIS_WAY, OPERATORS),
    "operator/recruiting/studies/<int:pk>/approvals.csv": (OPERATORS, NOT_THIS_WAY),
    "operator/recruiting/studies/<int:pk>/bonuses/": (NOT_THIS_WAY, OPERATORS),
    "operator/recruiting/studies/<int:pk>/prolific/": (OPERATORS, OPERATORS),
    "operator/recruiting/studies/<int:pk>/prolific/publish/": (NOT_THIS_WAY, OPERATORS),
    "operator/recruiting/studies/<int:pk>/prolific/move/": (NOT_THIS_WAY, OPERATORS),
    "operator/recruiting/studies/<int:pk>/prolific/places/": (NOT_THIS_WAY, OPERATORS),
    "operator/recruiting/studies/<int:pk>/prolific/budget/": (NOT_THIS_WAY, OPERATORS),
    "operator/recruiting/studies/<int:pk>/prolific/bonuses/": (NOT_THIS_WAY, OPERATORS),
    "operator/recruiting/bonuses/<int:pk>/found/": (NOT_THIS_WAY, OPERATORS),
    "operator/recruiting/bonuses/<int:pk>.csv": (OPERATORS, NOT_THIS_WAY),
    "operator/recruiting/terms/": (OPERATORS, OPERATORS),
}
