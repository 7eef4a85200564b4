"""A form field that takes one file or several."""

from __future__ import annotations

from django import forms
from django.core.files.uploadedfile import UploadedFile

from evaluation.limits import (
    FILES_AT_ONCE,
)


class SeveralFiles(forms.ClearableFileInput):
    """A file field that takes more than one."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """One file or several; cleans to a list."""

    widget = SeveralFiles

    def clean(self, data: object, initial: object = None) -> list[UploadedFile[bytes]]:
        files = list(data) if isinstance(data, list | tuple) else [data]
        if len(files) > FILES_AT_ONCE:
            raise forms.ValidationError(f"{len(files)} files; at most {FILES_AT_ONCE} at once. Put them into one ZIP.")
        # An empty file is a problem of its content: the checker names it with the others.
        # A form sent without a file gives an empty list, whose one missing file is refused like that of any field.
        return [super(FilesField, self).clean(file, initial) for file in files or [None]]
