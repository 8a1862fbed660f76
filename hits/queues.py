"""The only module that reads a queue: events that a crowd endpoint sends to SQS.

Nothing rests on it. What it brings is a hint to ask the endpoint sooner; polling finds everything without it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from django.utils.translation import gettext as _

from . import endpoints

CALLS = Config(connect_timeout=5, read_timeout=20, retries={"total_max_attempts": 1})
MOST_MESSAGES = 10  # that one call brings: AWS, SQS ReceiveMessage
HIDDEN_SECONDS = 120  # how long a message that was received is kept from others; then it comes again


class Unavailable(Exception):
    """The queue did not answer, or refused us; the message says which."""


@cache
def _client(endpoint_key: str) -> Any:
    endpoint = endpoints.get(endpoint_key)
    # The address is always given, so that AWS_ENDPOINT_URL_SQS of the environment leads nobody elsewhere.
    values: dict[str, Any] = {"config": CALLS, "region_name": endpoint.queue_region}
    values["endpoint_url"] = endpoint.queue_endpoint or f"https://sqs.{endpoint.queue_region}.amazonaws.com"
    if endpoint.profile:
        return boto3.Session(profile_name=endpoint.profile).client("sqs", **values)
    key, secret = settings.QUEUE_ACCESS_KEY_ID, settings.QUEUE_SECRET_ACCESS_KEY
    if not key:
        key, secret = endpoint.access_key, endpoint.secret_key
    return boto3.client("sqs", aws_access_key_id=key, aws_secret_access_key=secret, **values)


def _call(endpoint: endpoints.Endpoint, operation: str, **parameters: Any) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = getattr(_client(endpoint.key), operation)(QueueUrl=endpoint.queue_url, **parameters)
    except ClientError as error:
        message = error.response["Error"].get("Message", error.response["Error"]["Code"])
        raise Unavailable(_("the queue says: {message}").format(message=message)) from error
    except BotoCoreError as error:
        raise Unavailable(_("the queue does not answer at {url}.").format(url=endpoint.queue_url)) from error
    return answer


def waiting(endpoint: endpoints.Endpoint) -> int:
    """About how many messages wait. Raises Unavailable."""
    name = "ApproximateNumberOfMessages"
    return int(_call(endpoint, "get_queue_attributes", AttributeNames=[name])["Attributes"][name])


def receive(endpoint: endpoints.Endpoint) -> list[tuple[str, str]]:
    """Up to ten messages as (receipt, body); each comes again unless it is deleted. Raises Unavailable."""
    answer = _call(
        endpoint,
        "receive_message",
        MaxNumberOfMessages=MOST_MESSAGES,
        VisibilityTimeout=HIDDEN_SECONDS,
        WaitTimeSeconds=0,
    )
    return [(message["ReceiptHandle"], message["Body"]) for message in answer.get("Messages", [])]


def delete(endpoint: endpoints.Endpoint, receipt: str) -> None:
    """Take a message off the queue. Raises Unavailable."""
    _call(endpoint, "delete_message", ReceiptHandle=receipt)
