"""What ids look like in the marketplace's addresses."""

from django.urls import register_converter
from django.urls.converters import StringConverter


class IdConverter(StringConverter):
    """An id of the API's as it stands in an address; see ``ids``, and MTurk's own are no longer than this."""

    regex = "[A-Z0-9]{1,64}"


register_converter(IdConverter, "id")
