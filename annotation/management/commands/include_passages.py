"""``manage.py include_passages SLUG --why REASON [--article TITLE] [--words ...] [--dry-run]``: take them back."""

from annotation.management.choosing import ChoosingCommand
from annotation.models import PassageAct


class Command(ChoosingCommand):
    help = "Include paragraphs again that were excluded."
    kind = PassageAct.Kind.INCLUDE
