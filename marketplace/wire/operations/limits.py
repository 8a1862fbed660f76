"""Limits that AWS states in words and the service model does not have."""

import re

from ...errors import invalid_value

# Feedback and reasons: ASCII control characters other than tab, line feed and carriage return (0-8, 11, 12, 14-31).
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


def check_length(name: str, text: str, most: int, least: int = 0) -> None:
    """Raise Refused unless ``text`` has ``least`` to ``most`` characters."""
    if not least <= len(text.strip() if least else text) <= most:
        raise invalid_value(name, f"It has {len(text)} characters; {least} to {most} are allowed.")


def check_range(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise invalid_value(name, f"It is {value}; {least} to {most} are allowed.")


def check_prose(name: str, text: str, most: int, least: int = 0) -> None:
    """Raise Refused unless ``text`` is short enough and free of control characters."""
    check_length(name, text, most, least)
    if CONTROL.search(text):
        raise invalid_value(name, "It holds a control character.")
