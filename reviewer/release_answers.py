"""Files of a release as pages and the API send them: from the disk, bit by bit."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from django.http import FileResponse, Http404, StreamingHttpResponse
from django.utils.translation import gettext as _

from accounts.models import User
from reviewer.models import KeyDownload, Release
from reviewer.services.release_places import PRIVATE, file_of, folder_of
from reviewer.services.release_zip import zip_name, zipped
from scoring.release_diff import KEY

PARQUET = "application/vnd.apache.parquet"


def public_file(release: Release, name: str) -> FileResponse:
    """The public file ``name``. Raises Http404."""
    try:
        path = file_of(release, name)
    except FileNotFoundError:
        raise Http404(_("This release has no file of this name.")) from None
    return _sent(release, path, name.replace("/", "-"))


def private_file(release: Release, user: User) -> FileResponse:
    """The held-back answers of test; that ``user`` fetched them is noted before they are sent. Raises Http404."""
    if not release.manifest["private_files"]:
        raise Http404(_("This release holds nothing back."))
    answer = _sent(release, folder_of(release) / PRIVATE / KEY, KEY)
    answer["Cache-Control"] = "no-store"
    KeyDownload.objects.create(release=release, user=user)
    return answer


def all_files(release: Release) -> StreamingHttpResponse:
    """All public files as one .zip. Raises Http404."""
    for name in release.file_names:
        if not file_of(release, name).is_file():
            raise _not_in_its_place()
    headers = {"Content-Disposition": f'attachment; filename="{zip_name(release)}"'}
    return StreamingHttpResponse(zipped(release), content_type="application/zip", headers=headers)


def _sent(release: Release, path: Path, name: str) -> FileResponse:
    try:
        file = open(path, "rb")  # noqa: SIM115 - the response closes it
    except FileNotFoundError:
        raise _not_in_its_place() from None
    kind = PARQUET if path.suffix == ".parquet" else mimetypes.guess_type(name)[0]
    saved_as = f"{release.project.slug}-{release.number}-{name}"
    return FileResponse(file, as_attachment=True, filename=saved_as, content_type=kind or "application/octet-stream")


def _not_in_its_place() -> Http404:
    return Http404(_("The files of this release are not in their place. Look at them with the check of its page."))
