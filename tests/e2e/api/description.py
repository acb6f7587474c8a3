"""Answers held against the description (OpenAPI) that the same server gives of itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import httpx2
from jsonschema import Draft202012Validator

DESCRIPTION = "/api/v1/openapi.json"
BESIDE = ("/docs", "/healthz", "/readyz", "/metrics", DESCRIPTION)
"""Addresses that are no part of the interface."""


@dataclass(frozen=True, slots=True)
class Description:
    """The description of one server."""

    document: dict[str, Any]

    @classmethod
    def of(cls, client: httpx2.Client) -> Description:
        """Ask a server for it."""
        return cls(client.get(DESCRIPTION).json())

    def check(self, response: httpx2.Response) -> None:
        """Fail for an answer that the description does not foresee."""
        path, status = response.request.url.path, str(response.status_code)
        operations = self._operations(path)
        if path.startswith(BESIDE) or not operations or status == "405":
            return
        foreseen = operations[response.request.method.lower()]["responses"]
        assert status in foreseen, f"{path} is not said to answer {status}"
        media_type = response.headers["content-type"].partition(";")[0]
        assert media_type in foreseen[status]["content"], f"{path} is not said to answer {media_type} with {status}"
        if media_type.endswith("json") and media_type != "application/x-ndjson":
            response.read()
            schema = {**foreseen[status]["content"][media_type]["schema"], "components": self.document["components"]}
            Draft202012Validator(schema).validate(response.json())

    def _operations(self, path: str) -> dict[str, Any]:
        """Return the operations of the address that stands for a path; one without places goes first."""
        for template in sorted(self.document["paths"], key=lambda one: one.count("{")):
            if re.fullmatch(re.sub(r"\{[^}]+\}", "[^/]+", template), path):
                found: dict[str, Any] = self.document["paths"][template]
                return found
        return {}
