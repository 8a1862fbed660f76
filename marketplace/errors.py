"""What the marketplace refuses, in the words of the API."""

# Turk error codes: `AWS.MechanicalTurk.` and one of these.
PREFIX = "AWS.MechanicalTurk."


class Refused(Exception):
    """A requester's call that cannot be done; ``code`` is the Turk error code, ``message`` says what and where."""

    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code = PREFIX + code
        self.message = message


def invalid_value(parameter: str, reason: str) -> Refused:
    return Refused("InvalidParameterValue", f"The value is not valid for the parameter {parameter}. {reason}")
