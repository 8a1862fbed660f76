"""The shapes of the API about releases. A release's salt is in none of them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.models import Article
from reviewer.models import Release, ReleaseRun
from reviewer.models.release import NOTE_CHARS
from reviewer.services.release_reading import MOST_LEAST_ANSWERS, ReleaseSpec


class ReleaseSerializer(serializers.ModelSerializer[Release]):
    project: Any = serializers.SlugRelatedField(slug_field="slug", read_only=True)
    counts = serializers.DictField(source="manifest.counts", help_text="By split.")
    previous = serializers.DictField(
        source="manifest.previous", allow_null=True, help_text="The release before, and what changed since, counted."
    )

    class Meta:
        model = Release
        fields = [
            *("id", "project", "number", "note", "holds_back_test", "workers", "released_at", "content_sha256"),
            *("counts", "previous"),
        ]


class ReleaseDetailSerializer(ReleaseSerializer):
    """A release with its manifest, whose ``files`` can be fetched one by one."""

    manifest = serializers.DictField()

    class Meta(ReleaseSerializer.Meta):
        fields = [*ReleaseSerializer.Meta.fields, "manifest"]


class ReleaseRunSerializer(serializers.ModelSerializer[ReleaseRun]):
    """The making of a release. ``files_in_all`` is null while the dataset is being read; ``release`` is the number of
    what was made or, where ``is_new`` is false, of the latest one, since which nothing changed."""

    project: Any = serializers.SlugRelatedField(slug_field="slug", read_only=True)
    release: Any = serializers.SlugRelatedField(slug_field="number", read_only=True)

    class Meta:
        model = ReleaseRun
        fields = [
            *("id", "project", "status", "attempt", "files_written", "files_in_all", "release", "is_new", "problem"),
            *("asked_at", "ended_at"),
        ]


class MakeReleaseSerializer(serializers.Serializer[Any]):
    """What is asked for; all but the project may be left out."""

    project = serializers.SlugField(max_length=50)
    note = serializers.CharField(max_length=NOTE_CHARS, default="", allow_blank=True)
    splits = serializers.MultipleChoiceField(
        choices=Article.Split.choices, default=set(Article.Split.values), allow_empty=False
    )
    least_answers = serializers.IntegerField(
        min_value=1,
        max_value=MOST_LEAST_ANSWERS,
        default=1,
        help_text="Questions of dev and test with fewer are left out and named.",
    )
    with_impossible = serializers.BooleanField(default=True, help_text="Questions that cannot be answered too.")
    workers = serializers.ChoiceField(choices=Release.Workers.choices, default=Release.Workers.LEFT_OUT)
    hold_back_test = serializers.BooleanField(default=False)

    def spec(self) -> ReleaseSpec:
        """What is asked for, once it is valid."""
        asked = self.validated_data
        return ReleaseSpec(
            note=asked["note"],
            holds_back_test=asked["hold_back_test"],
            workers=asked["workers"],
            splits=tuple(split for split in Article.Split.values if split in asked["splits"]),
            least_answers=asked["least_answers"],
            with_impossible=asked["with_impossible"],
        )


class ReleaseFilter(serializers.Serializer[Any]):
    project = serializers.SlugField(required=False, help_text="A project's short name.")
    number = serializers.IntegerField(min_value=1, max_value=2**31 - 1, required=False)


class SinceSerializer(serializers.Serializer[Any]):
    since = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        required=False,
        help_text="The number of the release to compare with; the one before without it.",
    )


class ChangesSerializer(serializers.Serializer[Any]):
    """Ids of questions; of changed ones which fields."""

    since = serializers.IntegerField()
    number = serializers.IntegerField()
    added = serializers.ListField(child=serializers.CharField())
    removed = serializers.ListField(child=serializers.CharField())
    changed = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))


class VerificationSerializer(serializers.Serializer[Any]):
    """Whether the kept files are as they were released, and what is not."""

    is_whole = serializers.BooleanField()
    faults = serializers.ListField(child=serializers.CharField())
    at = serializers.DateTimeField(help_text="When the files were looked through.")
    is_current = serializers.BooleanField(help_text="Whether that is the latest; else they are being checked again.")
