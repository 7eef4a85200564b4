"""Baselines that anyone can run on a collection. Pure functions without Django."""

from evaluation.baselines.catalogue import BASELINES, Baseline, run
from evaluation.baselines.orders import BaselineSpec

__all__ = ["BASELINES", "Baseline", "BaselineSpec", "run"]
