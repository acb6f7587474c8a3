"""A short run of the fuzzer (`make fuzz`): real answers, cut, spliced and damaged."""

from scripts.fuzz_reader import run

TEXTS = 300


def test_damaged_answers_are_read_without_a_fault() -> None:
    count, faults = run(seconds=60, seed=20_261_201, most=TEXTS)

    assert [(seed, fault) for seed, fault, _ in faults] == []
    assert count > 0
