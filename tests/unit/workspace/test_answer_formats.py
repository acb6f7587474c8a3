"""Files of answers as vendors and programs write them: found by content, questions, answers and sources whole."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from answerwatch.errors import UsageError
from answerwatch.stages.collect.imported import ImportedAnswer
from answerwatch.workspace.files.columns import ANSWER_COLUMNS, mapper
from answerwatch.workspace.samples.answer_file import AnswerFile, Reading, look_at_answers, read_answers
from answerwatch.workspace.samples.answer_rows import Defaults
from answerwatch.workspace.samples.known_formats import FORMATS, format_of
from answerwatch.workspace.samples.vendor_json.protocol import Format
from tests import answer_formats as made

DEFAULTS = Defaults(
    platform="elsewhere",
    scene=None,
    zone=ZoneInfo("Asia/Shanghai"),
    brand="",
    import_name=lambda name: f"{name}-import",
)
MOMENT = datetime(2026, 7, 1, 0, 30, tzinfo=UTC)


def look(path: Path, *, wanted: str = "auto", requests: Path | None = None) -> AnswerFile:
    return look_at_answers(path, wanted=wanted, encoding=None, sheet=None, requests=requests, renamed={})


def read(path: Path, **more: Path | None) -> tuple[str, list[ImportedAnswer], Reading]:
    file = look(path, **more)  # type: ignore[arg-type]
    reading = read_answers(file, DEFAULTS)
    return file.format_name, [one for one in reading.answers if isinstance(one, ImportedAnswer)], reading


def raw_answers(value: object) -> Iterator[tuple[str, dict[str, object]]]:
    """Every answer in a document as its format gives it, with the format's name."""
    if isinstance(value, dict) and (known := format_of(value)):
        yield from ((known.NAME, one) for one in known.answers(value) if isinstance(one, dict))
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from raw_answers(part)


MADE = [one for value in vars(made).values() for one in raw_answers(value)]


def test_every_format_has_a_made_up_file() -> None:
    assert {name for name, _ in MADE} == {one.NAME for one in FORMATS}


def test_formats_give_the_fields_of_answers_that_their_protocol_names() -> None:
    named = set(re.findall(r"`(\w+)`", Format.answers.__doc__ or "")) - {"ANSWER_COLUMNS"}
    mapped = mapper(ANSWER_COLUMNS, {})
    given = {column: field for _, answer in MADE for column, field in mapped(tuple(answer)).items()}

    assert named <= set(ANSWER_COLUMNS)
    assert given == {name: name for name in named}


def sources(answer: ImportedAnswer) -> list[tuple[str, str]]:
    return [(str(one.kind), one.canonical_url) for one in answer.citations]


@pytest.mark.parametrize("packed", [False, True])
def test_an_export_of_chatgpt(tmp_path: Path, packed: bool) -> None:  # noqa: FBT001 - a parameter of the test
    if packed:
        members = {"user.json": {}, "export/conversations.json": made.CHATGPT, "chat.html": ""}
        file = made.archive(tmp_path / "export.zip", members)
    else:
        file = made.document(tmp_path / "conversations.json", made.CHATGPT)
    name, (answer,), _ = read(file)

    assert name == "chatgpt"
    assert (answer.row, answer.platform, answer.model) == (1, "chatgpt-import", "gpt-5")
    assert answer.query_text == "哪个手机拍照好？"
    assert answer.answer == "首选青岚手机。 其次是松果手机。"
    assert answer.reasoning == "先比较镜头"
    assert answer.asked_at == MOMENT.replace(microsecond=500_000)
    assert sources(answer) == [
        ("cited", "https://a.example/1"),
        ("cited", "https://b.example/2"),
        ("retrieved", "https://c.example/3"),
    ]
    assert answer.provenance["conversation"] == "选手机"


def test_an_export_of_deepseek(tmp_path: Path) -> None:
    name, (coffee, tea), _ = read(made.archive(tmp_path / "deepseek.zip", {"conversations.json": made.DEEPSEEK}))

    assert name == "deepseek"
    assert (coffee.query_text, coffee.answer, coffee.reasoning) == ("哪家咖啡好？", "推荐砚山咖啡。", "先看口味")
    assert (coffee.asked_at, coffee.model) == (MOMENT, "deepseek-reasoner")
    assert sources(coffee) == [("cited", "https://a.example/k")]
    assert (tea.row, tea.query_text, tea.answer, tea.reasoning) == (2, "哪家茶好？", "推荐云脚茶。", "想一想")
    assert sources(tea) == [("cited", "https://b.example/t")]


def test_results_of_promptfoo(tmp_path: Path) -> None:
    name, (hotel, inn), reading = read(made.document(tmp_path / "results.json", made.PROMPTFOO))

    assert name == "promptfoo"
    assert (hotel.platform, hotel.model, hotel.query_text) == ("openai-import", "gpt-5", "哪家酒店好？")
    assert (hotel.answer, hotel.finish_reason) == ("推荐栖云酒店。", "stop")
    assert (inn.platform, inn.query_text, inn.answer) == ("deepseek-import", "哪家民宿好？", '{"name": "松间民宿"}')
    assert [(note.line, note.reason, str(note.message)) for note in reading.notes] == [
        (3, "no_answer", "holds no answer (429 too many); left out")
    ]


@pytest.mark.parametrize(
    ("name", "records", "answers", "kinds"),
    [
        ("openai-batch", made.OPENAI_BATCH, ["推荐远山汽车。", "也推荐远山汽车。"], ["cited"]),
        ("anthropic-batch", made.ANTHROPIC_BATCH, ["推荐远山汽车。"], ["cited", "retrieved"]),
        ("gemini-batch", made.GEMINI_BATCH, ["推荐远山汽车。"], ["cited"]),
    ],
)
def test_output_of_batches_with_their_requests(
    tmp_path: Path, name: str, records: Sequence[object], answers: list[str], kinds: list[str]
) -> None:
    requests = made.lines(tmp_path / "requests.jsonl", made.REQUESTS)
    found, taken, reading = read(made.lines(tmp_path / "output.jsonl", records), requests=requests)

    assert found == name
    assert [one.query_text for one in taken] == ["哪辆车好？"] * len(answers)
    assert [one.answer for one in taken] == answers
    assert [kind for kind, _ in sources(taken[0])] == kinds
    assert [note.line for note in reading.notes] == [len(records)]


def test_output_of_batches_without_their_requests_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--requests FILE"):
        read(made.lines(tmp_path / "output.jsonl", made.OPENAI_BATCH))


def test_a_file_that_holds_no_requests_is_refused_by_line(tmp_path: Path) -> None:
    requests = made.lines(tmp_path / "requests.jsonl", [made.REQUESTS[0], {"custom_id": "x"}])

    with pytest.raises(UsageError, match="line 2: this is no request"):
        read(made.lines(tmp_path / "output.jsonl", made.OPENAI_BATCH), requests=requests)


def test_old_logs_of_perplexity(tmp_path: Path) -> None:
    name, (answer,), _ = read(made.lines(tmp_path / "log.jsonl", made.PERPLEXITY_LOG))

    assert (name, answer.platform, answer.model) == ("chat-log", "perplexity-import", "sonar-pro")
    assert (answer.query_text, answer.answer, answer.asked_at) == ("哪款耳机好？", "推荐鸣野耳机[1]。", MOMENT)
    assert sources(answer) == [
        ("cited", "https://a.example/e"),
        ("retrieved", "https://a.example/e"),
        ("retrieved", "https://b.example/e"),
    ]
    assert answer.citations[0].title == "耳机"


@pytest.mark.parametrize("by_line", [True, False])
def test_results_of_bright_data(tmp_path: Path, by_line: bool) -> None:  # noqa: FBT001 - a parameter of the test
    file = tmp_path / "a.json"
    name, (answer,), reading = read(
        made.lines(file, made.BRIGHTDATA) if by_line else made.document(file, made.BRIGHTDATA)
    )

    assert (name, answer.platform, answer.query_text) == ("brightdata", "chatgpt-import", "哪款灯好？")
    assert (answer.answer, answer.asked_at) == ("推荐**朗星灯**。", MOMENT)
    assert sources(answer) == [("cited", "https://a.example/l"), ("retrieved", "https://b.example/l")]
    assert answer.provenance["country"] == "CN"
    assert [note.line for note in reading.notes] == [2]


@pytest.mark.parametrize("by_line", [True, False])
def test_results_of_cloro(tmp_path: Path, by_line: bool) -> None:  # noqa: FBT001 - a parameter of the test
    file = made.lines(tmp_path / "a.jsonl", [made.CLORO]) if by_line else made.document(tmp_path / "a.json", made.CLORO)
    name, (answer,), _ = read(file)

    assert (name, answer.platform, answer.query_text) == ("cloro", "elsewhere-import", "哪款表好？")
    assert (answer.answer, sources(answer)) == ("推荐**晷影表**。", [("cited", "https://a.example/w")])
    assert answer.citations[0].title == "W"


def test_tasks_of_cloro_with_their_requests(tmp_path: Path) -> None:
    requests = made.lines(tmp_path / "requests.jsonl", made.CLORO_REQUESTS)
    name, (answer,), reading = read(made.lines(tmp_path / "a.jsonl", made.CLORO_TASKS), requests=requests)

    assert (name, answer.platform, answer.query_text) == ("cloro", "perplexity-import", "哪款表准？")
    assert (answer.answer, answer.asked_at) == ("推荐**晷影表**。", MOMENT)
    assert [(note.line, str(note.message)) for note in reading.notes] == [(2, "holds no answer (FAILED); left out")]


def test_results_of_apify_are_rows(tmp_path: Path) -> None:
    name, (answer,), _ = read(made.document(tmp_path / "a.json", made.APIFY))

    assert (name, answer.platform, answer.query_text) == ("json", "elsewhere-import", "哪款杯好？")
    assert (answer.answer, sources(answer)) == ("推荐云瓷杯。", [("cited", "https://a.example/b")])
    assert answer.provenance == {"followUpQuestions": ["多少钱？"]}


def test_results_of_dataforseo(tmp_path: Path) -> None:
    name, (umbrella, shoe), reading = read(made.document(tmp_path / "a.json", made.DATAFORSEO))

    assert (name, umbrella.platform, umbrella.query_text) == ("dataforseo", "chatgpt-import", "哪款伞好？")
    assert (umbrella.answer, umbrella.asked_at) == ("推荐檐下伞。", MOMENT)
    assert sources(umbrella) == [("cited", "https://a.example/u"), ("retrieved", "https://b.example/u")]
    assert shoe.reasoning == "比较踏野和行迹"
    assert (shoe.row, shoe.platform, shoe.query_text, shoe.answer) == (2, "claude-import", "哪款鞋好？", "推荐踏野鞋。")
    assert [str(note.message) for note in reading.notes] == ["holds no answer (Task Handed.); left out"]


@pytest.mark.parametrize("value", [None, [], {}, "x", 3, [[]], {"mapping": {"a": 1}}, {"parts": [None, 3]}])
def test_records_with_anything_in_the_place_of_anything_give_nothing_or_something_but_no_error(value: object) -> None:
    shapes = [
        {"mapping": value, "current_node": value},
        {"mapping": {"a": value, "b": {"message": value, "parent": "a", "children": value}}, "current_node": "b"},
        {
            "mapping": {
                "root": {"children": ["b"], "message": value},
                "b": {"message": {"fragments": value, "content": value}},
            }
        },
        {"prompt": {"raw": value}, "provider": value, "response": value, "vars": value},
        {"custom_id": value, "response": value, "error": value},
        {"custom_id": value, "result": {"type": "succeeded", "message": value}},
        {"key": value, "response": {"candidates": [value]}},
        {"choices": [value], "citations": value, "search_results": value, "model": value},
        {"prompt": value, "answer_text": value, "citations": value, "url": value},
        {"success": value, "result": value},
        {"task": {"taskType": "CHATGPT", "id": value}, "response": value},
        {"result": [{"items": value, "sources": value}], "data": {}, "path": value},
    ]
    for shape in shapes:
        for one in FORMATS:
            if isinstance(shape, dict) and one.knows(shape):
                list(one.answers(shape))


def test_a_circle_in_a_conversation_ends(tmp_path: Path) -> None:
    circle = {"a": {"parent": "b", "children": ["b"]}, "b": {"parent": "a", "children": ["a"]}}

    assert read(made.document(tmp_path / "a.json", [{"mapping": circle, "current_node": "a"}, *made.CHATGPT]))[1] != []


def test_a_format_that_was_named_must_be_the_one(tmp_path: Path) -> None:
    file = made.document(tmp_path / "a.json", made.PROMPTFOO)

    assert look(file, wanted="promptfoo").format_name == "promptfoo"
    with pytest.raises(UsageError, match="does not look like chatgpt"):
        look(file, wanted="chatgpt")
    with pytest.raises(UsageError, match="use auto, rows, csv"):
        look(file, wanted="word")


@pytest.mark.parametrize("members", [{"a.txt": 1}, {"conversations.json": [{"x": 1}]}, {"conversations.json": []}])
def test_an_archive_without_conversations_is_refused(tmp_path: Path, members: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="holds no answers of a format that is known"):
        look(made.archive(tmp_path / "a.zip", members))
