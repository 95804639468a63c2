"""The old name of `reticent.huggingface.guarded_model`."""

from warnings import warn

from reticent.huggingface.guarded_model import GuardedModel, TextSink

__all__ = ["GuardedModel", "TextSink"]

warn(f"{__name__} is now reticent.huggingface.guarded_model.", DeprecationWarning, stacklevel=2)
