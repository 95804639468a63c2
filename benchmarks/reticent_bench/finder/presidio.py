"""Presidio's analyzer as a baseline: all recognisers that need no download, on a blank spaCy pipeline.

The pipeline cuts words and takes each word in small letters as its lemma, so Presidio's context words work.
It has no model, so it finds no names, places and organisations.
The recognisers of all countries run on every text, whatever its language.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import version
from typing import Any

from reticent_bench.finder.score import Gold
from reticent_detectors.errors import MissingExtra

LIKELY = 0.4
"""A score from which a finding counts as likely; below are patterns that fit many ordinary numbers."""
_NEED_MORE = ("Transformers", "Stanza", "Spacy", "GLiNER", "Azure", "Ahds", "Basic", "HuggingFace", "MedicalNER")
_KINDS = {
    "US_BANK_NUMBER": "BANK_ACCOUNT",
    "ABA_ROUTING_NUMBER": "BANK_ACCOUNT",
    "IN_PAN": "TAX_ID",
    "IT_FISCAL_CODE": "TAX_ID",
    "TH_TNIN": "NATIONAL_ID",
    "US_MBI": "MEDICAL_RECORD_NUMBER",
    "US_HEALTH_INSURANCE_MEMBER_ID": "MEDICAL_RECORD_NUMBER",
    "UUID": "ORDER_NUMBER",
}
_BY_WORD = (
    ("PASSPORT", "PASSPORT"),
    ("DRIV", "DRIVER_LICENSE"),
    ("FUEHRERSCHEIN", "DRIVER_LICENSE"),
    ("TAX", "TAX_ID"),
    ("TIN", "TAX_ID"),
    ("VAT", "TAX_ID"),
    ("ABN", "TAX_ID"),
    ("ACN", "TAX_ID"),
    ("TFN", "TAX_ID"),
    ("GSTIN", "TAX_ID"),
    ("PHONE", "PHONE_NUMBER"),
    ("MOBILE", "PHONE_NUMBER"),
    ("PLATE", "VEHICLE_ID"),
    ("VEHICLE", "VEHICLE_ID"),
    ("KFZ", "VEHICLE_ID"),
    ("POST", "OTHER"),
    ("PLZ", "OTHER"),
    ("REGIST", "OTHER"),
    ("COMPANY", "OTHER"),
    ("ORGANI", "OTHER"),
    ("CLAIM", "OTHER"),
    ("PRESCRIPTION", "OTHER"),
    ("REFERRAL", "OTHER"),
    ("AUTHORIZATION", "OTHER"),
    ("UEN", "OTHER"),
    ("BRN", "OTHER"),
    ("BSNR", "OTHER"),
    ("LANR", "OTHER"),
)
_COUNTRIES = frozenset(
    ["AU", "CA", "DE", "ES", "FI", "IN", "IT", "KR", "NG", "PH", "PL", "SE", "SG", "TH", "TR", "UK", "ZA"]
)
OWN = frozenset(
    [
        "CREDIT_CARD",
        "CRYPTO",
        "DATE_TIME",
        "EMAIL_ADDRESS",
        "IBAN_CODE",
        "IP_ADDRESS",
        "MAC_ADDRESS",
        "URL",
        "US_SSN",
        "US_ITIN",
    ]
)


def our_kind(entity: str) -> str:
    """Presidio's entity as ours; `OTHER` for what is no kind of ours (number plates, post codes, firms' numbers)."""
    if entity in OWN:
        return entity
    if entity in _KINDS:
        return _KINDS[entity]
    for word, kind in _BY_WORD:
        if word in entity:
            return kind
    return "NATIONAL_ID" if entity.partition("_")[0] in _COUNTRIES else "OTHER"


def _surface_lemma(doc: Any) -> Any:
    """Gives a step of a spaCy pipeline: the word in small letters as its lemma."""
    for token in doc:
        token.lemma_ = token.lower_
    return doc


class Presidio:
    """The analyzer, warmed up.

    Raises:
        MissingExtra: presidio-analyzer is not installed.
    """

    def __init__(self) -> None:
        try:
            analyzer, spacy, tldextract = map(import_module, ("presidio_analyzer", "spacy", "tldextract"))
        except ImportError as error:
            raise MissingExtra("presidio-analyzer", "bench-spans") from error
        logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
        # Without this the list of public suffixes is fetched at the first e-mail address; the packaged one is used.
        tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(cache_dir=None, suffix_list_urls=())
        nlp = spacy.blank("en")
        if not spacy.Language.has_factory("surface_lemma"):
            spacy.Language.component("surface_lemma", func=_surface_lemma)
        nlp.add_pipe("surface_lemma")
        nlp.max_length = 10_000_000
        engine = import_module("presidio_analyzer.nlp_engine").SpacyNlpEngine()
        engine.nlp = {"en": nlp}
        chosen, self.left_out = [], []
        for name, made in sorted(vars(import_module("presidio_analyzer.predefined_recognizers")).items()):
            if not name.endswith("Recognizer") or name.startswith(_NEED_MORE):
                continue
            try:
                chosen.append(made(supported_language="en"))
            except Exception:
                self.left_out.append(name)
        registry = analyzer.RecognizerRegistry(recognizers=chosen, supported_languages=["en"])
        self._engine = analyzer.AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=["en"])
        self.recognizers = len(chosen)
        self.version = version("presidio-analyzer")
        self.kinds = frozenset(our_kind(e) for r in chosen for e in r.supported_entities) - {"OTHER"}
        self.find("Call 212-555-0147 or write to jo@example.org from 10.0.0.1.")

    def __repr__(self) -> str:
        return f"Presidio({self.version}, {self.recognizers} recognizers)"

    def results(self, text: str) -> list[tuple[Gold, float]]:
        """Everything found, with its score."""
        found = self._engine.analyze(text=text, language="en")
        return [(Gold(our_kind(r.entity_type), r.start, r.end), float(r.score)) for r in found]

    def find(self, text: str, least: float = 0.0) -> list[Gold]:
        """Everything found with at least this score; spans may overlap."""
        return [gold for gold, score in self.results(text) if score >= least]


def without_overlaps(results: Iterable[tuple[Gold, float]]) -> list[Gold]:
    """Drops, of two findings that overlap, the one with the lower score, then the shorter."""
    kept: list[Gold] = []
    for gold, _ in sorted(results, key=lambda r: (-r[1], r[0].start - r[0].end)):
        if all(gold.end <= k.start or k.end <= gold.start for k in kept):
            kept.append(gold)
    return sorted(kept, key=lambda g: g.start)
