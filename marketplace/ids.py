"""Identifiers in the form that Mechanical Turk's clients expect."""

import secrets
import string

# Both alphabets are the ones of the service model's patterns, ^[A-Z0-9]+$ and ^A[A-Z0-9]+$.
ALPHABET = string.ascii_uppercase + string.digits
ENTITY_LENGTH = 30  # seen in real HIT and assignment ids, which start with a 3
PERSON_LENGTH = 14  # an A and 13 more; real worker ids are 13 to 15 long


def random_text(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def new_entity_id() -> str:
    """An id for a HIT, HIT type, group, assignment or qualification type: 30 characters, about 150 random bits.

    An assignment's id is the only thing that lets a page submit it, so it must not be guessable.
    """
    return "3" + random_text(ENTITY_LENGTH - 1)


def new_person_id() -> str:
    """An id for a worker or a requester."""
    return "A" + random_text(PERSON_LENGTH - 1)


def new_document_id() -> str:
    """An EventDocId: 40 hexadecimal digits."""
    return secrets.token_hex(20)


def new_access_key_id() -> str:
    return "AKIA" + random_text(16)


def new_secret_key() -> str:
    """40 characters of the alphabet that AWS uses for secret keys."""
    return secrets.token_urlsafe(30)
