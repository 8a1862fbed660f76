"""{{convert}}: a quantity in the unit it was given in and in others, rounded as Wikipedia's Module:Convert does."""

import math
import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import NamedTuple

from curation.wikipedia.arguments import Arguments


class Unit(NamedTuple):
    """``scale`` in the base unit of its ``kind``; degrees have an ``offset`` too. ``others`` are shown by default."""

    kind: str
    scale: float
    symbol: str
    name: str
    names: str
    others: str
    offset: float = 0.0
    us: tuple[str, str] | None = None  # the name and its plural in American spelling


class Wish(NamedTuple):
    """What a call asks for besides values and units."""

    symbol_in: bool
    symbol_out: bool
    american: bool
    adjective: bool
    display: str
    significant: int | None
    places: int | None
    nearest: int | None
    commas: bool


def convert(arguments: Arguments) -> str | None:
    """What a reader sees of {{convert}}, or None for units and ways of calling it that are not known here."""
    parts = arguments.numbered()
    read = _read_values(parts)
    if read is None:
        return None
    values, joiner, unit_code, rest = read
    if (given := UNITS.get(unit_code)) is None:
        return None
    if len(rest) > 1 and _is_number(rest[0]) and rest[1] and not _is_number(rest[1]):
        return None  # feet and inches, pounds and ounces
    out_codes = given.others.split() if not rest or not rest[0] or _is_number(rest[0]) else re.split(r"[\s+]+", rest[0])
    others = [UNITS.get(code) for code in out_codes]
    places = next((int(part) for part in rest if re.fullmatch(r"-?\d", part)), None)
    wish = _wish(arguments, places)
    if wish is None or not others or any(other is None or other.kind != given.kind for other in others):
        return None
    shown_others = [other for other in others if other is not None]
    is_flipped = wish.display == "flip"
    as_symbols = (wish.symbol_out, wish.symbol_in) if is_flipped else (wish.symbol_in, wish.symbol_out)
    original = _quantity([_grouped(value, wish) for value in values], joiner, given, wish, values[-1], as_symbols[0])
    converted = "; ".join(_converted(values, joiner, given, other, wish, as_symbols[1]) for other in shown_others)
    if wish.display in ("output only", "out", "only"):
        return converted
    if wish.display in ("or", "/"):
        return f"{original} or {converted}" if wish.display == "or" else f"{original}/{converted}"
    return f"{converted} ({original})" if is_flipped else f"{original} ({converted})"


# What may stand between two values, and what a reader sees of it.
_JOINERS = {
    "-": "–", "–": "–", "to": " to ", "and": " and ", "or": " or ", "x": " by ", "×": " × ", "by": " by ",
    "to about": " to about ", "+/-": " ± ", "±": " ± ", "&": " and ",
}  # fmt: skip
_NUMBER = re.compile(r"[-−+]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)$")
_RANGE = re.compile(r"([\d,]+(?:\.\d+)?)\s*[-–]\s*([\d,]+(?:\.\d+)?)$")


def _read_values(parts: list[str]) -> tuple[list[str], str, str, list[str]] | None:
    if len(parts) < 2:
        return None
    first = parts[0].replace("−", "-")
    if both := _RANGE.match(first):
        return [both.group(1), both.group(2)], "–", _unit(parts[1]), parts[2:]
    if not _is_number(first):
        return None
    if len(parts) >= 4 and parts[1].strip() in _JOINERS and _is_number(parts[2]):
        return [first, parts[2].replace("−", "-")], _JOINERS[parts[1].strip()], _unit(parts[3]), parts[4:]
    return [first], "", _unit(parts[1]), parts[2:]


def _unit(written: str) -> str:
    return written.replace("&nbsp;", " ").replace("²", "2").replace("³", "3").strip()


def _is_number(text: str) -> bool:
    return bool(_NUMBER.match(text.strip()))


_KNOWN = frozenset(
    {"abbr", "sp", "adj", "disp", "sigfig", "sing", "order", "lk", "round", "comma", "debug", "sortable", "warn"}
)


def _wish(arguments: Arguments, places: int | None) -> Wish | None:
    if any(not name.isdecimal() and name not in _KNOWN for name in arguments.names()):
        return None
    abbreviate, display, rounding = (arguments.text(name) for name in ("abbr", "disp", "round"))
    display = arguments.text("order") or display
    adjective = arguments.text("adj")
    if abbreviate not in ("", "on", "off", "in", "out", "none", "h") or rounding not in ("", "5", "10", "25"):
        return None
    if display not in ("", "or", "/", "output only", "out", "only", "b", "flip") or adjective not in ("", "on", "off"):
        return None
    abbreviate = "on" if arguments.called == "cvt" and not abbreviate else abbreviate
    significant = arguments.text("sigfig")
    return Wish(
        symbol_in=abbreviate in ("on", "in", "h"),
        symbol_out=abbreviate in ("", "on", "out", "h"),
        american=arguments.text("sp").lower() == "us",
        adjective=adjective == "on" or arguments.is_on("sing"),
        display=display,
        significant=int(significant) if significant.isdecimal() and int(significant) else None,
        places=places,
        nearest=int(rounding) if rounding else None,
        commas=arguments.text("comma") != "off",
    )


def _converted(values: list[str], joiner: str, given: Unit, other: Unit, wish: Wish, as_symbol: bool) -> str:
    rounded = [_rounded(value, given, other, wish) for value in values]
    shown = [_grouped(value, wish) for value in rounded]
    if len(shown) == 2 and shown[0] == shown[1]:
        shown, joiner = shown[:1], ""
    return _quantity(shown, joiner, other, wish, rounded[-1], as_symbol)


def _rounded(written: str, given: Unit, other: Unit, wish: Wish) -> str:
    value = Fraction(written.replace(",", "").strip() or "0")
    exact = (value * Fraction(given.scale) + Fraction(given.offset) - Fraction(other.offset)) / Fraction(other.scale)
    if wish.nearest:
        return str(int(_half_up(exact / wish.nearest, 0)) * wish.nearest)
    if wish.places is not None:
        return _half_up(exact, wish.places)
    if wish.significant is not None:
        return _half_up(exact, wish.significant - 1 - _magnitude(exact))
    return _half_up(exact, _default_places(written, value, exact, given))


def _default_places(written: str, value: Fraction, exact: Fraction, given: Unit) -> int:
    """Decimal places of the result, negative ones left of the point: as precise as what was ``written``, whose zeros
    at the end do not count, and two digits at least (of degrees, three in kelvins)."""
    digits = written.replace(",", "").lstrip("+-")
    whole, point, decimals = digits.partition(".")
    places = len(decimals) if point else len(whole.rstrip("0")) - len(whole)
    if given.kind == "degrees":
        kelvins = abs(float(value) * given.scale + given.offset)
        return max(places, 2 - math.floor(math.log10(kelvins) + 1e-14) if kelvins > 1e-8 else 2)
    if not value or exact <= 0:
        return 0
    adjustment = math.log10(abs(value / exact)) + math.log10(2)
    return max(math.floor(places + adjustment), 1 - _magnitude(exact))


def _magnitude(exact: Fraction) -> int:
    return math.floor(math.log10(abs(exact)) + 1e-14) if exact else 0


def _half_up(exact: Fraction, places: int) -> str:
    scaled = exact * Fraction(10) ** places
    nearest = math.floor(abs(scaled) + Fraction(1, 2)) * (1 if scaled >= 0 else -1)
    number = Decimal(nearest).scaleb(-places)
    return f"{number:.{max(places, 0)}f}"


def _grouped(written: str, wish: Wish) -> str:
    """A number with commas between thousands and a minus sign for a hyphen."""
    try:
        number = Decimal(written.replace(",", ""))
    except InvalidOperation:
        return written
    decimals = len(written.partition(".")[2])
    shown = f"{abs(number):,.{decimals}f}" if wish.commas else f"{abs(number):.{decimals}f}"
    return f"−{shown}" if number < 0 else shown


def _quantity(shown: list[str], joiner: str, unit: Unit, wish: Wish, last: str, as_symbol: bool) -> str:
    number = joiner.join(shown)
    symbol = unit.symbol
    if as_symbol or unit.kind == "degrees":
        return f"{number}{symbol}" if symbol.startswith("×") else f"{number} {symbol}"
    one, many = unit.us if wish.american and unit.us else (unit.name, unit.names)
    if wish.adjective:
        return f"{number}-{one.replace(' ', '-')}"
    is_one = len(shown) == 1 and abs(Decimal(last.replace(",", ""))) == 1
    return f"{number} {one if is_one else many}"


_MILE, _FOOT, _INCH, _YARD = 1609.344, 0.3048, 0.0254, 0.9144
_POUND, _ACRE, _US_GALLON, _GALLON = 0.45359237, 4046.8564224, 0.003785411784, 0.00454609


def _units() -> dict[str, Unit]:
    units: dict[str, Unit] = {}

    def add(
        codes: str, kind: str, scale: float, symbol: str, name: str, names: str, others: str, **more: float
    ) -> None:
        american = tuple(text.replace("metre", "meter").replace("litre", "liter") for text in (name, names))
        us = (american[0], american[1]) if american[0] != name else None
        for code in codes.split():
            units[code] = Unit(kind, scale, symbol, name, names, others, more.get("offset", 0.0), us)

    add("m metre metres meter meters", "length", 1, "m", "metre", "metres", "ft")
    add("km kilometre kilometres kilometer kilometers", "length", 1e3, "km", "kilometre", "kilometres", "mi")
    add("cm", "length", 1e-2, "cm", "centimetre", "centimetres", "in")
    add("mm", "length", 1e-3, "mm", "millimetre", "millimetres", "in")
    add("um μm", "length", 1e-6, "μm", "micrometre", "micrometres", "in")
    add("nm", "length", 1e-9, "nm", "nanometre", "nanometres", "in")
    add("ft foot feet", "length", _FOOT, "ft", "foot", "feet", "m")
    add("in inch inches", "length", _INCH, "in", "inch", "inches", "mm")
    add("yd yard yards", "length", _YARD, "yd", "yard", "yards", "m")
    add("mi mile miles", "length", _MILE, "mi", "mile", "miles", "km")
    add("nmi", "length", 1852, "nmi", "nautical mile", "nautical miles", "km mi")
    add("fathom fathoms", "length", 1.8288, "fathom", "fathom", "fathoms", "ft m")
    add("AU", "length", 149597870700.0, "AU", "astronomical unit", "astronomical units", "km mi")
    add("ly", "length", 9460730472580800.0, "ly", "light-year", "light-years", "AU")
    add("km2 sqkm", "area", 1e6, "km²", "square kilometre", "square kilometres", "sqmi")
    add("m2 sqm", "area", 1, "m²", "square metre", "square metres", "sqft")
    add("cm2 sqcm", "area", 1e-4, "cm²", "square centimetre", "square centimetres", "sqin")
    add("mi2 sqmi", "area", _MILE**2, "sq mi", "square mile", "square miles", "km2")
    add("ft2 sqft", "area", _FOOT**2, "sq ft", "square foot", "square feet", "m2")
    add("in2 sqin", "area", _INCH**2, "sq in", "square inch", "square inches", "cm2")
    add("yd2 sqyd", "area", _YARD**2, "sq yd", "square yard", "square yards", "m2")
    add("ha hectare hectares", "area", 1e4, "ha", "hectare", "hectares", "acre")
    add("acre acres", "area", _ACRE, "acre", "acre", "acres", "ha")
    add("m3", "volume", 1, "m³", "cubic metre", "cubic metres", "cuft")
    add("e6m3", "volume", 1e6, "×10⁶ m³", "million cubic metre", "million cubic metres", "e6cuft")
    add("km3", "volume", 1e9, "km³", "cubic kilometre", "cubic kilometres", "cumi")
    add("cm3 cc", "volume", 1e-6, "cm³", "cubic centimetre", "cubic centimetres", "cuin")
    add("L l litre litres liter", "volume", 1e-3, "L", "litre", "litres", "impgal USgal")
    add("ml mL", "volume", 1e-6, "mL", "millilitre", "millilitres", "impoz USoz")
    add("cuft ft3", "volume", _FOOT**3, "cu ft", "cubic foot", "cubic feet", "m3")
    add("e6cuft", "volume", 1e6 * _FOOT**3, "×10⁶ cu ft", "million cubic foot", "million cubic feet", "e6m3")
    add("cuyd yd3", "volume", _YARD**3, "cu yd", "cubic yard", "cubic yards", "m3")
    add("cuin in3", "volume", _INCH**3, "cu in", "cubic inch", "cubic inches", "cm3")
    add("cumi mi3", "volume", _MILE**3, "cu mi", "cubic mile", "cubic miles", "km3")
    add("acre.ft acreft", "volume", _ACRE * _FOOT, "acre⋅ft", "acre-foot", "acre-feet", "m3")
    add("USgal U.S.gal", "volume", _US_GALLON, "US gal", "US gallon", "US gallons", "L impgal")
    add("impgal", "volume", _GALLON, "imp gal", "imperial gallon", "imperial gallons", "L USgal")
    add("USoz USfloz", "volume", _US_GALLON / 128, "US fl oz", "US fluid ounce", "US fluid ounces", "ml")
    add("impoz impfloz", "volume", _GALLON / 160, "imp fl oz", "imperial fluid ounce", "imperial fluid ounces", "ml")
    add("oilbbl", "volume", 42 * _US_GALLON, "bbl", "barrel", "barrels", "m3")
    add("kg", "mass", 1, "kg", "kilogram", "kilograms", "lb")
    add("g", "mass", 1e-3, "g", "gram", "grams", "oz")
    add("mg", "mass", 1e-6, "mg", "milligram", "milligrams", "gr")
    add("gr", "mass", _POUND / 7000, "gr", "grain", "grains", "g")
    add("t tonne tonnes", "mass", 1e3, "t", "tonne", "tonnes", "LT ST")
    add("lb lbs pound pounds", "mass", _POUND, "lb", "pound", "pounds", "kg")
    add("oz", "mass", _POUND / 16, "oz", "ounce", "ounces", "g")
    add("st", "mass", 14 * _POUND, "st", "stone", "stone", "lb kg")
    add("LT", "mass", 2240 * _POUND, "long tons", "long ton", "long tons", "t")
    add("ST", "mass", 2000 * _POUND, "short tons", "short ton", "short tons", "t")
    add("km/h kph", "speed", 1 / 3.6, "km/h", "kilometre per hour", "kilometres per hour", "mph")
    add("mph", "speed", _MILE / 3600, "mph", "mile per hour", "miles per hour", "km/h")
    add("m/s", "speed", 1, "m/s", "metre per second", "metres per second", "ft/s")
    add("ft/s", "speed", _FOOT, "ft/s", "foot per second", "feet per second", "m/s")
    add("km/s", "speed", 1e3, "km/s", "kilometre per second", "kilometres per second", "mi/s")
    add("mi/s", "speed", _MILE, "mi/s", "mile per second", "miles per second", "km/s")
    add("kn knot knots", "speed", 1852 / 3600, "kn", "knot", "knots", "km/h mph")
    add("m3/s", "flow", 1, "m³/s", "cubic metre per second", "cubic metres per second", "cuft/s")
    add("cuft/s ft3/s", "flow", _FOOT**3, "cu ft/s", "cubic foot per second", "cubic feet per second", "m3/s")
    add("/km2 PD/km2", "density", 1e-6, "/km²", "inhabitant per square kilometre", "inhabitants per square kilometre",
        "/sqmi")  # fmt: skip
    add("/sqmi PD/sqmi", "density", 1 / _MILE**2, "/sq mi", "inhabitant per square mile", "inhabitants per square mile",
        "/km2")  # fmt: skip
    add("kW", "power", 1e3, "kW", "kilowatt", "kilowatts", "hp")
    add("MW", "power", 1e6, "MW", "megawatt", "megawatts", "hp")
    add("hp", "power", 745.69987158227, "hp", "horsepower", "horsepower", "kW")
    add("kPa", "pressure", 1e3, "kPa", "kilopascal", "kilopascals", "psi")
    add("MPa", "pressure", 1e6, "MPa", "megapascal", "megapascals", "ksi")
    add("ksi", "pressure", 6894757.293168, "ksi", "kilopound per square inch", "kilopounds per square inch", "MPa")
    add("psi", "pressure", 6894.757293168, "psi", "pound per square inch", "pounds per square inch", "kPa")
    add("bar", "pressure", 1e5, "bar", "bar", "bars", "kPa")
    add("atm", "pressure", 101325, "atm", "standard atmosphere", "standard atmospheres", "kPa")
    add("kcal", "energy", 4184, "kcal", "kilocalorie", "kilocalories", "kJ")
    add("kJ", "energy", 1e3, "kJ", "kilojoule", "kilojoules", "kcal")
    add("C °C degC", "degrees", 1, "°C", "degree Celsius", "degrees Celsius", "F", offset=273.15)
    add("F °F degF", "degrees", 5 / 9, "°F", "degree Fahrenheit", "degrees Fahrenheit", "C", offset=273.15 - 160 / 9)
    add("K", "degrees", 1, "K", "kelvin", "kelvins", "C F")
    return units


UNITS = _units()
