"""How beliefs, origin, sexual orientation and convictions are said of somebody in Spanish."""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity

WORDINGS: Mapping[str, Mapping[Entity, str]] = {
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
    "needs_form": {
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
    "asks": {
        Entity.NRP: """
            que religion
            cree/crees en dios
        """,
        Entity.CRIMINAL_RECORD: """
            de que .. acusado/acusada/culpable
            por que .. condenado/condenada/detenido/detenida/carcel/prision/preso/presa
            por que fue .. condenado/condenada/detenido/detenida
            tiene .. antecedentes/condenas
        """,
        Entity.SEXUAL_ORIENTATION: """
            como .. identificas/identifica/define/defines
        """,
    },
}
