import pytest

from qc4.studies.behaviour import run_study


@pytest.fixture(scope="session")
def study():
    """The whole study, run once."""
    return run_study()
