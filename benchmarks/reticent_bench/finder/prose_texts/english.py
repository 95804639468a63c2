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
    "VEHICLE_ID": """
        The hit-and-run driver got away in a grey hatchback with the number plate {v}.
        {n} drives a blue estate, registration {v}.
        Her car, licence plate {v}, was towed from outside the school this morning.
        According to the logbook, the VIN of the van {n} sold is {v}.
        A parking fine was issued to {n} for the vehicle registered as {v}.
        Officers ran the plate {v} and it came back to {n}.
        The chassis number stamped under his bonnet reads {v}.
        {n} insured a second car with us last week, reg {v}, third party only.
        We still need proof that the vehicle with VIN {v} belongs to you, {n}.
        Witnesses noted the tags on her pickup as {v} before it sped off.
        Could you let security know that {n} is coming by car, plate {v}?
        The speed camera flashed {n} doing 61 in a 40 zone; registration mark {v}.
        My husband's motorbike has {v} on the plate, so you can't miss it.
        The keys were handed to {n} together with a note of the vehicle identification number, {v}.
        For the recall, {n}'s garage asked for the VIN and got {v}.
        The rental {n} never brought back carries the plates {v}.
        ^ {v} is the registration of the car that {n} parks across my drive every night.
        ^ {v}, the VIN on {n}'s title, doesn't match the one on the dashboard.
        ^ {v} was the plate that the neighbour jotted down when {n} drove off.
        What is {n}'s number plate? || {v}.
        Do you have the VIN of {n}'s car for the claim? || Yes, it is {v}.
        Which car in the car park belongs to {n}? || The one with the plate {v}.
    """,
    "DEVICE_ID": """
        The stolen phone is registered to {n} under the serial number {v}.
        {n} signed for a company laptop, serial no. {v}, on her first day.
        Please blacklist the handset that {n} lost; its IMEI is {v}.
        His pacemaker bears the serial number {v} and was last checked in June.
        The implant card that {n} carries in her wallet gives {v} as the serial number.
        IT wiped the tablet with device ID {v} after {n} left the team.
        According to the warranty form, the serial number of {n}'s hearing aid is {v}.
        She dialled *#06# and read out {v} as the IMEI.
        Forensics recovered a handset from the suspect's coat, IMEI {v}.
        The app logged {n} in from the device with the identifier {v}.
        {n}'s insulin pump, serial {v}, has been recalled by the manufacturer.
        We tied the anonymous posts to {n} through the hardware ID {v}.
        The SIM that came with his contract has the serial number {v}.
        When {n} claimed for the cracked screen, the insurer wanted the serial number, and it was {v}.
        I've enrolled your new watch, {n}: device identifier {v}.
        The serial engraved on the back of her camera is {v}, in case it turns up.
        A repair ticket was opened for {n}, unit S/N {v}.
        ^ {v} is the serial number on the defibrillator that was fitted to {n} last year.
        ^ {v} was the IMEI of the burner phone {n} threw into the canal.
        What's the serial number of {n}'s laptop? || {v}.
        Can you give me the IMEI of the phone {n} reported stolen? || Sure, it's {v}.
        Which device ID shows up in {n}'s account? || The only one listed is {v}.
    """,
    "COORDINATES": """
        {n} lives in a cabin at {v}, an hour from the nearest road.
        Her phone last pinged at {v} shortly before midnight.
        The rescue team found {n} at {v}, cold but unhurt.
        He dropped a pin at {v} and told us to meet him there.
        According to the tracker, {n}'s car has been standing at {v} since Friday.
        {n} was last seen near {v}, wearing a red anorak.
        The photo she posted still had the GPS position {v} in its metadata.
        I parked the camper at {v}; bring the spare keys.
        GPS data place the suspect at {v} at the time of the fire.
        {n} shared her live location, {v}, with the whole group by accident.
        You will find our farmhouse by entering {v} into your satnav.
        His ankle monitor reported {v} three nights running.
        The yacht that {n} was sailing sent its final signal from {v}.
        Ambulance needed for {n}, male, 71, fallen while hiking, coordinates {v}.
        The drone is to leave {n}'s medicine at {v}, behind the barn.
        Her running app shows that every lap starts and ends at {v}, which is her front door.
        {n} has pitched his tent at {v} and plans to stay the week.
        ^ {v} is where {n} turned off her phone.
        ^ {v}: that is the spot where he proposed to {n}.
        Where exactly did {n} leave the car? || {v}.
        Can you send me the coordinates of {n}'s house? || Sure: {v}.
        Where was his phone at three in the morning? || It was at {v}.
    """,
    "SEXUAL_ORIENTATION": """
        {n} came out as {a}{v} at the age of sixteen.
        Everyone at the office knows by now that {n} is {a}{v}.
        My cousin {n} is {a}{v} and has stopped hiding it from our grandparents.
        On the dating app, {n} identifies as {a}{v}.
        I am {a}{v}, and I would rather my boss did not find out.
        It took {n} years to admit to being {a}{v}.
        In the interview {n} spoke for the first time about being {a}{v}.
        The bullying started after a classmate told people that {n} was {a}{v}.
        If anyone asked, {n} would say {a}{v} without blinking.
        The asylum claim rests on the fact that {n} is {a}{v} and was threatened at home.
        Sexual history: patient reports being {a}{v}, with one steady partner.
        Somewhere in the second year of college, {n} realised that the right word was {v}.
        Between you and me, my flatmate is {a}{v}, but please keep it quiet.
        The tabloids outed {n} as {a}{v} in the middle of the campaign.
        Under sexual orientation, {n} ticked the box marked {v}.
        The parents still refuse to accept that their eldest is {a}{v}.
        Being {a}{v} never stopped {n} from coaching the parish team.
        ^ {a}{v} and not ashamed of it, {n} brought a date to the reunion.
        ^ {v} is the word {n} uses on the profile page.
        What is {n}'s sexual orientation? || {a}{v}.
        Do you know whether {n} likes men or women? || The word going round is {v}.
        How does {n} identify? || As {a}{v}.
    """,
    "CRIMINAL_RECORD": """
        {n} was convicted of {v} and sentenced to three years in prison.
        He has a previous conviction for {v}, dating back to his student days.
        Police arrested {n} on suspicion of {v} late on Sunday.
        She did eighteen months for {v} before she moved here.
        The background check on {n} turned up {v}, so HR withdrew the offer.
        {n} pleaded guilty to {v} and got off with a suspended sentence.
        A grand jury indicted {n} on two counts of {v}.
        Her ex-husband is behind bars for {v}.
        My landlord, it turns out, was once jailed for {v}.
        {n} is out on bail, charged with {v}.
        The defendant, {n}, denies {v} and will appear in court next month.
        On the visa form, {n} failed to mention an earlier sentence for {v}.
        The jury took less than an hour to find her guilty of {v}.
        {n} has been in and out of custody over {v} ever since the age of seventeen.
        Prosecutors accuse {n} of {v}; the trial opens after Easter.
        His rap sheet includes {v} and little else.
        ^ {v} is what {n} went to prison for.
        ^ {v} earned {n} a criminal record at nineteen.
        ^ {v} was the charge when {n} stood in the dock last week.
        What was {n} convicted of? || {v}.
        Why did {n} go to jail? || For {v}.
        Does he have a criminal record? || Yes, for {v}.
    """,
    "NRP:belief": """
        {n} is {a}{v} and takes it seriously.
        She was raised {a}{v} by her grandmother in a small mining town.
        He describes himself as {a}{v} these days.
        {n} became {a}{v} after a long illness.
        Please bear in mind that {n} is {a}{v} when you plan the menu for the reception.
        Her fiancé is {a}{v}, and her parents are not happy about it.
        Being {a}{v}, {n} asked for the day off.
        On admission {n} told the nurse about being {a}{v}, which was added to the chart.
        I grew up {a}{v} and am still one at heart.
        He no longer hides from his in-laws that he is {a}{v}.
        In the obituary they remembered {n} as {a}{v} of quiet conviction.
        My neighbour {n}, {a}{v} for as long as I have known her, will argue about God with anyone.
        The asylum seeker stated that he was persecuted for being {a}{v}.
        {n} changed her mind about God in her thirties and now considers herself {a}{v}.
        As {a}{v}, {n} has her own views on how the funeral should be held.
        On the census form, {n} is down as {a}{v}.
        They buried him as {a}{v}, the way he had wanted.
        ^ {a}{v} through and through, {n} could talk about faith for hours.
        ^ {a}{v} is what {n} has called herself since leaving home.
        What religion is {n}? || {a}{v}.
        Does {n} believe in anything? || She is {a}{v}, as far as I know.
        How was he brought up, religiously speaking? || As {a}{v}.
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
    Burglary is punished by up to ten years in prison.
    Catholic schools opened again on Monday.
    This week only: the HX-4500 blender at half the price.
    Plot the points (3.5, 2.1) and (4.25, 7.8) on the grid and join them with a line.
    The march for gay rights drew thousands of people in the seventies.
    Cheesecake is a guilty pleasure.
    A plate of food went cold on the table.
    The crime novel starts with an armed robbery and ends with a wedding.
    In tonight's episode, the detective is accused of murder.
    The serial number is printed on the back of the device.
    Every car needs a valid number plate before it goes on the road.
    Buddhists all over the world celebrate the festival in spring.
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
    "VEHICLE_ID": "License plate; Number plate; VIN; Vehicle registration; Plate no.",
    "DEVICE_ID": "Serial number; IMEI; Device ID; Device serial no.",
    "COORDINATES": "Coordinates; GPS coordinates; GPS position; Last known position",
    "SEXUAL_ORIENTATION": "Sexual orientation; Sexuality; Orientation",
    "CRIMINAL_RECORD": "Criminal record; Convictions; Prior convictions; Convicted of",
}

VALUES = {
    "DIAGNOSIS": (
        "type 2 diabetes; multiple sclerosis; asthma; rheumatoid arthritis; bipolar disorder; Crohn's disease; "
        "breast cancer; chronic kidney disease; Parkinson's disease; lupus; epilepsy; hepatitis C; HIV; "
        "stage III melanoma; endometriosis; chronic migraine; Hodgkin lymphoma; pulmonary embolism; "
        "coeliac disease; obsessive-compulsive disorder; gout; psoriasis; sleep apnoea; pancreatitis; "
        "major depressive disorder; sickle cell anaemia; hypothyroidism; ulcerative colitis; Lyme disease; glaucoma"
    ),
    "PRESCRIPTION": (
        "metformin; atorvastatin 20 mg; lisinopril; sertraline; amoxicillin 500 mg; Ozempic; levothyroxine; "
        "warfarin; Humira; omeprazole; gabapentin 300 mg; prednisone; salbutamol; insulin glargine; tamoxifen; "
        "lithium carbonate; methotrexate; Xarelto; duloxetine; hydrochlorothiazide; clozapine; naproxen; "
        "oxycodone 5 mg; bisoprolol"
    ),
    "JOB_TITLE": (
        "nurse; software engineer; primary school teacher; forklift driver; paralegal; structural engineer; "
        "dental hygienist; pastry chef; tax adviser; flight attendant; social worker; plumber; marketing manager; "
        "librarian; veterinary surgeon; bricklayer; data analyst; customs officer; tree surgeon; "
        "head of procurement; locksmith; occupational therapist; estate agent; bus driver"
    ),
    "COMPANY": (
        "Halloway Freight; Brightwell Dynamics; Northgate Water; Pemberton & Sons; Orchard Street Bakery; "
        "Tollmark Systems; Kestrel Aviation; Redfern Analytics Ltd; Cobalt River Inc.; Marlowe Insurance Group; "
        "Fenwick Steel; Sable Ridge Software; Greenacre Foods Inc; Larkspur Studios; Vantage Point Consulting LLC"
    ),
    "HOSPITAL": (
        "St. Brendan's Hospital; Mercy General Hospital; Royal Ashdown Infirmary; Lakeside Medical Center; "
        "Whitcombe Children's Hospital; Bayview Clinic; Holy Name Medical Center; Northfield Community Hospital; "
        "Queen Adelaide Hospital; Redwood Cancer Institute; St. Olave's; University Hospital of Carrow; "
        "Pinehurst Surgical Center; Mount Hebron Hospital"
    ),
    "CITY": (
        "Boston; Leeds; Toronto; New Orleans; Dublin; San Diego; Cardiff; Auckland; Kansas City; Glasgow; "
        "Cape Town; Melbourne"
    ),
    "ROUTE": "{a} to {b} on {day}; {a} to {b}, {day}",
    "AMOUNT": (
        "$1,250; $84.99; £320; $12,400.00; 450 dollars; £1,999.50; €275; $60; 2,300 pounds; US$ 7,800; $415; "
        "1,150 euros"
    ),
    "BILL": "$142.60; £96; $88; 310 dollars; £210.45; $175; €134.20; $64.15; 95 pounds; $230",
    "PARTY": (
        "Labour Party; Green Party; Republican Party; Democratic Party; Liberal Democrats; Conservative Party; "
        "Scottish National Party; Libertarian Party; Plaid Cymru; Democratic Socialists of America"
    ),
    "VIEW": (
        "conservative; left-wing; liberal; socialist; libertarian; right-wing; centre-left; communist; "
        "a |Republican; a |lifelong Democrat; an |anarchist"
    ),
    "SEXUAL_ORIENTATION": (
        "gay; bisexual; a |lesbian; queer; pansexual; asexual; homosexual; straight; heterosexual; bi; demisexual; "
        "omnisexual"
    ),
    "CRIMINAL_RECORD": (
        "burglary; armed robbery; tax evasion; drink-driving; grand theft auto; assault; aggravated assault; "
        "money laundering; shoplifting; manslaughter; perjury; drug trafficking; insurance fraud; "
        "possession of cocaine"
    ),
    "BELIEF": (
        "a |Catholic; a |Muslim; an |atheist; a |Buddhist; a |Hindu; a |Sikh; a |Jehovah's Witness; a |Mormon; "
        "a |Quaker; an |Orthodox Jew; an |agnostic; a |Baptist; a |Lutheran"
    ),
}
