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
        Entity.ORDER_NUMBER: "pedido/orden/referencia | numero/codigo/n/no/nro/id de pedido/orden/compra/seguimiento/reserva/envio | n º de pedido | nº de pedido | numero del/de pedido | pedido numero/n/no/nro/nº | pedido n º",
        Entity.CREDIT_CARD_DIGITS: "tarjeta | tarjeta de credito/debito | numero de tarjeta | ultimos cuatro/4 digitos/numeros de? la/su? tarjeta? | ultimos digitos | tarjeta terminada/acabada/termina en | terminacion de tarjeta | final de la? tarjeta | cuatro ultimos digitos",
        Entity.UTILITY_BILL: """factura/recibo/cuenta/gasto/gastos/boleta/consumo/pago de la/el/del? luz/agua/gas/electricidad/calefaccion/suministros/energia/servicios | factura/recibo/gastos del agua/gas | suministros/utilidades | suministros mensuales | factura electrica | recibo electrico""",
        Entity.APPOINTMENT_DATE: "cita/turno/consulta | proxima/siguiente cita/consulta/visita/revision | proximo turno | cita medica | fecha de la/su? cita/consulta/visita/revision | fecha del turno",
        Entity.FLIGHT: "vuelo/vuelos/trayecto/itinerario/viaje/ruta/billete/boleto/pasaje | numero de vuelo | vuelo reservado | billete de avion | reserva de vuelo",
        Entity.ADDRESS: "direccion/domicilio/residencia",
        Entity.JOB_TITLE: "profesion/puesto/cargo/ocupacion/oficio/empleo/trabajo | puesto de trabajo | cargo actual | titulo profesional | categoria profesional",
        Entity.DOCTOR: """medico/medica/doctor/doctora/cirujano/cirujana/cardiologo/cardiologa/psiquiatra/dentista/neurologo/neurologa/pediatra/oncologo/oncologa/dermatologo/dermatologa/ginecologo/ginecologa/especialista/facultativo/traumatologo/traumatologa
            medico/medica de cabecera/familia | medico/medica tratante/responsable/asignado/asignada""",
        Entity.HOSPITAL: "hospital/clinica/sanatorio/ambulatorio | centro medico/sanitario/hospitalario | centro de salud | hospital de ingreso/referencia | hospital o clinica",
        Entity.EMPLOYER: "empresa/empleador/empleadora/compania/patron/empresas/patrono/firma | lugar/centro de trabajo | empresa actual | trabaja en/para | nombre de la empresa | razon social",
        Entity.DIAGNOSIS: "diagnostico/enfermedad/dolencia/padecimiento/patologia/afeccion/antecedentes/trastorno/diagnosticos/enfermedades/patologias | diagnostico principal/medico/definitivo/final | antecedentes medicos | problema de salud | motivo de ingreso/baja",
        Entity.PRESCRIPTION: "medicamento/medicamentos/medicacion/receta/prescripcion/farmaco/farmacos/remedio/medicina/medicinas/tratamiento/pastillas | medicacion/tratamiento actual/habitual/prescrito/pautado/farmacologico | medicamento recetado/prescrito | receta medica | principio activo",
        Entity.TRANSACTION_AMOUNT: "importe/monto/pago/transferencia/transaccion/cantidad/compra/cobro/retiro/suma/ingreso/saldo/sueldo/salario/bizum/gasto/cargo/deposito | importe/monto/valor de la/del transferencia/transaccion/pago/compra/operacion | importe/total/monto/cantidad pagado/pagada/transferido/abonado/total",
        Entity.NRP: "partido/militancia/ideologia | partido politico | afiliacion/ideologia/orientacion/tendencia/opinion/militancia/filiacion/adscripcion/postura/posicion/simpatia/simpatias/ideas/opiniones/creencias/inclinacion/convicciones politica/politicas",
    },
    verbs={
        Entity.ORDER_NUMBER: "pedido/pedidos/orden/compra .. numero/n/no/nro/nº | con el numero | bajo el numero",
        Entity.CREDIT_CARD_DIGITS: "tarjeta/visa/mastercard .. termina/terminada/acaba/acabada/terminan/finaliza en/con | termina/terminada/acaba/acabada/terminan en/con | digitos son",
        Entity.APPOINTMENT_DATE: "cita/consulta/turno/visita/citado/citada/citaron/revision .. el/para/del | cita/citado/citada/citaron/turno el/para | cita/consulta/turno/revision .. es el | dia",
        Entity.FLIGHT: "vuelo/vuela/viaje/viaja/billete/trayecto/reserva/sale/volara/viajara/boleto/pasaje/volar .. de/desde | vuelo | vuela/viaja de/desde | en/del/al/con/perdio/tomo/toma/pasado el? vuelo? | avion , el | viaja en el? vuelo? | viene/llega en/con el? vuelo? | embarque del | vuelo de/desde",
        Entity.JOB_TITLE: """trabaja/trabajo/trabajaba/trabajar/contrato/contrataron/contratado/contratada/empleado/empleada/ejerce/ejercia/vida/desempena/puesto/oficio/carrera/sirve/ficharon/fichado/entro/empezo/gana .. como/de
            trabaja/trabajo/trabajaba/contrataron/contratado/contratada/empleado/empleada/ejerce/ejercia/vida/desempena como/de | puesto/cargo/profesion/oficio/funciones/plaza/titulo/empleo/rol/trabajo de | ascendido/ascendida/promovido/promovida/ascendio/promovieron a | de profesion/oficio ,? es? | de profesion/oficio | en calidad de
            formo/graduo/titulo/licencio como/de? | estudio para
            se? gana/ganaba/vida/emplearon/contrataron/contrato/contratado/contratada/coloco/colocaron/trabajo/trabaja/trabajaba/trabajar/empleo/puesto/plaza/vacante/ejerce/ejercer/anos/experiencia/titulo/formacion/carrera/practicas/ocupado/ocupada/jubilo .. de/como | se hizo/hace/metio/volvio/saco | consiguio/encontro/obtuvo/perdio/dejo/busca .. trabajo/empleo/puesto/plaza/cargo? de/como | lleva .. de/como | de profesion/oficio | llego/ascendio/ascendieron a""",
        Entity.DOCTOR: """paciente del/de | dr/dra/doctor/doctora/profesor | atendido/atendida/tratado/tratada/operado/operada/visto/vista/examinado/examinada/firmado/firmada/seguido/seguida/recetado/realizada/intervenida/intervenido/derivado/derivada por/a | consulta/cita con | visita a
            operado/operada/opero/opero/tratado/tratada/atendido/atendida/seguido/seguida/visto/vista/enviado/enviada/derivado/derivada/vacunado/vacunada/asistido/asistida .. por/a/al/con doctor/doctora/dr/dra? | medico/medica/dentista/cardiologo/cardiologa/psiquiatra/cirujano/cirujana/pediatra/ginecologo/ginecologa/dermatologo/dermatologa/neurologo/neurologa/oncologo/oncologa/especialista .. se? llama/es/era/llamaba | cita/consulta/revision/visita/hora/sesion/terapia/tratamiento .. con | lo/la/le opero/trato/atendio/lleva/visito/trata/atiende""",
        Entity.HOSPITAL: """ingreso/ingresado/ingresada/ingresaron/operado/operada/operaron/tratan/tratado/tratada/atendido/atendida/atienden/trasladaron/trasladado/trasladada/llevaron/llevado/llevada/fallecio/murio/nacio/dio/paso/visitar/cirugia/operacion/intervencion/paciente/internado/internada/internaron/alta/semanas/dias/derivado/derivada/ingresar/urgencias/dialisis/veces/hospitalizado/hospitalizada/derivaron/estuvo/parto/quimioterapia/tratamiento/encuentra/consulta .. en/a/al/del
            ingresado/ingresada/operado/operada/operaron/tratan/tratado/tratada/atendido/atendida/trasladaron/trasladado/trasladada/llevaron/fallecio/murio/nacio/hospitalizado/hospitalizada/internado/internada/alta en/a/al/del/de/por
            revision/revisiones/pruebas/cita/rehabilitacion/quirofano/habitacion/planta/cama/uci/radioterapia/visita/visitas/noche/semana/semanas/meses/mes/ingreso/parto/luz .. en/son/de/del/al | salio/sale/salir/alta de/del | ambulancia/helicoptero/taxi/familia .. a/al/hasta/hacia | dio a luz en""",
        Entity.EMPLOYER: """trabaja/trabajaba/trabajar/empleo/empleado/empleada/contratado/contratada/puesto/practicas/vacante/plaza/fichado/fichada/nomina/contabilidad/carrera/socio/socia/directivo/gerente/volvio/plantilla/despedido/despedida/despidieron/entro/contrato/incorporo/incorporado/colocado .. en/para/por/de/a
            trabaja/trabajaba/trabajar/empleo/empleado/empleada/contratado/contratada/puesto/practicas/fichado/fichada/contabilidad/despedido/despedida/despidieron/volvio/entro/incorporo/reincorporo/nomina/plantilla/trabajador/trabajadora en/para/por/de/del/a | dejo/fundo | contratado/contratada/empleado/empleada/despedido/despedida por | trabaja por cuenta de
            presta servicios en/a/para | renuncio a
            nomina/plantilla/empleado/empleada/trabajador/trabajadora/contrato/puesto/plaza/sueldo/jefe/jefa/companeros/practicas/becario/becaria/oficina/turno/antiguedad/salario/carrera/socio/socia .. de/en/con/por | despidieron/despedido/despedida/echaron/echado/echada/salio/dimitio/renuncio/jubilo/se fue/contrataron/contrato/ficho/fichado/fichada/entro/empezo/comenzo/colocaron/coloco .. de/en/por/a/con | reparte/conduce/vende/limpia/trabaja/trabajo/trabajar/factura/disena/programa/cocina/ensena .. para/en/con | dejo/deja/abandono .. en | le paga/pago""",
        Entity.DIAGNOSIS: """padece/padecia/padecen/padecer/padezco/sufre/sufria/sufro/sufrir/diagnosticaron/diagnostico/diagnosticado/diagnosticada/diagnosticar/detectaron/encontraron/contrajo de/del/con/un/una? | padece/sufre .. de | sospecha/diagnostico/cuadro/caso/antecedentes/enfermo/enferma/aquejado/aquejada/afectado/afectada/murio/fallecio/paciente de/por/con
            diagnosticado/diagnosticada/diagnosticaron .. de/con? | convive/vive con | tratamiento/tratado/tratada/operado/operada/baja/ingresado/ingresada/atendido/atendida/medicado/medicada/medicacion por/contra/para | a causa de | causa del | confirmaron/confirmo/revelaron/mostraron/revelo/figura/destaca/consta/indica
            operado/operada/tratado/tratada/ingresado/ingresada/baja .. por | debido a | lucha contra | por culpa de | ha desarrollado | enfermo de | tras
            resulto/tratarse .. ser/era/de | enfermo/enferma/convaleciente/aquejado/aquejada/afectado/afectada/paciente/recuperandose/recupera/murio/fallecio/muerto/muerta/operado/operada/operaron/sufre/padece/brote/crisis/ataque/sintomas/secuelas/complicaciones/cuadro/caso/diagnostico de | baja/ingresado/ingresada/tratamiento/tratan/tratado/tratada/operado/operada/medicado/medicada .. por/contra/de | encontraron/detectaron/diagnosticaron/descubrieron/encontrado/detectado/diagnosticado/descubierto una/un? | lucha/lucho/combate/pelea/batalla contra | convive/vive/carga .. con | culpa/causa de | lo de .. es/era""",
        Entity.PRESCRIPTION: """receto/recetaron/recetado/recetada/prescribio/prescribieron/prescrito/pauto/pautaron/pautado/mando/administraron/administro/indico/indicaron/inyecta/ordeno | toma/tomo/tomaba/tomar/tomando/recibe/recibia/ingiere cada? | dosis/comprimido/comprimidos/pastillas/receta/tratamiento/caja/pastilla de/con/para?
            tratado/tratada/medicado/medicada/controla/medica/trata .. con | tratado/tratada/medicado/medicada/tratamiento con | cambiaron/paso/cambio/cambiado a | esta/estaba con | dieron/dio | receta .. pone/figura/dice | toma .. diario/diariamente/diaria? | recogio/compro/retiro/recoger | sin su | puesto/puso .. con
            recetaron/receto/recetado/mando/mandaron/mandado/puso/pusieron/dio/dieron/prescribieron/prescribio/pauto/subio/bajo/retiro/cambio/quito a/al? | toma/tomo/tomaba/tomar/tomando/inyecta/pincha/traga/usa | dosis/receta/caja/pastilla/pastillas/comprimidos/comprimido/tratamiento/inyeccion/inyecciones/jarabe/bote/frasco/capsulas .. de/con/para | tratamiento/medicado/medicada/medica con | recogio/compro/recoger/comprar/pidio/renovo su/el/la? | dormir/vivir/pasar sin""",
        Entity.NRP: """vota/voto/votaba/votar/votado/milita/militaba/campana/hizo/concejal/candidato/candidata/presento/lista/diputado .. a/por/al/con/de/en/del | vota/voto/votaba/votar/votado/milita/militaba/afiliado/afiliada/militante/miembro/simpatizante/votante/seguidor/partidario/partidaria/candidato/candidata a/por/al/con/de/en/del
            campana por | se siente/define/declara/considera/confiesa como? | politicamente | politicamente , _ _? es/se | ideologia/ideas/opiniones .. es/son | de ideologia/ideas | dono/donado dinero/fondos? a/al | carne/carnet de/del | simpatiza con | apoya al/a | dice ser | oculta que/ser es?
            carne/afiliado/afiliada/afilio/militante/militancia/miembro/simpatizante/votante/concejal/concejala/diputado/diputada/candidato/candidata/cuota/papeleta/voto/votado/votar/voto/vota .. de/a/por/del/al/en | se declara/considera/define/siente/confiesa | siempre? ha? votado/vota/votaba/voto a/al/por | de ideas/ideologia""",
        Entity.USERNAME: """internet/red/redes/foro/twitter/instagram/discord/linea .. alias/llama/como/usa/nombre/apodo/nick | se hace llamar | usa/utiliza el alias/nombre/apodo/nick""",
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
        Entity.DIAGNOSIS: """es/fue/era lo que .. encontraron/padece/tiene/sufre/diagnosticaron/detectaron | es/fue su/el diagnostico/enfermedad/dolencia | es la enfermedad/dolencia | fue el diagnostico | le .. diagnosticaron/detectaron/encontraron | le fue diagnosticada/diagnosticado | ha sido .. diagnosticada/diagnosticado""",
        Entity.PRESCRIPTION: "es/fue lo que .. toma/receto/recetaron/prescribio/pauto | le .. receto/recetaron/prescribio/recetado | es el medicamento/tratamiento | es su medicamento/medicacion/tratamiento | fue recetado/recetada/prescrito | toma | se llama .. medicamento",
        Entity.EMPLOYER: """contrato/contrata/emplea/despidio/ficho/empleaba a | es la empresa | es su empresa/empleador | le/lo/la contrato/despidio | es donde trabaja | es donde .. trabaja | ha contratado a
            contrato/despidio/echo/ficho/ascendio/emplea/empleo/traslado a | ha contratado/despedido/fichado/ascendido a? | es quien .. paga/contrato | es la empresa/firma/compania""",
        Entity.HOSPITAL: """ingreso/atendio/recibio/opero/admitio/trato a | es donde | es el hospital | es la clinica | es su hospital/clinica | le/lo/la ingreso/atendio/opero
            ingreso/atendio/opero/recibio/trato/acogio a | ha ingresado/atendido/operado/dado a? | le dio el? alta | es donde .. ingresado/operaron/nacio/trataron""",
        Entity.DOCTOR: """atiende/trata/opero/trato/atendio/visita a | es su/el/la medico/medica/doctor/doctora/cirujano/cirujana/psiquiatra/dentista | le/lo/la atiende/trata/opero/receto/derivo | llamo a/ayer | es quien .. trata/atiende | lleva .. tratando/atendiendo
            es/era el/la/su medico/medica/doctor/doctora/dentista/cardiologo/cardiologa/psiquiatra/cirujano/cirujana/pediatra/ginecologo/ginecologa/dermatologo/dermatologa/neurologo/oncologo/especialista/traumatologo de/del/que/quien? | opero/trata/trato/atiende/atendio/vacuno/asistio/lleva a | es quien/el/la que? .. opero/trata/atiende/lleva | ha operado/tratado/atendido a? | le receto/diagnostico""",
        Entity.JOB_TITLE: """de oficio/profesion | es su/el profesion/oficio/trabajo/puesto/cargo | es lo que es | es el oficio | , ese/esa es su
            de profesion/oficio/formacion | es su/el profesion/oficio/trabajo/puesto""",
        Entity.NRP: "ha tenido .. voto | convencido/convencida | es su/el partido | tiene .. voto | cuenta con el voto | es a quien vota",
    },
    capital={
        Entity.DOCTOR: """lo/la/le opero/trata/atiende/atendio/lleva/trato/visito | a _ _ _? lo/la/le opero/trata/atiende/lleva/trato""",
    },
    formed={
        Entity.JOB_TITLE: """, | es/era/fue/sera/sigue/siendo/soy/hizo un/una? | como | hermano/hermana/marido/mujer/padre/madre ,? | antiguo/antigua/exempleado/futuro/futura""",
    },
    asks={
        Entity.DOCTOR: "quien .. atiende/trata/opero/visita/trato/atendio | quien atiende/trata/opero | con que medico",
        Entity.DIAGNOSIS: "que .. padece/enfermedad/diagnosticaron/diagnosticado/encontraron/sufre | por que .. baja/ingresado/ingresada/tratamiento/hospital/hospitalizado/hospitalizada/operaron/medico | de que .. padece/sufre/murio/enfermo/enferma/operaron | de que sufre/murio/enfermo | que tiene | que padece",
        Entity.HOSPITAL: "donde .. tratan/operaron/ingresado/ingresada/ingreso/atienden/internado/internada/nacio/hospitalizado/hospitalizada/atendieron/opero | adonde .. llevaron/trasladaron",
        Entity.PRESCRIPTION: "que .. receto/recetaron/toma/prescribio/tomando/medica/pauto | que toma | con que .. trata/medica/tratan",
        Entity.EMPLOYER: "donde .. trabaja/empleado/empleada/trabajaba | donde trabaja | para quien .. trabaja | para quien trabaja | en que empresa | quien .. emplea/contrato/contrata",
        Entity.JOB_TITLE: "a que .. dedica | de que .. trabaja | de que trabaja | en que .. trabaja | que hace .. vida | como .. gana .. vida | en que trabaja",
        Entity.CREDIT_CARD_DIGITS: "digitos | tarjeta .. termina/acaba",
        Entity.UTILITY_BILL: "luz/agua/gas/electricidad/calefaccion/suministros",
        Entity.TRANSACTION_AMOUNT: "cuanto .. gasto/pago/transfirio/envio/cobro/debe/saco/ingreso/dono/cobraron/transferido/pagado/gastado | de cuanto .. pago/transferencia/compra | que cantidad/importe",
        Entity.FLIGHT: "que vuelo | adonde .. vuela/viaja | cuando .. vuela | a donde .. vuela/viaja | donde .. vuela | desde donde",
        Entity.ADDRESS: "donde .. vive/reside | donde vive",
        Entity.APPOINTMENT_DATE: "cuando .. cita/consulta/turno/visita/revision | que dia .. cita/consulta/turno",
        Entity.NRP: "a quien .. vota/voto | que partido | politicamente/politica/politicas | a quien vota/voto | milita",
    },
    which="que cual cuales quien quienes donde cuando cuanto cuanta como adonde",
    links="es era fue son fueron esta estaba llama llamaba sera queda figura sigue sube asciende ascendia ascendio suma suman llega llego llegaron termina acaba sido eran",
    adverbs="actualmente ahora todavia aun oficialmente tambien ya se sido",
    participles="registrado registrada anotado anotada indicado indicada fijado fijada reservado llamado prevista previsto programada programado",
    prepositions="como a al de del en para por el con bajo desde",
    articles="el la los las un una unos unas lo al del",
    joins="de del para que en con al a donde quien por principal actual tratante es el la los las asignado habitual recetado",
    fillers="reservado principal nombre numero id valor n",
    clauses="pero porque mientras dice dijo aunque si",
    indefinite="ningun ninguna cada todo toda todos todas algun alguna algunos algunas varios varias que cual muchos muchas un una este esta",
    owned="el la los las su sus mi mis tu tus nuestro nuestra del al un una",
    called="llamado llamada denominada denominado",
    lead="""es era fue esta su el la los las un una trabaja en para como de del con por le han recetado receto recetaron diagnosticado diagnosticaron padece sufre toma si claro se llama medico doctor doctora dr dra hospital al a lo
        tratan atiende milita vota gasto pago vuela viaja viene tiene ha sido operado operada ingresado ingresada ella el tomando dedica puesto empresa nombre diagnostico que""",
    person="su sus el ella le lo mi mis yo paciente cliente clienta senor senora sr sra don dona usted empleado empleada tio tia hermana hermano madre padre colega vecino vecina suyo suya ellos ellas",
    stop="""pasado pasada es era fue son esta estaba ha han habia y e o u pero que quien cuyo desde hasta para por con sin en al a el la los las un una su sus mi mis se le lo les no ni si ya muy mas dos tres veces cada dia dias
        manana noche hoy ayer antes despues durante segun como cuando donde porque aunque mientras entre sobre contra tras toda todos todas hace vive trabaja padece toma sufre jubilado jubilada actualmente luego""",
    inside="de del la las los",
    start="""lunes martes miercoles jueves viernes sabado domingo
        el la los las un una unos unas este esta estos ese esa eso esto lo su sus mi mis tu yo no si que quien cual como cuando donde pero y o muy mas nada nadie nunca siempre todo todos toda todas algun alguna
        lamentablemente desconocido confidencial ya aun todavia cada otro otra mucho mucha muchos poco se le me te nos aqui alli ahi por para con sin en al a ser estar haber hecho casa""",
    idioms="""parte nota cuenta lugar tiempo hambre sed frio calor miedo razon sueno suerte prisa ganas derecho exito cuidado conciencia posesion decisiones forma tren autobus taxi asiento agua cafe risa hecho acuerdo verdad camino vida mano
        pie medidas fuerza control mucho mucha poco anos ano vez veces edad base sol nadie ello ellos ellas esto eso algo soledad hijos casa""",
    utilities="luz agua gas electricidad calefaccion suministros electrica electrico energia",
    transactions="transferencia transfirio pago transaccion gasto compra importe envio cobro saldo sueldo saco cajero bizum transferido devolvieron salario",
)
