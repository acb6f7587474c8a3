"""The simulator's own endpoints under `/__sim/`: logs, reset, a new script or behaviour, the measure of a limit."""

import json
from collections.abc import Callable, Mapping
from urllib.parse import parse_qs

from answerwatch.simulator.bucket import worst_excess
from answerwatch.simulator.errors import ScriptError
from answerwatch.simulator.inbound import Request
from answerwatch.simulator.reception import PORTAL_PATH, Reception
from answerwatch.simulator.scoring import behaviour
from answerwatch.simulator.script import parse_script
from answerwatch.simulator.wire import http_reply

_PREFIX = "/__sim/"


def is_control(request: Request) -> bool:
    """Say whether a request is for the simulator itself."""
    return request.path.startswith(_PREFIX) and request.path != PORTAL_PATH


def answer_control(request: Request, reception: Reception) -> bytes:
    """Do what is asked and return the whole response."""
    action = _ACTIONS.get((request.method, request.path))
    if action is None:
        known = ", ".join(f"{method} {path}" for method, path in _ACTIONS)
        return _json(404, {"error": f"known are {known}"})
    try:
        return _json(200, action(request, reception))
    except (ScriptError, ValueError) as error:
        return _json(400, {"error": str(error)})


def windows(reception: Reception, rate: float, capacity: float) -> dict[str, float]:
    """Return by profile how many calls the fullest window exceeds the limit; see worst_excess."""
    return {name: worst_excess(times, rate, capacity) for name, times in reception.log.arrivals().items()}


def _json(status: int, value: object) -> bytes:
    """Return a JSON response."""
    return http_reply(status, json.dumps(value).encode())


def _requests(_: Request, reception: Reception) -> object:
    """Return the log."""
    return reception.log.calls()


def _reset(_: Request, reception: Reception) -> object:
    """Forget everything counted so far."""
    reception.reset()
    return {"reset": True}


def _script(request: Request, reception: Reception) -> object:
    """Replace the script by the one in the body."""
    try:
        text = request.body.decode()
    except UnicodeDecodeError as error:
        raise ScriptError("the script is not UTF-8") from error
    script = parse_script(text)
    reception.use(script)
    return {"seed": reception.seed, "profiles": sorted(script.profiles)}


def _windows(request: Request, reception: Reception) -> object:
    """Measure the log against `?rate=` and `?capacity=`."""
    query = parse_qs(request.query)
    try:
        rate, capacity = float(query["rate"][0]), float(query["capacity"][0])
    except (KeyError, ValueError) as error:
        raise ScriptError("give numbers: /__sim/windows?rate=5&capacity=10") from error
    return windows(reception, rate, capacity)


def _scoring(request: Request, reception: Reception) -> object:
    """Change how a server of numbers behaves: fields of its behaviour, and `profile`."""
    profile, values = behaviour.parse(request.body)
    return {"profile": profile, "model": reception.scoring.change(profile, values).model}


def _scoring_calls(_: Request, reception: Reception) -> object:
    """Return the calls for numbers."""
    return reception.scoring.logged()


_ACTIONS: Mapping[tuple[str, str], Callable[[Request, Reception], object]] = {
    ("GET", "/__sim/requests"): _requests,
    ("GET", "/__sim/scoring"): _scoring_calls,
    ("GET", "/__sim/windows"): _windows,
    ("POST", "/__sim/reset"): _reset,
    ("POST", "/__sim/scoring"): _scoring,
    ("POST", "/__sim/script"): _script,
}
