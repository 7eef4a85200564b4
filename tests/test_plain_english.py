"""Texts get no harder to read: no file has more likely faults than `tests/plain_english.json` records."""

from __future__ import annotations

import json
from collections import Counter

from scripts.plain_english import RECORD, faults, hits


def test_number_of_likely_faults_never_grows() -> None:
    recorded = json.loads(RECORD.read_text())
    found = list(hits())
    counted = Counter(name for name, _, _ in found)
    grown = {name for name, count in counted.items() if count > recorded.get(name, 0)}
    assert [(name, sentence) for name, sentence, _ in found if name in grown] == []
    improved = {name for name, count in recorded.items() if count > counted[name]}
    assert improved == set(), "run `python scripts/plain_english.py --update` to record the lower counts"


def test_typical_faults_are_found_and_plain_sentences_are_not() -> None:
    assert faults("Refuse what is no list of labels.") == ["a negated noun"]
    assert faults("Lantern cannot be told from Pebble.") == ["told for reported or distinguished"]
    assert faults(" ".join(["word"] * 36)) == ["over 35 words"]
    assert faults("Raise InputError unless the input is a list of labels.") == []
