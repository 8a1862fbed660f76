"""How a worker wants to be paid."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from .. import clock
from ..auth import worker_view
from ..models import PaymentDetails, WorkerProfile


class PaymentForm(forms.ModelForm):
    class Meta:
        model = PaymentDetails
        fields = ("payee_name", "note")
        widgets = {
            "payee_name": forms.TextInput(attrs={"autocomplete": "name"}),
            "note": forms.Textarea(attrs={"rows": 4}),
        }


@require_http_methods(["GET", "HEAD", "POST"])
@worker_view
def payment_details(request: HttpRequest, worker: WorkerProfile) -> HttpResponse:
    """The name and words that the operator's file to pay from will hold for this worker."""
    kept = PaymentDetails.objects.filter(worker=worker).first()
    form = PaymentForm(request.POST if request.method == "POST" else None, instance=kept)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data | {"changed_at": clock.now()}
        PaymentDetails.objects.update_or_create(worker=worker, defaults=values)
        messages.success(request, _("Kept. The next payment goes by it."))
        return HttpResponseRedirect(reverse("earnings"))
    status = 400 if form.errors else 200
    return render(request, "marketplace/payment_details.html", {"section": "earnings", "form": form}, status=status)
