"""Writes every page of the documentation that is made from code: what `make docs` runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from scripts import data_dictionary_page, settings_page, states_page

PAGES: Mapping[Path, Callable[[], str]] = {
    data_dictionary_page.PAGE: data_dictionary_page.render,
    settings_page.PAGE: settings_page.render,
    states_page.PAGE: states_page.render,
}


def main() -> None:
    """Write all pages."""
    for page, render in PAGES.items():
        page.write_text(render(), encoding="utf-8")
        print(page.name)


if __name__ == "__main__":
    main()
