"""Hits as a Parquet file, written group of rows after group of rows."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from answerwatch.errors import ConfigurationError
from answerwatch.workspace.files.fresh_file import fresh_file
from answerwatch.workspace.similarity.rows import COLUMNS
from answerwatch.workspace.similarity.views import Hit

ROWS_AT_ONCE = 50_000
"""Rows of a group: memory does not depend on how many there are."""
WORDS = 32 * 2**20
"""Bytes of different texts that a group keeps once each: a text stands in as many rows as it has pairs."""


def write_parquet(hits: Iterable[Hit], out: Path, *, force: bool) -> int:
    """Write hits and return how many.

    Raises ConfigurationError where pyarrow is missing, UsageError for a file that is there.
    """
    if find_spec("pyarrow") is None:
        text = "Parquet needs pyarrow: pip install 'answerwatch[parquet]'."
        raise ConfigurationError("parquet_extra", text)
    import pyarrow as pa  # noqa: PLC0415 - an extra
    import pyarrow.parquet as pq  # noqa: PLC0415 - an extra

    kinds = {"left_line": pa.int32(), "right_line": pa.int32(), "score": pa.float32()}
    words = pa.dictionary(pa.int32(), pa.string())
    kinds |= {"source": words, "scorer_id": words}
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in COLUMNS])
    count, waiting = 0, iter(hits)
    with (
        fresh_file(out, force=force) as file,
        pq.ParquetWriter(file, schema, compression="zstd", dictionary_pagesize_limit=WORDS) as writer,
    ):
        while part := list(islice(waiting, ROWS_AT_ONCE)):
            values = {name: [getattr(hit, name) for hit in part] for name in COLUMNS}
            writer.write_table(pa.table(values, schema=schema))
            count += len(part)
    return count
