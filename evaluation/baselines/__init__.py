"""Baseline clusterings anyone can run on a collection. Pure functions; nothing here touches Django."""

from evaluation.baselines.catalogue import BASELINES, Baseline, run

__all__ = ["BASELINES", "Baseline", "run"]
