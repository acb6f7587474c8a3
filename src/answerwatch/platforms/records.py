"""Records of the platforms room: a surface that can be asked, the HTTP call to it, the contract of adapters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from answerwatch.domain.answers import Ask, Received, Reply


class SurfaceKind(StrEnum):
    """Which face of a product is asked; the suffix of a platform's id, never pooled with another."""

    API = "api"
    """The bare model: no suffix."""
    SEARCH = "search"
    """The API with the vendor's web search: `-search`."""
    APP = "app"
    """The vendor's tool that answers like its app: `-app`."""
    IMPORT = "import"
    """Answers collected elsewhere: `-import`; can never be called."""

    @property
    def searches(self) -> bool:
        """Tell whether the request switches web search on."""
        return self in (SurfaceKind.SEARCH, SurfaceKind.APP)


class Means(StrEnum):
    """What a reply that is no answer means: the stable vocabulary of `error_type`, and `filtered`."""

    RATE_LIMITED = "rate_limited"
    """Too fast, or too many at once: wait and slow down."""
    OVERLOADED = "overloaded"
    """The platform's own load, not our speed: wait, do not speed up."""
    QUOTA_USED_UP = "quota_used_up"
    """A quota that comes back by itself, such as tokens per day."""
    SERVER_ERROR = "server_error"
    """The platform failed; it may work later."""
    TIMEOUT = "timeout"
    """No whole reply before the deadline, or silence for too long."""
    CONNECTION = "connection"
    """Not connected, or cut off before the reply was whole."""
    DNS = "dns"
    """The host's name is not known."""
    TLS = "tls"
    """The server's certificate is not trusted."""
    TOO_LARGE = "too_large"
    """The reply is longer than the limit."""
    BAD_REPLY = "bad_reply"
    """Not JSON, or JSON of no known shape: a gateway's page, a cut body."""
    REDIRECTED = "redirected"
    """Sent elsewhere, as by a login page; never followed, because the key would go along."""
    EMPTY = "empty"
    """A whole reply with nothing in it: tried twice more, then stored as it is."""
    BAD_KEY = "bad_key"
    """The credential is wrong, or may not do this."""
    NO_BALANCE = "no_balance"
    """No money, or a quota that a person must raise."""
    ACCOUNT_BLOCKED = "account_blocked"
    """The account may not use this model, tool or address until a person acts."""
    BAD_REQUEST = "bad_request"
    """This one call is not accepted."""
    NOT_FOUND = "not_found"
    """No such model or address."""
    UNKNOWN = "unknown"
    """A code that no rule knows: tried three times in all."""
    FILTERED = "filtered"
    """The content filter answered: an answer, not a failure."""


class Match(StrEnum):
    """How the code of a rule is compared with a reply."""

    EXACT = "exact"
    """A code of the reply equals it, upper and lower case alike."""
    PREFIX = "prefix"
    """A code of the reply begins with it."""
    MESSAGE = "message"
    """The reply's message holds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRule:
    """One line of a platform's table of errors; the first that fits decides."""

    means: Means
    status: int | None = None
    """HTTP status, 200 for an error inside a 200; None fits every status."""
    code: str = "*"
    """`*` fits every code, and none."""
    match: Match = Match.EXACT
    message_has: str = ""
    """The message must hold this too, upper and lower case alike."""
    wait_s: float | None = None
    """Seconds to wait when the server names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a call costs, as published; an estimate, never an invoice."""

    currency: str
    """Three letters, such as `CNY`."""
    prompt: float
    """Per million tokens read."""
    completion: float
    """Per million tokens written."""
    call: float = 0.0
    """Per call on top, for example for a search."""

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return what one call with so many tokens costs."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1_000_000 + self.call


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """Everything needed to ask one surface of one product, and the limits to keep."""

    name: str
    """The platform id: product and suffix of the kind."""
    product: str
    kind: SurfaceKind = SurfaceKind.API
    title_zh: str = ""
    title_en: str = ""
    aliases: tuple[str, ...] = ()
    """Other names that lead here."""
    family: str = "chat"
    """Protocol family; a key of `families.ADAPTERS` when it can be collected."""
    base_url: str = ""
    path: str = "/chat/completions"
    model: str = ""
    body: Mapping[str, object] = field(default_factory=dict, hash=False)
    """Fields added to the request, such as the switch for web search."""
    headers: tuple[tuple[str, str], ...] = ()
    """Extra headers, never a secret."""
    task_header: str | None = None
    """Header that carries the sub-task id; for simulators, real platforms learn nothing of ours."""
    key_env: str | None = None
    """Environment variable that holds the key; None for servers without one."""
    auth_header: str = "authorization"
    auth_format: str = "Bearer {key}"
    rate: float = 1.0
    """Calls started per second, refilled."""
    capacity: int = 2
    """Calls that may start at once after a rest."""
    in_flight: int = 2
    """Calls under way at most, over all workers."""
    connect_s: float = 10.0
    write_s: float = 30.0
    read_gap_s: float = 90.0
    """Longest silence between two pieces of a reply."""
    deadline_s: float = 120.0
    """From sending to the last byte, whatever arrives in between."""
    answer_s: float = 20.0
    """Usual seconds per answer, for planning."""
    price: Price | None = None
    """None: not known, never free."""
    rules: tuple[ErrorRule, ...] = ()
    """The platform's own table of errors, asked before the default table."""
    search_asked: bool = False
    """The request switches web search on."""
    exposes_citations: bool = True
    """Replies can name sources; if not, "no source" says nothing."""
    allow_private: bool = False
    """The address may be one of a private network, and plain http."""

    @property
    def lane(self) -> str:
        """Return the name of the lane whose limits a call uses."""
        return self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpCall:
    """One HTTP request without its secret: pure data, the same for the same ask and surface."""

    sub_task_id: str
    attempt: int
    platform: str
    url: str
    headers: tuple[tuple[str, str], ...]
    """Lower-case names; the credential is added by the sender."""
    body: bytes
    method: str = "POST"


class PlatformAdapter(Protocol):
    """One protocol family: pure, so that a table of replies tests it."""

    def request(self, ask: Ask, surface: Surface) -> HttpCall:
        """Return the call that asks exactly the question, with nothing added to it."""

    def read(self, reply: Reply, surface: Surface) -> Received:
        """Return the answer or the classified failure; never raises, whatever came back."""
