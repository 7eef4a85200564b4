import pytest

from measures.behaviour import run_study


@pytest.fixture(scope="session")
def study():
    """The whole study, run once."""
    return run_study()
