"""Items: the lists of an answer as a tree, and what each item is about."""

from __future__ import annotations

import re
from bisect import bisect_left

from answerwatch.reading.lines import BLANK, BULLET, HEADING, NUMBERED, PROSE, ROW, TITLE, Kind, Line, read_lines
from answerwatch.reading.lists import Item, ItemList
from answerwatch.reading.records import Match, Region
from answerwatch.reading.tables import Row, Table
from answerwatch.reading.titles import (
    ASKING_HEAD,
    ASPECT_TITLE,
    CONDITION_LABEL,
    NEGATIVE_TITLE,
    PICK_TITLE,
    STEP_HEAD,
)
from answerwatch.reading.yardsticks import LIKENESS_AFTER, YARDSTICK_BEFORE

_DELIMITER = re.compile(
    r"[：:。，,；; \t—*.](?:(?<=[：:。，,；;])|(?<=[ \t])[-–—|][ \t]|(?<=—)—|(?<=\*)\*(?=[^*])|(?<=\.)[ ])"
)
_LABEL_LENGTH = 18
_LABEL_LENGTH_LATIN = 40
"""Characters up to which the text before a colon is a label and the name may come after it."""
_SEPARATOR = re.compile(r"[：:*_\s–—|-]*")
_LEAD = re.compile(
    r"\*\*[^*\n]{1,60}\*\*[ \t]*[:：]|\*\*[^*\n]{1,60}[:：]\*\*"
    r"|(?:首选|次选|备选|第[一二三]选择|(?:first|second|third) choice|runner-up)[^：:\n]{0,8}[：:]"
)
_SENTENCE = re.compile(r"[。，！？；,!?;]|\.[ ]")
_TITLE_DEPTH = 7
_ITEM_DEPTH = 8
_LONG_HEAD = 80
_LONG_TITLE = 400
_PICTURES = "\u2600"
"""The first of the pictures among the characters."""
_PICTURE_REACH = 12
"""Characters behind a picture in which a name begins."""
_PICTURED = "picture"
"""Style of a line that has a picture for its bullet."""
_WARNING_SIGNS = frozenset("❌✖✗✘❎🚫👎⛔⚠❗❓🙅")
_BULLETS = ("- ", "* ", "+ ", "•")
_OPENING = " \t*_[“\"'《【「"
"""What may stand before the name that leads a head."""
_LOOKED_AT = ("看", "查", "问", "认准")
"""Begin a label that says what to look at."""
_SUCH_AS = frozenset({"", "如", "例如", "比如", "像", "即", "有", "是", "选", "the", "try"})
"""What may stand between a label and the name that it is the label of."""


def read_items(text: str, mentions: tuple[Match, ...]) -> tuple[list[Item], list[Row]]:
    """Return every item of the lists of `text`, in order, and what the rows of its tables say.

    Tables give an item for each body row that they do not turn down.
    """
    builder = _Builder(text, mentions)
    for line in read_lines(text):
        builder.take(line)
    return builder.items, builder.rows


class _Builder:
    """One pass over the lines: the open lists, and the last line that may announce one."""

    def __init__(self, text: str, mentions: tuple[Match, ...]) -> None:
        self.items: list[Item] = []
        self.rows: list[Row] = []
        self._text = text
        self._mentions = mentions
        self._starts = [match.match_position for match in mentions]
        self._open: list[ItemList] = []
        self._announcing: Line | None = None
        self._after_blank = True
        self._rows = 0
        self._table: Table | None = None
        self._pictured: ItemList | None = None
        """The last list with pictures for bullets, which goes on over the bullets below its items."""
        self._titled: Item | None = None
        """The title in the line before, if it was one."""

    def take(self, line: Line) -> None:
        """Take up the next line."""
        if line.kind is BLANK:
            self._rows = 0
            self._after_blank = True
            return
        if line.number is not None:
            line = self._without_number(line)
        if line.kind is PROSE and self._is_pictured(line):
            line = line._replace(kind=BULLET, style=_PICTURED)
        if line.kind is ROW:
            self._row(line)
        else:
            self._rows = 0
            if line.kind is PROSE and not _LEAD.match(self._text, line.body):
                self._prose(line)
            else:
                self._item(line)
        self._after_blank = False

    def _is_pictured(self, line: Line) -> bool:
        """Return whether a line has a picture and then a name: 🪥 A. Crosses and warnings put nothing forward."""
        picture = self._text[line.start : line.body].strip()
        if not picture or picture[0] < _PICTURES or picture[0] in _WARNING_SIGNS:
            return False
        first = next(iter(self._between(line.body, line.body + _PICTURE_REACH)), None)
        return first is not None and not self._text[line.body : first.match_position].strip(_OPENING)

    def _without_number(self, line: Line) -> Line:
        """Return a line whose number is the beginning of a name as one without a number (A. O. Smith, 360：x)."""
        named = self._between(line.start, line.body)
        if not named:
            return line
        bullet = self._text.startswith(_BULLETS, line.start + line.indent)
        kind = line.kind if line.kind is not NUMBERED else BULLET if bullet else PROSE
        return line._replace(kind=kind, body=named[0].match_position, number=None, stated=False, style="")

    def _prose(self, line: Line) -> None:
        self._below_title(line)
        self._announcing = line
        announces = not line.indent and self._said(line).endswith((":", "："))
        if announces and (self._after_blank or self._is_in_bullets()):
            self._close(_ITEM_DEPTH)

    def _is_in_bullets(self) -> bool:
        """Return whether the open list is one of bullets at the margin, which a line with a colon ends."""
        here = self._open[-1] if self._open else None
        return here is not None and here.kind is BULLET and here.depth == _ITEM_DEPTH and here.parent is None

    def _below_title(self, line: Line) -> None:
        """Take the name that leads the first line below a title without one as the title's: ### 首选, 华为 P70，…."""
        item, self._titled = self._titled, None
        if item is None or item.brands or not PICK_TITLE.search(item.title) or NEGATIVE_TITLE.search(item.title):
            return
        _, _, brands = self._head(line.body, line.end)
        first = next(iter(self._between(line.body, line.end)), None)
        if brands and first and not self._text[line.body : first.match_position].strip(_OPENING):
            item.brands, item.leads, item.counts_out = brands, True, True

    def _said(self, line: Line) -> str:
        """Return the end of a line, without marks."""
        return self._text[max(line.start, line.end - 200) : line.end].strip(" \t*_")

    def _announcement(self) -> tuple[str, frozenset[str]]:
        """Return the last thing said before the list that opens now, and the brands it names."""
        line = self._announcing
        if line is None:
            return "", frozenset()
        intro = _SENTENCE.split(self._said(line).rstrip("。.!！?？"))[-1]
        return intro, frozenset(self._named(line.end - len(intro) - 2, line.end))

    def _close(self, depth: int) -> None:
        while self._open and self._open[-1].depth >= depth:
            self._open.pop()

    def _item(self, line: Line) -> None:
        if line.kind is TITLE and self._titled is not None and self._titled.line.kind is HEADING:
            self._below_title(line)
        pictured = line.style == _PICTURED
        owner = self._pictured if pictured and self._pictured is not None else self._list_for(line)
        if pictured or line.kind is not BULLET:
            self._pictured = owner if pictured else None
        self._add(line, owner, line.body)
        self._titled = None
        if line.kind is HEADING or line.kind is TITLE:
            self._announcing = None
            self._titled = self.items[-1]

    def _add(self, line: Line, owner: ItemList, start: int) -> None:
        head_end, label, brands = self._head(start, line.end)
        first = next(iter(self._between(start, head_end)), None) if brands else None
        leads = first is not None and not self._text[start : first.match_position].strip(_OPENING)
        whole = line.kind is HEADING or line.kind is TITLE
        title = self._text[start : min(line.end, start + _LONG_TITLE)].strip(" \t*_#") if whole else label
        item = Item(line, owner, start, head_end, label, brands, title, leads)
        owner.items.append(item)
        self.items.append(item)

    def _list_for(self, line: Line) -> ItemList:
        """Return the open list that the line continues, or open one for it."""
        depth = _depth(line)
        while self._open and self._open[-1].depth > depth:
            self._open.pop()
        style = line.kind + line.style if line.kind is NUMBERED or line.style == _PICTURED else line.kind
        for index in range(len(self._open) - 1, -1, -1):
            if self._open[index].depth < depth:
                break
            if self._open[index].style == style:
                del self._open[index + 1 :]
                return self._open[index]
        nested = line.kind is BULLET and self._open and self._open[-1].kind is NUMBERED
        if not nested:
            self._close(depth)
        return self._open_list(depth, style, line.kind)

    def _open_list(self, depth: int, style: str, kind: Kind) -> ItemList:
        holder = next((one for one in reversed(self._open) if one.items), None)
        parent = holder.items[-1] if holder else None
        intro, about = self._announcement()
        if not intro:
            intro, about = (parent.title, frozenset(parent.brands)) if parent else ("", frozenset())
        opened = ItemList(depth, style, kind, parent, intro, about=about)
        if parent is not None:
            parent.children.append(opened)
        self._open.append(opened)
        self._announcing = None
        return opened

    def _row(self, line: Line) -> None:
        """Take a table row: the first is the header, rows after the rule are items."""
        row = self._text[line.body : line.end]
        self._rows += 1
        if self._rows == 1:
            self._close(_ITEM_DEPTH + line.indent)
            self._open_list(_ITEM_DEPTH + line.indent, "row", ROW).header = row
            self._table = Table(self._text, line, self._between)
        elif set(row) - set("|-: \t") and self._open and self._table is not None:
            said = self._table.read(line)
            if said.start is not None:
                self._add(line, self._open[-1], said.start)
            self.rows.append(said)

    def _head(self, start: int, end: int) -> tuple[int, str, tuple[str, ...]]:
        """Return where the head ends, its label and the brands it names."""
        stop = self._delimiter(start, min(end, start + _LONG_HEAD))
        label = self._text[start:stop].strip(" \t*_#|")
        if not self._names_any(start, end):
            return stop, label, ()
        named = () if STEP_HEAD.match(label) or ASKING_HEAD.match(label) else self._named(start, stop)
        if (
            named
            or not label
            or len(label) > (_LABEL_LENGTH_LATIN if label.isascii() else _LABEL_LENGTH)
            or CONDITION_LABEL.match(label)
            or ASPECT_TITLE.search(label)
            or NEGATIVE_TITLE.search(label)
            or label.startswith(_LOOKED_AT)
        ):
            return stop, label, named
        after = _SEPARATOR.match(self._text, stop)
        begin = after.end() if after else stop
        further = self._delimiter(begin, min(end, begin + _LONG_HEAD))
        first = next(iter(self._between(begin, further)), None)
        if first is None or self._text[begin : first.match_position].strip(_OPENING) not in _SUCH_AS:
            return stop, label, ()
        return further, label, self._named(begin, further)

    def _delimiter(self, start: int, end: int) -> int:
        found = _DELIMITER.search(self._text, start, end)
        while found and not self._text[start : found.start()].strip(" \t*_“\"'"):
            found = _DELIMITER.search(self._text, found.end(), end)
        return found.start() if found else end

    def _named(self, start: int, end: int) -> tuple[str, ...]:
        names = [
            match.standard_name
            for match in self._between(start, end)
            if not YARDSTICK_BEFORE.search(self._text[max(start, match.match_position - 12) : match.match_position])
            and not LIKENESS_AFTER.match(self._text, match.end)
        ]
        return tuple(dict.fromkeys(names))

    def _names_any(self, start: int, end: int) -> bool:
        index = bisect_left(self._starts, start)
        return index < len(self._starts) and self._starts[index] < end

    def _between(self, start: int, end: int) -> tuple[Match, ...]:
        return self._mentions[bisect_left(self._starts, start) : bisect_left(self._starts, end)]


def _depth(line: Line) -> int:
    if line.kind is HEADING:
        return line.level
    if line.kind is TITLE or (line.kind is NUMBERED and line.style.startswith("**")):
        return _TITLE_DEPTH
    return _ITEM_DEPTH + line.indent // 2


def region_of(items: list[Item], position: int) -> Region:
    """Return where a counted mention or a pronoun stands within the lists; prose where it is in none."""
    index = bisect_left(items, position + 1, key=lambda item: item.line.start) - 1
    if index < 0 or position >= items[index].line.end:
        return Region.PROSE
    item = items[index]
    if item.line.kind is ROW:
        return Region.TABLE
    if item.line.kind in {HEADING, TITLE}:
        return Region.HEADING
    return Region.ITEM_HEAD if position < item.head_end else Region.ITEM_BODY
