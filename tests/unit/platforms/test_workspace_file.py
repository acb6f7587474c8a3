import re
from pathlib import Path

import pytest

from answerwatch.errors import AnswerwatchError, ConfigurationError, UsageError
from answerwatch.messages import Messages
from answerwatch.platforms.catalogue import catalogue
from answerwatch.platforms.records import ErrorRule, Means, SurfaceKind
from answerwatch.platforms.workspace_file import Platforms, add_platform, read_platforms

MINE = '[platforms.mine]\nbase_url = "https://x.example/v1"\nmodel = "m"\n'


def read(folder: Path, text: str) -> Platforms:
    path = folder / "platforms.toml"
    path.write_text(text, encoding="utf-8")
    return read_platforms(path, catalogue())


def test_a_platform_of_the_catalogue_needs_no_more_than_its_name(tmp_path: Path) -> None:
    [surface] = read(tmp_path, "[platforms.deepseek]\nrate = 7.5\n").all()

    assert (surface.name, surface.rate, surface.key_env) == ("deepseek", 7.5, "DEEPSEEK_API_KEY")
    assert surface.base_url == "https://api.deepseek.com"


def test_any_other_platform_needs_an_address_and_a_model(tmp_path: Path) -> None:
    surface = read(tmp_path, MINE).get("mine")

    assert (surface.base_url, surface.model, surface.key_env, surface.kind) == (
        "https://x.example/v1",
        "m",
        None,
        SurfaceKind.API,
    )


def test_every_other_name_leads_to_the_platform(tmp_path: Path) -> None:
    platforms = read(tmp_path, '[platforms.tongyi]\n[platforms.glm-search]\naliases = ["Zhipu Web"]\n')

    assert platforms.get("qwen") is platforms.get("tongyi") is platforms.get("通义千问")
    assert platforms.get("zhipu web").name == platforms.get("智谱-search").name == "glm-search"
    assert [surface.name for surface in platforms.all()] == ["qwen", "glm-search"]


def test_the_suffix_says_which_surface_it_is(tmp_path: Path) -> None:
    surface = read(tmp_path, MINE.replace("mine", "mine-search") + "body = { online = true }\n").get("mine-search")

    assert (surface.kind, surface.product, surface.search_asked) == (SurfaceKind.SEARCH, "mine", True)


def test_values_are_taken_from_the_platform_it_is_based_on(tmp_path: Path) -> None:
    text = '[platforms.second-key]\nbased_on = "moonshot"\nkey_env = "KIMI_TWO"\n'
    text += 'rules = [{ means = "rate_limited", status = 403 }]\n'
    surface = read(tmp_path, text).get("second-key")

    assert (surface.base_url, surface.key_env, surface.product) == (
        "https://api.moonshot.cn/v1",
        "KIMI_TWO",
        "second-key",
    )
    assert surface.rules == (
        ErrorRule(means=Means.RATE_LIMITED, status=403),
        *catalogue().surfaces["kimi"].rules,
    )


def test_a_workspace_without_the_file_has_no_platforms(tmp_path: Path) -> None:
    assert read_platforms(tmp_path / "platforms.toml", catalogue()).all() == ()


def test_an_unknown_platform_lists_the_known_ones(tmp_path: Path) -> None:
    platforms = read(tmp_path, MINE + "[platforms.deepseek]\n")

    with pytest.raises(UsageError, match="did you mean 'deepseek'\\? known are mine, deepseek"):
        platforms.get("deepsek")


def test_a_platform_that_only_the_catalogue_knows_can_be_added(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"add \[platforms.kimi\] to platforms.toml"):
        read(tmp_path, MINE).get("Moonshot")


REFUSED = [
    (MINE + "rat = 1\n", r"\[platforms.mine\] has the unknown key 'rat'; did you mean 'rate'"),
    (MINE + "rate = 0\n", "rate must be a number above 0"),
    (MINE + "rate = true\n", "rate must be a number above 0"),
    (MINE + "rate = nan\n", "rate must be a number above 0"),
    (MINE + "capacity = 0\n", "capacity must be a whole number from 1"),
    (MINE + "in_flight = 1.5\n", "in_flight must be a whole number from 1"),
    (MINE + "deadline_s = -1\n", "deadline_s must be a number above 0"),
    (MINE + 'key_env = "sk-12345"\n', "key_env must be the NAME of an environment variable"),
    (MINE + 'title_en = "a\\nb"\n', "title_en must be a text of one line"),
    (MINE + "allow_private = 1\n", "allow_private must be true or false"),
    (MINE + 'task_header = "a b"\n', "task_header must be the name of an HTTP header"),
    (MINE + 'auth_header = ""\n', "auth_header must be the name of an HTTP header"),
    (MINE + 'path = "chat"\n', "path must be a path that begins with /"),
    (MINE + 'aliases = "a"\n', "aliases must be a list of names"),
    (MINE + "rules = 1\n", "rules must be a list of rules"),
    (MINE + "body = 1\n", "body must be a table"),
    (MINE + 'price = { currency = "CNY", prompt = -1 }\n', "price must be a number of at least 0"),
    (MINE + 'family = ""\n', "family must be a text that is not empty"),
    (MINE + 'auth_format = "Bearer"\n', "auth_format must be a text with {key}"),
    (MINE + 'headers = { Authorization = "Bearer x" }\n', "headers must be without 'Authorization'"),
    (MINE + 'headers = { x = "a\\nb" }\n', "headers must be a table"),
    (MINE + "body = { messages = [] }\n", "body must be without 'messages'"),
    (MINE + 'rules = [{ means = "fine" }]\n', "rules must be a list of rules"),
    (MINE + 'rules = [{ means = "empty", cod = 1 }]\n', "did you mean 'code'"),
    (MINE + 'price = { currency = "yuan" }\n', "price must be a table with a currency"),
    (MINE + 'based_on = "dipseek"\n', "based_on = 'dipseek': did you mean 'deepseek'"),
    (MINE + 'based_on = "glm-search"\n', "its name must end like"),
    (MINE + 'aliases = ["kimi"]\n[platforms.kimi]\n', "the alias 'kimi' already leads to"),
    (MINE + 'aliases = ["moonshot"]\n', "the alias 'moonshot' already leads to kimi"),
    ('[platforms.mine]\nmodel = "m"\n', "needs base_url"),
    ('[platforms.mine]\nbase_url = "https://x.example"\n', "needs model"),
    ("[platforms.kimi-import]\n", "cannot be asked"),
    ('[platforms."My Model"]\nmodel = "m"\n', "a name has small letters"),
    (f"[platforms.{'x' * 61}]\n", "at most 60"),
    ("[platforms.qwen]\n[platforms.tongyi]\n", "names qwen twice"),
    ("[platform.deepseek]\n", r"unknown table \[platform\]"),
    ("platforms = 1\n", "write tables"),
    ("[platforms]\ndeepseek = 1\n", "must be a table"),
    ("[platforms.x\n", "is not TOML"),
]


def english_in(error: AnswerwatchError) -> list[str]:
    """The English words of what a Chinese session is told; the parsers of TOML and of addresses know no other."""
    told = Messages("zh").of_code(f"error.{error.code}", error.text, error.facts)
    return re.findall(r"\b(?:is|must|be|has|have|needs|with|without|that|known|and)\b", told.partition("TOML：")[0])


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_a_wrong_file_is_refused_with_table_and_key(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as caught:
        read(tmp_path, text)

    assert str(tmp_path / "platforms.toml") in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not english_in(caught.value)


def at(address: str, more: str = "") -> str:
    return f'[platforms.mine]\nbase_url = "{address}"\nmodel = "m"\n{more}'


@pytest.mark.parametrize(
    "address",
    [
        "x.example/v1",
        "ftp://x.example",
        "https://user:pw@x.example",
        "https://x.example/?key=1",
        "https://x.example/#a",
        "https://",
        "https://x.example:port",
        "http://x.example/v1",
        "http://10.0.0.7/v1",
        "https://10.0.0.7/v1",
        "https://169.254.169.254/",
        "https://[fd00::1]/v1",
        "https://intranet/v1",
        "https://box.local/v1",
    ],
)
def test_an_address_that_is_not_safe_to_ask_is_refused(tmp_path: Path, address: str) -> None:
    with pytest.raises(ConfigurationError, match="base_url") as caught:
        read(tmp_path, at(address))

    assert not english_in(caught.value)


@pytest.mark.parametrize("address", ["http://127.0.0.1:9100/v1", "http://localhost:11434/v1", "http://[::1]:8000"])
def test_this_machine_may_always_be_asked(tmp_path: Path, address: str) -> None:
    assert read(tmp_path, at(address)).get("mine").base_url == address


@pytest.mark.parametrize("address", ["http://10.0.0.7/v1", "https://box.local/v1", "http://gateway:3000/v1"])
def test_a_private_network_may_be_asked_when_allowed(tmp_path: Path, address: str) -> None:
    assert read(tmp_path, at(address, "allow_private = true\n")).get("mine").base_url == address


def test_adding_keeps_what_a_person_wrote(tmp_path: Path) -> None:
    path = tmp_path / "platforms.toml"
    path.write_text("# mine\n" + MINE, encoding="utf-8")
    values = {
        "base_url": "http://127.0.0.1:9100/kimi/v1",
        "model": 'sim "answer" 型',
        "rate": 3,
        "capacity": 6,
        "body": {"search": {"on": True, "lists": [1, "a"]}},
        "headers": {"x-sim-fault": "ok"},
        "key_env": "",
    }
    added = add_platform(path, "kimi", values, catalogue())

    assert path.read_text(encoding="utf-8").startswith("# mine\n" + MINE)
    assert read_platforms(path, catalogue()).get("kimi") == added
    assert (added.rate, added.capacity, added.model, added.key_env) == (3, 6, 'sim "answer" 型', None)
    assert added.body == values["body"]


def test_adding_begins_a_file(tmp_path: Path) -> None:
    path = tmp_path / "platforms.toml"
    add_platform(path, "my.model", {"base_url": "http://localhost:1", "model": "m"}, catalogue())

    assert read_platforms(path, catalogue()).get("my.model").model == "m"


@pytest.mark.parametrize("name", ["deepseek", "Moonshot"])
def test_a_name_that_is_taken_is_not_added(tmp_path: Path, name: str) -> None:
    path = tmp_path / "platforms.toml"
    path.write_text("[platforms.deepseek]\n[platforms.kimi]\n", encoding="utf-8")

    with pytest.raises(UsageError, match="already"):
        add_platform(path, name, {}, catalogue())


def test_nothing_is_written_when_a_value_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "platforms.toml"
    with pytest.raises(UsageError, match="rate must be"):
        add_platform(path, "kimi", {"rate": -1}, catalogue())

    assert list(tmp_path.iterdir()) == []
