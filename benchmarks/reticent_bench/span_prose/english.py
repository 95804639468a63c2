"""English wordings."""

LOCALE = "en_US"

PROSE = {
    "DIAGNOSIS": """
        After months of tests, the specialists finally told {n} it was {v}.
        {n} has been living with {v} for almost ten years now.
        In 2019 she was found to have {v}, and she has not worked full time since.
        The biopsy came back last week and confirmed {v}, so treatment starts on Monday.
        He was admitted with a suspected case of {v} and kept in overnight.
        {n} is currently being treated for {v} at the outpatient clinic.
        According to the discharge letter, the patient presents with {v} and mild anaemia of unknown cause.
        Her medical history is significant for {v}.
        My brother {n} came down with {v} when he was thirty-four.
        {n}, 58, a longtime sufferer of {v}, asked for a second opinion.
        Doctors diagnosed {n} with {v} shortly after her fortieth birthday.
        The insurance claim lists {v} as the reason for his sick leave.
        {n} tested positive for {v} in March.
        He never told anyone at the office that he had {v}.
        ^ {v} was what the scans eventually showed, and {n} took the news calmly.
        ^ {v} runs in the family: {n} got it at the same age as his father.
        What condition does {n} have? || {v}.
        What was {n} diagnosed with? || She was diagnosed with {v}.
        Can you tell me why {n} is on sick leave? || Because of {v}.
    """,
    "PRESCRIPTION": """
        {n} was put on {v} after her last check-up.
        Her GP has prescribed {v}, to be taken twice a day with food.
        He has been taking {v} every morning since the operation.
        We switched the patient from ibuprofen to {v} because of the side effects.
        {n} picked up her refill of {v} at the pharmacy on Elm Street.
        The treatment plan for {n} consists of {v} and plenty of rest.
        She manages the symptoms with {v}, and so far it has worked.
        On admission the patient was receiving {v} by mouth once daily.
        The doctor started him on {v} and will review the dose in June.
        {n} keeps a supply of {v} in the kitchen drawer.
        Current medication: he is on {v} and nothing else.
        They gave {n} {v} to bring the fever down.
        ^ {v} was prescribed to {n} for the pain.
        ^ {v} is what {n} takes at night, half an hour before bed.
        Which medicine does {n} take? || {v}.
        What did the doctor prescribe for {n}? || He prescribed {v}.
        What is {n} on at the moment? || She is on {v}.
    """,
    "EMPLOYER": """
        {n} has worked for {v} since she left university.
        He joined {v} in 2016 as a junior analyst.
        After two years of freelancing, {n} took a job at {v}.
        {n} is employed by {v}, where she runs a team of six.
        Until last summer he was on the payroll of {v}.
        {n} recently left {v} to look after her mother.
        Her LinkedIn profile says she is at {v}.
        He got laid off from {v} in the spring.
        {n}, who works at {v}, could not be reached for comment.
        The company that {n} works for is called {v}.
        She interned at {v} and was later hired full time.
        My neighbour {n} commutes to {v} by train every day.
        According to the contract, his employer is {v}.
        ^ {v} hired {n} straight out of college.
        ^ {v} employs {n} in its legal department.
        Where does {n} work? || {v}.
        Who is {n}'s employer? || Her employer is {v}.
        Which company is {n} with these days? || He is with {v} now.
    """,
    "JOB_TITLE": """
        {n} works as a {v} in Leeds.
        She made a career as a {v} before moving abroad.
        He earns his living as a {v}.
        By profession, {n} is a {v}.
        {n} was recently promoted to {v}.
        He has been a {v} for more than twenty years.
        Since January she has held the position of {v}.
        {n} trained as a {v} but never enjoyed it.
        They hired {n} as a {v} last autumn.
        Her business card reads "{v}".
        {n}, a {v} from Bristol, bought the house in 2011.
        His current role is {v}, which involves a lot of travel.
        In her day job she is a {v}, and at weekends she paints.
        ^ A {v} by trade, {n} spends her evenings restoring old radios.
        ^ {v} is the job that {n} has done all her life.
        What does {n} do for a living? || She is a {v}.
        What is {n}'s occupation? || {v}.
        What's his job? || He works as a {v}.
    """,
    "DOCTOR": """
        {n} has an appointment with Dr. {v} on Thursday.
        Her family doctor, {v}, referred her to a specialist.
        The surgery was performed by Dr {v} and took three hours.
        She has been a patient of Doctor {v} since childhood.
        {n} is seen regularly by Dr. {v} for her blood pressure.
        His cardiologist is {v}.
        Please send the lab results to her GP, {v}.
        The referral was signed by {v}, MD.
        For a second opinion, {n} went to see Dr. {v} in the city.
        The physician treating {n} is {v}.
        He was operated on by {v}, a surgeon at the university clinic.
        Her psychiatrist {v} adjusted the dose last month.
        According to Dr. {v}, there is no cause for concern.
        ^ {v} has been treating {n} for years.
        ^ Dr. {v} called {n} with the results last night.
        Who is {n}'s doctor? || {v}.
        Which physician looks after {n}? || Dr. {v} looks after her.
        Who did the operation? || It was done by {v}.
    """,
    "HOSPITAL": """
        {n} was taken to {v} by ambulance.
        She gave birth at {v} in the early hours of Sunday.
        He spent two weeks at {v} after the accident.
        {n} is being treated at {v}.
        The operation will take place at {v} next Tuesday.
        He was transferred from the local clinic to {v}.
        {n} was discharged from {v} on Friday afternoon.
        You can visit {n} at {v}, ward 4.
        Her records are kept at {v}.
        She goes to {v} for dialysis three times a week.
        The hospital where {n} was admitted is {v}.
        He died at {v} surrounded by his family.
        ^ {v} admitted {n} with chest pains last night.
        ^ {v} is where {n} had her knee replaced.
        Which hospital is {n} in? || {v}.
        Where was {n} treated? || She was treated at {v}.
        Where did he have his surgery? || At {v}.
    """,
    "FLIGHT:route": """
        {n} is booked on a flight from {v}.
        She flew from {v}.
        The itinerary shows that he travels from {v}.
        {n} will be flying {v}.
        Her ticket is for {v}, window seat.
        We have you down for the flight {v}, Mr Keane.
        His next trip goes from {v}.
        ^ {v}: that is the connection {n} booked.
        Which flight did {n} take? || {v}.
        When and where does {n} fly? || She flies from {v}.
    """,
    "FLIGHT:number": """
        {n} is travelling on flight {v}.
        Her plane, {v}, leaves at ten past six.
        He missed {v} and had to spend the night at the airport.
        Please pick {n} up; she arrives on {v}.
        I rebooked him onto {v}.
        The boarding pass for {v} was issued to {n}.
        ^ {v} is the flight that {n} is on.
        What is {n}'s flight number? || {v}.
        Which flight is she on? || She is on {v}.
    """,
    "TRANSACTION_AMOUNT": """
        {n} transferred {v} to her sister yesterday.
        He paid {v} for the car, in cash.
        A payment of {v} was received from {n}.
        She withdrew {v} from the machine outside the bank.
        The bank charged {n} {v} in error.
        {n} still owes his landlord {v}.
        Last month's salary came to {v} after tax.
        The invoice that {n} settled was for {v}.
        On 3 May, {v} left her account.
        {n} got a refund of {v}.
        He sent me {v} through the app.
        The deposit {n} put down was {v}.
        ^ {v} was debited from {n}'s account this morning.
        ^ {v} is what {n} lent him.
        How much did {n} transfer? || {v}.
        How much was the payment? || The payment was {v}.
        What did {n} spend at the shop? || She spent {v}.
    """,
    "UTILITY_BILL": """
        {n}'s electricity bill came to {v} last month.
        She pays {v} a month for gas and electricity.
        The water company billed him {v} for the quarter.
        His heating costs were {v} over the winter.
        {n} spends about {v} on utilities.
        The last power bill for the flat was {v}.
        {n} is behind with the gas bill and owes {v}.
        Her energy supplier takes {v} by direct debit.
        For water and sewage, {n} was charged {v}.
        We received {v} from {n} for the electric bill.
        The utilities for {n}'s apartment add up to {v}.
        He was shocked by an electricity bill of {v}.
        ^ {v} is what {n} pays for electricity.
        ^ {v} went out for gas, as it does every month.
        How much is {n}'s electricity bill? || {v}.
        What does she pay for utilities? || She pays {v}.
        What did {n} owe for gas and water? || It was {v}.
    """,
    "NRP:party": """
        {n} has always voted for the {v}.
        She is a paid-up member of the {v}.
        He canvassed for the {v} in the last election.
        {n} donated to the {v} twice this year.
        Her whole family supports the {v}.
        He stood as a candidate for the {v}.
        {n} left the {v} over the war.
        ^ The {v} has had {n}'s vote since 1997.
        Which party does {n} vote for? || The {v}.
        Which party is he a member of? || He is a member of the {v}.
    """,
    "NRP:view": """
        Politically, {n} is {a}{v}.
        {n} describes himself as {a}{v}.
        She makes no secret of being {a}{v}.
        His political views are {a}{v}.
        {n} comes from a family that is staunchly {a}{v}.
        On most issues she would call herself {a}{v}.
        ^ {a}{v} in his politics, {n} rarely argues about them at work.
        What are {n}'s political views? || {a}{v}.
        Where does she stand politically? || She is {a}{v}.
    """,
}

HARMLESS = """
    Her diagnosis has not been made yet.
    A diagnosis is made after a careful examination.
    The treatment works best when it starts early.
    Please take your medicine as the label says.
    He works from home on most days.
    She works hard and sleeps little.
    The doctor will see you now.
    Doctors recommend at least seven hours of sleep.
    The hospital is at the end of the road.
    The flight was delayed by fog.
    How long does the flight take?
    The electricity bill is due at the end of the month.
    He lost his job when the factory closed.
    Her employer was very understanding.
    Politics bores him.
    The party starts at eight, so bring a bottle.
    I cannot share medical details about anyone.
    The transfer usually takes one working day.
    He was treated with kindness.
    She works as hard as anyone I know.
"""

LABELS = {
    "ADDRESS": "Address; Home address; Mailing address; Residential address",
    "PHONE_NUMBER": "Phone; Mobile; Contact number; Tel.",
    "EMAIL_ADDRESS": "Email; E-mail address; Contact e-mail",
    "BANK_ACCOUNT": "Account number; Bank account; Acct no.",
    "TRANSACTION_AMOUNT": "Amount; Amount paid; Transaction amount; Total paid",
    "DIAGNOSIS": "Diagnosis; Primary diagnosis; Medical condition; Dx",
    "PRESCRIPTION": "Prescription; Medication; Current medication; Rx",
    "ORDER_NUMBER": "Order number; Order ID; Order no.",
    "FLIGHT": "Flight; Flight details; Travel itinerary; Flight booked",
    "CREDIT_CARD_DIGITS": "Card ending; Last four digits; Card last 4",
    "DOCTOR": "Doctor; Attending physician; Family doctor; GP name",
    "HOSPITAL": "Hospital; Admitting hospital; Treating clinic; Medical center",
    "EMPLOYER": "Employer; Company; Current employer; Works at",
    "JOB_TITLE": "Job title; Occupation; Position; Profession",
    "UTILITY_BILL": "Utility bill; Electricity bill; Gas and water; Monthly utilities",
    "APPOINTMENT_DATE": "Appointment; Next appointment; Appointment date; Date of visit",
    "CREDIT_CARD": "Credit card; Card number; Credit card no.",
    "IBAN_CODE": "IBAN; Account IBAN; Bank details",
    "US_SSN": "SSN; Social security number; Social security no.",
    "US_ITIN": "ITIN; Individual taxpayer number; US ITIN",
    "NATIONAL_ID": "National ID; Identity number; National insurance number; ID card no.",
    "TAX_ID": "Tax ID; Tax number; Taxpayer identification number",
    "PASSPORT": "Passport; Passport number; Passport no.",
    "DRIVER_LICENSE": "Driver's license; Driving licence number; DL no.",
    "MEDICAL_RECORD_NUMBER": "MRN; Medical record number; Patient ID; Chart no.",
    "BIOMETRIC_ID": "Fingerprint ID; Biometric ID; Face template ID",
    "DATE_OF_BIRTH": "Date of birth; DOB; Born on; Birth date",
    "IP_ADDRESS": "IP; IP address; Last login IP",
    "MAC_ADDRESS": "MAC; MAC address; Hardware address",
    "URL": "Website; Homepage; Profile link",
    "CRYPTO": "Wallet; Wallet address; Bitcoin address",
    "SECRET_KEY": "API key; Access token; Secret key; Client secret",
    "PASSWORD": "Password; Login password; Passphrase; Temporary password",
    "PIN": "PIN; Card PIN; PIN code",
    "USERNAME": "Username; User name; Login; Account name",
    "NRP": "Political party; Political affiliation; Party membership",
    "PERSON": "Name; Full name; Patient name; Contact person",
    "LOCATION": "City; Place of birth; Home town",
    "ORGANIZATION": "Organization; Organisation; Association",
}

VALUES = {
    "DIAGNOSIS": "type 2 diabetes; multiple sclerosis; asthma; rheumatoid arthritis; bipolar disorder; Crohn's disease; breast cancer; chronic kidney disease; Parkinson's disease; lupus; epilepsy; hepatitis C; HIV; stage III melanoma; endometriosis; chronic migraine; Hodgkin lymphoma; pulmonary embolism; coeliac disease; obsessive-compulsive disorder; gout; psoriasis; sleep apnoea; pancreatitis; major depressive disorder; sickle cell anaemia; hypothyroidism; ulcerative colitis; Lyme disease; glaucoma",
    "PRESCRIPTION": "metformin; atorvastatin 20 mg; lisinopril; sertraline; amoxicillin 500 mg; Ozempic; levothyroxine; warfarin; Humira; omeprazole; gabapentin 300 mg; prednisone; salbutamol; insulin glargine; tamoxifen; lithium carbonate; methotrexate; Xarelto; duloxetine; hydrochlorothiazide; clozapine; naproxen; oxycodone 5 mg; bisoprolol",
    "JOB_TITLE": "nurse; software engineer; primary school teacher; forklift driver; paralegal; structural engineer; dental hygienist; pastry chef; tax adviser; flight attendant; social worker; plumber; marketing manager; librarian; veterinary surgeon; bricklayer; data analyst; customs officer; tree surgeon; head of procurement; locksmith; occupational therapist; estate agent; bus driver",
    "COMPANY": "Halloway Freight; Brightwell Dynamics; Northgate Water; Pemberton & Sons; Orchard Street Bakery; Tollmark Systems; Kestrel Aviation; Redfern Analytics Ltd; Cobalt River Inc.; Marlowe Insurance Group; Fenwick Steel; Sable Ridge Software; Greenacre Foods Inc; Larkspur Studios; Vantage Point Consulting LLC",
    "HOSPITAL": "St. Brendan's Hospital; Mercy General Hospital; Royal Ashdown Infirmary; Lakeside Medical Center; Whitcombe Children's Hospital; Bayview Clinic; Holy Name Medical Center; Northfield Community Hospital; Queen Adelaide Hospital; Redwood Cancer Institute; St. Olave's; University Hospital of Carrow; Pinehurst Surgical Center; Mount Hebron Hospital",
    "CITY": "Boston; Leeds; Toronto; New Orleans; Dublin; San Diego; Cardiff; Auckland; Kansas City; Glasgow; Cape Town; Melbourne",
    "ROUTE": "{a} to {b} on {day}; {a} to {b}, {day}",
    "AMOUNT": "$1,250; $84.99; £320; $12,400.00; 450 dollars; £1,999.50; €275; $60; 2,300 pounds; US$ 7,800; $415; 1,150 euros",
    "BILL": "$142.60; £96; $88; 310 dollars; £210.45; $175; €134.20; $64.15; 95 pounds; $230",
    "PARTY": "Labour Party; Green Party; Republican Party; Democratic Party; Liberal Democrats; Conservative Party; Scottish National Party; Libertarian Party; Plaid Cymru; Democratic Socialists of America",
    "VIEW": "conservative; left-wing; liberal; socialist; libertarian; right-wing; centre-left; communist; a |Republican; a |lifelong Democrat; an |anarchist",
}
