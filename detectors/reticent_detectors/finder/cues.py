"""How values are introduced: the words that say of what kind the next words are.

Three tables, one row for each kind. All patterns are matched without regard to case.

* `NOUNS`: what a value of the kind is called ("her *diagnosis* is ...", "Physician: ...", "| Employer | ...").
* `VERBS`: what stands directly before the value ("was *diagnosed with* ...").
* `ASKS`: questions that name no noun ("Where does she work?").

To teach the finder another wording, add it here; nothing else has to change.
"""

from __future__ import annotations

from reticent_detectors.entities import Entity


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NOUNS: dict[Entity, str] = {
    Entity.EMAIL_ADDRESS: r"(?:e-?mail|electronic mail|mailbox|inbox)(?: (?:address|contact|account))?|address for e-?mail",
    Entity.PHONE_NUMBER: r"(?:tele|cell ?|mobile ?)?phone(?: numbers?| line)?|(?:mobile|cell|contact|home|work|office|landline"
    r"|emergency|direct|callback|dial(?:ing)?) (?:number|line)|mobile|cell|landline|tel\.?|number to (?:call|dial|ring)|extension",
    Entity.BANK_ACCOUNT: r"(?:bank(?:ing)? |checking |savings |deposit )?account(?: numbers?| no\.?| details)?|bank(?:ing)? "
    r"(?:details|information|coordinates)|IBAN|BBAN",
    Entity.ORDER_NUMBER: r"order(?: (?:numbers?|no\.?|id|identifier|reference|code))?|(?:purchase|tracking|delivery|shipment|booking) "
    r"(?:number|id|identifier|reference|code)|reference(?: number)?",
    Entity.CREDIT_CARD_DIGITS: r"(?:(?:last|final|closing|trailing|ending|card|end) )+(?:four|4)?(?: card)? ?(?:digits|numbers|numerals)"
    r"|last (?:four|4)|(?:credit |debit |payment |bank )?card(?: numbers?| no\.?| digits| ending| on file)?(?: (?:ends|ending)(?: in| with)?)?",
    Entity.UTILITY_BILL: r"utilit(?:y|ies)(?: (?:bills?|costs?|charges?|due|payments?|statement|expenses?|invoice|amount|total|fees?))*"
    r"|(?:electric(?:ity)?|gas|water|power|energy|heating)(?: and \w+)? (?:bills?|costs?|charges?|invoice)",
    Entity.APPOINTMENT_DATE: r"(?:date|day) of (?:the |(?:his|her|their) )?(?:next )?(?:visit|appointment|consultation)"
    r"|appointments?(?: (?:date|day|is set|time|slot))?|(?:next|follow-?up) (?:visit|consultation|check-?up|session)"
    r"|(?:visit|check-?up|consultation)(?: date)?|scheduled (?:visit|date)|date",
    Entity.FLIGHT: r"flights?(?: (?:details|information|plans?|route|itinerary|booking|reservation))?|(?:plane|air|airline|travel) ?"
    r"(?:tickets?|trip|booking|plans?)|tickets?|itinerary|route|trip|journey|travel(?: details| plans?)?",
    Entity.ADDRESS: r"(?:(?:home|street|postal|mailing|residential|delivery|shipping|house|current|billing|permanent|physical) )*address"
    r"|(?:place of )?residence|domicile|lodgings?|whereabouts|home",
    Entity.JOB_TITLE: r"(?:job|work|professional|official) (?:title|position|role|designation|description)|job|occupation|profession"
    r"|position|role|title|trade|line of work|vocation|designation|calling|career|employment as|post",
    Entity.DOCTOR: r"(?:(?:attending|primary care|family|treating|responsible|personal|own|assigned|general|house|lead|regular) )*"
    r"(?:doctors?|physicians?|clinicians?|GP|practitioners?|medic|specialist|consultant|surgeon|dr\.?)",
    Entity.HOSPITAL: r"(?:hospitals?|clinics?|infirmary|(?:medical|health|treatment|care) (?:cent(?:er|re)|facility|institution)"
    r"|sanatorium|(?:treatment|healthcare|medical) (?:site|provider|location))",
    Entity.EMPLOYER: r"employers?|compan(?:y|ies)|firm|workplace|place of (?:work|employment)|business|organi[sz]ation|corporation"
    r"|(?:hiring|employing) (?:company|firm)|(?:place of )?employment|boss",
    Entity.DIAGNOSIS: r"(?:medical |health |known |confirmed |primary |main )*(?:diagnos[ie]s|conditions?|illness(?:es)?|diseases?"
    r"|ailments?|disorders?|sickness|(?:medical|health) (?:problems?|issues?|complaints?))|findings?",
    Entity.PRESCRIPTION: r"(?:prescribed |current |daily |regular )*(?:prescriptions?|medications?|medicines?|medicaments?|drugs?|meds"
    r"|pills?|tablets?|pharmaceuticals?|rx)|medical treatment|remedy|therapy",
    Entity.TRANSACTION_AMOUNT: r"(?:transaction|transfer|payment|purchase|charge|spending|withdrawal|deposit|wire)s?(?: (?:amount|sum|"
    r"total|value|volume))?|amount(?: (?:paid|charged|spent|sent|transferred))?|(?:total|sum) (?:paid|charged|spent|sent)",
}

_BE_SEEN = r"(?:treated|hospitali[sz]ed|admitted|examined|seen|operated on|cared for|looked after|checked in|an? (?:in)?patient)"
VERBS: dict[Entity, str] = {
    Entity.EMAIL_ADDRESS: r"(?:write|writing|e-?mail|mail|message|contact|reach|reached|reachable)\b[^.\n|;]{0,60} (?:at|on|to|via|under|through)",
    Entity.PHONE_NUMBER: r"(?:call|called|calling|reach|reached|reachable|ring|phone|phoned|contact|contacted|text|dial|answers|listed|available)"
    r"\b[^.\n|;]{0,60} (?:at|on|under|via|by|through|with)|(?:dial|dialing|ring|call)",
    Entity.BANK_ACCOUNT: r"(?:paid|bank|banks|banking|deposit\w*|transfer\w*|wire\w*|remit\w*)\b[^.\n|;]{0,40} (?:to|into|with|at|on)",
    Entity.ORDER_NUMBER: r"(?:order|ordered|placed|filed|registered|tracked)\b[^.\n|;]{0,40} (?:under|as|by|with|is)",
    Entity.CREDIT_CARD_DIGITS: r"card\b[^.\n|;]{0,50}\b(?:end(?:s|ed|ing)?|finish\w*|terminat\w*|clos(?:es|ing)|conclud\w*)(?: (?:in|with|on|by))?"
    r"(?: the)?(?: (?:four )?digits)?|(?:digits|numbers) [^.\n|;]{0,50}(?:ends?|ending) (?:in|with)|[*xX•·#]{2,}[- ]?",
    Entity.UTILITY_BILL: r"for (?:the )?utilities",
    Entity.APPOINTMENT_DATE: r"(?:appointment|visit|scheduled|booked|expected|seen|come in|due|returns?)\b[^.\n|;]{0,40} (?:on|for|at)",
    Entity.FLIGHT: r"(?:fl(?:y|ies|ying|ew|own)|travel\w*|flights?|tickets?|trip|journey|route|booked|booking|depart\w*|goes|going|leav\w+)"
    r"\b[^.\n|;]{0,40} (?:from|is)|(?:flies|flying|flew|flown|fly|travels|travelling|booked on|route)",
    Entity.ADDRESS: r"(?:liv(?:e|es|ed|ing)|resid(?:e|es|ed|ing)|located|based|dwell\w*|stay(?:s|ing)?|home|house|found|housed|moved|reach\w*"
    r"|mail|letters?|post|parcels?|packages?|deliver\w*|ship\w*|sent|visit)\b[^.\n|;]{0,60} (?:at|in|on|to|is)",
    Entity.JOB_TITLE: r"(?:work(?:s|ed|ing)?|employed|hired|serv(?:es|ed|ing)|act(?:s|ed|ing)|engaged|practi[sc]es|job|living|money|active|career"
    r"|employment|appointed|occupied)(?: \w+){0,2}? as|by (?:profession|trade|occupation|training)(?: is)?|(?:holds?|held|holding|has|in|fills|took|takes)(?: the| an?)? (?:position|role|post|job|title) of"
    r"|by (?:profession|trade|occupation|training),?[^.\n|;]{0,40} (?:is|was|works as)|makes? (?:a|his|her|their) living as|(?:is|was) an?",
    Entity.DOCTOR: r"(?:treated|seen|attended(?: to)?|examined|looked after|cared for|referred|supervised|handled|managed|followed|assigned)"
    r"(?: (?:up|medically))? (?:by|to)|(?:under|in) (?:the )?(?:care|treatment|supervision|hands) (?:of|from|with)|(?:a )?patients? of"
    r"|\b(?:sees|saw|consults|consulted|visits)|(?:appointment|treatment|consultation) with|dr\.?|doctor|physician",
    Entity.HOSPITAL: rf"{_BE_SEEN}(?: \w+)? (?:at|in|to|into)|registered (?:at|in|with)|(?:surgery|operation|stay|procedure|check-?up) (?:at|in)|(?:receiv(?:es|ed|ing)|gets?|getting|undergo\w*|under)"
    r" (?:medical )?(?:treatment|care|therapy) (?:at|in|from)|(?:transferred|referred|taken|brought|moved|sent|went|goes) (?:to|from)"
    r"|(?:treatment|care|file|record|bed) (?:is )?(?:at|in|from)|(?:lies|stays|staying) (?:at|in)",
    Entity.EMPLOYER: r"(?:work(?:s|ed|ing)?|job|employed|position|employment|career|hired|staff|employee|contract)(?: \w+){0,1}? (?:at|for|with)|(?:is|was|been)(?: now| currently)? with"
    r"|(?:employed|hired|engaged|recruited|paid|taken on|contracted) by|(?:payroll|staff|employee|member) (?:of|at)|joined",
    Entity.DIAGNOSIS: r"diagnosed(?: (?:as having|with|as|by \w+ with))?|(?:an?|received|given|got|gets)(?: \w+)? diagnosis of|suffer(?:s|ed|ing)?(?: \w+)? from|(?:treated|treatment|medicated|therapy|cared|hospitali[sz]ed"
    r"|admitted|seen|care)(?: \w+){0,1} (?:for|against|because of|due to)|(?:liv(?:es|ing)|afflicted|struggl(?:es|ing)|ill|sick|down) (?:with|by|from)"
    r"|positive for|history of|found to have|has been having|contracted|developed|battling|battles|case of|signs of|patient with"
    r"|(?:tests?|results?|examination|scan|biopsy) (?:showed|shows?|revealed|reveals?|confirmed|confirms?|indicates?d?)|ha(?:s|ve|d)",
    Entity.PRESCRIPTION: r"prescribed|prescribes|an? prescription (?:of|for)|prescription reads|(?:takes|taking|took|put on|medicated with|treated with|receiv(?:es|ing)|on a course of"
    r"|relies on|depends on|given|supplied with|treatment with|dose of|uses|needs)(?: \w+ (?:of|dose))?|(?:is|was|are|been|puts?|started?)(?: him| her| them)? on|to take"
    r"|medication (?:consists of|includes)|ordered",
    Entity.TRANSACTION_AMOUNT: r"transact\w*|transfer(?:red|s)?|spent|spends|paid|pays|charged|sent|wired|purchased",
}

_GAP = r"[^.?!\n]{0,60}?"
# Cues so common that a person must be named in the sentence.
PERSON_ONLY = r"(?:ha(?:s|ve|d)|(?:is|was) an?|(?:is|was|are|been|puts?|started?)(?: him| her| them)? on|to take|ordered|given|uses|needs|with|joined|developed)"
ASKS: dict[Entity, str] = {
    Entity.DOCTOR: rf"\bwho\b{_GAP}\b(?:treat|see(?:s|ing)?\b|car(?:es|ing) for|look(?:s|ing) after|attend|examin|in charge)|\bwhose care|\bby whom\b{_GAP}\b"
    r"(?:treated|seen)|whose patient",
    Entity.DIAGNOSIS: rf"\b(?:diagnosed|suffer(?:s|ing|ed)?)\b|\bwhy\b{_GAP}\b(?:treat|hospital|ill|sick|doctor|medic|clinic)|what is wrong with|wrong with"
    rf"|\bwhat\b{_GAP}\bdoctors?\b{_GAP}\bf(?:ind|ound)|\bwhat\b{_GAP}\b(?:ails?|ailing|treated for)|\b(?:sick|ill) with",
    Entity.HOSPITAL: rf"\bwhere\b{_GAP}\b(?:treat|admitted|hospitali|a patient|medical care|operated|therapy|hospital|clinic|be(?:ing)? cared|receiv\w+ care)",
    Entity.PRESCRIPTION: rf"\b(?:prescribed?)\b|\bwhat\b{_GAP}\b(?:takes?|taking|treated with|swallow)\b",
    Entity.EMPLOYER: rf"\bwhere\b{_GAP}\b(?:work|employed|job)|\b(?:for|with|by) whom\b{_GAP}\b(?:work|employed)|\bwho(?:m)?\b{_GAP}\b(?:employ|hire|work(?:s|ing)? for|"
    rf"pays\b{_GAP}salary)|\bhired\b|\bon whose payroll",
    Entity.JOB_TITLE: rf"\bwhat\b{_GAP}\bdo(?:es|ing)?\b{_GAP}\b(?:do|work|earn)\b(?: (?:for a living|for work|at work|professionally)|{_GAP}living|{_GAP}(?:as|as what)|\?)"
    rf"|\bas what\b|\bwork(?:s|ing)? as\b|\b(?:earn|make)s? (?:a |his |her |their )?(?:living|money)|by (?:profession|trade)",
    Entity.CREDIT_CARD_DIGITS: rf"\bdigits\b|\bcard\b{_GAP}\bend|\blast (?:four|4)\b",
    Entity.UTILITY_BILL: r"\butilit(?:y|ies)\b|\b(?:electric(?:ity)?|gas|water|power|energy|heating)\b",
    Entity.TRANSACTION_AMOUNT: rf"\bhow much\b{_GAP}\b(?:transfer|spen[dt]|pay|paid|sen[dt]|charged|transact|purchase|wire)",
    Entity.FLIGHT: rf"\b(?:fly|flying|flies|flown|flew)\b|\bwhere\b{_GAP}\btravel|\bboard\b",
    Entity.ADDRESS: rf"\bwhere\b{_GAP}\b(?:live|lives|living|reside|home|house|mail|sent?|deliver|ship|found)\b",
    Entity.PHONE_NUMBER: rf"\b(?:by|via|over the) (?:tele)?phone\b|\bnumber\b{_GAP}\b(?:call|ring|reach|dial|text)|\b(?:call|ring|text|dial|phone)\b{_GAP}",
    Entity.EMAIL_ADDRESS: r"\be-?mail",
    Entity.APPOINTMENT_DATE: rf"\b(?:when|(?:which|what) (?:day|date))\b{_GAP}\b(?:seen|come in|appointment|expected|scheduled|visit|due|see)\b|\bfor when\b",
}

# Words by which an amount's kind is told.
UTILITY_WORDS = (
    r"\butilit(?:y|ies)\b|\b(?:electric(?:ity)?|gas|water|power|energy|heating)\b|\bbill(?:s|ed)?\b|\bhousehold\b|\bmonthly (?:charges?|costs?|dues)\b"
    r"|\bmeter\b"
)
TRANSACTION_WORDS = r"\btransact\w*|\btransfer\w*|\bpurchase\w*|\bspen[dt]\w*|\bpayments?\b|\bsent\b|\bwire[ds]?\b|\bcharged\b|\bwithdr[ae]w\w*"

# No value begins with one of these words.
NO_START = words(
    """a an the this that these those it its it's he she they we i you his her their our my your there here what which
    who whom whose when where why how if then so but and or nor yet not no none nothing nobody yes yeah sure okay ok
    please sorry unfortunately unknown certainly perhaps maybe well hello hi dear thanks thank of course according
    based as at by for from in into on onto to with without under over about after before during since until because
    although while is are was were be been being has have had do does did can could might must shall should would am
    im i'm i'd i've let note some any many most all each every another other such more less very too also only just
    even still currently now never always often usually sometimes likely probably however therefore hence thus once
    again unclear confidential available unavailable redacted n/a pending listed recorded given stored shown noted
    stated above below mr mrs ms miss dr patient client person someone something anyone one two ai three several
    both neither either caused called named said made found"""
)
# A sentence, not a value, begins with one of these words if it goes on in small letters.
OPENERS = words("""may will privacy policy information data add use see ask records""")
DAYS = frozenset(
    day + plural
    for day in ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    for plural in ("", "s")
)
MONTHS = words("""january february march april may june july august september october november december""")
# Words at which a value written in ordinary words ends.
STOP = words(
    """is are was were be been being has have had do does did can could may might must shall should will would who whom
    whose which that where when while because although though but or nor so if then than since until after before
    during at for in on by with from to into onto under over about against per via without within between through
    near he she they it we you i his her their our my your its this these those lives live lived works work worked
    takes take took sees see saw suffers suffer receives uses needs pays paid owes said says told according as every
    each daily twice once currently now today yesterday tomorrow also please not the a an employed diagnosed
    prescribed treated admitted seen"""
)

PERSON = (
    r"['’]s\b|s['’](?=\s)|\b(?i:his|her|hers|their|my|your|our|he|she|they|him|them|you|i|we|patient|client|customer|applicant|employee|tenant"
    r"|resident|person|member|passenger|traveller|traveler|user|subject|candidate|caller)\b"
    r"|\p{Lu}[\p{L}'’-]+ (?:\p{Lu}\. |(?:van|von|de|da|di|del|der|den|la|le) ){0,2}\p{Lu}[\p{L}'’-]+|\b(?:of|for|on|about) \p{Lu}\p{Ll}"
)
ASKED_PERSON = (
    r"['’]s\b|\b(?i:his|her|their|my|he|she|they|him|them|patient|client|customer|applicant|employee|tenant|resident|passenger)\b"
    r"|(?<![.?!] )\b\p{Lu}[\p{L}'’-]+ (?:\p{Lu}\. |(?:van|von|de|da|di|del|der|den|la|le) ){0,2}\p{Lu}[\p{L}'’-]+"
)
