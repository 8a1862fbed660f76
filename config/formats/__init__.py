"""How dates are written where a page names no format, as in the admin's lists: year first, and the zone in words."""

DATE_FORMAT = SHORT_DATE_FORMAT = "Y-m-d"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "Y-m-d H:i T"
