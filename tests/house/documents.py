"""Takes the documents apart for the tests about them: code blocks, commands, links."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from tests.house.sources import ROOT, tracked_files

FENCE = re.compile(r"^```(?P<kind>\w*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\((?P<target>[^)#\s]+)(?:#[^)]*)?\)")
HEREDOC = re.compile(r"<<'(?P<end>\w+)'\n.*?^(?P=end)$", re.MULTILINE | re.DOTALL)
END_OF_COMMAND = {"|", "||", "&", "&&", ";", "<", ">", ">>"}


def read(name: str) -> str:
    """The text of a document, named from the root of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def documents() -> list[Path]:
    """Every tracked Markdown file."""
    return [path for path in tracked_files() if path.suffix == ".md"]


def blocks(text: str) -> list[tuple[str, str]]:
    """Kind and body of every fenced block."""
    return [(match["kind"], match["body"]) for match in FENCE.finditer(text)]


def commands(text: str, program: str) -> Iterator[list[str]]:
    """The words after `program` of every call of it in shell blocks and in inline code."""
    shell = [line for kind, body in blocks(text) if kind == "sh" for line in HEREDOC.sub("", body).splitlines()]
    inline = [match[1] for match in INLINE.finditer(FENCE.sub("", text))]
    for line in [*shell, *inline]:
        yield from calls(line, program)


def calls(line: str, program: str) -> Iterator[list[str]]:
    """The words after `program` for each time that a line of shell starts it."""
    if program not in line:
        return
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words: list[str] = []
    for word in [*lexer, ";"]:
        if word not in END_OF_COMMAND:
            words.append(word)
            continue
        if words[:1] == [program] and len(words) > 1:
            yield words[1:]
        words = []


def links(text: str) -> list[str]:
    """The targets of links that stay inside the repository."""
    targets = [match["target"] for match in LINK.finditer(FENCE.sub("", text))]
    return [target for target in targets if "://" not in target]


def rows(text: str, heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, without the table's own head."""
    below = text.split(f"{heading}\n", maxsplit=1)[1]
    lines = [line for line in below[below.index("\n|") :].split("\n\n", maxsplit=1)[0].splitlines() if line]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
