"""Names and ids that some collation takes for equal: our own folding decides, the same on every database."""

import json
from pathlib import Path

import pytest

from answerwatch.errors import UsageError
from answerwatch.workspace import Workspace, open_workspace
from tests.databases import MYSQL, POSTGRES, SQLITE, Databases

ALIASES = (
    "José",
    "Jose",
    "MI",
    "mi",
    "MI ",
    "Ａ牌",
    "A牌",
    "🎩x",
    "💥x",
    "ß",
    "ss",
    "İ",
    "i",
    "𠮷",
    "か\u309b",
    "\u304c",
)
KEPT = ["José", "Jose", "MI", "Ａ牌", "🎩x", "💥x", "ß", "ss", "İ", "i", "𠮷", "か\u309b", "\u304c"]
"""The first spelling of each name by the folding of the lexicon."""

pytestmark = pytest.mark.parametrize(
    ("database_kind", "made_with"),
    [
        pytest.param(SQLITE, None),
        pytest.param(POSTGRES, None, marks=pytest.mark.postgres),
        pytest.param(MYSQL, "CHARACTER SET latin1", marks=pytest.mark.mysql),
        pytest.param(MYSQL, "CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci", marks=pytest.mark.mysql),
    ],
    indirect=["database_kind"],
)


@pytest.fixture
def workspace(home: Path, database_kind: str, made_with: str | None, databases: Databases) -> Workspace:
    made = open_workspace(home, database_url=databases.empty(database_kind, made_with))
    made.init()
    return made


def test_rep_collation_alias_the_same_names_are_kept_as_written_on_every_database(workspace: Workspace) -> None:
    with workspace as ws:
        change = ws.brands.add("牌子", aliases=ALIASES, name_is_alias=False, force=True)
        found = sorted(alias.text for alias in ws.brands.show("牌子").aliases if alias.is_active)

        assert found == sorted(alias.text for alias in change.brand.aliases if alias.is_active)
        told = [(one.alias, one.message.facts["kept"]) for one in change.warnings if one.code == "alias_same"]
        assert told == [("mi", "MI"), ("A牌", "Ａ牌")]
        assert found == sorted(KEPT)
        for emoji in ("🎩", "💥"):
            with pytest.raises(UsageError, match="no letter or digit"):
                ws.brands.add_alias("牌子", emoji)
        with pytest.raises(UsageError, match="ＭＩ belongs to 牌子"):
            ws.brands.add("另一家", aliases=["ＭＩ"])
        assert ws.brands.test("José 和 💥x 都值得推荐，可以放心买，价格合适，续航也不错。").mentioned == ("牌子",)


def test_rep_collation_alias_ids_are_never_merged(workspace: Workspace, tmp_path: Path) -> None:
    with workspace as ws:
        ws.brands.add("华为")
        ws.questions.add("Q001 手机哪个好", scene="RISK", question_id="Q001")
        with pytest.raises(UsageError, match="Q001, which differs"):
            ws.questions.add("q001 手机哪个好", scene="RISK", question_id="q001")
        with pytest.raises(UsageError, match="white space"):
            ws.questions.add("平板哪个好", scene="RISK", question_id="Q001 ")
        rows = [
            {"platform": "Kimi", "question_id": one, "question": f"{one} 手机哪个好", "answer": f"推荐华为，{one}。"}
            for one in ("Q001", "q001")
        ]
        file = tmp_path / "answers.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        ws.samples.import_file(file)

        assert [one.question_id for one in ws.questions.list()] == ["Q001"]
        for one in ("Q001", "q001"):
            (line,) = ws.samples.list(question=one)
            assert ws.samples.show(line.sub_task_id).raw_response == f"推荐华为，{one}。"
