"""Pages beside the resources."""

import re
from importlib.resources import files

import httpx2

from tests.e2e.api.test_jobs import JOBS, handed_in


def test_the_documentation_loads_nothing_from_elsewhere(client: httpx2.Client) -> None:
    page = client.get("/docs")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "unsafe-inline" not in page.headers["content-security-policy"].partition("script-src")[2].partition(";")[0]
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert loaded
    assert all(one.startswith("/") and client.get(one).status_code == 200 for one in loaded)
    assert "/api/v1/openapi.json" in client.get("/docs/start.js").text


def test_the_description_names_every_address_and_its_answers(client: httpx2.Client) -> None:
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    assert paths[JOBS]["post"]["responses"]["202"]["content"]["application/json"]["schema"]["$ref"].endswith("/JobView")
    assert set(paths) >= {JOBS, f"{JOBS}/{{job_id}}", f"{JOBS}/{{job_id}}/results", "/api/v1/batches/{batch_id}"}


def test_the_documentation_can_show_a_description_of_this_version(client: httpx2.Client) -> None:
    script = client.get("/docs/assets/swagger-ui-bundle.js").text
    assert client.get("/api/v1/openapi.json").json()["openapi"].startswith("3.1.")
    assert "isOAS31" in script, "Swagger UI before 5 shows descriptions of OpenAPI 3.0 alone"


def test_styles_load_nothing_from_elsewhere() -> None:
    styles = (files("fastapi_offline") / "static" / "swagger-ui.css").read_text(encoding="utf-8")
    assert "@import" not in styles
    assert all(one.lstrip("\"'").startswith("data:") for one in re.findall(r"url\(([^)]{6})", styles))


def test_every_answer_is_kept_out_of_caches_and_frames(client: httpx2.Client) -> None:
    for path in (JOBS, "/healthz", "/nothing", "/metrics"):
        headers = client.get(path).headers
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]


def wait_until_ready(client: httpx2.Client) -> dict[str, object]:
    """Ask until the worker beside the server has begun; each look costs some work, so this is no busy waiting."""
    reply = client.get("/readyz")
    for _ in range(10_000):
        if reply.status_code == 200:
            break
        reply = client.get("/readyz")
    return dict(reply.json())


def test_health_readiness_and_metrics(client: httpx2.Client) -> None:
    assert client.get("/healthz").json()["healthy"] is True
    assert wait_until_ready(client) == {"ready": True, "reasons": []}
    metrics = client.get("/metrics").text
    assert 'answerwatch_tasks{queue="similarity",state="ready"} 0.0' in metrics


def test_metrics_tell_of_open_jobs(client_without_workers: httpx2.Client) -> None:
    job = handed_in(client_without_workers)
    reply = client_without_workers.get("/metrics")
    assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert f'answerwatch_similarity_pairs{{job="{job}",state="pending"}} 6.0' in reply.text
    assert 'answerwatch_dead_letters{queue="similarity"} 0.0' in reply.text
