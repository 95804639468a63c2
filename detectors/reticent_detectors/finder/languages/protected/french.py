"""How beliefs, origin, sexual orientation and convictions are said of somebody in French."""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity

WORDINGS: Mapping[str, Mapping[Entity, str]] = {
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
    "needs_form": {
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
    "asks": {
        Entity.NRP: """
            quelle religion/confession
            croit/crois en dieu
        """,
        Entity.CRIMINAL_RECORD: """
            de quoi .. accuse/accusee/coupable
            pourquoi .. condamne/condamnee/prison/arrete/arretee
            pour quoi .. condamne/condamnee/prison/arrete/arretee
            pourquoi .. detention/garde
        """,
        Entity.SEXUAL_ORIENTATION: """
            comment .. se definit/definis/definir/decrit
        """,
    },
}
