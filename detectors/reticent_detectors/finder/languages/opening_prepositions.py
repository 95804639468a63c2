"""Prepositions with which a sentence begins before a value, and the verbs behind it that say what it is.

Examples are "Bei Rheinbau arbeitet Jo Day" and "As a paramedic, Jo Day works nights". Each row has two texts. The
first has the words before the value, articles with them, set apart by `|`. The second has words of which one must
stand in the same sentence behind the value; a hyphen behind a word makes it a beginning (`behandel-`).
"""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity

FRONTS: Mapping[str, Mapping[Entity, tuple[str, str]]] = {
    "English": {
        Entity.EMPLOYER: (
            "at | at the | for | with | over at | down at | from | in the service of",
            """
                works worked working work employed job clerk cleans cleaned drives drove delivers delivered runs manages
                earns earned salary salaried cooks sells sold handles answers shifts desk started apprentice intern
                interned colleagues boss payroll hired paid
            """,
        ),
        Entity.HOSPITAL: (
            "at | at the | in | in the | from | from the | on a ward of | on a ward at",
            """
                operat- surgery treated treat admitted discharged born birth hip knee replaced dialysis chemo- ward
                patient died recovering examined diagnosed scan biops- transplant- rehab- gave delivered doctors bed
            """,
        ),
        Entity.JOB_TITLE: ("as a | as an | being a | being an | as the new | as the | like any", ""),
        Entity.DIAGNOSIS: (
            (
                "with | with her | with his | because of her | because of his | due to her | due to his | "
                "despite her | despite his | despite | thanks to his | thanks to her | from"
            ),
            "",
        ),
        Entity.PRESCRIPTION: (
            (
                "with | without | without her | without his | on | thanks to | against the pain , | despite the | "
                "despite"
            ),
            "",
        ),
        Entity.DOCTOR: (
            "under | with | by | from",
            "treated treatment operated seen patient therapy examined surgery appointment consult- care",
        ),
        Entity.NRP: (
            "for the | for | as a | as a lifelong | as a staunch | as a committed",
            "vot- campaign- candidate elect- stood ran council party",
        ),
    },
    "German": {
        Entity.EMPLOYER: (
            (
                "bei | bei der | bei dem | beim | für | für die | für das | für den | von | von der | vom | "
                "in der firma | seit mai bei"
            ),
            """
                arbeitet arbeitete arbeiten arbeite verdient verdiente angestellt beschäftigt tätig angefangen jobbt
                fährt fuhr liefert putzt kocht verkauft programmiert leitet gekündigt entlassen eingestellt gearbeitet
                übernommen gefeuert ausbildung lehre praktikum werkstudent- buchhaltung schuftet heuerte bezahlt gehalt
                lohn azubi abgeworben chef-
            """,
        ),
        Entity.HOSPITAL: (
            "im | in der | in das | ins | in die | am | aus dem | aus der | vom | von der",
            """
                behandel- operier- liegt lag eingeliefert aufgenommen entlassen entbunden gestorben starb geboren
                verlegt kam untersuch- patient- station reha bestrahl- geht bekam bekommt welt dialyse chemo-
            """,
        ),
        Entity.JOB_TITLE: (
            (
                "als | als gelernter | als gelernte | als junge | als junger | als ehemalige | als ehemaliger | "
                "als frühere | als früherer | als ausgebildete | als ausgebildeter | als selbstständige | "
                "als selbstständiger | als examinierte | als examinierter"
            ),
            "",
        ),
        Entity.DIAGNOSIS: (
            (
                "an | an einer | an einem | wegen | wegen ihrer | wegen seiner | wegen ihres | wegen seines | "
                "wegen einer | wegen eines | unter | unter einer | mit | mit ihrer | mit seiner | mit ihrem | "
                "mit seinem | gegen | gegen ihre | gegen seine | gegen ihr | gegen sein | aufgrund einer | "
                "aufgrund eines | trotz | trotz ihrer | trotz seiner | trotz ihres | trotz seines | auf | "
                "nach einer | nach einem | seit ihrer | seit seiner"
            ),
            "",
        ),
        Entity.PRESCRIPTION: (
            ("mit | ohne | auf | gegen die schmerzen nimmt | dank | ohne ihr | ohne sein | ohne ihre | ohne seine"),
            "",
        ),
        Entity.DOCTOR: (
            "von | bei | zu | von dr | bei dr | durch",
            """
                behandel- operier- lässt behandlung untersuch- betreu- termin patient- geimpft entbunden überwiesen
                therapie
            """,
        ),
        Entity.NRP: (
            "die | den | der | für die | für den | bei der | bei den | in der",
            "wähl- wahl- stimme gehört mitglied angehört sitzt kandidier- partei- engagiert vertritt",
        ),
    },
    "French": {
        Entity.EMPLOYER: (
            (
                "chez | pour | pour la | à la | au | par | c'est chez | c'est pour | c'est la | c'est | de chez | "
                "dans la société | la société"
            ),
            """
                travaille travaillait emploie employé employée embauche embauché embauchée conduit livre poste salarié
                salariée stage gagne paie paye bosse licencié licenciée contrat vend patron collègues recrut- carrière
                apprenti- commencé débuté
            """,
        ),
        Entity.HOSPITAL: (
            ("à l' | à la | au | dans | de l' | de la | du | c'est à l' | c'est à la | c'est au | c'est l' | c'est la"),
            """
                opéré opérée soigné soignée hospitalisé hospitalisée accouché né née mort morte décédé décédée admis
                admise transporté transportée suivi suivie sorti sortie examens dialyse chimio- traité traitée opère
                soigne séjourn- patient-
            """,
        ),
        Entity.JOB_TITLE: ("comme | en tant que | en tant qu' | en qualité de | en qualité d' | étant", ""),
        Entity.DIAGNOSIS: (
            (
                "de | d' | du | à cause de | à cause d' | à cause de son | à cause de sa | malgré | malgré son | "
                "malgré sa | avec son | avec sa | contre | contre la | contre le | contre l' | pour | c'est de | "
                "c'est d' | c'est pour une | c'est pour un | c'est contre | en raison d'une | en raison d'un | "
                "atteint de | atteinte de | souffrant de | souffrant d'"
            ),
            "",
        ),
        Entity.PRESCRIPTION: (
            (
                "avec | avec du | avec de la | sans | sans son | sans sa | sous | grâce au | grâce à la | "
                "c'est du | c'est de la | c'est de l' | c'est le | c'est la | c'est l' | du | de la | de l'"
            ),
            "",
        ),
        Entity.DOCTOR: (
            "par | chez | avec | c'est | c'est avec | c'est par | c'est chez",
            """
                soigne soigné soignée suit suivi suivie opéré opérée opère médecin patient- consult- examiné examinée
                rendez-vous traite
            """,
        ),
        Entity.NRP: (
            "pour | pour le | pour la | pour les | au | chez les | à la",
            "vote votait voté milite adhér- candidat- campagne élu élue carte",
        ),
    },
    "Spanish": {
        Entity.EMPLOYER: (
            "en | en la | en el | para | para la | para el | por | a la | de | de la | es en | es para",
            """
                trabaja trabajaba trabajó empleado empleada contratado contratada reparte conduce cobra vende gana
                limpia cocina puesto nómina despidieron despedido despedida jefe jefa plantilla contable gerente
                prácticas empezó emplea sueldo carrera lleva
            """,
        ),
        Entity.HOSPITAL: (
            "en el | en la | en | al | a la | del | de la | es en el | es en la",
            """
                oper- ingres- atend- atiend- nació murió falleció trat- alta luz salió sale llevaron traslad- diálisis
                quimio- paciente- hospitaliz- urgencias parto rehabilita-
            """,
        ),
        Entity.JOB_TITLE: ("como | de | en su calidad de | en calidad de | siendo", ""),
        Entity.DIAGNOSIS: (
            (
                "de | por | por una | por un | por su | con | con su | con una | con un | contra | contra la | "
                "contra el | debido a su | debido a una | a causa de su | a causa de una | pese a su | "
                "a pesar de su | es de | fue de"
            ),
            "",
        ),
        Entity.PRESCRIPTION: (
            "con | sin | con la | con el | sin su | sin la | sin el | gracias al | gracias a la | es",
            "",
        ),
        Entity.DOCTOR: (
            "con | por | con el | con la | al | a la",
            "trata tratan tratado tratada atiende opera operado operada cita consulta paciente lleva visita terapia",
        ),
        Entity.NRP: (
            "al | a la | por el | por la | a | por | con | en",
            "vota votaba votó votado milita militaba simpatiza candidat- afili- partido concejal",
        ),
    },
    "Italian": {
        Entity.EMPLOYER: (
            (
                "alla | al | all' | da | dalla | dal | per | per la | per il | presso | presso la | in | nella | "
                "nel | è alla | è da | è per"
            ),
            """
                lavora lavorava lavorato assunto assunta impiegato impiegata consegne guida vende stipendio dipendente
                stage tirocinio licenziato licenziata contabilità capo operaio operaia guadagna fattura carriera
                contratto cominciato iniziato paga
            """,
        ),
        Entity.HOSPITAL: (
            (
                "all' | al | alla | nell' | nel | nella | dall' | dal | dalla | in | presso | presso la | "
                "presso il | presso l' | è all' | è al | è alla"
            ),
            """
                oper- ricover- partorito nato nata morto morta curato curata curano dimesso dimessa portato portata
                visit- dialisi chemio- paziente- degenza degente assistit- uscito uscita trasferit- riabilita-
            """,
        ),
        Entity.JOB_TITLE: ("come | da | in qualità di | in veste di | essendo", ""),
        Entity.DIAGNOSIS: (
            (
                "di | per | per una | per un | per la sua | per il suo | con la | con il | con l' | con la sua | "
                "con il suo | contro la | contro il | contro l' | contro | a causa della | a causa di | "
                "a causa dell' | a causa del | malgrado la | malgrado il | nonostante la | nonostante l' | "
                "nonostante il | è di | dal"
            ),
            "",
        ),
        Entity.PRESCRIPTION: (
            (
                "con | senza | con il | con la | con l' | con lo | senza il | senza la | senza lo | senza l' | "
                "grazie al | grazie alla | grazie all' | è"
            ),
            "",
        ),
        Entity.DOCTOR: (
            "da | dal | dalla | con | è da",
            """
                cura curare curato curata operato operata operare seguito seguita visita visitato visitata appuntamento
                paziente farsi terapia
            """,
        ),
        Entity.NRP: (
            "per | per il | per la | di | con | con il | con la | nel | nella | al | alla",
            "vota votava votato milita iscritt- candidat- tesser- partito",
        ),
    },
    "Portuguese": {
        Entity.EMPLOYER: (
            "na | no | em | para | para a | para o | pela | pelo | da | do | é na | é para a",
            """
                trabalha trabalhava trabalhou empregado empregada contratado contratada entregas conduz dirige vende
                ganha limpa cozinha ordenado salário despedido despedida demitido demitida chefe estágio funcionário
                funcionária começou carreira gerente
            """,
        ),
        Entity.HOSPITAL: (
            "no | na | em | ao | à | do | da | é no | é na",
            """
                oper- intern- atend- nasceu morreu faleceu tratou trata tratado tratada alta luz saiu levaram levado
                levada transfer- diálise quimio- paciente- urgência parto cirurgia
            """,
        ),
        Entity.JOB_TITLE: ("como | de | na qualidade de | sendo | enquanto", ""),
        Entity.DIAGNOSIS: (
            (
                "de | por | por causa da | por causa do | por causa de | com | com a | com o | com uma | com um | "
                "com a sua | contra | contra a | contra o | devido à | devido ao | apesar da | apesar do | é de | "
                "foi de"
            ),
            "",
        ),
        Entity.PRESCRIPTION: ("com | sem | com a | com o | sem o | sem a | graças ao | graças à | é", ""),
        Entity.DOCTOR: (
            "com | por | pelo | pela | com o | com a",
            """
                trata tratado tratada operado operada consulta atendido atendida acompanhado acompanhada acompanha
                paciente seguido seguida terapia
            """,
        ),
        Entity.NRP: (
            "no | na | pelo | pela | em | nos",
            "vota votava votou milita militava filiad- candidat- partido eleito eleita",
        ),
    },
}
