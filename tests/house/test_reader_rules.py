"""A changed rule of reading comes with a new version, because results of both stand side by side in one database."""

import json

from scripts.reader_rules import NOTE, fingerprint, rules

MEND = (
    "The code of reading/ is not what tests/house/reader_rules.json noted. Can any answer be read differently now? "
    "Then raise READER_VERSION in reading/reader.py and tell it in CHANGELOG.md. In any case run "
    "`make reader-rules` and commit the note."
)


def test_the_rules_of_reading_are_those_noted_for_their_version() -> None:
    assert json.loads(NOTE.read_text(encoding="utf-8")) == rules(), MEND


def test_a_changed_pattern_is_seen_and_a_changed_comment_is_not() -> None:
    source = '"""Rules."""\n\nWORDS = ("a", "b")\n"""Words."""\n'

    told_better = '"""The rules."""\nWORDS = ("a", "b")\n# why\n"""Words\nthat count."""\n'
    assert fingerprint({"rules.py": told_better}) == fingerprint({"rules.py": source})
    assert fingerprint({"rules.py": source.replace("b", "c")}) != fingerprint({"rules.py": source})
    assert fingerprint({"others.py": source}) != fingerprint({"rules.py": source})


def test_a_raised_version_alone_changes_no_rule() -> None:
    first, second = 'READER_VERSION = "r1"\nX = 1\n', 'READER_VERSION = "r2"\nX = 1\n'

    assert fingerprint({"reader.py": first}) == fingerprint({"reader.py": second})
