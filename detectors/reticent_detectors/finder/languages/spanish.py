"""Spanish."""

from __future__ import annotations

from reticent_detectors.entities import Entity
from reticent_detectors.finder.languages.language import Language

SPANISH = Language(
    name="Spanish",
    pro_drop=True,
    nouns={
        Entity.EMAIL_ADDRESS: "correo/email/e-mail | correo electronico | direccion de correo",
        Entity.PHONE_NUMBER: "telefono/movil/celular/tel | numero de telefono/movil/celular/contacto | telefono movil",
        Entity.BANK_ACCOUNT: "cuenta/iban/cbu/clabe | cuenta bancaria/corriente | numero de cuenta",
        Entity.ORDER_NUMBER: """
            pedido/orden/referencia
            numero/codigo/n/no/nro/id de pedido/orden/compra/seguimiento/reserva/envio
            n º de pedido
            nº de pedido
            numero del/de pedido
            pedido numero/n/no/nro/nº
            pedido n º
        """,
        Entity.CREDIT_CARD_DIGITS: """
            tarjeta
            tarjeta de credito/debito
            numero de tarjeta
            ultimos cuatro/4 digitos/numeros de? la/su? tarjeta?
            ultimos digitos
            tarjeta terminada/acabada/termina en
            terminacion de tarjeta
            final de la? tarjeta
            cuatro ultimos digitos
        """,
        Entity.UTILITY_BILL: """
            factura/recibo/cuenta/gasto/gastos/boleta/consumo/pago de la/el/del? luz/agua/gas/electricidad/calefaccion/
                suministros/energia/servicios
            factura/recibo/gastos del agua/gas
            suministros/utilidades
            suministros mensuales
            factura electrica
            recibo electrico
        """,
        Entity.APPOINTMENT_DATE: """
            cita/turno/consulta
            proxima/siguiente cita/consulta/visita/revision
            proximo turno
            cita medica
            fecha de la/su? cita/consulta/visita/revision
            fecha del turno
        """,
        Entity.FLIGHT: """
            vuelo/vuelos/trayecto/itinerario/viaje/ruta/billete/boleto/pasaje
            numero de vuelo
            vuelo reservado
            billete de avion
            reserva de vuelo
        """,
        Entity.ADDRESS: """
            direccion/domicilio/residencia
            direccion/domicilio/residencia/senas
            direccion/domicilio postal/particular/completa/completo/actual/personal/fiscal/habitual/permanente/
                principal/residencial/laboral/envio/entrega/facturacion/residencia
            direccion/domicilio de/del la? envio/entrega/facturacion/residencia/casa/correspondencia/contacto/paciente/
                cliente/trabajo/titular/habitual
            lugar de residencia
            calle y numero
        """,
        Entity.JOB_TITLE: """
            profesion/puesto/cargo/ocupacion/oficio/empleo/trabajo
            puesto de trabajo
            cargo actual
            titulo profesional
            categoria profesional
        """,
        Entity.DOCTOR: """
            medico/medica/doctor/doctora/cirujano/cirujana/cardiologo/cardiologa/psiquiatra/dentista/neurologo/
                neurologa/pediatra/oncologo/oncologa/dermatologo/dermatologa/ginecologo/ginecologa/especialista/
                facultativo/traumatologo/traumatologa
            medico/medica de cabecera/familia
            medico/medica tratante/responsable/asignado/asignada
        """,
        Entity.HOSPITAL: """
            hospital/clinica/sanatorio/ambulatorio
            centro medico/sanitario/hospitalario
            centro de salud
            hospital de ingreso/referencia
            hospital o clinica
        """,
        Entity.EMPLOYER: """
            empresa/empleador/empleadora/compania/patron/empresas/patrono/firma
            lugar/centro de trabajo
            empresa actual
            trabaja en/para
            nombre de la empresa
            razon social
        """,
        Entity.DIAGNOSIS: """
            alergias/alergia/diagnostico/enfermedad/dolencia/padecimiento/patologia/afeccion/antecedentes/trastorno/
                diagnosticos/enfermedades/patologias
            diagnostico principal/medico/definitivo/final
            antecedentes medicos
            problema de salud
            motivo de ingreso/baja
        """,
        Entity.PRESCRIPTION: """
            medicamento/medicamentos/medicacion/receta/prescripcion/farmaco/farmacos/remedio/medicina/medicinas/
                tratamiento/pastillas
            medicacion/tratamiento actual/habitual/prescrito/pautado/farmacologico
            medicamento recetado/prescrito
            receta medica
            principio activo
        """,
        Entity.TRANSACTION_AMOUNT: """
            importe/monto/pago/transferencia/transaccion/cantidad/compra/cobro/retiro/suma/ingreso/saldo/sueldo/salario/
                bizum/gasto/cargo/deposito
            importe/monto/valor de la/del transferencia/transaccion/pago/compra/operacion
            importe/total/monto/cantidad pagado/pagada/transferido/abonado/total
        """,
        Entity.NRP: """
            religion/confesion/etnia/nacionalidad/ciudadania
            origen/creencias/afiliacion/conviccion etnico/racial/religiosas/religiosa/sindical
            partido/militancia/ideologia
            partido politico
            afiliacion/ideologia/orientacion/tendencia/opinion/militancia/filiacion/adscripcion/postura/posicion/
                simpatia/simpatias/ideas/opiniones/creencias/inclinacion/convicciones politica/politicas
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
    verbs={
        Entity.ORDER_NUMBER: "pedido/pedidos/orden/compra .. numero/n/no/nro/nº | con el numero | bajo el numero",
        Entity.CREDIT_CARD_DIGITS: """
            tarjeta/visa/mastercard .. termina/terminada/acaba/acabada/terminan/finaliza en/con
            termina/terminada/acaba/acabada/terminan en/con
            digitos son
        """,
        Entity.APPOINTMENT_DATE: """
            cita/consulta/turno/visita/citado/citada/citaron/revision .. el/para/del
            cita/citado/citada/citaron/turno el/para
            cita/consulta/turno/revision .. es el
            dia
        """,
        Entity.FLIGHT: """
            vuelo/vuela/viaje/viaja/billete/trayecto/reserva/sale/volara/viajara/boleto/pasaje/volar .. de/desde
            vuelo
            vuela/viaja de/desde
            en/del/al/con/perdio/tomo/toma/pasado el? vuelo?
            avion , el
            viaja en el? vuelo?
            viene/llega en/con el? vuelo?
            embarque del
            vuelo de/desde
        """,
        Entity.USERNAME: """
            internet/red/redes/foro/twitter/instagram/discord/linea .. alias/llama/como/usa/nombre/apodo/nick
            se hace llamar
            usa/utiliza el alias/nombre/apodo/nick
        """,
    },
    asks={
        Entity.CREDIT_CARD_DIGITS: "digitos | tarjeta .. termina/acaba",
        Entity.UTILITY_BILL: "luz/agua/gas/electricidad/calefaccion/suministros",
        Entity.TRANSACTION_AMOUNT: """
            cuanto .. gasto/pago/transfirio/envio/cobro/debe/saco/ingreso/dono/cobraron/transferido/pagado/gastado
            de cuanto .. pago/transferencia/compra
            que cantidad/importe
        """,
        Entity.FLIGHT: """
            que vuelo
            adonde .. vuela/viaja
            cuando .. vuela
            a donde .. vuela/viaja
            donde .. vuela
            desde donde
        """,
        Entity.ADDRESS: "donde .. vive/reside | donde vive",
        Entity.APPOINTMENT_DATE: "cuando .. cita/consulta/turno/visita/revision | que dia .. cita/consulta/turno",
    },
    which="que cual cuales quien quienes donde cuando cuanto cuanta como adonde",
    links="""
        es era fue son fueron esta estaba llama llamaba sera queda figura sigue sube asciende ascendia ascendio suma
        suman llega llego llegaron termina acaba sido eran
    """,
    adverbs="actualmente ahora todavia aun oficialmente tambien ya se sido",
    participles="""
        registrado registrada anotado anotada indicado indicada fijado fijada reservado llamado prevista previsto
        programada programado
    """,
    prepositions="como a al de del en para por el con bajo desde",
    articles="el la los las un una unos unas lo al del",
    joins="""
        de del para que en con al a donde quien por principal actual tratante es el la los las asignado habitual
        recetado
    """,
    fillers="reservado principal nombre numero id valor n",
    clauses="pero porque mientras dice dijo aunque si",
    indefinite="""
        ningun ninguna cada todo toda todos todas algun alguna algunos algunas varios varias que cual muchos muchas un
        una este esta
    """,
    owned="el la los las su sus mi mis tu tus nuestro nuestra del al un una",
    called="llamado llamada denominada denominado",
    lead="""
        es era fue esta su el la los las un una trabaja en para como de del con por le han recetado receto recetaron
        diagnosticado diagnosticaron padece sufre toma si claro se llama medico doctor doctora dr dra hospital al a lo
        tratan atiende milita vota gasto pago vuela viaja viene tiene ha sido operado operada ingresado ingresada ella
        el tomando dedica puesto empresa nombre diagnostico que aqui tienes tiene respuesta segun mis registros datos
        creo valor siguiente supuesto
    """,
    person="""
        su sus el ella le lo mi mis yo paciente cliente clienta senor senora sr sra don dona usted empleado empleada tio
        tia hermana hermano madre padre colega vecino vecina suyo suya ellos ellas
    """,
    utilities="luz agua gas electricidad calefaccion suministros electrica electrico energia",
    transactions="""
        transferencia transfirio pago transaccion gasto compra importe envio cobro saldo sueldo saco cajero bizum
        transferido devolvieron salario
    """,
)
