"""`python -m bench` runs only benchmarks, and lists them."""

from __future__ import annotations

import pytest

from bench.__main__ import BY_NAME_ONLY, benchmarks, main


def test_every_benchmark_has_a_run_function() -> None:
    found = benchmarks()
    assert {"board", "pages", "reading", *BY_NAME_ONLY} <= found.keys()
    assert all(callable(module.run) for module in found.values())


@pytest.mark.parametrize("name", ["large", "serving", "no-such-benchmark"])
def test_helper_module_is_not_a_benchmark(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`large` makes the data of `pages`. Naming it once ended `python -m bench` with a traceback."""
    with pytest.raises(SystemExit) as error:
        main([name])
    assert error.value.code == 2
    message = capsys.readouterr().err
    assert f"unknown benchmark: {name}" in message
    assert "pages, partition_measures, qc4, reading" in message
