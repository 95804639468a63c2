"""What places, organisations and people are called as columns, keys and labels of a form.

The tables are in the notation of `wordings`. They count only there: in a sentence "the city" and "the contact" are
words like others.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity

COLUMNS: Mapping[str, Mapping[Entity, str]] = {
    "English": {
        Entity.LOCATION: """
            city/town/village/municipality/county/hometown/birthplace/country/locality/suburb/borough/district/parish/
                region/province
            city/town/place/country/county/municipality of birth/origin/residence/living/registration
            home/birth/native/residence/current/living/mailing/billing/shipping/work/office city/town/place/country/
                location
            city/town name
            place of issue
            born in
            lives in
        """,
        Entity.ORGANIZATION: """
            organization/organisation/organizations/organisations/association/club/society/charity/foundation/
                institution/institute/union/federation/affiliation/team/agency/entity/org/ngo/nonprofit/university/
                college/school/congregation/cooperative/consortium
            organization/organisation/org/association/club/institution/entity/agency/school/university/college/union/
                society name
            sports/trade/member/football/rotary club/union/organization/organisation
            name of organization/organisation/association/club
            alma mater
            member of
            legal entity
        """,
        Entity.PERSON: """
            full/legal/complete/real/birth name
            contact/contacts/patient/customer/client/applicant/cardholder/beneficiary/guardian/spouse/husband/wife/
                partner/mother/father/child/son/daughter/employee/resident/tenant/passenger/traveller/traveler/guest/
                recipient/addressee/sender/holder/signatory/attendee/student
            patient/customer/client/contact/employee/cardholder/holder/passenger/guest/tenant/applicant/beneficiary/
                account/recipient/sender/owner/member/student/spouse 's? full? name
            account/policy/card/passport holder name?
            emergency/primary contact name?
            contact person
            next of kin
            first and last/family name
            name and surname
            name of patient/customer/applicant/holder
            insured person?
            signed by
        """,
    },
    "German": {
        Entity.LOCATION: """
            ort/stadt/wohnort/geburtsort/heimatort/gemeinde/land/geburtsstadt/heimatstadt/geburtsland/herkunftsland/
                herkunftsort/kreis/landkreis/bezirk/ortsteil/stadtteil/bundesland/arbeitsort/dienstort/wohnsitz/
                ortschaft/dorf/standort/ausstellungsort/aufenthaltsort/herkunft/sterbeort/einsatzort
            geboren in
            wohnhaft in
            ort/stadt der geburt
            wohnt in
            heimat
            stadt/ort/gemeinde
        """,
        Entity.ORGANIZATION: """
            verein/verband/organisation/stiftung/gesellschaft/institution/institut/einrichtung/behorde/amt/gewerkschaft/
                vereinigung/bund/club/klub/sportverein/mannschaft/universitat/hochschule/schule/korperschaft/
                genossenschaft/kammer/trager/bund/hilfsorganisation/fachverband/berufsverband/dachverband/innung
            name des vereins/verbands/verbandes
            name der organisation/einrichtung/stiftung/schule
            vereinsname/verbandsname/organisationsname
            mitglied/mitgliedschaft in/im/bei
            zugehorige organisation
        """,
        Entity.PERSON: """
            ansprechpartner/ansprechpartnerin/patient/patientin/kunde/kundin/kontakt/kontaktperson/mandant/mandantin/
                versicherter/versicherte/karteninhaber/karteninhaberin/kontoinhaber/kontoinhaberin/inhaber/inhaberin/
                empfanger/empfangerin/absender/absenderin/antragsteller/antragstellerin/mieter/mieterin/vermieter
            vermieterin/bewerber/bewerberin/mitarbeiter/mitarbeiterin/gast/fahrgast/passagier/ehemann/ehefrau/
                ehepartner/partner/partnerin/mutter/vater/kind/tochter/sohn/vormund/betreuer/notfallkontakt/
                unterzeichner/schuler/student/studentin/angehoriger/angehorige
            vollstandiger/voller/ganzer name
            vor und/u nachname/zuname/familienname
            vor- und/u nachname
            vor-/ nachname
            vorname und? nachname/zuname/familienname
            name und vorname
            name , vorname
            vorname , name
            name des/der patienten/patientin/kunden/kundin/inhabers/versicherten/antragstellers/mieters/kindes
            patientenname/kundenname/inhabername/mitarbeitername/kontaktname
        """,
    },
    "French": {
        Entity.LOCATION: """
            ville/commune/lieu/localite/village/pays/municipalite/departement/region/canton/quartier/bourg/province
            ville/lieu/commune/pays/departement de/d' naissance/residence/origine/travail/domicile/habitation
            ville natale/actuelle/origine
            ne/nee a
            lieu-dit
            localite de naissance
            lieu de delivrance
            pays natal
        """,
        Entity.ORGANIZATION: """
            association/organisation/organisme/fondation/syndicat/institution/institut/club/federation/ong/
                etablissement/collectif/cooperative/mutuelle/universite/ecole/administration/amicale/ligue/entite/
                structure/groupement/equipe/comite/ordre
            nom de l' association/organisation/organisme/institution
            nom du club/syndicat
            nom de la fondation
            membre de
            raison sociale
            club sportif
            organisme employeur/payeur?
            personne morale
        """,
        Entity.PERSON: """
            contact/patient/patiente/client/cliente/titulaire/beneficiaire/assure/assuree/destinataire/expediteur/
                demandeur/locataire/proprietaire/candidat/candidate/employe/employee/salarie/passager/voyageur/conjoint/
                conjointe/epoux/epouse/mari/femme/mere/pere/enfant/fils/fille/tuteur/signataire/interlocuteur/adherent/
                adherente/etudiant/eleve
            nom complet/entier/legal/usuel
            nom et? prenom/prenoms
            prenom/prenoms et? nom
            nom/prenoms , prenom/nom
            nom du/de patient/client/titulaire/salarie/beneficiaire/contact
            nom de la patiente/cliente
            nom de l' assure/employe/etudiant
            personne a? contacter/prevenir/contact
            personne de contact
            contact d' urgence
            titulaire du compte
            titulaire de la carte
            identite
            nom patient/client/titulaire/contact
        """,
    },
    "Spanish": {
        Entity.LOCATION: """
            ciudad/localidad/municipio/pueblo/poblacion/provincia/pais/lugar/comarca/distrito/barrio/region/comunidad
            ciudad/lugar/pais/localidad/municipio/poblacion/provincia de nacimiento/residencia/origen/trabajo/expedicion
            ciudad/pueblo/pais natal/actual
            natural de
            nacido/nacida en
            vive/reside en
            ciudad natal
        """,
        Entity.ORGANIZATION: """
            asociacion/organizacion/entidad/institucion/instituto/fundacion/sindicato/club/federacion/ong/organismo/
                colectivo/cooperativa/universidad/escuela/colegio/agrupacion/sociedad/pena/equipo/union/hermandad/
                cofradia
            nombre de la asociacion/organizacion/entidad/institucion/fundacion
            nombre del club/organismo/sindicato
            miembro/socio/socia de
            razon social
            entidad/organizacion colaboradora/bancaria?
            club deportivo
        """,
        Entity.PERSON: """
            contacto/paciente/cliente/clienta/titular/beneficiario/beneficiaria/asegurado/asegurada/destinatario/
                destinataria/remitente/solicitante/inquilino/inquilina/propietario/propietaria/candidato/candidata/
                empleado/empleada/trabajador/trabajadora/pasajero/pasajera/viajero/conyuge/esposo/esposa/marido/mujer/
                madre/padre/hijo/hija/tutor/tutora/firmante/interesado/interesada/alumno/alumna/estudiante
            nombre completo/legal
            nombre y apellidos/apellido
            apellidos y nombre
            apellidos/apellido , nombre
            nombres y apellidos
            nombre del paciente/cliente/titular/contacto/empleado/solicitante/asegurado/alumno/interesado
            nombre de la paciente/clienta
            persona de contacto
            contacto de emergencia
            titular de la? cuenta/tarjeta
            nombre paciente/cliente/titular/contacto/apellidos
            nombre_apellidos
        """,
    },
    "Italian": {
        Entity.LOCATION: """
            citta/comune/luogo/localita/paese/provincia/nazione/regione/frazione/quartiere/municipio/stato
            citta/luogo/comune/paese/provincia/stato/localita di nascita/residenza/origine/domicilio/lavoro/rilascio
            citta natale/attuale
            paese natale/natio
            nato/nata a
            residente/abita/vive a
        """,
        Entity.ORGANIZATION: """
            associazione/organizzazione/ente/fondazione/istituto/istituzione/sindacato/circolo/club/federazione/ong/
                onlus/cooperativa/consorzio/universita/scuola/societa/squadra/unione/comitato/confraternita/organismo/
                ordine/lega
            nome dell' associazione/organizzazione/ente/istituto
            nome della fondazione/societa/scuola
            nome del circolo/club
            membro/socio/socia di
            ragione/denominazione sociale
            ente pubblico/privato
            societa sportiva
            denominazione
        """,
        Entity.PERSON: """
            contatto/paziente/cliente/titolare/intestatario/intestataria/beneficiario/beneficiaria/assicurato/
                assicurata/destinatario/destinataria/mittente/richiedente/inquilino/inquilina/proprietario/proprietaria/
                locatario/candidato/candidata/dipendente/lavoratore/lavoratrice/passeggero/passeggera/viaggiatore/
                coniuge/marito/moglie/madre/padre/figlio/figlia/tutore/tutrice/firmatario/referente/interessato/
                interessata/studente/studentessa/alunno/alunna/assistito/assistita/nominativo
            nome completo/intero
            nome e? cognome
            cognome e? nome
            cognome , nome
            nome del paziente/cliente/titolare/contatto/dipendente/richiedente
            nome della paziente/cliente
            nome dell' assicurato/intestatario/utente/interessato/assistito
            persona di contatto/riferimento
            persona da contattare
            contatto di emergenza
            contatto d' emergenza
            intestatario/titolare del/della conto/carta
            nome paziente/cliente/titolare/contatto
            generalita
        """,
    },
    "Portuguese": {
        Entity.LOCATION: """
            cidade/localidade/municipio/concelho/freguesia/distrito/pais/lugar/local/vila/aldeia/estado/bairro/
                provincia/naturalidade/regiao
            cidade/lugar/local/pais/localidade/municipio/concelho/freguesia/estado de nascimento/residencia/origem/
                trabalho/emissao
            cidade/terra/pais natal/atual
            natural de/do
            nascido/nascida em
            mora/reside/vive em
        """,
        Entity.ORGANIZATION: """
            associacao/organizacao/entidade/instituicao/instituto/fundacao/sindicato/clube/federacao/ong/orgao/
                cooperativa/coletividade/universidade/escola/sociedade/equipa/equipe/time/uniao/irmandade/agremiacao/
                organismo/coletivo
            nome da associacao/organizacao/entidade/instituicao/fundacao
            nome do clube/sindicato/instituto
            membro/socio/socia de/da/do
            razao/denominacao social
            clube desportivo/esportivo
        """,
        Entity.PERSON: """
            contato/contacto/paciente/utente/cliente/titular/beneficiario/beneficiaria/segurado/segurada/destinatario/
                destinataria/remetente/requerente/solicitante/inquilino/inquilina/proprietario/proprietaria/candidato/
                candidata/empregado/empregada/funcionario/funcionaria/trabalhador/trabalhadora/passageiro/passageira/
                conjuge/esposo/esposa/marido/mulher/mae/pai/filho/filha/tutor/tutora/signatario/interessado/interessada/
                aluno/aluna/estudante/responsavel
            nome completo/inteiro/civil
            nome e apelido/sobrenome
            apelido e nome
            sobrenome , nome
            nome sobrenome/apelido
            nome do paciente/utente/cliente/titular/contato/contacto/funcionario/segurado/aluno/requerente
            nome da paciente/cliente/utente/mae
            nome paciente/cliente/titular/contato/contacto
            pessoa de contato/contacto
            contato/contacto de emergencia
            titular da/do conta/cartao
        """,
    },
}
