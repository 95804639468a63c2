"""Portuguese, of Portugal and of Brazil."""

from __future__ import annotations

from reticent_detectors.entities import Entity
from reticent_detectors.finder.languages.language import Language

PORTUGUESE = Language(
    name="Portuguese",
    pro_drop=True,
    nouns={
        Entity.EMAIL_ADDRESS: "email/e-mail | correio eletronico | endereco de email/e-mail",
        Entity.PHONE_NUMBER: "telefone/celular/telemovel/tel | numero de telefone/celular/telemovel",
        Entity.BANK_ACCOUNT: "conta/iban | conta bancaria/corrente | numero da conta",
        Entity.ORDER_NUMBER: """
            pedido/encomenda/referencia
            numero/codigo/n/no/id do/da/de pedido/encomenda/compra/rastreio/reserva
            pedido/encomenda numero/n/no/nº
            pedido/encomenda n º
            encomenda n o
            n º da/do encomenda/pedido
            nº da/do encomenda/pedido
        """,
        Entity.CREDIT_CARD_DIGITS: """
            cartao
            cartao de credito/debito
            numero do cartao
            ultimos quatro/4 digitos/numeros/algarismos do? seu? cartao?
            ultimos digitos
            final do cartao
            cartao terminado/final/termina em?
            quatro ultimos digitos
        """,
        Entity.UTILITY_BILL: """
            conta/fatura/factura/despesa/despesas/gasto/gastos/recibo/consumo de/da/do luz/agua/gas/energia/
                eletricidade/aquecimento/condominio
            conta eletrica
            contas mensais/domesticas
            contas de consumo
            contas da casa
        """,
        Entity.APPOINTMENT_DATE: """
            consulta/marcacao/agendamento
            proxima/proximo consulta/visita/marcacao/retorno
            consulta medica/marcada
            data da/de/do proxima? consulta/visita/marcacao/retorno
        """,
        Entity.FLIGHT: """
            voo/voos/trajeto/itinerario/viagem/rota/passagem/bilhete/trajecto
            numero do/de voo
            voo reservado
            passagem aerea
            bilhete de aviao
            reserva de voo
        """,
        Entity.ADDRESS: """
            endereco/morada/residencia/domicilio
            endereco/morada/residencia/domicilio/logradouro
            endereco/morada/residencia/domicilio postal/residencial/completo/completa/atual/pessoal/fiscal/habitual/
                permanente/principal/comercial/entrega/envio/faturacao/cobranca/correspondencia/casa/trabalho/
                profissional
            endereco/morada de/do/da residencia/casa/entrega/envio/faturacao/cobranca/correspondencia/contato/contacto/
                paciente/utente/cliente/trabalho/titular/expedicao
            local/lugar de residencia
            rua e numero
        """,
        Entity.JOB_TITLE: """
            profissao/cargo/ocupacao/funcao/emprego/trabalho/posto/oficio
            cargo atual
            titulo profissional
            posto de trabalho
        """,
        Entity.DOCTOR: """
            medico/medica/doutor/doutora/cirurgiao/cardiologista/psiquiatra/dentista/neurologista/pediatra/oncologista/
                dermatologista/ginecologista/especialista/ortopedista/clinico
            medico/medica responsavel/assistente/titular/particular
            medico/medica de familia
            clinico geral
        """,
        Entity.HOSPITAL: """
            hospital/clinica/sanatorio/maternidade
            centro medico/hospitalar
            centro de saude
            unidade de saude
            hospital de internacao/internamento
            unidade hospitalar
        """,
        Entity.EMPLOYER: """
            empresa/empregador/empregadora/companhia/patrao/patroa/firma
            local de trabalho
            entidade patronal/empregadora
            empresa atual
            trabalha na/em/no/para
            nome da empresa
        """,
        Entity.DIAGNOSIS: """
            alergias/alergia/diagnostico/doenca/patologia/enfermidade/disturbio/antecedentes/afeccao/diagnosticos/
                doencas/moletia/molestia
            diagnostico principal/medico/definitivo/final
            problema de saude
            condicao medica
            historico medico
        """,
        Entity.PRESCRIPTION: """
            medicamento/medicamentos/medicacao/receita/prescricao/remedio/remedios/farmaco/tratamento/comprimidos
            medicacao/tratamento atual/habitual/em_uso?
            medicamento prescrito/receitado
            receita medica
            principio ativo
            medicacao em uso
        """,
        Entity.TRANSACTION_AMOUNT: """
            valor/montante/pagamento/transferencia/transacao/quantia/compra/saque/deposito/saldo/salario/pix/
                importancia/gasto/debito
            valor/montante da/do/de transferencia/transacao/pagamento/compra/deposito
            valor pago/transferido/total
            total pago
            quantia paga
            montante transferido/pago
        """,
        Entity.NRP: """
            religiao/etnia/nacionalidade/cidadania
            origem/crencas/filiacao/confissao etnica/racial/religiosas/religiosa/sindical
            partido/ideologia/militancia
            partido politico
            filiacao/orientacao/ideologia/opiniao/opinioes/tendencia/posicao/convicao/conviccoes/preferencia/ideias/
                simpatia/posicionamento/afiliacao/inclinacao politica/partidaria/politicas/politico
        """,
        Entity.SEXUAL_ORIENTATION: "sexualidade | orientacao/preferencia/identidade sexual | orientacao",
        Entity.CRIMINAL_RECORD: """
            antecedentes criminais/penais
            condenacao/condenacoes/crime/crimes
            registo/registro/cadastro criminal
            motivo da/do prisao/detencao/condenacao
            crime imputado/cometido
            condenado/condenada por
            acusacao/acusacoes
        """,
    },
    verbs={
        Entity.ORDER_NUMBER: "pedido/pedidos/encomenda/compra .. numero/n/no/nº | com o numero | sob o numero",
        Entity.CREDIT_CARD_DIGITS: """
            cartao/visa/mastercard .. termina/terminado/final/acaba/terminam/terminada em/com?
            termina/terminado/acaba/terminam/terminada em/com
        """,
        Entity.APPOINTMENT_DATE: """
            consulta/marcada/marcado/agendada/agendado/visita/retorno/esperado/esperada/marcacao .. dia/para/em/no/a
            consulta/marcada/marcado/agendada/agendado dia/para/em/no
            consulta/retorno .. e dia/em/no?
        """,
        Entity.FLIGHT: """
            voo/voa/viagem/viaja/bilhete/passagem/trajeto/reserva/parte/voara/viajara .. de/do/desde
            voo
            voa/viaja de/do
            no/pelo/para/passamos/perdeu/do/em o? voo?
            aviao .. , o
            viaja no voo?
            vem/chega/chegou/embarca/embarcou no/em voo?
            passamos para o
            embarque do
            passagem de
        """,
        Entity.USERNAME: """
            internet/rede/redes/forum/twitter/instagram/discord/online .. nome/alias/como/usa/apelido/nick
            usa o nome/apelido/nick/alias
            faz-se/se faz chamar
        """,
    },
    asks={
        Entity.CREDIT_CARD_DIGITS: "digitos | cartao .. termina",
        Entity.UTILITY_BILL: "luz/agua/gas/eletricidade/energia",
        Entity.TRANSACTION_AMOUNT: """
            quanto .. gastou/pagou/transferiu/enviou/deve/sacou/depositou/doou/recebeu/custou/transferido/pago
            de quanto .. pagamento/transferencia/compra
            quanto gastou/pagou/transferiu
        """,
        Entity.FLIGHT: "que voo | para onde .. voa/viaja | quando .. voa | onde .. voa | qual voo",
        Entity.ADDRESS: "onde .. mora/vive/reside | onde mora/vive",
        Entity.APPOINTMENT_DATE: "quando .. consulta/visita/marcacao/retorno | que dia .. consulta",
    },
    which="que qual quais quem onde quando quanto quanta como porque",
    links="""
        e era foi sao eram esta estava chama-se chama chamava-se fica sera segue ascende ascendeu soma somam chegou
        termina sido parte
    """,
    adverbs="atualmente agora ainda oficialmente tambem ja se sido cerca",
    participles="""
        registrado registrada anotado anotada indicado indicada marcada marcado reservado chamado prevista previsto
        agendada agendado
    """,
    prepositions="como a ao de do da em para por o no na com sob dia desde",
    articles="o a os as um uma uns umas ao do da no na",
    joins="de do da dos das para que em com ao a onde quem por principal atual responsavel dela dele no na ela ele",
    fillers="reservado principal nome numero id valor n",
    clauses="mas porque enquanto diz disse embora se",
    indefinite="""
        nenhum nenhuma cada todo toda todos todas algum alguma alguns algumas varios varias que qual muitos muitas um
        uma este esta
    """,
    owned="o a os as seu sua seus suas meu minha teu tua nosso nossa do da ao no na pelo pela um uma",
    called="chamado chamada denominada denominado",
    lead="""
        e era foi esta seu sua o a os as um uma trabalha na no em para como de do da com por receitou receitaram
        prescreveu diagnosticaram diagnosticado sofre toma sim claro chama-se medico doutor doutora dr dra hospital ao
        ele ela tratado tratada internado internada milita vota gastou pagou paga voa viaja vem tem causa foi-lhe lhe
        operado operada tomando cargo empresa nome pela pelo que diagnostico aqui resposta segundo meus registros dados
        acho valor seguinte certamente
    """,
    person="""
        seu sua seus suas ele ela dele dela lhe meu minha eu paciente cliente senhor senhora sr sra dona voce empregado
        empregada funcionario funcionaria tio tia irma irmao mae pai colega vizinho vizinha utente deles
    """,
    utilities="luz agua gas eletricidade energia aquecimento eletrica condominio",
    transactions="""
        transferencia transferiu pagamento transacao compra valor enviou cobrou saldo salario sacou deposito pix gastou
        reembolsada reembolsado
    """,
)
