"""What a worker is called outside the platform."""

from django.utils.crypto import salted_hmac


def worker_key(project_id: int, worker_id: int) -> str:
    """A key of the worker in one project: always the same there, and not to be linked with that of another project.

    From our own row's key and the installation's secret alone; nothing of the endpoint's id is in it.
    """
    return "w" + salted_hmac("hits.worker_key", f"{project_id}:{worker_id}", algorithm="sha256").hexdigest()[:16]
