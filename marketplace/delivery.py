"""Sends notifications to SQS queues and SNS topics: the marketplace's only use of boto3.

Where the settings name an endpoint, every queue and topic is there; otherwise they are AWS's own.
"""

import re
import time
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings

from .models.events import Transport

CONNECT_SECONDS, READ_SECONDS = 3, 10
AWS_QUEUE = re.compile(
    r"https://(?:sqs\.([a-z0-9-]+)|([a-z0-9-]+)\.queue)\.amazonaws\.com/[0-9]{12}/[A-Za-z0-9_-]{1,80}"
)
QUEUE_PATH = re.compile(r"/[0-9]{12}/[A-Za-z0-9_-]{1,80}")
TOPIC = re.compile(r"arn:aws[a-z-]*:sns:([a-z0-9-]+):[0-9]{12}:[A-Za-z0-9_-]{1,256}")


class Undelivered(Exception):
    """The message did not arrive, or nobody knows; the text says why."""


def is_configured() -> bool:
    """Whether this marketplace has credentials to send with."""
    return bool(settings.MARKETPLACE_EVENTS_ACCESS_KEY_ID and settings.MARKETPLACE_EVENTS_SECRET_ACCESS_KEY)


def region_of(transport: str, destination: str) -> str:
    """The region of a queue's URL or a topic's ARN. Raises ValueError with a sentence if it is neither.

    Only the configured service is ever called: a destination cannot send the marketplace anywhere else.
    """
    if transport == Transport.SNS:
        if found := TOPIC.fullmatch(destination):
            return found[1]
        raise ValueError(
            "Destination must be the ARN of an SNS topic, such as arn:aws:sns:us-east-1:123456789012:name."
        )
    endpoint = settings.MARKETPLACE_SQS_ENDPOINT
    if endpoint:
        address = urlsplit(destination)
        is_there = f"{address.scheme}://{address.netloc}" == endpoint and QUEUE_PATH.fullmatch(address.path)
        if is_there and not address.query and not address.fragment:
            return settings.MARKETPLACE_EVENTS_REGION
        raise ValueError(f"Destination must be the URL of a standard queue at {endpoint}.")
    if found := AWS_QUEUE.fullmatch(destination):
        return found[1] or found[2]
    raise ValueError(
        "Destination must be the URL of a standard SQS queue, such as "
        "https://sqs.us-east-1.amazonaws.com/123456789012/name."
    )


def send(transport: str, destination: str, body: str) -> None:
    """Send one message. Raises Undelivered."""
    if not is_configured():
        raise Undelivered("This marketplace has no keys to send with.")
    try:
        client = _client(transport, region_of(transport, destination))
        if transport == Transport.SQS:
            client.send_message(QueueUrl=destination, MessageBody=body)
        else:
            client.publish(TopicArn=destination, Message=body, Subject=str(int(time.time() * 1000)))
    except (BotoCoreError, ClientError, ValueError) as error:
        raise Undelivered(f"{type(error).__name__}: {error}"[:1000]) from error


def _client(transport: str, region: str) -> Any:
    is_queue = transport == Transport.SQS
    endpoint = settings.MARKETPLACE_SQS_ENDPOINT if is_queue else settings.MARKETPLACE_SNS_ENDPOINT
    keys = (settings.MARKETPLACE_EVENTS_ACCESS_KEY_ID, settings.MARKETPLACE_EVENTS_SECRET_ACCESS_KEY)
    return _made_client("sqs" if is_queue else "sns", region, endpoint or None, *keys)


@lru_cache(maxsize=16)
def _made_client(service: str, region: str, endpoint: str | None, key_id: str, secret: str) -> Any:
    return boto3.client(
        service,
        region_name=region,
        endpoint_url=endpoint,
        aws_access_key_id=key_id,
        aws_secret_access_key=secret,
        # One attempt: the outbox tries again, later.
        config=Config(connect_timeout=CONNECT_SECONDS, read_timeout=READ_SECONDS, retries={"total_max_attempts": 1}),
    )
