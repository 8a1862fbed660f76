"""``{% bundle "work.js" %}``: the address of a file of annotation.bundles."""

from django import template
from django.urls import reverse

from annotation.bundles import bundle

register = template.Library()


@register.simple_tag(name="bundle")
def bundle_address(name: str) -> str:
    """The address of the bundle ``name`` as it is today."""
    return reverse("annotation:code", args=[bundle(name).digest, name])
