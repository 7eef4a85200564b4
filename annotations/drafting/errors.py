"""What an operation is refused for, said to a person and, by its code, to a program."""

from __future__ import annotations


class OperationError(ValueError):
    """An operation that cannot be carried out on this state.

    Attributes:
        code: permanent, kebab-case; ``no-effect`` means that everything is as the operation wants it already.
        message: what is wrong, with the place.
        fix: what to do about it, may be empty.
        index: which operation of a batch it was, from 0.
    """

    def __init__(self, code: str, message: str, fix: str = "") -> None:
        super().__init__(f"{message} {fix}".rstrip())
        self.code = code
        self.message = message
        self.fix = fix
        self.index = 0


def no_effect() -> OperationError:
    return OperationError("no-effect", "Everything is like that already.")
