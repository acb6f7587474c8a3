"""The call log: what the fake platform saw, kept apart from anything the client says about it."""

import json
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path


@dataclass(slots=True, kw_only=True)
class CallRecord:
    """One request as the platform saw it; unknown things are None."""

    # Number of the request since start or reset, from 1.
    n: int
    profile: str
    # First 8 hexadecimal digits of the SHA-256 of the API key; the key itself is never kept.
    key: str | None
    # Model as asked, fault suffix included.
    model: str | None = None
    question: str | None = None
    question_sha: str | None = None
    # The how-manyth request for this X-Sim-Key, or else for this key, question and model; from 1.
    attempt: int | None = None
    # The same without requests that the bucket or the concurrency limit turned away; None when turned away.
    turn: int | None = None
    sim_key: str | None
    # Seconds since the simulator started, and the same moment on the calendar.
    arrived: float
    arrived_at: str
    # Seconds since the simulator started; None while the call is open.
    ended: float | None = None
    # `ok`, a fault of the table, or bucket_strict, e429_concurrency, bad_key, unreadable, no_route, portal.
    fault: str | None = None
    # Status sent; None when the client got none.
    status: int | None = None
    # A whole response body, of whatever status, was handed to a connection that still stood.
    answered: bool = False
    bytes: int = 0
    # SHA-256 of the answer text that was written, delivered or not; None when the reply holds no usable text.
    answer_sha: str | None = None
    # Brands that the answer text names: the planted truth.
    brands: tuple[str, ...] = ()


_FIELDS = tuple(field.name for field in fields(CallRecord))


class CallLog:
    """Records of all calls in memory and, one JSON line when each ends, in a file."""

    def __init__(self, path: Path | None) -> None:
        """Open the file for appending; the folder must exist."""
        self._records: list[CallRecord] = []
        # Unbuffered: a line is with the operating system as soon as its call has ended.
        self._file = FileIO(path, "ab") if path else None

    def next_number(self) -> int:
        """Return the number of the next record."""
        return len(self._records) + 1

    def begin(self, record: CallRecord) -> None:
        """Keep a call that has arrived."""
        self._records.append(record)

    def end(self, record: CallRecord, ended: float) -> None:
        """Note the end of a call and write its line."""
        record.ended = ended
        if self._file is not None:
            self._file.write(json.dumps(_plain(record)).encode() + b"\n")

    def calls(self) -> list[dict[str, object]]:
        """Return all records, oldest first; unfinished ones have `ended` None."""
        return [_plain(record) for record in self._records]

    def arrivals(self) -> dict[str, list[float]]:
        """Return the arrival times by profile."""
        times: dict[str, list[float]] = {}
        for record in self._records:
            times.setdefault(record.profile, []).append(record.arrived)
        return times

    def clear(self) -> None:
        """Forget the records in memory; lines already in the file stay."""
        self._records = []

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _plain(record: CallRecord) -> dict[str, object]:
    """Return a record as a mapping; the values are flat, so the deep copy of `asdict` would only cost time."""
    return {name: getattr(record, name) for name in _FIELDS}


def calendar_time() -> str:
    """Return the present moment in UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
