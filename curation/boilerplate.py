"""Text that stands on every page and says nothing: notices, prompts, filler, and what repeats itself."""

import re

# Each is hardly ever written in an article; phrases of two kinds in a paragraph make it boilerplate. Our choice, in
# English and German and in small letters; the rest is caught as near-duplicates, since boilerplate recurs.
_PHRASES = {
    "rights": ("all rights reserved", "alle rechte vorbehalten", "©", "(c) 19", "(c) 20"),
    "cookies": ("use cookies", "uses cookies", "accept cookies", "accept all cookies", "cookie policy",
                "cookie settings", "verwendet cookies"),
    "terms": ("privacy policy", "terms of use", "terms of service", "terms and conditions", "datenschutzerklärung",
              "nutzungsbedingungen"),
    "account": ("sign in to", "sign up for", "log in to", "subscribe to", "subscribe now", "newsletter",
                "create an account", "jetzt anmelden"),
    "prompts": ("click here", "read more", "learn more", "follow us on", "back to top", "skip to content",
                "skip to main content", "hier klicken", "mehr erfahren", "weiterlesen"),
    "browser": ("enable javascript", "javascript is disabled", "javascript is required", "your browser"),
    "wiki": ("this page was last edited", "this page was last modified", 'retrieved from "http'),
}  # fmt: skip
_FILLER = "lorem ipsum"
_KINDS_OF_BOILERPLATE = 2
_WORDS = re.compile(r"\w+")
# Runs of four words, and the share of them that may repeat an earlier one. Ordinary prose stays below a twentieth.
_REPEATED = 0.3
_FEWEST_RUNS = 10


def boilerplate_in(text: str) -> str:
    """What makes ``text`` boilerplate, in a few words; empty where it is none."""
    folded = text.lower()
    if _FILLER in folded:
        return _FILLER
    found = [next((phrase for phrase in phrases if phrase in folded), "") for phrases in _PHRASES.values()]
    if sum(map(bool, found)) >= _KINDS_OF_BOILERPLATE:
        return ", ".join(filter(None, found))
    words = _WORDS.findall(folded)
    count = len(words) - 3
    if count >= _FEWEST_RUNS:
        repeated = 1 - len(set(zip(words, words[1:], words[2:], words[3:], strict=False))) / count
        if repeated > _REPEATED:
            return f"{repeated:.0%} of it repeats itself"
    return ""
