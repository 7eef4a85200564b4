"""How much the site takes in one request or file, whoever reads it. Limits of what the site stores are in the apps'
`limits.py`; those of the engine alone are in `qc4.io.limits`."""

from __future__ import annotations

from dataclasses import replace

from common.sandbox import Ceiling
from qc4.io import Limits

# --- Ids and names, in characters -------------------------------------------------------------------------------------
KEY_CHARS = 200
"""Ids of queries, pages, topics and streams."""
FILE_NAME_CHARS = 255

# --- Files and requests -----------------------------------------------------------------------------------------------
STREAM_LIMITS = Limits(
    id_chars=KEY_CHARS, json_values=3_000_000, xml_nodes=500_000, cells=5_000_000, clusterings=20_000
)
"""What the engine takes, but ids no longer than their columns, and files that are read in seconds: 30 million tiny
values of JSON in 64 MB would hold a process for a minute and a gigabyte."""
LIMITS = replace(STREAM_LIMITS, pages=10_000, topics=5_000, clusters=10_000, memberships=100_000)
"""And what one query may hold: what the site shows of it, it makes in two seconds and 200 MB, whoever asks (`python -m
bench ceiling`). The engine alone takes more."""
BODY_BYTES = 1024 * 1024
"""A form without files, or JSON of a few fields; `common.routes.Body` says which addresses take more."""
QUICK_AMOUNTS = {
    "file_bytes": 1024 * 1024,
    "archive_bytes": 2 * 1024 * 1024,
    "archive_entries": 500,
    "json_values": 50_000,
    "xml_nodes": 30_000,
    "cells": 100_000,
    "clusterings": 1_000,
}
QUICK = replace(LIMITS, **QUICK_AMOUNTS)
"""What is read while a web process waits for it: nothing within it takes two seconds or 200 MB, whatever it holds. Most
files are far smaller. Others are read in a process of their own."""
CEILING = Ceiling(seconds=60, bytes=2 * 1024**3, answer_bytes=512 * 1024**2)
"""What reading a file apart may cost."""
READ_AT_ONCE = 2
"""Files read apart by one web process or worker. The sender of another one is told to come back."""
LIGHT_BYTES = 64 * 1024
"""Files up to this size (in bytes) are read too quickly to need a place for slow work, unless they are archives."""
REQUEST_BYTES = 4 * 1024 * 1024
"""JSON that is no file: a batch that puts 10,000 pages with long ids into topics."""
REQUEST_LIMITS = replace(LIMITS, json_values=200_000)
DOCUMENT_LIMITS = replace(LIMITS, json_values=1_000_000)
"""JSON that carries a document to begin a draft from: as many values take a process a second."""
REQUEST_FIELDS = 100
"""Of a JSON object that is no file; no request has so many."""
UNKNOWN_NAMES = 10
"""Options nobody knows that an answer names."""
UNKNOWN_CHARS = 60
"""Of such a name, with which it is held against those that are known."""
FORM_BYTES = 64 * 1024
"""What a form may weigh beside its file."""

# --- Numbers ----------------------------------------------------------------------------------------------------------
LARGEST_RANK = 2**31 - 1
LARGEST_ID = 2**63 - 1
LARGEST_VERSION = LARGEST_REVISION = LARGEST_COUNT = 2**31 - 1
"""As the columns of version numbers, of revisions of drafts, and of what comments are counted by."""

# --- Lists in the API -------------------------------------------------------------------------------------------------
PAGE_ROWS = 100
MOST_PAGE_ROWS = 1_000
"""Where so many are asked for."""
