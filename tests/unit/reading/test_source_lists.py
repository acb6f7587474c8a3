"""Where a list of sources ends: names in it are no mentions, names behind it are."""

import pytest

from answerwatch.reading import Lexicon, clean

LEXICON = Lexicon.of({"小米": ["小米"]})


def count(text: str) -> int:
    brand = clean(text, lexicon=LEXICON).of("小米")
    return 0 if brand is None else brand.mention_count


@pytest.mark.parametrize(
    "behind",
    [
        "综合来看，预算有限时小米仍然是更稳妥的选择，售后网点也多。",
        "If you want one phone that lasts and does not cost too much, pick the 小米 one.",
        "## 小结\n小米值得买。",
    ],
)
def test_an_answer_that_goes_on_after_its_sources_is_read(behind: str) -> None:
    assert count(f"先看资料。\n\n参考资料：\n1. 小米官网\n2. IDC 报告\n\n{behind}") == 1


@pytest.mark.parametrize(
    "entries",
    [
        "1. 小米官网\n\n2. 小米年报",
        "小米官网\n\n小米年报",
        "[1] 小米官网\n\n[2] 小米年报，艾媒咨询，2023 年第一季度，第 12 页。",
        "《小米公司 2023 年年度报告以及社会责任报告摘要》。",
    ],
)
def test_names_in_sources_are_no_mentions(entries: str) -> None:
    assert count(f"手机各有长处，看需要。\n\n参考资料：\n{entries}") == 0
