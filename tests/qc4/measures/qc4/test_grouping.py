"""Grouping of equal keys by a table and by sorting gives the same groups."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.measures.qc4 import sorting


@pytest.mark.parametrize("cells_per_key", [0, 1_000], ids=["sorted", "counted"])
@given(st.lists(st.integers(0, 20), min_size=1, max_size=30))
def test_groups_agree_with_numpy(cells_per_key, keys):
    different, group, sizes = np.unique(keys, return_inverse=True, return_counts=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorting, "CELLS_PER_KEY", cells_per_key)
        found = sorting.grouped(np.array(keys), 21)
    assert found.keys.tolist() == different.tolist()
    assert found.group.tolist() == group.tolist()
    assert found.sizes.tolist() == sizes.tolist()


@given(st.integers(1, 10**9))
def test_no_keys_give_no_groups(bound):
    assert [part.size for part in sorting.grouped(np.empty(0, dtype=np.int64), bound)] == [0, 0, 0]
