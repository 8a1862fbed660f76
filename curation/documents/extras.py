"""Libraries that only some installations have."""

from importlib import import_module
from types import ModuleType

from scoring.json_files import FileError
from scoring.sentences import _


def required(module: str, package: str) -> ModuleType:
    """The module, from the optional extra ``package``. Raises FileError that says how to install it."""
    try:
        return import_module(module)
    except ImportError:
        raise FileError(
            _(
                "{package} is not installed, which reads such files: run pip install -r requirements-documents.txt",
                package=package,
            )
        ) from None
