"""How beliefs, origin, sexual orientation and convictions are said of somebody, in the notation of `wordings`.

These are what articles 9 and 10 of the GDPR protect beside health and biometrics. The words are everywhere in ordinary prose: a value has to look
like one (`forms`), unless it stands behind a label, and has to be said of a person. Politics stands in the tables of the languages.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity

_AN = r"(?:(?:an?|un|une|una|um|uma|ein|eine)[ ])?"
BELIEF = (
    rf"{_AN}(?:(?:devout|practi[sc]ing|lapsed|observant|strict|orthodox|conservative|reform|roman|greek|russian|eastern|shia|shiite|sunni|born-again|evangelical|southern|irish|strenggl\w+|glaubig\w*|romisch|russisch|griechisch|fervente?|pratiquante?|testigos?|testemunhas?|testimon[ei]|temoins?|zeug\w+)[- ](?:de |di |of )?){{0,2}}"
    r"(?:catholic|protestant|muslim|moslem|jew(?:s|ish|ess)?\b|hindu|buddhist|sikh|mormon|atheist|agnostic|lutheran|methodist|baptist|presbyterian|anglican|episcopalian|pentecostal|quaker|adventist|jehovah|jehovas|geova|jeova|scientolog|pagan|wiccan|zoroastrian|bah[aá]['’]?i|jain|taoist|shinto|christian|evangelical|unitarian|islam|judaism|christianity|catholicism|buddhism|hinduism"
    r"|katholi|evangelisch|orthodox|jude\b|judin|judisch|buddhis|hinduis|konfessionslos|judentum|christentum|christlich|freikirchlich|neuapostolisch|altkatholisch|freireligios|glaubig\b|christ\b|christin\b|alevit"
    r"|catholique|chretien|musulman|juive?s?\b|juifs?\b|bouddhis|hindoue?|athee|agnostique|evangelique|catolic|cristian|judi[oa]s?\b|budista|ate[oa]s?\b|agnostic|evangelic|ortodox|cattolic|ebre[oai]\b|ebrais|buddista|induista|ortodoss|valdese|crista\b|cristao|muculman|judeu|judia|judaism|ateu|ateia|espirita|espiritista|umband|candomblecista|evangelico|mormon|metodista|batista|bautista|adventista|pentecostal|candomble"
    r"|hispanic|latin[oax]s?\b|afro-?\w+|african[- ]american|asian[- ]american|native[ ]american|caucasian|romani\b|sinti\b|sintiz|kurd|romanichal|gitan[oa]|mestiz|indigen|mixed[- ]race|biracial)\w*"
)
"""A religion, or a people that is no nation; in folded text."""
UNION = r"(?:(?:the|der|die|la|le|lo|il|el|a|o)[ ])?(?:ig[ ]metall|ver\.?di|ig[ ]bau|gew\b|cgt\b|cfdt\b|ugt\b|ccoo\b|cgil\b|cisl\b|unison\b|seiu\b|afl-cio|teamsters|[\w' -]{0,24}?(?:trade|labou?r|workers['’]?|teachers['’]?|nurses['’]?)[ ]union|[\w-]*gewerkschaft|syndicat|sindicat|sindacat)\w*"
ORIENTATION = rf"{_AN}(?:gays?\b(?![-’'])|lesb(?:ian|isch|ienne|iana|ica)|(?:bi|homo|hetero|pan|a|omni|demi|trans)-?(?:se[xs]s?u[ae]l|sexuell|ssexual)|homo\b|hetero\b|hetera\b|etero\b|bisex\b|bi\b(?![-’'])|queer\b|trans\b(?![-’'])|polyse[xk]su|polisess|omosessual|eterosessual|bisessual|pansessual|asessual|schwul|transgender|transgenre|transgenero|transgeschlecht|non-?binary|nicht-?bin[aä]r|n[aã]o-?bin[aá]ri|no[ ]binari)\w*"
"""Said of a person, words that mean little else ("straight" does)."""
CRIME = (
    rf"{_AN}(?:(?:an?|the|two|three|several|multiple|counts?|first|second|third|degree|aggravated|armed|attempted|felony|misdemeanou?r|grand|petty|benefit|welfare|mortgage|election|electoral|hate|sex|petit|simple|sexual|domestic|identity|tax|wire|mail|bank|insurance|securities|credit|card|drug|child|vehicular|involuntary|voluntary|drunk|drunken|reckless|statutory|gross|serious|criminal|minor|embezzling|schwer\w+|versucht\w+|fahrlassig\w+|gefahrlich\w+|sexuell\w+|gemeinschaftlich\w+)[- ](?:of )?){{0,3}}"
    r"(?:burglar(?:y|ies)|robber(?:y|ies)|theft|larceny|fraud|embezzl|assault|manslaughter|murders?\b|arson|rape\b|kidnapping|forgery|perjury|brib(?:e|ing)|extort|blackmail|stalking|shoplift|vandalism|trespass|dui\b|dwi\b|driving[ ](?:under[ ]the[ ]influence|while[ ](?:intoxicated|impaired)|without[ ]a[ ]licen[cs]e)|dangerous[ ]driving|careless[ ]driving|speeding\b|drunk(?:en)?[ ]driving|drink[- ]driving|drug[ ]possession|possession(?=[ ]of[ ])|stealing|killing|murdering|robbing|raping|assaulting|stabbing|shooting|beating|attacking|abusing|abducting|kidnapping|harassing|threatening|defrauding|cheating|forging|bribing|burgl\w+|smuggling|(?:dealing|selling|supplying|possessing|growing|importing)[ ](?:drugs|cocaine|heroin|cannabis|crack|weed)|causing[ ]death|terroris|gbh\b|trafficking|smuggling|money[ ]laundering|laundering|harassment|homicide|racketeer|conspiracy|indecent|domestic[ ]violence|violence\b|evasion|tax[ ]evasion|solicit(?:ing|ation)|prostitution|molest(?:ing|ation)|hacking|poaching|gambling|bigamy|affray|criminal[ ]damage|handling[ ]stolen[ ]goods|grievous|insider[ ]trading|sex[ ]offen[cds]e|felon\b|drug[ ]dealing|loitering|disorderly|joyriding|carjacking|breaking[ ]and[ ]entering|obstruction(?=[ ]of[ ])|identity[ ]theft|counterfeiting|hit[ -]and[ -]run|false[ ]accounting|grand[ ]theft|cybercrime|treason|contempt[ ]of[ ]court|stabbing|animal[ ]cruelty|public[ ]intoxication|cruelty|fare[ ]evasion"
    r"|(?:beihilfe|anstiftung)(?=[ ]zu)|(?:(?:strassen|bank|schwere[rmns]{0,2}[ ])?raub|(?:doppel|auftrags|versuchte[rnms]?[ ])?mord|(?:wohnungs)?einbruch)(?:e?s)?\b|widerstands?[ ]gegen|volksverhetz|\w*(?:diebst[aä]hl|(?:kredit|sozial|steuer|versicherungs|anlage|internet|subventions|\b)betrug|korperverletzung|totschlag|brandstiftung|vergewaltigung|falschung|meineid|bestechung|erpressung|hinterziehung|unterschlagung|veruntreuung|notigung|hehlerei|sachbeschadigung|trunkenheit|fahrerflucht|drogenhandel|drogenbesitz|geldwasche|beraubung|menschenhandel|hausfriedensbruch|missbrauch|schwarzfahren|beleidigung|bedrohung)(?:e?s|en|e)?\b|untreue\b|stalking"
    r"|vol\b|vols\b|cambriolage|fraude|escroquerie|agression|meurtre|homicide|viol\b|incendie|parjure|corruption|extorsion|chantage|conduite(?=[ ](?:en|sans|sous)[ ])|trafic(?=[ ]d)|blanchiment|violences|abus|recel|delit[ ]de[ ]fuite|travail[ ]dissimule|port(?=[ ](?:d|illegal|prohibe))|abandon(?=[ ]de[ ])|faux(?=[ ]et[ ])|faux\b|harcelement|detournement|coups(?=[ ]et[ ])|usage(?=[ ]de[ ])|evasion|assassinat|menaces|exhibition|outrage|degradation|rebellion"
    r"|robo\b|robos\b|hurto|estafa|agresion|asesinato|homicidio|violacion|incendio|falsifica|falsedad|perjurio|soborno|cohecho|chantaje|condu(?:cir|zir|cao|ccao)(?=[ ])|trafico(?=[ ]de[ ])|narcotrafico|blanqueo|malversacion|lesiones|acoso|maltrato|violencia|allanamiento|conduccion(?=[ ](?:bajo|temeraria|sin|ebria))|secuestro|amenazas|prevaricacion|alcoholemia"
    r"|furt[oi]\b|rapin[ae]|frode|truff[ae]|aggressione|omicidio|stupro|violenza|spergiuro|corruzione|estorsione|ricatto|guida(?=[ ](?:in|sotto|senza)[ ])|spaccio|riciclaggio|appropriazione|lesioni|molestie|evasione[ ]fiscale|ricettazione|sequestro|concussione|peculato|diffamazione|bancarotta|maltrattamenti|rissa|minacce"
    r"|roubo|burla\b|estelionato|agressao|assassinato|assassinio|estupro|violacao|falsificacao|suborno|corrupcao|extorsao|chantagem|embriaguez|branqueamento|lavagem|lesao|lesoes|ofensas|assedio|sequestro|receptacao|evasao|sonegacao|ameaca|desvio)\w*"
)
"""What somebody is convicted of; in folded text."""
CRIME_TAILS = r"""[ ](?:
    a[ ](?:main[ ]armee|l['’]etalage|mano[ ]arma[dt]a|mao[ ]armada|domicilio)|en[ ](?:etat[ ](?:d['’]\w+|alcoolique)|bande[ ]organisee|reunion|recidive|grado[ ]de[ ]\w+)
    |sans[ ](?:permis|assurance)|sous[ ](?:l['’]\w+|influence)|de[ ](?:stupefiants|drogues?|faux|biens|confiance|famille|estupefacientes|menor\w*|capitales|vehiculos?|droga)|d['’]arme\w*|et[ ](?:blessures|usage)
    |con[ ](?:violencia|fuerza|intimidacion|arma\w*)|bajo[ ](?:los[ ]efectos|la[ ]influencia)|sin[ ](?:carnet|permiso|licencia)|sob[ ](?:efeito|influencia)|sem[ ](?:carta|habilitacao)|ao[ ]volante
    |in[ ](?:abitazione|stato[ ]di[ ]\w+|stato[ ]d['’]\w+|concorso|famiglia)|sotto[ ](?:l['’]\w+|effetto)|senza[ ](?:patente|assicurazione)|di[ ](?:droga|stupefacenti|denaro|influenze)
    |am[ ]steuer|mit[ ]todesfolge|im[ ](?:strassenverkehr|amt)|(?<=(?:beihilfe|anstiftung)[ ])zu[mr]?[ ]\w+
    |with[ ](?:intent|a[ ]deadly[ ]weapon)|under[ ]the[ ]influence|of[ ]justice|and[ ]battery|by[ ](?:deception|fraud)|to[ ](?:commit[ ][\w-]+|defraud|murder|supply)
    |(?<=possession[ ])of[ ](?:(?:an?|illegal|stolen|child|controlled|crack|unlicensed|prohibited|class|offensive)[ ]){0,2}[\w-]+)"""
"""How a crime's name goes on behind a word at which other values end ("vol à main armée"); in folded text."""

PROTECTED_WORDINGS: Mapping[str, Mapping[str, Mapping[Entity, str]]] = {
    "English": {
        "nouns": {
            Entity.NRP: """
                religion/denomination/creed/ethnicity/nationality/citizenship
                religious affiliation/beliefs/faith/denomination/community
                ethnic/racial origin/background/group/identity
                race/ethnicity ethnicity
                trade? union membership
                trade/labor/labour union
            """,
            Entity.SEXUAL_ORIENTATION: "sexuality | sexual orientation/preference/identity",
            Entity.CRIMINAL_RECORD: """
                criminal/police/arrest record/records/history/past/offense/offence/offenses/offences/conviction/
                    convictions/charge/charges?
                prior/previous/past convictions/conviction/arrests/offenses/offences
                convictions/conviction/felonies/felony/misdemeanor/misdemeanors/offence/offense/offences/offenses
                rap sheet
            """,
        },
        "formed": {
            Entity.NRP: """
                is/was/are/am/be/being/become/became a/an? devout/practising/practicing/lapsed/observant/strict/pious/
                    lifelong
                raised/brought/grew/born up? as? a/an?
                converted/converts/conversion to
                prays/worships as an?/a?
                belongs/belonged to the
                member/members of the/a
                religion/faith/ethnicity/denomination is/was
                as a/an?
                being a/an?
                that she/he/they/_ _? is/was/are/were a/an?
                since/because/although/though she/he/they/_ _? is/was a/an?
                himself/herself/themselves as? a/an?
                married a/an?
            """,
            Entity.SEXUAL_ORIENTATION: """
                is/was/are/am/be/being/'s openly/secretly/actually/also/now/really/probably/in? fact?
                came/come/comes/coming/outed out? as/to? her/his/their/the? _? as? a/an?
                identifies/identify/identified/lives/lived/known openly? as a/an?
                knows/knew/told/says/said/learned/learnt/revealed/admits/admitted that? he/she/they/_ _? is/was/'s
                is/was a/an
                as a/an?
                that she/he/they/_ _? is/was/are/were a/an?
                being a/an?
                she/he/they/who is/was/are/were also?
                box/profile/form/file/record/word marked/says/reads/is/was/lists .. as?
                for being a/an?
                attracted .. is
                self-identified
                out as
            """,
            Entity.CRIMINAL_RECORD: """
                convicted/guilty/accused/suspected/acquitted of/for
                is/was/are/am/'s a/an registered/convicted
                charged/indicted/booked with/for/on
                arrested/jailed/imprisoned/sentenced/fined/wanted/prosecuted/cautioned/arraigned/incarcerated/
                    detained for/on
                pleaded/pled/plead/pleads/found guilty to/of
                conviction/convictions/sentence/warrant/probation/parole/record/caution/time/years/months/prison/jail/
                    bail for
                served/serving/did/doing .. for
                committed/commits/confessed/admitted to?
                arrested/held/detained/questioned/wanted/charged .. suspicion/charges/charge/count/counts of
                indicted/tried/convicted/arraigned/sentenced/charged .. count/counts/charge/charges/two/three/one of?
                custody/prison/jail/court/trial/bail/police/handcuffs .. over/for/with
                record/sheet/check/file/history .. includes/include/shows/show/lists/list/mentions/up/contains/was/is/
                    for
                did/doing/done time/bird for
                history/conviction/convictions/accusations/accusation/allegations/charges/charge .. of/for
                caught/nicked/busted/locked up? for
                down/away/inside for
            """,
        },
        "after": {
            Entity.SEXUAL_ORIENTATION: """
                is how she/he/they/_ _? describes/identifies/identify/describe
                and proud/not/out
                is what she/he/they/_ _? calls/called/is/was
                since as/ever
                is/was the word/label
            """,
            Entity.CRIMINAL_RECORD: """
                is/was the charge/charges/offence/offense/crime/conviction/reason
                is/was what .. convicted/arrested/charged/jailed/accused/sentenced/prison/jail/did/serving/for
                got/landed/put/cost .. prison/jail/years/months/custody/job
                is/was why .. prison/jail/arrested/convicted/sentenced
                is/appears/shows/stands on his/her/their/_ _? record/sheet/file
                charges were filed/brought against
            """,
        },
        "asks": {
            Entity.NRP: "what religion/faith/ethnicity | which religion/faith/church | believe/believes in god",
            Entity.CRIMINAL_RECORD: """
                what .. convicted/arrested/charged/jailed/guilty/accused
                why .. prison/jail/arrested/jailed/imprisoned/convicted/sentenced
                for what .. arrested/convicted
                any/a criminal/police record/convictions
                what did .. do time/prison
            """, Entity.SEXUAL_ORIENTATION: """
                how .. identify/identifies/identified
                likes/like/dates men/women/guys/girls
            """},
    },
    "German": {
        "nouns": {
            Entity.NRP: """
                religion/konfession/glaube/religionszugehorigkeit/staatsangehorigkeit/nationalitat/ethnie/
                    staatsburgerschaft/gewerkschaft/gewerkschaftszugehorigkeit/glaubensrichtung
                ethnische/religiose herkunft/zugehorigkeit/uberzeugung
                religionszugehorigkeit laut _
            """,
            Entity.SEXUAL_ORIENTATION: "sexualitat | sexuelle/sexuellen orientierung/identitat/praferenz/ausrichtung",
            Entity.CRIMINAL_RECORD: """
                vorstrafe/vorstrafen/strafregister/strafregistereintrag/strafregisterauszug/verurteilung/verurteilungen/
                    delikt/delikte/straftat/straftaten
                verurteilt/inhaftiert/verhaftet/vorbestraft/festgenommen/angeklagt wegen
                haftgrund/tatvorwurf/anklagepunkt/straftatbestand/strafvorwurf
            """,
        },
        "formed": {
            Entity.NRP: """
                ist/war/bin/sei/wurde glaubiger/glaubige/praktizierender/praktizierende/bekennender/bekennende/strenger/
                    uberzeugter/strengglaubige/strengglaubiger?
                konvertierte/konvertiert/ubergetreten zum
                zum
                ist/war/wurde streng/sehr/tief?
                getauft/erzogen/aufgewachsen
                dass/weil/ob/wenn/obwohl/denn/da sie/er/ich/_ _?
                ist/war/sei/bin/ware ebenfalls/auch/seit/sehr/immer/noch/inzwischen/heute/nicht?
                ist/war/sei .. ebenfalls/auch/hochzeit/taufe/geburt/heute/inzwischen
                als
                glauben .. sei/ist
            """,
            Entity.SEXUAL_ORIENTATION: """
                ist/war/bin/sei offen/heimlich/auch/eigentlich/wohl?
                outete/outet/geoutet sich? als
                lebt/lebte offen?
                bezeichnet/versteht/identifiziert sich als
                sich selbst? als
                als
                dass/weil/ob/wenn/obwohl sie/er/ich/_ _?
                sei/ware/gewesen
                klar ,
                wort
                orientierung hat/gab .. _?
                zu/ist/war/bin nicht/schon/immer/eben/einfach/klar?
            """,
            Entity.CRIMINAL_RECORD: """
                wurde/wird/worden/sass/sitzt/musste/steht/kam/ist/war/bin/sei/hat/ihn/sie/ihm/erhielt/bekam .. wegen
                angeklagt/verurteilt/beschuldigt/verhaftet/festgenommen/vorbestraft/inhaftiert/verurteilung/
                    verurteilungen/vorstrafe/vorstrafen/eintrag/haftbefehl/anklage/verfahren/geldstrafe/haftstrafe wegen
                angeklagt/verurteilt/beschuldigt/verdachtigt/verhaftet/festgenommen/vorbestraft/inhaftiert .. wegen/des/
                    der
                gericht/gestandnis/ermittlungen/anklage/prozess/haft/gefangnis/knast/strafe/bewahrung/urteil .. wegen/
                    auf/fur/der/des
                vor gericht hat _ _? _?
                gestand/gesteht/beging/begangen/beichtete
            """,
        },
        "after": {
            Entity.SEXUAL_ORIENTATION: """
                ist/war/sei sie/er/_ _? schon/nach/seit/immer/eigenen/offen/laut
                nennt/bezeichnet sie/er/_ _? sich
                lautet/lautete/war/ist die antwort
                und stolz/glucklich
                ist .. gewesen
            """,
            Entity.CRIMINAL_RECORD: """
                lautete/lautet/war/ist der/die/das vorwurf/anklage/urteil/delikt/grund/straftat/tatvorwurf
                brachte/brachten .. gefangnis/haft/knast/bewahrung/jahre/gericht
                wird/wurde ihr/ihm/_ _? vorgeworfen/zur
                steht/stand .. strafregister/fuhrungszeugnis/akte/register
                war/ist .. verurteilt/grund/sass
            """,
        },
        "asks": {Entity.NRP: """
            woran glaubt
            welche religion/konfession
            glaubt .. gott
        """, Entity.CRIMINAL_RECORD: """
            weswegen .. verurteilt/vorbestraft/gefangnis/verhaftet/haft
            wofur .. verurteilt/vorbestraft/gefangnis
            warum .. gefangnis/verurteilt/haft
            vorbestraft
            vorstrafen
        """, Entity.SEXUAL_ORIENTATION: """
            wie .. sich .. definiert/bezeichnet/identifiziert
            steht .. auf manner/frauen
        """},
    },
    "French": {
        "nouns": {
            Entity.NRP: """
                religion/confession/ethnie/nationalite/citoyennete
                appartenance/origine/croyances/convictions ethnique/religieuse/religieuses/raciale/syndicale
            """,
            Entity.SEXUAL_ORIENTATION: "sexualite | orientation/preference/identite sexuelle",
            Entity.CRIMINAL_RECORD: """
                casier
                casier judiciaire
                condamnation/condamnations
                antecedents judiciaires/penaux
                infraction/infractions/delit/delits
                condamne/condamnee/incarcere/arrete pour
                motif de l'? arrestation/incarceration/detention/condamnation
                chef d' accusation/inculpation
            """,
        },
        "formed": {
            Entity.NRP: """
                est/etait/suis/sont/devenu/devenue de confession? religion? un/une? tres? fervent/fervente/pratiquant/
                    pratiquante?
                s'est converti/convertie a/au/aux l'?
                converti/convertie a/au l'?
                de confession/religion
                eleve/elevee/baptise/baptisee
                comme
                etre/etant
                qu' elle/il/_ _? est/etait/soit un/une?
                de/confession/religion
                se dit/declare/definit/revendique/sent/proclame comme?
                a ete? eleve/elevee/grandi/baptise dans/comme
            """,
            Entity.SEXUAL_ORIENTATION: """
                est/etait/suis/soit ouvertement/secretement/aussi?
                coming out en tant que
                fait son coming out
                se dit/declare/definit/revendique/identifie/considere/decrit/reconnait/assume ouvertement? comme?
                comme
                en tant que?
                etre/etant/sois/grandi/vivre/vecu ouvertement?
                qu' elle/il/_ _? est/etait/soit
                orientation/sexuelle/question/mot/case/profil .. repondu/coche/juste/etait/est/indique
                parce qu' elle/il est/etait
                se savoir/sait/sent
                anamnese : se declare/dit/definit
            """,
            Entity.CRIMINAL_RECORD: """
                condamne/condamnee/inculpe/inculpee/arrete/arretee/poursuivi/poursuivie/juge/jugee/incarcere/incarceree/
                    emprisonne/emprisonnee/interpelle/interpellee/ecroue/ecrouee/prison/peine/examen/garde/sursis/ans/
                    mois .. pour
                condamnation/condamnations/condamne/condamnee pour
                coupable/accuse/accusee/soupconne/soupconnee de/d' du?
                condamnation/antecedents pour
                soupconne/soupconnee/soupconner/accuse/coupable/inculpe/prevenu/prevenue/suspecte/suspectee/suspect/
                    repondre/faits/fait/affaire/poursuites/delit/victime/chef .. de/d'/du
                prison/peine/casier/condamnation/garde/vue/mandat/proces/tribunal/juge/jugement/enquete/arrestation/
                    detenu/detenue/bracelet/ferme .. pour/de/d'
            """,
        },
        "after": {
            Entity.SEXUAL_ORIENTATION: """
                , c' est .. mot/definit/decrit/dit/defini/repondu
                : c' est .. mot/definit/decrit/repondu/presente
                et fier/fiere
                depuis toujours
                , ainsi/voila
            """,
            Entity.CRIMINAL_RECORD: """
                : tel/telle/voila/c' est/ce .. accusation/motif/casier/reproche/condamne/chef/prison/qui/que
                , voila/c' ce/est .. casier/accusation/condamne/reproche/prison/motif
                : voila/c' .. casier/accusation/condamne/reproche/prison/motif
                est/etait/fut le/la/ce chef/motif/delit/crime/qui/que/pour
            """,
        },
        "asks": {Entity.NRP: """
            quelle religion/confession
            croit/crois en dieu
        """, Entity.CRIMINAL_RECORD: """
            de quoi .. accuse/accusee/coupable
            pourquoi .. condamne/condamnee/prison/arrete/arretee
            pour quoi .. condamne/condamnee/prison/arrete/arretee
            pourquoi .. detention/garde
        """, Entity.SEXUAL_ORIENTATION: """
            comment .. se definit/definis/definir/decrit
        """},
    },
    "Spanish": {
        "nouns": {
            Entity.NRP: """
                religion/confesion/etnia/nacionalidad/ciudadania
                origen/creencias/afiliacion/conviccion etnico/racial/religiosas/religiosa/sindical
            """,
            Entity.SEXUAL_ORIENTATION: "sexualidad | orientacion/preferencia/identidad sexual | orientacion",
            Entity.CRIMINAL_RECORD: """
                antecedentes penales/policiales
                condena/condenas/delito/delitos
                motivo/causa de la? detencion/arresto/condena/ingreso/encarcelamiento
                delito imputado/cometido
                condenado/condenada por
                cargos/imputaciones
            """,
        },
        "formed": {
            Entity.NRP: """
                es/era/soy/fue/hizo/se muy/un/una? devoto/devota/practicante/ferviente?
                convirtio/convertido/convertida al/a
                de religion/confesion
                bautizado/bautizada
                que es/era/soy/sea/fuera
                como/ser/siendo
                crio/criaron/educaron/educo .. como
                dejo/dejar/dejado de ser
                aunque/porque es/era/sea
                pues/mira , es
            """,
            Entity.SEXUAL_ORIENTATION: """
                es/era/soy/sea abiertamente/tambien/secretamente?
                se declara/define/identifica/considera/reconoce como?
                salio/salir del armario como
                que es/era/soy/sea/fuera
                como/ser/siendo persona?
                refiere/dice/declaro/reconoce/confeso/admitio ser
                identifica/identifico/identificas como
                pone/puso que? es
                es/era/soy/se una? persona?
                porque es/era/soy
                me/se identifico/defino/declaro/considero como?
                me/se identifico/identifica/define/defino como
            """,
            Entity.CRIMINAL_RECORD: """
                condenado/condenada/detenido/detenida/arrestado/arrestada/imputado/imputada/procesado/procesada/
                    encarcelado/encarcelada/juzgado/juzgada/denunciado/denunciada/multado/multada/carcel/prision/preso/
                    presa/condena/antecedentes/anos/meses .. por
                culpable/acusado/acusada/delito de/del un/una?
                antecedentes/condena/pena por
                detuvo/detuvieron/arresto/arrestaron/condeno/condenaron/condenada/acuso/acusaron/encarcelaron/encarcelo/
                    proceso/procesaron/imputo/investiga/investigan/juzgan/juzgo/denuncio/denunciaron/busca/busqueda/
                    captura/antecedente/antecedentes/detencion/detenciones/entro/ingreso/sentencia/orden/cargos/cargo/
                    juicio/ultima/multa/expediente .. por/de
                una condena/causa/denuncia/multa/sentencia por/de
                cumple/cumplio/cumplido .. por
                por un/una? delito/cargo de
            """,
        },
        "after": {
            Entity.SEXUAL_ORIENTATION: """
                desde que/siempre/joven
                , asi se/es/me define/definio/presenta/defino
                : asi/eso .. define/definio/presento/dijo/contesto
                y orgulloso/orgullosa
                con orgullo
            """,
            Entity.CRIMINAL_RECORD: """
                fue/es/era el/la delito/motivo/causa/cargo/razon/acusacion/crimen
                : ese/por/esa/eso fue/es/era/eso
                fue/es lo/por que/lo
                le/la costo/llevo .. carcel/prision/anos/meses
            """,
        },
        "asks": {Entity.NRP: """
            que religion
            cree/crees en dios
        """, Entity.CRIMINAL_RECORD: """
            de que .. acusado/acusada/culpable
            por que .. condenado/condenada/detenido/detenida/carcel/prision/preso/presa
            por que fue .. condenado/condenada/detenido/detenida
            tiene .. antecedentes/condenas
        """, Entity.SEXUAL_ORIENTATION: """
            como .. identificas/identifica/define/defines
        """},
    },
    "Italian": {
        "nouns": {
            Entity.NRP: """
                religione/confessione/etnia/nazionalita/cittadinanza
                origine/convinzioni/appartenenza/credo etnica/razziale/religiose/religiosa/religioso/sindacale
            """,
            Entity.SEXUAL_ORIENTATION: "sessualita | orientamento/preferenza/identita sessuale | orientamento",
            Entity.CRIMINAL_RECORD: """
                precedenti penali
                condanna/condanne/reato/reati
                fedina penale
                casellario giudiziale
                reato/reati contestato/contestati/commesso/ascritto
                motivo dell' arresto
                motivo della condanna/detenzione
                capo d' imputazione
                condannato/condannata per
            """,
        },
        "formed": {
            Entity.NRP: """
                e/era/sono/fu/e' molto/un/una? devoto/devota/praticante/fervente?
                convertito/convertita/converti all'/al/a
                di religione/confessione
                battezzato/battezzata
                farsi/fatto/fatta/diventare/diventato/diventata/essere/essendo/crescere/cresciuto/cresciuta un/una?
                che .. fosse/sia/e/era
                in quanto
                come
                di essere
                perche/siccome e/era
            """,
            Entity.SEXUAL_ORIENTATION: """
                e/era/sono/sia/e' apertamente/anche/segretamente?
                coming out come
                di essere
                si definisce/dichiara/identifica/considera/riconosce/proclama come?
                perche/che/siccome e/era/sia/fosse?
                sarebbe/essere/essendo
                come persona?
                persona
                da persona
                in quanto persona?
            """,
            Entity.CRIMINAL_RECORD: """
                condannato/condannata/arrestato/arrestata/indagato/indagata/processato/processata/denunciato/denunciata/
                    incarcerato/incarcerata/carcere/prigione/anni/mesi/condanna/precedenti .. per
                colpevole/accusato/accusata/reato di/del un?
                precedenti/condanna/pena per
                precedenti/precedente/domiciliari/giudizio/garanzia/accusa/accuse/arresto/arrestato/arrestata/arrestati/
                    condanna/carcere/processo/indagine/indagini/denuncia/denunciato/patteggiato/patteggiamento/imputato/
                    imputata/querela/fermato/fermata/pena/sospetto/mandato/rinviato/rinviata/sconta/scontato/dentro/
                    anni/mesi .. per/di/del/con
                con l' accusa di
                per un reato di
            """,
        },
        "after": {
            Entity.SEXUAL_ORIENTATION: """
                : cosi/ecco si/come .. presentato/presentata/definisce/definita/definito/descrive
                e fiera/fiero/orgoglioso/orgogliosa
                , cosi si/ha
                da sempre
            """,
            Entity.CRIMINAL_RECORD: """
                e/era/fu il/la/l' reato/accusa/motivo/crimine/imputazione/condanna/ragione
                : questa/questo/ecco .. accusa/reato/motivo/imputazione
                , questa/questo/ecco .. accusa/reato/motivo/imputazione
                gli/le e/costato .. carcere/anni/mesi
            """,
        },
        "asks": {Entity.NRP: """
            che/quale religione
            crede/credi in dio
        """, Entity.CRIMINAL_RECORD: """
            di che cosa? .. accusato/accusata/colpevole
            perche .. condannato/condannata/carcere/arrestato/arrestata/prigione
            ha .. precedenti
        """, Entity.SEXUAL_ORIENTATION: """
            come .. definisce/identifica/definisci/identifichi
        """},
    },
    "Portuguese": {
        "nouns": {
            Entity.NRP: """
                religiao/etnia/nacionalidade/cidadania
                origem/crencas/filiacao/confissao etnica/racial/religiosas/religiosa/sindical
            """,
            Entity.SEXUAL_ORIENTATION: "sexualidade | orientacao/preferencia/identidade sexual | orientacao",
            Entity.CRIMINAL_RECORD: """
                antecedentes criminais/penais
                condenacao/condenacoes/crime/crimes
                registo/registro/cadastro criminal
                motivo da/do prisao/detencao/condenacao
                crime imputado/cometido
                condenado/condenada por
                acusacao/acusacoes
            """,
        },
        "formed": {
            Entity.NRP: """
                e/era/sou/foi/tornou-se muito/um/uma? devoto/devota/praticante/fervoroso/fervorosa?
                converteu-se/convertido/convertida ao/a
                de religiao/confissao
                batizado/batizada
                que .. e/era/seja/fosse
                embora/porque .. seja/e/era/fosse
                deixou/deixar de ser
                ser/sendo/como
                olha/pois , e
            """,
            Entity.SEXUAL_ORIENTATION: """
                e/era/sou/seja assumidamente/abertamente/tambem/secretamente?
                se? declara/define/identifica/considera/assume/assumiu/declara-se/define-se/identifica-se/assume-se/
                    assumiu-se/considera-se se? como?
                que era/e/sou/seja/fosse
                disse/dizer/diz/afirma/admitiu/confessou/contou/revelou/por ser
                ser/sendo/como uma? pessoa?
                pessoa abertamente/assumidamente?
                porque e/era/sou
                defino-me/identifico-me/assumo-me/define-se/descobriu-se como
            """,
            Entity.CRIMINAL_RECORD: """
                condenado/condenada/detido/detida/preso/presa/arguido/arguida/indiciado/indiciada/processado/processada/
                    julgado/julgada/denunciado/denunciada/multado/multada/prisao/cadeia/pena/anos/meses/condenacao/
                    antecedentes .. por
                culpado/culpada/acusado/acusada/crime de/do um/uma?
                antecedentes/condenacao/pena por
                reu/re/arguida/arguido/acusacao/acusacoes/condenacao/sentenciado/sentenciada/foragido/foragida/
                    procurado/procurada/indiciado/indiciada/detencao/prisao/mandado/processo/inquerito/pena/cadeia/
                    cumpre/cumpriu/responde/respondeu/flagrante/investigado/investigada/autuado/autuada/apanhou/pegou/
                    julgamento/suspeita/suspeito/antecedente .. por/de/a/do
                uma condenacao/acusacao/queixa por/de
            """,
        },
        "after": {
            Entity.SEXUAL_ORIENTATION: """
                e/foi como se/_ _? _? define/assume/apresenta/identifica
                com .. orgulho
                e orgulhoso/orgulhosa
                desde sempre/que
                : foi/e .. definiu/disse/respondeu
            """,
            Entity.CRIMINAL_RECORD: """
                e/foi/era o/a crime/motivo/acusacao/razao/delito
                : foi/e/esse/essa .. crime/acusacao/motivo/condenado/condenada/preso/presa
                valeu/custou/deu .. anos/meses/cadeia/prisao
            """,
        },
        "asks": {Entity.NRP: """
            que/qual religiao
            acredita/acreditas em deus
        """, Entity.CRIMINAL_RECORD: """
            de que .. acusado/acusada/culpado/culpada
            por que .. condenado/condenada/preso/presa/detido/detida
            porque .. condenado/condenada/preso/presa/detido/detida
            tem .. antecedentes/cadastro
        """, Entity.SEXUAL_ORIENTATION: """
            como .. define/defines/identifica/identificas
        """},
    },
}  # fmt: skip
