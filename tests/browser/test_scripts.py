"""The scripts of the world on the worker's page: each in the font meant for it, and never as boxes."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from supervisor import fonts
from tests.browser.conftest import NewContext
from tests.browser.stub import MarketplaceStub
from tests.browser.work_fixtures import MakeOffer
from tests.browser.worker import WorkPage, ready, work_address
from tests.pages import assert_accessible

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# A paragraph, what fontconfig calls its language, and the font that the page prefers for it.
SAMPLES = {
    "ar": ("في عام ١٨٦٨ اكتمل بناء المنارة بعد شتاءين.", "ar", "Noto Naskh Arabic"),
    "he": ("המגדלור הודלק בשנת 1868, אחרי שני חורפים.", "he", "Noto Sans Hebrew"),
    "hi": ("प्रकाशस्तंभ १८६८ में बनकर तैयार हुआ।", "hi", "Noto Sans Devanagari"),
    "th": ("ประภาคารสร้างเสร็จในปี ๒๔๑๑", "th", "Noto Sans Thai"),
    "zh-Hans": ("灯塔建于一八六八年。", "zh-cn", "Noto Sans CJK SC"),
    "zh-Hant": ("燈塔建於一八六八年。", "zh-tw", "Noto Sans CJK TC"),
    "ja": ("灯台は一八六八年に建てられた。", "ja", "Noto Sans CJK JP"),
    "ko": ("등대는 천팔백육십팔 년에 세워졌다.", "ko", "Noto Sans CJK KR"),
}
# No character will ever be assigned to these two, so that every font draws them as what it draws for lack of a glyph.
NO_CHARACTERS = "\ufdd0\ufdd1"
# Those of some characters that come out as the first of NO_CHARACTERS does, or as nothing, in the paragraph's fonts.
BOXED = """
([characters, noCharacter]) => {
  const { fontFamily } = getComputedStyle(document.querySelector('[data-part="passage"]'));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [160, 160];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.font = `64px ${fontFamily}`;
  const drawn = (character) => {
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillText(character, 48, 104);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    return data.some(Boolean) ? String(data) : "";
  };
  const box = drawn(noCharacter);
  return [...characters].filter((character) => ["", box].includes(drawn(character)));
}
"""


def letters(text: str) -> str:
    return "".join(sorted({character for character in text if character.isalnum()}))


def drawn_most(page: Page) -> str:
    """The name of the font that most of the paragraph is drawn with."""
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": '[data-part="passage"]'})["nodeId"]
    used = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return str(max(used, key=lambda font: font["glyphCount"])["familyName"])


@pytest.fixture
def open_in(new_context: NewContext, platform_server: str, marketplace_stub: MarketplaceStub,
            make_write_offer: MakeOffer) -> Callable[[str], WorkPage]:  # fmt: skip
    """Opens a work page on the sample in a language, on a phone."""
    context = new_context(width=390)

    def opened(language: str) -> WorkPage:
        offer = make_write_offer(SAMPLES[language][0], language=language)
        page = context.new_page()
        page.goto(work_address(platform_server, offer, marketplace_stub.origin, assignment=f"A{offer.pk}"))
        return ready(page)

    return opened


@pytest.mark.parametrize("language", SAMPLES)
def test_no_script_is_drawn_as_boxes_and_each_gets_its_own_font(
    open_in: Callable[[str], WorkPage], language: str, pictures: Callable[[Page, str], None]
) -> None:
    text, code, family = SAMPLES[language]
    if code in fonts.missing():
        pytest.skip(f"no font here draws {fonts.SCRIPTS[code]}: install {', '.join(fonts.PACKAGES)}")
    work = open_in(language)
    no_character, another = NO_CHARACTERS
    assert work.frame.evaluate(BOXED, [letters(text) + another, no_character]) == [another]
    expect(work.passage).to_have_attribute("dir", "rtl" if language in {"ar", "he"} else "ltr")
    pictures(work.page, f"script-{language}")
    assert_accessible(work.page)
    if family in fonts.families(code):
        assert drawn_most(work.page) == family
