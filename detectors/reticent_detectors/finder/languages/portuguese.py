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
            partido/ideologia/militancia
            partido politico
            filiacao/orientacao/ideologia/opiniao/opinioes/tendencia/posicao/convicao/conviccoes/preferencia/ideias/
                simpatia/posicionamento/afiliacao/inclinacao politica/partidaria/politicas/politico
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
        Entity.JOB_TITLE: """
            trabalha/trabalho/trabalhava/trabalhar/contratado/contratada/contrataram/empregado/empregada/atua/atuava/
                exerce/vida/serve/emprego/carreira/comecou/entrou .. como/de
            trabalha/trabalho/trabalhava/contratado/contratada/contrataram/empregado/empregada/atua/atuava/exerce/vida/
                emprego como/de
            cargo/profissao/funcao/posto/funcoes/oficio/titulo/papel/vaga/emprego de/do/da
            promovido/promovida/promoveram/ascendeu a/para
            de profissao/oficio ,? e?
            de profissao/oficio , _ _? e
            na qualidade de
            formou-se/formado/formada/graduou-se/licenciado/licenciada como/em?
            cartao .. escrito
            estudou para
            ganha/ganhava/vida/emprego/trabalho/vaga/cargo/posto/contratado/contratada/admitido/admitida/empregado/
                empregada/trabalha/trabalhava/trabalhar/trabalhou/atua/atuou/carreira/formacao/formado/formada/
                experiencia/funcoes .. como/de
            arranjou/conseguiu/encontrou/perdeu/deixou/procura .. emprego/trabalho/vaga/cargo? de/como
            tornou-se/virou/fez-se/torna-se
            de profissao
            promovido/promovida/nomeado/nomeada a/para?
            vaga/cargo/posto/lugar/trabalho/emprego/contrato/funcao/funcoes/papel/titulo/oficio/profissao/carreira/
                formacao/diploma/turno/promocao/nomeacao de/como/a
            promovido/promovida/promoveram/nomeado/nomeada/nomearam/eleito/eleita/designado/designada a/para/como
            deixou/perdeu/largou/abandonou/encontrou/conseguiu/obteve/aceitou/ocupa/ocupou/procura/arranjou/exerce/
                desempenha .. vaga/cargo/posto/lugar/trabalho/emprego/funcao/funcoes/profissao de/como
            ganha/ganhava/ganhar a vida/pao de/como/a?
            trabalha/exerce/atua/trabalhava/trabalhou/trabalhar/entrou/comecou/contratado/contratada/reformou-se/
                aposentou-se de/como
            estudar/estudando/estuda para
            faz/fazia/fez de
        """,
        Entity.DOCTOR: """
            paciente do/da/de
            dr/dra/doutor/doutora/professor/professora
            atendido/atendida/tratado/tratada/operado/operada/acompanhado/acompanhada/visto/vista/examinado/examinada/
                assinado/assinada/feita/realizada/seguido/seguida/receitado por/pelo/pela
            consulta/consulta-se/marcacao com
            operado/operada/tratado/tratada/acompanhado/acompanhada/atendido/atendida/visto/vista/encaminhado/
                encaminhada/vacinado/vacinada/assistido/assistida/seguido/seguida .. por/pelo/pela/ao/a doutor/doutora?
            medico/medica/dentista/cardiologista/psiquiatra/cirurgiao/cirurgia/pediatra/ginecologista/dermatologista/
                neurologista/oncologista/especialista .. chama-se/chama/e/era/chamava-se
            consulta/sessao/exame/retorno/terapia .. com
            foi ao/a
            psicologo/psicologa/psicoterapeuta/fisioterapeuta/parteira/oftalmologista/urologista/reumatologista/
                fonoaudiologa/ortopedista/dentista/psiquiatra/ginecologista/pediatra/cardiologista/dermatologista/
                neurologista/oncologista dela/dele? ,
            medico/medica/doutor/doutora/cirurgiao/cirurgia/especialista/dentista/ginecologista/pediatra/
                psiquiatra que .. e/chama-se/chama
            consulta/sessao/exame/terapia/paciente/utente/receita/relatorio/carta/atestado com/do/da/de o/a? dr/dra/
                doutor/doutora/professor/professora?
            encaminhado/encaminhada/enviado/enviada/referenciado/referenciada/confiado/confiada/recorreu/foi/vai ao/a/
                para o/a? dr/dra/doutor/doutora/professor?
            operado/operada/tratado/tratada/seguido/seguida/visto/vista/atendido/atendida/acompanhado/acompanhada/
                assistido/assistida/vacinado/vacinada/examinado/examinada/assinado/assinada/passado/passada por/pelo/
                pela dr/dra/doutor/doutora/professor?
            quem operou/trata/atende/acompanha/atendeu/tratou .. foi/e o/a? dr/dra/doutor/doutora?
            segundo o/a dr/dra/doutor/doutora/professor/professora
            confia no/na/em medico/medica/doutor/doutora/dentista?
        """,
        Entity.HOSPITAL: """
            internado/internada/internaram/operado/operada/tratado/tratada/atendido/atendida/levado/levada/levaram/
                transferido/transferida/transferiram/faleceu/morreu/nasceu/luz/passou/visitar/cirurgia/operacao/
                paciente/alta/semanas/dias/deu/internamento/internacao/encaminhado/encaminhada/dialise/esta/parto/
                quimioterapia/consulta/tratamento/exames .. no/na/em/ao/a/do/da/para/pelo
            internado/internada/operado/operada/tratado/tratada/atendido/atendida/levado/levada/transferido/transferida/
                faleceu/morreu/nasceu/alta no/na/em/ao/a/do/da/para/pelo/pela
            passou/ficou/esteve/internado/internada/semanas/semana/dias/meses/noite/consulta/exames/reabilitacao/quarto/
                cama/ambulancia/levou/levaram/levado/levada/transportado/transportada/helicoptero/alta/saiu/luz/nasceu/
                parto/operado/operada/cirurgia/quimioterapia/dialise/urgencia .. no/na/em/do/da/de/para/ao o/a?
            deu a luz no/na/em
            internado/internada/operado/operada/tratado/tratada/atendido/atendida/nasceu/nascido/nascida/morreu/faleceu/
                pariu/luz/parto/recupera/recuperando/recuperar/reabilitacao/fisioterapia/dialise/quimioterapia/
                radioterapia/tratamento/cirurgia/exames/consulta/quarto/cama/enfermaria/semanas/dias/mes/meses/noite/
                internamento/internacao/paciente/utente/continua/permanece/esta/ficou/passou/faz/fez/recebe/
                recebeu .. no/na/em/nos/do/da
            levaram/levado/levada/transferido/transferida/transferiram/transportou/transportado/transportada/
                transportaram/conduzido/conduzida/encaminhado/encaminhada/ambulancia/helicoptero/corrida/foi/ir .. para/
                ao/a/ate o/a?
            alta/saiu/sair/regressou/voltou .. do/da/de/no/na
            operaram/internaram/atenderam/trataram/assistiram .. no/na/em
            visitar/visitou/ver .. no/na
        """,
        Entity.EMPLOYER: """
            trabalha/trabalhava/trabalhar/emprego/empregado/empregada/contratado/contratada/vaga/estagio/funcionario/
                funcionaria/entrou/despedido/despedida/demitido/demitida/demissao/servicos/voltou/carreira/cargo/saiu/
                colaborador/colaboradora/contabilidade/demitiu-se/admitido/admitida .. na/no/em/para/pela/pelo/da/do/de/
                a
            trabalha/trabalhava/trabalhar/emprego/empregado/empregada/contratado/contratada/vaga/estagio/funcionario/
                funcionaria/entrou/despedido/despedida/demitido/demitida/demissao/servicos/voltou/colaborador/
                colaboradora na/no/em/para/pela/pelo/da/do/de/a
            deixou
            contratado/contratada pela/pelo/por
            funcionario/funcionaria/empregado/empregada/trabalhador/trabalhadora/contrato/vaga/cargo/salario/ordenado/
                chefe/colegas/estagio/estagiario/estagiaria/escritorio/turno/carreira/socio/socia .. da/do/de/na/no/
                pela/pelo/com
            despedido/despedida/demitido/demitida/saiu/demitiu-se/demitiu/demissao/contratado/contratada/admitido/
                admitida/entrou/comecou/aposentou-se/reformou-se .. da/do/de/na/no/pela/pelo
            entregas/trabalha/trabalhava/trabalhar/conduz/dirige/vende/limpa/cozinha/programa/ensina .. para/na/no/em a/
                o?
            deixou .. na/no
            paga .. e
            presta/prestou/prestava servicos/servico a/para/na/no/em/ao a/o?
            trabalha/trabalhava/trabalhou/trabalhar/colabora/conduz/dirige/vende/projeta/cozinha/limpa/fatura/entrega/
                entregas/turnos/distribui na/no/em/para/com/pela/pelo a/o?
            salario/ordenado/contrato/reforma/cracha/farda/carrinha/cheque/indemnizacao .. da/do/de/com/na/no/pela/
                pelo a/o?
            funcionario/funcionaria/empregado/empregada/operario/operaria/trabalhador/trabalhadora/colaborador/
                colaboradora/diretor/diretora/chefe/gerente/contabilista/comercial/motorista/encarregado/encarregada/
                tecnico/tecnica/engenheiro/engenheira/estagiario/estagiaria/socio/socia/acionista/quadros/pessoal/sede/
                escritorios/fabrica/armazem/oficina/loja/equipa/equipe da/do/de/na/no a/o?
            vaga/estagio/trabalho/emprego/entrevista/turno/contrato/lugar/posto na/no/com/em/para/pela a/o?
            entrou/passou/voltou/contratado/contratada/admitido/admitida/comecou/ingressou/transferido/transferida/
                foi na/no/para/pela/pelo/em a/o? trabalhar?
            despedido/despedida/demitido/demitida/saiu/demitiu-se/despediu-se/mandado/mandada/reformou-se/aposentou-se/
                rescindiu embora? da/do/de/pela/pelo
            deixou/largou/fundou/trocou/abandonou a/o
            assinou/fechou .. contrato? com a/o?
            empresa/firma/companhia/sociedade
            chefe/patrao/patroa/colegas/superior .. na/no/da/do
            trabalha/trabalhava/empregado/empregada na/no/para empresa/firma/companhia?
            contratado/contratada/empregado/empregada pela/pelo/na/no
        """,
        Entity.DIAGNOSIS: """
            alergico/alergica a/ao/aos/as
            sofre/sofria/sofrer/sofro/padece/padecia/portador/portadora/doente/suspeita/diagnostico/quadro/caso/
                historico/morreu/faleceu/acometido/acometida/vitima de/do/da/com/por
            sofre/padece .. de
            diagnosticado/diagnosticada/diagnosticaram/diagnosticou/detectaram/encontraram com/um/uma?
            diagnosticaram-lhe/diagnosticou-lhe/detectaram-lhe
            convive/vive/conviver com
            tratamento/tratado/tratada/operado/operada/internado/internada/medicado/medicada/licenca/baixa/afastado/
                afastada por/contra/para/de
            por causa de/da/do
            confirmaram/confirmou/revelaram/mostraram/consta/figura/indica
            diagnosticado/diagnosticada .. com
            causa de/da/do
            luta contra
            devido a
            internado/internada/operado/operada .. por/com
            desenvolveu/contraiu
            em razao de
            encontraram/detectaram/diagnosticaram/descobriram/encontrado/detectada/detectado/diagnosticada/
                diagnosticado/descoberta/descoberto um/uma?
            luta/lutou/combate/batalha contra
            vive/convive/lida .. com
            morreu/faleceu/portador/portadora/doente/paciente/sofre/padece/operado/operada/crise/ataque/sintomas/
                sequelas/complicacoes/quadro/caso/diagnostico de/da/do
            baixa/internado/internada/tratamento/tratado/tratada/medicado/operado/operada .. por/contra/de
            causa/conta/culpa da/do/de
            trata-se de
            acometido/acometida por/de
        """,
        Entity.PRESCRIPTION: """
            receitou/receitaram/receitado/receitada/prescreveu/prescreveram/prescrito/prescrita/administraram/
                receitou-lhe/prescreveu-lhe/deram-lhe/prescreveram-lhe/receitaram-lhe/injeta
            toma/tomo/tomava/tomar/tomando/ingere/recebe/recebia cada?
            dose/doses/comprimido/comprimidos/receita/caixa/tratamento/prescricao de/com/para?
            tratado/tratada/medicado/medicada/controla/trata-se/trata .. com
            tratado/tratada/medicado/medicada/tratamento/controla com
            mudaram/passou/trocaram/mudou para/a
            deram
            receita .. esta/consta
            buscar/comprou/retirou/comprar
            em uso de
            faz uso de
            sem o?
            usa
            receitaram/receitou/receitado/passou/passaram/prescreveram/prescreveu/deu/deram/mandou/suspendeu/trocou/
                aumentou a/ao?
            toma/tomar/tomava/tomando/injeta/engole/usa
            dose/doses/receita/caixa/comprimido/comprimidos/tratamento/injecao/injecoes/frasco/capsulas/xarope/
                dosagem .. de/com/para
            tratamento/medicado/medicada/tratado/tratada com/a
            buscar/comprar/comprou/pegou/levantar/levantou o/a seu/sua?
            dormir/viver/passar sem
        """,
        Entity.NRP: """
            vota/votou/votava/votar/votado/milita/militava/campanha/candidatou-se/candidato/candidata/filiou-se/eleito/
                vereador/concorreu .. no/na/em/pelo/pela/por/do/da/ao
            vota/votou/votava/votar/milita/militava/militante/membro/filiado/filiada/simpatizante/eleitor/eleitora/
                apoiante/apoiador/apoiadora/adepto/adepta no/na/em/pelo/pela/por/do/da/de/ao/a
            campanha pelo/pela/por
            considera-se/define-se/declara-se/diz-se/sente-se/assume-se como?
            se considera/define/declara/diz/sente
            politicamente
            politicamente , _ _? e/se
            ideias/opinioes .. sao
            doou dinheiro? ao/a/para o?
            esconde que/ser e?
            carteirinha do
            apoia o/a
            e do/da
            filiado/filiada/filiou-se/militante/membro/simpatizante/eleitor/eleitora/vereador/vereadora/deputado/
                deputada/candidato/candidata/cartao/quotas .. do/da/de/ao/a/no/na/pelo/pela
            sempre? votou/vota/votava/votara sempre? no/na/em/nos/pelo
            se? diz/declara/considera/define/diz-se/declara-se/considera-se/afirma-se se?
            listas/lista/fileiras/cartao/sede/comicio/grupo/bancada/vereador/vereadora/deputado/deputada/autarca/
                presidente/militante/filiado/filiada/simpatizante/eleitor/eleitora/membro/candidato/candidata/ativista/
                apoiante/quotas de? militante? do/da/de/pelo/pela/com/no/na/ao
            candidatou-se/candidato/candidata/concorreu/concorre/eleito/eleita/elegeu-se pelo/pela/por/nas listas? do/
                da/de?
            sempre? votou/vota/votava/votar/votara/voto sempre? no/na/em/pelo/pela/nos?
            filiou-se/inscreveu-se/aderiu/aderir/juntou-se/passou-se ao/a/no/na
            milita/militava/militou no/na/em/pelo/pela
            simpatiza/simpatizava/simpatias com/pelo/pela o/a?
            campanha/dinheiro/donativo/doacao .. pelo/pela/para/ao/a o/a?
            apoia/apoiou/deixou o/a
        """,
        Entity.USERNAME: """
            internet/rede/redes/forum/twitter/instagram/discord/online .. nome/alias/como/usa/apelido/nick
            usa o nome/apelido/nick/alias
            faz-se/se faz chamar
        """,
    },
    weak={
        Entity.DIAGNOSIS: "tem/tinha/tenho/ter/teve",
        Entity.PRESCRIPTION: "com/sem/usa/precisa",
        Entity.JOB_TITLE: "e/era/sou/foi | e/era um/uma?",
        Entity.NRP: "e/era/sou/do/no/pelo | familia",
        Entity.EMPLOYER: "na/no/a/para",
        Entity.HOSPITAL: "no/na/ao/do",
        Entity.DOCTOR: "por/com",
    },
    after={
        Entity.DIAGNOSIS: """
            e/foi/era o que .. tem/encontraram/sofre/diagnosticaram/padece
            e/foi o/a seu/sua? diagnostico/doenca/patologia
            e a doenca
            foi o diagnostico
            foi diagnosticado/diagnosticada
            foi detectado/detectada
            lhe foi diagnosticada
        """,
        Entity.PRESCRIPTION: """
            e/foi o que .. toma/receitou/receitaram/prescreveu
            foi receitado/receitada/prescrito/prescrita
            e o medicamento/remedio
            e o seu medicamento/remedio
            foi-lhe receitado/receitada/prescrito
            e o tratamento
        """,
        Entity.EMPLOYER: """
            contratou/emprega/demitiu/despediu/empregou
            e a empresa
            e a sua empresa
            e o seu empregador
            e onde .. trabalha
            contratou/demitiu/despediu/promoveu/emprega/empregou
            e quem .. paga/emprega
            contratou/despediu/demitiu/emprega/empregou/promoveu/paga/pagou/readmitiu/admitiu _
            e/era a/o/sua/seu empresa/firma/companhia/empregador/patrao/entidade de/onde/que/em/para?
            e/era onde/quem trabalha/trabalhava/paga/emprega/contratou
            contratou-o/contratou-a/despediu-o/despediu-a/demitiu-o/demitiu-a/paga-lhe/deu-lhe/ofereceu-lhe
            onde trabalha/trabalhava
            o/a contratou/despediu/demitiu/emprega/promoveu
            lhe paga/deu/ofereceu
            deu/ofereceu emprego/trabalho/vaga a/ao
            tem _ _? nos/entre
        """,
        Entity.HOSPITAL: """
            recebeu/internou/atendeu/operou/admitiu/tratou
            e onde
            e o hospital
            e a clinica
            e o seu hospital
            internou/atendeu/operou/recebeu/tratou/admitiu/acolheu
            deu alta a
            e onde .. internado/internada/nasceu/operada/operado
        """,
        Entity.DOCTOR: """
            trata/acompanha/atende/operou/tratou/atendeu/ligou
            e o/a seu/sua? medico/medica/doutor/doutora/cirurgiao/psiquiatra/dentista
            e quem .. trata/atende/acompanha
            receitou/encaminhou
            e/era o/a/seu/sua medico/medica/doutor/doutora/dentista/cardiologista/psiquiatra/cirurgiao/pediatra/
                ginecologista/dermatologista/neurologista/oncologista/especialista de/do/da/que/dele/dela
            operou/tratou/atendeu/acompanha/vacinou/diagnosticou/medicou
            e quem .. operou/trata/acompanha
            e/era/foi o/a/seu/sua medico/medica/doutor/doutora/cirurgiao/cirurgia/dentista/psiquiatra/pediatra/
                especialista/cardiologista/ginecologista
            operou/atendeu/tratou/trata/atende/acompanha/acompanhou/visitou/vacinou/assistiu/diagnosticou/examinou/
                medicou _
            e/foi quem operou/atendeu/atende/trata/acompanha/tratou/lhe/o/a
            operou-o/operou-a/trata-o/trata-a/acompanha-o/acompanha-a/receitou-lhe
        """,
        Entity.JOB_TITLE: """
            de profissao/oficio ,
            e o/a seu/sua? profissao/cargo/trabalho/oficio
            e a profissao
            de profissao/formacao/oficio
            e a sua/o seu profissao/trabalho/emprego
            de/por profissao/oficio/formacao/vocacao ,?
            e/era a/o/sua/seu/sua? profissao/oficio/trabalho/cargo/emprego
            e o que faz/e
            e a profissao/trabalho de
            e assim que ganha
        """,
        Entity.NRP: """
            convicto/convicta ,
            e o seu partido
            tem .. voto
            convicto
            convicto/convicta/confesso/confessa/assumido/assumida/ferrenho/ferrenha ,?
            vota/votava/votou _ _? sempre
            e o/seu partido
            tem/teve o voto
            , _ _? milita
        """,
    },
    needs_form={
        Entity.JOB_TITLE: """
            ,
            e/era/foi/sera/sou/continua um/uma?
            como
            irmao/irma/marido/mulher/pai/mae ,?
            ex
            e/era/sou/foi/sera/continua/ficou/fica/virou/virar/tornou-se/torna-se/tornar-se/fez-se/ser/sido/sendo/faz/
                fez/fazia/nomeado/nomeada/eleito/eleita/promovido/promovida a/como/de/em? um/uma?
            vizinho/vizinha/marido/mulher/esposo/esposa/irmao/irma/pai/mae/filho/filha/tio/tia/primo/prima/amigo/amiga/
                namorado/namorada/colega/chefe/cunhado/cunhada/socio/inquilino/inquilina/cliente _? _? ,? e/era?
            ,
            trabalha/trabalhou/trabalhava/trabalhar/exerce/exerceu/atua/atuou/serve/serviu/empregado/empregada/entrou/
                comecou/contratado/contratada/contrataram/reformou-se/aposentou-se/reformado/aposentado/ganha/ganhava/
                vive/dedica-se/inscrito/inscrita/registado/registrado/formou-se/formado/formada/licenciado/licenciada/
                graduou-se/estabeleceu-se .. de/como/em/a/enquanto
            estuda/estudou/estudar/estudo/forma-se/prepara-se/sonha/quer/queria/curso/concurso para/de/a/em/como ser/
                tornar-se?
            ex-/ex/futuro/futura/antigo/antiga
            anos/decadas/vida/carreira/meia-vida de/como
        """,
        Entity.NRP: """
            e/era/sou/foi/ser/sido/sempre/declara-se/define-se/considera-se/diz-se/sente-se/assume-se/confessa-se/diz/
                declara/considera/define/sente/assume/reconhece/proclama sempre/muito/como/ser/um/uma/sido/bastante/
                claramente/de? um/uma?
            familia/ideias/ideologia/opinioes/conviccoes/tendencia/tendencias/simpatias/ambiente/tradicao/posicoes sao/
                e/muito/de?
            politicamente _? _? _? e/se/era? muito/considera/declara/define/de/a?
            simpatiza/simpatizante com/de/do/da o/a/os?
            vem/provem/oriundo/oriunda de uma/um? familia/ambiente?
            esconde/nega/admite que? ser/e um/uma?
        """,
    },
    asks={
        Entity.DOCTOR: """
            quem .. trata/atende/operou/acompanha/tratou/atendeu
            quem trata/atende/operou/acompanha
            que medico
        """,
        Entity.DIAGNOSIS: """
            de que .. sofre/padece/morreu/doente
            que .. doenca/diagnosticaram/diagnosticado
            por que .. licenca/internado/internada/tratamento/hospital/operado/operada/baixa/afastado/afastada/medico
            porque .. baixa/internado/internada
            o que .. tem/diagnosticaram/encontraram
            de que sofre
        """,
        Entity.HOSPITAL: """
            onde .. tratado/tratada/operado/operada/internado/internada/atendido/atendida/nasceu/internou/operaram
            para onde .. levado/levada/transferido/transferida/levaram
        """,
        Entity.PRESCRIPTION: "que .. receitou/receitaram/toma/prescreveu/tomando | o que toma | com que .. trata",
        Entity.EMPLOYER: """
            onde .. trabalha/empregado/empregada/trabalhava
            onde trabalha
            para quem .. trabalha
            para quem trabalha
            em que empresa
            quem .. emprega/contratou
        """,
        Entity.JOB_TITLE: """
            em que .. trabalha
            em que trabalha
            o que .. faz .. vida
            o que faz
            com que .. trabalha
            como .. ganha .. vida
            no que .. trabalha
            de que .. trabalha
        """,
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
        Entity.NRP: """
            em quem .. vota/votou
            que partido
            politica/politicamente/politicas/politico
            em que partido
            em quem vota
        """,
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
    stop="""
        passado passada e era foi sao esta estava tem tinha ou mas que quem desde ate para por com sem em no na nos nas
        ao aos a o os as um uma seu sua meu minha se lhe nao nem ja muito mais duas dois tres vezes cada dia dias todas
        todos manhas noite hoje ontem antes depois durante segundo como quando onde porque embora enquanto entre sobre
        contra apos ha vive trabalha sofre toma mora atualmente logo pelo pela dela dele proximo sempre tambien tambem
        so ainda apenas quase cedo tarde aqui ali la fora dentro perto longe entao assim bem mal noites semana convicto
        convicta num numa nuns numas neste nesta nesse nessa naquele naquela nele nela agora amanha profissao oficio
        formacao vocacao carreira
    """,
    inside="de do da dos das",
    start="""
        segunda segunda-feira terca terca-feira quarta quarta-feira quinta quinta-feira sexta sexta-feira sabado domingo
        o a os as um uma uns umas este esta isto esse essa isso seu sua meu minha eu nao sim que quem qual como quando
        onde mas e ou muito mais nada ninguem nunca sempre tudo todo todos toda todas algum alguma infelizmente
        desconhecido confidencial ja ainda cada outro outra pouco se lhe me nos aqui ali la por para com sem em no na ao
        ser estar ter feito casa claramente bastante sido
    """,
    idioms="""
        parte nota conta lugar tempo fome sede frio calor medo razao sono sorte pressa vontade direito exito cuidado
        consciencia posse decisoes forma comboio autocarro onibus trem taxi agua cafe fato facto acordo verdade caminho
        vida mao pe medidas forca controle muito muita pouco anos ano vez vezes idade base sol riso saudade saudades
        filhos rir banho solidao
    """,
    utilities="luz agua gas eletricidade energia aquecimento eletrica condominio",
    transactions="""
        transferencia transferiu pagamento transacao compra valor enviou cobrou saldo salario sacou deposito pix gastou
        reembolsada reembolsado
    """,
)
