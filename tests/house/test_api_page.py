"""docs/api.md names every address of the interface."""

import re
from importlib.util import find_spec

import pytest

from tests.house.documents import read, rows

if find_spec("fastapi") is None:
    pytest.skip("fastapi is not installed", allow_module_level=True)

from answerwatch.interfaces.api import batches, pages, similarity

BESIDE = {"/docs", "/docs/start.js"}


def test_every_address_is_told_and_no_other() -> None:
    routes = [route for router in (similarity.router, batches.router, pages.router) for route in router.routes]
    found = [(getattr(route, "path", ""), getattr(route, "methods", ())) for route in routes]
    served = {f"{method} {path}" for path, methods in found for method in methods if path not in BESIDE}
    told = {re.sub(r"[`]", "", cells[0]) for cells in rows(read("docs/api.md"), "# The HTTP interface")}
    assert told == served
