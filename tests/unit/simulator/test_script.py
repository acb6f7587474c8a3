"""Scripts: every field is read, and whatever is wrong is named."""

import re
from pathlib import Path

import pytest

from answerwatch.simulator import Script, ScriptError, load_script, parse_script
from answerwatch.simulator import script as script_module
from answerwatch.simulator.settings import AnswerMode, BrandOdds, BucketSize, FaultSpec, Language, Latency, Slow


def documented_script() -> str:
    found = re.search(r"```yaml\n(.*?)```", script_module.__doc__ or "", re.DOTALL)
    assert found is not None
    return found[1]


def test_the_documented_script_is_read_as_it_says() -> None:
    script = parse_script(documented_script())
    deepseek = script.settings_for("deepseek")
    assert script.seed == 7
    assert script.settings_for("unlisted").latency == Latency(300, 900)
    assert deepseek.latency == Latency(300, 900)
    assert deepseek.slow == Slow(0.04, 20)
    assert deepseek.bucket == BucketSize(5, 10, 1)
    assert deepseek.max_in_flight == 8
    assert (FaultSpec("slow_first_byte", 3.0), 0.01) in deepseek.faults
    assert [fault.name for fault in deepseek.sequence] == ["e429_retry_after", "e429_retry_after", "ok"]
    assert dict(deepseek.per_question)["hotpot"] == (FaultSpec("e500"), FaultSpec("e500"), FaultSpec("ok"))
    assert deepseek.brands[Language.ZH][0] == BrandOdds("砚山咖啡", 0.6)
    assert deepseek.brands[Language.EN][1] == BrandOdds("Bluewicket", None)
    assert deepseek.answers is AnswerMode.BY_COUNT
    assert script.settings_for("unlisted").bucket is None


def test_an_empty_script_is_a_platform_without_faults() -> None:
    assert parse_script("") == Script()


def test_a_bare_number_is_a_fixed_latency() -> None:
    assert parse_script("latency: 250").base.latency == Latency(250, 250)


WRONG = [
    ("profiles: {kimi: {fault: {e500: 1}}}", "profiles.kimi.fault; did you mean faults"),
    ("faults: {e5000: 0.1}", "'e5000'; did you mean e500"),
    ("faults: {e500: 0.7, e503: 0.6}", "add up to at most 1"),
    ("faults: {e500: 2}", "faults.e500 must be a share"),
    ("faults: {'hang:soon': 0.1}", "what follows the colon"),
    ("faults: {'hang:nan': 0.1}", "what follows the colon"),
    ("bucket: {rate: 5}", "bucket needs capacity"),
    ("bucket: {rate: 0, capacity: 10}", "bucket.rate must be a number above 0"),
    ("bucket: {rate: 5, capacity: 0}", "bucket.capacity must be 1 or more"),
    ("bucket: {rate: 5, capacity: 9, burst: 1}", "bucket.burst"),
    ("latency: {median_ms: 300, p95_ms: 100}", "latency.p95_ms"),
    ("latency: fast", "latency must be a number"),
    ("max_in_flight: 0", "max_in_flight must be 1 or more"),
    ("seed: seven", "seed must be a whole number"),
    ("seed: true", "seed must be a whole number"),
    ("sequence: [429, 42]", "sequence: unknown fault '42'"),
    ("per_question: {'': e500}", "part of the question"),
    ("per_question: {coffee: []}", "at least one fault"),
    ("keys: sk-1", "keys must be a list"),
    ("language: fr", "auto, zh or en"),
    ("answers: always", "by_count, by_key or by_question"),
    ("brands: {zh: {a: 1.5}}", "brands.zh.a must be a share"),
    ("profiles: [a]", "profiles must be a mapping"),
    ("profiles: {a: 5}", "profiles.a must be a mapping"),
    ("just text", "a script is a mapping"),
    ("a: [", "not YAML"),
]


@pytest.mark.parametrize(("text", "named"), WRONG)
def test_what_is_wrong_is_named(text: str, named: str) -> None:
    with pytest.raises(ScriptError, match=re.escape(named)):
        parse_script(text)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match=r"no-such\.yaml"):
        load_script(tmp_path / "no-such.yaml")


def test_a_wrong_file_is_named_with_its_field(tmp_path: Path) -> None:
    path = tmp_path / "faults.yaml"
    path.write_text("slo: {share: 1}", encoding="utf-8")
    with pytest.raises(ScriptError, match=r"faults\.yaml: unknown field slo; did you mean slow\?"):
        load_script(path)
