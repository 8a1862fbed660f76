"""Templates that carry text, as a reader of English Wikipedia sees them."""

import pytest

from curation.wikipedia.templates import Templates
from curation.wikipedia.wikitext import read_body

RIGHT = [
    pytest.param(
        "'''Tarn Velle''' is a lake in the [[Gell Hills]], fed by snow until late in June."
        "<ref name=\"map\">Rosk, I. (1883). ''Sheet 9''.</ref>",
        "Tarn Velle is a lake in the Gell Hills, fed by snow until late in June.",
        id="a footnote",
    ),
    pytest.param(
        "At {{convert|640|m|ft}}, it is high, and it holds {{convert|2.1|e6m3}} of water.",
        "At 640 metres (2,100 ft), it is high, and it holds 2.1 million cubic metres (74×10⁶ cu ft) of water.",
        id="quantities",
    ),
    pytest.param(
        "'''Ruad''' ({{IPAc-en|'|r|u:|ae|d}}; {{lang|xx|Rúad}}) was an abbot.",
        "Ruad was an abbot.",
        id="a bracket of a sound and a name in another language",
    ),
    pytest.param("The hut ({{IPA|/hʌt/}}, built 1921) stands.", "The hut (built 1921) stands.", id="a sound first"),
    pytest.param("The hut (built 1921; {{IPA|/hʌt/}}) stands.", "The hut (built 1921) stands.", id="a sound last"),
    pytest.param("Roma (from {{lang|la|Rōma}}) is.", "Roma (from Rōma) is.", id="words of another language"),
    pytest.param(
        "The parish had {{formatnum:1204}} people in 1871&nbsp;and&nbsp;{{nowrap|1,311}} in 1881.",
        "The parish had 1,204 people in 1871 and 1,311 in 1881.",
        id="numbers",
    ),
    pytest.param("It is {{nowrap|{{convert|3|km|mi}} away}}.", "It is 3 kilometres (1.9 mi) away.", id="nested"),
    pytest.param("A{{efn|See {{harvnb|B|1990}}.}} and C.{{cn|date=May 2010}}", "A and C.", id="notes"),
    pytest.param(
        "(born {{birth date and age|1950|2|3}})", "(born February 3, 1950)", id="a birthday, without today's age"
    ),
    pytest.param(
        "{{as of|2010|5|lc=y}}, it had {{frac|1|2}}.", "as of May 2010, it had 1⁄2.", id="a date and a fraction"
    ),
    pytest.param("{{chem|H|2|O}} and 10{{sup|6}}", "H₂O and 10⁶", id="chemistry"),
    pytest.param(
        "of al-kīmiyā ({{rtl-lang|ar|الكيمياء}}), {{script|Cyrs|кни}}, {{resize|80%|small}} and {{resize|large}}",
        "of al-kīmiyā (الكيمياء), кни, small and large",
        id="words behind what says how they are shown",
    ),
    pytest.param(
        "in 300 {{sc|bc}}, {{smallcaps|ad}} 9 and {{sc|Lord}}", "in 300 BC, AD 9 and Lord", id="small capitals"
    ),
    pytest.param(
        "a {{ill|Tarn (lake)|de|Tarn|lt=tarn}}, {{ill|de|Moor|Moor}}", "a tarn, Moor", id="links to other wikis"
    ),
    pytest.param(
        "a {{vanchor|tarn|text=mountain lake}} of {{linktext|湖|泊}}", "a mountain lake of 湖泊", id="anchors"
    ),
    pytest.param("He{{'s}} {{abbr|b.|born}} {{circa|1066}}{{snd}}so.", "He’s b. c. 1066 – so.", id="punctuation"),
]


@pytest.mark.parametrize(("wikitext", "expected"), RIGHT)
def test_a_template_with_text_is_written_out(wikitext, expected):
    (passage,) = read_body(wikitext, Templates("en")).passages
    assert (passage.text, passage.lost) == (expected, ())


# As Module:Convert of English Wikipedia shows them.
@pytest.mark.parametrize(("call", "expected"), [
    ("1300|mi|km", "1,300 miles (2,100 km)"),
    ("2413|ft|abbr=on", "2,413 ft (735 m)"),
    ("98|F|C", "98 °F (37 °C)"),
    ("-20|C", "−20 °C (−4 °F)"),
    ("10|km|mi|1", "10 kilometres (6.2 mi)"),
    ("5|-|10|km|mi", "5–10 kilometres (3.1–6.2 mi)"),
    ("100|km2|sp=us", "100 square kilometers (39 sq mi)"),
    ("2|m|adj=on", "2-metre (6.6 ft)"),
    ("1|mi|km", "1 mile (1.6 km)"),
    ("3|nmi", "3 nautical miles (5.6 km; 3.5 mi)"),
    ("15|km2|sqmi|order=flip", "5.8 square miles (15 km²)"),
    ("50|lb|kg|sigfig=3", "50 pounds (22.7 kg)"),
])  # fmt: skip
def test_quantities_are_converted_as_precisely_as_they_were_given(call, expected):
    assert Templates("en").expand("{{convert|" + call + "}}") == expected


@pytest.mark.parametrize(
    "call", ["6|ft|2|in|m", "5|parsnips", "5|ton|kg", "|km", "1|km|lb", "1|km|mi|disp=table", "1|km|odd=on"]
)
def test_a_quantity_that_is_not_known_is_lost_and_never_guessed(call):
    (passage,) = read_body("It is {{convert|" + call + "}} long.", Templates("en")).passages
    assert passage.lost == ("convert",)


@pytest.mark.parametrize(("wikitext", "expected"), [
    ("Foo ({{lang-ps|x}} {{IPA-ps|a}}) is.", "Foo is."),
    ("The hut ({{IPA|a}}, built 1921) stands.", "The hut (built 1921) stands."),
    ("Foo (1921; {{IPA|a}} {{respell|FOO}}) is.", "Foo (1921) is."),
    ("Algae (singular alga {{IPA|a}}) are.", "Algae (singular alga) are."),
    ("Angola {{IPA|a}}, officially so, is.", "Angola, officially so, is."),
])  # fmt: skip
def test_a_pronunciation_beside_a_name_goes_unseen(wikitext, expected):
    (passage,) = read_body(wikitext, Templates("en")).passages
    assert (passage.text, passage.lost) == (expected, ())


@pytest.mark.parametrize("wikitext", [
    "A (named {{IPAc-en|a}}, plural As) is.", "Foo ({{IPAc-en|a}} or {{IPAc-en|b}}) is.",
    "The vowel {{IPA|/a/}} is open.", "Foo (pronounced {{IPA|/fu/}}) is.",
    "It is pronounced {{IPA|/fu/}} in France.", "Foo (also {{IPA|a}}; fou) is.", "It has letters for {{IPA|/ti/}}.",
])  # fmt: skip
def test_a_pronunciation_that_the_sentence_speaks_of_is_lost(wikitext):
    (passage,) = read_body(wikitext, Templates("en")).passages
    assert passage.lost == ("pronunciation",)


def test_a_number_that_another_template_works_out_is_lost():
    (passage,) = read_body(
        "On $800 (${{formatnum:{{Inflation|US|800|1861|r=-2}}}} today), so.", Templates("en")
    ).passages
    assert passage.lost == ("Inflation",)


@pytest.mark.parametrize(("wikitext", "lost"), [
    ("It lies at {{coord|54|30|N|3|5|W|display=inline}}, below the hut.", ("coord",)),
    ("Velle {{coord|54|30|N|3|5|W}} is a lake.", ()),
    ("It was found by {{harvnb|Rosk|1883}}.", ("harvnb",)), ("It was found ({{harvnb|Rosk|1883}}).", ()),
])  # fmt: skip
def test_what_a_sentence_needs_is_missed_and_what_stands_beside_it_is_not(wikitext, lost):
    (passage,) = read_body(wikitext, Templates("en")).passages
    assert passage.lost == lost


def test_another_language_does_not_get_english_words():
    (passage,) = read_body("Es hat {{formatnum:1204}} Leute.", Templates("de")).passages
    assert passage.lost == ("formatnum:1204",)
