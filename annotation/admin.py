"""Projects and their rows in the admin: pages of a project, texts that may be mended, and the rest to look at."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.admin import ModelAdmin, TabularInline
from unfold.views import ChangeList

from accounts import looking
from accounts.looking import Look
from annotation import choice_pages, curation_pages, guide_pages, passage_pages, project_pages, split_pages
from annotation.forms import ArticleForm, MemberForm, MembersFormSet, ParagraphForm, ProjectForm
from annotation.models import (
    Answer,
    Article,
    Assignment,
    Import,
    Membership,
    Paragraph,
    Project,
    Question,
    Verdict,
    Worker,
)
from annotation.permissions import REQUESTERS, ProjectScopedAdmin, has_role, signed_in
from annotation.services.choosing import NotChosen, is_in_work, repair_text
from annotation.services.import_reports import dropped, fault_line
from annotation.visitor_language import in_visitors_language


class OwnProjects(admin.RelatedFieldListFilter):
    """A filter by project that offers only the projects the user may see."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[Any]:
        user = signed_in(request)
        projects = Project.objects.visible_to(user) if user else Project.objects.none()
        return [(str(project.pk), project.name) for project in projects.order_by("name", "pk")]


class ProjectList(ChangeList):
    """A list of projects that leads to their pages."""

    def url_for_result(self, result: Project) -> str:
        return project_pages.home_url(result)


class MembershipInline(TabularInline):
    model = Membership
    form = MemberForm
    formset = MembersFormSet
    extra = 0
    verbose_name_plural = gettext_lazy("Members")

    def _may_manage(self, request: HttpRequest, project: Project | None) -> bool:
        user = signed_in(request)
        return user is not None and project is not None and has_role(user, project, *REQUESTERS)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return signed_in(request) is not None

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may_manage(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may_manage(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may_manage(request, obj)


@admin.register(Project)
class ProjectAdmin(ProjectScopedAdmin, ModelAdmin):
    project_path = "pk"
    change_roles = REQUESTERS
    form = ProjectForm
    inlines = [MembershipInline]
    list_display = ["name", "language", "preset", "article_count", "kind", "created_at"]
    search_fields = ["name", "slug"]
    ordering = ["-pk"]
    readonly_fields = ["preset", "origin", "creator", "created_at"]
    fieldsets = [
        (None, {"fields": ["name", ("slug", "language"), ("preset", "origin"), ("creator", "created_at")]}),
        (
            gettext_lazy("Passages"),
            {"fields": ["min_paragraph_chars", ("train_percent", "dev_percent", "test_percent"), "split_seed"]},
        ),
        (
            gettext_lazy("Work"),
            {
                "fields": [
                    "copy_lock",
                    "stopping_advice",
                    ("min_questions", "max_questions"),
                    ("writers_per_paragraph", "paragraphs_per_task"),
                    ("extra_answers", "questions_per_answer_task"),
                ]
            },
        ),
        (
            gettext_lazy("Time and pay"),
            {
                "fields": [
                    ("hourly_rate_usd", "spending_cap_usd"),
                    ("seconds_per_paragraph", "seconds_per_answer"),
                    "seconds_per_quiz",
                    "time_allowance",
                    ("lifetime_days", "auto_approval_days"),
                ]
            },
        ),
        (
            gettext_lazy("Who may work"),
            {
                "fields": [
                    ("min_percent_approved", "min_hits_approved"),
                    "countries",
                    ("most_tasks_a_worker", "quiz_required"),
                    "tasks_before_look",
                ]
            },
        ),
    ]

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("<int:pk>/home/", wrap(self.home_view), name="annotation_project_home"),
            path("<int:pk>/import/", wrap(in_visitors_language(self.import_view)), name="annotation_project_import"),
            *guide_pages.urls(self.admin_site),
            *passage_pages.urls(self.admin_site),
            *choice_pages.urls(self.admin_site),
            *curation_pages.urls(self.admin_site),
            *split_pages.urls(self.admin_site),
            *super().get_urls(),
        ]

    def home_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        return project_pages.home(request, self.admin_site, pk)

    def import_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        return project_pages.take_in(request, self.admin_site, pk)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        return project_pages.new(request, self.admin_site)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Anybody who may sign in here may begin a project, and is its requester."""
        return signed_in(request) is not None

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        return super().render_change_form(request, {**context, "show_save_and_add_another": False}, **kwargs)

    def response_post_save_change(self, request: HttpRequest, obj: Project) -> HttpResponseRedirect:
        return HttpResponseRedirect(project_pages.home_url(obj))

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return ProjectList

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return super().get_queryset(request).annotate(articles_held=Count("articles"))

    # As text: the page of a user is for superusers, and a foreign key would link there.
    @admin.display(description=gettext_lazy("created by"))
    def creator(self, project: Project) -> str:
        return str(project.created_by or "")

    @admin.display(description=gettext_lazy("articles"), ordering="articles_held")
    def article_count(self, project: Any) -> int:
        return int(project.articles_held)

    @admin.display(description=gettext_lazy("kind"), ordering="is_rehearsal")
    def kind(self, project: Project) -> str:
        return _("rehearsal") if project.is_rehearsal else _("project")


@admin.register(Article)
class ArticleAdmin(ProjectScopedAdmin, ModelAdmin):
    change_roles = REQUESTERS
    form = ArticleForm
    list_display = ["name", "project", "split", "paragraph_count", "licence"]
    list_filter = [("project", OwnProjects), "split"]
    list_select_related = ["project"]
    search_fields = ["title"]
    ordering = ["-project", "position"]
    fields = ["project", "title", ("split", "position"), "source_url", "licence"]
    # The split is drawn, and drawn once.
    readonly_fields = ["project", "split", "position"]

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return super().get_queryset(request).annotate(paragraphs_held=Count("paragraphs"))

    @admin.display(description=gettext_lazy("title"), ordering="title")
    def name(self, article: Article) -> str:
        return str(article) or _("(no title)")

    @admin.display(description=gettext_lazy("paragraphs"), ordering="paragraphs_held")
    def paragraph_count(self, article: Any) -> int:
        return int(article.paragraphs_held)


@admin.register(Paragraph)
class ParagraphAdmin(ProjectScopedAdmin, ModelAdmin):
    change_roles = REQUESTERS
    form = ParagraphForm
    list_display = ["__str__", "project", "beginning", "characters"]
    list_filter = [("project", OwnProjects), "article__split"]
    list_select_related = ["project", "article"]
    search_fields = ["text", "article__title"]
    ordering = ["-project", "article__position", "position"]
    fields = ["project", "article", "position", "note", "text", "why"]
    readonly_fields = ["project", "article", "position", "note"]

    def get_readonly_fields(self, request: HttpRequest, obj: Paragraph | None = None) -> list[str]:
        return [*self.readonly_fields, *(["text"] if obj is not None and self._is_in_work(obj) else [])]

    def get_fields(self, request: HttpRequest, obj: Paragraph | None = None) -> list[str]:
        may_mend = self.has_change_permission(request, obj) and not (obj is not None and self._is_in_work(obj))
        return [name for name in self.fields if name != "why" or may_mend]

    @staticmethod
    def _is_in_work(paragraph: Paragraph) -> bool:
        """What decides is asked again, and under a lock, when the text is mended; the form asks it once."""
        if "_is_in_work" not in paragraph.__dict__:
            paragraph.__dict__["_is_in_work"] = is_in_work(paragraph)
        return bool(paragraph.__dict__["_is_in_work"])

    def save_model(self, request: HttpRequest, obj: Paragraph, form: Any, change: bool) -> None:
        repair_text(obj, obj.text, form.cleaned_data.get("why", ""), signed_in(request))

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return super().changeform_view(request, *args, **kwargs)
        except NotChosen as refusal:
            messages.error(request, str(refusal))
            return HttpResponseRedirect(request.path)

    @admin.display(description=gettext_lazy("text"))
    def beginning(self, paragraph: Paragraph) -> str:
        return paragraph.text[:90] + ("…" if len(paragraph.text) > 90 else "")

    @admin.display(description=gettext_lazy("characters"))
    def characters(self, paragraph: Paragraph) -> str:
        return f"{len(paragraph.text):,}"

    @admin.display(description=gettext_lazy("may the text change?"))
    def note(self, paragraph: Paragraph) -> str:
        if self._is_in_work(paragraph):
            return _("No: it is in a task or has questions, and their answers count its characters.")
        return _("Yes, until it is put into a task or the first question is written on it.")


class ToLookAt(ProjectScopedAdmin, ModelAdmin):
    """Rows that services write and nobody edits."""

    ordering = ["-pk"]


@admin.register(Import)
class ImportAdmin(ToLookAt):
    list_display = ["file_name", "project", "taken", "left_out", "imported_by", "imported_at"]
    list_filter = [("project", OwnProjects)]
    list_select_related = ["project", "imported_by"]
    change_form_template = "admin/annotation/import_report.html"
    fields = ["file_name"]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        record = self.get_object(request, object_id)
        report = record.report if record is not None else {}
        tallies = [
            {"title": title, "tally": report[key], "dropped": dropped(report[key])}
            for key, title in (("paragraphs", _("Paragraphs")), ("questions", _("Questions")))
            if key in report
        ]
        faults = [fault_line(fault) for fault in report.get("faults", [])]
        context = {"record": record, "report": report, "tallies": tallies, "faults": faults}
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **context})

    @admin.display(description=gettext_lazy("paragraphs taken"))
    def taken(self, record: Import) -> str:
        return f"{record.report.get('paragraphs', {}).get('added', 0):,}"

    @admin.display(description=gettext_lazy("left out"))
    def left_out(self, record: Import) -> str:
        return f"{sum(row.count for row in dropped(record.report.get('paragraphs', {'dropped': {}}))):,}"


@admin.register(Question)
class QuestionAdmin(ToLookAt):
    list_display = ["text", "paragraph", "project", "public_id"]
    list_filter = [("project", OwnProjects), "paragraph__article__split"]
    list_select_related = ["project", "paragraph__article"]
    search_fields = ["text", "public_id"]
    fields = ["text", "public_id", "project", "paragraph", "position", ("assignment", "imported_from"), "created_at"]


@admin.register(Answer)
class AnswerAdmin(ToLookAt):
    project_path = "question__project"
    list_display = ["__str__", "question", "position", "is_gold", "is_mid_word"]
    list_filter = [("question__project", OwnProjects), "is_mid_word", "is_gold"]
    list_select_related = ["question"]
    search_fields = ["text", "question__public_id"]
    fields = [
        "question",
        "text",
        ("start", "end", "position"),
        ("is_gold", "is_mid_word"),
        ("assignment", "imported_from", "adjudicator"),
        "created_at",
    ]
    readonly_fields = ["adjudicator"]

    @admin.display(description=gettext_lazy("adjudicated by"))
    def adjudicator(self, answer: Answer) -> str:
        return str(answer.adjudicated_by or "")


@admin.register(Verdict)
class VerdictAdmin(ToLookAt):
    list_display = ["__str__", "decision", "reason", "reviewer", "decided_at"]
    list_filter = ["decision"]
    list_select_related = ["question", "answer", "decided_by"]
    fields = ["question", "answer", "decision", "reason", "reviewer", "decided_at"]
    readonly_fields = ["reviewer"]

    @admin.display(description=gettext_lazy("decided by"))
    def reviewer(self, verdict: Verdict) -> str:
        return str(verdict.decided_by)

    def in_projects(self, rows: QuerySet, projects: QuerySet[Project]) -> QuerySet:
        return rows.filter(Q(question__project__in=projects) | Q(answer__question__project__in=projects))


class IdsForSuperusers:
    """Mixin of an admin whose rows hold an id of the endpoint's that only superusers need: it says who a worker is, or
    lets one act as a worker. Others do not see it."""

    endpoint_ids: tuple[str, ...] = ()
    look: Look

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        fields = list(super().get_fields(request, obj))  # type: ignore[misc]
        user = signed_in(request)
        return [*fields, *self.endpoint_ids] if user is not None and user.is_superuser else fields

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        """The page of one row; that a superuser has seen its id is noted."""
        user, row = signed_in(request), kwargs.get("obj")
        if row is not None and user is not None and user.is_superuser:
            looking.note(user, row if isinstance(row, Worker) else row.worker, self.look)
        return super().render_change_form(request, context, **kwargs)  # type: ignore[misc]


@admin.register(Assignment)
class AssignmentAdmin(IdsForSuperusers, ToLookAt):
    project_path = "task__project"
    endpoint_ids = ("mturk_assignment_id",)
    look = Look.ASSIGNMENT_ID
    list_display = ["__str__", "task", "worker", "status", "submitted_at", "decided_at"]
    list_filter = [("task__project", OwnProjects), "status"]
    list_select_related = ["task", "worker"]
    fields = [
        ("task", "worker", "status"),
        ("opened_at", "finished_at"),
        ("submitted_at", "decided_at"),
        "repeat_of",
    ]


@admin.register(Worker)
class WorkerAdmin(IdsForSuperusers, ToLookAt):
    project_path = "assignments__task__project"
    endpoint_ids = ("mturk_worker_id",)
    look = Look.WORKER_ID
    list_display = ["__str__", "endpoint", "first_seen_at", "erased_at"]
    list_filter = ["endpoint"]
    fields = ["endpoint", ("first_seen_at", "erased_at")]
