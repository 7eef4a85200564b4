"""What an adjudication asks about, and the answers there are: names that are stored, sent and shown."""

from __future__ import annotations

from enum import StrEnum


class About(StrEnum):
    """What a question is about."""

    TOPIC = "topic"
    NAME = "name"
    PARENT = "parent"
    PAGE = "page"


class Choice(StrEnum):
    """An answer: as a side has it, or something else. Of topics only some sides have, the answer of a side that has it
    is to take the topic, that of one that has not to leave it out."""

    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    FOURTH = "fourth"
    FIFTH = "fifth"
    SIXTH = "sixth"
    ALL = "all"
    MAJORITY = "majority"
    OUTLIER = "outlier"
    SAME = "same"
    TYPED = "typed"
    SKIP = "skip"
    REOPEN = "reopen"
