"""Any lexicon goes through a file and comes back as it was."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from answerwatch.domain.brands import Alias, AliasKind, Brand, MatchMode, Role, Rule, RuleKind
from answerwatch.workspace.brands.files.plan import make_plan
from answerwatch.workspace.brands.files.read_file import read_lexicon_file
from answerwatch.workspace.brands.files.write_file import write_lexicon
from answerwatch.workspace.brands.names import key

NAMES = st.sampled_from(["模型", "平台", "brand", "别名", "_x005F_x000D_", "<r>a</r>"]) | st.text(
    st.sampled_from("=+-@'\"“;,|、<>&ＡＢab19 .·\u0301が𠮷华为華為品牌是否类别")
    | st.characters(exclude_categories=["C", "Z"]),
    min_size=1,
    max_size=12,
).filter(lambda text: text == text.strip() and text.isprintable() and any(ch.isalnum() for ch in text) and key(text))


@st.composite
def brands(draw: st.DrawFn) -> list[Brand]:
    """Brands whose names differ after folding, each with its standard name among its aliases."""
    names = draw(st.lists(NAMES, min_size=1, max_size=8, unique_by=key))
    cuts = sorted(draw(st.sets(st.integers(1, len(names)), max_size=3)) | {len(names)})
    return [draw(brand(names[low:high])) for low, high in zip([0, *cuts], cuts, strict=False)]


@st.composite
def brand(draw: st.DrawFn, names: list[str]) -> Brand:
    aliases = tuple(
        Alias(
            text=name,
            kind=draw(st.sampled_from(AliasKind)),
            match_mode=draw(st.sampled_from(MatchMode)),
            is_active=draw(st.booleans()) or number == 0,
        )
        for number, name in enumerate(names)
    )
    phrases = draw(st.lists(NAMES, max_size=3, unique_by=key))
    rules = tuple(
        Rule(
            kind=RuleKind.REQUIRE,
            pattern=phrase,
            alias=draw(st.none() | st.sampled_from(names)),
            window=draw(st.none() | st.integers(1, 1000)),
            is_active=draw(st.booleans()),
        )
        for phrase in phrases
    )
    domains = draw(st.lists(st.sampled_from(["a.example", "b.example", "华为.example"]), max_size=2, unique=True))
    return Brand(
        brand_id=names[0],
        standard_name=names[0],
        role=draw(st.sampled_from(Role)),
        aliases=aliases,
        rules=rules,
        domains=tuple(domains),
        is_active=draw(st.booleans()),
    )


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("ending", ["csv", "jsonl", "xlsx"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=30)
@given(lexicon=brands())
def test_a_lexicon_comes_back_as_it_was(tmp_path: Path, ending: str, language: str, lexicon: list[Brand]) -> None:
    file = tmp_path / f"lexicon.{ending}"

    write_lexicon(file, lexicon, language=language, force=True)
    read = read_lexicon_file(file)
    anew = make_plan([], read.rows, whole=False, force=True)
    again = make_plan(lexicon, read.rows, whole=True, force=True)

    assert [*read.errors, *read.notes, *anew.errors, *anew.notes] == []
    assert anew.after == lexicon
    assert (again.changes, again.unchanged) == ((), len(read.rows))
