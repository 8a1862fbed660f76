"""What stands in the query of an address."""


def number(text: str | None) -> int | None:
    """A row's key, or None where there is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else None
