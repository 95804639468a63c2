"""English."""

from __future__ import annotations

from reticent_detectors.entities import Entity
from reticent_detectors.finder.languages.language import Language

ENGLISH = Language(
    name="English",
    nouns={
        Entity.EMAIL_ADDRESS: """
            email/e-mail/mailbox/inbox
            email/e-mail/mailbox/inbox address/contact/account
            e mail address?
            electronic mail address?
            address for email/e-mail/mail
        """,
        Entity.PHONE_NUMBER: """
            phone/telephone/cellphone/mobile/cell/landline/tel/extension/handphone
            phone/telephone/cellphone numbers/number/line/no
            mobile/cell/home/work/office phone number?
            mobile/cell/contact/home/work/office/landline/emergency/direct/callback/dial/dialing number/line
            number to call/dial/ring/reach
        """,
        Entity.BANK_ACCOUNT: """
            account/iban/bban
            bank/banking/checking/savings/deposit account
            bank/banking/checking/savings/deposit? account number/numbers/no/details
            bank/banking details/information/coordinates
        """,
        Entity.ORDER_NUMBER: """
            order
            order number/numbers/no/id/identifier/reference/ref/code/nr
            purchase/tracking/delivery/shipment/booking/confirmation number/id/identifier/reference/code/no
            reference/ref
            reference/ref number/no/code/id
            purchase order number/no/id?
            po number/no?
            invoice/case/ticket/return/parcel/package number/no/id
        """,
        Entity.CREDIT_CARD_DIGITS: """
            credit/debit/payment/bank? card number/numbers/no/digits/ending?
            credit/debit/payment/bank? card on file
            card ends/ending in/with?
            card number ends/ending in/with?
            last/final/closing/trailing/ending/end four/4 card? digits/numbers/numerals
            last four/4
            last/final/closing/trailing/ending/end/card card? digits/numbers/numerals
            last/final 4 of? her/his/their/the/your/my? card?
            last digits
            last4
            last four of _? _? card
            card last4/last
        """,
        Entity.UTILITY_BILL: """
            utilities/utility
            utility/utilities bill/bills/cost/costs/charge/charges/due/payment/payments/statement/expenses/expense/
                invoice/amount/total/fee/fees
            utility/utilities bill amount/total/due/payment/charge/charges
            utilities due amount?
            amount due for utilities
            electric/electricity/gas/water/power/energy/heating bill/bills/cost/costs/charge/charges/invoice/
                usage? amount/total?
            electric/electricity/gas/water/power/energy/heating and _ bill/bills/cost/costs/charge/charges/invoice
        """,
        Entity.APPOINTMENT_DATE: """
            date/day of the/his/her/their? next? visit/appointment/consultation
            appointment/appointments
            appointment/appointments date/day/time/slot
            next/follow-up/followup/upcoming visit/consultation/check-up/checkup/session/appointment date?
            follow up visit/appointment date?
            visit/check-up/checkup/consultation date?
            scheduled visit/date
            date
            appointment is set
        """,
        Entity.FLIGHT: """
            flight/flights
            flight/flights details/information/plan/plans/route/itinerary/booking/reservation/number/no
            plane/air/airline/travel ticket/tickets/trip/booking/plan/plans
            ticket/tickets/itinerary/route/trip/journey/travel
            travel details/plans
        """,
        Entity.ADDRESS: """
            address/residence/domicile/lodging/lodgings/whereabouts/home
            home/street/postal/mailing/residential/delivery/shipping/house/current/billing/permanent/physical address
            place of residence
            addr/addresses
            home/street/postal/mailing/residential/delivery/shipping/house/current/billing/permanent/physical/legal/
                work/office/business/private/temporary/previous/former/forwarding/registered/main/primary/
                correspondence/contact/full/invoice/return addr/address/residence line?
            address of residence/patient/customer/record
            street and number
            street and house number
        """,
        Entity.JOB_TITLE: """
            job/occupation/profession/position/role/title/trade/vocation/designation/calling/career/post
            job/work/professional/official/current title/position/role/designation/description
            line of work
            employment as
            job name
        """,
        Entity.DOCTOR: """
            doctor/doctors/physician/physicians/clinician/clinicians/gp/practitioner/practitioners/medic/specialist/
                consultant/surgeon/dr/pediatrician/paediatrician/cardiologist/oncologist/dentist
            psychiatrist/therapist/neurologist/dermatologist/gynecologist/gynaecologist/internist
            attending/family/treating/responsible/personal/own/assigned/general/house/lead/regular/primary doctor/
                physician/practitioner/clinician
            primary care doctor/physician/provider
            attending
        """,
        Entity.HOSPITAL: """
            hospital/hospitals/clinic/clinics/infirmary/sanatorium
            medical/health/treatment/care center/centre/facility/institution
            treatment/healthcare/medical site/provider/location
            treating/admitting hospital/clinic/facility
        """,
        Entity.EMPLOYER: """
            employer/employers/company/companies/firm/workplace/business/organization/organisation/corporation/
                employment/boss
            place of work/employment
            hiring/employing company/firm
            current employer/company
            company/employer/organization name
        """,
        Entity.DIAGNOSIS: """
            allergies/allergy/allergens/diagnosis/diagnoses/diagnosi/condition/conditions/illness/illnesses/disease/
                diseases/ailment/ailments/disorder/disorders/sickness/finding/findings/dx
            medical/health/known/confirmed/primary/main/secondary/admitting/final diagnosis/condition/conditions/
                illness/disease/ailment/disorder/problem/problems/issue/issues/complaint/complaints
            medical history
        """,
        Entity.PRESCRIPTION: """
            prescription/prescriptions/medication/medications/medicine/medicines/medicament/medicaments/drug/drugs/meds/
                pill/pills/tablet/tablets/pharmaceutical/pharmaceuticals/rx/remedy/therapy
            prescribed/current/daily/regular prescription/medication/medications/medicine/medicines/drug/drugs/meds
            medical treatment
            prescribed
            active ingredient
        """,
        Entity.TRANSACTION_AMOUNT: """
            transaction/transactions/transfer/transfers/payment/payments/purchase/purchases/charge/charges/spending/
                withdrawal/deposit/wire/amount
            transaction/transfer/payment/purchase/charge/withdrawal/deposit/wire amount/sum/total/value/volume
            amount paid/charged/spent/sent/transferred
            total/sum paid/charged/spent/sent
        """,
        Entity.NRP: """
            religion/denomination/creed/ethnicity/nationality/citizenship
            religious affiliation/beliefs/faith/denomination/community
            ethnic/racial origin/background/group/identity
            race/ethnicity ethnicity
            trade? union membership
            trade/labor/labour union
            political view/views/affiliation/leaning/leanings/opinion/opinions/orientation/stance/beliefs/party/
                persuasion/conviction/convictions/position/sympathies/allegiance/ideology
            politics
            party affiliation/membership
            voter registration
        """,
        Entity.SEXUAL_ORIENTATION: "sexuality | sexual orientation/preference/identity",
        Entity.CRIMINAL_RECORD: """
            criminal/police/arrest record/records/history/past/offense/offence/offenses/offences/conviction/
                convictions/charge/charges?
            prior/previous/past convictions/conviction/arrests/offenses/offences
            convictions/conviction/felonies/felony/misdemeanor/misdemeanors/offence/offense/offences/offenses
            rap sheet
        """,
    },
    verbs={
        Entity.EMAIL_ADDRESS: """
            write/writing/email/e-mail/mail/message/contact/reach/reached/reachable .. at/on/to/via/under/through
            write/email/e-mail/mail/contact/reach/reached at/on/to/via/under/through
        """,
        Entity.PHONE_NUMBER: """
            call/called/calling/reach/reached/reachable/ring/phone/phoned/contact/contacted/text/dial/answers/listed/
                available .. at/on/under/via/by/through/with
            dial/dialing/ring/call
            reach/reached/reachable/listed/available/called/call at/on/under/via/by/through
        """,
        Entity.BANK_ACCOUNT: """
            paid/bank/banks/banking/deposit/deposits/deposited/transfer/transfers/transferred/wire/wires/wired/remit/
                remits .. to/into/with/at/on
            paid/bank/banks/deposited/transferred/wired to/into/with
        """,
        Entity.ORDER_NUMBER: """
            order/ordered/placed/filed/registered/tracked .. under/as/by/with/is
            order/ordered/placed/filed/registered/tracked under/as/by/with/is
        """,
        Entity.CREDIT_CARD_DIGITS: """
            card .. end/ends/ended/ending/finishes/finishing/terminates/terminating/closes/closing/concludes/
                concluding in/with/on/by? the? four? digits?
            card end/ends/ended/ending/finishes/finishing/terminates/closes/concludes in/with/on/by? the? four? digits?
            digits/numbers/number .. end/ends/ending in/with
            visa/mastercard/amex
            visa/mastercard/amex/card .. ending/ends in/with?
            visa/mastercard/amex ending/ends in/with?
            x/xx/xxx/xxxx | **** | •
        """,
        Entity.UTILITY_BILL: "for the? utilities",
        Entity.APPOINTMENT_DATE: """
            appointment/visit/scheduled/booked/expected/seen/due/return/returns .. on/for/at
            appointment/visit/scheduled/booked/expected/seen/due/returns on/for/at
            come in .. on/for/at
            come in on/at
        """,
        Entity.FLIGHT: """
            missed/onto/on/aboard/boarded/boards/catch/catching/caught/flight/for
            fly/flies/flying/flew/flown/travel/travels/travelling/traveling/travelled/traveled/flight/flights/ticket/
                tickets/trip/journey/route/booked/booking/depart/departs/departing/goes/going/leave/leaves/
                leaving .. from/is
            fly/flies/flying/flew/flown/flight/ticket/trip/travels/travelling/goes/going/departs/leaves/leaving from
            fly/flies/flying/flew/flown/travels/travelling
            booked on
            route
        """,
        Entity.ADDRESS: """
            live/lives/lived/living/reside/resides/resided/residing/located/based/dwells/stay/stays/staying/home/house/
                found/housed/moved/reach/reached/mail/letters/letter/post/parcel/parcels/package/packages/delivered/
                delivery/deliver/shipped/ship/sent/visit .. at/in/on/to/is
            live/lives/lived/living/reside/resides/resided/residing/located/based/stays/staying/home/found/moved/
                delivered/shipped/sent at/in/on/to
        """,
        Entity.TRANSACTION_AMOUNT: """
            transact/transacts/transacted/transfer/transfers/transferred/spent/spends/paid/pays/charged/sent/wired/
                purchased
            transaction/transfer/payment of
        """,
        Entity.USERNAME: """
            online/internet/forum/web/chat/game/gaming/site/reddit/instagram/twitter .. as/by/called/is/goes/under
            goes by
            known online as
            posts/tweets/plays/streams/blogs/comments/writes as/under
            logs/log/logged/signs/signed in? on? as/with
        """,
    },
    asks={
        Entity.CREDIT_CARD_DIGITS: "digits | card .. end/ends/ending | last four/4",
        Entity.UTILITY_BILL: "utility/utilities | electric/electricity/gas/water/power/energy/heating",
        Entity.TRANSACTION_AMOUNT: """
            how much .. transfer/transfers/transferred/transferring/spend/spent/spends/pay/pays/paid/send/sent/sends/
                charge/charged/transact/transacted/purchase/purchased/wire/wired
        """,
        Entity.FLIGHT: """
            fly/flying/flies/flown/flew
            where .. travel/travels/travelling/traveling/travelled/traveled
            board
        """,
        Entity.ADDRESS: """
            where .. live/lives/living/lived/reside/resides/residing/home/house/mail/send/sent/deliver/delivered/ship/
                shipped/found
        """,
        Entity.PHONE_NUMBER: """
            by/via phone/telephone
            over the phone/telephone
            number .. call/ring/reach/dial/text
            call/ring/text/dial/phone .. _
        """,
        Entity.EMAIL_ADDRESS: "email/e-mail",
        Entity.APPOINTMENT_DATE: """
            when .. seen/appointment/expected/scheduled/visit/due/see
            when .. come in
            which/what day/date .. seen/appointment/expected/scheduled/visit/due/see
            which/what day/date .. come in
            for when
        """,
    },
    which="which what whose who",
    links="""
        is was are were be being 's remain remains read reads show shows say says state states equal equals became comes
        came goes went run runs stand stands amount amounts amounted total totals totaled totalled cost costs end ends
        ending appears seems carries bears
    """,
    adverbs="now currently still presently officially also being been be to",
    participles="""
        recorded listed given noted registered named called stated entered known filed set shown documented identified
        booked scheduled planned fixed due confirmed held file record diagnosed described
    """,
    prepositions="as under from on for at in with to by",
    articles="a an the",
    joins="""
        of for on in by to at with from who whom whose which that where when under we i you he she they currently today
        now registered listed given prescribed assigned responsible treating taken held booked belonging associated used
        employing charged made paid due attached linked scheduled planned seen named left kept stored is was are has
    """,
    fillers="""
        booked name number title details detail info information full type value id today status no nr num nbr
    """,
    clauses="says say said whether but because while",
    indefinite="a an any some every each most many no what which several other another few all common good such one",
    owned="the his her their my your our 's",
    called="called named",
    lead="""
        sure certainly yes of course okay ok it that this they he she there is 's was were would be are has takes took
        works worked called named at for by with as in on to from dr doctor a an the drug company firm hospital clinic
        because done spent owes suffers diagnosed their his her being treated prescribed currently employed you i have
        had here go found think believe guess know say answer result value information detail details requested
        following follows based my records record database file files listed looked up according asked happy help glad
        know shows show happily absolutely great question below
    """,
    person="""
        his her hers their my your our he she they him them you i we patient client customer applicant employee tenant
        resident person member passenger traveller traveler user subject candidate caller mr mrs ms claimant borrower
        user guest student 's
    """,
    utilities="""
        sewage sewerage utility utilities electric electricity gas water power energy heating bill bills billed
        household meter
    """,
    transactions="""
        transact transacts transacted transaction transactions transfer transfers transferred transferring purchase
        purchases purchased spent spend spends spending payment payments sent wire wired wires charged withdraw
        withdrawn withdrew withdraws withdrawal
    """,
)
