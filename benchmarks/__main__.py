"""Run benchmarks: `python -m benchmarks [NAME ...] [--quick] [--json PATH]`.

The exit code is 0 also where targets are missed, for a figure depends on the machine; it is 1 when a benchmark breaks.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import traceback
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import orjson

from answerwatch import __version__
from benchmarks.catalogue import BENCHMARKS
from benchmarks.frame import LeftOut, Options, Row
from benchmarks.table import render

Results = dict[str, list[Row]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named benchmarks, or all, print their figures and return the exit code."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    if unknown := sorted(set(chosen.names) - set(BENCHMARKS)):
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    options = Options(quick=chosen.quick)
    results: Results = {}
    broken = [name for name in chosen.names or BENCHMARKS if not _ran(name, options, results)]
    if chosen.json:
        chosen.json.write_bytes(orjson.dumps(_document(results, options, broken), option=orjson.OPT_INDENT_2))
    return 1 if broken else 0


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure speed against targets.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--quick", action="store_true", help="small inputs: shows that it works, not how fast it is")
    parser.add_argument("--json", type=Path, metavar="PATH", help="also write the figures to this file")
    return parser


def _ran(name: str, options: Options, results: Results) -> bool:
    """Run one benchmark and print its table; tell whether it ran to its end or was left out."""
    try:
        rows = BENCHMARKS[name](options)
    except LeftOut as reason:
        print(f"\n{name}: left out, {reason}")
        return True
    except Exception:  # noqa: BLE001 - one broken benchmark must not hide the figures of the others
        print(f"\n{name}: broken", file=sys.stderr)
        traceback.print_exc()
        return False
    results[name] = rows
    print(render(name, rows), flush=True)
    return True


def _document(results: Results, options: Options, broken: Sequence[str]) -> dict[str, object]:
    """Return figures, and what they were measured on, as plain values."""
    return {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": __version__,
        "quick": options.quick,
        "machine": {
            "python": platform.python_version(),
            "system": platform.system(),
            "architecture": platform.machine(),
            "cores": os.cpu_count(),
        },
        "broken": list(broken),
        "rows": [_plain(name, row) for name, rows in results.items() for row in rows],
    }


def _plain(benchmark: str, row: Row) -> dict[str, object]:
    """Return one figure as plain values."""
    return {
        "benchmark": benchmark,
        "name": row.name,
        "measured": row.measured,
        "unit": row.unit,
        "target": row.target,
        "better": row.better,
        "verdict": row.verdict,
        "note": row.note,
    }


if __name__ == "__main__":
    sys.exit(main())
