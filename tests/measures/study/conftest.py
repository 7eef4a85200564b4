import pytest

from measures.study import run_study


@pytest.fixture(scope="session")
def study():
    """The whole study, run once."""
    return run_study()
