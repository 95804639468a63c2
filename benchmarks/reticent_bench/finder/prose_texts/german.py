"""German wordings."""

LOCALE = "de_DE"

PROSE = {
    "DIAGNOSIS": """
        Nach langer Suche stellten die Ärzte bei {n} {v} fest.
        {n} leidet seit vielen Jahren an {v}.
        Bei ihr wurde im Frühjahr {v} diagnostiziert.
        Er ist vor kurzem an {v} erkrankt und fällt mehrere Monate aus.
        Der Befund bestätigt {v}, die Therapie beginnt nächste Woche.
        {n} lebt schon lange mit {v}.
        Die Patientin wurde mit Verdacht auf {v} eingeliefert.
        Seine Krankmeldung nennt {v} als Grund.
        Im Arztbrief steht, dass {n} {v} hat.
        Sie befindet sich wegen {v} in Behandlung.
        Als bekannte Vorerkrankung wird {v} angegeben.
        Mein Onkel {n} bekam mit fünfzig {v}.
        Niemand im Büro wusste, dass er {v} hatte.
        ^ {v} lautete am Ende der Befund bei {n}.
        ^ {v} ist die Krankheit, mit der {n} zu kämpfen hat.
        Woran leidet {n}? || {v}.
        Welche Diagnose hat {n} bekommen? || Bei ihr wurde {v} festgestellt.
        Warum ist {n} krankgeschrieben? || Wegen {v}.
    """,
    "PRESCRIPTION": """
        Der Hausarzt hat {n} {v} verschrieben.
        {n} nimmt jeden Morgen {v} ein.
        Seit der Operation bekommt er {v}.
        Gegen die Schmerzen erhält sie zweimal täglich {v}.
        Die Patientin wurde auf {v} eingestellt.
        {n} hat in der Apotheke ein Rezept für {v} eingelöst.
        Wegen der Nebenwirkungen wurde er auf {v} umgestellt.
        Ihre Beschwerden behandelt sie mit {v}.
        Ohne {v} kommt {n} nicht durch den Tag.
        Die Ärztin verordnete ihm {v} für vier Wochen.
        Zurzeit steht {n} unter {v}.
        Die aktuelle Medikation von {n} besteht aus {v}.
        ^ {v} wurde {n} gegen den hohen Blutdruck verschrieben.
        ^ {v} nimmt {n} immer abends vor dem Schlafengehen.
        Welches Medikament nimmt {n}? || {v}.
        Was hat der Arzt {n} verschrieben? || Er hat ihr {v} verschrieben.
        Womit wird {n} behandelt? || Mit {v}.
    """,
    "EMPLOYER": """
        {n} arbeitet seit dem Studium bei {v}.
        Er ist bei {v} angestellt.
        Seit 2018 ist sie für {v} tätig.
        {n} hat im Herbst eine Stelle bei {v} angetreten.
        Nach der Elternzeit kehrte sie zu {v} zurück.
        Sein Arbeitgeber ist {v}.
        {n} wechselte im Mai zu {v}.
        Sie leitet bei {v} die Buchhaltung.
        Er hat bei {v} gekündigt.
        {n}, Mitarbeiterin von {v}, war nicht zu erreichen.
        Laut Arbeitsvertrag ist {n} bei {v} beschäftigt.
        Die Firma, in der {n} arbeitet, heißt {v}.
        Seine Ausbildung machte er bei {v}.
        ^ {v} hat {n} direkt nach dem Studium eingestellt.
        ^ {v} beschäftigt {n} in der Rechtsabteilung.
        Wo arbeitet {n}? || {v}.
        Bei wem ist {n} angestellt? || Sie ist bei {v} angestellt.
        Wie heißt der Arbeitgeber von {n}? || Er heißt {v}.
    """,
    "JOB_TITLE": """
        {n} arbeitet als {v} in Kassel.
        Von Beruf ist {n} {v}.
        Sie hat eine Ausbildung als {v} gemacht.
        Er verdient sein Geld als {v}.
        {n} ist gelernter {v}.
        Seit Januar ist sie als {v} beschäftigt.
        Er wurde zum {v} befördert.
        {n} war über zwanzig Jahre lang {v}.
        Auf ihrer Visitenkarte steht {v}.
        Sein Beruf ist {v}.
        {n} hat eine neue Stelle als {v} gefunden.
        Früher war er {v}, heute ist er im Ruhestand.
        Sie bewarb sich als {v} und wurde sofort genommen.
        ^ {v} ist {n} mit Leib und Seele.
        ^ Als {v} kennt {n} das Problem aus dem Alltag.
        Was macht {n} beruflich? || Sie ist {v}.
        Welchen Beruf hat {n}? || {v}.
        Als was arbeitet {n}? || Er arbeitet als {v}.
    """,
    "DOCTOR": """
        {n} hat am Donnerstag einen Termin bei Dr. {v}.
        Ihr Hausarzt {v} hat sie überwiesen.
        Die Operation wurde von Dr. {v} durchgeführt.
        {n} ist seit Jahren bei Frau Dr. {v} in Behandlung.
        Der behandelnde Arzt ist {v}.
        Laut Herrn Dr. {v} besteht kein Grund zur Sorge.
        Bitte schicken Sie den Befund an Dr. med. {v}.
        Seine Kardiologin heißt {v}.
        {n} wird von Prof. Dr. {v} betreut.
        Für eine zweite Meinung ging sie zu {v}, einem Facharzt für Neurologie.
        Das Attest hat {v} unterschrieben, die Hausärztin der Familie.
        Ihr Psychiater {v} hat die Dosis angepasst.
        ^ {v} behandelt {n} schon seit der Kindheit.
        ^ Dr. {v} rief {n} gestern wegen der Ergebnisse an.
        Wer ist der Arzt von {n}? || {v}.
        Zu welchem Arzt geht {n}? || Sie geht zu Dr. {v}.
        Wer hat {n} operiert? || Das war {v}.
    """,
    "HOSPITAL": """
        {n} wurde mit dem Rettungswagen ins {v} gebracht.
        Sie liegt seit Montag im {v}.
        Er wird im {v} behandelt.
        Die Operation findet im {v} statt.
        {n} kam im {v} zur Welt.
        Aus dem {v} wurde sie am Freitag entlassen.
        Man verlegte ihn in das {v}.
        {n} geht dreimal in der Woche zur Dialyse ins {v}.
        Ihre Akte liegt im {v}.
        Nach dem Unfall verbrachte er zwei Wochen im {v}.
        Besuchen können Sie {n} im {v}, Station 4.
        Das Krankenhaus, in dem {n} liegt, ist das {v}.
        ^ Das {v} nahm {n} mit Brustschmerzen auf.
        ^ Im {v} bekam {n} ein neues Knie.
        In welchem Krankenhaus liegt {n}? || {v}.
        Wo wurde {n} operiert? || Im {v}.
        Wo wird {n} behandelt? || Sie wird im {v} behandelt.
    """,
    "FLIGHT:route": """
        {n} fliegt von {v}.
        Der Flug von {v} ist auf {n} gebucht.
        Sie hat ein Ticket von {v}.
        Seine nächste Reise geht von {v}.
        Für {n} ist die Verbindung {v} reserviert.
        Laut Buchung reist sie von {v}.
        ^ {v}: diese Verbindung hat {n} gebucht.
        Welchen Flug hat {n} gebucht? || {v}.
        Wann und wohin fliegt {n}? || Sie fliegt von {v}.
    """,
    "FLIGHT:number": """
        {n} reist mit dem Flug {v}.
        Ihre Maschine, {v}, startet um zehn nach sechs.
        Er hat {v} verpasst und musste am Flughafen übernachten.
        Bitte hol {n} ab, sie landet mit {v}.
        Wir haben ihn auf {v} umgebucht.
        Die Bordkarte für {v} lautet auf {n}.
        ^ {v} ist der Flug, den {n} nimmt.
        Welche Flugnummer hat {n}? || {v}.
        Mit welchem Flug kommt sie? || Mit {v}.
    """,
    "TRANSACTION_AMOUNT": """
        {n} hat gestern {v} an ihre Schwester überwiesen.
        Er bezahlte für den Wagen {v} in bar.
        Von {n} ging eine Zahlung über {v} ein.
        Am Automaten hob sie {v} ab.
        Die Bank buchte {n} versehentlich {v} ab.
        {n} schuldet dem Vermieter noch {v}.
        Sein Gehalt betrug im letzten Monat {v}.
        Die Rechnung von {n} belief sich auf {v}.
        {n} bekam {v} zurückerstattet.
        Als Anzahlung hat sie {v} geleistet.
        Er schickte mir {v} über die App.
        Der Kontostand von {n} beträgt {v}.
        ^ {v} wurden heute vom Konto von {n} abgebucht.
        ^ {v} hat {n} ihm geliehen.
        Wie viel hat {n} überwiesen? || {v}.
        Wie hoch war die Zahlung? || Die Zahlung betrug {v}.
        Was hat {n} ausgegeben? || Sie hat {v} ausgegeben.
    """,
    "UTILITY_BILL": """
        Die Stromrechnung von {n} betrug letzten Monat {v}.
        Für Gas und Strom zahlt sie {v} im Monat.
        Die Stadtwerke stellten ihm {v} in Rechnung.
        Seine Heizkosten lagen im Winter bei {v}.
        {n} gibt für Nebenkosten etwa {v} aus.
        Die letzte Wasserrechnung belief sich auf {v}.
        {n} ist mit der Gasrechnung im Rückstand und schuldet {v}.
        Ihr Energieversorger bucht jeden Monat {v} ab.
        Für Wasser und Abwasser wurden {n} {v} berechnet.
        Der Abschlag für Strom beträgt {v}.
        Die Nebenkosten der Wohnung von {n} summieren sich auf {v}.
        Über eine Stromnachzahlung von {v} war er entsetzt.
        ^ {v} zahlt {n} für Strom.
        ^ {v} kostet {n} die Heizung jeden Monat.
        Wie hoch ist die Stromrechnung von {n}? || {v}.
        Was zahlt sie für Gas und Wasser? || Sie zahlt {v}.
        Wie viel schuldet {n} den Stadtwerken? || Es sind {v}.
    """,
    "NRP:party": """
        {n} wählt seit Jahren {a}{v}.
        Sie engagiert sich für {a}{v}.
        Er kandidiert bei der Kommunalwahl für {a}{v}.
        {n} hat Geld an {a}{v} gespendet.
        Ihre Stimme bekam immer {a}{v}.
        Er ist aus der Partei {v} ausgetreten.
        {n} macht im Wahlkampf Werbung für {a}{v}.
        ^ {a}{v} hat {n} bei jeder Wahl angekreuzt.
        Welche Partei wählt {n}? || {a}{v}.
        In welcher Partei ist er? || Er ist bei {v}.
    """,
    "NRP:view": """
        Politisch ist {n} {v}.
        {n} bezeichnet sich selbst als {v}.
        Seine politische Einstellung ist {v}.
        Sie macht kein Geheimnis daraus, dass sie {v} ist.
        {n} stammt aus einem Elternhaus, das {v} geprägt war.
        In den meisten Fragen denkt sie {v}.
        ^ {v} eingestellt ist {n}, seit ich ihn kenne.
        Welche politische Haltung hat {n}? || {v}.
        Wo steht sie politisch? || Sie ist {v}.
    """,
    "VEHICLE_ID": """
        Der Unfallverursacher flüchtete in einem silbernen Kombi mit dem Kennzeichen {v}.
        {n} fährt einen alten Bus, amtliches Kennzeichen {v}.
        Abgeschleppt wurde gestern der Wagen von {n}, Nummernschild {v}.
        Im Fahrzeugschein von {n} ist die Fahrgestellnummer {v} eingetragen.
        Der Blitzer erfasste ihn mit 87 km/h, Kennzeichen {v}.
        Für die Rückrufaktion brauchte die Werkstatt die FIN von {n}, sie lautet {v}.
        Der Nachbar notierte sich {v}, das Kennzeichen des Transporters, in den {n} gestiegen war.
        Die Halterabfrage zum Kennzeichen {v} führte die Beamten zu {n}.
        Bitte lassen Sie {n} in die Tiefgarage, das Auto hat das Kennzeichen {v}.
        Versichert ist der Pkw von {n} mit der Fahrzeug-Identifizierungsnummer {v}.
        Sie hat sich für den neuen Wagen das Wunschkennzeichen {v} reserviert.
        Meine Schwester steht auf Deck 3, ihr Autokennzeichen ist {v}.
        Gegen {n} als Halter des Kfz mit dem Kennzeichen {v} ergeht ein Bußgeldbescheid.
        Im Kaufvertrag steht als Fahrgestellnummer {v}, unterschrieben hat ihn {n}.
        Die FIN seines Cabrios, eingeschlagen im Motorraum, ist {v}.
        Der Anhänger, den {n} verliehen hat, trägt das Nummernschild {v}.
        ^ {v} ist das Kennzeichen des Wagens, mit dem {n} jeden Morgen meine Einfahrt blockiert.
        ^ {v} stand auf dem Nummernschild, als {n} vom Hof fuhr.
        ^ {v} lautet die Fahrgestellnummer in den Papieren, die {n} vorgelegt hat.
        Welches Kennzeichen hat das Auto von {n}? || {v}.
        Wie lautet die FIN für die Schadenmeldung? || Sie lautet {v}.
        Haben Sie sich das Nummernschild gemerkt? || Ja, es war {v}.
    """,
    "DEVICE_ID": """
        Das gestohlene Handy von {n} hat die Seriennummer {v}.
        {n} hat am ersten Arbeitstag einen Dienstlaptop mit der Gerätenummer {v} erhalten.
        Bitte sperren Sie mein Telefon, die IMEI ist {v}.
        Sein Herzschrittmacher wurde unter der Seriennummer {v} erfasst.
        Im Implantatpass von {n} ist {v} als Seriennummer vermerkt.
        Nach dem Ausscheiden von {n} löschte die IT das Tablet mit der Geräte-ID {v}.
        Das Hörgerät, Serien-Nr. {v}, wurde am Montag an {n} ausgegeben.
        Bei der Durchsuchung stellten die Beamten bei {n} ein Mobiltelefon sicher, IMEI {v}.
        Die Anmeldung kam von einem Gerät mit der Kennung {v}, das auf {n} registriert ist.
        Ihre Insulinpumpe (Seriennummer {v}) fällt unter den Rückruf.
        Zum Garantieschein gehört die Seriennummer {v}, Käuferin war {n}.
        Auf der Rückseite seiner Kamera ist die Seriennummer {v} eingraviert.
        Die SIM-Karte aus dem Vertrag von {n} trägt die Seriennummer {v}.
        Über die Hardware-ID {v} ließ sich der Beitrag {n} zuordnen.
        Für die Schadensmeldung hat {n} die Gerätenummer durchgegeben: {v}.
        Ich habe deine neue Uhr eingetragen, sie läuft jetzt unter der Geräte-ID {v}.
        Das Fundbüro hat ein Smartphone mit der IMEI {v} und fragt, ob es {n} gehört.
        ^ {v} ist die Seriennummer des Defibrillators, den man {n} eingesetzt hat.
        ^ {v} steht als Seriennummer auf dem Laptop, den {n} in der Bahn vergessen hat.
        Welche Seriennummer hat der Laptop von {n}? || {v}.
        Können Sie mir die IMEI des verlorenen Handys nennen? || Gern, sie lautet {v}.
        Unter welcher Geräte-ID ist {n} angemeldet? || Unter {v}.
    """,
    "COORDINATES": """
        {n} wohnt in einer Hütte bei {v}, weit weg von jeder Straße.
        Zuletzt war ihr Handy kurz vor Mitternacht bei {v} eingeloggt.
        Die Bergwacht fand {n} unterkühlt an der Position {v}.
        Er hat den Wohnwagen bei {v} abgestellt und den Schlüssel stecken lassen.
        Laut Tracker steht das Auto von {n} seit Freitag auf {v}.
        Gib {v} ins Navi ein, dann kommst du direkt zu unserem Hof.
        In den Metadaten ihres Fotos stand noch der Aufnahmeort {v}.
        Die Fußfessel meldete {n} drei Nächte hintereinander an den Koordinaten {v}.
        {n} wurde zuletzt in der Nähe von {v} gesehen, bekleidet mit einer roten Jacke.
        Notruf von {n}: Sturz vom Rad, GPS {v}, Bein vermutlich gebrochen.
        Aus Versehen hat {n} den Livestandort {v} an die ganze Klasse geschickt.
        Zur Tatzeit befand sich das Telefon des Verdächtigen bei {v}.
        Ihre Laufrunde beginnt und endet jedes Mal bei {v}, also vor der eigenen Haustür.
        Der letzte Funkspruch des Seglers {n} kam von {v}.
        Wir zelten gerade bei {v}, kommt doch nach!
        Für die Drohnenlieferung hat {n} als Ablageort {v} angegeben.
        ^ {v} ist die Stelle, an der {n} das Handy ausgeschaltet hat.
        ^ {v}: genau dort hat er {n} den Antrag gemacht.
        ^ Bei {v} verlor sich die Spur von {n}.
        Wo genau steht der Wagen von {n}? || {v}.
        Schickst du mir die Koordinaten von eurem Haus? || Klar: {v}.
        Wo hielt sich {n} um drei Uhr nachts auf? || Den Ortungsdaten zufolge bei {v}.
    """,
    "SEXUAL_ORIENTATION": """
        {n} hat sich mit sechzehn als {v} geoutet.
        Im Kollegium weiß inzwischen jeder, dass {n} {v} ist.
        Ich bin {v}, aber mein Chef soll das nicht erfahren.
        {n} lebt seit Jahren offen {v}.
        Auf der Dating-Plattform bezeichnet {n} sich als {v}.
        Unter uns gesagt: {n} ist {v}, behalt das bitte für dich.
        Im Asylverfahren gab {n} an, {v} zu sein und deshalb bedroht zu werden.
        Seit die Klasse weiß, dass {n} {v} ist, hören die Hänseleien nicht auf.
        Meine Eltern wollen einfach nicht wahrhaben, dass ich {v} bin.
        Lange traute {n} sich nicht zu sagen: Ich bin {v}.
        {n} versteht sich selbst als {v} und redet darüber ganz entspannt.
        Sexualanamnese: nach eigenen Angaben {v}, feste Partnerschaft seit vier Jahren.
        Eine Illustrierte hat {n} gegen jede Absprache als {v} geoutet.
        Dass {n} {v} ist, hat in der Familie nie jemanden gestört.
        Erst im Studium wurde {n} klar, dass das passende Wort {v} lautet.
        Bei der Frage nach der sexuellen Orientierung hat {n} {v} angekreuzt.
        Wegen der Gerüchte stellte {n} klar, {v} und glücklich vergeben zu sein.
        ^ {v} ist {n} nach eigenen Worten schon immer gewesen.
        ^ {v} zu sein, war für {n} auf dem Dorf nicht leicht.
        Welche sexuelle Orientierung hat {n}? || {v}.
        Steht {n} auf Männer oder auf Frauen? || Ich habe gehört, {v}.
        Als was würde {n} sich bezeichnen? || Als {v}.
    """,
    "CRIMINAL_RECORD": """
        {n} wurde wegen {v} zu zwei Jahren auf Bewährung verurteilt.
        Er sitzt seit dem Frühjahr wegen {v} in Untersuchungshaft.
        Die Staatsanwaltschaft wirft {n} {v} vor.
        Ihr Führungszeugnis enthält einen Eintrag wegen {v}.
        {n} ist wegen {v} vorbestraft, in der Bewerbung stand davon nichts.
        Gegen {n} wird seit Monaten wegen {v} ermittelt.
        Vor Gericht hat {n} {v} in vollem Umfang gestanden.
        Die Anklage gegen {n} lautet auf {v}.
        Mein früherer Vermieter saß drei Jahre für {v}.
        Am Sonntagabend nahm die Polizei {n} fest, es geht um {v}.
        Das Landgericht sprach ihn wegen {v} in zwei Fällen schuldig.
        Im Strafregister von {n} taucht {v} gleich zweimal auf.
        Seine Einbürgerung scheiterte an einer alten Verurteilung wegen {v}.
        Angeklagt wegen {v}, schwieg {n} den ganzen Prozess über.
        Dem Geschäftsführer {n} wird {v} zur Last gelegt.
        ^ {v} brachte {n} für achtzehn Monate hinter Gitter.
        ^ {v} steht im Urteil gegen {n}, die Strafe ist noch nicht verbüßt.
        ^ Wegen {v} war {n} schon mit neunzehn im Gefängnis.
        Wofür wurde {n} verurteilt? || {v}.
        Warum saß er im Gefängnis? || Wegen {v}.
        Ist {n} vorbestraft? || Ja, wegen {v}.
        Was wird ihr vorgeworfen? || Ihr wird {v} vorgeworfen.
    """,
    "NRP:belief": """
        {n} ist {v} und macht daraus kein Geheimnis.
        Sie wurde von ihren Großeltern {v} erzogen.
        Was die Religion angeht, ist {n} {v}.
        Er ist {v} aufgewachsen und bis heute dabei geblieben.
        Beim Finanzamt wird {n} als {v} geführt.
        Bitte achten Sie beim Essen darauf, dass {n} {v} ist.
        Ihr Verlobter ist {v}, und das passt den Eltern gar nicht.
        Ich bin {v}, die Familie meiner Frau glaubt etwas ganz anderes.
        Im Aufnahmebogen des Pflegeheims steht, dass {n} {v} ist.
        Wer {n} nach dem Glauben fragt, hört, er sei {v}.
        Ihrem Mann zuliebe ist sie seit der Hochzeit ebenfalls {v}.
        Der Seelsorger weiß, dass {n} {v} ist, und richtet sich danach.
        Weil die Tochter von {n} {v} ist, fehlt sie in der Religionsstunde ihrer Klasse.
        Religionszugehörigkeit laut Patientenakte: {v}.
        Mein Nachbar {n} ist {v} und diskutiert für sein Leben gern über Gott.
        In seiner Heimat wurde er verfolgt, weil er {v} ist.
        Getraut wurden die beiden nur standesamtlich, denn sie ist {v} und er nicht.
        ^ {v} ist in dieser Familie nur noch {n}.
        ^ {v} erzogen, hat {n} früh angefangen, Fragen zu stellen.
        Welche Religion hat {n}? || {v}.
        Woran glaubt {n} eigentlich? || Soviel ich weiß, ist sie {v}.
        Welcher Konfession gehört er an? || Er ist {v}.
    """,
}

HARMLESS = """
    Eine Diagnose wurde noch nicht gestellt.
    Die Diagnose stellt immer ein Arzt.
    Die Behandlung wirkt am besten, wenn sie früh beginnt.
    Nehmen Sie das Medikament so ein, wie es auf der Packung steht.
    Er arbeitet an den meisten Tagen von zu Hause.
    Sie arbeitet viel und schläft wenig.
    Der Arzt kommt gleich zu Ihnen.
    Das Krankenhaus liegt am Ende der Straße.
    Der Flug hatte wegen Nebel Verspätung.
    Wie lange dauert der Flug?
    Die Stromrechnung ist am Monatsende fällig.
    Er verlor seine Stelle, als die Fabrik schloss.
    Ihr Arbeitgeber zeigte viel Verständnis.
    Von Politik hält er nicht viel.
    Er leidet unter dem Wetter.
    Die Überweisung dauert in der Regel einen Werktag.
    Zu Gesundheitsdaten anderer Personen kann ich nichts sagen.
    Als Kind war sie oft am Meer.
    Er litt an nichts so sehr wie an der Langeweile.
    Der Beruf macht ihr Freude.
    Auf Einbruch stehen nach dem Gesetz bis zu zehn Jahre Haft.
    Die evangelischen Kitas bleiben am Montag geschlossen.
    Nur diese Woche: der Akkuschrauber GX-1840 zum halben Preis.
    Trage die Punkte (3,5/2,1) und (4,2/7,8) in das Koordinatensystem ein.
    Die Geschichte der Schwulenbewegung füllt inzwischen ganze Regale.
    Schokolade ist schließlich keine Straftat.
    Der Krimi beginnt mit einem Banküberfall und endet mit einer Hochzeit.
    In der neuen Folge der Serie wird der Kommissar selbst verhaftet.
    Die Seriennummer finden Sie auf der Unterseite des Geräts.
    Ohne gültiges Kennzeichen darf kein Auto auf die Straße.
    Viele Muslime fasten im Ramadan bis zum Sonnenuntergang.
    Das Schild an der Tür war kaum noch zu lesen.
"""

LABELS = {
    "ADDRESS": "Adresse; Anschrift; Wohnanschrift",
    "PHONE_NUMBER": "Telefon; Handynummer; Rufnummer; Tel.",
    "EMAIL_ADDRESS": "E-Mail; E-Mail-Adresse; Kontakt-E-Mail",
    "BANK_ACCOUNT": "Kontonummer; Bankkonto; Konto-Nr.",
    "TRANSACTION_AMOUNT": "Betrag; Überweisungsbetrag; Rechnungsbetrag; Zahlung",
    "DIAGNOSIS": "Diagnose; Hauptdiagnose; Vorerkrankung; Krankheit",
    "PRESCRIPTION": "Medikament; Verordnung; Aktuelle Medikation; Rezept",
    "ORDER_NUMBER": "Bestellnummer; Auftragsnummer; Bestell-Nr.",
    "FLIGHT": "Flug; Flugverbindung; Gebuchter Flug",
    "CREDIT_CARD_DIGITS": "Letzte vier Ziffern; Karte endet auf; Kartenendziffern",
    "DOCTOR": "Arzt; Hausarzt; Behandelnder Arzt; Ärztin",
    "HOSPITAL": "Krankenhaus; Klinik; Behandelnde Klinik; Spital",
    "EMPLOYER": "Arbeitgeber; Firma; Beschäftigt bei; Unternehmen",
    "JOB_TITLE": "Beruf; Position; Berufsbezeichnung; Tätigkeit",
    "UTILITY_BILL": "Stromrechnung; Nebenkosten; Gasrechnung",
    "APPOINTMENT_DATE": "Termin; Nächster Termin; Arzttermin",
    "CREDIT_CARD": "Kreditkarte; Kartennummer; Kreditkartennummer",
    "IBAN_CODE": "IBAN; Bankverbindung; IBAN des Kontos",
    "NATIONAL_ID": "Personalausweisnummer; Ausweisnummer; Ausweis-Nr.",
    "TAX_ID": "Steuernummer; Steuer-ID; Steueridentifikationsnummer",
    "PASSPORT": "Reisepass; Passnummer; Reisepassnummer",
    "DRIVER_LICENSE": "Führerschein; Führerscheinnummer; Führerschein-Nr.",
    "MEDICAL_RECORD_NUMBER": "Patientennummer; Fallnummer; Patienten-ID",
    "BIOMETRIC_ID": "Fingerabdruck-ID; Biometrische Kennung; Gesichtsmerkmal-ID",
    "DATE_OF_BIRTH": "Geburtsdatum; Geboren am; Geb.",
    "IP_ADDRESS": "IP; IP-Adresse; Letzte Anmelde-IP",
    "MAC_ADDRESS": "MAC; MAC-Adresse; Geräteadresse",
    "URL": "Webseite; Homepage; Profil",
    "CRYPTO": "Wallet; Wallet-Adresse; Bitcoin-Adresse",
    "SECRET_KEY": "API-Schlüssel; Zugriffstoken; Geheimer Schlüssel",
    "PASSWORD": "Passwort; Kennwort; Zugangspasswort",
    "PIN": "PIN; Karten-PIN; PIN-Code",
    "USERNAME": "Benutzername; Anmeldename; Nutzername",
    "NRP": "Partei; Parteizugehörigkeit; Parteimitgliedschaft",
    "PERSON": "Name; Vollständiger Name; Patient; Ansprechpartner",
    "LOCATION": "Stadt; Geburtsort; Wohnort",
    "ORGANIZATION": "Organisation; Verein; Verband",
    "VEHICLE_ID": "Kennzeichen; Amtliches Kennzeichen; Kfz-Kennzeichen; Fahrgestellnummer; FIN",
    "DEVICE_ID": "Seriennummer; IMEI; Geräte-ID; Gerätenummer",
    "COORDINATES": "Koordinaten; GPS-Koordinaten; GPS-Position; Letzter Standort",
    "SEXUAL_ORIENTATION": "Sexuelle Orientierung; Sexualität; Sexuelle Ausrichtung",
    "CRIMINAL_RECORD": "Vorstrafen; Vorstrafe; Verurteilt wegen; Eintrag im Führungszeugnis",
}

VALUES = {
    "DIAGNOSIS": (
        "Diabetes Typ 2; Multiple Sklerose; Asthma; Rheuma; Depression; Morbus Crohn; Brustkrebs; Parkinson; "
        "Epilepsie; Hepatitis C; HIV; Migräne; Lungenentzündung; Bluthochdruck; Schilddrüsenunterfunktion; "
        "Borreliose; Zöliakie; Gicht; Schuppenflechte; Arthrose; Leukämie; chronische Bronchitis; "
        "Herzinsuffizienz; Osteoporose; Magenkrebs; Schizophrenie; Neurodermitis; Angststörung"
    ),
    "PRESCRIPTION": (
        "Metformin; Ramipril 5 mg; Ibuprofen 600; Pantoprazol; L-Thyroxin; Marcumar; Simvastatin; Insulin; "
        "Cortison; Bisoprolol; Amoxicillin; Sertralin 50 mg; Tilidin; Novaminsulfon; Methotrexat; Ozempic; "
        "Xarelto; Lithium; Citalopram; Torasemid; Salbutamol"
    ),
    "JOB_TITLE": (
        "Krankenpfleger; Maurer; Grundschullehrer; Steuerberater; Bäckermeister; Softwareentwickler; Busfahrer; "
        "Rechtsanwalt; Elektriker; Bankkaufmann; Altenpfleger; Tischler; Buchhalter; Tierarzt; Polizist; Kellner; "
        "Industriemechaniker; Projektleiter; Erzieher; Lokführer; Apotheker; Fachinformatiker; Abteilungsleiter; "
        "Friseur"
    ),
    "COMPANY": (
        "Nordlicht Logistik GmbH; Brenner & Söhne; Rheinwerk Maschinenbau AG; Alpenquell Getränke; "
        "Stadtsparkasse Holm; Kranich Versicherungen; Hellweg Software GmbH; Bäckerei Tannert; Autohaus Wiesner; "
        "Feldmann Pharma; Donau Stahl AG; Linden Verlag; Ostkamp Immobilien; Grünwald Elektrotechnik"
    ),
    "HOSPITAL": (
        "St.-Anna-Krankenhaus; Klinikum Westheim; Universitätsklinikum Halden; Marienhospital; "
        "Kreiskrankenhaus Bergau; Herz-Jesu-Krankenhaus; Klinikum am Stadtpark; Krankenhaus Lindau; "
        "Klinikum Rotheim; Elisabeth-Krankenhaus; Waldklinikum Tannenburg; Diakonissenkrankenhaus; "
        "Johanniter-Krankenhaus Vossberg"
    ),
    "CITY": "Berlin; München; Hamburg; Wien; Zürich; Köln; Frankfurt; Stuttgart; Leipzig; Salzburg; Düsseldorf; Basel",
    "ROUTE": "{a} nach {b} am {day}",
    "AMOUNT": (
        "1.250 €; 84,99 €; 320 Euro; 12.400,00 €; 450 Euro; 1.999,50 EUR; 60 €; 2300 Euro; 7.800 Euro; 415,20 €; "
        "EUR 980; 35 Euro"
    ),
    "BILL": "142,60 €; 96 Euro; 88 €; 310 Euro; 210,45 €; 175 Euro; 64,15 EUR; 95 €; 230 Euro",
    "PARTY": (
        "die |SPD; die |CDU; die |CSU; die |FDP; die |AfD; die |Linke; Bündnis 90/Die Grünen; die |Grünen; "
        "das |BSW; die |ÖVP; die |SPÖ"
    ),
    "VIEW": (
        "konservativ; links; liberal; sozialdemokratisch; rechts; grün; kommunistisch; marxistisch; linksliberal; "
        "nationalkonservativ"
    ),
    "SEXUAL_ORIENTATION": (
        "schwul; lesbisch; bisexuell; homosexuell; heterosexuell; pansexuell; asexuell; queer; bi; hetero; "
        "demisexuell; polysexuell"
    ),
    "CRIMINAL_RECORD": (
        "Diebstahl; Betrug; Körperverletzung; Steuerhinterziehung; Fahrerflucht; Drogenhandel; Urkundenfälschung; "
        "Brandstiftung; Geldwäsche; Hehlerei; Erpressung; Trunkenheit am Steuer; Beihilfe zum Mord; "
        "Sachbeschädigung"
    ),
    "BELIEF": (
        "katholisch; evangelisch; muslimisch; jüdisch; buddhistisch; hinduistisch; russisch-orthodox; "
        "griechisch-orthodox; alevitisch; neuapostolisch; konfessionslos; freikirchlich; mennonitisch"
    ),
}
