"""What the site asks of its database when it connects."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SERVER = "postgres://qc4@db.example.org:5432/qc4"


@pytest.mark.parametrize(
    ("address", "options"),
    [(SERVER, "-c jit=off"), (f"{SERVER}?options=", ""), (f"{SERVER}?options=-c%20jit%3Don", "-c jit=on")],
    ids=["by itself", "nothing", "something else"],
)
def test_postgresql_compiles_no_questions_unless_the_address_says_otherwise(
    tmp_path: Path, address: str, options: str
) -> None:
    shown = "json.dumps(settings.DATABASES['default'].get('OPTIONS', {}))"
    code = f"import json; from qc4site import settings; print({shown})"
    env = {**os.environ, "DEBUG": "1", "QC4_DATA_DIR": str(tmp_path), "DATABASE_URL": address}
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert json.loads(told.stdout).get("options", "") == options
