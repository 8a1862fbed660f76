"""A call signed by Signature Version 4, which a test may spoil before it is sent."""

import json
import urllib.error
import urllib.request

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

SERVICE = "MTurkRequesterServiceV20170117"
CONTENT_TYPE = "application/x-amz-json-1.1"


class Signed:
    def __init__(
        self, url, requester, operation="GetAccountBalance", *, target=None, body="{}", region="us-east-1", service=None
    ):
        target = f"{SERVICE}.{operation}" if target is None else target
        headers = {"Content-Type": CONTENT_TYPE} | ({"X-Amz-Target": target} if target else {})
        self.request = AWSRequest("POST", url + "/", data=body, headers=headers)
        keys = Credentials(requester.access_key, requester.secret_key)
        SigV4Auth(keys, service or "mturk-requester", region).add_auth(self.request)
        self.headers = dict(self.request.headers)
        self.body = body

    def answer(self) -> tuple[int, dict, dict]:
        """Status, headers and JSON document."""
        request = urllib.request.Request(self.request.url, self.body.encode(), self.headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return response.status, dict(response.headers), json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, dict(error.headers), json.load(error)

    def send(self) -> tuple[int, dict]:
        status, _, document = self.answer()
        return status, document
