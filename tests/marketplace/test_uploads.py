"""No form of the site takes a file: none is read into memory or kept on a disk."""

import tempfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from .question_forms import form, text
from .test_question_form import answer_address, given_back


def scan(size: int) -> SimpleUploadedFile:
    return SimpleUploadedFile("scan.png", b"x" * size)


def test_a_file_beside_an_answer_is_passed_over(requester, worker, tmp_path, monkeypatch, settings):
    monkeypatch.setattr(settings, "FILE_UPLOAD_TEMP_DIR", str(tmp_path))
    monkeypatch.setattr(settings, "FILE_UPLOAD_MAX_MEMORY_SIZE", 10)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    hit = requester.hit(Question=form(text("q")))
    address = worker.accept(hit)
    made = []
    monkeypatch.setattr(tempfile, "NamedTemporaryFile", lambda *args, **kwargs: made.append(args))
    response = worker.client.post(answer_address(address), {"q1": "the Ilve", "scan": scan(100_000)})
    assert response.status_code == 302
    assert list(given_back(requester, hit).values()) == [[("FreeText", "the Ilve")]]
    assert not response.wsgi_request.FILES
    assert (list(tmp_path.iterdir()), made) == ([], [])


@pytest.mark.parametrize("path", ["/signin/", "/qualifications/3ABC/test", "/operator/recruiting/terms/"])
def test_a_form_too_large_for_its_files_is_refused_before_it_is_read(path):
    browser = Client(enforce_csrf_checks=True)
    response = browser.post(path, {"username": "ada", "scan": scan(1_600_000)})
    assert (response.status_code, "No page of this marketplace takes files" in response.content.decode()) == (413, True)
    assert not response.wsgi_request._read_started
    assert browser.post(path, {"username": "ada", "scan": scan(100)}).status_code == 403
