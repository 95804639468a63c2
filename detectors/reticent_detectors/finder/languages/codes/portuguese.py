"""Numbers and secrets in Portuguese: what they are called, and how fields that hold them are headed."""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity

NOUNS: Mapping[Entity, str] = {
    Entity.PASSWORD: """
        senha/password/palavra-passe/palavra-chave
        palavra passe/chave
        senha temporaria/provisoria/inicial
        chave/codigo/senha de acesso
        senha do/da wi-fi/wifi
    """,
    Entity.PIN: """
        pin
        codigo/numero/senha pin/secreto/pessoal
        codigo do/da/de cartao/porta/alarme/seguranca/desbloqueio/telemovel/celular/multibanco/cofre
        senha do/da cartao/banco
        codigo
        senha numerica
    """,
    Entity.USERNAME: """
        usuario/usuaria/utilizador/utilizadora/login/apelido/alias/username/nick
        nome de usuario/utilizador/perfil/conta
        nome do usuario/utilizador
        id de usuario/utilizador
    """,
    Entity.MEDICAL_RECORD_NUMBER: """
        prontuario/nhc
        prontuario medico/clinico/hospitalar? numero/n/no?
        processo/registo/registro/ficha clinico/medico/hospitalar/clinica/medica
        numero/n/no/n°/nº de/do/da processo/prontuario/utente/paciente/ficha/registo/registro clinico/medico/
            hospitalar?
        processo
        codigo/id do? paciente
    """,
    Entity.NATIONAL_ID: """
        rg/bi
        bilhete/carteira/carta/cartao/documento/numero/cedula de identidade/cidadao/identificacao
        cartao do/de cidadao numero/n/no?
        numero/n/no/n°/nº de/do/da identidade/bilhete/cartao/documento/rg/carteira/bi de? do? identidade/cidadao?
        registro geral
        identidade
        documento
    """,
    Entity.PASSPORT: "passaporte | passaporte numero/n/no/nº | numero/n/no/n°/nº de/do passaporte",
    Entity.DRIVER_LICENSE: """
        cnh/habilitacao
        carta/carteira/licenca nacional? de conducao/motorista/habilitacao
        numero/n/no/n°/nº de/da/do carta/carteira/licenca/habilitacao/cnh de? conducao/motorista/habilitacao?
        cnh/habilitacao/carteira/carta numero/n/no/nº
    """,
    Entity.TAX_ID: """
        cpf/cnpj/nif
        numero/identificacao de? contribuinte/fiscal/identificacao fiscal?
        numero fiscal
        contribuinte
    """,
    Entity.BIOMETRIC_ID: """
        biometria/digital
        impressao/impressoes digital/digitais/vocal/facial
        identificador/id/dado/dados/chave/codigo/perfil/modelo/registro/registo biometrico/biometrica/biometricos
        id/identificador/codigo/leitura/registro/registo da/de/do impressao/iris/rosto/voz digital?
        leitura da iris
    """,
    Entity.DATE_OF_BIRTH: """
        nascimento/aniversario
        data/dia de nascimento
        nascido/nascida/nasceu em/a
        data nasc
        nasc
    """,
    Entity.SECRET_KEY: "token/chave de acesso/api? | chave api/secreta/privada | chave da api",
    Entity.BANK_ACCOUNT: """
        conta corrente/bancaria/poupanca/salario/ordenado? numero/n/no?
        numero/n/no/n°/nº de/da conta bancaria/corriente?
        numero/n/no/n°/nº de/do cliente/socio/apolice
        conta a ordem
        nib
    """,
    Entity.ORDER_NUMBER: """
        numero/n/no/n°/nº/codigo de/da/do encomenda/pedido/envio/compra/rastreio/rastreamento
        pedido/encomenda n/no/nº/numero?
        compra numero/n/no
    """,
}
"""What sentences and labels call them."""

FIELDS: Mapping[Entity, str] = {
    Entity.PASSWORD: """
        pwd/passwd/senha/senhas/password/palavrapasse/palavra-passe/palavra_passe
        senha/password/palavra-passe wifi/wi-fi/rede/acesso/usuario/email/temporaria/inicial/mestra/mestre/atual/
            principal/administrador/roteador/conta/pessoal/secreta/provisoria
        senha/password/palavra-passe/chave do/da/de rede/acesso/usuario/utilizador/email/wifi/conta/roteador/
            sistema/internet/banco
        palavra secreta/passe
        frase secreta/passe/chave
        frase de acesso/senha
        chave wifi/rede
        chave da rede
        codigo acesso
        codigo de acesso
        chave de acesso
        contra-senha
        contrassenha
    """,
    Entity.PIN: """
        pin/puk/codigo/senha/combinacao/nip pin/puk/sim/cartao/secreto/secreta/numerico/numerica/alarme/porta/
            portao/desbloqueio/seguranca/celular/telemovel/multibanco/cofre/verificacao/banco/numero
        pin/codigo/senha/combinacao do/da/de seu/sua/o/a? cartao/celular/telemovel/telefone/sim/banco/alarme/porta/
            portao/cofre/garagem/conta/multibanco/verificacao/seguranca/desbloqueio/confirmacao
        numero de identificacao pessoal
        numero secreto/pin
        pin do cartao
        codigo de quatro/4/seis/6 digitos
        senha de quatro/4 digitos
        codigo numerico
        senha do cartao
    """,
    Entity.USERNAME: """
        user/usr/userid/username/nickname/alias/pseudonimo/apelido/alcunha
        nome usuario/utilizador/conta/perfil/tela/login/acesso
        nome de ecra/tela/acesso/login
        id/identificador/login/conta/codigo usuario/utilizador
        id/identificador do/de usuario/utilizador/conta
        usuario/utilizador/conta do/de/no? twitter/instagram/github/discord/rede/sistema/internet
        utilizador/usuario
    """,
    Entity.ORDER_NUMBER: """
        num/numero/n/no/nr/n°/nº/ref/referencia/id/codigo pedido/encomenda/envio/compra/rastreio/rastreamento/
            reserva/fatura/entrega/ordem
        num/numero/n/no/nr/n°/nº/ref/referencia/id/codigo do/da/de pedido/encomenda/envio/compra/rastreio/
            rastreamento/reserva/fatura/entrega/ordem
        pedido/encomenda/compra num/n/no/nr/n°/nº/numero/id/ref/codigo
        ordem de compra
        nota fiscal
    """,
    Entity.MEDICAL_RECORD_NUMBER: """
        num/numero/n/no/nr/n°/nº/id/codigo prontuario/paciente/utente/processo/ficha/registro/registo clinico/
            clinica/medico/medica/hospitalar?
        prontuario num/n/no/nr/n°/nº/numero/id
        processo clinico num/n/no/nr/n°/nº/numero?
        id/codigo/numero do/de paciente/utente/prontuario
        ficha medica/clinica
        numero de utente
        registro/registo medico/hospitalar
    """,
    Entity.NATIONAL_ID: """
        num/numero/n/no/nr/n°/nº rg/bi/cc/identidade/documento/cidadao
        rg/bi num/n/no/nr/n°/nº/numero
        documento/cartao/bilhete/carteira num/n/no/nr/n°/nº/identidade/cidadao/numero
        documento de identificacao/identidade num/n/no/nr/n°/nº/numero?
        carteira/bilhete/cartao de identidade/cidadao num/n/no/nr/n°/nº/numero?
        numero do documento/rg/bi
        id nacional
        cartao cidadao
        identificacao civil/nacional
        numero de identificacao civil/nacional?
        niss
        seguranca social
        numero da seguranca social
    """,
    Entity.BIOMETRIC_ID: """
        id/codigo/chave/numero/hash/referencia/ref/token/assinatura/modelo/template/registro/registo biometrico/
            biometrica
        id/codigo/numero/modelo/referencia/leitura/scan impressao/iris/rosto/voz/retina/facial/digital
        reconhecimento facial/voz/iris/vocal
        dados biometricos
        impressao digital num/n/no/nr/id/codigo/numero?
        biometria facial/digital/vocal?
        scan da/de iris/retina
    """,
    Entity.TAX_ID: """
        num/numero/n/no/nr/n°/nº/id/codigo cpf/cnpj/nif/contribuinte/fiscal
        cpf/cnpj/nif num/n/no/nr/n°/nº/numero
        id/identificacao/identificador fiscal
        numero de contribuinte/identificacao fiscal?
    """,
    Entity.PASSPORT: """num/numero/n/no/nr/n°/nº/id passaporte | passaporte num/n/nr/n°/id""",
    Entity.DRIVER_LICENSE: """
        num/numero/n/no/nr/n°/nº/id carta/carteira/cnh/habilitacao/licenca conducao/motorista/habilitacao?
        carta/carteira/licenca conducao/motorista
        cnh num/n/no/nr/n°/nº/numero
        carta de conducao num/n/no/nr/n°/nº/numero
        carteira de motorista/habilitacao num/n/no/nr/n°/nº/numero
    """,
    Entity.CREDIT_CARD_DIGITS: """
        ultimos quatro/4 digitos/numeros/algarismos?
        ultimos digitos/numeros
        quatro/4 ultimos digitos/numeros/algarismos?
        final/fim/terminacao do? cartao
        cartao final/terminacao
        cartao terminado/terminando/que com/em? termina? com/em?
        cartao com final/terminacao em?
        digitos finais do? cartao?
        final do? cartao de? credito?
        ultimos 4
    """,
    Entity.SECRET_KEY: """
        chave/token/segredo api/privada/privado/secreta/cliente/aplicacao/acesso/cifra/assinatura
        chave de criptografia/assinatura/acesso/api/cifra
        token de sessao/acesso/api/autenticacao/seguranca
        segredo partilhado/compartilhado/cliente
        api secreta
    """,
}
"""How forms, tables and code call and shorten them besides."""
