"""The platform's own logins: requesters, reviewers and viewers. Crowd workers are not users here."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A person who signs in to the platform. What they may do in a project is their membership there."""
