"""Texts that are made to be slow: one mark, one name or one structure, again and again."""

from __future__ import annotations

from collections.abc import Callable, Mapping


def _of(piece: str) -> Callable[[int], str]:
    """Return what makes a text of about so many characters out of one piece."""
    return lambda length: piece * max(1, length // len(piece))


def _behind(before: str, piece: str, after: str = "") -> Callable[[int], str]:
    """Return what makes such a text between two others."""
    return lambda length: before + piece * max(1, length // len(piece)) + after


def _numbered(length: int) -> str:
    return "".join(f"{number}. 华为好\n" for number in range(length // 9))


def _table(length: int) -> str:
    """Return a table of few rows and thousands of columns."""
    return "|华为" * (length // 7) + "|\n" + "|---" * (length // 7) + "|\n"


def nested_list(depth: int) -> str:
    """Return lists inside each other, so deep."""
    return "".join(f"{'  ' * level}- 华为第{level}款不错\n" for level in range(depth))


def _rows(length: int) -> str:
    return "|a|b|\n|---|---|\n" + "|华为|好|\n" * (length // 7)


def _header(cell: str) -> Callable[[int], str]:
    """Return what makes a table whose header has thousands of such cells, over thousands of rows with one."""
    return lambda length: f"|品牌{cell * (length // 6)}|\n|--|\n" + "|华为|\n" * (length // 10)


HOSTILE: Mapping[str, Callable[[int], str]] = {
    "stars": _of("**"),
    "stars below a title": _behind("来源\n", "*"),
    "stars before a title": _behind("", "*", "来源x"),
    "blanks behind a title": _behind("来源", " ", "x"),
    "pipes": _of("|"),
    "brackets": _of("["),
    "parentheses": _of("("),
    "angles": _of(">"),
    "less-than": _of("<"),
    "backticks": _of("`"),
    "tildes": _of("~"),
    "hashes": _of("#"),
    "dashes": _of("- "),
    "emphasis": _of("*a"),
    "underscores": _of("_a_"),
    "fences": _of("```\n"),
    "line feeds": _of("\n"),
    "blanks": _of(" "),
    "digits": _of("1"),
    "stops": _of("。"),
    "commas": _of("、"),
    "colons": _of("："),
    "quotes": _of("“"),
    "emoji": _of("😀"),
    "invisible": _of("\u200b"),
    "accents": _of("\u0301"),
    "entities": _of("&amp;"),
    "thoughts": _of("<think>"),
    "thoughts in a line": _of("a<think>"),
    "short thoughts": _of("<think>a</think>"),
    "thoughts between fences": _of("```\na\n```\n<think>x</think>\n"),
    "half addresses": _of("http://"),
    "addresses": _of("http://a.example/x "),
    "links": _of("[华为](http://a.example)"),
    "links beside addresses": _of("[a](http://x.example/a) http://y.example/b "),
    "indices": _of("数组abcd[1] "),
    "pictures": _of("![a]("),
    "markers": _of("[1]"),
    "lists of sources": _of("来源：\n1. 官网\n\n综合来看，这一款在同一价位里仍然是更稳妥的选择。\n\n"),
    "sources": _of("[^1]: http://a.example\n"),
    "one name": _of("华为"),
    "names": _of("华为 "),
    "one sentence": _of("好的华为不错，"),
    "words of praise": _of("首选"),
    "praise": _of("首选华为，"),
    "warnings": _of("不推荐华为"),
    "exceptions": _of("除了华为"),
    "negations": _of("not "),
    "the latter": _of("华为和小米，后者好。"),
    "pronouns": _of("华为。它好。"),
    "pronouns far away": lambda length: "华为" + "好" * (length // 2) + "小米" + "它" * (length // 2),
    "an order": _of("华为 > 小米 > "),
    "apologies": _of("抱歉，我无法"),
    "English": _of("Apple is the best and "),
    "items": _of("1. 华为\n"),
    "numbered items": _numbered,
    "headings": _of("# 华为\n"),
    "quotations": _of("> 华为\n"),
    "sub-items": _of("* 华为：\n  * 好\n"),
    "columns": _table,
    "rows": _rows,
    "columns of places": _header("|排名"),
    "columns of verdicts": _header("|推荐"),
    "second choices": _behind("首选华为，", "其次小米，"),
    "what is good too": _behind("首选华为。", "小米也不错。"),
    "lists of sellers": _of("销量榜：\n- 华为不推荐\n\n"),
    "last words": _of("## 最终推荐\n- 华为\n\n## 其他\n- 小米\n\n"),
    "names in a line": lambda length: "华为 " * (length // 3) + "\n小米：好\n华为：好\n",
    "words without blanks": _of("Apple)A-"),
    "pictures in pictures": lambda length: "![" * (length // 12) + "a" + "](http://x)" * (length // 12),
    "names over lines": _of("华\n为好 "),
}
"""What is repeated, and the text of about so many characters."""
