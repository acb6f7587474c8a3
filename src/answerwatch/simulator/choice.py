"""Which fault a call gets: header, model suffix, question, sequence, probabilities, in this order."""

from collections.abc import Mapping, Sequence

from answerwatch.simulator.dice import Dice
from answerwatch.simulator.family import Asked
from answerwatch.simulator.faults import OK, parse_faults
from answerwatch.simulator.settings import FaultSpec, Settings


def choose_fault(
    asked: Asked, headers: Mapping[str, str], settings: Settings, *, question_sha: str, turn: int, dice: Dice
) -> FaultSpec:
    """Return the fault of this turn; raises ScriptError when header or suffix name an unknown one."""
    for spoken in (headers.get("x-sim-fault", ""), asked.fault_suffix):
        if spoken:
            return _at_turn(parse_faults(spoken), turn)
    for needle, faults in settings.per_question:
        if needle in asked.question or (len(needle) >= 12 and question_sha.startswith(needle)):
            return _at_turn(faults, turn)
    if turn <= len(settings.sequence):
        return settings.sequence[turn - 1]
    return _by_chance(settings.faults, dice.fraction("fault"))


def _at_turn(faults: Sequence[FaultSpec], turn: int) -> FaultSpec:
    """Return the fault of a turn; the last one stays."""
    return faults[min(turn, len(faults)) - 1]


def _by_chance(mix: Sequence[tuple[FaultSpec, float]], draw: float) -> FaultSpec:
    """Return the fault in whose share the draw falls, `ok` when it falls in none."""
    for fault, probability in mix:
        if draw < probability:
            return fault
        draw -= probability
    return OK
