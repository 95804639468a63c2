"""Topics near a wording that make words in small letters or of no known form its value.

"Takes", "sees" and "at" go with anything.
They mean a medicine, a doctor or a hospital where other words of the text do.
The patterns are searched in the folded text before the value.
"""

from __future__ import annotations

import regex

from reticent_detectors.entities import Entity

TOPIC_PATTERNS = {
    Entity.DIAGNOSIS: regex.compile(
        r"diagnos|al{1,2}erg|suffer|treated|condition|illness|disease|living with|history of|tested|symptom|biops"
        r"|\bscan\b|leide|litt|erkrank|festgestell|verdacht|entdeckt|souffr|atteint|maladie|decouv|diagnosti"
        r"|padec|sufr|enferm|encontr|detecta|detecto|soffr|malat|affett|riscontr|scopert|sofr|doen|portador|patolog"
        r"|medico|medica\b|medecin|\barzt|doctor|dottor"
    ),
    Entity.PRESCRIPTION: regex.compile(
        r"prescri|medica|\bmeds\b|drug\b|pharmac|tablet|refill|\bdos[ei]|\bpills?\b|psychiatr|physician|\bmg\b"
        r"|verschr|verord|rezept|apothek|arzt|arztin|\bnimmt\b|nehmen|ordonn|medecin|comprim|recet|pauto|farmac"
        r"|pastill|medico|toma\b"
        r"|receit|ricett|remed|compress|terapia|\bcura\b|tratamiento|tratamento|traitement|\bprend\b|prende\b"
        r"|psiquiatr|psichiatr"
    ),
    Entity.JOB_TITLE: regex.compile(
        r"work|employ|hired|career|living|served?\b|serves|job\b|title|occupation|profession|position|role\b|trade"
        r"|vocation|promoted|\bpost\b|arbeite|angestellt|beschaftigt|beruf|gelernt|stelle|umschul|schulte|verdient"
        r"|travaill|embauch|engage|metier|poste\b|emploi|gagne|exerc|devenu|trabaja|contrat|ejerc|oficio|puesto"
        r"|profes|ascend|emple|\bgana|\bvida\b|hizo|lavora|lavoro|assunt|mestiere|ruolo|promoss|impieg|guadagn"
        r"|vivere|diventa"
        r"|trabalh|atua|cargo|promov|occup|emprego|ganha|vaga\b|tornou"
    ),
    Entity.NRP: regex.compile(
        r"\bvot|wahl|partei|part[iy]\b|milit|candid|kandid|politi|elect|canvass|campaign|campa[nh]|afili|filiad"
        r"|adher|iscritt|mitglied|carte\b|tessera|carne\b|bulletin|stimm"
    ),
    Entity.DOCTOR: regex.compile(
        r"\bdra?\b|doct|dokt|dott|dout|pacient|pazient|professor|odont|zahn|psychol|psicol|orthop|ortop|trauma"
        r"|hebamme|oculist|physician|clinic|klinik|hospital|treat|patient|appointment|termin|surg|operat|operi"
        r"|\bgp\b|dentist|therap|medic|medec|prescri|diagnos|referr|consult|checkup|check-up|arzt|chirur|cirug"
        r"|cardio|kardio|psych|psiq|psich"
        r"|derm|neuro|onco|onko|pediat|paediat|gyn|gin|specialist|examin|\bcare\b|behandel|behandl|untersuch|uberw"
        r"|soign|suivi|rendez-vous|ausculte|cita\b|tratad|atend|visita|cura|segui|operad|acompanh"
    ),
    Entity.HOSPITAL: regex.compile(
        r"treat|admitt|operat|hospital|surger|patient|birth|\bborn|discharg|ward\b|clinic|ambulance|doctor|nurse"
        r"|dialysis|chemo|icu\b|emergency|procedure|transplant|recover|knee|hip\b|baby|scan\b|x-ray"
        r"|stay(?:ed|s|ing)?\b .{0,20}\b(?:weeks|days|nights)|rehab|care\b|biops|appointment"
    ),
    Entity.EMPLOYER: regex.compile(
        r"work|employ|job\b|hired|fired|salary|wage|\bpay|paid|paycheck|boss|staff|contract|position|career|intern"
        r"|colleague|coworker|shift|laid off|let go|quit\b|resign|joined|dismiss|company|firm\b|started|driv"
        r"|deliver|sells|recruit|apprentic|manager|redundant|sacked|poach|desk|post\b|role\b|office at|technician"
        r"|clerk|retire"
    ),
}
