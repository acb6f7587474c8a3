"""Rows of files as answers: which cell means what, what is wrong, and the hash that tells one answer from others."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo

from answerwatch.domain.answers import Citation, CitationKind, CitationOrigin
from answerwatch.domain.ids import check_key
from answerwatch.domain.questions import LONGEST_QUERY, OTHER, check_scene
from answerwatch.domain.said import Said
from answerwatch.domain.seen import content_hash
from answerwatch.domain.texts import in_short, is_blank, storable
from answerwatch.domain.urls import canonical_url
from answerwatch.errors import UsageError
from answerwatch.platforms.names import LONGEST_NAME, is_product, split
from answerwatch.platforms.records import SurfaceKind
from answerwatch.stages.collect.imported import NO_VERSION, ImportedAnswer
from answerwatch.stages.collect.records import LONGEST_ANSWER
from answerwatch.store.sample.samples import FACT_LENGTHS
from answerwatch.workspace.files.cell_faults import Fault, no_text, question_id, refuse_endless
from answerwatch.workspace.files.cells import clean_cell, whole_id
from answerwatch.workspace.files.columns import read_flag, zone_of
from answerwatch.workspace.files.records import FileRow
from answerwatch.workspace.files.row_notes import RowError, long_cell, missing_cell
from answerwatch.workspace.samples.moments import read_moment

_BLANKS = re.compile(r"\s+")
_SEPARATORS = re.compile(r"[;；,，、]")
"""What stands between several platforms in one cell."""
_LINKS = re.compile(r"(https?://[^\s|,;，；、\"'<>]+)(?:[ \t]*\|[ \t]*((?:(?!https?://)[^|\r\n;；])+))?")
"""An address, and the title that may stand behind it and a `|`."""


_BESIDE = frozenset({None, "external_id", "searched", "surface", "question_version", "sample"})
"""Fields, and None for what is none, that are kept beside the answer as they were written."""
_TEXTS = {"model": "model_served", "finish_reason": "finish_reason", "reasoning": "reasoning"}
"""Fields that are texts, with the columns of samples that hold them."""
_VERSION_DIGITS = 6
_DAYS = re.compile(r"[2-7]\d{4}(\.\d+)?")
"""Days from 1954 to 2118 as spreadsheets count them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """What rows mean that leave something out."""

    platform: str | None
    scene: str | None
    zone: tzinfo
    """Of moments without an offset."""
    brand: str
    """Focal brand; '' for none."""
    import_name: Callable[[str], str]
    """Platform id of answers collected elsewhere for any name of a platform."""


def read_answer(row: FileRow, mapping: Mapping[str, str], defaults: Defaults) -> ImportedAnswer | RowError:
    """Return a row as an answer, or what is wrong with it."""
    cells = {field: row.values[column] for column, field in mapping.items() if column in row.values}
    unread = _unread(cells)
    beside = _BESIDE | unread.keys()
    other = {name: value for name, value in row.values.items() if mapping.get(name) in beside}
    earlier = _earlier(cells.get("provenance"))
    try:
        platform, question, answer = _platform(cells, defaults), _question(cells), _answer(cells)
        asked_at = _moment(cells.get("asked_at"), _zone(mapping, defaults))
        sample = _text(cells, "sample")
        told = _surface_of(_text(cells, "platform") or defaults.platform or "")
        surface = _text(cells, "surface") or _text(earlier, "surface") or told or ""
        id_, version, own_scene = question_id(cells.get("question_id")), _version(cells), _own_scene(cells)
        asked = (id_ or "", str(version), own_scene or OTHER, question)
        said = (_external(cells.get("external_id")), "" if asked_at is None else asked_at.isoformat(), answer)
        return ImportedAnswer(
            row=row.line,
            query_text=question,
            answer=answer,
            platform=platform,
            question_id=id_,
            question_version=version,
            scene_type=own_scene or _default_scene(defaults),
            asked_at=asked_at,
            model=_text(cells, "model"),
            finish_reason=_text(cells, "finish_reason"),
            reasoning=_text(cells, "reasoning"),
            citations=read_sources(cells.get("sources")),
            provenance=({} if told is None else {"surface": told}) | earlier | _provenance(other, cells),
            sample_id=sample,
            surface=surface,
            remarks=tuple(unread.values()),
            # The focal brand is no part of it: all brands are read in every answer, a second copy would count twice.
            content_hash=content_hash(platform, surface, *asked, *said, *filter(None, [sample])),
        )
    except Fault as fault:
        return fault.in_row(row.line, mapping)


def _text(cells: Mapping[str, object], field: str) -> str | None:
    value = cells.get(field)
    if value is None or isinstance(value, dict | list):
        return None
    refuse_endless(field, value)
    return clean_cell(str(value)) or None


def _plain(cells: Mapping[str, object], field: str) -> str | None:
    """Return a cell that must be a text, None for an empty one."""
    value = cells.get(field)
    if value is not None and not isinstance(value, str):
        raise Fault(field, "bad_value", no_text(value))
    return _text(cells, field)


def _question(cells: Mapping[str, object]) -> str:
    text = _plain(cells, "question")
    if text is None or is_blank(text):
        raise Fault("question", "missing", missing_cell())
    if len(text) > LONGEST_QUERY:
        raise Fault("question", "too_long", long_cell(len(text), LONGEST_QUERY))
    return text


def _answer(cells: Mapping[str, object]) -> str:
    """Return the answer; an empty cell is an empty answer, which cleaning judges."""
    if "answer" not in cells:
        raise Fault("answer", "missing", missing_cell())
    value = cells["answer"]
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Fault("answer", "bad_value", no_text(value))
    if len(value) > LONGEST_ANSWER:
        raise Fault("answer", "too_long", long_cell(len(value), LONGEST_ANSWER))
    return value


def _platform(cells: Mapping[str, object], defaults: Defaults) -> str:
    named = _plain(cells, "platform") or defaults.platform
    if named is None:
        raise Fault("platform", "missing", missing_cell())
    name = _BLANKS.sub("-", defaults.import_name(named))
    if _SEPARATORS.search(name) or not is_product(name):
        shown = in_short(named)
        message = Said(
            "row_no_platform",
            f"{shown} is not the name of one platform; write it as kimi or 豆包, one for each row",
            value=shown,
        )
        raise Fault("platform", "bad_value", message)
    try:
        return check_key("platform", name, longest=LONGEST_NAME)
    except UsageError as error:
        raise Fault("platform", "bad_value", Said.of_error(error)) from error


def _surface_of(named: str) -> str | None:
    """Return the surface that the name of a platform tells (deepseek-app); the id of imports tells none."""
    kind = split(named.strip().casefold())[1]
    return str(kind) if kind in (SurfaceKind.SEARCH, SurfaceKind.APP) else None


def _own_scene(cells: Mapping[str, object]) -> str | None:
    """Return the scene that a row tells, None when it tells none."""
    told = _text(cells, "scene")
    try:
        return None if told is None else check_scene(told)
    except UsageError as error:
        raise Fault("scene", "bad_value", Said.of_error(error)) from error


def _default_scene(defaults: Defaults) -> str:
    return OTHER if defaults.scene is None else check_scene(defaults.scene)


def _version(cells: Mapping[str, object]) -> int:
    """Return the version of the question that a row tells, that of none when it tells none, as our exports do by 0."""
    value = cells.get("question_version")
    if isinstance(value, bool | list | dict):
        raise Fault("question_version", "bad_value", no_text(value))
    told = whole_id(_text(cells, "question_version") or str(NO_VERSION))
    if not told.isdecimal() or not len(told) <= _VERSION_DIGITS:
        shown = in_short(told)
        message = Said("row_no_version", f"{shown} is no version of a question; give a whole number", value=shown)
        raise Fault("question_version", "bad_value", message)
    return int(told)


def _external(value: object) -> str:
    """Return the id that another system gave to an answer, '' for none; some write it as a record."""
    if isinstance(value, list | dict):
        return json.dumps(value, sort_keys=True)
    return whole_id(_text({"external_id": value}, "external_id") or "")


def _earlier(value: object) -> dict[str, object]:
    """Return what an export says was kept beside the answer; {} for what is none."""
    if isinstance(value, str) and value.startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {"provenance": value}
    if isinstance(value, dict):
        return {str(name): inner for name, inner in value.items()}
    return {} if value in (None, "") else {"provenance": value}


def _provenance(other: Mapping[str, object], cells: Mapping[str, object]) -> dict[str, object]:
    kept = {storable(str(name)).text: value for name, value in other.items() if value not in (None, "")}
    if cells.get("searched") not in (None, ""):
        try:
            kept["searched"] = read_flag(cells["searched"])
        except ValueError:
            kept["searched"] = str(cells["searched"])
    return kept


def _unread(cells: Mapping[str, object]) -> dict[str, Said]:
    """Return the fields whose values are not stored as what they should be, or not whole, with what is said of it."""
    found: dict[str, Said] = {}
    for field, column in _TEXTS.items():
        value, longest = cells.get(field), FACT_LENGTHS.get(column)
        if isinstance(value, list | dict) and value:
            found[field] = _beside(field, no_text(value))
        elif longest is not None and isinstance(value, str) and len(clean_cell(value)) > longest:
            found[field] = _beside(field, long_cell(len(value), longest))
    sources = cells.get("sources")
    if sources and not (isinstance(sources, str) and is_blank(sources)) and not read_sources(sources):
        found["sources"] = _beside("sources", Said("row_no_address", "it holds no address"))
    return found


def _beside(field: str, why: Said) -> Said:
    return Said("row_beside", f"{field}: {why}; the value is kept beside the answer", field=field, why=why)


def _zone(mapping: Mapping[str, str], defaults: Defaults) -> tzinfo:
    """Return the time zone of moments that name none: the one of their header, else that of the workspace."""
    named = (zone_of(column) for column, field in mapping.items() if field == "asked_at")
    return next(named, None) or defaults.zone


def _moment(value: object, zone: tzinfo) -> datetime | None:
    if value is None or (isinstance(value, str) and not clean_cell(value)):
        return None
    try:
        return read_moment(value, zone)
    except ValueError as error:
        raise Fault("asked_at", "bad_value", _no_moment(in_short(value))) from error


def _no_moment(shown: str) -> Said:
    if _DAYS.fullmatch(shown):
        text = f"{shown} looks like a day as spreadsheets count them; show the cell as a date and save it again"
        return Said("row_day", text, value=shown)
    text = f"{shown} is no moment from 1990 to 2100; write 2026-07-01 12:30 or 2026-07-01T12:30:00+08:00"
    return Said("row_no_moment", text, value=shown)


def read_sources(value: object) -> tuple[Citation, ...]:
    """Return sources given as a list of addresses or records, or as text that holds addresses.

    A record may say `kind`: cited (the usual one) or retrieved.
    """
    citations: list[Citation] = []
    places: Counter[CitationKind] = Counter()
    known: set[tuple[CitationKind, str]] = set()
    for url, title, kind in _found(value):
        address = canonical_url(url)
        if address is None or (kind, url) in known:
            continue
        known.add((kind, url))
        places[kind] += 1
        canonical, domain = address
        citations.append(
            Citation(
                position=places[kind],
                url=storable(url).text,
                canonical_url=storable(canonical).text,
                domain=domain,
                title=None if title is None else storable(title).text,
                kind=kind,
                origin=CitationOrigin.PLATFORM,
            )
        )
    return tuple(citations)


_Source = tuple[str, str | None, CitationKind]
"""Address, title and kind."""


def _found(value: object) -> Iterator[_Source]:
    if isinstance(value, str):
        yield from _in_text(value)
    elif isinstance(value, dict):
        yield _in_record(value)
    elif isinstance(value, list):
        for part in value:
            yield from _found(part)


def _in_text(text: str) -> Iterator[_Source]:
    if text.lstrip().startswith(("[", "{")):
        try:
            yield from _found(json.loads(text))
        except (ValueError, RecursionError):
            pass  # a text that only looks like JSON still holds addresses
        else:
            return
    for url, title in _LINKS.findall(text):
        yield url, title.strip() or None, CitationKind.CITED


def _in_record(record: Mapping[str, object]) -> _Source:
    url = next((record[name] for name in ("url", "link", "href", "uri") if record.get(name)), "")
    title = next((record[name] for name in ("title", "name", "site_name") if record.get(name)), None)
    kind = CitationKind.RETRIEVED if record.get("kind") == CitationKind.RETRIEVED else CitationKind.CITED
    return str(url), None if title is None else str(title), kind
