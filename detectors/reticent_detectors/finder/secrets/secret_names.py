"""What passwords, user names, PINs and tokens are called in many languages, and commands that take one.

Each constant is a part of patterns that are matched without regard to case.
"""

from __future__ import annotations

# What may follow the noun in languages that put the adjective behind it.
_STATES = (
    r"(?:\s(?:tempor[áa]\w{0,6}|provvisori[ao]|provisoire|provis[óo]ri[ao]|inicial|iniziale|initiale?|actual|attuale"
    r"|atual|actuelle?|nuev[oa]|nuov[oa]|nov[oa]|personal\w{0,2}|ma[eî]stra|mestra))?"
)
PASSWORDS = (
    r"(?:pass[ -]?words?|passwd|pass[ _-]?phrase|pwd|passcode|pass ?wort|kennwort|mot de passe|mdp|contrase[ñn]a"
    r"|clave(?: de acceso)?|parola d['’]ordine|parola chiave|senha"
    r"|palavra[- ]passe|wachtwoord|hasło|lösenord|adgangskode|passord|salasana|пароль|şifre|heslo|jelszó|κωδικός"
    r"|密码|密碼|パスワード|비밀번호|كلمة المرور|סיסמה)" + _STATES
)
USERS = (
    r"(?:user[ _-]?name|user[ _-]?id|log[ -]?in(?:[ _-]?(?:name|id))?|screen[ _-]?name|nick(?:[ _-]?name)?"
    r"|account[ _-]?name|handle|benutzer(?:name|kennung)?|nutzername|anmeldename"
    r"|login ?name|anmeldekennung|profilname|kontoname|nom d['’]utilisateur|nom de compte"
    r"|identifiant(?: de connexion)?|pseudo(?:nyme)?|alias|apodo|nombre de cuenta|nome account|nome (?:de|da) conta"
    r"|(?:nome de )?utilizador|(?:nombre de )?usuario|(?:nome )?utente|(?:nome de )?usu[áa]rio|gebruikersnaam"
    r"|nazwa użytkownika|användarnamn|brukernavn|brugernavn"
    r"|käyttäjätunnus|логин|имя пользователя|kullanıcı adı|用户名|ユーザー名"
    r"|(?:twitter|instagram|github|gitlab|reddit|discord|telegram|tiktok|snapchat|mastodon|skype|steam|twitch"
    r"|bluesky)"
    r"(?:[ _-](?:handle|account|user(?:name)?|id|name|profile))?)"
)
PINS = (
    r"(?:pin(?:[ _-]?(?:code|number|no\.?|nummer))?|pin-?code|passcode"
    r"|(?:security|access|unlock|door|alarm|gate|voicemail|entry|verification|one-time|lock)[ _-]code|geheimzahl"
    r"|code (?:pin|secret|d['’]accès)"
    r"|código (?:pin|secreto|de acceso)|codice pin|pincode|nip|otp|clave pin)"
)
TOKENS = (
    r"(?:(?:api|access|secret|auth|private|client|encryption|signing|session|refresh|csrf|app|application|consumer"
    r"|service|bot|deploy|webhook|licen[sc]e|account|storage|master|shared)"
    r"[ _-]?(?:key|token|secret)(?:[ _-]?(?:id|key))?"
    r"|token|secret|api[ _-]?key|credential|authorization|accountkey|sharedaccesskey|sas|x-api-key|bearer|jwt|cookie"
    r"|session[ _-]?id|密钥|clé (?:api|secrète)|api-schlüssel)"
)
COMMANDS = (
    r"(?:mysql|mysqldump|mysqladmin|sshpass|docker\slogin|podman\slogin|psql|smbclient|redis-cli|mongo\w*|ldap\w+|zip"
    r"|unzip|7z|htpasswd|az\slogin|oc\slogin|kinit)"
)
LOGIN_CALL = (
    r"(?:login|log_in|authenticate|sign_?in|auth\s?=\s?|HTTPBasicAuth|BasicAuth)\(\s?(?:username\s?=\s?|user\s?=\s?)?"
)
