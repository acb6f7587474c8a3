"""Fixtures and settings that every test folder shares."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
SHARED_DATA = ROOT.parent / "shared" / "data"

CI = os.environ.get("CI") == "true"

# A busy machine must not fail a property: examples have no deadline, and a failure prints how to repeat it.
# Under CI the examples are the same every time, so that a red run can be repeated; elsewhere they are new every time.
settings.register_profile("house", deadline=None, print_blob=True, derandomize=CI)
settings.load_profile("house")


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of reference data that lies beside the checkout; required under CI, optional elsewhere."""
    if SHARED_DATA.is_dir():
        return SHARED_DATA
    if CI:
        pytest.fail("the reference data is missing: ../shared/data must lie beside the checkout under CI")
    pytest.skip("the reference data is not here: put it at ../shared/data beside the checkout")
