"""URLs of gold versions."""

from __future__ import annotations

from annotations.gold import api
from common.routes import Cost, endpoint

api_of_collection = [
    endpoint("gold-versions/<int:number>", api.GoldVersionView.as_view(), name="gold-version", cost=Cost.COMPUTES),
    endpoint("gold-versions/<int:number>/queries/<key:key>", api.GoldView.as_view(), name="gold", cost=Cost.COMPUTES),
]
