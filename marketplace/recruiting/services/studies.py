"""Panels and their studies: make, open, close."""

from datetime import datetime
from typing import Any

from django.db import transaction

from ...models import HITType, OperatorAction, User
from ...services import operating
from ..models import Panel, PanelStudy, StudyHITType


@transaction.atomic
def make_panel(panel: Panel, by: User, now: datetime) -> None:
    panel.created_at = now
    panel.save()
    operating.record(by, OperatorAction.Action.RECRUIT, now, detail=f"made panel {panel.key}")


@transaction.atomic
def make_study(panel: Panel, hit_types: list[HITType], by: User, now: datetime, **values: Any) -> PanelStudy:
    study = PanelStudy.objects.create(panel=panel, created_at=now, **values)
    StudyHITType.objects.bulk_create(StudyHITType(study=study, hit_type=hit_type) for hit_type in hit_types)
    operating.record(by, OperatorAction.Action.RECRUIT, now, detail=f"made study {study.key} of panel {panel.key}")
    return study


@transaction.atomic
def set_open(study: PanelStudy, is_open: bool, by: User, now: datetime) -> None:
    """Take participants, or take no new ones; those at work finish."""
    if PanelStudy.objects.filter(pk=study.pk).exclude(is_open=is_open).update(is_open=is_open):
        verb = "opened" if is_open else "closed"
        operating.record(by, OperatorAction.Action.RECRUIT, now, detail=f"{verb} study {study.key}")
