"""How beliefs, origin, sexual orientation and convictions are said of somebody in Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity

WORDINGS: Mapping[str, Mapping[Entity, str]] = {
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
    "needs_form": {
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
    "asks": {
        Entity.NRP: """
            que/qual religiao
            acredita/acreditas em deus
        """,
        Entity.CRIMINAL_RECORD: """
            de que .. acusado/acusada/culpado/culpada
            por que .. condenado/condenada/preso/presa/detido/detida
            porque .. condenado/condenada/preso/presa/detido/detida
            tem .. antecedentes/cadastro
        """,
        Entity.SEXUAL_ORIENTATION: """
            como .. define/defines/identifica/identificas
        """,
    },
}
