"""Reads scripts: YAML files that say how the fake platforms behave.

A script in full; every field may be left out:

```yaml
seed: 7                                  # same seed, question and turn: same bytes
# What stands here holds for every profile; a profile replaces whole fields.
latency: {median_ms: 300, p95_ms: 900}   # log-normal; a bare number is a fixed time
slow: {share: 0.04, seconds: 20}         # this share of the answers takes this long instead
retry_after_s: 2                         # what 429 and 503 ask for
profiles:
  deepseek:                              # served under /deepseek/v1; bare /v1 is "default"
    bucket: {rate: 5, capacity: 10, slack: 1}   # strict limit; slack forgives uneven arrival, default 0
    max_in_flight: 8                     # more calls at once get 429
    faults: {e500: 0.02, e429_retry_after: 0.05, "slow_first_byte:3": 0.01}
    sequence: [429, 429, ok]             # or "429,429,ok": turns of every question, then the faults above
    per_question:                        # part of the question, or 12+ digits of its SHA-256
      coffee: refusal_text
      hotpot: [e500, e500, ok]           # by turn; the last one stays
    keys: [sk-sim-1]                     # other keys get 401; none listed: all accepted
    models: [sim-answer]                 # other models get 404; none listed: all accepted
    served_model: sim-answer-2026        # model named in the replies
    language: auto                       # auto, zh, en
    brands:                              # name: probability, or a list with made-up probabilities
      zh: {砚山咖啡: 0.6, 霁白咖啡: 0.3}
      en: [Larkmoor Coffee, Bluewicket]
    question_spread: 0.1                 # how far a probability moves from question to question
    sources_share: 0.2                   # plain answers that cite sources
    answers: by_count                    # by_count, by_key, by_question
    blank_every_s: 1                     # keep-alive faults: pause between blank lines
```

A fault is a name of the table in `faults.py`, `name:number` or a bare status. A *turn* counts the requests of one
X-Sim-Key (or else of one key, question and model) that bucket and concurrency limit let through, so that throttling
does not change what is answered.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from answerwatch.simulator.errors import ScriptError
from answerwatch.simulator.script_fields import read_settings, read_whole_number
from answerwatch.simulator.settings import Settings


@dataclass(frozen=True, slots=True)
class Script:
    """How every profile of a server behaves."""

    seed: int = 0
    # For profiles that are not listed.
    base: Settings = field(default_factory=Settings)
    profiles: Mapping[str, Settings] = field(default_factory=dict)

    def settings_for(self, profile: str) -> Settings:
        """Return the settings of a profile, the common ones when the script does not list it."""
        return self.profiles.get(profile, self.base)


def load_script(path: Path) -> Script:
    """Read a script file; raise ScriptError naming the file when it cannot be read or understood."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ScriptError(f"cannot read the script {path}: {error}") from error
    try:
        return parse_script(text)
    except ScriptError as error:
        raise ScriptError(f"{path}: {error}") from error


def parse_script(text: str) -> Script:
    """Read a script from YAML (or JSON) text; raise ScriptError naming the field that is wrong."""
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ScriptError(f"the script is not YAML: {error}") from error
    if data is None:
        return Script()
    if not isinstance(data, Mapping):
        raise ScriptError("a script is a mapping of fields, for example `seed: 7`")
    return script_from(data)


def script_from(data: Mapping[object, object]) -> Script:
    """Read a script from plain values; raise ScriptError naming the field that is wrong."""
    fields = dict(data)
    seed = read_whole_number(fields.pop("seed", 0), "seed")
    listed = fields.pop("profiles", None) or {}
    if not isinstance(listed, Mapping):
        raise ScriptError("profiles must be a mapping of names to fields")
    base = read_settings(fields, Settings(), "")
    profiles = {str(name): read_settings(values, base, f"profiles.{name}.") for name, values in listed.items()}
    return Script(seed, base, profiles)
