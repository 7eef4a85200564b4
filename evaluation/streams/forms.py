"""Forms for streams, for submissions to them, and for their settings."""

from __future__ import annotations

from typing import Any

from django import forms

from common.forms import StyledForm
from common.limits import KEY_CHARS
from evaluation.baseline_runs.forms import ChooseBaselines
from evaluation.baselines.streams import STREAM_BASELINES
from evaluation.limits import MAX_HORIZON_POINTS, NEIGHBOURS
from evaluation.stream_settings import LAST, TAU, K, StreamSettings
from evaluation.submissions.forms import ReadNoise, Submit
from qc4.model.noise import USUAL
from qc4.problems import InputError


class UploadStream(ReadNoise):
    """The form that uploads a stream and names the classes that mean noise."""

    file = forms.FileField(
        label="File",
        allow_empty_file=True,
        help_text="qc4-stream/1 JSON, or CSV with a header row time,class,x1,x2,...",
    )
    key = forms.CharField(
        required=False,
        max_length=KEY_CHARS,
        label="Name",
        help_text="Its permanent name. If you leave it empty, the name in the file, or of a CSV file, is used.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["noise"].label = "Classes that mean noise"
        self.fields[
            "noise"
        ].help_text = f"Separated by commas, or a JSON list; [] if no class is noise. By default: {USUAL}."


def as_initial(settings: StreamSettings) -> dict[str, Any]:
    """Return settings as the form's initial values, so that the next submission is comparable with existing ones."""
    chosen = settings.to_dict()
    return {"horizon": "last" if "last" in chosen else "decay", **chosen}


class StreamSettingsForm(StyledForm):
    """The points that count at each time step, and CMM's k and tau, as ``cleaned_data["settings"]``."""

    horizon = forms.ChoiceField(
        label="Which points count",
        choices=[
            ("last", "the last N points, with equal weights"),
            ("decay", "all points, with weights that decay with age"),
        ],
        initial="last",
    )
    last = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_HORIZON_POINTS,
        initial=LAST,
        label="N",
        help_text="For the last N points.",
    )
    decay = forms.FloatField(
        required=False,
        min_value=0,
        label="Decay λ",
        help_text="A point has weight 2^(−λ · age): half after 1/λ.",
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    threshold = forms.FloatField(
        required=False,
        min_value=0,
        max_value=1,
        label="Minimum weight",
        help_text="Points with a lower weight do not count, e.g. 0.25.",
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    k = forms.IntegerField(min_value=1, max_value=NEIGHBOURS, initial=K, label="k")
    tau = forms.FloatField(
        min_value=0, max_value=1, initial=TAU, label="τ", widget=forms.NumberInput(attrs={"step": "any"})
    )

    def clean(self) -> dict[str, Any]:
        """Build the settings, and add each problem that the engine finds to its field."""
        found: dict[str, Any] = super().clean() or {}
        names = ("last",) if found.get("horizon") == "last" else ("decay", "threshold")
        for name in names:
            if found.get(name) is None and name not in self.errors:
                self.add_error(name, "Enter a value: the points that you chose require it.")
        if not self.errors:
            try:
                found["settings"] = StreamSettings.of(**{name: found[name] for name in (*names, "k", "tau")})
            except InputError as error:
                for problem in error.problems:
                    place = problem.where if problem.where in self.fields else None
                    self.add_error(place, f"Found {problem.found}; expected {problem.expected}.")
        return found

    @property
    def settings_fields(self) -> list[forms.BoundField]:
        """The settings fields that all of these forms share."""
        return [self[name] for name in StreamSettingsForm.base_fields]


class SubmitStream(Submit, StreamSettingsForm):
    """The form that submits clusterings of a stream."""

    file = forms.FileField(
        label="File",
        allow_empty_file=True,
        help_text="qc4-stream-clustering/1 JSON or JSON Lines, or CSV of balls: time,cluster,radius,c1,c2,...",
    )


class RunStreamBaselines(ChooseBaselines, StreamSettingsForm):
    """The form that runs baselines on a stream."""

    only = forms.MultipleChoiceField(
        required=False,
        choices=[(key, one.title) for key, one in STREAM_BASELINES.items()],
        widget=forms.CheckboxSelectMultiple,
    )
