"""Static files as both sites give them out."""

import pytest
from django.test import Client


@pytest.mark.parametrize("name", ["platform.svg", "annotation/work.js", "annotation/work.css", "marketplace/icon.svg"])
def test_a_static_file_can_do_nothing_by_itself_and_any_page_may_fetch_it(name):
    response = Client().get(f"/static/{name}")
    assert response.status_code == 200
    assert response["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'; sandbox"
    assert (response["X-Frame-Options"], response["X-Content-Type-Options"]) == ("DENY", "nosniff")
    assert response["Access-Control-Allow-Origin"] == "*"
