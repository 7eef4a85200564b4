import pytest

from studies.behaviour import run_study
from tests.session import made_once


@pytest.fixture(scope="session")
def study():
    """The whole study, computed once and shared by all test processes."""
    return made_once("study", run_study)
