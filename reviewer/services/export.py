"""A project's dataset as SQuAD 1.1 files, one a split, and a report of what is in them and what was left out.

The same rows give the same bytes: articles and paragraphs stand in the order of their positions, questions in the
order of their keys, and nothing depends on time, collation or the planner. No worker is named in any file.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from annotation.models import Project
from reviewer.services.dataset import ExportReport, articles_of, begin, file_name, snapshot
from scoring.squad_writing import squad_chunks

REPORT_NAME = "export-report.json"
# Where each article is from, whose words it is and under which licence: SQuAD's format has no place for it.
ATTRIBUTION_NAME = "attribution.json"
BESIDE = (REPORT_NAME, ATTRIBUTION_NAME)
# Zip files carry times; the earliest that they can say stands in all of ours.
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)


def survey(project: Project) -> ExportReport:
    """What an export of ``project`` would hold, without writing it. Raises NotExportable."""
    with snapshot():
        report = begin(project)
        for split, split_report in report.splits.items():
            for _article in articles_of(project, split, split_report, report.sources):
                pass
    return report


def write_export(project: Project, folder: Path) -> ExportReport:
    """Write the files of ``project`` into ``folder``, made where it is missing, and return the report among them.

    Files take their names once all are whole, so that an interrupted export leaves none of them half written; a file
    of an earlier export that this one does not have is taken away. Raises NotExportable and OSError.
    """
    with snapshot(), ExitStack() as unfinished:
        report = begin(project)
        folder.mkdir(parents=True, exist_ok=True)
        written: dict[str, Path] = {}
        for split, split_report in report.splits.items():
            with _partial_file(folder, split_report.file, unfinished) as file:
                _write_split(project, split, report, file)
            written[split_report.file] = Path(file.name)
        for name, content in ((REPORT_NAME, report.json()), (ATTRIBUTION_NAME, report.attribution())):
            with _partial_file(folder, name, unfinished) as file:
                file.write(content)
            written[name] = Path(file.name)
        for name, path in written.items():
            path.chmod(0o644)
            os.replace(path, folder / name)
        for split in report.splits_without_articles:
            (folder / file_name(split)).unlink(missing_ok=True)
    return report


def open_file(project: Project, name: str) -> IO[bytes]:
    """The file ``name`` of an export of ``project``, or a .zip of all of them, open at its start.

    Raises NotExportable, and FileNotFoundError where an export has no such file.
    """
    with tempfile.TemporaryDirectory(prefix="spanwright-export-") as folder:
        report = write_export(project, Path(folder))
        if name == zip_name(project):
            return _zipped(Path(folder), [*(split.file for split in report.splits.values()), *BESIDE])
        # The open file outlives its folder.
        return open(Path(folder) / _known(report, name), "rb")


def zip_name(project: Project) -> str:
    return f"{project.slug}-squad-v1.1.zip"


def _known(report: ExportReport, name: str) -> str:
    if name not in {*BESIDE, *(split.file for split in report.splits.values())}:
        raise FileNotFoundError(name)
    return name


def _zipped(folder: Path, names: list[str]) -> IO[bytes]:
    packed = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            entry = zipfile.ZipInfo(name, _ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with open(folder / name, "rb") as source, archive.open(entry, "w", force_zip64=True) as target:
                while chunk := source.read(1 << 20):
                    target.write(chunk)
    packed.seek(0)
    return packed


@contextmanager
def _partial_file(folder: Path, name: str, unfinished: ExitStack) -> Iterator[IO[bytes]]:
    """A new file beside its later place, removed with ``unfinished`` unless it was moved there."""
    with tempfile.NamedTemporaryFile(dir=folder, prefix=f".{name}.", suffix=".partial", delete=False) as file:
        unfinished.callback(Path(file.name).unlink, missing_ok=True)
        yield file
        file.flush()
        os.fsync(file.fileno())


def _write_split(project: Project, split: str, whole: ExportReport, file: IO[bytes]) -> None:
    digest, report = hashlib.sha256(), whole.splits[split]
    for chunk in squad_chunks(articles_of(project, split, report, whole.sources)):
        file.write(chunk)
        digest.update(chunk)
        report.bytes += len(chunk)
    report.sha256 = digest.hexdigest()
