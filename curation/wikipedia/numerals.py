"""Templates of numbers: grouped, in fractions, with exponents, of money, of chemistry."""

import re
from collections.abc import Callable

from curation.wikipedia.arguments import Arguments

_NUMBER = re.compile(r"([-−+]?)(\d+)((?:\.\d+)?)$")
_SUBSCRIPTS = str.maketrans("0123456789+-−", "₀₁₂₃₄₅₆₇₈₉₊₋₋")
_SUPERSCRIPTS = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")


def grouped(written: str) -> str:
    """A plain number with commas between its thousands and a minus sign; anything else as it is."""
    match = _NUMBER.match(written.replace(",", "").strip())
    if not match:
        return written.strip()
    sign, whole, decimals = match.groups()
    return f"{sign.replace('-', '−')}{int(whole):,}{decimals}"


def _formatnum(arguments: Arguments) -> str | None:
    if arguments.language != "en":
        return None  # every language groups in its own way
    number = arguments.text(1)
    if not number:
        return None
    return number.replace(",", "") if arguments.text(2).upper() == "R" else grouped(number)


def _fraction(arguments: Arguments) -> str:
    values = arguments.numbered()
    if len(values) == 1:
        return f"1⁄{values[0]}"
    if len(values) == 2:
        return f"{values[0]}⁄{values[1]}"
    return f"{values[0]} {values[1]}⁄{values[2]}" if len(values) == 3 else "⁄"


_SUM = re.compile(r"[^\s({][^({]*(?:\s|(?<=[\w')])[+−–-])")


def _stacked_fraction(arguments: Arguments) -> str:
    """A fraction in one line; a sum above or below its bar goes into brackets."""
    values = arguments.numbered()
    *whole, above, below = values if len(values) > 1 else ["1", *values] if values else ["", ""]
    above, below = (f"({value})" if _SUM.match(value) else value for value in (above, below))
    return " ".join([*whole, f"{above}/{below}"])


def _val(arguments: Arguments) -> str | None:
    number, plus_minus, exponent = arguments.text(1), arguments.text(2), arguments.text("e")
    if not number or any(name not in ("1", "2", "e", "u", "ul", "fmt", "p", "s") for name in arguments.names()):
        return None
    shown = grouped(number) + (f"±{plus_minus}" if plus_minus else "")
    if exponent:
        shown = f"({shown})" if plus_minus else shown
        shown += f"×10{exponent.translate(_SUPERSCRIPTS)}"
    unit = arguments.text("u", "ul")
    return arguments.text("p") + shown + (f" {unit}" if unit else "") + arguments.text("s")


def _times_ten(arguments: Arguments) -> str:
    exponent = arguments.text(1)
    return f"×10{exponent.translate(_SUPERSCRIPTS)}" if exponent else "×10"


def _chemistry(arguments: Arguments) -> str:
    """{{chem|H|2|O}}: a number after letters is lowered, one with a sign is a charge and raised."""
    shown = ""
    for part in arguments.numbered():
        if re.fullmatch(r"\d*[+−-]", part):
            shown += part.translate(_SUPERSCRIPTS)
        elif re.fullmatch(r"\d+", part) and shown:
            shown += part.translate(_SUBSCRIPTS)
        else:
            shown += part
    return shown


def _chem2(arguments: Arguments) -> str:
    formula = re.sub(r"(?<=[A-Za-z)\]])\d+", lambda match: match.group().translate(_SUBSCRIPTS), arguments.text(1))
    charge = re.compile(r"(?<=[A-Za-z)\]₀-₉])([+−-])$")
    return charge.sub(lambda match: match.group().translate(_SUPERSCRIPTS), formula)


def _money(sign: str) -> Callable[[Arguments], str | None]:
    def shown(arguments: Arguments) -> str | None:
        if any(name not in ("1", "long", "link") for name in arguments.names()):
            return None
        amount = arguments.text(1)
        return f"{sign}{grouped(amount) if _NUMBER.match(amount) else amount}"

    return shown


def _raised(arguments: Arguments) -> str:
    return f"<sup>{arguments.text(1)}</sup>"


def _lowered(arguments: Arguments) -> str:
    return f"<sub>{arguments.text(1)}</sub>"


def _ordinal(arguments: Arguments) -> str | None:
    number = arguments.text(1)
    if not number.isdecimal() or arguments.language != "en":
        return None
    ending = "th" if number[-2:] in ("11", "12", "13") else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")
    return number + ending


def _gauge(arguments: Arguments) -> str | None:
    return _GAUGES.get(arguments.text(1).replace(" ", ""))


# Of railways; the commonest as {{track gauge}} shows them.
_GAUGES = {
    "1435mm": "1,435 mm (4 ft 8 1⁄2 in)", "sg": "1,435 mm (4 ft 8 1⁄2 in)", "ussg": "4 ft 8 1⁄2 in (1,435 mm)",
    "1000mm": "1,000 mm (3 ft 3 3⁄8 in)", "metre": "1,000 mm (3 ft 3 3⁄8 in)", "1067mm": "1,067 mm (3 ft 6 in)",
    "3ft6in": "3 ft 6 in (1,067 mm)", "1520mm": "1,520 mm (4 ft 11 27⁄32 in)", "3ft": "3 ft (914 mm)",
}  # fmt: skip

NUMERALS: dict[str, Callable[[Arguments], str | None]] = {
    "formatnum:": _formatnum, "formatnum": _formatnum, "fmtn": _formatnum, "formatnumber": _formatnum,
    "number format": _formatnum, "nts": _formatnum, "ntsh": lambda _arguments: "", "commas": _formatnum,
    "num": _formatnum, "comma separated entries": lambda arguments: ", ".join(filter(None, arguments.numbered())),
    "frac": _fraction, "fraction": _fraction, "sfrac": _stacked_fraction, "fract": _fraction,
    "val": _val, "e": _times_ten, "exp": _times_ten, "x10^": _times_ten, "esp": _times_ten,
    "chem": _chemistry, "chem2": _chem2, "chemf": _chemistry, "co2": lambda _arguments: "CO₂",
    "sup": _raised, "sub": _lowered, "pow": lambda arguments: f"{arguments.text(1)}<sup>{arguments.text(2)}</sup>",
    "ordinal": _ordinal, "ord": _ordinal, "railgauge": _gauge, "track gauge": _gauge, "rail gauge": _gauge,
    "us$": _money("US$"), "usd": _money("US$"), "a$": _money("A$"), "aud": _money("A$"), "c$": _money("C$"),
    "cad": _money("C$"), "£": _money("£"), "gbp": _money("£"), "€": _money("€"), "euro": _money("€"),
    "eur": _money("€"),
    "¥": _money("¥"), "jpy": _money("¥"), "inr": _money("₹"), "indian rupee": _money("₹"), "₹": _money("₹"),
    "nz$": _money("NZ$"), "hk$": _money("HK$"),
}  # fmt: skip
