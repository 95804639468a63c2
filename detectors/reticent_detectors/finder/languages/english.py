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
            political view/views/affiliation/leaning/leanings/opinion/opinions/orientation/stance/beliefs/party/
                persuasion/conviction/convictions/position/sympathies/allegiance/ideology
            politics
            party affiliation/membership
            voter registration
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
        Entity.JOB_TITLE: """
            work/works/worked/working/employed/hired/serves/serve/served/serving/act/acts/acted/acting/engaged/
                practises/practices/practise/practice/job/living/money/active/career/employment/appointed/occupied/
                salary/contract _? _? as
            joined .. as
            by profession/trade/occupation/training is?
            holds/hold/held/holding/has/in/fills/took/takes/had/have the/an/a? position/role/post/job/title of
            by profession/trade/occupation/training .. is/was
            by profession/trade/occupation/training ,? she/he/they? is/was
            makes/make/made/earns/earn/earned a/his/her/their/my living as
            makes/make/made/earns/earn/earned a/his/her/their/my living .. as
            promoted to
            trained/qualified/retired/started/trains as
            career/living/job/work as
            trained/qualified to be
            works full-time/part-time as
            job is to be
            makes/make/made/earns/earn/earned a/her/his/their? good? living as
            post/position/job/role/work/employment/contract/apprenticeship/internship/appointment/career/shift/spell/
                stint as
            moonlights/moonlighted/volunteers/freelances/doubles/temps as
            retrained/retraining/registered/licensed/certified/appointed/elected as
            hired/recruited .. as
            quit/left/lost/resigned/got/landed/found/took/accepted/applied .. as
            day job as
            job .. is
            hired/employed/recruited .. to be their/its/the/a/an new?
            earns/earn/earned/makes/made/scrapes _ _? _? as
            taken/signed/carried/drafted/brought/kept/started on as
            starts/started/start work/working/out/off/life/again/up? as
            works/worked/working/work days/nights/weekends/shifts/evenings/part-time/full-time/freelance as
            was/been/is/be hired/employed/recruited/engaged/appointed/contracted/listed/registered as
            currently/now/still/presently/mostly/mainly works/working/employed/serving as
            retired/retiring/retires from .. as
            went/goes/gone/back to? work as
            steps/stepped/stepping down/in as
            fills/filled/standing/stands/stood in as
            stays/stayed on as
            set/sets up shop/business/himself/herself? as
            gig/placement/traineeship/residency/fellowship/commission/tenure/service/employment/engagement/assignment as
            job title of? is/was?
            works/worked in _ _? as
            finds/find/finding work as
            does/did/doing shifts/work/gigs as
            quit/quits/quitting her/his/their/my? job as
            gave/gives/give/giving up being/work/working/life as?
        """,
        Entity.DOCTOR: """
            treated/seen/attended/examined/supervised/handled/managed/followed/assigned/operated/evaluated/assessed up/
                medically/to/on? by
            referred/assigned to? by?
            looked after by
            cared for by
            under/in the? care/treatment/supervision/hands of/from/with
            patient/patients of
            appointment/treatment/consultation/checkup/check-up with
            dr
            doctor
            physician
            under/treated/seen/referred/sees/see/saw/consults by/to? cardiologist/oncologist/surgeon/psychiatrist/
                therapist/dermatologist/neurologist/dentist/gp/specialist
            operation/surgery/procedure/check-up/biopsy/scan/baby/birth .. by/performed/done by?
            operated/delivered/prescribed/performed/signed/done/carried .. by
            dr/doctor is
            patient of dr?
            under dr
            entrusted/turned/goes/went/go to dr
            saw/sees/visits/visited/consulted/called/calls/rang/phoned dr
            letter/report/referral/prescription/bill/note from dr
            session/sessions/consultation/check-up/visit with dr?
            surgeon/dentist/cardiologist/therapist/psychiatrist/specialist/doctor/physician called/named
            trust/trusts/trusted no/nobody/only one? but/except dr/doctor
            carried out by
            operated on by
            delivered/operated/performed/prescribed by
            surgeon/doctor/gp/dentist/therapist/psychiatrist/cardiologist/physician/specialist/consultant/midwife/
                paediatrician/oncologist/neurologist/dermatologist/gynaecologist who/that .. is/was
            is/was under dr/doctor
            swears/sworn by dr/doctor
            letter/referral/prescription/note/reference/report/certificate/diagnosis/opinion by/from/of dr/doctor
            booked/sent/referred/goes/went/going/returns/rushed in? on? with/to dr/doctor
            consultant/registrar/attending/surgeon/therapist/psychiatrist/psychologist/dentist/gp/midwife/cardiologist/
                neurologist/oncologist/dermatologist/paediatrician/pediatrician/gynaecologist/gynecologist/orthodontist/
                osteopath ,
            therapist/dentist/doctor/surgeon/gp/psychiatrist is a woman/man/lady called/named
        """,
        Entity.HOSPITAL: """
            treated/hospitalized/hospitalised/admitted/examined/seen/operated _? at/in/to/into
            patient/inpatient/in-patient/outpatient at/in
            operated on at/in
            cared for at/in
            looked after at/in
            checked in/into at/in?
            checked into
            registered at/in/with
            surgery/operation/stay/procedure/check-up/checkup/appointment at/in
            receive/receives/received/receiving/get/gets/getting/undergo/undergoes/undergoing/under medical? treatment/
                care/therapy at/in/from
            treatment/care/file/record/bed is? at/in/from
            rushed/admitted to
            underwent/undergoes/undergoing surgery/treatment/dialysis/chemotherapy at/in
            discharged from
            born/died/birth/kept/dies/procedure/operation/transplant/transferred/rushed/brought/flown .. at/in/to
            died/born/kept/birth/recovering at/in
            hospital bed at/in
            surgeon/doctor/dialysis/chemotherapy at
            still/back/recovering/spent/stayed/waiting/rehab/physiotherapy/scan/biopsy/check-up/scheduled/booked/
                replaced/removed/delivered/monitored .. at
            gave birth at/in
            weeks/days/months/night/nights in/at
            visit/visits/visited/visiting .. at/in
            ward/bed/room/unit/ICU/emergency of/at/in
            drove/ambulance/helicopter/airlifted/wheeled .. to
            wakes/woke up in/at
            home from
            referred/appointment/consultation to/at
            care/treatment/chemo/radiotherapy/dialysis/therapy .. at
            picked .. up/from from
            rushed/rushing/taken/took/takes/brought/bringing/sent/drove/driven/airlifted/flown/transferred/moved/
                admitted/readmitted/referred/wheeled/evacuated/transported _? _? _? to/into
            ward/bed/room/unit/floor/wing/emergency/theatre/maternity/oncology/icu _? _? of/at/in
            chemo/chemotherapy/dialysis/radiotherapy/radiation/treatment/physio/rehab/surgery/check-up/checkup/
                appointment/scan/biopsy/transplant/infusion/operation/procedure/delivery/birth is/was/takes/took? _? at/
                in
            weeks/week/days/day/months/month/night/nights/year/hours in/at
            knee/hip/heart/appendix/gallbladder/tonsils/cataract/shoulder/spine/valve/baby/twins/son/daughter .. at/in
            recovers/recovered/convalescing/convalesced/rehabilitating/waking/woke/dying/died/dies/lies/lay/lying/stays/
                stayed/kept/born/operated/treated/seen/monitored/examined/diagnosed/hospitalised/hospitalized at/in
            discharged/released/discharge/home/back/transferred/referred from
            checks/checked/checking in/into/himself/herself to/into/at?
            goes to the? hospital/clinic
        """,
        Entity.EMPLOYER: """
            work/works/worked/working/job/employed/position/employment/career/hired/employee/internship/contract _? at/
                for/with
            staff/payroll/employee of/at/from
            salary from
            joined the? team at
            employed/hired/engaged/recruited/contracted by
            taken on by
            laid off from/by
            fired/dismissed/resigned/quit/retired/sacked from/by/at
            left/joins/joined
            intern/internship/interned/apprentice/apprenticeship at/with
            position/job/role/post with/at
            paycheck/paychecks/payslip/payslips/paid by/from?
            salary is paid by
            works as _ _? at/for/with
            on the payroll of/at
            employed .. by/at/with
            works/working/worked/employed .. at/for/with
            let go by/from
            made redundant by/at/from
            started/starts/begins/began at/with
            poached/headhunted/snapped by/up/away? by/from?
            salary/wages/wage/pay/paycheck/pension/cheque .. from/by
            boss/manager/supervisor/colleagues/coworkers/job/shift/shifts/desk/office/role/post/contract/internship/
                interview/traineeship at
            drives/drove/delivers/delivered/sells/sold/cleans/cooks/writes/teaches/codes/builds/designs/drive/deliver/
                sell .. for
            on the books/staff/board of/at
            years/months/decade/career/stint at/with
            reports/reported/commutes/commuted to
            moonlights/freelances/freelanced/consults/temped/temps for/at/with
            employs/paid/hired by
            offered .. by
            offer/contract from
            clerk/engineer/nurse/manager/driver/cashier/analyst/accountant/teacher/worker/salesman/developer/
                technician at/with
            handed/hands/gave/giving in her/his/their _? notice at/to
            secondment/seconded to
            serves/served/labours/toils/slaves/trains/trained/temping/moonlighting/freelancing/consulting/clerking/
                interning/apprenticed at/for/with
            clocks/clocked/clocking in/on/out? at
            manages/managed/supervises/stacks/stacked/packs/packed/answers/answered/repairs/repaired .. at/for
            in the employ of
            employed/hired/recruited/engaged/headhunted/poached by
            job/position/role/post/internship/traineeship/apprenticeship/placement/contract/interview at/with
            paycheck/paychecks/payslip/payslips/wages/salary/pension comes/come/came? from
            started/starts/began/begins work/working at/for/with
            warehouse/canteen/payroll/workforce/staff of/at
            colleague/colleagues/coworker/coworkers/workmates/employees/employee/trainee/temp/contractor of/at/from
            notice/stint/tenure/traineeship/apprenticeship at/with
            joined/joins/joining
            left/quit/quits/quitting
            employer is/was called?
            for/with the? company/firm/employer called?
            linkedin/profile/badge/cv .. is at/with
        """,
        Entity.DIAGNOSIS: """
            diagnosed
            allergic to
            presents/presented/presenting/lives/lived with
            because of
            suspected
            been living with
            suspected/confirmed/possible case of
            diagnosed with/as/by? having?
            diagnosed by _ with
            diagnosis of
            diagnosis .. of
            diagnosed .. with
            suffer/suffers/suffered/suffering _? from
            living/lives/lived/live with
            been? treated/medicated/hospitalized/hospitalised/admitted _? for/against
            treated/treatment because of
            due to
            therapy for/against
            history of
            diagnosed .. as having
            tested/tests/test positive for
            suffering/suffers from
            treated/treatment/therapy/medication .. for/against
            suffers/suffered/suffering .. from
            afflicted with/by
            hospitalized/hospitalised/admitted with/for
            doctors/doctor/scan/tests/test/biopsy/x-ray .. identified/spotted/detected/discovered
            identified/detected/discovered .. as
            down to
            a touch/bout/case/form/history of
            recovering/recovered/died/dies/dying from/of
            complications of/from
            battle/fight/struggle with/against
            operated/surgery/operation/chemotherapy/radiotherapy/dialysis/pills/tablets/injections .. for
            surgery/operation/chemotherapy/radiotherapy/pills/tablets for
            remission from
            prone to
            came/went down with
            living with
            told .. that she/he has
            struggle/struggles/struggled/struggling/cope/copes/coped/coping/grapples/grappled/fights/fought/battles/
                battled/battling with/against
            symptoms/bout/flare-up/attack/onset/relapse of
            known case of
            housebound/bedridden/hospitalised/hospitalized with/by
            troubled/plagued by
            survivor/sufferer of
            pmh/phx/hx : ?
        """,
        Entity.PRESCRIPTION: """
            refill/bottle/course/dose/doses/tablets/prescription/pack of/for
            prescribes/prescribe him/her/them/me?
            prescription of/for
            prescription reads
            takes/taking/took/take/taken
            medicated/treated with
            treated .. with
            on a course of
            takes/taking/took _ of/dose
            takes/taking/took daily/regularly/currently
            treatment/dose with/of
            medication consists of
            medication includes
            course of
            put/puts/started/starts him/her/them/me on
            prescribed
            takes/taking a daily/low/high/regular? dose of
            takes/taking/took .. of
            refill/refills/refilled for/of?
            dosage of
            takes/taking/gets/injects/swallows daily
            injects/injecting/injected
            prescription/script/repeat/refill/dose/dosage/supply/box/pack/bottle/packet/tablets/pills/injection/
                injections/milligrams/mg/shot/shots/course/vial .. of/for
            switched/switch/moved/changed/weaned .. to/onto/off
            put/started/kept .. on
            taken/came/come off
            swallows/swallow/swallowed/pops/popped/inhales/inhaled/injects
            hooked/addicted on/to
            sleep/function/cope/live without
            prescribed/recommended him/her/them?
            been/is/was taking
            treats/treated .. with
            takes/took/taking .. and
        """,
        Entity.TRANSACTION_AMOUNT: """
            transact/transacts/transacted/transfer/transfers/transferred/spent/spends/paid/pays/charged/sent/wired/
                purchased
            transaction/transfer/payment of
        """,
        Entity.NRP: """
            votes/voted/vote/voting/campaigns/campaigned/canvasses/canvassed/candidate/ran/stood/stands/
                campaigning for the?
            supporter/member .. of the
            supporter/member/supporters/members/voter of the?
            supports/supported/joined the
            affiliated/aligned with the?
            identifies/identify as an/a?
            registered as an/a
            politically , _ _? is/was an/a?
            call/calls/called/calling/considers/describes/describe herself/himself/themselves/myself as? an/a?
            politically she/he/they is/are/was? an/a?
            registered with the
            politically ,? she/he/they? is/identifies/leans as/toward/towards? an/a?
            leans politically?
            votes
            votes/voted/vote/voting always/usually/mostly/never?
            votes/voted/vote for the?
            leans/leaned/leaning/lean
            swung/switched/defected to the?
            card/membership/member/supporter/activist/councillor/donor/volunteer/delegate/candidate .. of/for/in the?
            card-carrying/lifelong/staunch/committed/convinced/devout/die-hard/registered/ardent/loyal
            politics/political .. is/are/a/as
            joined/left/joins/quit/represents/represented/backs/backed/endorses/endorsed the
            campaigns/canvasses/donates/donated/stood/ran/runs/leaflets for/to the?
            party is
        """,
        Entity.USERNAME: """
            online/internet/forum/web/chat/game/gaming/site/reddit/instagram/twitter .. as/by/called/is/goes/under
            goes by
            known online as
            posts/tweets/plays/streams/blogs/comments/writes as/under
            logs/log/logged/signs/signed in? on? as/with
        """,
    },
    capital={
        Entity.CREDIT_CARD_DIGITS: "x/xx/xxx/xxxx | **** | •",
        Entity.DOCTOR: "sees/saw/consults/consulted/visits | see/seeing/consult",
        Entity.HOSPITAL: """
            transferred/referred/taken/brought/moved/sent/went/goes to/from
            lies/stays/staying/stayed at/in
        """,
        Entity.DIAGNOSIS: """
            treatment/treated/care/cared/seen/medicated _? for/against/of
            struggling/struggles/ill/sick/down with/by/from
            found to have
            has been having
            battling/battles/battled
            case/signs of
            patient with
            contracted
            test/tests/result/results/examination/scan/biopsy showed/shows/show/revealed/reveals/confirmed/confirms/
                indicates/indicated
        """,
        Entity.PRESCRIPTION: "receives/receiving/received | relies/depends on | supplied with",
        Entity.NRP: """
            votes/voted/vote/voting
            backs/backed/backing/endorsed/endorses/supports/supported/joined/joins/left/quit the
            ran/runs/stood/stands/elected/sits/sat for/as the/a/an?
            leaflets/campaign/campaigns/money/donations/funds for the?
            member/supporter/activist/councillor/donor/voter/official/chair/treasurer of/for/with/in the
        """,
    },
    weak={
        Entity.JOB_TITLE: "is/was/am/are a/an | become/became/becoming a/an",
        Entity.DIAGNOSIS: "has/have/had/having | developed",
        Entity.PRESCRIPTION: """
            is/was/are/been/puts/put/start/started him/her/them? on
            to take
            ordered
            given
            uses/use/used/using
            needs/need
        """,
        Entity.EMPLOYER: """
            is/was/been now/currently? with
            joined
            employs
            is/was at
            has/have/'s been with
            phones/desk/tills/counter at
        """,
        Entity.NRP: "is/was/are/am/herself/himself/themselves/myself/staunchly/firmly/openly/proudly a/an?",
    },
    needs_form={
        Entity.DIAGNOSIS: """
            it was
            with
            confirmed/confirms/showed/shows/revealed
            case of
            for
            had/has been?
            turned/turns out to be
            was told it/that is/was/has
            it is/was/could/may/might be?
            learned/learnt/discovered/confirmed/suspected/suspects/fear/fears/feared .. has/had/have/is
            finds/found to have
            sick/medical leave with/for
            points/pointed to
            consistent with
            on account/grounds of
            put/puts .. down to
            known/confirmed/suspected
            names/lists/mentions/records/notes/states/reads
            manages/managing/managed/controls/hides/hid
            public/open with/about
            caught/catches/develops
            because/account/spite of her/his
        """,
        Entity.HOSPITAL: "at/to/from/in",
        Entity.JOB_TITLE: """
            , a/an
            has/had/have/'s/s been a/an
            hired/trained/employed/recruited/taken .. to be her/his/their/the/a/an? new?
            is/was now/currently/still/once/formerly/originally/actually a/an
            turned/remained/remains/stayed/stays a/an?
            works/worked for years as
            qualified/graduated as
            day job is/as
            by day .. is/was a/an
            who is/was a/an
            her/his husband/wife/brother/sister/mother/father/son/daughter ,? a/an
            former/retired/trainee/trained/qualified/freelance
            as a/an
            as their/its/our/her/his new
            become/became/becoming a/an
            trains/training/trained/studying/studied/study to be/become a/an?
            dreams/dreamt/dreamed of being/becoming a/an
            years/decades/spell/stint as a/an?
            apprenticed to a/an
            describes/introduced/introduces/lists/listed/registered/presented himself/herself/themselves/myself as a/an?
            badge/card/profile/linkedin/cv/signature/nameplate/contract/form/passport/doorplate .. says/reads/lists/
                gives/states/said/read/shows/calls _?
            occupation given/stated/listed/recorded _?
            hired/appointed/made/elected/named/engaged her/him/them/me
            promoted/promotion to
            her/his/their/my/our neighbour/neighbor/uncle/aunt/cousin/friend/colleague/partner/boss/client/tenant ,? a/
                an
            works/worked/employed/hired/serves/served in .. as
            gave/give/gives/giving up being/work/working a/an
            retired/ex
            son/daughter/child/wife/husband/widow of a/an
            gave/give/gives/giving up being/work/working _? a/an?
        """,
        Entity.PRESCRIPTION: """
            picks/picked/collects/collected/fetches/fetched/gets/got/fills/keeps/carries/needs/stopped/stops/quit/quits/
                refuses/tolerates up? her/his/their/my
            added/adds/gave/handed/tried/suggested/recommended/ordered/administered her/him/them/_?
            worth/supply/pack/box/bottle/tube/vial/strip of
            controlled/managed/sedated/controls/manages/eased/relieved with/by
            stay/stays/stayed/remain/remains/been/back/still/now on
            sent home with
            swears by
            rubs/rubbed/applies/applied/inhales/inhaled
            manage/cope/leave/day without her/his/their/my?
            weaned/dependent off/on
        """,
        Entity.NRP: """
            has/have/had/'s been/always/become/turned _? a/an?
            have/has/had always/long been a/an?
            used to be a/an
            being/be/become/became/remained/remains/turned a/an?
            family of
            comes/came from .. of
            views/opinions/politics/leanings/sympathies/beliefs/ideas .. are/is/were firmly/staunchly/openly/very/
                rather/fairly/clearly/decidedly?
            politically _? _? is/leans/are/was?
            describes/described/considers/calls/called/defines/sees/regards/counts/labels/identifies himself/herself/
                themselves/myself as? a/an?
            secret of being a/an?
            known/outed/famous as a/an?
            voted/votes/vote/voting for the?
        """,
    },
    after={
        Entity.DIAGNOSIS: """
            is/was what she/he/they has/had/suffers/have/suffer from?
            was/is/has been? been? diagnosed/found/detected/confirmed
            is/was her/his/their/the diagnosis/condition/illness/disease
            has troubled/plagued/affected/afflicted her/him/them
            is/was the diagnosis/condition/illness
            is/was what the? doctors/doctor found/diagnosed
            is/was what .. showed/found/revealed/confirmed/diagnosed/has/suffers
            is/was the .. diagnosis/disease/illness/condition
            keeps .. her/him
            is why she/he/they is/was/are
            was the finding
            was first diagnosed
            is/was what _ _? was diagnosed with
            is/was what _ _? suffers from
        """,
        Entity.PRESCRIPTION: """
            is/was what she/he/they takes/took/take/needs/uses/gets
            was/is/has been? been? prescribed
            is/was her/his/their/the prescription/medication/medicine/drug
            is/was what _ _? takes/took/uses/needs
            is/was the medication/drug/medicine
            is/was taken daily/twice/once/every/by
            is what the? doctor/doctors prescribed/ordered/prescribes
            is/was what _ _? was prescribed
        """,
        Entity.EMPLOYER: """
            is/was her/his/their employer/workplace/company
            employs/hired/employed/recruited/employed
            is/was where _ _? works/worked/work
            is/was where
            is where she/he/they works/work/is
            is the company/firm/employer
            is/was where _ _? works/worked
            pays her/his/their salary
            is/was the employer of
            pays/promoted/fired/dismissed/sacked/sponsors/relocated _ _?
            let/laid _ _? go/off
            has employed/hired/paid/sponsored
            made _ _? redundant
            is who pays/employs
            is where .. works/worked
            gave _ _? a job
            signs .. paycheck/paychecks
            kept _ _? on
            pays her/him/them
            employs/hired/employed/sacked/fired/dismissed/recruited/suspended/rehired/headhunted/poached _ _?
            gave/gives/offered/offers her/him/them/_ _? her/his/a/an _? job/position/internship/contract/role/post/
                promotion
            counts _ _? among
            has _ _? on its/the/their
            has/had hired/employed/sacked/fired/promoted/dismissed
            made her/him/them/_ _? _? redundant
            where _ _? works/worked
            , where she/he/they/_ _? works/worked
            is/was her/his/their/my employer/boss/workplace/company
            is/was the company/firm/employer that/where/_
            is/was who _ _? works/worked
            laid/let her/him/them/_ _? off/go
            has/had let/laid
            signs/signed/issues/issued her/his/their paycheck/paychecks/payslips
            wants/wanted her/him/them back
        """,
        Entity.HOSPITAL: """
            is/was where
            is where she/he/they was/is/gets/goes/were/receives treated/admitted/hospitalized?
            treats/treated/admitted her/him/them
            is her/his/their hospital/clinic
            is/was the hospital/clinic
            is/was where _ _? was/is/gets/goes/receives
            admitted/discharged/released/treated/kept/received/transferred _ _?
            operated on
            has/had treated/admitted/kept/discharged
            is where .. treated/admitted/operated/born/gave/recovering
            discharged her/him/them
            is treating
        """,
        Entity.DOCTOR: """
            is/was her/his/their doctor/physician/gp/surgeon/cardiologist/therapist/psychiatrist/dentist
            is/was her/his/their attending/family/primary/treating doctor/physician
            treats/treated/examined her/him/them
            is the doctor/physician
            prescribed her/him/them
            is treating her/him/them
            has/had been treating/seeing
            is/was the doctor/physician/surgeon/specialist
            operated on
            looks/looked after
            treats/treated/examined _ _?
            is/was the doctor/physician of
            is/was the cardiologist/dentist/surgeon/therapist/psychiatrist/dermatologist/neurologist/oncologist/
                specialist/gp/paediatrician/pediatrician/gynaecologist/gynecologist/consultant/midwife who/of/treating/
                for
            delivered/vaccinated/diagnosed/referred/admitted/discharged _ _?
            has/had operated/treated/examined/diagnosed/looked
            took out/over
            put her/him/them on
            signed _ _? off
            is/was the one/person/doctor/surgeon/man/woman who/that
            is/was _ _ 's doctor/gp/surgeon/dentist/therapist/psychiatrist/cardiologist/physician/paediatrician/
                neurologist/dermatologist
            operated/operates on
            performed/carried _ _? surgery/operation/out
            has/had been? treated/operated/seen/examined/diagnosed/prescribed/looked/cared
            cares/cared for
            saw/sees _ _?
            prescribed/prescribes/ordered/recommended
            is/was in charge
            will be? see/operate/treat/examine/seeing/operating/treating
        """,
        Entity.JOB_TITLE: """
            by trade/profession/training/occupation
            is/was her/his/their job/profession/occupation/title/position/role/trade
            is what she/he/they does/do for
            is what she/he/they works/work as
            is/was her/his/their job/current/official title/position/role/job
            is/was the job/occupation/profession of
            is how she/he/they earns/earn/makes/make
            is what _ _? does/did/works/worked/is/was
            is what she/he/they is/are/was/were/became/trained
            is/was _ _ 's job/profession/occupation/trade/title
            is the job/position/role/post/title
            by day/night ,?
            by trade/training/profession/vocation/calling ,?
            is what is/stands/says on
            is written/printed/listed
        """,
        Entity.NRP: """
            in her/his/their politics/views
            has/had .. vote/support
            by conviction
            is who/what she/he/they votes/vote for
            is her/his/their party
            is/was her/his/their political
            counts/counted _ _? among/as/on
            has/had _ _? 's vote/support
            expelled/nominated/selected/suspended/admitted _ _?
            at heart
            by conviction/upbringing/family
            is/was _ _? 's party
            is/was the party/choice
            can count on
            gets/got/has _ _? 's? vote
            has/had had? _ _ _? _? vote/support
        """,
    },
    asks={
        Entity.DOCTOR: """
            who .. treat/treats/treated/treating/see/sees/seeing/attend/attends/attended/attending/examine/examines/
                examined/examining
            who .. cares/caring/care for
            who .. looks/looking/look after
            who .. operation/surgery
            who .. operated
            who .. in charge
            whose care
            by whom .. treated/seen
            whose patient
            who .. doctor
        """,
        Entity.DIAGNOSIS: """
            diagnosed/suffer/suffers/suffering/suffered
            why .. treat/treated/hospital/hospitalized/hospitalised/ill/sick/doctor/medicated/clinic
            why .. sick/leave/off/absent
            wrong with
            what .. doctors/doctor .. find/found
            what .. ails/ailing
            treated for
            sick/ill with
        """,
        Entity.HOSPITAL: """
            where .. surgery/operation/born/birth/operated
            where .. treat/treats/treated/treating/treatment/admitted/hospitalized/hospitalised/operated/therapy/
                hospital/clinic
            where .. a patient
            where .. medical care
            where .. be/being/get/gets cared
            where .. receive/receives/received/receiving care
        """,
        Entity.PRESCRIPTION: """
            prescribe/prescribed/prescribes
            what .. takes/take/taking/swallow/swallows
            what .. treated with
        """,
        Entity.EMPLOYER: """
            where .. work/works/worked/working/employed/employee/job
            for/with/by whom .. work/works/worked/employed
            who/whom .. employ/employs/employed/hire/hires/hired
            who/whom .. work/works/working for
            who .. pays .. salary
            hired
            whose payroll
        """,
        Entity.JOB_TITLE: """
            what .. do/does/doing .. do/work/earn for a living
            what .. do/does/doing .. do/work/earn for/at work
            what .. do/does/doing .. do/work/earn professionally
            what .. do/does/doing .. living
            what .. do/does/doing .. do/work/earn .. as
            what .. do/does .. do ?
            as what
            work/works/working/employed as
            earn/earns/make/makes a/his/her/their? living/money
            by profession/trade
        """,
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
        Entity.NRP: """
            who .. vote/votes/voted for
            whom .. vote/votes/voted
            which/what party
            how .. vote/votes/voted
            political/politically/politics
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
    stop="""
        is are was were be been being has have had do does did can could may might must shall should will would who whom
        whose which that where when while because although though but or nor so if then than since until after before
        during at for in on by with from to into onto under over about against per via without within between through
        near he she they it we you i his her their our my your its this these those lives live lived works work worked
        takes take took sees see saw suffers suffer receives uses needs pays paid owes said says told according as every
        each daily twice once currently now today yesterday tomorrow also please not the a an employed diagnosed
        prescribed treated admitted seen last next among amid despite throughout earlier later ever yet again abroad
        full-time part-time there here instead only all both out off up down back away even around alongside besides
        whenever unless whether again
    """,
    inside="of and or",
    start="""
        put kept told sent left taken applied worthless offended battling fighting coping struggling dealing living
        suffering having being feeling getting managing fighting
    """,
    idioms="""
        private stable serious good bad better worse critical mild severe fine normal improved unchanged hard easy
        important known care place part time long short clear safe new old common rare difficult often open full closed
        vacant off up down out back over away turns note notice advantage pride charge hold home rest breakfast lunch
        dinner tea coffee notice note notes care time part place advantage office action control aim shape hold heed
        leave offence offense refuge root turns
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
