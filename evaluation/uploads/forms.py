"""A form field for one or several files."""

from __future__ import annotations

from django import forms
from django.core.files.uploadedfile import UploadedFile

from evaluation.limits import (
    FILES_AT_ONCE,
)


class SeveralFiles(forms.ClearableFileInput):
    """A file input that accepts several files."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """A field for one or several files; cleans to a list."""

    widget = SeveralFiles

    def clean(self, data: object, initial: object = None) -> list[UploadedFile[bytes]]:
        files = list(data) if isinstance(data, list | tuple) else [data]
        if len(files) > FILES_AT_ONCE:
            raise forms.ValidationError(f"{len(files)} files; at most {FILES_AT_ONCE} at once. Put them into one ZIP.")
        # An empty file is a problem of its content, which the checker reports with the others.
        # Without a file the list is empty: clean None instead, so that the error is that of any file field.
        return [super(FilesField, self).clean(file, initial) for file in files or [None]]
