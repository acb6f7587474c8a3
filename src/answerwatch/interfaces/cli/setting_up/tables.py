"""How settings are shown to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answerwatch.interfaces.cli.listing import Listing
from answerwatch.interfaces.cli.session import Session

if TYPE_CHECKING:
    from answerwatch.settings import SettingView


def _setting_row(session: Session, setting: SettingView) -> tuple[object, ...]:
    return setting.key, setting.value, session.word("origin", setting.origin)


SETTINGS: Listing[SettingView] = Listing(columns=("setting", "value", "origin"), row=_setting_row)
