"""Read a dump once with what curation reads it with, in a process of its own that is weighed and timed from outside.

``python -m bench.read_dump DUMP OUT [TITLE ...]``: the articles (or those titles alone) as JSON Lines in OUT.
"""

import json
import sys
from pathlib import Path

from curation.articles import Article
from curation.wikipedia.reader import read_dump


def main(dump: str, out: str, *titles: str) -> None:
    with open(out, "w", encoding="utf-8") as file:
        for item in read_dump(Path(dump), titles=titles or None):
            if isinstance(item, Article):
                # What lost text is never offered to anybody.
                texts = [passage.text for passage in item.passages if not passage.lost]
                file.write(json.dumps({"title": item.title, "text": "\n".join(texts)}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
