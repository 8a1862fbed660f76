"""Making a project."""

from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Membership, Project
from annotation.presets import PRESETS
from annotation.services.bulk_copy import max_chars

SLUG_CHARS = max_chars(Project, "slug")


@transaction.atomic
def create_project(
    *,
    name: str,
    preset: str = "own-crowd",
    language: str = "en",
    spending_cap_usd: Decimal = Decimal(0),
    slug: str = "",
    owner: User | None = None,
    **changes: Any,
) -> Project:
    """Create a project with the numbers of ``preset``, then ``changes`` over them; ``owner`` becomes its requester.

    Without ``slug`` a free one is made from the name. Raises ValidationError, by field where it is one field's fault.
    """
    if preset not in PRESETS:
        known = {"preset": preset, "known": ", ".join(PRESETS)}
        raise ValidationError({"preset": _("There is no preset %(preset)s; there are: %(known)s.") % known})
    project = Project(
        name=name.strip(),
        slug=slug or free_slug(name),
        language=language,
        preset=preset,
        created_by=owner,
        **PRESETS[preset] | {"spending_cap_usd": spending_cap_usd} | changes,
    )
    project.full_clean()
    project.save()
    if owner is not None:
        Membership.objects.create(project=project, user=owner, role=Membership.Role.REQUESTER)
    return project


def free_slug(name: str) -> str:
    """A short name for addresses that no project has: from ``name``, with a number where it is taken."""
    stem = slugify(name)[: SLUG_CHARS - 6].strip("-_") or "project"
    taken = set(Project.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    slug, number = stem, 2
    while slug in taken:
        slug, number = f"{stem}-{number}", number + 1
    return slug
