"""URLs of gold versions."""

from __future__ import annotations

from django.urls import path

from annotations.gold import api

api_of_collection = [
    path("gold-versions/<int:number>", api.GoldVersionView.as_view(), name="gold-version"),
    path("gold-versions/<int:number>/queries/<key:key>", api.GoldView.as_view(), name="gold"),
]
