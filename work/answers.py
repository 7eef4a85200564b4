"""Answers: results that are computed from stored inputs and may take more than a moment. Each kind is declared once.

An answer depends on checked options, and on ids of things that never change or change only with their revision. Its key
is a hash of these, of the name of its kind and of the engine's version. The key does not depend on the caller, so two
people who can see the same inputs share an answer. Every view checks which inputs the caller can see before it looks up
the answer.

`Answer.get` returns the stored result if there is one, and computes a cheap result itself. It leaves a costly one to a
worker and raises `Pending`: then a page shows that the result is being computed, and the API returns 202. Outside
requests (in workers, commands and tests) every result is computed immediately, because nobody else would compute it.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import Any, ClassVar, Generic, Protocol, TypeVar, get_args, get_type_hints

from django.db import transaction
from django.db.models import Model, Q
from django.db.models.functions import Now
from django.utils import timezone

from common.database import write_unless_locked
from qc4.problems import InputError, Problem
from qc4.version import ENGINE_VERSION
from work.budget import TooManyAnswers, count_costly_answer, is_awaited, is_in_request, spend_request_budget
from work.models import AnswerPart, StoredAnswer, pack, unpack
from work.records import RECORDS
from work.wakeups import wake_on_commit

LAYOUT = 1
"""Version of the storage format. Answers stored in another version are computed again."""
STORED_FROM_SHARE = 0.05
"""An answer that costs less than this share of a request's budget is not stored."""
RETRY_SECONDS = 2
"""Seconds after which a client should ask again."""
FAILURE_SECONDS = 600
"""A failure is reported for this long. After that, the answer is computed again."""
SOURCES_PER_QUERY = 200
"""Number of deleted sources that one database query searches for."""

State = StoredAnswer.State


class AnswerInputs(Protocol):
    """The inputs of an answer: a frozen dataclass of ids and options."""

    @property
    def scope(self) -> str:
        """The collection, such as "collection 3". Its answers are deleted with it."""

    @property
    def sources(self) -> Iterable[str]:
        """The other rows that the answer depends on, see `source_name`. It is deleted with any of them."""


InputsT = TypeVar("InputsT", bound=AnswerInputs)
ResultT = TypeVar("ResultT")


class Pending(Exception):  # noqa: N818  # nothing is wrong: it becomes a 202
    """The answer is being computed.

    Attributes:
        retry_after: seconds after which the client should ask again.
        meanwhile: a partial result that a page can show now; None if there is none.
    """

    def __init__(self, meanwhile: object = None) -> None:
        super().__init__("being worked out")
        self.retry_after = RETRY_SECONDS
        self.meanwhile = meanwhile

    def showing(self, meanwhile: object) -> Pending:
        """Return a copy with a partial result that a page can show now."""
        return Pending(meanwhile)


class AnswerFailed(Exception):  # noqa: N818  # users read it as a state
    """The answer could not be computed because of a fault of the site."""


class InputsDeleted(Exception):  # noqa: N818  # not a fault
    """An input of the answer was deleted before the answer was computed."""


class Answer(Generic[InputsT, ResultT]):
    """One kind of answer.

    Args:
        name: the name of the kind, stored with each answer.
        inputs: the type of the inputs: a frozen dataclass, see `AnswerInputs`.
        result: the type of the result: a dataclass, or tuples and mappings of dataclasses (see `work.records`).
        compute: a function that computes the result from the inputs. It reads the database and writes nothing.
        cost: a function that returns the cost of an answer in the unit of ``cheap``, such as memberships or scores.
        cheap: the largest cost that a request computes itself, which takes about a tenth of a second.
        parts: names of long lists in the result -> number of rows that are stored and read together.
    """

    KINDS: ClassVar[dict[str, Answer[Any, Any]]] = {}

    def __init__(
        self,
        name: str,
        inputs: type[InputsT],
        result: Any,
        compute: Callable[[InputsT], ResultT],
        *,
        cost: Callable[[InputsT], float],
        cheap: float,
        parts: Mapping[str, int] | None = None,
    ) -> None:
        if name in self.KINDS:
            raise ValueError(f"The name {name!r} is already used by another kind of answer.")
        self.name, self.inputs, self.result, self.compute = name, inputs, result, compute
        self.cost, self.cheap = cost, cheap
        self.parts = dict(parts or {})
        self._key_parts = [LAYOUT, ENGINE_VERSION, name, record_fields(result)]
        self.KINDS[name] = self

    def key(self, inputs: InputsT) -> str:
        """Return the SHA-256 of everything that the answer depends on."""
        text = json.dumps([*self._key_parts, RECORDS.unstructure(inputs)], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def get(self, inputs: InputsT) -> ResultT:
        """Return the stored answer, or compute it if it is cheap.

        Raises:
            Pending: a worker is computing the answer, or will.
            InputError: the inputs do not allow an answer.
            AnswerFailed: the computation failed.
            work.budget.TooManyAnswers: the caller has recently requested too many costly answers.
        """
        found, content = self.stored(inputs)
        if found:
            return self.read(content)
        share = self.cost(inputs) / self.cheap
        if not is_in_request() or spend_request_budget(share):
            try:
                result = self.compute(inputs)
            except InputsDeleted:
                if is_in_request():
                    raise Pending from None  # an input changed just now, so the next request asks with other inputs
                raise
            if share >= STORED_FROM_SHARE:
                write_unless_locked(lambda: self.store(inputs, result), f"the answer {self.name}")
            return result
        self._queue({self.key(inputs): inputs})
        raise Pending

    def get_all(
        self,
        inputs: Sequence[InputsT],
        compute: Callable[[Sequence[InputsT]], Sequence[ResultT]],
        *,
        is_needed: bool = True,
    ) -> list[ResultT | None]:
        """Return several answers, with None for each that is not computed yet.

        This takes one database query if all answers are stored.

        Args:
            compute: a function that computes the results of several inputs at once.
            is_needed: False if the page can do without these answers. Then nothing is raised.

        Raises:
            InputError, AnswerFailed, work.budget.TooManyAnswers: as in `get`, for any of the answers.
        """
        keys = [self.key(one) for one in inputs]
        parts = AnswerPart.objects.filter(answer__in=keys, field="", answer__state=State.DONE)
        known = {key: self.read(unpack(bytes(content))) for key, content in parts.values_list("answer_id", "packed")}
        left = {key: one for key, one in zip(keys, inputs, strict=True) if key not in known}
        for key, error in self._failed(left):
            if is_needed:
                raise _stored_error(error)
            del left[key]
        computed_here = {
            key: one
            for key, one in left.items()
            if not is_in_request() or spend_request_budget(self.cost(one) / self.cheap)
        }
        fresh = dict(zip(computed_here, compute(tuple(computed_here.values())), strict=True)) if computed_here else {}
        if fresh:
            write_unless_locked(lambda: self._store_all(computed_here, fresh), f"answers {self.name}")
        with suppress(*(() if is_needed else (TooManyAnswers,))):
            self._queue({key: one for key, one in left.items() if key not in computed_here})
        known |= fresh
        return [known.get(key) for key in keys]

    def _failed(self, keys: Collection[str]) -> list[tuple[str, Any]]:
        """Return the keys of the answers that failed recently, with the error of each."""
        if not keys:
            return []
        recently = timezone.now() - timedelta(seconds=FAILURE_SECONDS)
        rows = StoredAnswer.objects.filter(pk__in=keys, state=State.FAILED, made_at__gt=recently)
        return list(rows.values_list("pk", "error"))

    def _store_all(self, inputs: Mapping[str, InputsT], results: Mapping[str, ResultT]) -> None:
        """Store several results, except those that somebody else has stored in the meantime."""
        there = set(StoredAnswer.objects.filter(pk__in=results).values_list("pk", flat=True))
        parts = {key: pack(RECORDS.unstructure(one, self.result)) for key, one in results.items() if key not in there}
        StoredAnswer.objects.bulk_create(
            StoredAnswer(key=key, size=len(content), **self._row(inputs[key], state=State.DONE, made_at=Now()))
            for key, content in parts.items()
        )
        AnswerPart.objects.bulk_create(AnswerPart(answer_id=key, packed=content) for key, content in parts.items())

    def stored(self, inputs: InputsT) -> tuple[bool, Any]:
        """Return whether the answer is stored, and its content, with one database query.

        Raises:
            InputError, AnswerFailed: the computation failed recently.
        """
        rows = StoredAnswer.objects.filter(pk=self.key(inputs), state__in=(State.DONE, State.FAILED))
        found = rows.values_list("state", "used_at", "made_at", "error", "parts__packed", "parts__field")
        for state, used_at, made_at, error, content, field in found:
            if state == State.FAILED:
                if made_at and error and timezone.now() - made_at < timedelta(seconds=FAILURE_SECONDS):
                    raise _stored_error(error)
                return False, None
            if field:
                continue
            if timezone.now() - used_at > timedelta(days=1):
                write_unless_locked(lambda: rows.update(used_at=Now()), "the use of an answer")
            return True, unpack(bytes(content))
        return False, None

    def is_stored(self, inputs: InputsT) -> bool:
        """Return True if the answer is stored."""
        return StoredAnswer.objects.filter(pk=self.key(inputs), state=State.DONE).exists()

    def rows(self, inputs: InputsT, field: str, start: int, stop: int) -> list[Any]:
        """Return some rows of a long list in their stored form. The answer must be stored."""
        size = self.parts[field]
        wanted = AnswerPart.objects.filter(
            answer=self.key(inputs), field=field, number__gte=start // size, number__lt=-(-stop // size)
        )
        found = [row for part in wanted.order_by("number") for row in part.content]
        first = start // size * size
        return found[start - first : stop - first]

    def records(self, inputs: InputsT, result: ResultT, field: str, start: int, stop: int) -> list[Any]:
        """Return some rows of a long list as records, from the result if it has just been computed, or from the store.

        Args:
            result: the result that `get` returned.
        """
        whole = getattr(result, field)
        if whole or start >= stop:
            return list(whole[start:stop])
        rows = self.rows(inputs, field, start, stop)
        return list(RECORDS.structure(rows, get_type_hints(self.result)[field]))

    def as_json(self, inputs: InputsT, result: ResultT, field: str) -> bytes:
        """Return a long list as JSON. Stored JSON is returned as it is, without building records.

        Args:
            result: the result that `get` returned.
        """
        whole = getattr(result, field)
        if whole:
            return json.dumps(RECORDS.unstructure(whole)).encode()
        parts = AnswerPart.objects.filter(answer=self.key(inputs), field=field).order_by("number")
        stored = (zlib.decompress(bytes(content)) for content in parts.values_list("packed", flat=True).iterator(1))
        return b"[" + b",".join(part[1:-1] for part in stored) + b"]"

    def iter_rows(self, inputs: InputsT, field: str) -> Iterator[Any]:
        """Yield all rows of a long list in their stored form, one part at a time. The answer must be stored."""
        parts = AnswerPart.objects.filter(answer=self.key(inputs), field=field).order_by("number")
        for part in parts.iterator(chunk_size=10):
            yield from part.content

    def read(self, content: Any) -> ResultT:
        """Build the result from its stored content."""
        result: ResultT = RECORDS.structure(content, self.result)
        return result

    def store(self, inputs: InputsT, result: ResultT) -> None:
        """Store the result. A worker that computes the same answer can no longer store its own."""
        with transaction.atomic():
            key = self.key(inputs)
            StoredAnswer.objects.filter(pk=key).delete()
            StoredAnswer.objects.create(key=key, **self._row(inputs, state=State.DONE, made_at=Now()))
            self.write_parts(key, result)

    def write_parts(self, key: str, result: ResultT) -> None:
        """Replace the stored content of an answer. Call this inside a transaction."""
        content = RECORDS.unstructure(result, self.result)
        parts = [
            AnswerPart(answer_id=key, field=field, number=n, packed=rows)
            for field, n, rows in self._take_parts(content)
        ]
        parts.append(AnswerPart(answer_id=key, packed=pack(content)))
        AnswerPart.objects.filter(answer_id=key).delete()
        AnswerPart.objects.bulk_create(parts, batch_size=50)
        StoredAnswer.objects.filter(pk=key).update(size=sum(len(part.packed) for part in parts))

    def _take_parts(self, content: Any) -> Iterable[tuple[str, int, bytes]]:
        """Move the long lists out of the content. Yield the field, the number and the packed rows of each part."""
        for field, size in self.parts.items():
            rows = content[field]
            content[field] = []
            for number, start in enumerate(range(0, len(rows), size)):
                yield field, number, pack(rows[start : start + size])

    def _row(self, inputs: InputsT, **values: Any) -> dict[str, Any]:
        sources = " ".join(sorted(set(inputs.sources)))
        return {
            "name": self.name,
            "asked": RECORDS.unstructure(inputs),
            "scope": inputs.scope,
            "sources": f" {sources} ",
            **values,
        }

    def _queue(self, inputs: Mapping[str, InputsT]) -> None:
        """Queue one computation for each key. A later request for the same key waits for the same computation."""
        waited_for = is_awaited()
        rows = StoredAnswer.objects.filter(pk__in=inputs)
        states = dict(rows.values_list("pk", "state"))
        prepared = rows.filter(state__in=(State.QUEUED, State.RUNNING), waited_for=False)
        if waited_for and states and prepared.exists():
            write_unless_locked(lambda: prepared.update(waited_for=True), f"the priority of answer {self.name}")
        new = [key for key in inputs if states.get(key, State.FAILED) == State.FAILED]
        if not new:
            return
        if waited_for:
            count_costly_answer()

        def queue() -> None:
            rows.filter(state=State.FAILED).delete()
            made = [StoredAnswer(key=key, **self._row(inputs[key], waited_for=waited_for)) for key in new]
            StoredAnswer.objects.bulk_create(made, ignore_conflicts=True)
            wake_on_commit()

        write_unless_locked(queue, f"the request for answer {self.name}")  # if this fails, the next request queues it


def source_name(row: Model) -> str:
    """Return the name of a row in `AnswerInputs.sources`: the name of its model and its id, such as "submission 12"."""
    return f"{row._meta.model_name} {row.pk}"


def delete_answers(scope: str, sources: Iterable[str] | None = None) -> None:
    """Delete the answers of a collection that depend on any of the sources, or all its answers if sources is None.

    Call this in the transaction that deletes the sources. A worker that is computing such an answer then loses its
    lease.
    """
    rows = StoredAnswer.objects.filter(scope=scope).only("pk")
    if sources is None:
        rows.delete()
        return
    wanted = [Q(sources__contains=f" {source} ") for source in sources]
    for start in range(0, len(wanted), SOURCES_PER_QUERY):
        rows.filter(reduce(or_, wanted[start : start + SOURCES_PER_QUERY])).delete()


def record_fields(of: Any) -> Any:
    """Return the field names of a record and of all records in it. If they change, answers are computed again."""
    found: dict[str, list[str]] = {}
    _add_fields(of, found)
    return sorted(found.items())


def _add_fields(of: Any, found: dict[str, list[str]]) -> None:
    for inner in get_args(of):
        _add_fields(inner, found)
    if isinstance(of, type) and is_dataclass(of) and of.__qualname__ not in found:
        found[of.__qualname__] = [field.name for field in fields(of)]
        for hint in get_type_hints(of).values():
            _add_fields(hint, found)


def failure(error: InputError | None, sentence: str = "") -> Mapping[str, Any]:
    """Return the stored form of a failure."""
    problems: Sequence[Problem] = error.problems if error else ()
    return {"sentence": sentence, "problems": [RECORDS.unstructure(one) for one in problems]}


def _stored_error(error: Mapping[str, Any]) -> Exception:
    if error["problems"]:
        return InputError(RECORDS.structure(one, Problem) for one in error["problems"])
    return AnswerFailed(error["sentence"])
