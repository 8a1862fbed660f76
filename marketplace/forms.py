"""The forms of the workers' site."""

from django.contrib.auth.forms import AuthenticationForm
from django.utils.translation import gettext_lazy as _


class SignInForm(AuthenticationForm):
    error_messages = {
        "invalid_login": _("That user name and password do not belong together. Check both and try again."),
        "inactive": _("This account is closed."),
    }
