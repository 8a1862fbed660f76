"""The review in German, to browsers that ask for it."""

import pytest
from django.urls import reverse

from reviewer.services import looks
from tests.reviewer.factories import make_written
from tests.reviewer.test_review_pages import page, shown, sign_in

__all__ = ["sign_in"]

pytestmark = pytest.mark.django_db

# Words that each of these pages would have in English.
ENGLISH = (" the ", " and ", " of ", " reviewer", " question ", " is ", "Nothing", "Waiting")


def test_every_page_of_the_review_speaks_german(sign_in, project, people):
    assignment = make_written(project)
    look = looks.ask(assignment, people["reviewer"])
    client = sign_in("requester")
    addresses = {
        page(project, assignment): "Was dafür und dagegen spricht",
        reverse("dashboard", args=[project.slug]): "Von Absätzen zu veröffentlichten Fragen",
        reverse("review_queue", args=[project.slug]): "Abgeschickte Arbeit",
        reverse("review_many", args=[project.slug]) + "?all=1&decision=reject": "1 Arbeit ablehnen?",
        reverse("review_rules", args=[project.slug]): "Zeichen und Regeln",
        reverse("gold_questions", args=[project.slug]): "Goldfrage hinzufügen",
        reverse("second_looks", args=[project.slug]): "Sind sich die Prüfenden einig?",
        reverse("second_look", args=[project.slug, look.pk]): "Meinen zweiten Blick notieren",
    }
    for address, words in addresses.items():
        content = client.get(address, headers={"accept-language": "de"}).content.decode()
        assert words in content, address
        assert 'lang="de"' in content
        assert words not in client.get(address, headers={"accept-language": "en"}).content.decode()
    main = shown(client.get(reverse("review_rules", args=[project.slug]), headers={"accept-language": "de"}))
    assert [word for word in ENGLISH if word in main.split("Zeichen und Regeln", 1)[1]] == []
