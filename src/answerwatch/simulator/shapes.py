"""The layouts real answers come in: each takes brands in order of rank and returns Markdown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from answerwatch.simulator.texts import Phrasebook

_CHINESE_NUMBERS = "一二三四五六七八九十"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩"
_MEDALS = ("🥇", "🥈", "🥉")


@dataclass(frozen=True, slots=True)
class Item:
    """A brand in an answer, why it is there, and a further sentence."""

    brand: str
    reason: str
    detail: str


Items = Sequence[Item]
Shape = Callable[[Items, Phrasebook], str]


def numbered(items: Items, book: Phrasebook) -> str:
    """Write `1. **Brand**: reason`."""
    return "\n".join(
        f"{rank}. **{item.brand}**{book.colon}{item.reason}{book.sentence_end}" for rank, item in enumerate(items, 1)
    )


def bold_numbers(items: Items, book: Phrasebook) -> str:
    """Write `**1. Brand**` with the reason as a bullet below."""
    return "\n\n".join(
        f"**{rank}. {item.brand}**\n- {item.reason}{book.sentence_end}\n- {item.detail}"
        for rank, item in enumerate(items, 1)
    )


def chinese_numbers(items: Items, book: Phrasebook) -> str:
    """Write `一、Brand` with a paragraph below."""
    return "\n\n".join(
        f"{number}、{item.brand}\n{item.reason}{book.sentence_end}{item.detail}"
        for number, item in zip(_CHINESE_NUMBERS, items, strict=False)
    )


def tight_numbers(items: Items, book: Phrasebook) -> str:
    """Write `1、Brand` without the space that Markdown wants."""
    return "\n".join(f"{rank}、{item.brand}{book.colon}{item.reason}；" for rank, item in enumerate(items, 1))


def circled(items: Items, book: Phrasebook) -> str:
    """Write `① Brand` lines."""
    return "\n".join(
        f"{number} {item.brand}{book.colon}{item.reason}{book.sentence_end}"
        for number, item in zip(_CIRCLED, items, strict=False)
    )


def headings(items: Items, book: Phrasebook) -> str:
    """Write a heading with a number for each brand."""
    return "\n\n".join(
        f"### {rank}. {item.brand}\n{item.reason}{book.sentence_end}\n\n> {item.detail}"
        for rank, item in enumerate(items, 1)
    )


def top_n(items: Items, book: Phrasebook) -> str:
    """Write `**TOP1 Brand**` lines."""
    return "\n\n".join(
        f"**TOP{rank} {item.brand}**\n{item.reason}{book.sentence_end}" for rank, item in enumerate(items, 1)
    )


def bullets(items: Items, book: Phrasebook) -> str:
    """Write bullets, which have an order but no numbers."""
    return "\n".join(f"- **{item.brand}**{book.colon}{item.reason}{book.sentence_end}" for item in items)


def table(items: Items, book: Phrasebook) -> str:
    """Write a Markdown table."""
    head = f"| {' | '.join(book.table_head)} |\n| --- | --- | --- |"
    return "\n".join([head, *(f"| **{item.brand}** | {item.reason} | {item.detail} |" for item in items)])


def medals(items: Items, book: Phrasebook) -> str:
    """Write medals for the first three and bullets for the rest."""
    marks = [*_MEDALS, *("-" for _ in items[3:])]
    return "\n".join(
        f"{mark} **{item.brand}** {item.reason}{book.sentence_end}" for mark, item in zip(marks, items, strict=False)
    )


def prose(items: Items, book: Phrasebook) -> str:
    """Write one paragraph."""
    return book.word_gap.join(f"{item.brand}{book.is_known_for}{item.reason}{book.sentence_end}" for item in items)


def first_choice(items: Items, book: Phrasebook) -> str:
    """Write a first choice, a runner-up and the rest in one line."""
    labels = (book.first_choice, book.second_choice)
    lines = [
        f"**{label}{item.brand}**\n{item.reason}{book.sentence_end}" for label, item in zip(labels, items, strict=False)
    ]
    if rest := book.joiner.join(item.brand for item in items[2:]):
        lines.append(f"{book.also}{rest}{book.sentence_end}")
    return "\n\n".join(lines)


EN_SHAPES: tuple[Shape, ...] = (
    numbered,
    bold_numbers,
    headings,
    top_n,
    bullets,
    table,
    medals,
    prose,
    first_choice,
)
ZH_SHAPES: tuple[Shape, ...] = (*EN_SHAPES, chinese_numbers, tight_numbers, circled)
