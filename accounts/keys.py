"""Keys of rows, as pages send them."""

MOST_KEY = 2**63 - 1
MOST_DIGITS = len(str(MOST_KEY))


def key_from(text: str) -> int:
    """The key that ``text`` writes in decimal digits; 0, which no row has, for anything else."""
    if not (text.isascii() and text.isdigit()) or len(text) > MOST_DIGITS:
        return 0
    key = int(text)
    return key if key <= MOST_KEY else 0
