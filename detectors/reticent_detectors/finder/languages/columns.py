"""What is called by the whole name of a column, a key or a label: places, organisations, people, and what has no form.

The tables are in the notation of `wordings`. They count only there: in a sentence "the city" and "the contact" are
words like others.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity

COLUMNS: Mapping[str, Mapping[Entity, str]] = {
    "English": {
        Entity.JOB_TITLE: """
            job title/titles/name
            occupation/occupations/profession/vocation/jobtitle/job
            line of work
            current/previous/former/present/last job/occupation/profession title?
            employed as
        """,
        Entity.EMPLOYER: """
            employer/employers/workplace
            employer/workplace name
            name of employer
            place of work/employment
            current/previous/former/present/last employer
            employed by/at
        """,
        Entity.DOCTOR: """
            doctor/physician/clinician/gp/pcp/dentist/surgeon/psychiatrist/therapist/cardiologist/oncologist/
                pediatrician/paediatrician
            attending/treating/primary/family/referring/responsible/prescribing/assigned physician/doctor/clinician/
                dentist/surgeon name?
            primary care physician/provider/doctor
            doctor/physician 's? name
            seen/treated by
        """,
        Entity.HOSPITAL: """
            hospital/clinic
            hospital/clinic name
            treating/admitting hospital/clinic/facility
            treated/admitted at/to
        """,
        Entity.DIAGNOSIS: """
            diagnosis/diagnoses/dx/illness/illnesses/ailment/ailments/allergy/allergies/comorbidities
            primary/secondary/main/admitting/final/discharge/current/principal/working diagnosis/diagnoses
            medical/health/chronic/known/preexisting/pre-existing condition/conditions/problem/problems/illness/
                illnesses
            medical history
        """,
        Entity.PRESCRIPTION: """
            prescription/prescriptions/medication/medications/meds/rx
            current/daily/prescribed/regular/home medication/medications/medicine/medicines/meds/drug/drugs
            prescribed
        """,
        Entity.SEXUAL_ORIENTATION: """
            sexual orientation/preference/identity
            sexuality
        """,
        Entity.CRIMINAL_RECORD: """
            criminal/police/arrest record/history
            conviction/convictions/offense/offenses/offence/offences
            prior/previous/past conviction/convictions/offenses/offences/arrests
            rap sheet
            convicted of
        """,
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
        Entity.JOB_TITLE: """
            beruf/berufsbezeichnung/tatigkeit/berufstatigkeit/jobtitel/stellenbezeichnung
            ausgeubter/derzeitiger/aktueller/erlernter/letzter beruf
            aktuelle/derzeitige tatigkeit
        """,
        Entity.EMPLOYER: """
            arbeitgeber/arbeitgeberin/arbeitsstelle/arbeitsplatz/firma
            aktueller/derzeitiger/letzter/fruherer arbeitgeber
            name des arbeitgebers
            beschaftigt/angestellt bei
        """,
        Entity.DOCTOR: """
            arzt/arztin/hausarzt/hausarztin/zahnarzt/zahnarztin/facharzt/facharztin/chirurg/chirurgin/therapeut/
                therapeutin
            behandelnder/behandelnde/zustandiger/zustandige/uberweisender arzt/arztin
            name des arztes
        """,
        Entity.HOSPITAL: """
            krankenhaus/klinik/klinikum/spital
            name des krankenhauses/spitals
            name der klinik
            behandelnde/aufnehmende klinik
        """,
        Entity.DIAGNOSIS: """
            diagnose/diagnosen/erkrankung/erkrankungen/krankheit/krankheiten/vorerkrankung/vorerkrankungen/allergie/
                allergien/befund/hauptdiagnose/nebendiagnose/nebendiagnosen/vorgeschichte/krankengeschichte
        """,
        Entity.PRESCRIPTION: """
            medikament/medikamente/medikation/arznei/arzneimittel/verordnung/verschreibung/rezept/dauermedikation
            verschriebenes/verordnetes/aktuelle medikament/medikation/medikamente
        """,
        Entity.SEXUAL_ORIENTATION: """
            sexualitat
            sexuelle orientierung/identitat
        """,
        Entity.CRIMINAL_RECORD: """
            vorstrafe/vorstrafen/strafregister/strafregistereintrag/verurteilung/verurteilungen
            verurteilt/vorbestraft wegen
        """,
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
        Entity.JOB_TITLE: """
            profession/metier/poste
            intitule de/du poste/emploi
            profession/metier actuelle/actuel/exercee
        """,
        Entity.EMPLOYER: """
            employeur/entreprise
            nom de l' employeur
            employeur actuel/precedent
            lieu de travail
            employe/employee chez/par
        """,
        Entity.DOCTOR: """
            medecin/docteur/docteure/dentiste/chirurgien/chirurgienne/cardiologue/psychiatre
            medecin traitant/generaliste/referent/prescripteur/responsable
            nom du medecin
            suivi/suivie/vu/vue par
        """,
        Entity.HOSPITAL: """
            hopital/clinique
            nom de l' hopital
            nom de la clinique
            etablissement hospitalier
            hospitalise/hospitalisee a
        """,
        Entity.DIAGNOSIS: """
            diagnostic/diagnostics/maladie/maladies/pathologie/pathologies/allergie/allergies
            diagnostic principal/secondaire/retenu
            antecedents medicaux?
        """,
        Entity.PRESCRIPTION: """
            ordonnance/prescription/prescriptions/medicament/medicaments/medication
            traitement prescrit/actuel/medicamenteux
            medicament/medicaments prescrit/prescrits
        """,
        Entity.SEXUAL_ORIENTATION: """
            orientation/identite sexuelle
            sexualite
        """,
        Entity.CRIMINAL_RECORD: """
            casier/antecedents judiciaire/judiciaires
            condamnation/condamnations
            condamne/condamnee pour
        """,
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
        Entity.JOB_TITLE: """
            profesion/ocupacion/oficio/cargo
            puesto de? trabajo?
            profesion/ocupacion/cargo actual
            nombre del puesto
        """,
        Entity.EMPLOYER: """
            empleador/empleadora
            empresa empleadora
            nombre del empleador
            empleador actual/anterior
            lugar/centro de trabajo
        """,
        Entity.DOCTOR: """
            medico/medica/doctor/doctora/dentista/cirujano/cirujana/psiquiatra/cardiologo/cardiologa
            medico/medica tratante/responsable/asignado/asignada
            medico/medica de cabecera/familia
            nombre del medico
            atendido/atendida/tratado/tratada por
        """,
        Entity.HOSPITAL: """
            hospital/clinica
            nombre del hospital
            nombre de la clinica
            centro medico/hospitalario/sanitario
            ingresado/ingresada en
        """,
        Entity.DIAGNOSIS: """
            diagnostico/diagnosticos/enfermedad/enfermedades/patologia/patologias/alergia/alergias
            diagnostico principal/secundario/definitivo
            antecedentes medicos?
            historial medico
        """,
        Entity.PRESCRIPTION: """
            receta/recetas/prescripcion/medicamento/medicamentos/medicacion
            medicacion/medicamento/medicamentos actual/actuales/recetada/recetado/recetados/habitual
            tratamiento prescrito/farmacologico
        """,
        Entity.SEXUAL_ORIENTATION: """
            orientacion/identidad sexual
            sexualidad
        """,
        Entity.CRIMINAL_RECORD: """
            antecedentes/historial penales/penal
            condena/condenas
            condenado/condenada por
        """,
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
        Entity.JOB_TITLE: """
            professione/occupazione/mestiere/mansione/qualifica
            professione/occupazione attuale
            posizione lavorativa
            titolo professionale
        """,
        Entity.EMPLOYER: """
            datore/datrice di lavoro
            nome del datore di lavoro
            datore di lavoro attuale/precedente
            luogo/posto di lavoro
        """,
        Entity.DOCTOR: """
            medico/dottore/dottoressa/dentista/chirurgo/chirurga/psichiatra/cardiologo/cardiologa
            medico curante/responsabile/prescrittore
            medico di base/famiglia
            nome del medico
            seguito/seguita/visitato/visitata da
        """,
        Entity.HOSPITAL: """
            ospedale/clinica/policlinico
            nome dell' ospedale
            nome della clinica
            struttura ospedaliera/sanitaria
            ricoverato/ricoverata a/presso
        """,
        Entity.DIAGNOSIS: """
            diagnosi/malattia/malattie/patologia/patologie/allergia/allergie
            diagnosi principale/secondaria/definitiva
            anamnesi
        """,
        Entity.PRESCRIPTION: """
            ricetta/prescrizione/prescrizioni/farmaco/farmaci/medicinale/medicinali
            terapia farmacologica/prescritta/attuale
            farmaco/farmaci prescritto/prescritti
        """,
        Entity.SEXUAL_ORIENTATION: """
            orientamento/identita sessuale
            sessualita
        """,
        Entity.CRIMINAL_RECORD: """
            precedenti penali
            casellario giudiziale
            condanna/condanne
            condannato/condannata per
        """,
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
        Entity.JOB_TITLE: """
            profissao/ocupacao/cargo/oficio
            profissao/ocupacao/cargo atual
            nome do cargo
        """,
        Entity.EMPLOYER: """
            empregador/empregadora
            entidade empregadora/patronal
            nome do empregador
            empregador atual/anterior
            local de trabalho
        """,
        Entity.DOCTOR: """
            medico/medica/doutor/doutora/dentista/cirurgiao/cirurgia/psiquiatra/cardiologista
            medico/medica responsavel/assistente
            medico/medica de familia
            nome do medico
            atendido/atendida/acompanhado/acompanhada por
        """,
        Entity.HOSPITAL: """
            hospital/clinica
            nome do hospital
            nome da clinica
            unidade hospitalar
            internado/internada em/no/na
        """,
        Entity.DIAGNOSIS: """
            diagnostico/diagnosticos/doenca/doencas/patologia/patologias/alergia/alergias
            diagnostico principal/secundario/definitivo
            historico/antecedentes medico/medicos/clinico
        """,
        Entity.PRESCRIPTION: """
            receita/receitas/prescricao/medicamento/medicamentos/medicacao/remedio/remedios
            medicacao/medicamento/medicamentos atual/atuais/prescrita/prescrito/prescritos/habitual
        """,
        Entity.SEXUAL_ORIENTATION: """
            orientacao/identidade sexual
            sexualidade
        """,
        Entity.CRIMINAL_RECORD: """
            antecedentes/registo/registro criminais/criminal
            condenacao/condenacoes
            condenado/condenada por
        """,
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
