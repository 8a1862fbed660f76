"""A QuestionForm in a real browser: by keyboard alone, accessible, wide and on a phone."""

import pytest
from playwright.sync_api import expect

from tests.pages import assert_accessible, follow, picture

from . import test_browser
from .question_forms import choice, form, text
from .test_browser import sign_in
from .test_question_form import given_back

pytestmark = [pytest.mark.browser, pytest.mark.slow]
account, browser, width = test_browser.account, test_browser.browser, test_browser.width


@pytest.fixture
def page(browser, width):
    context = browser.new_context(viewport={"width": width, "height": 800})
    opened = context.new_page()
    errors = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("console", lambda line: errors.append(line.text) if "Content Security Policy" in line.text else None)
    yield opened
    context.close()
    assert errors == []


OVERVIEW = """<Overview><Title>Rivers of the north</Title><Text>Read the paragraph, then say what you found.</Text>
<FormattedContent><![CDATA[<blockquote><p>The <b>Ilve</b> and the <b>Elsen</b> meet at Ulm.</p></blockquote>
<table><caption>Lengths</caption><tr><th>River</th><th>km</th></tr><tr><td>Ilve</td><td>31</td></tr></table>]]>
</FormattedContent></Overview>"""
DOCUMENT = form(
    OVERVIEW,
    text("code", '<Length minLength="2" maxLength="3"/>', content="<Text>How long is the Ilve, in km?</Text>"),
    choice("side", "left", "right", content="<Text>On which side of the Ilve is Ulm?</Text>"),
    choice(
        "country",
        "at",
        "de",
        before="<StyleSuggestion>dropdown</StyleSuggestion>",
        other="<OtherSelection/>",
        content="<Text>In which country does it rise?</Text>",
    ),
    choice(
        "towns",
        "ulm",
        "linz",
        "graz",
        before="<MaxSelectionCount>2</MaxSelectionCount><StyleSuggestion>checkbox</StyleSuggestion>",
        content="<Text>Which towns does it pass?</Text>",
    ),
    text("note", more="<NumberOfLinesSuggestion>3</NumberOfLinesSuggestion>", required=False),
)


def test_a_form_is_filled_in_by_keyboard_and_corrected(page, site, requester, account, width):
    hit = requester.hit(requester.hit_type(Title="Name the rivers"), Question=DOCUMENT)

    def look(name):
        assert_accessible(page)
        picture(page, f"questions/{name}-{width}")

    sign_in(page, site, account)
    page.get_by_role("link", name="Name the rivers", exact=True).click()
    expect(page.get_by_role("textbox", name="How long is the Ilve, in km?")).to_be_disabled()
    look("form-preview")
    follow(page, page.get_by_role("button", name="Accept and work"))
    look("form")
    keys = page.keyboard
    page.get_by_role("button", name="Return this HIT").focus()
    keys.press("Tab")
    keys.type("1")
    keys.press("Tab")
    keys.press("ArrowDown")  # the second of the radio buttons
    keys.press("Tab")
    keys.type("De")
    keys.press("Tab")  # past one's own words
    keys.press("Tab")
    keys.press("Space")
    for _ in range(3):
        keys.press("Tab")
    keys.type("Thanks")
    keys.press("Tab")
    with page.expect_response(lambda response: "/answers" in response.url) as sent:
        keys.press("Enter")
    assert sent.value.status == 422
    expect(page.get_by_role("alert")).to_contain_text("Question 1: Write at least 2 characters.")
    look("form-errors")
    page.get_by_role("link", name="Question 1").focus()
    keys.press("Enter")
    expect(page.get_by_role("textbox", name="How long is the Ilve, in km?")).to_be_focused()
    keys.press("End")
    keys.type("2")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Submitted")).to_be_visible()
    assert given_back(requester, hit) == {
        "code": [("FreeText", "12")],
        "side": [("SelectionIdentifier", "right")],
        "country": [("SelectionIdentifier", "de")],
        "towns": [("SelectionIdentifier", "ulm")],
        "note": [("FreeText", "Thanks")],
    }
