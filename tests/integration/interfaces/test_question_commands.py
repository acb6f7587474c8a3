"""The question bank as operators type it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.interfaces.conftest import Cli


def test_rep_csv_gbk_short_an_import_tells_how_the_file_was_read(ready: Cli, shared_data: Path) -> None:
    folder = shared_data / "inputs" / "rep-csv-gbk-short"

    done = ready("questions", "import", str(folder / "questions_gb18030.csv"))

    assert done.code == 0
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert {"format csv", "encoding GB18030", "separator ,", "问题编号 question_id", "关键词 target_keywords"} <= {
        *lines
    }
    assert "𠮷野家好吃吗" in done.out
    assert any(line.startswith("3 rows: 3 new, 0 with another text or scene") for line in lines)
    assert "2 active questions of the bank are not in the file and stay as they are: Q1, Q2" in lines


def test_a_dry_run_names_every_field_that_changes_with_before_and_after(ready: Cli, tmp_path: Path) -> None:
    bank = tmp_path / "bank.csv"
    bank.write_text("编号,场景,问题,关键词,启用\nQ1,RISK,哪些连锁咖啡更值得推荐？,咖啡;连锁,否\n", encoding="utf-8")

    shown = ready("questions", "import", str(bank)).out
    (change,) = ready("questions", "import", str(bank), "--json").json()["changes"]

    for told in (
        "- 哪些连锁咖啡值得推荐？",
        "+ 哪些连锁咖啡更值得推荐？",
        "RECOMMEND → RISK",
        "(empty) → 咖啡, 连锁",
        "yes → no",
    ):
        assert told in shown
    assert [[one["field"], one["before"], one["after"]] for one in change["fields"]] == [
        ["query_text", "哪些连锁咖啡值得推荐？", "哪些连锁咖啡更值得推荐？"],
        ["scene_type", "RECOMMEND", "RISK"],
        ["target_keywords", [], ["咖啡", "连锁"]],
        ["is_active", True, False],
    ]


def test_of_many_changes_the_first_are_shown_and_the_rest_is_counted(ready: Cli, tmp_path: Path) -> None:
    bank = tmp_path / "bank.csv"
    bank.write_text("问题\n" + "".join(f"第{n}个问题\n" for n in range(60)), encoding="utf-8")

    shown = ready("questions", "import", str(bank), "--apply").out

    assert "第49个问题" in shown
    assert "第50个问题" not in shown
    assert "... and 10 more." in shown
    assert "Imported: 60 changes." in shown


def test_columns_are_named_by_hand(ready: Cli, tmp_path: Path) -> None:
    bank = tmp_path / "bank.csv"
    bank.write_text("提问内容\n新问题？\n", encoding="utf-8")

    refused = ready("questions", "import", str(bank))
    done = ready("questions", "import", str(bank), "--map", "提问内容=query_text", "--json")

    assert (refused.code, "--map COLUMN=query_text" in refused.err) == (2, True)
    assert [one["query_text"] for one in done.json()["changes"]] == ["新问题？"]
    assert ready("questions", "import", str(bank), "--map", "query_text").code == 2


@pytest.mark.parametrize(("language", "words"), [("en", ("retired", "restored")), ("zh", ("停用", "恢复"))])
def test_history_tells_who_retired_and_restored_a_question_and_why(
    ready: Cli, language: str, words: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANSWERWATCH_ACTOR", "wang")
    ready("questions", "retire", "Q1", "--note", "停产")
    ready("questions", "restore", "Q1", "--note", "又上市了")

    lines = ready("questions", "history", "Q1", language=language).out.splitlines()
    told = [line.split()[-3:] for line in lines if "wang" in line and line.split()[-3] in words]

    assert told == [[words[0], "wang", "停产"], [words[1], "wang", "又上市了"]]
    assert [one["detail"] for one in ready("questions", "history", "Q1", "--json").json()["activity"]] == [
        {"note": "停产"}, {"note": "又上市了"},
    ]  # fmt: skip


def test_questions_that_name_a_brand_are_listed_apart(ready: Cli) -> None:
    ready("questions", "add", "砚山咖啡怎么样？", "--scene", "EVALUATE", "--id", "QB")
    ready("questions", "add", "砚山咖啡机怎么样？", "--scene", "EVALUATE", "--id", "QC")

    assert [one["question_id"] for one in ready("questions", "list", "--branded", "--json").json()] == ["QB"]
    others = ready("questions", "list", "--no-branded", "--json").json()
    assert [one["question_id"] for one in others] == ["Q1", "Q2", "QC"]
    assert "names a brand" in ready("questions", "list").out


def test_an_id_of_another_question_is_refused_in_the_language_of_the_session(ready: Cli, tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    row = '{"question": "哪些连锁咖啡值得推荐？", "answer": "砚山咖啡", "platform": "kimi", "question_id": "Q1"}\n'
    answers.write_text(row, encoding="utf-8")
    assert ready("samples", "import", str(answers)).code == 0
    bank = tmp_path / "bank.csv"
    bank.write_text("编号,问题\nQ1,扫地机器人吵不吵\n", encoding="utf-8")

    refused = ready("questions", "import", str(bank), "--apply", language="zh")

    assert refused.code == 2
    told = "第 2 行，编号：Q1 问过“哪些连锁咖啡值得推荐？”，而这一行是另一个问题；请另给编号，"
    assert refused.err.splitlines()[0] == f"{told}或用 `questions edit` 改写原来的问题"


def test_a_file_that_is_the_whole_bank_says_what_it_retires_and_how_to_go_on(ready: Cli, tmp_path: Path) -> None:
    bank = tmp_path / "my bank.csv"
    bank.write_text("编号,问题\nQ1,哪些连锁咖啡值得推荐？\n", encoding="utf-8")

    dry = ready("questions", "import", str(bank), "--whole").out
    done = ready("questions", "import", str(bank), "--whole", "--apply").out

    assert "1 active questions of the bank are not in the file and are retired: Q2" in dry
    assert f"answerwatch questions import '{bank}' --whole --apply" in dry
    assert "Imported: 1 changes." in done
    assert [one["is_active"] for one in ready("questions", "list", "--json").json()] == [True, False]
