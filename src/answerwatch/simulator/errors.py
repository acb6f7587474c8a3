"""Errors of the simulator, which knows nothing of the rest of the package."""


class SimulatorError(Exception):
    """Something about the simulator's own set-up is wrong; the message says what to change."""


class ScriptError(SimulatorError):
    """A script has a field, a value or a fault name that the simulator does not know."""


class BindError(SimulatorError):
    """The simulator was asked to listen outside of loopback without the explicit permission."""


class RequestError(SimulatorError):
    """A client sent something that is not a request the simulator can read.

    `status` is the HTTP status it gets back; the connection is closed afterwards.
    """

    def __init__(self, status: int, message: str) -> None:
        """Keep the status beside the sentence."""
        super().__init__(message)
        self.status = status
