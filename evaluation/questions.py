"""What scores are kept under: a clustering against a gold standard, by content."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from qc4.measures.registry import REGISTRY
from qc4.model.policies import CHOICES, Policies

NO_VECTORS = "none"


@dataclass(frozen=True, slots=True)
class Question:
    """One clustering's content against one gold standard's content, under one set of policies.

    ``vectors_sha256`` is empty for measures that look at no vectors, and `NO_VECTORS` where there are none to look at:
    other vectors change what those that do look at them say, and nothing else.
    """

    clustering_sha256: str
    gold_sha256: str
    policies: Policies
    vectors_sha256: str = ""

    @property
    def key(self) -> dict[str, str]:
        """The columns that identify the evaluation."""
        return {
            "clustering_sha256": self.clustering_sha256,
            "gold_sha256": self.gold_sha256,
            "policies_sha256": policies_sha256(self.policies),
            "vectors_sha256": self.vectors_sha256,
        }

    def concerns(self, measure: str) -> bool:
        """Whether a measure belongs to this question: those that look at vectors to one with vectors."""
        return looks_at_vectors(measure) == bool(self.vectors_sha256)


def policies_of(given: Mapping[str, str]) -> Policies:
    """The policies an address asks for by their names; what it leaves out keeps its default.

    Raises:
        InputError: a policy has no such choice.
    """
    return Policies.parse({name: given[name] for name in CHOICES if given.get(name)})


def looks_at_vectors(measure: str) -> bool:
    return "vectors" in REGISTRY.get(measure).needs


def policies_sha256(policies: Policies) -> str:
    """SHA-256 of the policies' canonical JSON."""
    text = json.dumps(policies.to_dict(), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
