"""What processes run in tests: functions of a module, as real encoders are."""

import os
import signal
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from answerwatch.similarity.scorer import Floats

END = "end"
TEXTS = [f"{number:03d}" * 100 for number in range(160)]
"""So many characters that several processes share them."""


def length_and_process(texts: Sequence[str]) -> Floats:
    """Return the length of each text beside the id of the process; a text of one word ends the process."""
    if END in texts:
        os.kill(os.getpid(), signal.SIGKILL)
    return np.array([(len(text), os.getpid()) for text in texts], dtype=np.float32)


def leave_a_sign(texts: Sequence[str]) -> Floats:
    """Make the file that the first text names, whatever slashes follow its name."""
    Path(texts[0].rstrip("/")).touch()
    return np.zeros((len(texts), 1), dtype=np.float32)
