"""The old name of `reticent.huggingface.answer_session`."""

from warnings import warn

from reticent.huggingface.answer_session import Answer, AnswerRun, Request

__all__ = ["Answer", "AnswerRun", "Request"]

warn(f"{__name__} is now reticent.huggingface.answer_session.", DeprecationWarning, stacklevel=2)
