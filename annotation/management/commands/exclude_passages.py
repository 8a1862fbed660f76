"""``manage.py exclude_passages SLUG --why REASON [--article TITLE] [--words ...] [--dry-run]``: no task holds them."""

from annotation.management.choosing import ChoosingCommand
from annotation.models import PassageAct


class Command(ChoosingCommand):
    help = "Exclude paragraphs from all later tasks; what is published goes on."
    kind = PassageAct.Kind.EXCLUDE
