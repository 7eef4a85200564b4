"""What drf-spectacular cannot see by itself: the errors every operation may answer with, and its summary."""

from __future__ import annotations

import re
from typing import Any

ERROR_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "sentence", "fix", "problems"],
            "properties": {
                "code": {"type": "string", "description": "Permanent, for programs."},
                "sentence": {"type": "string", "description": "What went wrong, for people."},
                "fix": {"type": "string", "description": "What to do about it; may be empty."},
                "problems": {
                    "type": "array",
                    "description": "Everything that is wrong with the input, all at once.",
                    "items": {
                        "type": "object",
                        "required": ["code", "severity", "where", "found", "expected", "fix"],
                        "properties": {
                            "code": {"type": "string"},
                            "severity": {"type": "string", "enum": ["error", "warning"]},
                            "where": {"type": "string", "description": "File, line or path inside the file."},
                            "found": {"type": "string"},
                            "expected": {"type": "string"},
                            "fix": {"type": "string"},
                        },
                    },
                },
                "scope": {
                    "type": "string",
                    "description": "What the token needs; with `scope-missing`.",
                },
                "retry_after": {"type": "integer", "description": "Seconds; with 429 and 503."},
                "queue_position": {"type": "integer", "description": "With 429 for work that has to queue."},
            },
        }
    },
}
ERRORS: dict[str, str] = {
    "400": "The request or the file in it cannot be used; every problem is listed.",
    "401": "The token is missing, wrong, expired or revoked.",
    "403": "You may see this, but not do this; or your token may not: `scope` says what it needs.",
    "404": "There is no such thing, or you may not see it.",
    "406": "Only JSON is to be had here.",
    "409": "Not in the state it is in now.",
    "413": "Larger than this site takes.",
    "415": "A content type this address does not read.",
    "429": "Too often, or too much unfinished work. `Retry-After` says when to try again.",
    "500": "Our fault; the details are in the server's log.",
    "503": "The database is busy or away. `Retry-After` says when to try again.",
}
PENDING_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["pending"],
    "properties": {
        "pending": {
            "type": "object",
            "required": ["sentence", "retry_after", "address"],
            "properties": {
                "sentence": {"type": "string", "description": "What is going on, for people."},
                "retry_after": {"type": "integer", "description": "Seconds after which to ask again."},
                "address": {"type": "string", "description": "Where to ask."},
            },
        }
    },
}
ANSWERS = frozenset(
    {
        *("leaderboard", "compare", "measures_compared", "robustness", "topic_coverage", "trade_off", "gold_ranks"),
        *("model_selection", "explain", "what_if", "chance", "alike", "matrix"),
        *("agreement", "agreement_of_all", "team"),
    }
)
"""Operations whose response may still have to be computed (`work.answers`)."""
READING = ("400", "401", "403", "404", "406", "429", "500", "503")
RETRY_AFTER = {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}
METHODS = ("get", "post", "put", "patch", "delete")


def add_errors(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Postprocessing hook: give every operation the one error shape under every status it may answer with, and the
    first sentence of its description as its summary."""
    components = result.setdefault("components", {})
    components.setdefault("schemas", {})["Error"] = ERROR_SCHEMA
    components["schemas"]["Pending"] = PENDING_SCHEMA
    components["responses"] = {f"Error{status}": _response(status) for status in ERRORS} | {"Pending": _pending()}
    for path in result["paths"].values():
        for method in METHODS:
            if method in path:
                _describe(path[method], READING if method == "get" else tuple(ERRORS))
    return result


def _describe(operation: dict[str, Any], statuses: tuple[str, ...]) -> None:
    operation["summary"] = re.split(r"[.;](?:\s|$)", operation["description"])[0]
    if operation["operationId"] in ANSWERS:
        operation["responses"]["202"] = {"$ref": "#/components/responses/Pending"}
    for status in statuses:
        operation["responses"].setdefault(status, {"$ref": f"#/components/responses/Error{status}"})


def _pending() -> dict[str, Any]:
    return {
        "description": "It is being computed. `Retry-After` says when to ask again.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pending"}}},
        "headers": {"Retry-After": RETRY_AFTER},
    }


def _response(status: str) -> dict[str, Any]:
    response: dict[str, Any] = {
        "description": ERRORS[status],
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
    if status in {"429", "503"}:
        response["headers"] = {"Retry-After": RETRY_AFTER}
    return response
