"""Portuguese wordings, of Brazil and of Portugal."""

LOCALE = "pt_BR"

PROSE = {
    "DIAGNOSIS": """
        Depois de meses de exames, os médicos contaram a {n} que era {v}.
        {n} sofre de {v} há muitos anos.
        Minha irmã {n} foi diagnosticada com {v} na primavera passada.
        {n} está em tratamento por causa de {v}.
        Ele é portador de {v} e não trabalha mais.
        A paciente deu entrada com suspeita de {v}.
        Os exames confirmaram {v} e a terapia começa na segunda-feira.
        No atestado de {n} consta {v}.
        {n} convive com {v} desde a adolescência.
        Tem antecedentes de {v}.
        O meu tio {n} morreu de {v} aos sessenta anos.
        Ninguém no escritório sabia que ela tinha {v}.
        O laudo de {n} aponta {v}.
        ^ {v} foi o que os médicos encontraram em {n}.
        ^ {v} é a doença contra a qual {n} luta.
        Que doença tem {n}? || {v}.
        Qual é o diagnóstico de {n}? || Ela foi diagnosticada com {v}.
        Por que {n} está de licença? || Por causa de {v}.
    """,
    "PRESCRIPTION": """
        O médico de família receitou {v} a {n}.
        {n} toma {v} todas as manhãs.
        Desde a cirurgia ele usa {v}.
        Deram-lhe {v} para a dor.
        A paciente recebe {v} duas vezes ao dia.
        {n} foi buscar {v} na farmácia da esquina.
        Na receita de {n} está {v}.
        Por causa dos efeitos colaterais, mudaram para {v}.
        Ela controla os sintomas com {v}.
        O tratamento de {n} consiste em {v}.
        O psiquiatra prescreveu-lhe {v} em janeiro.
        {n} não consegue dormir sem {v}.
        ^ {v} foi receitado a {n} para a pressão.
        ^ {v} é o que {n} toma à noite, antes de dormir.
        Que remédio {n} toma? || {v}.
        O que o médico receitou para {n}? || Ele receitou {v}.
        Com que {n} se trata? || Com {v}.
    """,
    "EMPLOYER": """
        {n} trabalha na {v} desde que se formou.
        Ele é funcionário da {v}.
        Ela entrou na {v} em 2018.
        {n} acabou de conseguir uma vaga na {v}.
        Depois da licença, ela voltou para a {v}.
        O empregador de {n} é a {v}.
        {n} pediu demissão da {v} em maio.
        Ela cuida da contabilidade da {v}.
        {n}, funcionária da {v}, não quis comentar.
        Foi despedido da {v} na primavera.
        A empresa em que {n} trabalha chama-se {v}.
        Segundo o contrato, {n} presta serviços à {v}.
        Fez estágio na {v} e depois foi contratada.
        ^ A {v} contratou {n} logo que saiu da faculdade.
        ^ {v} é a empresa em que {n} trabalha.
        Onde {n} trabalha? || {v}.
        Para quem {n} trabalha? || Trabalha para a {v}.
        Qual é a empresa de {n}? || É a {v}.
    """,
    "JOB_TITLE": """
        {n} trabalha como {v} em Curitiba.
        De profissão, {n} é {v}.
        Ela ganha a vida como {v}.
        Exerce a profissão de {v}.
        {n} foi promovido a {v} no ano passado.
        Desde janeiro ocupa o cargo de {v}.
        {n} formou-se como {v}.
        Foi contratada como {v} no outono.
        No cartão de visita dela está escrito {v}.
        {n} arranjou emprego de {v}.
        Antes de se mudar, era {v}.
        A profissão dele é {v}.
        {n} atua como {v} há vinte anos.
        ^ {v} de profissão, {n} conhece bem o problema.
        ^ Como {v}, {n} viaja muito.
        O que {n} faz da vida? || É {v}.
        Qual é a profissão de {n}? || {v}.
        Em que trabalha? || Trabalha como {v}.
    """,
    "DOCTOR": """
        {n} tem consulta com o doutor {v} na quinta-feira.
        O médico de família dela, {v}, encaminhou-a a um especialista.
        A cirurgia foi feita pelo Dr. {v}.
        {n} é paciente da Dra. {v} há anos.
        O cardiologista dele chama-se {v}.
        Por favor, envie os resultados à doutora {v}.
        Segundo o Dr. {v}, não há motivo para preocupação.
        {n} consulta-se com o doutor {v} por causa das enxaquecas.
        O atestado foi assinado por {v}, clínico geral.
        O médico que cuida de {n} é {v}.
        Para uma segunda opinião, procurou {v}, neurologista em Recife.
        A psiquiatra dela, {v}, ajustou a dose.
        ^ {v} trata de {n} desde criança.
        ^ O Dr. {v} ligou ontem para {n} com os resultados.
        Quem é o médico de {n}? || {v}.
        Que médico acompanha {n}? || É o doutor {v}.
        Quem operou {n}? || Foi operada por {v}.
    """,
    "HOSPITAL": """
        {n} foi levada de ambulância para o {v}.
        Ela deu à luz no {v} no domingo de madrugada.
        Ele está sendo tratado no {v}.
        A cirurgia será no {v} na próxima terça-feira.
        {n} está internado no {v} desde segunda-feira.
        Teve alta do {v} na sexta-feira.
        Durante a noite foi transferido para o {v}.
        O prontuário dela está no {v}.
        {n} vai três vezes por semana ao {v} para a diálise.
        Passou duas semanas no {v} depois do acidente.
        {n} faleceu no {v} cercado pela família.
        Pode visitar {n} no {v}, quarto 12.
        ^ O {v} recebeu {n} com dores no peito.
        ^ No {v}, {n} foi operada ao joelho.
        Em que hospital está {n}? || {v}.
        Onde {n} foi operada? || No {v}.
        Onde {n} é tratado? || Ele é tratado no {v}.
    """,
    "FLIGHT:route": """
        {n} voa de {v}.
        O voo de {v} está em nome de {n}.
        Ela tem passagem de {v}.
        A próxima viagem dele é de {v}.
        Segundo a reserva, {n} viaja de {v}.
        Reservamos para si o trajeto {v}.
        ^ {v}: é esse o voo que {n} reservou.
        Que voo {n} reservou? || {v}.
        Quando e para onde {n} voa? || Voa de {v}.
    """,
    "FLIGHT:number": """
        {n} viaja no voo {v}.
        O avião dela, o {v}, parte às seis e dez.
        Perdeu o {v} e teve de dormir no aeroporto.
        Vá buscar {n}, que chega no {v}.
        Nós o passamos para o {v}.
        O cartão de embarque do {v} está em nome de {n}.
        ^ O {v} é o voo de {n}.
        Qual é o número do voo de {n}? || {v}.
        Em que voo ela vem? || Vem no {v}.
    """,
    "TRANSACTION_AMOUNT": """
        {n} transferiu {v} para a irmã ontem.
        Ele pagou {v} pelo carro, em dinheiro.
        Foi recebido um pagamento de {v} de {n}.
        Ela sacou {v} no caixa eletrônico.
        O banco cobrou {v} de {n} por engano.
        {n} ainda deve {v} ao senhorio.
        O salário dele no mês passado foi de {v}.
        A fatura paga por {n} era de {v}.
        {n} foi reembolsada em {v}.
        Deu um sinal de {v}.
        Ele me mandou {v} por Pix.
        O saldo da conta de {n} é de {v}.
        ^ {v} foram debitados hoje da conta de {n}.
        ^ {v} foi o que {n} lhe emprestou.
        Quanto {n} transferiu? || {v}.
        De quanto foi o pagamento? || O pagamento foi de {v}.
        Quanto {n} gastou? || Gastou {v}.
    """,
    "UTILITY_BILL": """
        A conta de luz de {n} foi de {v} no mês passado.
        Ela paga {v} por mês de gás e eletricidade.
        A companhia de água cobrou-lhe {v}.
        Os gastos dele com aquecimento chegaram a {v} neste inverno.
        {n} gasta cerca de {v} com água, luz e gás.
        A última conta de água foi de {v}.
        {n} está com o gás em atraso e deve {v}.
        A companhia elétrica debita {v} todos os meses.
        Pela água cobraram {v} a {n}.
        As contas do apartamento de {n} somam {v}.
        A fatura da eletricidade subiu para {v}.
        Ele se assustou com uma conta de gás de {v}.
        ^ {v} é o que {n} paga de luz.
        ^ {v} vão todos os meses para a conta de luz de {n}.
        De quanto é a conta de luz de {n}? || {v}.
        Quanto ela paga de gás? || Paga {v}.
        Quanto {n} deve de água? || Deve {v}.
    """,
    "NRP:party": """
        {n} sempre votou no {v}.
        Ela é filiada ao {v}.
        É militante do {v} desde 2012.
        {n} fez campanha pelo {v}.
        Candidatou-se a vereador pelo {v}.
        {n} saiu do {v} no ano passado.
        Doou dinheiro ao {v}.
        ^ O {v} sempre teve o voto de {n}.
        Em que partido {n} vota? || {v}.
        De que partido ele é? || É do {v}.
    """,
    "NRP:view": """
        Politicamente, {n} é {v}.
        {n} considera-se {v}.
        As ideias políticas dela são {v}.
        Não esconde que é {v}.
        {n} vem de uma família {v}.
        Em quase tudo sente-se {v}.
        ^ {v} convicto, {n} nunca fala disso no trabalho.
        Que opinião política tem {n}? || {v}.
        Como ela se define politicamente? || Ela é {v}.
    """,
    "NRP:belief": """
        {n} é {v} e não faz segredo disso.
        Na ficha de internação, {n} declarou-se {v}.
        Depois do acidente, {n} virou {v}.
        A minha sogra não aceitava {n} por ser {v}.
        Criaram {n} como {v}, mas sem imposições.
        {n} considera-se {v} desde a adolescência.
        Deixou de ser {v} quando entrou na faculdade.
        Como {v}, {n} pediu dispensa da cerimônia do colégio.
        O chefe fazia piadas porque {n} é {v}.
        Sei que {n} é {v}, por isso perguntei antes de marcar o batizado.
        Em matéria de religião, {n} é {v}.
        {n} disse ao repórter que é {v} e respeita todas as crenças.
        Divido apartamento com {n}, que é {v}, e a convivência é ótima.
        No pedido de asilo, {n} alega perseguição por ser {v}.
        Pouca gente na aldeia imagina que {n} seja {v}.
        Embora {n} seja {v}, os filhos escolheram outro caminho.
        A enfermeira anotou que {n} é {v} antes da transfusão.
        ^ {v} por convicção, {n} evita discutir fé à mesa.
        ^ {v} foi o que {n} respondeu no censo, na pergunta sobre religião.
        Qual é a religião de {n}? || {v}.
        {n} acredita em Deus? || Olha, é {v}.
        Sabe a religião do paciente do 12? || Disse que é {v}.
    """,
    "VEHICLE_ID": """
        A placa do carro de {n} é {v}.
        {n} anda num Fiat Uno prata, placa {v}.
        O número do chassi da moto dela é {v}.
        O radar flagrou o veículo de {n}, de placa {v}, a 130 km/h.
        A viatura com a matrícula {v} está registada em nome de {n}.
        Na apólice de {n} consta o automóvel de chassi {v}.
        Roubaram a caminhonete do meu pai ontem; a placa é {v}.
        O porteiro anotou a placa {v} quando {n} entrou na garagem.
        {n} ainda não pagou o IPVA do carro de placa {v}.
        Segundo o auto de notícia, {n} conduzia o ligeiro com matrícula {v}.
        O mecânico precisou do chassi {v} para encomendar a peça do carro de {n}.
        Se aparecer um Corolla preto com placa {v}, é o meu ex-marido.
        O documento apresentado por {n} traz o VIN {v}.
        A PRF parou {n} na BR-116 e verificou que a placa {v} era clonada.
        Chamei um Uber: quem dirige é {n}, placa {v}.
        A seguradora quer confirmar a matrícula do carro da senhora, que temos como {v}.
        {n} vendeu o carro (chassi {v}) sem comunicar ao Detran.
        ^ {v} é a placa que a testemunha viu no carro de {n}.
        ^ {v}: é esta a matrícula da carrinha de {n}.
        Qual é a placa do carro de {n}? || {v}.
        Pode dar-me o número do chassis? || Claro, o chassis é o {v}.
        De quem é o carro que está na minha vaga? || É de {n}, placa {v}.
    """,
    "DEVICE_ID": """
        O número de série do notebook de {n} é {v}.
        {n} registrou boletim de ocorrência pelo furto do celular de IMEI {v}.
        O marca-passo implantado em {n} tem o número de série {v}.
        Foi entregue a {n} um tablet da empresa, n.º de série {v}.
        Na etiqueta do aparelho auditivo da minha avó lê-se o número de série {v}.
        A operadora bloqueou o telemóvel de {n}, com o IMEI {v}.
        O sistema reconheceu o login de {n} pelo ID de dispositivo {v}.
        Bom dia, aqui é {n}, minha TV parou e o serial dela é {v}.
        A bomba de insulina de {n}, número de série {v}, vai para manutenção.
        O chip de {n} traz impresso o número de série {v}.
        A perícia extraiu as mensagens do aparelho de {n}, identificado pelo IMEI {v}.
        {n} associou o relógio com identificador {v} à conta da família.
        Ela perdeu o Kindle no avião; o número de série era {v}.
        No inventário de TI, o equipamento de serial {v} está com {n}.
        Cartão do implante de {n}: prótese com número de série {v}.
        A garantia do drone de {n} foi recusada porque o serial {v} não confere.
        Encontrei um telemóvel na praia com o IMEI {v}; parece que é de {n}.
        ^ {v} é o número de série do desfibrilador de {n}.
        ^ {v}, diz a etiqueta de série do computador que {n} levou para casa.
        Qual é o número de série do celular de {n}? || {v}.
        A senhora tem o IMEI do aparelho? || Tenho sim, é {v}.
        De que dispositivo {n} entrou na conta? || Do que tem o ID {v}.
    """,
    "COORDINATES": """
        {n} mora num sítio que fica nas coordenadas {v}.
        A última localização do celular de {n} foi {v}.
        Os bombeiros resgataram {n} na trilha, no ponto {v}.
        O GPS mostra que {n} passou a noite em {v}.
        Deixei o carro estacionado em {v}, avisa a tua mãe.
        A tornozeleira de {n} apontava {v} na hora do crime.
        {n} mandou a localização pelo WhatsApp: {v}.
        O barco de pesca de {n} foi avistado em {v}.
        A selfie de {n} tem nos metadados as coordenadas {v}.
        A quinta dos meus avós fica exatamente em {v}.
        O rastreador pôs o camião de {n} em {v} às quatro da manhã.
        Socorro, caí da bicicleta, estou em {v} e não consigo andar.
        {n} foi vista pela última vez junto ao rio, coordenadas {v}.
        Para chegar à casa de {n}, coloca {v} no mapa.
        O aplicativo de corrida revelou que {n} sai sempre de {v}, que é a casa dela.
        O drone localizou o parapentista desaparecido à latitude e longitude {v}.
        Segundo o INEM, {n} ligou a partir de {v}.
        ^ {v} são as coordenadas da fazenda de {n}.
        ^ Em {v} acharam a mochila e o carro de {n}.
        Onde está {n} agora? || {v}.
        Qual é a localização da tua casa? || As coordenadas são {v}.
        Onde {n} estacionou? || Em {v}.
    """,
    "SEXUAL_ORIENTATION": """
        {n} é {v} e vive com a família no Porto.
        Aos dezoito anos {n} contou aos pais que era {v}.
        {n} assumiu-se como {v} numa entrevista ao jornal.
        Todo mundo no escritório sabe que {n} é {v}.
        Sofreu bullying na escola por ser {v}.
        Na consulta, {n} disse ser {v} e pediu orientação sobre exames.
        O pai expulsou {n} de casa quando soube que era {v}.
        Descobriu que era {v} já depois dos quarenta.
        A revista insinuou que {n} é {v}.
        {n} nunca escondeu dos amigos que era {v}.
        Pediu refúgio no Brasil porque é {v} e foi alvo de ameaças.
        Na bio do Instagram {n} escreveu que é {v}.
        {n} foi a primeira pessoa abertamente {v} a presidir à junta.
        Acho que {n} é {v}, mas nunca perguntei.
        Ser {v} no interior não foi fácil para {n}.
        O pastor disse a {n} que deixasse de ser {v}.
        No inquérito, {n} assinalou {v} como orientação sexual.
        ^ {v} com muito orgulho, {n} desfilou na parada.
        ^ {v} é como {n} se define.
        Qual é a orientação sexual de {n}? || {v}.
        {n} gosta de homens ou de mulheres? || Pelo que sei, é {v}.
        Como é que te defines? || Defino-me como {v}.
    """,
    "CRIMINAL_RECORD": """
        {n} foi condenado a cinco anos de prisão por {v}.
        A Polícia Federal prendeu {n} por {v}.
        {n} responde a processo por {v}.
        Ela cumpriu pena em Tremembé por {v}.
        O Ministério Público denunciou {n} por {v}.
        Na certidão de antecedentes de {n} aparece {v}.
        O tribunal de Braga deu {n} como culpado do crime de {v}.
        Cuidado com o novo vizinho, já esteve preso por {v}.
        {n} foi detida em flagrante por {v} na madrugada de sábado.
        Perdeu a guarda dos filhos depois de uma condenação por {v}.
        {n} tem passagem pela polícia por {v}.
        O vereador {n} é réu por {v}.
        Meu tio foi parar na cadeia por {v} nos anos noventa.
        {n} confessou {v} e colabora com os investigadores.
        Constituída arguida por {v}, {n} remeteu-se ao silêncio.
        O visto de {n} foi negado por causa de uma acusação de {v}.
        {n} está foragido desde que foi sentenciado por {v}.
        ^ {v} foi o crime que levou {n} à prisão.
        ^ Por {v}, {n} pegou oito anos em regime fechado.
        Por que {n} foi preso? || Por {v}.
        De que crime {n} é acusado? || De {v}.
        Ela tem cadastro? || Tem, foi condenada por {v}.
    """,
}

HARMLESS = """
    O diagnóstico ainda não é conhecido.
    O diagnóstico é feito sempre por um médico.
    O tratamento funciona melhor quando começa cedo.
    Tome o remédio como está indicado na embalagem.
    Ele trabalha em casa quase todos os dias.
    Ela trabalha muito e dorme pouco.
    O médico já vai atendê-lo.
    O hospital fica no fim da rua.
    O voo atrasou por causa do nevoeiro.
    Quanto tempo dura o voo?
    A conta de luz vence no fim do mês.
    Perdeu o emprego quando a fábrica fechou.
    O chefe dela foi muito compreensivo.
    A política não lhe interessa.
    Ele sofre com o calor.
    A transferência costuma levar um dia útil.
    Não posso dar informações médicas sobre ninguém.
    Morreu de rir.
    Toma o autocarro todas as manhãs.
    Gosta muito do trabalho.
    O furto qualificado é punido com reclusão de dois a oito anos.
    As escolas católicas voltaram às aulas na segunda-feira.
    A placa do Mercosul tem quatro letras e três números.
    O número de série fica normalmente na parte de trás do aparelho.
    A batedeira modelo BT-300 vem com três velocidades.
    Determine a distância entre os pontos (1, 2) e (4, 6).
    O casamento entre pessoas do mesmo sexo é permitido em Portugal desde 2010.
    O romance policial mais vendido do ano chega às livrarias em maio.
    A novela das nove tem um vilão que desvia dinheiro de uma construtora.
    Os evangélicos são um grupo cada vez maior na América Latina.
    A nova lei endurece as penas por violência doméstica.
    A parada LGBT reuniu milhares de pessoas na avenida.
"""

LABELS = {
    "ADDRESS": "Endereço; Morada; Endereço residencial",
    "PHONE_NUMBER": "Telefone; Celular; Telemóvel; Tel.",
    "EMAIL_ADDRESS": "E-mail; Correio eletrônico; Endereço de e-mail",
    "BANK_ACCOUNT": "Número da conta; Conta bancária; Conta n.º",
    "TRANSACTION_AMOUNT": "Valor; Valor da transferência; Total pago; Montante",
    "DIAGNOSIS": "Diagnóstico; Diagnóstico principal; Doença; Patologia",
    "PRESCRIPTION": "Receita; Medicação; Medicamento; Remédio em uso",
    "ORDER_NUMBER": "Número do pedido; Pedido; Encomenda n.º",
    "FLIGHT": "Voo; Trajeto; Voo reservado",
    "CREDIT_CARD_DIGITS": "Últimos quatro dígitos; Cartão com final; Final do cartão",
    "DOCTOR": "Médico; Doutor; Médico responsável; Cirurgião",
    "HOSPITAL": "Hospital; Clínica; Unidade de saúde; Hospital de internação",
    "EMPLOYER": "Empregador; Empresa; Empresa atual; Entidade patronal",
    "JOB_TITLE": "Profissão; Cargo; Ocupação; Função",
    "UTILITY_BILL": "Conta de luz; Conta de água; Fatura do gás",
    "APPOINTMENT_DATE": "Consulta; Próxima consulta; Data da consulta",
    "CREDIT_CARD": "Cartão de crédito; Número do cartão; Cartão",
    "IBAN_CODE": "IBAN; NIB; Dados bancários",
    "NATIONAL_ID": "RG; Cartão de cidadão; Número de identidade",
    "TAX_ID": "CPF; NIF; Número de contribuinte",
    "PASSPORT": "Passaporte; Número do passaporte; Passaporte n.º",
    "DRIVER_LICENSE": "CNH; Carta de condução; Carteira de motorista",
    "MEDICAL_RECORD_NUMBER": "Número do prontuário; Prontuário; ID do paciente",
    "BIOMETRIC_ID": "Identificador biométrico; Impressão digital; ID biométrico",
    "DATE_OF_BIRTH": "Data de nascimento; Nascido em; Nascida em",
    "IP_ADDRESS": "IP; Endereço IP; Último IP",
    "MAC_ADDRESS": "MAC; Endereço MAC; Endereço físico",
    "URL": "Site; Página pessoal; Perfil",
    "CRYPTO": "Carteira; Endereço da carteira; Endereço Bitcoin",
    "SECRET_KEY": "Chave de API; Token de acesso; Chave secreta",
    "PASSWORD": "Senha; Senha temporária; Palavra-passe",
    "PIN": "PIN; Código PIN; PIN do cartão",
    "USERNAME": "Usuário; Nome de usuário; Nome de utilizador",
    "NRP": "Partido; Partido político; Filiação partidária",
    "PERSON": "Nome; Nome completo; Paciente; Contato",
    "LOCATION": "Cidade; Local de nascimento; Município",
    "ORGANIZATION": "Organização; Associação; Entidade",
    "VEHICLE_ID": "Placa; Chassi; Matrícula; Placa do veículo; Número do chassi",
    "DEVICE_ID": "Número de série; IMEI; ID do dispositivo; Serial",
    "COORDINATES": "Coordenadas; Localização GPS; Coordenadas GPS; Latitude e longitude",
    "SEXUAL_ORIENTATION": "Orientação sexual; Orientação; Sexualidade",
    "CRIMINAL_RECORD": "Antecedentes criminais; Condenação; Crime; Motivo da prisão; Ficha criminal",
}

VALUES = {
    "DIAGNOSIS": (
        "diabetes tipo 2; esclerose múltipla; asma; artrite reumatoide; transtorno bipolar; doença de Crohn; "
        "câncer de mama; insuficiência renal; doença de Parkinson; epilepsia; hepatite C; HIV; enxaqueca crônica; "
        "depressão; hipertensão; leucemia; psoríase; endometriose; apneia do sono; hipotireoidismo; gota; "
        "esquizofrenia; lúpus; fibromialgia; glaucoma; bronquite crônica; dengue"
    ),
    "PRESCRIPTION": (
        "metformina; dipirona 500 mg; amoxicilina; Puran T4; losartana 50 mg; insulina; prednisona; Rivotril; "
        "omeprazol; atorvastatina 20 mg; Aerolin; metotrexato; lítio; sertralina; tramadol; Marevan; bisoprolol; "
        "fluoxetina; ibuprofeno 600; Ozempic"
    ),
    "JOB_TITLE": (
        "enfermeiro; padeiro; professora primária; contador; encanador; engenheiro de software; advogada; "
        "motorista de ônibus; veterinária; eletricista; assistente social; cabeleireira; arquiteto; farmacêutico; "
        "garçonete; carpinteiro; gerente de projetos; fisioterapeuta; corretor de imóveis; bibliotecário; "
        "diretor comercial; pedreiro; jornalista; cozinheiro"
    ),
    "COMPANY": (
        "Transportes Albergaria; Irmãos Queiroz Ltda.; Padaria Espiga de Ouro; Grupo Montalvão; "
        "Atlântica Consultoria; Siderúrgica do Norte S.A.; Seguros Miraflor; Novadados Software; "
        "Madeireira Peixoto; Editora Farol; Farmavale; Oficina Sarmento; Energia do Sul S.A.; Vinícola Ribalta"
    ),
    "HOSPITAL": (
        "Hospital São Roque; Hospital das Clínicas de Alvorada; Hospital Santa Clara; Hospital Geral de Monteiro; "
        "Hospital Nossa Senhora da Luz; Hospital Universitário do Norte; Hospital da Ribeira; "
        "Hospital Infantil Aurora; Santa Casa de Valverde; Hospital Militar de Cinzas; Centro Médico Boa Esperança"
    ),
    "CITY": (
        "São Paulo; Lisboa; Porto; Recife; Salvador; Curitiba; Brasília; Fortaleza; Belo Horizonte; Coimbra; "
        "Manaus; Faro"
    ),
    "ROUTE": "{a} para {b} em {day}; {a} a {b} no dia {day}",
    "AMOUNT": (
        "R$ 1.250,00; R$ 84,99; 320 reais; R$ 12.400; 450 euros; 1.999,50 €; R$ 60; 2300 reais; 7.800 euros; "
        "415,20 €; US$ 980; 35 reais"
    ),
    "BILL": "R$ 142,60; 96 reais; 88 €; R$ 310; 210,45 €; 175 reais; R$ 64,15; 95 €; 230 reais",
    "PARTY": "PT; PSDB; PSOL; MDB; PSD; PCP; Bloco de Esquerda; Chega; Partido Socialista; PL; Novo; PDT",
    "VIEW": (
        "de esquerda; de direita; centrista; socialista; comunista; liberal; conservador; ambientalista; "
        "anarquista; monarquista; bolsonarista; petista"
    ),
    "BELIEF": (
        "católica; muçulmano; judia; budista; protestante; testemunha de Jeová; evangélico; espírita; umbandista; "
        "ateia; agnóstico; mórmon; adventista; hindu"
    ),
    "SEXUAL_ORIENTATION": (
        "gay; lésbica; bissexual; homossexual; heterossexual; pansexual; assexual; demissexual; queer; hétero; bi; "
        "omnissexual"
    ),
    "CRIMINAL_RECORD": (
        "roubo à mão armada; estelionato; sonegação fiscal; tráfico de drogas; homicídio culposo; "
        "violência doméstica; embriaguez ao volante; lavagem de dinheiro; furto qualificado; estupro; "
        "falsificação de documentos; burla; corrupção passiva; receptação"
    ),
}
