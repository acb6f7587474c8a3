"""What was exported is known when it is imported: no sample comes in twice, however it is written."""

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete

from answerwatch.domain.texts import storable
from answerwatch.messages import Messages, catalogue
from answerwatch.store.sample import samples as stored_samples
from answerwatch.store.schema import answer_sample
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.exports.verbs import PLAIN, ForReaders
from answerwatch.workspace.exports.views import ExportRequest
from tests.databases import on_every_database


def _readers(language: str) -> ForReaders:
    words, say = catalogue(language), Messages(language)
    return ForReaders(title=lambda name: words[f"exported.{name}"], say=say.translated)


READERS = {"names": PLAIN, "english": _readers("en"), "chinese": _readers("zh")}
_numbers = count()

texts = st.text(max_size=30) | st.sampled_from(
    [
        "",
        " ",
        "=1+1",
        "'=1",
        "\r\n a \r b \n",
        "_x000D_",
        "_x005F_x000D_",
        "_x005f_x005F_x0041_x_xD83D__xDE00_",
        '"',
        "<r>a</r>",
        "\x01",
        "\ufeff",
    ]
)
stored = st.fixed_dictionaries(
    {
        "raw_response": texts.map(lambda text: storable(text).text),
        "query_text": texts.map(lambda text: f"问{storable(text).text[:9_000]}"),
        "platform": st.sampled_from(["kimi", "doubao-import", "my-own"]),
        "brand_name": st.sampled_from(["", "华为"]),
        "scene_type": st.sampled_from(["RECOMMEND", "OTHER", "价格"]),
        "question_version": st.integers(0, 2),
        "finish_reason": st.none() | st.sampled_from(["stop", "=1"]),
        "reasoning": st.none() | texts.map(lambda text: storable(text).text),
        "provenance": st.none() | st.sampled_from([{"surface": "app", "searched": True}, {"备注": "a;b"}, ["x"], {}]),
        "collected_at": st.integers(0, 10**15).map(
            lambda us: datetime(2000, 1, 1, tzinfo=UTC) + timedelta(microseconds=us)
        ),
    }
)


PLAIN_SAMPLE: dict[str, Any] = {
    "raw_response": "推荐华为。",
    "query_text": "手机哪个好",
    "platform": "kimi",
    "brand_name": "",
    "scene_type": "OTHER",
    "question_version": 1,
    "collected_at": datetime(2026, 7, 1, tzinfo=UTC),
}


def store(ws: Workspace, samples: list[dict[str, Any]]) -> None:
    """Store samples instead of all that are there."""
    batch = "B1"
    rows = [
        stored_samples.NewSample(
            sub_task_id=f"{batch}_QQ1_kimi_R{number}",
            batch_id=batch,
            question_id="Q1",
            round=number,
            response_length=len(values["raw_response"]),
            **values,
        )
        for number, values in enumerate(samples, start=1)
    ]
    with ws.store.writing() as tx:
        tx.run(delete(answer_sample))
        stored_samples.add(tx, rows)


@pytest.mark.parametrize("readers", READERS)
@pytest.mark.parametrize("ending", ["csv", "jsonl", "xlsx"])
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(samples=st.lists(stored, min_size=1, max_size=4))
def test_importing_exported_samples_brings_nothing_new(
    ws: Workspace, tmp_path: Path, ending: str, readers: str, samples: list[dict[str, Any]]
) -> None:
    store(ws, samples)
    file = tmp_path / f"{next(_numbers)}.{ending}"
    headers = "names" if readers == "names" or ending == "jsonl" else "words"

    request = ExportRequest(what="samples", file=file, headers=headers)
    ws.exports.rows(request, readers=READERS[readers])
    outcome = ws.samples.import_file(file)

    assert outcome.errors == ()
    assert (outcome.rows, outcome.imported, outcome.stored_before) == (len(samples), 0, len(samples))
    assert outcome.batch_id is None


@pytest.mark.parametrize("readers", READERS)
@pytest.mark.parametrize("ending", ["csv", "jsonl", "xlsx"])
def test_answers_that_are_too_long_for_a_cell_do_not_come_in_as_others(
    ws: Workspace, tmp_path: Path, ending: str, readers: str
) -> None:
    store(ws, [{**PLAIN_SAMPLE, "raw_response": text} for text in ("é\r\n" * 20_000, "😀" * 20_000)])
    file = tmp_path / f"rows.{ending}"

    ws.exports.rows(ExportRequest(what="samples", file=file), readers=READERS[readers])
    outcome = ws.samples.import_file(file, skip_errors=True)

    assert (outcome.imported, outcome.batch_id) == (0, None)
    assert (outcome.stored_before, outcome.bad_rows) == ((0, 2) if ending == "xlsx" else (2, 0))


@on_every_database
def test_a_sample_is_known_by_what_it_says_and_not_by_its_id_alone(ws: Workspace, tmp_path: Path) -> None:
    ws.brands.add("华为")
    file = tmp_path / "rows.jsonl"
    store(ws, [{**PLAIN_SAMPLE, "raw_response": text} for text in ("推荐华为。", "推荐荣耀。")])
    ws.exports.rows(ExportRequest(what="samples", file=file))
    file.write_text(file.read_text(encoding="utf-8").replace("推荐荣耀。", "推荐小米。"), encoding="utf-8")

    edited = ws.samples.import_file(file)
    focal = ws.samples.import_file(file, brand="华为")

    assert (edited.imported, edited.stored_before) == (1, 1)
    assert [(note.line, note.reason) for note in edited.notes] == [(1, "stored")]
    assert (focal.imported, focal.stored_before) == (0, 2)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["original-first", "edited-first"])
def test_a_row_and_its_edited_copy_are_told_apart_in_either_order(
    ws: Workspace, tmp_path: Path, order: tuple[int, int]
) -> None:
    file = tmp_path / "rows.jsonl"
    store(ws, [PLAIN_SAMPLE])
    ws.exports.rows(ExportRequest(what="samples", file=file))
    original = file.read_text(encoding="utf-8")
    lines = [original, original.replace("推荐华为。", "推荐小米。")]
    file.write_text("".join(lines[place] for place in order), encoding="utf-8")

    outcome = ws.samples.import_file(file)

    assert (outcome.imported, outcome.stored_before) == (1, 1)


@on_every_database
def test_rounds_with_the_same_answer_at_the_same_second_stay_apart_in_another_workspace(
    ws: Workspace, tmp_path: Path
) -> None:
    refused = {
        **PLAIN_SAMPLE,
        "raw_response": "很抱歉，我无法回答。",
        "platform": "doubao-import",
        "question_version": 2,
        "provenance": {"surface": "app", "searched": True},
    }
    store(ws, [refused, refused])
    file = tmp_path / "rows.xlsx"
    ws.exports.rows(ExportRequest(what="samples", file=file))

    with open_workspace(tmp_path / "other") as other:
        other.init()
        outcome = other.samples.import_file(file)
        lines = other.samples.list()
        kept = other.samples.show(lines[0].sub_task_id).provenance

    assert (outcome.imported, outcome.duplicates) == (2, 0)
    assert [(line.question_id, line.question_version, line.round) for line in lines] == [("Q1", 2, 1), ("Q1", 2, 2)]
    assert isinstance(kept, dict)
    assert (kept["surface"], kept["searched"], kept["sub_task_id"]) == ("app", True, "B1_QQ1_kimi_R1")
    assert "provenance" not in kept
