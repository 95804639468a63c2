"""Cue-controlled memorisation: does a model know a value, or does the prompt give it away?

After "Do LLMs Really Memorize Personally Identifiable Information? Revisiting PII Leakage with a Cue-Controlled
Memorization Framework". `audit` is the entry; the modules say what is measured.
"""

from reticent_bench.audits.cues.cue_audit import audit
from reticent_bench.audits.cues.people import Fact, Subject, token_prefix
from reticent_bench.audits.cues.result import CueAudit
from reticent_bench.audits.cues.settings import CueSettings

__all__ = ["CueAudit", "CueSettings", "Fact", "Subject", "audit", "token_prefix"]
