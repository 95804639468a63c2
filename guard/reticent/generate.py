"""The old name of `reticent.huggingface.guarded_model`."""

from warnings import warn

from reticent.huggingface.call_options import TextSink
from reticent.huggingface.guarded_model import GuardedModel

__all__ = ["GuardedModel", "TextSink"]

warn(f"{__name__} is now reticent.huggingface.guarded_model.", DeprecationWarning, stacklevel=2)
