"""Who uses the marketplace: logins, and what they are to it."""

from decimal import Decimal
from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models import Func, Q
from django.db.models.functions import Upper
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .. import ids


class NFKC(Func):
    """A text in Unicode's compatibility form, as ``User.normalize_username`` gives it."""

    template = "NORMALIZE(%(expressions)s, NFKC)"
    output_field = models.CharField()


class UserManager(BaseUserManager["User"]):
    def create_user(self, username: str, password: str | None = None, email: str = "") -> "User":
        """Make a login; without a password nobody can sign in with it until one is set.

        The name is kept as it reads at the sign-in: in Unicode's NFKC, in which full-width letters are plain ones.
        """
        user = User(username=User.normalize_username(username), email=self.normalize_email(email))
        user.set_password(password)
        user.save(using=self._db)
        return user

    def called(self, username: str) -> "models.QuerySet[User]":
        """Who signs in as ``username``: phones capitalise the first letter of what people type."""
        return self.filter(username__iexact=User.normalize_username(username))

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.called(username or "").get()


class User(AbstractBaseUser):
    """A login of the marketplace. E-mail and password are optional: some people come in by other doors."""

    username = models.CharField(_("user name"), max_length=150, unique=True)
    email = models.EmailField(_("e-mail"), blank=True)
    is_active = models.BooleanField(_("may sign in"), default=True)
    is_operator = models.BooleanField(_("runs the marketplace"), default=False)
    joined_at = models.DateTimeField(default=timezone.now)

    # How many messages wait for the worker or requester of this login; only known for who is signed in (see ``auth``).
    unread_as_worker = 0
    unread_as_requester = 0

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [
            models.UniqueConstraint(Upper("username"), name="username_unique_in_any_case"),
            models.CheckConstraint(name="username_not_empty", condition=~Q(username="")),
            # So that the two that are unique are unique as they are typed.
            models.CheckConstraint(name="username_is_nfkc", condition=Q(username=NFKC("username"))),
        ]

    def __str__(self) -> str:
        return self.username


class RequesterProfile(models.Model):
    """Who publishes HITs, with the money put in beforehand.

    ``available_usd`` can be spent; ``held_usd`` is reserved for places that may still be paid. A requester who
    ``pays_nobody`` works as in Mechanical Turk's sandbox: nothing is charged and the balance is always 10000.00.
    """

    user = models.OneToOneField(User, on_delete=models.PROTECT, related_name="requester")
    customer_id = models.CharField(max_length=64, unique=True, default=ids.new_person_id)
    name = models.CharField(max_length=150)
    pays_nobody = models.BooleanField(default=False)
    available_usd = models.DecimalField(max_digits=18, decimal_places=2, default=Decimal("0.00"))
    held_usd = models.DecimalField(max_digits=18, decimal_places=2, default=Decimal("0.00"))
    created_at = models.DateTimeField(default=timezone.now)
    # Calls a second; null is what the settings say, 0 as many as it likes.
    requests_per_second = models.FloatField(null=True, blank=True)
    # Whether a fault may be ordered for it: kept here, as the row comes with every call's access key.
    meets_faults = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.CheckConstraint(name="never_overdrawn", condition=Q(available_usd__gte=0, held_usd__gte=0)),
            models.CheckConstraint(name="rate_not_negative", condition=Q(requests_per_second__gte=0)),
        ]

    def __str__(self) -> str:
        return self.name


class AccessKey(models.Model):
    """A key pair with which a requester's programs sign.

    The secret is kept as it is, not hashed: Signature Version 4 is an HMAC, and checking one takes the secret itself.
    """

    requester = models.ForeignKey(RequesterProfile, on_delete=models.CASCADE, related_name="access_keys")
    access_key_id = models.CharField(max_length=128, unique=True, default=ids.new_access_key_id)
    secret_key = models.CharField(max_length=128, default=ids.new_secret_key)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.access_key_id


class WorkerProfile(models.Model):
    """Who accepts HITs. Requesters know a worker by ``worker_id`` alone."""

    user = models.OneToOneField(User, on_delete=models.PROTECT, related_name="worker")
    worker_id = models.CharField(max_length=64, unique=True, default=ids.new_person_id)
    created_at = models.DateTimeField(default=timezone.now)
    erased_at = models.DateTimeField(null=True, blank=True)  # when the person's data was replaced

    def __str__(self) -> str:
        return self.worker_id
