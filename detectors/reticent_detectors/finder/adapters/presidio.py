"""Presidio's analyzer as recognisers of a span finder. Needs the extra `presidio`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError, MissingExtra
from reticent_detectors.finder.adapters.analysis import CHARS, Finding, adapt
from reticent_detectors.finder.engine.recognizers import Recognizer

_LABELS = {
    Entity.BANK_ACCOUNT: "ABA_ROUTING_NUMBER US_BANK_NUMBER",
    Entity.DRIVER_LICENSE: (
        "DE_FUEHRERSCHEIN IT_DRIVER_LICENSE KR_DRIVER_LICENSE UK_DRIVING_LICENCE US_DRIVER_LICENSE ZA_DRIVER_LICENSE"
    ),
    Entity.MEDICAL_RECORD_NUMBER: "AU_MEDICARE DE_HEALTH_INSURANCE UK_NHS US_HEALTH_INSURANCE_MEMBER_ID US_MBI",
    Entity.NATIONAL_ID: (
        "CA_SIN DE_ID_CARD DE_SOCIAL_SECURITY ES_NIE ES_NIF FI_PERSONAL_IDENTITY_CODE IN_AADHAAR IN_VOTER "
        "IT_IDENTITY_CARD KR_FRN KR_RRN NG_NIN PH_UMID PL_PESEL SE_PERSONNUMMER SG_NRIC_FIN TH_TNIN "
        "TR_NATIONAL_ID UK_NINO ZA_ID_NUMBER"
    ),
    Entity.ORDER_NUMBER: "UUID",
    Entity.PASSPORT: (
        "DE_PASSPORT ES_PASSPORT IN_PASSPORT IT_PASSPORT KR_PASSPORT PH_PASSPORT UK_PASSPORT US_PASSPORT ZA_PASSPORT"
    ),
    Entity.PHONE_NUMBER: "PHONE_NUMBER ZA_MOBILE_NUMBER ZA_TELEPHONE_NUMBER",
    Entity.TAX_ID: (
        "AU_TFN DE_TAX_ID DE_TAX_NUMBER IN_PAN IT_FISCAL_CODE PH_TIN US_PROVIDER_TAX_ID ZA_INCOME_TAX_NUMBER"
    ),
    Entity.VEHICLE_ID: (
        "DE_KFZ IN_VEHICLE_REGISTRATION NG_VEHICLE_REGISTRATION TR_LICENSE_PLATE UK_VEHICLE_REGISTRATION "
        "ZA_LICENSE_PLATE"
    ),
}
_OF_ONE_NAME = """CREDIT_CARD CRYPTO EMAIL_ADDRESS IBAN_CODE IP_ADDRESS LOCATION MAC_ADDRESS NRP ORGANIZATION PERSON
    URL US_ITIN US_SSN"""
ENTITIES: Mapping[str, Entity] = {
    **{label: entity for entity, labels in _LABELS.items() for label in labels.split()},
    **{label: Entity(label) for label in _OF_ONE_NAME.split()},
}
"""Our kind for each of Presidio's; not dates, and no numbers of firms and places."""


def presidio_recognizers(
    analyzer: Any = None,
    language: str = "en",
    entities: Mapping[str, str] | None = None,
    score_threshold: float = 0.35,
    chars: int = CHARS,
) -> tuple[Recognizer, ...]:
    """Recognisers that ask a Presidio analyzer, one for each entity.

    Args:
        analyzer: an `AnalyzerEngine`, such as one with your own recognisers or a language model.
            None takes `pattern_analyzer`.
        language: of the text, as the analyzer calls it.
        entities: our kind for each of Presidio's entities; None takes those of `ENTITIES` that the analyzer knows.
        score_threshold: what has a lower score is ignored.
        chars: longest text that is analysed at once, 320 to 1,000 characters. So much may be held back.

    Raises:
        MissingExtra: `analyzer` is None, and presidio-analyzer is not installed.
        InputError: `entities` names an entity that the analyzer does not know, or a number is out of its range.
    """
    analyzer = pattern_analyzer(language) if analyzer is None else analyzer
    known = frozenset(analyzer.get_supported_entities(language))
    if entities is None:
        entities = {label: entity for label, entity in ENTITIES.items() if label in known}
    elif not known >= entities.keys():
        raise InputError(
            f"The analyzer finds no {', '.join(sorted(entities.keys() - known))} in the language {language!r}."
        )
    labels = list(entities)

    def analyse(text: str) -> Iterator[Finding]:
        found = analyzer.analyze(text=text, language=language, entities=labels, score_threshold=score_threshold)
        return (Finding(result.entity_type, result.start, result.end, result.score) for result in found)

    return adapt("presidio", analyse, entities, score_threshold, chars)


def pattern_analyzer(language: str = "en") -> Any:
    """Gives an `AnalyzerEngine` with all of Presidio's recognisers that need no download, of all countries.

    It has no language model, and so finds no names, places and organisations.
    Each word in small letters counts as its own lemma.

    Raises:
        MissingExtra: presidio-analyzer is not installed.
    """
    try:
        analyzer, spacy, tldextract = map(import_module, ("presidio_analyzer", "spacy", "tldextract"))
    except ImportError as error:
        raise MissingExtra("presidio-analyzer", "presidio") from error
    # Else the list of public suffixes is fetched at the first e-mail address; the package brings one.
    tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(cache_dir=None, suffix_list_urls=())
    nlp = spacy.blank(language)
    if not spacy.Language.has_factory("surface_lemma"):
        spacy.Language.component("surface_lemma", func=_surface_lemma)
    nlp.add_pipe("surface_lemma")
    engine = import_module("presidio_analyzer.nlp_engine").SpacyNlpEngine()
    engine.nlp = {language: nlp}
    chosen = []
    for name, recognizer in sorted(vars(import_module("presidio_analyzer.predefined_recognizers")).items()):
        if name.endswith("Recognizer") and not name.startswith(_WITH_A_MODEL):
            chosen.append(recognizer(supported_language=language))
    registry = analyzer.RecognizerRegistry(recognizers=chosen, supported_languages=[language])
    return analyzer.AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=[language])


_WITH_A_MODEL = (
    "Ahds",
    "Azure",
    "Basic",
    "GLiNER",
    "HuggingFace",
    "LangExtract",
    "MedicalNER",
    "Spacy",
    "Stanza",
    "Transformers",
)


def _surface_lemma(doc: Any) -> Any:
    for token in doc:
        token.lemma_ = token.lower_
    return doc
