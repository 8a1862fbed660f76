"""Templates of languages, quotations and punctuation."""

import re
from collections.abc import Callable

from curation.wikipedia import marks
from curation.wikipedia.arguments import Arguments
from curation.wikipedia.numerals import grouped

# How English wikis name the language of {{lang-xx|...}}.
LANGUAGES = {
    "af": "Afrikaans", "aln": "Gheg Albanian", "am": "Amharic", "ang": "Old English", "ar": "Arabic", "arc": "Aramaic",
    "az": "Azerbaijani",
    "be": "Belarusian", "ber": "Berber", "bg": "Bulgarian", "bn": "Bengali", "bo": "Tibetan", "br": "Breton",
    "bs": "Bosnian",
    "ca": "Catalan", "cs": "Czech", "cu": "Old Church Slavonic", "cy": "Welsh", "da": "Danish", "de": "German",
    "el": "Greek", "en": "English", "eo": "Esperanto", "es": "Spanish", "et": "Estonian", "eu": "Basque",
    "fa": "Persian", "fi": "Finnish", "fr": "French", "fy": "West Frisian", "ga": "Irish", "gd": "Scottish Gaelic",
    "gl": "Galician", "grc": "Ancient Greek", "gu": "Gujarati", "haw": "Hawaiian", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian", "is": "Icelandic", "it": "Italian",
    "ja": "Japanese", "jv": "Javanese", "ka": "Georgian", "kk": "Kazakh", "km": "Khmer", "kn": "Kannada",
    "ko": "Korean", "ku": "Kurdish", "ky": "Kyrgyz", "la": "Latin", "lb": "Luxembourgish", "lo": "Lao",
    "lt": "Lithuanian", "lv": "Latvian", "mi": "Māori", "mk": "Macedonian", "ml": "Malayalam", "mn": "Mongolian",
    "mr": "Marathi", "ms": "Malay", "mt": "Maltese", "my": "Burmese", "nah": "Nahuatl", "ne": "Nepali", "nl": "Dutch",
    "no": "Norwegian", "oc": "Occitan", "pa": "Punjabi", "pl": "Polish", "ps": "Pashto", "pt": "Portuguese",
    "qu": "Quechua", "ro": "Romanian", "ru": "Russian", "sa": "Sanskrit", "si": "Sinhala", "sk": "Slovak",
    "sl": "Slovene", "so": "Somali", "sq": "Albanian", "sr": "Serbian", "sv": "Swedish", "sw": "Swahili",
    "syr": "Syriac", "ta": "Tamil", "te": "Telugu", "tg": "Tajik", "th": "Thai", "tk": "Turkmen", "tl": "Tagalog",
    "tr": "Turkish", "tt": "Tatar", "ug": "Uyghur", "uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek",
    "vi": "Vietnamese", "yi": "Yiddish", "zh": "Chinese", "zu": "Zulu",
}  # fmt: skip


def _foreign(text: str) -> str:
    return f"{marks.FOREIGN}{text}{marks.FOREIGN_END}" if text else ""


def _lang(arguments: Arguments) -> str:
    return _foreign(arguments.text(2))


def named_language(code: str) -> Callable[[Arguments], str | None]:
    """{{lang-sq|...}}: the language's name, a colon, the words."""

    def shown(arguments: Arguments) -> str | None:
        name = arguments.text("label") or LANGUAGES.get(code)
        text = arguments.text(1, "text")
        if not name or not text or arguments.language != "en":
            return None
        label = "" if arguments.text("label") == "none" else f"{name}: "
        romanized = arguments.text("translit", 2)
        meaning = arguments.text("lit", "translation", 3)
        extra = (f", romanized: {romanized}" if romanized else "") + (f", lit. '{meaning}'" if meaning else "")
        return _foreign(f"{label}{text}{extra}")

    return shown


def _langx(arguments: Arguments) -> str | None:
    pairs = [(str(number - 1), arguments.text(number)) for number in (2, 3, 4)]
    return named_language(arguments.text(1).lower())(arguments.with_pairs(pairs))


def _transliterated(arguments: Arguments) -> str:
    values = [value for value in arguments.numbered() if value]
    return _foreign(values[-1]) if values else ""


def _nihongo(arguments: Arguments) -> str | None:
    english, kanji, romaji, extra, after = (arguments.text(number) for number in range(1, 6))
    inside = ", ".join(part for part in (kanji, romaji, extra) if part)
    shown = f"{english} ({inside})" if english and inside else english or inside
    return f"{shown} {after}".strip() or None


def _chinese(arguments: Arguments) -> str | None:
    labels = {"s": "simplified Chinese", "t": "traditional Chinese", "c": "Chinese", "p": "pinyin", "l": "lit."}
    if any(name not in labels for name in arguments.names()):
        return None
    shown = []
    for name, label in labels.items():
        if value := arguments.text(name):
            shown.append(f"lit. '{value}'" if name == "l" else f"{label}: {value}")
    return "; ".join(shown) or None


def _quotation(arguments: Arguments) -> str | None:
    text = arguments.text(1, "text", "quote")
    # What follows on the same line begins a paragraph; with its blank in front it would be taken for code.
    return f"\n\n{text}\n\n{marks.GAP}" if text else None


def _translated_quotation(arguments: Arguments) -> str:
    return "“" + arguments.text(1) + "”"


def _abbreviation(arguments: Arguments) -> str:
    return arguments.text(1)


def _gloss(arguments: Arguments) -> str:
    return f"'{arguments.text(1)}'"


def _inter_language(arguments: Arguments) -> str | None:
    shown = arguments.text("lt", "display")
    if shown or arguments.text(1) not in LANGUAGES:
        return shown or arguments.text(1)
    # Until 2016 the language came first, and behind it the title.
    return arguments.text(2) if "4" not in arguments else None


def _ship(prefix: str) -> Callable[[Arguments], str | None]:
    def shown(arguments: Arguments) -> str | None:
        name, number = arguments.text(1), arguments.text(2)
        if not name:
            return None
        form = arguments.text(3)
        ship = f"{prefix} ''{name}''"
        if form == "2":
            return f"''{name}''"
        if form == "6":
            return ship
        return f"{ship} ({number})" if number else ship

    return shown


def _last_of_two(arguments: Arguments) -> str:
    """{{rtl-lang|ar|...}}, {{script|Cyrs|...}}, {{resize|80%|...}}: how it is shown, then the words."""
    return arguments.text(2, 1)


def _small_capitals(arguments: Arguments) -> str:
    """What a page shows in small capitals: eras, which are written "bc" for it, in capitals, names as they are."""
    text = arguments.text(1)
    return text.upper() if text in _ERAS else text


_ERAS = ("ad", "bc", "ce", "bce", "ah", "am", "pm")


def _anchor(arguments: Arguments) -> str:
    return arguments.text("text", 1)


def _joined(arguments: Arguments) -> str:
    return "".join(arguments.numbered())


def _heard(arguments: Arguments) -> str:
    """A recording of a name: the name, where it stands on the page, and nothing of "listen"."""
    label = arguments.text(2, "label")
    return marks.SOUND if not label or label.lower() in _LISTEN else _foreign(label)


_LISTEN = ("listen", "pronunciation", "pronounced", "pronounce", "help", "play", "audio", "sound", "hear")


def _cited_in_words(arguments: Arguments) -> str | None:
    """{{harvtxt|Smith|Jones|2001|p=5}}: authors as part of the sentence, "Smith & Jones (2001, p. 5)"."""
    *authors, year = arguments.numbered()[:5] or [""]
    if not authors or not _YEAR.fullmatch(year):
        return None
    if len(authors) > 3:
        several = f"{authors[0]} et al."
    else:
        several = " & ".join(filter(None, [", ".join(authors[:-1]), authors[-1]]))
    page, pages = arguments.text("p", "page"), arguments.text("pp", "pages")
    place = f", p. {page}" if page else f", pp. {pages}" if pages else ""
    return f"{several} ({year}{place})"


_YEAR = re.compile(r"(?:c\. )?\d{3,4}[a-z]?|n\.d\.")


def _verse(arguments: Arguments) -> str | None:
    book, verse = arguments.text(1), arguments.text(2)
    return f"{book} {verse}" if book and verse else None


def _see_below(_arguments: Arguments) -> str:
    return "(see below)"


def _listed(arguments: Arguments) -> str:
    return ", ".join(value for value in arguments.numbered() if value)


def _letter(arguments: Arguments) -> str:
    letter = arguments.text(1)
    return marks.lost("pronunciation") if marks.SOUND in letter else f"⟨{letter}⟩"


def _music(arguments: Arguments) -> str | None:
    signs = {"flat": "♭", "b": "♭", "sharp": "♯", "#": "♯", "natural": "♮"}
    return signs.get(arguments.text(1).lower())


def _patent(arguments: Arguments) -> str | None:
    return f"U.S. Patent {grouped(arguments.text(1))}" if arguments.text(1) else None


def _flag(arguments: Arguments) -> str | None:
    name = arguments.text("name") or arguments.text(1)
    # Codes of three letters stand for a country that only the wiki can name.
    return None if not name or (len(name) <= 3 and name.isupper()) else name


_CONSTANTS = {
    "'s": "’s", "'": "’", "' \"": "’”", "\" '": "“‘", "\"'": "“‘", "'\"": "’”", "-\"": "”", "–": "–", "ndash": "–",
    "en dash": "–",
    "endash": "–", "mdash": "—", "em dash": "—", "emdash": "—", "mdashb": " — ", "spaced en dash": " – ",
    "spaced ndash": " – ", "snd": " – ", "spnd": " – ",
    "spaced em dash": " — ", "spaced mdash": " — ", "nbsp": " ", "spaces": " ", "space": " ", "thinsp": " ",
    "thin space": " ", "hair space": " ", "nnbsp": " ", "zwj text": "", "·": " · ", "dot": " · ", "middot": " · ",
    "bullet": " • ", "•": " • ",
    "!": "|", "pipe": "|", "=": "=", "!((": "[[", "))!": "]]", "(": "(", ")": ")", "(!": "{|", "asterisk": "*",
    "*": "*", "colon": ":", "br": "<br>",
    "sic": "[sic]", "times": "×", "minus": "−", "plus": "+", "plusmn": "±", "degree": "°", "pi": "π", "tau": "τ",
    "infin": "∞", "dagger": "†", "double-dagger": "‡", "ellipsis": "...", "...": "...", "increase": "", "decrease": "",
    "steady": "", "check mark": "✓",
    "ad": "AD", "bc": "BC", "ce": "CE", "bce": "BCE", "okina": "ʻ", "'okina": "ʻ", "hamza": "ʾ", "ayin": "ʿ",
    "prime": "′", "double prime": "″", "snds": " – ", "shy text": "", "numero": "№", "section link text": "§",
    "section sign": "§", "male": "♂", "female": "♀",
}  # fmt: skip


def _constant(text: str) -> Callable[[Arguments], str | None]:
    return lambda _arguments: text


def _sic(arguments: Arguments) -> str:
    text = "".join(arguments.numbered()[:1])
    return text if arguments.is_on("hide") else f"{text} [sic]".strip()


SPEECH: dict[str, Callable[[Arguments], str | None]] = {
    **{name: _constant(text) for name, text in _CONSTANTS.items()},
    **{f"lang-{code}": named_language(code) for code in LANGUAGES},
    **{name: named_language(code) for name, code in (("lang-grc-gre", "el"), ("lang-gr", "el"), ("lang-rus", "ru"),
                                                      ("lang-pers", "fa"), ("lang-per", "fa"), ("lang-hbo", "he"))},
    **dict.fromkeys(("quote", "blockquote", "bquote", "quotation", "cquote", "centered pull quote", "pull quote",
    "zitat",
                     "citation bloc", "cita", "cytat", "citaat", "цитата", "poem quote",
                     "verse translation"), _quotation),
    "nq": _translated_quotation, "qq": _translated_quotation, "lang": _lang, "langue": _lang, "lang2": _lang,
    "lang/span": _lang, "langx": _langx, "transl": _transliterated, "translit": _transliterated,
    "tlit": _transliterated,
    "transliteration": _transliterated, "nihongo": _nihongo, "nihongo2": lambda arguments: _foreign(arguments.text(1)),
    "zh": _chinese,
    "abbr": _abbreviation, "abbrlink": _abbreviation, "tooltip": _abbreviation, "hover title": _abbreviation,
    "gloss": _gloss,
    "literal translation": lambda arguments: f"lit. '{arguments.text(1)}'",
    "lit": lambda arguments: f"lit. '{arguments.text(1)}'",
    "ill": _inter_language, "interlanguage link": _inter_language,
    "link-interwiki": lambda arguments: arguments.text("en", 1), "illm": _inter_language,
    "uss": _ship("USS"), "hms": _ship("HMS"), "hmas": _ship("HMAS"), "hmcs": _ship("HMCS"), "ss": _ship("SS"),
    "rms": _ship("RMS"),
    **dict.fromkeys(("fontsize", "resize", "script"), _last_of_two),
    **dict.fromkeys(("lang rtl", "rtl-lang"), lambda arguments: _foreign(arguments.text(2, 1))),
    **dict.fromkeys(("small caps", "smallcaps", "sc", "sc2"), _small_capitals),
    **dict.fromkeys(("vanchor", "visible anchor"), _anchor), "linktext": _joined,
    **dict.fromkeys(("audio", "audio-pipe"), _heard), "bibleref": _verse,
    **dict.fromkeys(("harvtxt", "harvcoltxt", "harvard citation text", "harvp"), _cited_in_words),
    "see below": _see_below, "hlist": _listed, "flatlist": _abbreviation, "unbulleted list": _listed, "ubl": _listed,
    "angbr": _letter, "angle bracket": _letter,
    "grapheme": _letter, "music": _music, "us patent": _patent,
    "patent": lambda arguments: arguments.text(3, 2) or None, "sic": _sic,
    "flag": _flag, "flagcountry": _flag, "flagu": _flag, "color": lambda arguments: arguments.text(2),
    "colored text": lambda arguments: arguments.text(2), "font color": lambda arguments: arguments.text(2, 1),
    "asteroid": _abbreviation, "native name": lambda arguments: _foreign(arguments.text(2)),
    "wikt-lang": lambda arguments: _foreign(arguments.text(3, 2)), "m+j": _abbreviation,
    "lc:": lambda arguments: arguments.text(1).lower(), "uc:": lambda arguments: arguments.text(1).upper(),
    "ucfirst:": lambda arguments: arguments.text(1)[:1].upper() + arguments.text(1)[1:],
    "lcfirst:": lambda arguments: arguments.text(1)[:1].lower() + arguments.text(1)[1:],
}  # fmt: skip
