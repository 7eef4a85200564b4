"""The administration: Django's admin, for looking, and for a few deeds that go through the services.

Who gets in has the permission `accounts.administer` (`manage.py administrator`), and a second factor where the setting
``ADMIN_SECOND_FACTOR`` wants one. A model is added by `@admin.register(Model)` on a subclass of `ReadMostly`, in the
file `admin.py` of its app; `qc4site.urls` names those files.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, update_wrapper
from typing import Any, TypeVar, cast

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import URLPattern, URLResolver, path, reverse

from accounts.limits import REASON_CHARS
from accounts.person import administers, person
from accounts.services import second_factor

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class Administration(admin.AdminSite):
    """Without sign-in, sign-out and passwords of its own: these are the site's."""

    site_header = site_title = "QC4 Bench: administration"
    index_title = "What there is"
    index_template = "admin/administration.html"
    site_url = "/"
    enable_nav_sidebar = False
    final_catch_all_view = False
    _OWN = frozenset({"index", "app_list", "jsi18n"})

    def has_permission(self, request: HttpRequest) -> bool:
        return administers(request.user)

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        inner = super().admin_view(view, cacheable)

        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if not self.has_permission(request):
                raise Http404
            if settings.ADMIN_SECOND_FACTOR and not second_factor.is_on(person(request)):
                messages.warning(request, "The administration takes a second factor: turn it on first.")
                return redirect("second-factor")
            return inner(request, *args, **kwargs)

        return cast("View", update_wrapper(guarded, view))

    def get_urls(self) -> list[URLPattern | URLResolver]:
        return [one for one in super().get_urls() if isinstance(one, URLResolver) or one.name in self._OWN]


class Reason(forms.Form):
    """Why; and for what cannot be undone, what it is about, typed."""

    reason = forms.CharField(
        max_length=REASON_CHARS, widget=forms.Textarea(attrs={"rows": 3}), help_text="The log keeps it."
    )
    typed = forms.CharField(required=False)

    def __init__(self, to_type: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._to_type = to_type
        if to_type:
            self.fields["typed"].label = f"Type “{to_type}”"
        else:
            del self.fields["typed"]

    def clean_typed(self) -> str:
        if self.cleaned_data["typed"] != self._to_type:
            raise ValidationError(f"Type “{self._to_type}” to say that you mean it.")
        return self._to_type


@dataclass(frozen=True, slots=True)
class Deed:
    """Something an administrator does to one row, with a reason.

    Attributes:
        name: in addresses.
        title: what the button says.
        does: what comes of it, as a sentence.
        do: calls the service with row, administrator, reason, and by name what else the form asks; `ValidationError`
            says why not.
        can: whether it makes sense for this row.
        to_type: what has to be typed first.
        form: asks for more than a reason.
    """

    name: str
    title: str
    does: str
    do: Callable[..., object]
    can: Callable[[Any], bool] = lambda _: True
    to_type: Callable[[Any], str] = lambda _: ""
    form: type[Reason] = Reason


class ReadMostly(admin.ModelAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """Rows to look at. Nothing is added, changed or deleted but by the deeds."""

    deeds: tuple[Deed, ...] = ()
    actions = None
    list_per_page = 50
    show_full_result_count = False
    change_form_template = "admin/row.html"
    _OWN = ("changelist", "change")

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.admin_site.has_permission(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.admin_site.has_permission(request)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Lists are filtered by what the filters offer: by a column that is not shown, its content could be guessed."""
        return lookup.partition("__")[0] in self.list_filter

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        kept = [one for one in super().get_urls() if (one.name or "").rpartition("_")[2] in self._OWN]
        views = [(deed, self.admin_site.admin_view(partial(self._deed_view, deed))) for deed in self.deeds]
        return [
            path(f"<path:object_id>/{deed.name}/", view, name=self._address(deed.name)) for deed, view in views
        ] + kept

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row = self._row(request, object_id)
        possible = [deed for deed in self.deeds if deed.can(row)]
        deeds = [(deed, reverse(f"admin:{self._address(deed.name)}", args=[row.pk])) for deed in possible]
        answer: HttpResponse = super().change_view(request, object_id, form_url, {"deeds": deeds})
        return answer

    def _deed_view(self, deed: Deed, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self._row(request, object_id)
        if not deed.can(row):
            raise Http404
        form = deed.form(deed.to_type(row), request.POST if request.method == "POST" else None)
        if form.is_valid():
            asked = {name: value for name, value in form.cleaned_data.items() if name != "typed"}
            try:
                deed.do(row, person(request), **asked)
            except ValidationError as error:
                form.add_error(None, error)
            else:
                messages.success(request, f"{deed.title}: done.")
                return redirect(f"admin:{self._address('changelist')}")
        page = {**self.admin_site.each_context(request), "title": f"{deed.title}: {row}", "deed": deed, "form": form}
        page |= {"opts": self.opts, "row": row}
        return render(request, "admin/action.html", page, status=400 if form.errors else 200)

    def _row(self, request: HttpRequest, object_id: str) -> Any:
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        return row

    def _address(self, what: str) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{what}"
