"""Links by which somebody who forgot their password chooses a new one."""

from django.db import models

from .accounts import User


class SignInLink(models.Model):
    """A link that an operator made for one login, good once and until ``expires_at``.

    The link's token is known to those alone who have the link: its SHA-256 stands here. The token is 192 random bits,
    so a slow or salted hash would protect nothing more.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sign_in_links")
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)  # or when a later link took its place

    def __str__(self) -> str:
        return f"sign-in link {self.pk}"
