"""A fresh requester account on the run's marketplace, its workers, its clock and its faults: all over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3
import requests

from players.site import Held, WorkerSite


class Crowd:
    """One requester account. ``mturk`` is a boto3 client of its own, for looking behind the platform's back."""

    def __init__(self, url: str, **account: Any) -> None:
        self.url = url
        made = self.hook("requester", **account)
        self.access_key, self.secret_key = made["access_key"], made["secret_key"]
        self.mturk = boto3.client(
            "mturk",
            endpoint_url=url,
            region_name="us-east-1",
            aws_access_key_id=self.access_key,
            aws_secret_access_key=self.secret_key,
        )

    def hook(self, name: str, **body: Any) -> dict[str, Any]:
        """Call a test hook of the marketplace."""
        answer = requests.post(f"{self.url}/_test/{name}", json=body, timeout=30)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def become_endpoint(self, settings: Any, **changes: Any) -> None:
        """Make this account the platform's endpoint ``marketplace``, and its only one."""
        from hits import endpoints, mturk

        settings.CROWD_ENDPOINTS = {
            "marketplace": {
                "label": "Test marketplace",
                "url": self.url,
                "worker_origins": (self.url,),
                "pays_people": False,
                "allow_http": True,
                "access_key": self.access_key,
                "secret_key": self.secret_key,
                **changes,
            }
        }
        endpoints.all_endpoints.cache_clear()
        mturk.client.cache_clear()

    def reset(self) -> None:
        from hits import endpoints, mturk

        endpoints.all_endpoints.cache_clear()
        mturk.client.cache_clear()

    def worker(self, **values: Any) -> tuple[WorkerSite, str]:
        """A new worker, signed in, and their id at the endpoint."""
        made = self.hook("worker", **values)
        site = WorkerSite(self.url)
        site.sign_in(made["username"], made["password"])
        return site, made["worker_id"]

    def accept(self, site: WorkerSite) -> Held | None:
        """The next HIT of this account for that worker; None where none is open to them."""
        types = {hit["HITTypeId"] for hit in self.hits()}
        for group in site.groups():
            if group.hit_type_id in types and group.may_accept:
                return site.accept(group.group_id)
        return None

    def hits(self) -> list[dict[str, Any]]:
        """Every HIT of the account, over the wire."""
        pages = self.mturk.get_paginator("list_hits").paginate(PaginationConfig={"PageSize": 100})
        return [hit for page in pages for hit in page["HITs"]]

    def assignments(self) -> list[dict[str, Any]]:
        """Every listed assignment of the account, over the wire."""
        paginator = self.mturk.get_paginator("list_assignments_for_hit")
        return [
            assignment
            for hit in self.hits()
            for page in paginator.paginate(HITId=hit["HITId"])
            for assignment in page["Assignments"]
        ]

    def faults(self, *orders: dict[str, Any]) -> None:
        """Order faults for this account's next calls, as ``{"operation", "fault", "seconds", "times"}`` each."""
        self.hook("faults", access_key=self.access_key, next=list(orders))

    @contextmanager
    def later(self, seconds: int) -> Iterator[None]:
        """The marketplace's clock moved on for a while. Every account of the run sees it: keep it short."""
        self.hook("clock", advance_seconds=seconds)
        try:
            yield
        finally:
            self.hook("clock", advance_seconds=-seconds)
