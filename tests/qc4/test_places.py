"""Where ids stand in a list: short lists and long ones are answered in two ways, which say the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.model import ids as places
from qc4.model.ids import Places

ids = st.lists(st.text("ab", max_size=3), max_size=40)


@pytest.mark.parametrize("hashed", [hash, lambda id: len(id) << 40], ids=["own hashes", "shared hashes"])
@given(known=ids.filter(len), asked=ids)
def test_long_lists_say_what_a_dictionary_says(hashed, known, asked):
    index = {id: place for place, id in enumerate(known)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "MANY", 0)
        patch.setattr(places, "_AT_A_TIME", 7)
        patch.setattr(places, "hash", hashed, raising=False)
        found = Places(known)
        assert found.of(asked).tolist() == [index.get(id, -1) for id in asked]
        assert found.all_differ == (len(set(known)) == len(known))


def test_lists_of_any_length_say_the_same():
    assert Places(["a", "b", "a"]).of(("b", "x", "a")).tolist() == [1, -1, 2]
    assert not Places(["a", "b", "a"]).all_differ
    assert Places([]).all_differ
    assert Places([]).of(["a"]).tolist() == [-1]
    many = [f"p{number}" for number in range(2 * places.MANY)]
    assert Places(many).all_differ
    assert not Places([*many, "p7"]).all_differ
    assert Places(many).of([*reversed(many), "x"]).tolist() == [*reversed(range(len(many))), -1]
