"""Audit of leaks through code generation, with unit tests as the attack.

`audit` runs it. `CorpusIndexBuilder` makes the corpus index, `build_library` the feature library.
"""

from reticent_bench.audits.code.audit import CodeAudit, audit
from reticent_bench.audits.code.corpus_index import CorpusIndex, CorpusIndexBuilder
from reticent_bench.audits.code.corpus_index_file import load_index, save_index
from reticent_bench.audits.code.feature_library import FeatureLibrary, Instance, build_library, prior_library
from reticent_bench.audits.code.parse_check import ParseCheck, check_redaction
from reticent_bench.audits.code.settings import Settings

__all__ = [
    "CodeAudit",
    "CorpusIndex",
    "CorpusIndexBuilder",
    "FeatureLibrary",
    "Instance",
    "ParseCheck",
    "Settings",
    "audit",
    "build_library",
    "check_redaction",
    "load_index",
    "prior_library",
    "save_index",
]
