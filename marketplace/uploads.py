"""Files that come with a form. No form of this site has any, so that none is read into memory or kept on a disk."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


class NoFiles(FileUploadHandler):
    """Passes over the files of a form."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        raise SkipFile

    def file_complete(self, file_size: int) -> None:
        return None


def is_too_large(request: HttpRequest) -> bool:
    """Whether the whole request is larger than forms may be. (Django's own limit leaves files out: it would read one
    of any size before anybody answers.)"""
    return int(request.headers.get("Content-Length") or 0) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE


class NoFilesMiddleware:
    """Stands above whatever reads a form, the check of its token among them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.upload_handlers = [NoFiles(request)]
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, *_: Any) -> HttpResponse | None:
        says_so_itself = getattr(view, "takes_large_requests", False)
        if request.content_type == "multipart/form-data" and is_too_large(request) and not says_so_itself:
            return render(request, "marketplace/too_large.html", status=413)
        return None
