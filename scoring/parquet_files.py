"""Questions as a Parquet file, in the columns of ``scoring.question_rows``: types stand in the file, so that a test
without answers has the columns of the other splits.

The same rows give the same bytes with the same release of pyarrow, which is pinned and names itself in the file.
"""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import pyarrow
from pyarrow import parquet

from scoring.datasets import Article
from scoring.question_rows import rows

# Questions of one row group: what is held in memory at once.
ROWS_AT_ONCE = 2_000
_TEXT = pyarrow.string()
COLUMNS = (
    ("id", _TEXT),
    ("title", _TEXT),
    ("context", _TEXT),
    ("question", _TEXT),
    ("answers", pyarrow.struct([("text", pyarrow.list_(_TEXT)), ("answer_start", pyarrow.list_(pyarrow.int32()))])),
    ("is_impossible", pyarrow.bool_()),
)
WORKER_COLUMNS = (("written_by", _TEXT), ("answered_by", pyarrow.list_(_TEXT)))


def write_parquet(
    path: Path, articles: Iterable[Article], *, without_answers: bool = False, with_workers: bool = False
) -> None:
    """Write a row for each question of ``articles`` to ``path``. Raises OSError."""
    schema = pyarrow.schema(COLUMNS + (WORKER_COLUMNS if with_workers else ()))
    found = rows(articles, without_answers=without_answers, with_workers=with_workers)
    with parquet.ParquetWriter(path, schema, compression="snappy") as writer:
        while several := list(islice(found, ROWS_AT_ONCE)):
            writer.write_batch(pyarrow.RecordBatch.from_pylist(several, schema))
