"""The old name of `reticent.huggingface.answer_session`."""

from warnings import warn

from reticent.huggingface.answer import Answer
from reticent.huggingface.answer_session import AnswerSession as AnswerRun
from reticent.huggingface.model_call_context import ModelCallContext as Request

__all__ = ["Answer", "AnswerRun", "Request"]

warn(f"{__name__} is now reticent.huggingface.answer_session.", DeprecationWarning, stacklevel=2)
