"""Spanish wordings."""

LOCALE = "es_ES"

PROSE = {
    "DIAGNOSIS": """
        Tras meses de pruebas, los médicos le confirmaron a {n} que tenía {v}.
        {n} padece {v} desde hace muchos años.
        A mi hermana {n} le diagnosticaron {v} la primavera pasada.
        {n} sufre de {v} y apenas sale de casa.
        Está en tratamiento por {v} en el ambulatorio.
        El paciente ingresó con sospecha de {v}.
        Los análisis confirmaron {v} y la terapia empieza el lunes.
        En el parte de baja de {n} figura {v}.
        {n} convive con {v} desde la adolescencia.
        Entre sus antecedentes médicos destaca {v}.
        Su abuelo {n} murió de {v} a los setenta años.
        Nadie en la oficina sabía que tenía {v}.
        {n} fue operada a causa de {v}.
        ^ {v} fue lo que le encontraron a {n}.
        ^ {v} es la enfermedad contra la que lucha {n}.
        ¿Qué enfermedad tiene {n}? || {v}.
        ¿Cuál es el diagnóstico de {n}? || Le han diagnosticado {v}.
        ¿Por qué está de baja {n}? || Por {v}.
    """,
    "PRESCRIPTION": """
        El médico de cabecera le recetó {v} a {n}.
        {n} toma {v} todas las mañanas.
        Desde la operación está con {v}.
        Le dieron {v} para el dolor.
        La paciente recibe {v} dos veces al día.
        {n} recogió {v} en la farmacia de la esquina.
        En la receta de {n} pone {v}.
        Por los efectos secundarios le cambiaron a {v}.
        Controla los síntomas con {v}.
        El tratamiento de {n} consiste en {v}.
        La psiquiatra le pautó {v} en enero.
        {n} no puede dormir sin {v}.
        ^ {v} es lo que le recetaron a {n} para la tensión.
        ^ {v} toma {n} por las noches, antes de acostarse.
        ¿Qué medicamento toma {n}? || {v}.
        ¿Qué le recetó el médico a {n}? || Le recetó {v}.
        ¿Con qué se trata {n}? || Con {v}.
    """,
    "EMPLOYER": """
        {n} trabaja en {v} desde que terminó la carrera.
        Es empleado de {v}.
        Se incorporó a {v} en 2018.
        {n} acaba de conseguir un puesto en {v}.
        Después de la baja volvió a {v}.
        La empresa para la que trabaja {n} es {v}.
        {n} dejó {v} en mayo.
        Lleva la contabilidad de {v}.
        {n}, empleada de {v}, no quiso hacer declaraciones.
        Lo despidieron de {v} en primavera.
        Según el contrato, {n} presta sus servicios en {v}.
        Hizo las prácticas en {v} y luego lo contrataron.
        {n} fichó por {v} el año pasado.
        ^ {v} contrató a {n} nada más salir de la universidad.
        ^ {v} es la empresa en la que trabaja {n}.
        ¿Dónde trabaja {n}? || {v}.
        ¿Para quién trabaja {n}? || Trabaja para {v}.
        ¿Cuál es la empresa de {n}? || Es {v}.
    """,
    "JOB_TITLE": """
        {n} trabaja como {v} en Sevilla.
        De profesión, {n} es {v}.
        Se gana la vida como {v}.
        Ejerce de {v} desde hace veinte años.
        {n} fue ascendido a {v} el año pasado.
        Desde enero ocupa el puesto de {v}.
        {n} estudió para {v}.
        La contrataron como {v} en otoño.
        En su tarjeta pone {v}.
        {n} ha encontrado trabajo de {v}.
        Antes de mudarse era {v}.
        Su profesión es {v}.
        {n}, {v} jubilado, vive ahora en el campo.
        ^ {v} de oficio, {n} conoce bien el problema.
        ^ Como {v}, {n} viaja mucho.
        ¿A qué se dedica {n}? || Es {v}.
        ¿Cuál es la profesión de {n}? || {v}.
        ¿En qué trabaja? || Trabaja de {v}.
    """,
    "DOCTOR": """
        {n} tiene cita con el doctor {v} el jueves.
        Su médico de cabecera, {v}, la derivó a un especialista.
        La operación la realizó el Dr. {v}.
        {n} es paciente de la Dra. {v} desde hace años.
        Su cardiólogo se llama {v}.
        Envíe por favor los resultados a la doctora {v}.
        Según el doctor {v}, no hay motivo de preocupación.
        {n} acude a la consulta del Dr. {v} por sus migrañas.
        El informe lo firma {v}, médico de familia.
        El médico que atiende a {n} es {v}.
        Para una segunda opinión fue a ver a {v}, neurólogo en Bilbao.
        Su psiquiatra, {v}, le ajustó la dosis.
        ^ {v} atiende a {n} desde niña.
        ^ El Dr. {v} llamó ayer a {n} para darle los resultados.
        ¿Quién es el médico de {n}? || {v}.
        ¿Qué médico lleva a {n}? || La lleva el doctor {v}.
        ¿Quién operó a {n}? || La operó {v}.
    """,
    "HOSPITAL": """
        A {n} la llevaron en ambulancia al {v}.
        Dio a luz en el {v} el domingo de madrugada.
        Lo están tratando en el {v}.
        La operación será en el {v} el próximo martes.
        {n} está ingresado en el {v} desde el lunes.
        Salió del {v} el viernes con el alta.
        Lo trasladaron al {v} durante la noche.
        Su historia clínica está en el {v}.
        {n} va tres veces por semana al {v} para la diálisis.
        Pasó dos semanas en el {v} después del accidente.
        {n} falleció en el {v} rodeado de los suyos.
        Puede visitar a {n} en el {v}, habitación 12.
        ^ El {v} ingresó a {n} con dolor en el pecho.
        ^ En el {v} operaron a {n} de la rodilla.
        ¿En qué hospital está {n}? || {v}.
        ¿Dónde operaron a {n}? || En el {v}.
        ¿Dónde tratan a {n}? || La tratan en el {v}.
    """,
    "FLIGHT:route": """
        {n} vuela de {v}.
        El vuelo de {v} está a nombre de {n}.
        Tiene un billete de {v}.
        Su próximo viaje es de {v}.
        Según la reserva, {n} viaja de {v}.
        Le hemos reservado el trayecto {v}.
        ^ {v}: ese es el vuelo que reservó {n}.
        ¿Qué vuelo ha reservado {n}? || {v}.
        ¿Cuándo y adónde vuela {n}? || Vuela de {v}.
    """,
    "FLIGHT:number": """
        {n} viaja en el vuelo {v}.
        Su avión, el {v}, despega a las seis y diez.
        Perdió el {v} y tuvo que dormir en el aeropuerto.
        Recoge a {n}, que llega en el {v}.
        Lo hemos pasado al {v}.
        La tarjeta de embarque del {v} está a nombre de {n}.
        ^ El {v} es el vuelo de {n}.
        ¿Cuál es el número de vuelo de {n}? || {v}.
        ¿En qué vuelo viene? || Viene en el {v}.
    """,
    "TRANSACTION_AMOUNT": """
        {n} le transfirió {v} a su hermana ayer.
        Pagó {v} por el coche, en efectivo.
        Se ha recibido un pago de {v} de {n}.
        Sacó {v} del cajero.
        El banco le cobró a {n} {v} por error.
        {n} todavía le debe {v} al casero.
        Su sueldo del mes pasado fue de {v}.
        La factura que pagó {n} ascendía a {v}.
        A {n} le devolvieron {v}.
        Dejó una señal de {v}.
        Me envió {v} por la aplicación.
        El saldo de la cuenta de {n} es de {v}.
        ^ {v} se cargaron esta mañana en la cuenta de {n}.
        ^ {v} fue lo que {n} le prestó.
        ¿Cuánto transfirió {n}? || {v}.
        ¿De cuánto fue el pago? || El pago fue de {v}.
        ¿Cuánto gastó {n}? || Gastó {v}.
    """,
    "UTILITY_BILL": """
        La factura de la luz de {n} fue de {v} el mes pasado.
        Paga {v} al mes por el gas y la electricidad.
        La compañía del agua le facturó {v}.
        Sus gastos de calefacción llegaron a {v} este invierno.
        {n} gasta unos {v} en suministros.
        El último recibo del agua fue de {v}.
        {n} está atrasado con el gas y debe {v}.
        La compañía eléctrica le cobra {v} cada mes.
        Por el agua le han cobrado {v} a {n}.
        Los suministros del piso de {n} suman {v}.
        Su recibo de la luz sube a {v}.
        Se asustó con una factura de gas de {v}.
        ^ {v} paga {n} de luz.
        ^ {v} se le van a {n} cada mes en calefacción.
        ¿De cuánto es la factura de la luz de {n}? || {v}.
        ¿Cuánto paga de gas? || Paga {v}.
        ¿Cuánto debe {n} del agua? || Debe {v}.
    """,
    "NRP:party": """
        {n} siempre ha votado a {v}.
        Está afiliada a {v}.
        Es militante de {v} desde 2012.
        {n} hizo campaña por {v}.
        Se presentó a las municipales con {v}.
        {n} dejó {v} el año pasado.
        Donó dinero a {v}.
        ^ {v} ha tenido siempre el voto de {n}.
        ¿A qué partido vota {n}? || {v}.
        ¿En qué partido milita? || Milita en {v}.
    """,
    "NRP:view": """
        Políticamente, {n} es {v}.
        {n} se considera {v}.
        Su ideología política es {v}.
        No oculta que es {v}.
        {n} viene de una familia {v}.
        En casi todo se siente {v}.
        ^ {v} convencido, {n} nunca habla de ello en el trabajo.
        ¿Qué ideas políticas tiene {n}? || {v}.
        ¿Cómo se define políticamente? || Es {v}.
    """,
    "NRP:belief": """
        {n} es {v} y lo lleva con discreción.
        En cuestión de religión, {n} es {v}.
        Después de la muerte de su padre, {n} se hizo {v}.
        En el trabajo pocos saben que {n} es {v}.
        En el formulario de ingreso, {n} declaró ser {v}.
        Se casó con {n}, que es {v}, y eso disgustó a la familia.
        Según la denuncia, a {n} le negaron el piso por ser {v}.
        Aunque es {v}, {n} nunca ha intentado convencer a nadie.
        Sus padres criaron a {n} como {v}.
        {n} se considera {v} desde los veinte años.
        Comparto piso con {n}, que es {v}, y hablamos mucho de Dios.
        Dejó de ser {v} cuando se mudó a Londres.
        Desde que es {v}, ya no celebra la Navidad como antes.
        Nota para planta: {n} es {v}; consultar antes de avisar al capellán.
        Como {v}, {n} tiene su propia idea de lo que viene después de la muerte.
        Su ficha de asilo indica que es {v} y que huyó por ese motivo.
        {n} reconoció en la radio que es {v}.
        ^ {v} de toda la vida, {n} discute a menudo de religión con su yerno.
        ^ {v}: eso contestó {n} cuando le preguntaron por su fe.
        ¿De qué religión es {n}? || {v}.
        ¿{n} cree en Dios? || Pues mira, es {v}.
        ¿Qué creencias tiene? || Dice que es {v}.
    """,
    "VEHICLE_ID": """
        La matrícula del coche de {n} es {v}.
        {n} conduce un Seat Ibiza gris con matrícula {v}.
        Una cámara del peaje captó su furgoneta, con placas {v}, a las 3:12.
        Aparqué al lado del Golf de {n}, el de la matrícula {v}.
        El número de bastidor de su moto es {v}.
        En el permiso de circulación de {n} consta el bastidor {v}.
        Los agentes localizaron a {n} por la placa {v}, que había anotado un vecino.
        Denunció el robo de su vehículo, matriculado con el número {v}.
        La póliza de {n} cubre el turismo con matrícula {v}.
        El perito revisó el coche de {n} (VIN {v}) y lo declaró siniestro total.
        Multaron a {n} por exceso de velocidad; la matrícula que sale en la foto es {v}.
        Si ves pasar un Clio rojo con la matrícula {v}, avísame, que es mi ex.
        {n} se ha comprado un todoterreno de segunda mano, chasis número {v}.
        Para entrar en el garaje, {n} ha registrado la matrícula {v}.
        Apunta la matrícula de mi hermano para el parking: {v}.
        El vehículo que atropelló al ciclista lleva la matrícula {v} y está a nombre de {n}.
        ^ {v} es la matrícula del coche que conducía {n}.
        ^ {v}, así reza la placa de la camioneta de {n}.
        ¿Qué matrícula tiene el coche de {n}? || {v}.
        ¿Me da el número de bastidor? || Sí, el bastidor es {v}.
        ¿De quién es el coche mal aparcado? || La matrícula {v} es de {n}.
        ¿Cuál es la placa de {n}? || Su placa es {v}.
    """,
    "DEVICE_ID": """
        El número de serie del portátil de {n} es {v}.
        {n} perdió el móvil en el metro; el identificador del equipo es {v}.
        Para bloquear el teléfono, la operadora le pidió a {n} el IMEI, que es {v}.
        A {n} le implantaron un marcapasos con número de serie {v}.
        La bomba de insulina que lleva {n} tiene el número de serie {v}.
        Su tableta figura en el inventario con el ID de dispositivo {v}.
        Se le entregó a {n} un terminal de empresa, n.º de serie {v}.
        La policía recuperó el teléfono de {n} gracias a su identificador, {v}.
        En la caja de su reloj pone S/N {v}.
        El audífono de mi abuela lleva grabado el número de serie {v}.
        Nos consta que el aparato con IMEI {v} está a nombre de {n}.
        La tarjeta SIM de {n} tiene el número de serie {v}.
        Hola, soy {n}; mi consola no enciende y el número de serie es {v}.
        El informe forense atribuye a {n} el dispositivo con identificador {v}.
        {n} ha vinculado a su cuenta un equipo nuevo cuyo ID es {v}.
        Según la garantía, la cámara que compró {n} corresponde al número de serie {v}.
        ^ {v} es el número de serie del desfibrilador implantado a {n}.
        ^ {v}: ese es el IMEI del móvil que le robaron a {n}.
        ¿Cuál es el número de serie del ordenador de {n}? || {v}.
        ¿Tiene a mano el IMEI o el número de serie? || Sí, aquí lo tengo: {v}.
        ¿Qué dispositivo tiene registrado {n}? || Uno con ID {v}.
    """,
    "COORDINATES": """
        {n} vive en una casa aislada, en las coordenadas {v}.
        La última señal del móvil de {n} se recibió en {v}.
        El GPS del coche situó a {n} en {v} a medianoche.
        Vieron por última vez al excursionista en el punto {v}.
        Te paso la ubicación de la cabaña de {n}: {v}.
        {n} dejó aparcada la autocaravana en {v}.
        El helicóptero rescató a {n} en las coordenadas {v}.
        Según la pulsera telemática, {n} estaba en {v} a la hora del robo.
        Su reloj deportivo empieza siempre a grabar en {v}, o sea, delante de su casa.
        Estoy perdida, mi posición es {v}, ven a buscarme.
        La foto que {n} subió ayer lleva en los metadatos la posición {v}.
        El huerto de mi suegro {n} está justo en {v}.
        El velero de {n} fondeó anoche en {v}.
        Emergencias, {n} ha sufrido una caída en {v}, manden una ambulancia.
        La aplicación de citas reveló que {n} se encontraba en {v}.
        El taxista recogió a {n} en {v} y no hizo ninguna parada.
        {n} comparte su ubicación en tiempo real y ahora mismo marca {v}.
        ^ {v} son las coordenadas del domicilio de {n}.
        ^ En {v} hallaron el coche de {n}, con las puertas abiertas.
        ¿Dónde está {n}? || En {v}.
        ¿Cuáles son las coordenadas de la casa de {n}? || {v}.
        ¿Desde dónde llamó? || La llamada salió de {v}.
    """,
    "SEXUAL_ORIENTATION": """
        {n} es {v} y no lo esconde.
        Con dieciséis años les contó a sus padres que era {v}.
        A {n} le hacían la vida imposible en el instituto por ser {v}.
        En la entrevista, {n} se declaró {v}.
        {n} me confesó anoche, después de dos cervezas, que es {v}.
        {n} se identifica como {v} desde la universidad.
        {n} salió del armario como {v} en una publicación de Instagram.
        En el piso todos saben que es {v}.
        Pidió asilo alegando que es {v} y que en su pueblo corre peligro.
        En la anamnesis, {n} refiere ser {v} y tener pareja estable.
        Su exmarido declaró ante el juez que {n} es {v}.
        Tardó años en aceptar que era {v}.
        {n} se siente {v}, aunque todavía no se ha atrevido a decirlo en casa.
        En su perfil de la aplicación, {n} pone que es {v}.
        A {n} no le renovaron el contrato en el colegio cuando supieron que era {v}.
        En la ficha del programa, junto a orientación sexual, {n} marcó «{v}».
        Como persona {v}, {n} echa de menos más referentes en el deporte.
        ^ {v} desde que tiene uso de razón, {n} acaba de contarlo en su pueblo.
        ^ {v}, así se define {n} en su biografía.
        ¿Cuál es la orientación sexual de {n}? || {v}.
        ¿A {n} le gustan los hombres o las mujeres? || Me dijo que es {v}.
        ¿Y tú cómo te identificas? || Me identifico como {v}.
    """,
    "CRIMINAL_RECORD": """
        {n} fue condenado a tres años de cárcel por {v}.
        La Audiencia Provincial declaró a {n} responsable de un delito de {v}.
        La policía detuvo ayer a {n} por {v}.
        A {n} le consta un antecedente por {v}.
        Cumplió condena en Soto del Real por {v}.
        La Fiscalía acusa a {n} de {v}.
        {n} está en libertad provisional, a la espera de juicio por {v}.
        No me fío de él: estuvo en la cárcel por {v}.
        {n} declaró como investigada por {v} ante el juzgado número 4.
        Perdió la licencia de taxi tras una condena por {v}.
        A su hermano lo metieron preso por {v} cuando ella tenía diez años.
        {n} se declaró culpable de {v} para evitar el juicio.
        En su hoja de antecedentes penales figura {v}.
        Tras salir de prisión, donde entró por {v}, {n} montó un taller.
        A {n} la arrestaron por {v} en el aeropuerto de Barajas.
        Sobre {n} pesa una orden de búsqueda por {v}.
        {n} acumula tres detenciones, la última por {v}.
        ^ {v} fue el delito por el que encarcelaron a {n}.
        ^ Por {v} le cayeron a {n} dieciocho meses.
        ¿Por qué estuvo {n} en prisión? || Por {v}.
        ¿Tiene antecedentes? || Sí, una condena por {v}.
        ¿De qué acusan a {n}? || De {v}.
    """,
}

HARMLESS = """
    Todavía no hay un diagnóstico.
    El diagnóstico lo hace siempre un médico.
    El tratamiento funciona mejor cuando empieza pronto.
    Tome el medicamento como se indica en el envase.
    Trabaja desde casa casi todos los días.
    Trabaja mucho y duerme poco.
    El médico le atenderá enseguida.
    El hospital está al final de la calle.
    El vuelo se retrasó por la niebla.
    ¿Cuánto dura el vuelo?
    La factura de la luz vence a fin de mes.
    Perdió el empleo cuando cerró la fábrica.
    Su jefe fue muy comprensivo.
    La política le aburre.
    Sufre por el calor.
    La transferencia suele tardar un día laborable.
    No puedo dar información médica sobre nadie.
    Murió de risa.
    Padece en silencio.
    Su trabajo le gusta.
    El robo con violencia se castiga con penas de dos a cinco años de prisión.
    Los colegios católicos reanudan las clases el lunes.
    El Código Penal distingue entre el hurto y el robo.
    La lavadora modelo WX-4520 centrifuga a 1.400 revoluciones.
    El matrimonio entre personas del mismo sexo es legal en España desde 2005.
    Calcula la distancia entre los puntos (3, 4) y (7, 1).
    La serie cuenta la historia de un fiscal que persigue a narcotraficantes.
    Las matrículas españolas llevan cuatro números y tres letras.
    El número de serie suele estar en la parte inferior del aparato.
    El islam y el budismo cuentan con millones de fieles en todo el mundo.
    La novela negra vuelve a estar de moda.
    La bisexualidad fue tema de varios ensayos del siglo pasado.
"""

LABELS = {
    "ADDRESS": "Dirección; Domicilio; Dirección postal",
    "PHONE_NUMBER": "Teléfono; Móvil; Número de teléfono; Tel.",
    "EMAIL_ADDRESS": "Correo electrónico; Correo; E-mail",
    "BANK_ACCOUNT": "Número de cuenta; Cuenta bancaria; N.º de cuenta",
    "TRANSACTION_AMOUNT": "Importe; Importe de la transferencia; Total pagado; Monto",
    "DIAGNOSIS": "Diagnóstico; Diagnóstico principal; Enfermedad; Patología",
    "PRESCRIPTION": "Receta; Medicación; Medicamento; Tratamiento actual",
    "ORDER_NUMBER": "Número de pedido; Pedido; N.º de pedido",
    "FLIGHT": "Vuelo; Trayecto; Vuelo reservado",
    "CREDIT_CARD_DIGITS": "Últimos cuatro dígitos; Tarjeta terminada en; Final de tarjeta",
    "DOCTOR": "Médico; Doctor; Médico de cabecera; Cirujano",
    "HOSPITAL": "Hospital; Clínica; Centro médico; Hospital de ingreso",
    "EMPLOYER": "Empresa; Empleador; Empresa actual; Compañía",
    "JOB_TITLE": "Profesión; Ocupación; Puesto; Cargo",
    "UTILITY_BILL": "Factura de la luz; Recibo del gas; Suministros mensuales",
    "APPOINTMENT_DATE": "Cita; Próxima cita; Fecha de la cita",
    "CREDIT_CARD": "Tarjeta de crédito; Número de tarjeta; Tarjeta",
    "IBAN_CODE": "IBAN; Cuenta IBAN; Datos bancarios",
    "NATIONAL_ID": "DNI; Documento de identidad; Número de identidad",
    "TAX_ID": "NIF; Número fiscal; Identificación fiscal",
    "PASSPORT": "Pasaporte; Número de pasaporte; N.º de pasaporte",
    "DRIVER_LICENSE": "Carné de conducir; Permiso de conducir; Número de licencia",
    "MEDICAL_RECORD_NUMBER": "Número de historia clínica; Historia clínica; ID de paciente",
    "BIOMETRIC_ID": "Identificador biométrico; Huella dactilar; ID biométrico",
    "DATE_OF_BIRTH": "Fecha de nacimiento; Nacido el; Nacida el",
    "IP_ADDRESS": "IP; Dirección IP; Última IP",
    "MAC_ADDRESS": "MAC; Dirección MAC; Dirección física",
    "URL": "Página web; Sitio web; Perfil",
    "CRYPTO": "Monedero; Dirección del monedero; Dirección de Bitcoin",
    "SECRET_KEY": "Clave API; Token de acceso; Clave secreta",
    "PASSWORD": "Contraseña; Contraseña temporal; Clave de acceso",
    "PIN": "PIN; Código PIN; PIN de la tarjeta",
    "USERNAME": "Usuario; Nombre de usuario; Alias",
    "NRP": "Partido; Partido político; Afiliación política",
    "PERSON": "Nombre; Nombre completo; Paciente; Contacto",
    "LOCATION": "Ciudad; Lugar de nacimiento; Localidad",
    "ORGANIZATION": "Organización; Asociación; Entidad",
    "VEHICLE_ID": "Matrícula; Número de bastidor; Placa; Matrícula del vehículo; VIN",
    "DEVICE_ID": "Número de serie; IMEI; ID del dispositivo; N.º de serie",
    "COORDINATES": "Coordenadas; Ubicación GPS; Coordenadas GPS; Latitud y longitud",
    "SEXUAL_ORIENTATION": "Orientación sexual; Orientación; Sexualidad",
    "CRIMINAL_RECORD": "Antecedentes penales; Condena; Delito; Antecedentes; Motivo de la detención",
}

VALUES = {
    "DIAGNOSIS": (
        "diabetes tipo 2; esclerosis múltiple; asma; artritis reumatoide; trastorno bipolar; enfermedad de Crohn; "
        "cáncer de mama; insuficiencia renal; párkinson; epilepsia; hepatitis C; VIH; migraña crónica; depresión; "
        "hipertensión; leucemia; psoriasis; endometriosis; apnea del sueño; hipotiroidismo; gota; esquizofrenia; "
        "lupus; fibromialgia; glaucoma; bronquitis crónica; celiaquía"
    ),
    "PRESCRIPTION": (
        "metformina; paracetamol 1 g; amoxicilina; levotiroxina; enalapril; insulina; prednisona; lorazepam; "
        "omeprazol; atorvastatina 20 mg; Ventolín; metotrexato; litio; sertralina; tramadol; Sintrom; bisoprolol; "
        "Nolotil; ibuprofeno 600; Ozempic"
    ),
    "JOB_TITLE": (
        "enfermero; panadero; maestra de primaria; contable; fontanero; ingeniero informático; abogada; "
        "conductor de autobús; veterinaria; electricista; trabajadora social; peluquera; arquitecto; farmacéutico; "
        "camarera; carpintero; jefe de proyecto; fisioterapeuta; agente inmobiliario; bibliotecario; "
        "director comercial; albañil; periodista; cocinero"
    ),
    "COMPANY": (
        "Transportes Albareda; Hermanos Quiroga S.L.; Panadería La Espiga; Grupo Montalbán; Atlántica Consultores; "
        "Aceros del Norte S.A.; Seguros Miraflores; Novadata Software; Maderas Peñalver; Editorial Faro; "
        "Farmaduero; Talleres Sanchís; Energías del Sur S.A.; Bodegas Ribalta"
    ),
    "HOSPITAL": (
        "Hospital San Roque; Hospital Clínico de Alvera; Hospital Virgen del Mar; Hospital General de Montoro; "
        "Hospital Santa Clara; Hospital Universitario del Norte; Hospital de la Ribera; Hospital Infanta Beatriz; "
        "Sanatorio Los Olivos; Hospital Puerta del Río; Hospital Militar de Ceniza; Centro Médico Valdeluz"
    ),
    "CITY": (
        "Madrid; Barcelona; Valencia; Buenos Aires; Bogotá; Lima; Sevilla; Bilbao; México; Santiago; Málaga; Zaragoza"
    ),
    "ROUTE": "{a} a {b} el {day}",
    "AMOUNT": (
        "1.250 €; 84,99 €; 320 euros; 12.400,00 €; 450 euros; 1.999,50 EUR; 60 €; 2300 euros; 7.800 euros; "
        "415,20 €; 980 dólares; 35 euros"
    ),
    "BILL": "142,60 €; 96 euros; 88 €; 310 euros; 210,45 €; 175 euros; 64,15 EUR; 95 €; 230 euros",
    "PARTY": (
        "PSOE; Partido Popular; Vox; Podemos; Sumar; Ciudadanos; Esquerra Republicana; Izquierda Unida; Bildu; Junts"
    ),
    "VIEW": (
        "de izquierdas; de derechas; centrista; socialista; comunista; liberal; conservador; ecologista; "
        "anarquista; monárquico; peronista"
    ),
    "BELIEF": (
        "católico; musulmana; judío; budista; protestante; testigo de Jehová; evangélica; hinduista; atea; "
        "agnóstico; mormón; adventista; ortodoxa; sij"
    ),
    "SEXUAL_ORIENTATION": (
        "gay; lesbiana; bisexual; homosexual; heterosexual; pansexual; asexual; demisexual; queer; hetero; bi; "
        "omnisexual"
    ),
    "CRIMINAL_RECORD": (
        "robo con violencia; estafa; evasión fiscal; tráfico de drogas; homicidio imprudente; violencia de género; "
        "conducción bajo los efectos del alcohol; blanqueo de capitales; allanamiento de morada; agresión sexual; "
        "falsificación de documentos; hurto; malversación de fondos públicos; tenencia ilícita de armas"
    ),
}
