"""Which language a text is in, by py3langid; asked only of texts that are long enough to tell."""

from functools import cache
from typing import Any

# Below this a guess is worth little. Our choice.
FEWEST_CHARS = 200
# Of a text, what is looked at: more makes it slower and no surer.
_LOOKED_AT_CHARS = 1_000
# Only a guess as sure as this speaks against a text.
_SURE = 0.9
# Languages that the model holds for one another, by their tags; the first is what its own label stands for.
_KIN = (
    {"no", "nb", "nn", "da"},
    {"hr", "bs", "sr", "sh"},
    {"id", "ms"},
    {"zh", "wuu", "yue"},
    {"fa", "prs"},
    {"la", "ext"},
)


def can_check(language: str) -> bool:
    """Whether the model knows ``language`` (a BCP 47 tag) or a near relative of it."""
    return bool(_relatives(language) & set(_identifier().labels))


def other_language(text: str, language: str, *, fewest_chars: int = FEWEST_CHARS, sure: float = _SURE) -> str:
    """The language that ``text`` is in, where it is surely not ``language`` or a near relative; else nothing.

    ``sure`` is how sure the guess must be, from 0 to 1.
    """
    if len(text) < fewest_chars or not can_check(language):
        return ""
    found, sureness = _identifier().classify(text[:_LOOKED_AT_CHARS])
    return "" if found in _relatives(language) or found == "zxx" or sureness < sure else found


def _relatives(language: str) -> set[str]:
    tag = language.split("-")[0].lower()
    return {tag}.union(*(kin for kin in _KIN if tag in kin))


@cache
def _identifier() -> Any:
    # Loading the model takes about a second: only who asks pays for it.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
