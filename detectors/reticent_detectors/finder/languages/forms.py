"""How words for illnesses, medicines, jobs, hospitals, companies and political views look, in all our languages.

The patterns hold the Greek and Latin endings that these words share, and the common words that have none. A form alone
finds nothing. It admits a value where the words before it say too little ("she is ...", "he has ..."). Patterns are
matched against folded text.
"""

from __future__ import annotations

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.languages.protected import BELIEF, CRIME, ORIENTATION, UNION
from reticent_detectors.finder.languages.vocabulary import (
    AMBIGUOUS_ILLNESSES,
    ILLNESS_MODIFIERS,
    ILLNESSES,
    JOBS,
    MEDICINES,
    Vocabulary,
)

_ILLNESS = r"""[\p{L}'’-]{3,}
    (?:itis|osis|emia|aemia|melanom\p{L}*|algia|algie|pathie|pathy|patia|patie|plegi[ae]|rrh[oe]?ea|rreia|phobi[ae]
    |philia|trophy|trofia|penia|penie|somnia|somnie|uria|iasis|iasi|uri[ae])\b
    |(?:\p{L}{3,}[ ])?[\p{L}'’-]*(?:diabet|asthm|asma\b|cancer|krebs|cancro|tumou?r|arthr|artri[ts]|hyperten|hiperten
    |iperten|ipertensi|hypoten|depress|depresi|epilep|migra[ei]?n|emicran|enxaqueca|schizo|esquizo|schizofr|alzheimer
    |parkinson|crohn|lyme|borreli|lupus|psoria|glaucom|leuk[ae]?m|leucem|leucaem|anaemi|anemi|sklerose|scleros
    |sclerosi|escleros|parkinson
    |hepatit|epatit|hiv\b|aids\b|vih\b|covid|dengue|malaria|gout\b|gicht\b|goutte|gotta\b|gota\b|rheuma|reuma|osteopor
    |fibromyal|fibromial|thyro|thyre|tiroid|tireoid|schilddrus|insuffi[cz]i|insuficien|niereninsuff|herzinsuff|pneumon
    |lungenentz|bronchit|bronqui|copd|bpco|epoc\b|colitis|colite|kolitis|endometri|coeliac|celiac|celiach|celiaqu
    |zoliakie|zoli
    |adhd|tdah|autis|bipolar|anorexi|bulimi|angststor|anxiety|ansied|ansia|burnout|burn-out|apn[oe]e?a|apnee
    |schlafapnoe|stroke|infarct|herzinfarkt|schlaganfall|ictus|embol|thrombo|trombo|fibrillat|vorhofflimm|angina\b
    |nephro|neurodermit|eczema|ekzem|allerg|bluthoch|hernia|hernie|disease|disorders?\b|syndrom|sindrom|krankheit
    |storung|maladie|maladi|enfermedad|doenca|malattia|morbo|morbus|trastorno|disturbo|transtorno|infection|infecci
    |infezi|infec|sepsis|tubercul|dement|insomni|obes|scolios|cirrh|cirros|zirrhose|melanom|lymphom|linfom|sarcom
    |myelom|polyp|gallst|kidney|nieren|leber|herz\p{L}{4,})"""
_MEDICINE = r"""(?:[\p{L}-]*
    (?:illin|illina|illine|cilina|cillina|cycline|ciclina|mycin|micina|azole?|azol[eo]?|prazole?|pril|sartana?n?
    |statina?e?|oxetina?e?|lol\b|lolo\b|lol\b|olol[eo]?|pam\b|lam\b|zepam|zolam|formina?e?|mab\b
    |gliptina?e?|glutide?a?|parina?e?|profen[eo]?|xaban|tidina?e?|dipina?e?|thyrox\p{L}*|tirox\p{L}*|traline?a?|tralin
    |pine\b|apin\b|apina|pridon|prida|codone?a?|morphine?|morfina|codeine?|steroid\p{L}*|sone\b|sona\b|son\b|solone?
    |solon|axin\p{L}*|ramol|tamol|cetamol|bital|mide\b|mid\b|mida\b|adol\b|adolo\b|lukast|vir\b|xate?\b|xato\b
    |trexat\p{L}*|fenac\p{L}*|sulfon)\b
    |insulin|metform|litio\b|lithium|litium|aspirin|aspirina|ibuprof|paracet|ventol|ozempic|xarelto|humira|xanax
    |lexotan|lexomil|seroplex|eutirox|levothyrox|rivotril|sintrom|nolotil|marcumar|cortison|cortisol|warfarin
    |tamoxifen|morphin|heparin|prozac|zoloft|ritalin|viagra|valium|lipitor|plavix|cymbalta|synthroid|l-thyrox
    |doliprane|dafalgan|voltaren|novalgin|aerolin|marevan|losartan|salbutamol|antibiot|antidepress|prednis|amlodip
    |clozap|gabapent|pregabal|citalop|sertral)\p{L}*(?:[ ][\p{L}]{3,12})?(?:[ ]\d+(?:[ ]?m?[g])?)?"""
_JOB = r"""(?:\p{Lu}?\p{L}+[ ])??[\p{L}-]*(?:arzt|arztin|anwalt|anwaltin|lehrer|lehrerin|pfleger|pflegerin|schwester\b
    |kaufmann|kauffrau|leiter|leiterin|fahrer|fahrerin|meister|meisterin|ingenieur\p{L}*|informatiker\p{L}*
    |mechaniker\p{L}*|elektriker\p{L}*|buchhalter\p{L}*|apotheker\p{L}*|polizist\p{L}*|journalist\p{L}*|erzieher\p{L}*
    |verkaufer\p{L}*|maurer\p{L}*|tischler\p{L}*|schreiner\p{L}*|kellner\p{L}*|koch\b|kochin|backer\p{L}*
    |friseur\p{L}*|richter\p{L}*|entwickler\p{L}*|architekt\p{L}*|berater\p{L}*|sekretar\p{L}*|assistent\p{L}*
    |techniker\p{L}*|therapeut\p{L}*|bibliothekar\p{L}*|beamter|beamtin|handwerker\p{L}*|landwirt\p{L}*|bauer
    |makler\p{L}*|klempner\p{L}*|maler(?:in|meister\p{L}*)?\b|dolmetscher\p{L}*|ubersetzer\p{L}*
    |(?:security|prison|crossing|night|museum)[ ]guard|nurse|teacher|engineer|plumber|lawyer|driver|manager|analyst
    |accountant|electrician|carpenter|cook|chef|officer|worker|librarian|paralegal|locksmith|bricklayer|surgeon
    |therapist|adviser|advisor|designer|developer|programmer|pharmacist|dentist|waiter|waitress|attendant|clerk
    |secretary|barber|hairdresser|mechanic|technician|architect|journalist|baker|butcher|farmer|firefighter|policeman
    |pilot|professor|scientist|consultant|director|receptionist|welder|cashier
    |infirmi\p{L}+|avocat\p{L}*|professeur\p{L}*|coiffeu\p{L}+|plombier\p{L}*|serveu\p{L}+|boulang\p{L}+|macon\b
    |architecte|ingenieur\p{L}*|pharmacien\p{L}*|veterinaire|kinesitherapeute|journaliste|comptable|institut\p{L}+
    |enseignant\p{L}*|aide-soignant\p{L}*|directeur\p{L}*|directrice|agent|chauffeur|vendeu\p{L}+|cuisini\p{L}+
    |electricien\p{L}*|menuisier|assistante?|secretaire|medecin|mecanicien\p{L}*|informaticien\p{L}*|bibliothecaire
    |chef[ ]de
    |abogad[oa]|enfermer[oa]|maestr[oa]|profesor\p{L}*|ingenier[oa]|fontaner[oa]|albanil|camarer[oa]|carpinter[oa]
    |periodista|peluquer[oa]|panader[oa]|electricista|contable|contador\p{L}*|conductor\p{L}*|arquitect[oa]
    |bibliotecari[oa]|fisioterapeuta|farmaceutic[oa]|director\p{L}*|jefe[ ]de|jefa[ ]de|trabajador[a]?[ ]social|agente
    |cociner[oa]|veterinari[oa]|mecanic[oa]|administrativ[oa]|dependient[ae]|psicolog[oa]|polic[ií]a\b
    |avvocat\p{L}+|infermier\p{L}+|insegnante|ingegner\p{L}+|idraulic[oa]|muratore|camerier\p{L}+|falegname|giornalista
    |parrucchier\p{L}+|fornaio|elettricista|commercialista|autista|architett[oa]|bibliotecari[oa]|fisioterapista
    |farmacista|direttor\p{L}+|assistente|cuoc[oa]|veterinari[oa]|meccanic[oa]|impiegat[oa]|segretari[oa]|operai[oa]
    |medic[oa]|maestr[oa]
    |advogad[oa]|enfermeir[oa]|professor[a]?|engenheir[oa]|encanador\p{L}*|canalizador\p{L}*|pedreir[oa]|garcom
    |garconete|carpinteir[oa]|jornalista|cabeleireir[oa]|padeir[oa]|eletricista|motorista|arquitet[oa]|farmaceutic[oa]
    |diretor[a]?|gerente|assistente|cozinheir[oa]|veterinari[oa]|mecanic[oa]|psicolog[oa])\b"""
_DOSED = r"[\p{L}-]{4,30}[ ]\d{1,4}(?:[.,]\d{1,3})?[ ]?(?:mg|mcg|µg|g|ml|ui|ie|iu)\b"
_HOSPITAL = (
    r"(?:[\p{L}.'’&-]+ ){0,4}?[\p{L}.-]*(?:hospital|hopital|ospedale|hospitalier|spital|klinik|klinikum|krankenhaus"
    r"|clinic|clinique|clinica|infirmary|sanatori|policlinic|poliklinik|medical cent|centro medico|centre medical"
    r"|surgical cent|cancer|institut|santa casa|casa di cura|maternidade|health cent|healthcare|charite|\bchu\b"
    r"|maternit[ae]|maternite|maternidad|polyclinique|policlinica|tumorzentrum|herzzentrum|gesundheitszentrum"
    r"|rehazentrum|rehaklinik|casa de saude|casa de salud|centro de saude|centro de salud|pronto socorro"
    r"|pronto soccorso|maison de sante|hospice|hospiz|infirmerie|ambulatori|lazarett|diakonissen|misericordia)"
)
_COMPANY = (
    r"(?:.{2,40}? )?(?:gmbh|ag|kg|ohg|se|inc|ltd|llc|plc|corp|corporation|enterprises|traders|trading|international"
    r"|brothers|bros|sa|sas|sarl|s\.a\.?|s\.l\.?.*|s\.r\.l\.?|s\.p\.a\.?|spa|srl|ltda\.?|s/a|group|gruppo|grupo"
    r"|groupe|software|systems|bank|versicherungen|assurances|seguros|assicurazioni|cabinet|garage|editora?|editorial"
    r"|autohaus|backerei|boulangerie|panaderia|padaria|panificio|talleres|transportes|trasporti"
    r"|bodegas|cantine|hermanos|fratelli|& \p{L}+|(?:and|et|e|y|und) (?:sons|fils|figli|filhos|hijos|sohne|asociados)"
    r"|consult\p{L}+|conseil|logiciels"
    r"|transports?|logisti\p{L}*|spedition|reederei|druckerei|brauerei|giesserei|mobelhaus|stadtwerke|maschinenbau"
    r"|anlagenbau|metallbau|hausverwaltung|sparkasse|volksbank|molkerei|gartnerei|kanzlei|verlag|ingenieurburo"
    r"|elektrotechnik|couriers|bakery|foods|motors|dental|steel|railways?|insurance|holdings?|pharma|pharmaceuticals"
    r"|supplies|textiles|industries|partners"
    r"|technologies|solutions|logistics|airlines|airways|engineering|construction|builders|brewery|breweries|stores"
    r"|retail|media|publishing|capital|financial|associates|labs|energy|fonderie?|fonderia|fonderies|imprimerie"
    r"|verrerie|acieries|meubles|patisserie|librairie|editions|laboratoires|brasserie|menuiserie|muebles|aceros"
    r"|conservas|constructora|imprenta"
    r"|textil\p{L}*|almacenes|supermercados|ferreteria|asesoria|gestoria|estudio|inmobiliaria|tipografia"
    r"|ceramic\p{L}*|mobili|officine|edilizia|panetteria|caseificio|birrificio|studio|metalurgica|construtora|moveis"
    r"|grafica|oficina|vinicola|estaleiros|hotelaria|energias?|farmaceutica|distribui\p{L}*|banco|banca|banque)\b\.?"
)
_POLITICS = r"""(?!\p{L}+(?:ly|ing)\b)
    (?:(?:lifelong|staunch|de|di|d['’]|extrema?|estrema|extreme|ultra|center|centre|far|muito)[ ]?){0,3}
    (?:socialis\p{L}*|communis\p{L}*|comunis\p{L}*|kommunis\p{L}*|conserv\p{L}*|konservat\p{L}*|liberal\p{L}*
    |libertari\p{L}*|anarch\p{L}*|anarqu\p{L}*|centris\p{L}*|zentrist\p{L}*|left-wing\p{L}*|right-wing\p{L}*
    |left-leaning
    |right-leaning|leftist|rightist|republican\p{L}*|democrat\p{L}*|marxis\p{L}*|nationalis\p{L}*|nacionalis\p{L}*
    |nationalkons\p{L}*|sozialdemokrat\p{L}*|socialdemocr\p{L}*|social-d\p{L}*
    |(?:links|rechts)
    (?:-?(?:liberal|konserv|radikal|extrem|national|gerichtet|popul|orientiert|alternativ|aussen|wahler|partei)\p{L}*
    |e[rnsm]?)?\b
    |grune?[rnsm]?\b|linke[nr]?|gauche|droite|izquierdas?|derechas?|sinistra|destra|esquerda|direita|ecologis\p{L}*
    |ambientalis\p{L}*|peronis\p{L}*|bolsonaris\p{L}*|petista|monarchi\p{L}*|monarqui\p{L}*|royalist\p{L}*
    |progressist\p{L}*|progresist\p{L}*|fascis\p{L}*|populis\p{L}*|gaullist\p{L}*|trotsk\p{L}*|maois\p{L}*|tory|whig
    |labour|green|federalis\p{L}*|separatis\p{L}*|independentis\p{L}*|apolitical)\b"""
_PARTY = (
    r"(?!(?:part[yi]|partido|partito|partei)\Z)(?:cdu|csu|spd|fdp|afd|bsw|spo|ovp|fpo|neos|svp|glp|psoe|pp|vox|bildu"
    r"|junts|sumar|podemos|erc|pnv|ciudadanos|ps|lr|rn|lfi|modem|eelv|reconquete|renaissance|pd|lega|azione|m5s|psd"
    r"|psdb|pt|psol|pdt|mdb|pcp|pl|novo|chega|pcb|dem|gop|snp|ukip|plaid[ ]cymru|grunen|linken?|die[ ]grunen"
    r"|republicains"
    r"|.{0,30}(?:part[yi]\b|partido|partito|parti|partei|democrats|socialists|alleanza|movimento|bloco|rassemblement"
    r"|bundnis|izquierda|esquerra|rifondazione|(?:forza|fratelli[ ]d['’])[ ]?italia|italia[ ](?:viva|dei[ ]valori)"
    r"|sinistra|insoumise|ecologie|radicali))"
)


class _Either:
    """Words of one vocabulary or another."""

    def __init__(self, *vocabularies: Vocabulary) -> None:
        self._vocabularies = vocabularies

    def __contains__(self, word: str) -> bool:
        return any(word in vocabulary for vocabulary in self._vocabularies)

    def begun(self, word: str) -> bool:
        return any(vocabulary.begun(word) for vocabulary in self._vocabularies)


_MORE_JOBS = Vocabulary(
    # English
    """doctor artist housekeeper plasterer stocker estimator warden agent rep representative salesperson
    technologist sonographer -ologist groomer instructor constable sergeant fitter steelworker docker stevedore
    chambermaid butler usher stocktaker proofreader copyeditor ghostwriter cartoonist ceramicist cellist organist
    guitarist bassist ballerina boxer jockey footballer cyclist skipper deckhand first-mate boatswain rancher
    shearer milkman beekeeper gamekeeper groundskeeper custodian embalmer locum registrar midwife doula orthodontist
    orthopedist endocrinologist urologist paramedic dispatcher cryptographer sysadmin tester scrum-master controller
    comptroller buyer merchandiser auctioneer appraiser valuer letting-agent minister deacon imam rabbi monk nun
    diplomat ambassador consul senator councillor mayor croupier waitperson busboy dishwasher fishmonger greengrocer
    grocer milliner dressmaker farrier wheelwright""",
    # German
    """lagerist lageristin jurist juristin pianist pianistin cellist cellistin organist gitarrist archivist
    archivarin archivar galerist kabarettist polizist -fuhrer -fuhrerin -gehilfe -gehilfin haushaltshilfe -monteur
    -monteurin -handler -handlerin -vertreter -vertreterin -inspektor -inspektorin -kommissar -kommissarin -manager
    -managerin -direktor -direktorin -forscher -forscherin -wissenschaftler -wissenschaftlerin -betreuer -betreuerin
    -padagoge -padagogin logopade logopadin -okonom -okonomin -spediteur -disponent -disponentin -kurier -zusteller
    -zustellerin -reiniger -ausbilder -ausbilderin -prufer -pruferin -vermittler -vermittlerin -planer -planerin
    -zeichner -zeichnerin -konstrukteur -konstrukteurin regisseur regisseurin autor autorin schriftsteller
    schriftstellerin sanger sangerin moderator moderatorin staatsanwalt staatsanwaltin -anwaltin praktikant
    praktikantin volontar volontarin -fachangestellte -fachangestellter -fachverkaufer -fachverkauferin -schaffner
    -schaffnerin zugbegleiter zugbegleiterin -trager -traegerin mullwerker schornsteinfeger schornsteinfegerin
    kfz-mechatroniker mechatroniker mechatronikerin -mechatroniker gerustbauer fliesenleger bodenleger parkettleger
    estrichleger zerspaner fraserin goldschmied goldschmiedin polsterer tapezierer glasblaser topferin weberin imker
    imkerin chemielaborant erntehelfer betriebsrat betriebsratin matrose kapitanin steuermann pflegekraft
    -pflegehelfer -pflegehelferin altenpfleger pflegefachfrau pflegefachmann -assistentin rettungssanitater
    notfallsanitater ergotherapeut podologin diakon imam rabbiner priester pastor pastorin vikar nonne monch
    diplomat konsul burgermeister burgermeisterin abgeordnete stadtrat""",
    # French
    """veilleur veilleuse proviseure fattorin- podologue vigile auxiliaire intervenant surveillant surveillante
    maraicher maraichere eleveur eleveuse paysagiste standardiste receptionniste barman barmaid sommelier consultant
    consultante analyste statisticien economiste juriste magistrat magistrate proviseur entraineur moniteur
    monitrice ergotherapeute puericultrice infographiste monteur monteuse regisseur acteur actrice chanteur
    chanteuse ecrivain auteur autrice editeur editrice libraire antiquaire apiculteur pecheur marin docker cheminot
    grutier manutentionnaire preparateur preparatrice ajusteur fraiseur tourneur chaudronnier vitrier carrossier
    ebeniste tapissier prothesiste brancardier radiologue anesthesiste urologue pediatre cardiologue controleur
    controleuse inspecteur inspectrice commissaire prefet maire depute deputee pretre imam rabbin diplomate consul
    gestionnaire commercial commerciale attache attachee charge chargee chef-cuisinier plongeur eboueur ramoneur
    platrier electromecanicien stagiaire apprenti apprentie maitre maitresse-nageuse laborantin laborantine
    dessinateur dessinatrice monitrice-educatrice aide-comptable aide-menagere hote hotesse barista chocolatier
    fromager poissonnier primeur epicier epiciere""",
    # Spanish
    """recepcionista reponedor- vigilante guardia socorrista guia matrona terapeuta nutricionista dietista podolog-
    ganader- pescador- miner- estibador- gruista torner- montador- chapista herrer- ebanista vidrier- escayolista
    encofrador- jornaler- teleoperador- tasador- actuari- auditor auditora analista consultor- becari- bedel
    ordenanza alguacil fiscal magistrad- archiver- escritor- poeta escultor- cantante presentador- locutor-
    guionista editor- impresor- mayordomo sepulturer- barrender- basurer- maquinista ferroviari- revisor- azafat-
    comisari- alcalde alcaldesa sacerdote rabino diplomatic- consul representante practicante matarife estilista
    esteticista manicurista masajista animador- cuentacuentos oficial suboficial sargent- capitan coordinador-
    supervisor- dibujante delineante topograf- ingenier- aparejador- geolog- botanic-""",
    # Italian
    """receptionist portier- bidell- vigilante guardia bagnin- guida levatrice terapeuta nutrizionista dietista
    podolog- allevator- pescator- minator- tornitor- carpentier- lattonier- vetrai- stuccator- centralinista
    rappresentante agente perit- attuari- revisor- analista stagista uscier- cancellier- magistrat- archivista
    scrittor- scrittrice poeta scultor- scultrice cantante presentator- presentatrice regista montator- editor-
    tipograf- tata babysitter colf maggiordomo becchino casaro macchinista ferrovier- controllor- netturbin-
    spazzin- gruista mulettista commissari- sindac- sacerdote parroco rabbino diplomatic- console tirocinante
    apprendista praticante coordinator- coordinatrice supervisor- disegnator- disegnatrice geolog- botanic-
    massaggiator- manicure truccator- truccatrice pasticcer- gelatai- pizzaiol- salumier- fruttivendol- edicolant-
    tabaccai- corniciai- restaurator- restauratrice""",
    # Portuguese
    """rececionista recepcionista porteir- vigilante guarda guia terapeuta nutricionista podolog- pescador- mineir-
    estivador- torneir- montador- ferreir- vidraceir- estucador- telefonista representante agente perit- auditor
    auditora analista estagiari- oficial magistrad- procurador- arquivista escritor- poeta escultor- cantor-
    apresentador- locutor- realizador- editor- tipograf- governanta mordomo coveir- maquinista ferroviari- revisor-
    lixeir- gari gruista frentista gestor- delegad- desembargador- promotor- cuidador- merendeira diarista manicure
    pedicure corretor- despachante comissari- prefeit- padre rabino diplomat- consul aprendiz coordenador-
    supervisor- encarregad- desenhador- topograf- geolog- massagista maquilhador- maquiador- gerente administrativ-
    escriturari- bancari- caixeir- repositor- operari- pasteleir- talhante acougueir- peixeir- merceeir- padeir-
    educador- explicador- sacerdote cantoneir- camareir- copeir- lavador- empilhador-""",
)
"""Jobs besides those of `vocabulary`."""


class Form:
    """How the values of a kind look.

    A value matches the pattern at its beginning, or has a word of the vocabulary among its first words.

    Args:
        pattern: the pattern of a beginning, for folded text.
        flags: flags of both patterns.
        vocabulary: words of which one suffices.
        within: among how many of the first words that one must stand.
        words: the pattern of words by whose first letters a value is known that the end of the text cuts.
    """

    __slots__ = ("_matches", "_may_match", "_pattern", "_vocabulary", "_within", "_words")

    def __init__(
        self,
        pattern: str,
        flags: int = 0,
        vocabulary: Vocabulary | _Either | None = None,
        within: int = 3,
        words: str = "",
    ) -> None:
        self._pattern = regex.compile(pattern, flags)
        self._vocabulary, self._within = vocabulary, within
        self._words = regex.compile(words, flags) if words else None
        self._matches = dict[str, bool]()
        self._may_match = dict[tuple[str, str], bool]()

    def match(self, value: str) -> bool:
        """Tell whether a folded text begins like a value. It is remembered of single words."""
        found = self._matches.get(value)
        if found is None:
            found = self._match(value)
            if len(value) <= _WORD_CHARS and value.isalpha():
                if len(self._matches) >= _MOST_WORDS:
                    self._matches.clear()
                self._matches[value] = found
        return found

    def _match(self, value: str) -> bool:
        if self._pattern.match(value):
            return True
        if self._vocabulary is None:
            return False
        for word in _WORDS.findall(value, 0, 64)[: self._within]:
            if word in self._vocabulary or (self._vocabulary is ILLNESSES and word in AMBIGUOUS_ILLNESSES):
                return True
            if word in _OF or (self._vocabulary is ILLNESSES and word not in ILLNESS_MODIFIERS):
                return False
        return False

    def may_match(self, begun: str, marks: str = " ") -> bool:
        """Tell whether a folded text can begin like a value.

        Args:
            begun: its first whole words.
            marks: characters of which one stands behind them if the text goes on.
        """
        found = self._may_match.get((begun, marks))
        if found is None:
            found = self._can_match(begun, marks)
            if len(begun) <= _WORD_CHARS and begun.isalpha():
                if len(self._may_match) >= _MOST_WORDS:
                    self._may_match.clear()
                self._may_match[begun, marks] = found
        return found

    def _can_match(self, begun: str, marks: str) -> bool:
        if self.match(begun) or any(self._pattern.match(begun + mark, partial=True) for mark in marks):
            return True
        if self._vocabulary is None:
            return False
        words = _WORDS.findall(begun, 0, 64)
        if len(words) >= self._within or len(begun) >= 64:
            return False
        return not any(w in _OF or (self._vocabulary is ILLNESSES and w not in ILLNESS_MODIFIERS) for w in words)

    def begun(self, tail: str) -> bool:
        """Tell whether a folded text begins like a value; it was cut inside a word of four letters or more."""
        last = tail.rpartition(" ")[2]
        if len(last) < _LEAST_BEGUN:
            return False
        if self._words is not None and self._words.match(tail, partial=True):
            return True
        return self._vocabulary is not None and len(tail.split()) <= self._within and self._vocabulary.begun(last)


_WORD_CHARS, _MOST_WORDS = 32, 4096
_LEAST_BEGUN = 4
_OF = frozenset(["of", "de", "del", "di", "da", "do", "du", "des"])
_WORDS = regex.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
FORMS = {
    Entity.DIAGNOSIS: Form(_ILLNESS, regex.VERBOSE, ILLNESSES),
    Entity.PRESCRIPTION: Form(rf"{_MEDICINE}|{_DOSED}", regex.VERBOSE, MEDICINES, 1),
    Entity.JOB_TITLE: Form(_JOB, regex.VERBOSE, _Either(JOBS, _MORE_JOBS)),
    Entity.HOSPITAL: Form(_HOSPITAL),
    Entity.EMPLOYER: Form(_COMPANY),
    Entity.NRP: Form(f"(?:{_POLITICS})|(?:{_PARTY})\\b|(?:{BELIEF})\\b|(?:{UNION})\\b", regex.VERBOSE, words=BELIEF),
    Entity.SEXUAL_ORIENTATION: Form(rf"(?:{ORIENTATION})\b", regex.VERBOSE, words=ORIENTATION),
    Entity.CRIMINAL_RECORD: Form(rf"(?:{CRIME})\b", regex.VERBOSE, words=CRIME.replace(r"\w*(?:", "(?:")),
}
