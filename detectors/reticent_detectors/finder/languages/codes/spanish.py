"""Numbers and secrets in Spanish: what they are called, and how fields that hold them are headed."""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity

NOUNS: Mapping[Entity, str] = {
    Entity.PASSWORD: """
        contrasena/password
        clave/codigo/palabra de acceso/paso
        clave
        contrasena temporal/provisional/maestra
        clave wifi/secreta/personal/del
        clave de la wifi
    """,
    Entity.PIN: """
        pin/nip
        codigo/numero/clave pin/secreto/secreta
        codigo de la/su? tarjeta/puerta/alarma/seguridad/desbloqueo/acceso
        codigo del movil/telefono/cajero/portero
        clave del cajero/movil
        clave de la tarjeta
        numero secreto
        codigo
    """,
    Entity.USERNAME: """
        usuario/usuaria/login/alias/apodo/nick/username
        nombre de usuario/usuaria/perfil/cuenta
        id/identificador de usuario
    """,
    Entity.MEDICAL_RECORD_NUMBER: """
        nhc
        historia/historial/expediente/ficha clinica/clinico/medica/medico?
        numero/n/no/nro/n°/nº de/del/la? historia/historial/expediente/ficha/paciente clinica/clinico/medica/medico?
        historia clinica numero/n/no/nº
        codigo/id/numero de/del? paciente
        id paciente
        historia
    """,
    Entity.NATIONAL_ID: """
        dni/nie/curp/cedula/nuip
        documento/carne/carnet/carta/cedula/tarjeta nacional? de identidad/ciudadania/extranjeria
        numero/n/no/nro/n°/nº de/del documento/dni/identidad/cedula/identificacion/carne de? identidad?
        documento de identificacion
        documento nacional
        numero de la seguridad social
        identificacion nacional/oficial?
        documento
    """,
    Entity.PASSPORT: "pasaporte | pasaporte numero/n/no/nº/nro | numero/n/no/nro/n°/nº de/del pasaporte",
    Entity.DRIVER_LICENSE: """
        permiso/carne/carnet/licencia/registro de conducir/conduccion/conductor
        numero/n/no/nro/n°/nº de/del/la? permiso/carne/carnet/licencia/registro de? conducir/conduccion?
        permiso/carne/carnet/licencia numero/n/no/nº/nro?
        licencia
        carne
    """,
    Entity.TAX_ID: """
        nif/cif/rfc/rut/cuit/cuil
        numero/codigo/identificador/identificacion de? identificacion? fiscal/tributaria/tributario
        numero de contribuyente
        nif fiscal
    """,
    Entity.BIOMETRIC_ID: """
        huella/huellas/biometria
        huella dactilar/digital/facial/vocal/biometrica
        identificador/id/dato/datos/clave/codigo/perfil/plantilla/registro biometrico/biometrica/biometricos
        id/identificador/codigo/plantilla/escaneo/registro de/del/la? su? huella/iris/rostro/voz dactilar?
        escaneo del iris
    """,
    Entity.DATE_OF_BIRTH: """
        nacimiento/cumpleanos
        fecha/dia de nacimiento
        nacido/nacida/nacio en? el
        f nac/nacimiento
        fecha nac
    """,
    Entity.SECRET_KEY: "token/clave/llave de acceso/api/seguridad? | clave api/secreta/privada | clave de la? api",
    Entity.BANK_ACCOUNT: """
        numero/n/no/nro/n°/nº de/del/la? cuenta bancaria/corriente?
        numero/n/no/nro/n°/nº de cliente/socio/poliza/contrato
        cuenta bancaria/corriente/nomina/numero?
    """,
    Entity.ORDER_NUMBER: """
        numero/n/no/nro/n°/nº de/del pedido/orden/envio/seguimiento
        codigo de envio/seguimiento
    """,
}
"""What sentences and labels call them."""

FIELDS: Mapping[Entity, str] = {
    Entity.PASSWORD: """
        contras/contrasenia/pwd/clave/claves/contrasena
        contrasena/clave wifi/wi-fi/red/acceso/usuario/correo/temporal/inicial/maestra/actual/cuenta/personal/
            secreta/web/internet
        clave/contrasena de/del/la usuario/cuenta/correo/red/acceso/seguridad/wifi/sistema/router
        palabra clave/secreta
        frase de contrasena/paso/seguridad
        clave acceso
        codigo acceso
        codigo de acceso
        palabra de paso
    """,
    Entity.PIN: """
        pin/nip/puk/codigo/clave/combinacion pin/puk/sim/tarjeta/cajero/secreto/secreta/numerico/numerica/alarma/
            puerta/desbloqueo/seguridad/movil/telefono/banco/caja/portal/verificacion/numero
        pin/codigo/clave/nip de/del/la la/su? tarjeta/cajero/movil/telefono/sim/banco/alarma/puerta/garaje/portal/
            caja/cuenta fuerte?
        numero de identificacion personal
        numero secreto/personal
        pin numerico/secreto
        codigo de la alarma/puerta/caja
        combinacion de la caja fuerte?
        clave numerica
        codigo de verificacion/confirmacion/bloqueo
    """,
    Entity.USERNAME: """
        user/nickname/sobrenombre/seudonimo/alias/usr
        nombre usuario/cuenta/perfil/pantalla
        nombre de pantalla/inicio/acceso
        id/identificador/login/cuenta usuario
        identificador de cuenta/usuario
        usuario de? twitter/instagram/red/acceso/github/discord/web/internet/sistema
        cuenta de twitter/instagram/discord/usuario/github
        nombre en linea
    """,
    Entity.ORDER_NUMBER: """
        num/numero/n/no/nro/n°/nº/ref/referencia/id/codigo pedido/orden/envio/compra/seguimiento/reserva/factura/
            paquete/entrega
        num/numero/n/no/nro/n°/nº/ref/referencia/id/codigo de/del/la la/el? pedido/orden/envio/compra/seguimiento/
            reserva/factura/paquete/entrega/encargo/localizador
        pedido/orden/compra num/n/no/nro/n°/nº/numero/id/ref/referencia
        localizador
    """,
    Entity.MEDICAL_RECORD_NUMBER: """
        num/numero/n/no/nro/n°/nº/id/codigo historia/historial/expediente/paciente/nhc/ficha clinica/clinico/medica/
            medico?
        historia/historial/expediente/ficha num/n/no/nro/n°/nº/numero
        id de? paciente
        registro medico/clinico
        historia/ficha clinica/medica n/no/nro/n°/nº/num?
    """,
    Entity.NATIONAL_ID: """
        num/numero/n/no/nro/n°/nº dni/nie/documento/identidad/identificacion/cedula/carnet
        doc/documento num/n/no/nro/n°/nº/identidad/nacional/personal/numero
        dni/nie/cedula num/n/no/nro/n°/nº/numero
        documento identidad
        carnet/tarjeta/carne identidad
        numero de documento/identidad/cedula/afiliacion
        seguridad social
        numero seguridad social
        nss
        id nacional
        identificacion personal
    """,
    Entity.BIOMETRIC_ID: """
        id/codigo/clave/numero/hash/referencia/ref/token/firma/plantilla/patron/registro biometrico/biometrica
        id/codigo/numero/plantilla/referencia/escaneo huella/iris/rostro/voz/retina/facial/dactilar
        reconocimiento facial/voz/iris/vocal?
        huella digital/dactilar num/n/no/id/codigo?
        datos biometricos
        patron de voz/iris
    """,
    Entity.TAX_ID: """
        num/numero/n/no/nro/n°/nº/id/codigo nif/cif/fiscal/tributario/rfc
        nif/cif/rfc num/n/no/nro/n°/nº/numero/fiscal
        identificacion/identificador fiscal/tributaria
        id fiscal
        codigo de identificacion fiscal
    """,
    Entity.PASSPORT: """num/numero/n/no/nro/n°/nº/id pasaporte | pasaporte num/id/n°""",
    Entity.DRIVER_LICENSE: """
        num/numero/n/no/nro/n°/nº/id permiso/carnet/carne/licencia conducir/conduccion?
        permiso/carnet/carne/licencia conducir/conduccion/conductor
        permiso de conducir num/n/no/nro/n°/nº/numero
        carnet de conducir n/no/nro/n°/nº/numero
    """,
    Entity.CREDIT_CARD_DIGITS: """
        ultimos cuatro/4 digitos/numeros/cifras?
        ultimos digitos/numeros
        ultimas cuatro/4 cifras
        cuatro/4 ultimos/ultimas digitos/numeros/cifras?
        final/fin/terminacion de? la? tarjeta
        tarjeta terminada/terminado/acabada/que en? termina/acaba? en?
        tarjeta terminacion/final
        tarjeta termina/acaba en
        digitos tarjeta
        digitos finales
        ultimos 4
    """,
    Entity.SECRET_KEY: """
        clave/token/llave/secreto api/privada/privado/secreta/cliente/aplicacion/acceso/cifrado/firma
        clave de cifrado/firma/acceso/api
        token de sesion/acceso/api/autenticacion/seguridad
        secreto compartido/cliente
        clave api
        api secreta
    """,
}
"""How forms, tables and code call and shorten them besides."""
