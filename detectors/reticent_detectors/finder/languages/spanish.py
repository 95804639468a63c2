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
            partido/militancia/ideologia
            partido politico
            afiliacion/ideologia/orientacion/tendencia/opinion/militancia/filiacion/adscripcion/postura/posicion/
                simpatia/simpatias/ideas/opiniones/creencias/inclinacion/convicciones politica/politicas
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
        Entity.JOB_TITLE: """
            trabaja/trabajo/trabajaba/trabajar/contrato/contrataron/contratado/contratada/empleado/empleada/ejerce/
                ejercia/vida/desempena/puesto/oficio/carrera/sirve/ficharon/fichado/entro/empezo/gana .. como/de
            trabaja/trabajo/trabajaba/contrataron/contratado/contratada/empleado/empleada/ejerce/ejercia/vida/
                desempena como/de
            puesto/cargo/profesion/oficio/funciones/plaza/titulo/empleo/rol/trabajo de
            ascendido/ascendida/promovido/promovida/ascendio/promovieron a
            de profesion/oficio ,? es?
            de profesion/oficio
            en calidad de
            formo/graduo/titulo/licencio como/de?
            estudio para
            se? gana/ganaba/vida/emplearon/contrataron/contrato/contratado/contratada/coloco/colocaron/trabajo/trabaja/
                trabajaba/trabajar/empleo/puesto/plaza/vacante/ejerce/ejercer/anos/experiencia/titulo/formacion/carrera/
                practicas/ocupado/ocupada/jubilo .. de/como
            se hizo/hace/metio/volvio/saco
            consiguio/encontro/obtuvo/perdio/dejo/busca .. trabajo/empleo/puesto/plaza/cargo? de/como
            lleva .. de/como
            de profesion/oficio
            llego/ascendio/ascendieron a
            puesto/plaza/cargo/trabajo/empleo/vacante/contrato/funcion/funciones/labor/labores/rol/papel/titulo/oficio/
                profesion/carrera/formacion/titulacion/turno/sueldo/nombramiento/ascenso de/como/a el? de?
            ascendio/ascendieron/ascendido/ascendida/promovido/promovida/nombrado/nombrada/nombraron/designado/
                designada/elegido/elegida .. a/como
            dejo/perdio/abandono/encontro/consiguio/logro/obtuvo/acepto/ocupa/ocupo/busca/solicito/tiene/desempena/
                cubre .. puesto/plaza/cargo/trabajo/empleo/vacante/colocacion de/como
            gana/ganaba/ganarse la/su vida/pan de/como
            trabaja/ejerce/trabajaba/trabajo de/como
            coloco/colocado/colocada/metio/entro/empezo/comenzo/contrataron/contratado/contratada/jubilo/jubilado/
                jubilada/retiro de/como
        """,
        Entity.DOCTOR: """
            paciente del/de
            dr/dra/doctor/doctora/profesor
            atendido/atendida/tratado/tratada/operado/operada/visto/vista/examinado/examinada/firmado/firmada/seguido/
                seguida/recetado/realizada/intervenida/intervenido/derivado/derivada por/a
            consulta/cita con
            visita a
            operado/operada/opero/opero/tratado/tratada/atendido/atendida/seguido/seguida/visto/vista/enviado/enviada/
                derivado/derivada/vacunado/vacunada/asistido/asistida .. por/a/al/con doctor/doctora/dr/dra?
            medico/medica/dentista/cardiologo/cardiologa/psiquiatra/cirujano/cirujana/pediatra/ginecologo/ginecologa/
                dermatologo/dermatologa/neurologo/neurologa/oncologo/oncologa/especialista .. se? llama/es/era/llamaba
            cita/consulta/revision/visita/hora/sesion/terapia/tratamiento .. con
            lo/la/le opero/trato/atendio/lleva/visito/trata/atiende
            psicologo/psicologa/traumatologo/traumatologa/oftalmologo/oftalmologa/urologo/endocrino/fisioterapeuta/
                matrona/especialista/logopeda/odontologo/odontologa ,
            medico/doctor/doctora/cirujano/cirujana/especialista/dentista que .. es/se/llama/llamaba
            consulta/cita/revision/sesion/terapia/tratamiento/paciente/informe/receta/volante de/con/del la/el? dr/dra/
                doctor/doctora?
            acude/va/fue/acudio .. a/al la? consulta? de/del la/el? dr/dra/doctor/doctora?
            atendido/atendida/operado/operada/tratado/tratada/visto/vista/visitado/visitada/asistido/asistida/seguido/
                seguida/derivado/derivada por/a/al/con el/la? dr/dra/doctor/doctora?
            lo/la/le lleva/llevo/opero/opera/atiende/atendio/trata/trato/ve/vio/visito/recibio/asistio el/la dr/dra/
                doctor/doctora?
            confia/confio en su? medico/medica/doctor/doctora/dentista?
            paciente del/de/de la dr/dra/doctor/doctora?
            lo/la/le lleva/atiende/opero
        """,
        Entity.HOSPITAL: """
            ingreso/ingresado/ingresada/ingresaron/operado/operada/operaron/tratan/tratado/tratada/atendido/atendida/
                atienden/trasladaron/trasladado/trasladada/llevaron/llevado/llevada/fallecio/murio/nacio/dio/paso/
                visitar/cirugia/operacion/intervencion/paciente/internado/internada/internaron/alta/semanas/dias/
                derivado/derivada/ingresar/urgencias/dialisis/veces/hospitalizado/hospitalizada/derivaron/estuvo/parto/
                quimioterapia/tratamiento/encuentra/consulta .. en/a/al/del
            ingresado/ingresada/operado/operada/operaron/tratan/tratado/tratada/atendido/atendida/trasladaron/
                trasladado/trasladada/llevaron/fallecio/murio/nacio/hospitalizado/hospitalizada/internado/internada/
                alta en/a/al/del/de/por
            revision/revisiones/pruebas/cita/rehabilitacion/quirofano/habitacion/planta/cama/uci/radioterapia/visita/
                visitas/noche/semana/semanas/meses/mes/ingreso/parto/luz .. en/son/de/del/al
            salio/sale/salir/alta de/del
            ambulancia/helicoptero/taxi/familia .. a/al/hasta/hacia
            dio a luz en
            operaron/operan/operado/operada/opero/atendieron/atienden/atendido/atendida/ingresaron/ingresado/ingresada/
                hospitalizaron/hospitalizado/hospitalizada/internaron/internado/internada/trataron/tratan/tratado/
                tratada/nacio/nacido/nacida/murio/fallecio/fallecido/fallecida/pario/alumbro/luz/parto/recupera/
                recuperandose/rehabilitacion/convalece/sigue/continua/permanece/permanecio/estuvo/esta/quedo/paso/pasa/
                hace/hizo/recibe/recibio/tiene/lleva .. en el/la/los?
            trasladaron/trasladado/trasladada/llevaron/llevado/llevada/derivaron/derivado/derivada/condujeron/evacuaron/
                evacuado/evacuada/remitieron/fue/acudio/ir/ingreso .. al/a/hasta/hacia la/el?
            alta/salio/sale/salido/regreso/volvio .. del/de/en la/el?
            visitar/visito/ver .. en el/la
        """,
        Entity.EMPLOYER: """
            trabaja/trabajaba/trabajar/empleo/empleado/empleada/contratado/contratada/puesto/practicas/vacante/plaza/
                fichado/fichada/nomina/contabilidad/carrera/socio/socia/directivo/gerente/volvio/plantilla/despedido/
                despedida/despidieron/entro/contrato/incorporo/incorporado/colocado .. en/para/por/de/a
            trabaja/trabajaba/trabajar/empleo/empleado/empleada/contratado/contratada/puesto/practicas/fichado/fichada/
                contabilidad/despedido/despedida/despidieron/volvio/entro/incorporo/reincorporo/nomina/plantilla/
                trabajador/trabajadora en/para/por/de/del/a
            dejo/fundo
            contratado/contratada/empleado/empleada/despedido/despedida por
            trabaja por cuenta de
            presta servicios en/a/para
            renuncio a
            nomina/plantilla/empleado/empleada/trabajador/trabajadora/contrato/puesto/plaza/sueldo/jefe/jefa/companeros/
                practicas/becario/becaria/oficina/turno/antiguedad/salario/carrera/socio/socia .. de/en/con/por
            despidieron/despedido/despedida/echaron/echado/echada/salio/dimitio/renuncio/jubilo/se fue/contrataron/
                contrato/ficho/fichado/fichada/entro/empezo/comenzo/colocaron/coloco .. de/en/por/a/con
            reparte/conduce/vende/limpia/trabaja/trabajo/trabajar/factura/disena/programa/cocina/ensena .. para/en/con
            dejo/deja/abandono .. en
            le paga/pago
            presta/presto/prestaba/prestar sus? servicios en/a/para la/el?
            fichar/ficho/fichado/fichada/contratar/contrataron/contratado/contratada/despedir/despidieron/despedido/
                despedida/echaron/reclutado/reclutada/empleado/empleada por/de/en/a la/el?
            lleva/llevaba .. anos/meses/semanas en/con/para la/el?
            entro/entra/empezo/comenzo/ingreso/incorporo/paso/paso/cambio/volvio a/en/como? trabajar? en/a/para/con la/
                el?
            reparte/repartia/conduce/cocina/limpia/vende/disena/programa/factura/cobra/curra/trabaja/trabajaba/trabajo/
                trabajar/colabora/freelance para/en/con/de la/el?
            nomina/sueldo/salario/paga/contrato/finiquito/pension/uniforme/tarjeta/furgoneta .. de/con/en la/el?
            firma/firmo/firmado contrato? con/en la/el?
            empleado/empleada/trabajador/trabajadora/operario/operaria/directivo/directiva/jefe/jefa/gerente/contable/
                comercial/dependiente/dependienta/chofer/encargado/encargada/administrativo/administrativa/ingeniero/
                ingeniera/tecnico/tecnica/becario/becaria/socio/socia/accionista/plantilla/personal/equipo/oficinas/
                fabrica/almacen/taller/sede de/en/del la/el?
            puesto/plaza/practicas/beca/trabajo/empleo/curro/vacante/entrevista/turno/jornada/contrato en/con/para la/
                el?
            dejo/deja/abandono/dejado/deje la/el? empresa?
            jefe/jefa/encargado/encargada/companeros/colegas/superior .. en/de la/el?
            jubilo/jubilado/jubilada/retiro/retirado/despidio/dimitio/renuncio/marcho/fue de/a/en la/el?
            empresa/firma/compania/sociedad
            trabaja/trabajaba/trabajo/trabajar/empleado/empleada en/para la/el empresa/firma/compania?
            fundo/dirige/regenta
        """,
        Entity.DIAGNOSIS: """
            alergico/alergica a/al la/los/las?
            padece/padecia/padecen/padecer/padezco/sufre/sufria/sufro/sufrir/diagnosticaron/diagnostico/diagnosticado/
                diagnosticada/diagnosticar/detectaron/encontraron/contrajo de/del/con/un/una?
            padece/sufre .. de
            sospecha/diagnostico/cuadro/caso/antecedentes/enfermo/enferma/aquejado/aquejada/afectado/afectada/murio/
                fallecio/paciente de/por/con
            diagnosticado/diagnosticada/diagnosticaron .. de/con?
            convive/vive con
            tratamiento/tratado/tratada/operado/operada/baja/ingresado/ingresada/atendido/atendida/medicado/medicada/
                medicacion por/contra/para
            a causa de
            causa del
            confirmaron/confirmo/revelaron/mostraron/revelo/figura/destaca/consta/indica
            operado/operada/tratado/tratada/ingresado/ingresada/baja .. por
            debido a
            lucha contra
            por culpa de
            ha desarrollado
            enfermo de
            tras
            resulto/tratarse .. ser/era/de
            enfermo/enferma/convaleciente/aquejado/aquejada/afectado/afectada/paciente/recuperandose/recupera/murio/
                fallecio/muerto/muerta/operado/operada/operaron/sufre/padece/brote/crisis/ataque/sintomas/secuelas/
                complicaciones/cuadro/caso/diagnostico de
            baja/ingresado/ingresada/tratamiento/tratan/tratado/tratada/operado/operada/medicado/medicada .. por/contra/
                de
            encontraron/detectaron/diagnosticaron/descubrieron/encontrado/detectado/diagnosticado/descubierto una/un?
            lucha/lucho/combate/pelea/batalla contra
            convive/vive/carga .. con
            culpa/causa de
            lo de .. es/era
        """,
        Entity.PRESCRIPTION: """
            receto/recetaron/recetado/recetada/prescribio/prescribieron/prescrito/pauto/pautaron/pautado/mando/
                administraron/administro/indico/indicaron/inyecta/ordeno
            toma/tomo/tomaba/tomar/tomando/recibe/recibia/ingiere cada?
            dosis/comprimido/comprimidos/pastillas/receta/tratamiento/caja/pastilla de/con/para?
            tratado/tratada/medicado/medicada/controla/medica/trata .. con
            tratado/tratada/medicado/medicada/tratamiento con
            cambiaron/paso/cambio/cambiado a
            esta/estaba con
            dieron/dio
            receta .. pone/figura/dice
            toma .. diario/diariamente/diaria?
            recogio/compro/retiro/recoger
            sin su
            puesto/puso .. con
            recetaron/receto/recetado/mando/mandaron/mandado/puso/pusieron/dio/dieron/prescribieron/prescribio/pauto/
                subio/bajo/retiro/cambio/quito a/al?
            toma/tomo/tomaba/tomar/tomando/inyecta/pincha/traga/usa
            dosis/receta/caja/pastilla/pastillas/comprimidos/comprimido/tratamiento/inyeccion/inyecciones/jarabe/bote/
                frasco/capsulas .. de/con/para
            tratamiento/medicado/medicada/medica con
            recogio/compro/recoger/comprar/pidio/renovo su/el/la?
            dormir/vivir/pasar sin
        """,
        Entity.NRP: """
            vota/voto/votaba/votar/votado/milita/militaba/campana/hizo/concejal/candidato/candidata/presento/lista/
                diputado .. a/por/al/con/de/en/del
            vota/voto/votaba/votar/votado/milita/militaba/afiliado/afiliada/militante/miembro/simpatizante/votante/
                seguidor/partidario/partidaria/candidato/candidata a/por/al/con/de/en/del
            campana por
            se siente/define/declara/considera/confiesa como?
            politicamente
            politicamente , _ _? es/se
            ideologia/ideas/opiniones .. es/son
            de ideologia/ideas
            dono/donado dinero/fondos? a/al
            carne/carnet de/del
            simpatiza con
            apoya al/a
            dice ser
            oculta que/ser es?
            carne/afiliado/afiliada/afilio/militante/militancia/miembro/simpatizante/votante/concejal/concejala/
                diputado/diputada/candidato/candidata/cuota/papeleta/voto/votado/votar/voto/vota .. de/a/por/del/al/en
            se declara/considera/define/siente/confiesa
            siempre? ha? votado/vota/votaba/voto a/al/por
            de ideas/ideologia
            listas/lista/filas/candidatura/militancia/carne/carnet/sede/mitin/mitines/grupo/bancada/concejal/concejala/
                diputado/diputada/alcalde/alcaldesa/edil/cargo/portavoz/cuota/papeleta/militante/afiliado/afiliada/
                simpatizante/votante/miembro/candidato/candidata de/del/por/con/en/al la/el/los?
            presento/presenta/concurrio/candidato .. listas/lista/candidatura/por/con de/del/por/con? la/el?
            vota/voto/votaba/votar/votado/votara/apoya/apoyo/apoyaba a/al/por/siempre/por? la/el/los?
            afilio/afiliado/afiliada/inscribio/unio/sumo/paso/entro a/al/en la/el?
            milita/militaba/milito en/con el/la
            campana/dinero/donativo/donacion .. por/para/a/al/con la/el?
        """,
        Entity.USERNAME: """
            internet/red/redes/foro/twitter/instagram/discord/linea .. alias/llama/como/usa/nombre/apodo/nick
            se hace llamar
            usa/utiliza el alias/nombre/apodo/nick
        """,
    },
    weak={
        Entity.DIAGNOSIS: "tiene/tenia/tengo/tener/tuvo",
        Entity.PRESCRIPTION: "con/sin/usa/necesita",
        Entity.JOB_TITLE: "es/era/soy/fue/, | es/era un/una? | hacerse",
        Entity.NRP: "es/era/soy/a/por | familia",
        Entity.EMPLOYER: "en/a/de",
        Entity.HOSPITAL: "en/al/del",
        Entity.DOCTOR: "visito/atiende",
    },
    after={
        Entity.DIAGNOSIS: """
            es/fue/era lo que .. encontraron/padece/tiene/sufre/diagnosticaron/detectaron
            es/fue su/el diagnostico/enfermedad/dolencia
            es la enfermedad/dolencia
            fue el diagnostico
            le .. diagnosticaron/detectaron/encontraron
            le fue diagnosticada/diagnosticado
            ha sido .. diagnosticada/diagnosticado
        """,
        Entity.PRESCRIPTION: """
            es/fue lo que .. toma/receto/recetaron/prescribio/pauto
            le .. receto/recetaron/prescribio/recetado
            es el medicamento/tratamiento
            es su medicamento/medicacion/tratamiento
            fue recetado/recetada/prescrito
            toma
            se llama .. medicamento
        """,
        Entity.EMPLOYER: """
            contrato/contrata/emplea/despidio/ficho/empleaba a
            es la empresa
            es su empresa/empleador
            le/lo/la contrato/despidio
            es donde trabaja
            es donde .. trabaja
            ha contratado a
            contrato/despidio/echo/ficho/ascendio/emplea/empleo/traslado a
            ha contratado/despedido/fichado/ascendido a?
            es quien .. paga/contrato
            es la empresa/firma/compania
            contrato/despidio/emplea/empleo/ficho/ascendio/traslado/jubilo/paga/pago/readmitio a
            ha/habia contratado/despedido/fichado/ascendido/empleado/jubilado/trasladado a?
            le/la/lo contrato/despidio/emplea/paga/pago/ficho/dio/ofrecio
            es/era la/el/su empresa/firma/compania/empleador/patron/jefe/taller/negocio de/donde/en/para/que
            es/era donde trabaja/trabajaba/trabajo
            es/era quien/la que paga/emplea/contrato/le
            paga/pago la/el/su nomina/sueldo/salario
            donde/, donde trabaja/trabajaba
            tiene a _ _? en
            ofrecio/dio trabajo/empleo/puesto/contrato a
        """,
        Entity.HOSPITAL: """
            ingreso/atendio/recibio/opero/admitio/trato a
            es donde
            es el hospital
            es la clinica
            es su hospital/clinica
            le/lo/la ingreso/atendio/opero
            ingreso/atendio/opero/recibio/trato/acogio a
            ha ingresado/atendido/operado/dado a?
            le dio el? alta
            es donde .. ingresado/operaron/nacio/trataron
        """,
        Entity.DOCTOR: """
            atiende/trata/opero/trato/atendio/visita a
            es su/el/la medico/medica/doctor/doctora/cirujano/cirujana/psiquiatra/dentista
            le/lo/la atiende/trata/opero/receto/derivo
            llamo a/ayer
            es quien .. trata/atiende
            lleva .. tratando/atendiendo
            es/era el/la/su medico/medica/doctor/doctora/dentista/cardiologo/cardiologa/psiquiatra/cirujano/cirujana/
                pediatra/ginecologo/ginecologa/dermatologo/dermatologa/neurologo/oncologo/especialista/traumatologo de/
                del/que/quien?
            opero/trata/trato/atiende/atendio/vacuno/asistio/lleva a
            es quien/el/la que? .. opero/trata/atiende/lleva
            ha operado/tratado/atendido a?
            le receto/diagnostico
            es/era/fue el/la/su medico/medica/doctor/doctora/dentista/cirujano/cirujana/psiquiatra/pediatra/
                especialista/cardiologo/cardiologa/ginecologo/ginecologa
            opero/atendio/trato/atiende/trata/visita/visito/lleva/asistio/vacuno/diagnostico/derivo/receto a
            es/fue quien opero/atendio/atiende/trata/lleva/trato/le/la/lo
            ha operado/atendido/tratado/visitado
            le/la/lo opero/atiende/atendio/trata/trato/lleva/receto/visito
        """,
        Entity.JOB_TITLE: """
            de oficio/profesion
            es su/el profesion/oficio/trabajo/puesto/cargo
            es lo que es
            es el oficio
            , ese/esa es su
            de profesion/oficio/formacion
            es su/el profesion/oficio/trabajo/puesto
            de profesion/oficio/formacion/carrera/vocacion ,?
            es/era su/la/el/lo profesion/oficio/trabajo/puesto/cargo/que de/hace?
            es lo que es/hace/estudio
            es a lo que se dedica
            , asi se gana
        """,
        Entity.NRP: """
            ha tenido .. voto
            convencido/convencida
            es su/el partido
            tiene .. voto
            cuenta con el voto
            es a quien vota
            convencido/convencida/confeso/confesa/declarado/declarada/acerrimo ,?
            vota/votaba/voto siempre/_ _?
            es/fue a quien/el/su vota/partido
            cuenta/tiene con? el voto
            , _ _? milita
        """,
    },
    capital={
        Entity.DOCTOR: """
            lo/la/le opero/trata/atiende/atendio/lleva/trato/visito
            a _ _ _? lo/la/le opero/trata/atiende/lleva/trato
        """,
    },
    needs_form={
        Entity.JOB_TITLE: """
            ,
            es/era/fue/sera/sigue/siendo/soy/hizo un/una?
            como
            hermano/hermana/marido/mujer/padre/madre ,?
            antiguo/antigua/exempleado/futuro/futura
            es/era/fue/sera/soy/sigue/seguia/siendo/hizo/hace/hacer/hacia/ser/sido/convirtio/convertido/volvio/
                quedo como/de/en/un/una? un/una?
            companera/companero/vecino/vecina/marido/mujer/esposo/esposa/hermano/hermana/padre/madre/hijo/hija/tio/tia/
                primo/prima/amigo/amiga/novio/novia/colega/jefe/jefa/cunado/cunada/socio/socia/inquilino/inquilina/
                cliente/clienta de? _ _? ,? es/era?
            ,
            trabaja/trabajo/trabajaba/trabajar/ejerce/ejercia/ejercer/ejercio/actua/actuo/sirve/sirvio/coloco/colocado/
                colocada/empleado/empleada/entro/entrado/empezo/comenzo/contratado/contratada/contrataron/jubilo/
                jubilado/jubilada/gana/ganaba/metio/mete/vive/dedica/apunto/inscrito/inscrita/registrado/registrada/
                titulo/titulado/titulada/formado/formada/licenciado/licenciada/graduado/graduada .. de/como/a/en
            hace/hizo/hacia/ejerce/ejercio/oficia/oficio de/como
            estudia/estudio/estudiar/forma/formacion/prepara/preparo/oposita/oposito/oposiciones/suena/quiere/
                queria para/de/a/con/como ser?
            antiguo/antigua/exempleado/futuro/futura/ex
            lleva .. de/como
            anos/decadas/vida/media de/como
        """,
        Entity.NRP: """
            es/era/soy/fue/sigue/siendo/sido/ser/siempre/dice/declara/define/considera/siente/confiesa/reconoce/
                autodefine/proclama/manifiesta siempre/muy/como/ser/un/una/sido/mas/bastante/claramente? un/una?
            familia/ideas/ideologia/opiniones/convicciones/tendencia/tendencias/simpatias/pensamiento/creencias/valores/
                corte/ambiente/entorno/posiciones son/es/muy/claramente/de?
            tiene ideas/opiniones/convicciones
            politicamente _? _? _? es/se/era/esta? de/muy/considera/declara/define?
            simpatiza/simpatizaba/simpatizante con/de el/la/los?
            viene/procede/proviene de una? familia/entorno/ambiente
            que ser/es/era
            es/era/ser/son/somos/soy/sido de
        """,
    },
    asks={
        Entity.DOCTOR: "quien .. atiende/trata/opero/visita/trato/atendio | quien atiende/trata/opero | con que medico",
        Entity.DIAGNOSIS: """
            que .. padece/enfermedad/diagnosticaron/diagnosticado/encontraron/sufre
            por que .. baja/ingresado/ingresada/tratamiento/hospital/hospitalizado/hospitalizada/operaron/medico
            de que .. padece/sufre/murio/enfermo/enferma/operaron
            de que sufre/murio/enfermo
            que tiene
            que padece
        """,
        Entity.HOSPITAL: """
            donde .. tratan/operaron/ingresado/ingresada/ingreso/atienden/internado/internada/nacio/hospitalizado/
                hospitalizada/atendieron/opero
            adonde .. llevaron/trasladaron
        """,
        Entity.PRESCRIPTION: """
            que .. receto/recetaron/toma/prescribio/tomando/medica/pauto
            que toma
            con que .. trata/medica/tratan
        """,
        Entity.EMPLOYER: """
            donde .. trabaja/empleado/empleada/trabajaba
            donde trabaja
            para quien .. trabaja
            para quien trabaja
            en que empresa
            quien .. emplea/contrato/contrata
        """,
        Entity.JOB_TITLE: """
            a que .. dedica
            de que .. trabaja
            de que trabaja
            en que .. trabaja
            que hace .. vida
            como .. gana .. vida
            en que trabaja
        """,
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
        Entity.NRP: """
            a quien .. vota/voto
            que partido
            politicamente/politica/politicas
            a quien vota/voto
            milita
        """,
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
    stop="""
        pasado pasada es era fue son esta estaba ha han habia y e o u pero que quien cuyo desde hasta para por con sin
        en al a el la los las un una su sus mi mis se le lo les no ni si ya muy mas dos tres veces cada dia dias manana
        noche hoy ayer antes despues durante segun como cuando donde porque aunque mientras entre sobre contra tras toda
        todos todas hace vive trabaja padece toma sufre jubilado jubilada actualmente luego de? num numa lleva proximo
        siempre tambien solo todavia aun apenas casi pronto tarde temprano aqui alli ahi fuera dentro cerca lejos pues
        entonces asi bien mal mejor peor noches fines semana convencido convencida profesion oficio formacion vocacion
        carrera titulada titulado
    """,
    inside="de del la las los",
    start="""
        lunes martes miercoles jueves viernes sabado domingo
        el la los las un una unos unas este esta estos ese esa eso esto lo su sus mi mis tu yo no si que quien cual como
        cuando donde pero y o muy mas nada nadie nunca siempre todo todos toda todas algun alguna lamentablemente
        desconocido confidencial ya aun todavia cada otro otra mucho mucha muchos poco se le me te nos aqui alli ahi por
        para con sin en al a ser estar haber hecho casa claramente bastante sido
    """,
    idioms="""
        parte nota cuenta lugar tiempo hambre sed frio calor miedo razon sueno suerte prisa ganas derecho exito cuidado
        conciencia posesion decisiones forma tren autobus taxi asiento agua cafe risa hecho acuerdo verdad camino vida
        mano pie medidas fuerza control mucho mucha poco anos ano vez veces edad base sol nadie ello ellos ellas esto
        eso algo soledad hijos casa
    """,
    utilities="luz agua gas electricidad calefaccion suministros electrica electrico energia",
    transactions="""
        transferencia transfirio pago transaccion gasto compra importe envio cobro saldo sueldo saco cajero bizum
        transferido devolvieron salario
    """,
)
