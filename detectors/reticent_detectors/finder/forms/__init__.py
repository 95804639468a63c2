"""Finds values that have a form: numbers, codes, addresses, dates, amounts and secrets, at triggers.

A trigger is a digit, `@`, `://`, `$`, or a word that names such a value. Only there is anything read: patterns around
it, and the label before it, backwards and bounded. The kinds are files (`finder/data/forms`), one a kind.

    scan = FormScan(shipped(), asked_kinds("What is her PIN?"))
    scan.feed("It is 7036.", closed=True)
    scan.spans()

Not covered: words without a form (diagnoses, jobs, names); escapes and disguises, which are decoded before.
"""

from reticent_detectors.finder.forms.asked import Asked, asked_kinds
from reticent_detectors.finder.forms.kinds import Form, Kind, Kinds, read_form, read_kind, shipped
from reticent_detectors.finder.forms.named import Named, Strength
from reticent_detectors.finder.forms.scan import FormScan, found

__all__ = [
    "Asked",
    "Form",
    "FormScan",
    "Kind",
    "Kinds",
    "Named",
    "Strength",
    "asked_kinds",
    "found",
    "read_form",
    "read_kind",
    "shipped",
]
