"""QualificationRequirements, checked beyond what the service model says."""

from typing import Any

from ...errors import Refused, invalid_value
from ...models import HITType, QualificationType, RequesterProfile
from ...services.qualifications import SYSTEM_NAMES

MOST = 10  # requirements of one HIT
MOST_INTEGERS, MOST_LOCALES = 15, 30  # with In and NotIn


def checked(requester: RequesterProfile, requirements: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return ``requirements`` if each makes sense and names a usable type. Raises Refused."""
    if len(requirements) > MOST:
        raise invalid_value("QualificationRequirements", f"There are {len(requirements)}; {MOST} are allowed.")
    wanted = {requirement["QualificationTypeId"] for requirement in requirements}
    rows = QualificationType.objects.standing().filter(type_id__in=wanted) if wanted else []
    types = {row.type_id: row for row in rows if row.requester_id in (None, requester.pk)}
    for index, requirement in enumerate(requirements):
        path = f"QualificationRequirements[{index}]"
        qualification_type = types.get(requirement["QualificationTypeId"])
        if qualification_type is None:
            type_id = requirement["QualificationTypeId"][:64]
            raise Refused("QualificationTypeDoesNotExist", f"QualificationType {type_id} does not exist.")
        if qualification_type.status != QualificationType.Status.ACTIVE:
            raise Refused(
                "InvalidQualificationTypeState", f"QualificationType {qualification_type.type_id} is not Active."
            )
        if "RequiredToPreview" in requirement and "ActionsGuarded" in requirement:
            raise invalid_value(path, "RequiredToPreview and ActionsGuarded exclude each other.")
        _check_values(path, requirement)
    return requirements


def check_still_usable(hit_type: HITType) -> None:
    """Raise Refused where ``hit_type`` asks for a qualification type that was deleted or is inactive by now.

    A HIT type goes with a qualification type that it asks for; HITs that it has stay as they are.
    """
    custom = {requirement["QualificationTypeId"] for requirement in hit_type.requirements} - set(SYSTEM_NAMES)
    rows = QualificationType.objects.filter(type_id__in=custom) if custom else []
    for row in rows:
        if row.deleted_at is not None:
            raise Refused("HITTypeDoesNotExist", f"HITType {hit_type.type_id} does not exist.")
        if row.status != QualificationType.Status.ACTIVE:
            raise Refused("InvalidQualificationTypeState", f"QualificationType {row.type_id} is not Active.")


def _check_values(path: str, requirement: dict[str, Any]) -> None:
    comparator = requirement["Comparator"]
    integers, places = requirement.get("IntegerValues", []), requirement.get("LocaleValues", [])
    if comparator in ("Exists", "DoesNotExist"):
        if integers or places:
            raise invalid_value(path, f"{comparator} takes no values.")
        return
    is_locale = requirement["QualificationTypeId"] == QualificationType.LOCALE
    if bool(places) != is_locale or bool(integers) == is_locale:
        raise invalid_value(path, "Worker_Locale takes LocaleValues, every other type IntegerValues; one is needed.")
    if is_locale and comparator not in ("EqualTo", "NotEqualTo", "In", "NotIn"):
        raise invalid_value(path, f"{comparator} cannot be used with Worker_Locale.")
    most = (MOST_LOCALES if is_locale else MOST_INTEGERS) if comparator in ("In", "NotIn") else 1
    values = places or integers
    if len(values) > most:
        raise invalid_value(path, f"{comparator} takes at most {most} values, not {len(values)}.")
    for place in places:
        if not (place["Country"].isascii() and place["Country"].isalpha() and place["Country"].isupper()):
            raise invalid_value(path, "Country is two capital letters (ISO 3166).")
