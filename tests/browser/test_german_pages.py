"""The pages of agreement, releases and reasoning in German, whose words are longer, on a phone."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import expect

from annotation.models import Membership
from tests.browser.test_agreement_pages import make_answers, project, sign_in
from tests.pages import assert_accessible

__all__ = ["project", "sign_in"]

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_nothing_sticks_out_on_a_phone(sign_in, platform_server, project, settings, tmp_path, pictures):
    settings.RELEASES_DIR = tmp_path
    sample = make_answers(project)
    for _time in range(2):
        call_command("release", project.slug, out=tmp_path / f"out-{_time}", stdout=StringIO())
        project.questions.first().answers.filter(position=1).delete()
    page = sign_in(Membership.Role.REQUESTER, width=390, locale="de-DE")
    one, two = [project.slug], [project.slug, sample.pk]
    for name, arguments, query in [
        ("agreement", one, ""),
        ("agreement_questions", one, ""),
        ("agreement_more", one, "?splits=dev&splits=test"),
        ("reasoning", one, ""),
        ("reasoning_sample", two, ""),
        ("reasoning_label", two, ""),
        ("release", one, ""),
        ("releases", one, ""),
        ("release_version", [project.slug, 2], ""),
        ("release_version_check", [project.slug, 2], ""),
        ("release_version_changes", [project.slug, 2], "?since=1"),
    ]:
        page.goto(platform_server + reverse(name, args=arguments) + query)
        expect(page.locator("html")).to_have_attribute("lang", "de")
        for summary in page.locator("details:not([open]) > summary").all():
            summary.click()
        pictures(page, f"de-{name}-390")
        assert_accessible(page, name)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
