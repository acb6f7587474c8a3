"""answerwatch watches what AI platforms answer.

```python
import answerwatch

lexicon = answerwatch.Lexicon.of({"华为": ["华为", "HUAWEI"]}, exclude={"华为": ["华为云"]})
cleaned = answerwatch.clean("首选华为。", lexicon=lexicon)

with answerwatch.open_workspace("my-folder") as ws:
    ws.init()
    ws.brands.add("华为", aliases=["HUAWEI"])
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from answerwatch.reading import Lexicon, clean
    from answerwatch.workspace import open_workspace

__version__ = "0.1.0.dev0"

__all__ = ["Lexicon", "__version__", "clean", "open_workspace"]


def __getattr__(name: str) -> object:
    """Load the rooms behind the public names when they are first used, so that the command line starts quickly."""
    if name in ("Lexicon", "clean"):
        from answerwatch import reading  # noqa: PLC0415 - see the docstring

        return getattr(reading, name)
    if name == "open_workspace":
        from answerwatch import workspace  # noqa: PLC0415 - see the docstring

        return workspace.open_workspace
    raise AttributeError(f"module 'answerwatch' has no attribute {name!r}")
