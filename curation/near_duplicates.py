"""Paragraphs that say the same in nearly the same words, found by MinHash (datasketch).

Two paragraphs are as alike as their runs of three words (characters, in scripts without blanks) are in common: the
Jaccard similarity, estimated from 128 permutations with a standard error of at most 0.045. The first in the order of
the source is kept.
"""

from __future__ import annotations

import re
from binascii import crc32
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.characters import UNSPACED_RANGES

if TYPE_CHECKING:
    from datasketch import MinHash

_PERMUTATIONS = 128
# 16 bands of 8: of pairs 0.8 alike, 95 % share a band; of those 0.5 alike, 6 %. What shares one is then compared.
_BANDS, _ROWS = 16, 8
_RUN = 3

_UNSPACED = "".join(f"{chr(first)}-{chr(last)}" for first, last in UNSPACED_RANGES)
_TOKENS = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")


@dataclass(frozen=True, slots=True)
class Twin:
    """The paragraph kept before that another is like, and how much, from 0.0 to 1.0."""

    name: str
    likeness: float


class NearDuplicates:
    """The paragraphs kept so far; about 6 KB of memory for each."""

    def __init__(self, threshold: float) -> None:
        # Loaded by whoever compares: datasketch brings SciPy's integrals, a sixth of what a site loads as it starts.
        from datasketch import MinHash, MinHashLSH

        self._threshold = threshold
        self._index = MinHashLSH(num_perm=_PERMUTATIONS, params=(_BANDS, _ROWS))
        self._kept: list[tuple[str, MinHash]] = []
        self._blank = MinHash(num_perm=_PERMUTATIONS, seed=1, hashfunc=crc32)

    def twin_or_keep(self, text: str, name: str) -> Twin | None:
        """The twin of ``text`` among those kept, the likest and of equals the first; or None, and ``text`` is kept
        under ``name``, by which a later twin of it knows it."""
        signature = self._signature(text)
        near = [
            (signature.jaccard(self._kept[place][1]), -place)
            for place in sorted(self._index.query(signature))  # the index answers in no order
        ]
        if near and (best := max(near))[0] >= self._threshold:
            return Twin(self._kept[-best[1]][0], best[0])
        self._index.insert(len(self._kept), signature, check_duplication=False)
        self._kept.append((name, signature))
        return None

    def _signature(self, text: str) -> MinHash:
        tokens = _TOKENS.findall(text.casefold())
        runs = {" ".join(tokens[at : at + _RUN]).encode() for at in range(max(1, len(tokens) - _RUN + 1))}
        signature = self._blank.copy()
        signature.update_batch(runs)
        return signature
