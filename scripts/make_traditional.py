"""Write `src/answerwatch/domain/traditional.py` from the single-character table of OpenCC.

Run by hand when OpenCC changes: `uv run --with opencc python scripts/make_traditional.py`.
OpenCC (Apache-2.0) is needed here only; the product ships the table, not the library.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

import opencc

TARGET = Path(__file__).parent.parent / "src" / "answerwatch" / "domain" / "traditional.py"
BLOCKS = ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x323AF))
"""The blocks of Chinese characters."""
MORE = {"妳": "你", "牠": "它", "祂": "他", "麽": "么", "裡": "里", "著": "着"}
"""Forms that a phrase table would turn; taken alone they are other letters of the same word."""
PER_LINE = 50


def pairs() -> list[tuple[str, str]]:
    """Return (traditional, simplified) for every character that OpenCC changes into one other character."""
    convert = opencc.OpenCC("t2s").convert
    found = {}
    for low, high in BLOCKS:
        for code in range(low, high + 1):
            simple = convert(chr(code))
            if len(simple) == 1 and simple != chr(code):
                found[chr(code)] = simple
    found.update(MORE)
    return sorted(found.items())


def literal(name: str, meaning: str, text: str) -> str:
    """Return the source of one long string constant with its docstring."""
    lines = [f'    "{text[i : i + PER_LINE]}"' for i in range(0, len(text), PER_LINE)]
    return f"{name} = (\n" + "\n".join(lines) + f'\n)\n"""{meaning}"""\n'


def main() -> None:
    """Write the module."""
    table = pairs()
    head = (
        '"""Traditional characters and their simplified forms, one to one.\n\n'
        f"Made by `scripts/make_traditional.py` from the character table of OpenCC {version('opencc')} (Apache-2.0);\n"
        'change the script, not this file.\n"""\n\n'
    )
    body = literal("TRADITIONAL", "The traditional characters.", "".join(a for a, _ in table))
    body += "\n" + literal("SIMPLIFIED", "What each becomes, in the same order.", "".join(b for _, b in table))
    TARGET.write_text(head + body, encoding="utf-8")
    sys.stdout.write(f"{len(table)} characters\n")


if __name__ == "__main__":
    main()
