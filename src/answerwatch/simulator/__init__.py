"""Fake AI platforms over real HTTP, for tests, benchmarks and the demo.

The simulator imports nothing of answerwatch outside of this folder, so that tests cannot confirm themselves.
"""

from answerwatch.simulator.bucket import worst_excess
from answerwatch.simulator.errors import BindError, ScriptError, SimulatorError
from answerwatch.simulator.script import Script, load_script, parse_script, script_from
from answerwatch.simulator.server import Simulator
from answerwatch.simulator.serving import SimulatorThread, serve

__all__ = [
    "BindError",
    "Script",
    "ScriptError",
    "Simulator",
    "SimulatorError",
    "SimulatorThread",
    "load_script",
    "parse_script",
    "script_from",
    "serve",
    "worst_excess",
]
