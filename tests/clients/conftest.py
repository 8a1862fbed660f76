"""A marketplace that also tells of events, for programs that nobody here wrote."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

import boto3
import pytest

from supervisor.servers import Postgres
from supervisor.sites import Marketplace
from tests import aws
from tests.crowd import Crowd

from .programs import Capo, CommandLine, JavaScript, Program


@dataclass(frozen=True)
class Place:
    """The marketplace's address, and a queue that it can reach."""

    url: str
    queue_url: str


@pytest.fixture(scope="session")
def place(postgres: Postgres, marketplace_template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    name = f"marketplace_clients_{os.getpid()}"
    with aws.serve(tmp_path_factory.mktemp("aws")) as cloud:
        queue = boto3.client("sqs", endpoint_url=cloud, **aws.KEYS).create_queue(QueueName="animals")["QueueUrl"]
        settings = {
            "MARKETPLACE_SQS_ENDPOINT": cloud,
            "MARKETPLACE_EVENTS_ACCESS_KEY_ID": aws.KEYS["aws_access_key_id"],
            "MARKETPLACE_EVENTS_SECRET_ACCESS_KEY": aws.KEYS["aws_secret_access_key"],
        }
        folder = tmp_path_factory.mktemp("marketplace")
        site = Marketplace.start(postgres, folder, database=name, template=marketplace_template, settings=settings)
        yield Place(site.url, queue)
        site.stop()
    postgres.drop_database(name)


@pytest.fixture(params=[CommandLine, Capo, JavaScript], ids=["aws cli", "capo-mturk", "aws sdk for javascript"])
def program(request: pytest.FixtureRequest, place: Place) -> Iterator[Program]:
    program = request.param(Crowd(place.url, funds="100.00"))
    yield program
    program.close()
