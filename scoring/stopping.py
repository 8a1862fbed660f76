"""Asking one person after the other until most agree, worked out from questions that have their answers already."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# After so many answers agreement is looked for the first time.
FIRST = 2


@dataclass(frozen=True, slots=True)
class Stopping:
    """How often most answers of a question become the same with its k-th answer, where they were not before: ``rates``
    by k, each from ``seen`` questions that got so far. ``as_in_the_end`` of those that stopped early had, with the
    answers they still got, the same answer in the end; ``stopped_early`` is how many there were."""

    rates: dict[int, float]
    seen: dict[int, int]
    stopped_early: int
    as_in_the_end: int
    settled_at_three: float | None  # of questions with three answers or more: most of the first three are the same

    def path(self, have: int, most: int) -> tuple[float, float] | None:
        """What a question with ``have`` answers, of which most are not the same, costs in further answers until they
        are or it has ``most``, and how likely they become so; None where no question tells."""
        answers, open_still = 0.0, 1.0
        for number in range(max(have, FIRST - 1) + 1, most + 1):
            if number not in self.rates:
                return None
            answers += open_still
            open_still *= 1 - self.rates[number]
        return answers + max(0, FIRST - 1 - have), 1 - open_still


def stopping(stops: Iterable[Sequence[int]]) -> Stopping:
    """``stops`` are rows of: answers of a question, after how many of them most were first the same (0: never), whether
    that was so in the end too, and how many questions it was so for."""
    rows = [tuple(row) for row in stops]
    longest = max((answers for answers, *_rest in rows), default=0)
    rates, seen = {}, {}
    for number in range(FIRST, longest + 1):
        there = [row for row in rows if row[0] >= number and (row[1] == 0 or row[1] >= number)]
        seen[number] = sum(count for *_rest, count in there)
        if seen[number]:
            rates[number] = sum(count for _a, stop, _s, count in there if stop == number) / seen[number]
    early = [row for row in rows if 0 < row[1] < row[0]]
    three = [row for row in rows if row[0] >= 3]
    settled = sum(count for _a, stop, _s, count in three if 0 < stop <= 3)
    return Stopping(
        rates,
        {number: count for number, count in seen.items() if count},
        stopped_early=sum(count for *_rest, count in early),
        as_in_the_end=sum(count for _a, _stop, same, count in early if same),
        settled_at_three=settled / sum(count for *_rest, count in three) if three else None,
    )
