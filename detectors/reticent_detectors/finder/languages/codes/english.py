"""Numbers and secrets in English: what they are called, and how fields that hold them are headed."""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity

NOUNS: Mapping[Entity, str] = {
    Entity.US_SSN: "ssn/ssns/social | social security number/no/digits? | ssn/social number/no/digits",
    Entity.PASSWORD: """
        password/passwords/passwd/passphrase/pwd/passcode
        pass word/phrase
        access/login/temporary/initial/master password
        temp pass/password
        wi-fi/wifi password/key
    """,
    Entity.PIN: """
        pin/pincode
        pin code/number/no
        security/access/unlock/door/alarm/gate/entry/verification/secret/safe/voicemail/bank/card/atm/phone/keypad/
            entrance/one-time code/pin
        4-digit/four-digit/six-digit code/pin
        code to/for the/her/his/their safe/door/gate/alarm/phone
    """,
    Entity.USERNAME: """
        username/userid/nickname/handle/alias/login
        user name/id/account/login
        log-in/login/screen/account/profile/sign-in name/id
        user handle
    """,
    Entity.MEDICAL_RECORD_NUMBER: """
        mrn
        medical/health/hospital/clinical/clinic/patient record/chart/file number/no/id?
        chart/record/patient/mr number/no/id/identifier
        case/patient file
        hospital number/no/id
        medical/health file
        health id
    """,
    Entity.NATIONAL_ID: """
        national id/identity/identification/insurance number/no/card/id?
        identity/identification/id card/document/paper/number/no number/no?
        ni number/no
        emirates id/identity card/number/no?
        citizen/personal/government/resident/residence id/number/identity card/number/no?
        nino
        social insurance number/no?
        identity number
        personal identity code
        employee/staff/personnel/student/badge number/no/id
    """,
    Entity.PASSPORT: """
        passport/passports
        passport number/no/id
        number of/in _ passport
        travel document number/no?
    """,
    Entity.DRIVER_LICENSE: """
        driver/drivers/driving/operator 's? license/licence/permit number/no/id?
        license/licence number/no/id
        dl number/no/id
        number of/on _ driving licence
        licence/license
    """,
    Entity.TAX_ID: """
        tax/taxpayer/fiscal id/number/no/code/identifier/identification/reference number/no/id?
        tin/utr
        vat number/no/id
        tax identification/file number/no?
    """,
    Entity.BIOMETRIC_ID: """
        fingerprint/fingerprints/biometric/biometrics/iris/retina/voiceprint/faceprint/palmprint
        fingerprint/biometric/iris/retina/face/facial/voice/palm id/template/hash/scan/code/key/record/data/print/
            identifier/reference/profile/number/enrolment/enrollment id/number/code?
    """,
    Entity.DATE_OF_BIRTH: "dob/birthdate/birthday/birth/born | date/day of birth | birth date/day | born on",
    Entity.SECRET_KEY: """
        api/access/secret/private/encryption/signing/deploy/master key/token/secret
        token/apikey
        bearer/session/refresh/auth token
        secret key
    """,
    Entity.BANK_ACCOUNT: """
        acct/account
        acct no/number/num/nr
        account num/nr/no/id
        giro account
        iban
        current account
        customer/client/member/membership/policy/contract/subscriber number/no/id
        sort code
        routing number/no
    """,
    Entity.ORDER_NUMBER: "order/tracking/parcel num/nr/no/id/code | purchase order | order ref",
}
"""What sentences and labels call them."""

FIELDS: Mapping[Entity, str] = {
    Entity.PASSWORD: """
        network/default/one-time/router/portal/app/mobile/backup/recovery/root/admin/database/db/vault/keystore/
            email/account/user/encryption password/passphrase/pass/pwd
        pw
        pass phrase/key
        password hash/hint?
        wifi/wi-fi pass/key/passphrase
        secret word/phrase
        login pass
        passkey
    """,
    Entity.PIN: """
        personal identification number
        pin num/nr/#
        pin number/code for card/phone/sim/account
        sim/debit/credit/bank/cash/card/app/lock/screen/garage/building/parking/suitcase/mailbox/intercom/keypad/
            panel/wallet/tablet/vault pin/code
        four/six digit code/pin
        lock/safe/locker combination
        passcode
        puk/puk1/puk2
        telephone banking code/pin
    """,
    Entity.USERNAME: """
        usr/uname/loginname/screenname/nick
        login/sign-in/signin/user/member/profile/gamer/chat/forum/display/portal/system/network name/id/handle/tag
        online/account handle/alias/nickname/name
        gamertag
        twitter/instagram/github/discord/reddit/tiktok/twitch/steam/social/telegram handle/username/name/account/id/
            user
    """,
    Entity.ORDER_NUMBER: """
        order #
        order num/nr/code/key
        po #
        shipment/tracking/booking/reservation/confirmation/invoice/return/rma/transaction id/code/no/nr/num
        waybill number/no?
        consignment number/no?
    """,
    Entity.MEDICAL_RECORD_NUMBER: """
        med/medical rec/record num/nr/id
        pt/patient id/no/num/nr/identifier/number/code
        hospital/clinic/chart id/num/nr/identifier
        mr #
    """,
    Entity.NATIONAL_ID: """
        id no/nr/num/card/number/document
        national/citizen/identity/personal/resident id/no/num/nr/code
        identity card no/nr/num?
        passport or id
        document no/number/id/nr
        id document number/no?
    """,
    Entity.BIOMETRIC_ID: """
        biometric token/key/ref/hash
        bio id
        fingerprint template/hash/data/ref/no/number/code
        face/iris/retina/voice/palm/vein scan/pattern/signature/print id/code/no/number?
        facial recognition id/code?
    """,
    Entity.TAX_ID: """
        tax no/nr/num/code/ref
        tax registration number/no?
        tax identification
        vat id/reg/registration no/number?
    """,
    Entity.DRIVER_LICENSE: """driver/drivers/driving license/licence id/nr/num | dl id/nr/num | permit number/no""",
}
"""How forms, tables and code call and shorten them besides."""
