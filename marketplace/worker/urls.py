"""Addresses of what workers say (to requesters, on their tasks, to the operator), and of their accounts."""

from django.urls import path

from . import account, messages, opinions, payment

urlpatterns = [
    path("messages/", messages.inbox, name="messages"),
    path("messages/<id:customer_id>/", messages.thread, name="thread"),
    path("projects/<id:group_id>/report", opinions.report, name="report"),
    path("tasks/<id:assignment_id>/rate", opinions.rate, name="rate"),
    path("tasks/record.csv", account.record, name="record"),
    path("account/", account.account, name="account"),
    path("account/password/", account.change_password, name="change-password"),
    path("account/data.json", account.data, name="my-data"),
    path("account/payment/", payment.payment_details, name="payment-details"),
]
