"""Baseline clusterings anyone can run on a collection. Pure functions; nothing here touches Django."""

from evaluation.baselines.catalogue import BASELINES, Baseline, run
from evaluation.baselines.orders import Order

__all__ = ["BASELINES", "Baseline", "Order", "run"]
