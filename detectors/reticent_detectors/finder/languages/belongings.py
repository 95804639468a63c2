"""What numbers of vehicles and devices, coordinates and postcodes are called in six languages.

The tables are in the notation of `wordings`, and announce a value as the nouns of a `Language` do. The names of numbers
may also stand anywhere in the sentence of the value, as those of other codes may.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity

_NO = "number/numbers/no/num/nr/id/code"

BELONGINGS: Mapping[str, Mapping[Entity, str]] = {
    "English": {
        Entity.VEHICLE_ID: f"""
            plate/plates/registration/vin/vins
            vin {_NO}
            license/licence/number/vehicle/car/truck/registration/reg/index plate/plates {_NO}?
            plate number/numbers/no
            vehicle/car/chassis identification/registration/id? {_NO}
            vehicle/car/chassis registration
            registration plate/mark/tag
        """,
        Entity.DEVICE_ID: f"""
            imei/meid/imsi/iccid/udid/imeis
            imei/meid/imsi/iccid/udid/device/hardware/implant/pacemaker serial? {_NO}
            sim/handset/phone/laptop/tablet/pump serial {_NO}?
            serial {_NO}
            device/hardware/phone/implant/pacemaker identifier/serial
            device/hardware identification {_NO}?
        """,
    },
    "German": {
        Entity.VEHICLE_ID: """
            kennzeichen/fin
            kfz-kennzeichen/autokennzeichen/nummernschild/autonummer/fahrgestellnummer/fahrzeugnummer/fahrgestellnr/
                fahrzeug-identifizierungsnummer/fahrzeugidentifizierungsnummer/fahrzeugidentifikationsnummer/
                kontrollschild
            amtliches/polizeiliches kennzeichen
        """,
        Entity.DEVICE_ID: """
            imei/imsi/iccid/imei-nummer/imeinummer/seriennummer/seriennr/serien-nr/geratenummer/gerate-nr/geratenr/
                gerate-id/gerateid/geraeteid/geraete-id/geratekennung/gerateseriennummer/sim-nummer/hardware-id
            imei nummer/nr
            serien nr
        """,
    },
    "French": {
        Entity.VEHICLE_ID: """
            plaque
            immatriculation/immatricule/immatriculee
            plaque d' immatriculation
            plaque mineralogique
            numero/n/no/n° d' immatriculation
            numero/n/no/n° de chassis/plaque
            numero/n/no/n° de la? plaque
            numero de serie du vehicule
            numero d' identification du vehicule
        """,
        Entity.DEVICE_ID: """
            imei/imsi/iccid
            numero/n/no/n°/code imei
            numero/n/no/n° de serie
            id materiel
            identifiant/id/numero de? l'? appareil/terminal
            identifiant/id du terminal/dispositif
            numero du terminal/dispositif
        """,
    },
    "Spanish": {
        Entity.VEHICLE_ID: """
            placa/placas
            matricula/bastidor
            matricula/placa/placas del coche/vehiculo/auto/carro
            numero/n/no/nro/nº de matricula/placa/bastidor/chasis/vin
            matricula numero/n/no/nº
        """,
        Entity.DEVICE_ID: """
            imei/imsi/iccid
            numero/n/no/nro/nº/codigo de/del? imei
            numero/n/no/nro/nº de serie
            identificador/id del dispositivo/aparato/equipo/terminal
            numero del dispositivo/aparato/equipo
        """,
    },
    "Italian": {
        Entity.VEHICLE_ID: """
            targa
            targhe/telaio
            targa dell'/della/del auto/macchina/veicolo/moto
            numero/n/no/n° di targa/telaio
            numero targa/telaio
        """,
        Entity.DEVICE_ID: """
            imei/imsi/iccid
            numero/n/no/n°/codice imei
            numero/n/no/n° di serie
            numero seriale
            seriale
            identificativo/id del dispositivo/apparecchio/terminale
            numero del dispositivo/apparecchio
        """,
    },
    "Portuguese": {
        Entity.VEHICLE_ID: """
            placa/placas
            matricula/chassi
            matricula/placa do/da carro/veiculo/automovel/moto/viatura
            numero/n/no/nº da/de/do matricula/placa/chassi/quadro
        """,
        Entity.DEVICE_ID: """
            imei/imsi/iccid
            numero/n/no/nº/codigo de/do? imei
            imei numero
            numero/n/no/nº de serie
            identificador/id do dispositivo/aparelho/equipamento
            numero do dispositivo/aparelho/equipamento
        """,
    },
}
PLACES: Mapping[str, Mapping[Entity, str]] = {
    "English": {
        Entity.COORDINATES: """
            coordinates/coords/latitude/longitude/lat/lon/lng/gps/geolocation/geotag
            gps/geo/geographic/map/home/exact coordinates/coords/position/location/fix/tag/reading
            lat/latitude long/lon/lng/longitude
            lat/latitude .. long/longitude
        """,
        Entity.ADDRESS: "zip/zipcode/zipcodes/postcode/postcodes/eircode | zip/postal/post code/codes",
    },
    "German": {
        Entity.COORDINATES: """
            koordinaten/gps-koordinaten/breitengrad/langengrad/geokoordinaten/geoposition
            gps koordinaten/position/standort
            gps-position/gps-standort
            geographische/geografische breite/lange/koordinaten
        """,
        Entity.ADDRESS: "plz/postleitzahl",
    },
    "French": {
        Entity.COORDINATES: """
            coordonnees/latitude/longitude/geolocalisation
            coordonnees gps/geographiques
            position gps
        """,
        Entity.ADDRESS: "code postal/postaux",
    },
    "Spanish": {
        Entity.COORDINATES: """
            coordenadas/latitud/longitud/geolocalizacion
            coordenadas gps/geograficas
            posicion/ubicacion gps/exacta
        """,
        Entity.ADDRESS: "codigo postal",
    },
    "Italian": {
        Entity.COORDINATES: """
            coordinate/latitudine/longitudine/geolocalizzazione
            coordinate gps/geografiche
            posizione gps
        """,
        Entity.ADDRESS: "codice postale | codice di avviamento postale",
    },
    "Portuguese": {
        Entity.COORDINATES: """
            coordenadas/latitude/longitude/geolocalizacao
            coordenadas gps/geograficas
            posicao/localizacao gps/exata
        """,
        Entity.ADDRESS: "codigo postal",
    },
}
"""Announced as the nouns of a `Language` are; no words behind a value name these."""
