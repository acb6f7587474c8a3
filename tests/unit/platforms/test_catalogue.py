import tomllib
from importlib import resources

import pytest

from answerwatch.platforms.catalogue import catalogue, is_collectable
from answerwatch.platforms.fields import NAME
from answerwatch.platforms.records import SurfaceKind

PRODUCTS = tomllib.loads(
    resources.files("answerwatch.platforms").joinpath("catalogue.toml").read_text(encoding="utf-8")
)
SURFACES = list(catalogue().surfaces.values())


@pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: surface.name)
def test_an_entry_is_complete(surface: object) -> None:
    entry = next(one for one in SURFACES if one is surface)

    assert NAME.fullmatch(entry.name)
    assert entry.title_zh
    assert entry.title_en
    assert entry.rate > 0
    assert entry.in_flight >= 1
    assert entry.search_asked is (entry.kind is not SurfaceKind.API)
    assert entry.deadline_s >= entry.connect_s


@pytest.mark.parametrize(
    "name", ["deepseek", "kimi", "qwen", "doubao", "openai", "glm", "ernie", "hunyuan", "glm-search", "ernie-search"]
)
def test_what_the_chat_family_serves_can_be_collected(name: str) -> None:
    surface = catalogue().surfaces[name]

    assert is_collectable(surface)
    assert surface.base_url.startswith("https://")
    assert surface.key_env


@pytest.mark.parametrize(
    "name", ["openai-search", "doubao-app", "qwen-search", "kimi-search", "gemini", "claude", "metaso"]
)
def test_other_protocols_are_listed_but_not_collected_yet(name: str) -> None:
    assert not is_collectable(catalogue().surfaces[name])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tongyi", "qwen"),
        ("TongYi-search", "qwen-search"),
        ("通义千问", "qwen"),
        ("wenxin", "ernie"),
        ("yuanbao", "hunyuan"),
        ("ChatGPT", "openai"),
        ("豆包-app", "doubao-app"),
        ("unheard-of", "unheard-of"),
    ],
)
def test_many_names_lead_to_one_platform(name: str, expected: str) -> None:
    assert catalogue().canonical(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("kimi", "kimi-import"), ("月之暗面", "kimi-import"), ("豆包-app", "doubao-import"), ("x-import", "x-import")],
)
def test_imported_answers_have_a_surface_of_their_own(name: str, expected: str) -> None:
    assert catalogue().import_name(name) == expected


def test_no_other_name_is_given_twice() -> None:
    other = [alias.casefold() for table in PRODUCTS.values() for alias in table.get("aliases", [])]

    assert len(other) == len(set(other))
    assert not set(other) & set(PRODUCTS)
