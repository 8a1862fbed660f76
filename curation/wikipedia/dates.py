"""Templates of dates and years, as English wikis show them; other languages write dates in their own way."""

import calendar
from collections.abc import Callable

from curation.wikipedia.arguments import Arguments


def date_of(arguments: Arguments, first: int = 1) -> str:
    """The date of three arguments from ``first`` on, year, month and day, the later ones perhaps missing."""
    year, month, day = (arguments.text(number).lstrip("0") for number in range(first, first + 3))
    if not month:
        return year
    name = calendar.month_name[int(month)] if month.isdecimal() and 1 <= int(month) <= 12 else month
    if not day:
        return f"{name} {year}"
    return f"{day} {name} {year}" if arguments.is_on("df") else f"{name} {day}, {year}"


def _date(arguments: Arguments) -> str | None:
    year = arguments.text(1)
    if arguments.language != "en":
        return None
    return date_of(arguments) if year.lstrip("-").isdecimal() else year or None


def _years_between(arguments: Arguments, first: int, second: int) -> int | None:
    numbers = [arguments.text(position) for position in (*range(first, first + 3), *range(second, second + 3))]
    if not all(number.isdecimal() for number in numbers):
        return None
    y1, m1, d1, y2, m2, d2 = map(int, numbers)
    return y2 - y1 - ((m2, d2) < (m1, d1))


def _birth(arguments: Arguments) -> str | None:
    """The date alone: the age beside it is one of the day when the page is read."""
    return _date(arguments)


def _death_and_age(arguments: Arguments) -> str | None:
    age = _years_between(arguments, 4, 1)
    date = _date(arguments)
    return f"{date} (aged {age})" if date and age is not None else None


def _age(arguments: Arguments) -> str | None:
    age = _years_between(arguments, 1, 4)
    return None if age is None else str(age)


def _as_of(arguments: Arguments) -> str | None:
    if arguments.language != "en":
        return None
    if alternative := arguments.text("alt"):
        return alternative
    said = "since" if arguments.is_on("since") else "as of"
    said = said if arguments.is_on("lc") else said.capitalize()
    said += " " + date_of(arguments)
    return said + arguments.text("post")


def _circa(arguments: Arguments) -> str:
    dates = [date for date in arguments.numbered() if date]
    return " – ".join(f"c. {date}" for date in dates) if dates else "c."


def _reign(arguments: Arguments) -> str:
    dates = "–".join(arguments.numbered())
    return f"r. {dates}".strip()


def _flourished(arguments: Arguments) -> str:
    return f"fl. {'–'.join(arguments.numbered())}".strip()


def _marriage(arguments: Arguments) -> str | None:
    spouse, since, until = arguments.text(1), arguments.text(2), arguments.text(3)
    return f"{spouse} (m. {since}{'–' + until if until else ''})" if since else None


DATES: dict[str, Callable[[Arguments], str | None]] = {
    **dict.fromkeys(("start date", "end date", "date", "film date", "release date", "start-date", "end-date", "dts",
                     "start date and age", "start date and years ago", "sdy"), _date),
    **dict.fromkeys(("birth date", "birth date and age", "birth-date and age", "birth-date", "birth year and age",
    "bda",
                     "dob", "death date", "death-date", "death year"), _birth),
    "death date and age": _death_and_age, "dda": _death_and_age, "age": _age, "as of": _as_of, "asof": _as_of,
    "circa": _circa, "c.": _circa, "ca.": _circa, "c": _circa, "ca": _circa, "reign": _reign, "r.": _reign,
    "floruit": _flourished, "fl.": _flourished, "fl": _flourished, "born": lambda arguments: f"b. {arguments.text(1)}",
    "b.": lambda arguments: f"b. {arguments.text(1)}", "died": lambda arguments: f"d. {arguments.text(1)}",
    "d.": lambda arguments: f"d. {arguments.text(1)}", "marriage": _marriage,
}  # fmt: skip
