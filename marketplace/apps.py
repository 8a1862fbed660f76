"""The marketplace's application."""

from django.apps import AppConfig


class MarketplaceConfig(AppConfig):
    name = "marketplace"

    def ready(self) -> None:
        # Loads botocore's description of the API, so that a boto3 without it stops the start and not the first call.
        from .services import operating, payouts, reports
        from .wire import shapes

        shapes.service_model()
        operating.AGENDA.extend([reports.agenda, payouts.agenda])
