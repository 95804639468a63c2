"""The names of the months in the languages that dates are read in, in small letters without marks."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_NAMES = """
january jan januar jänner janvier janv enero ene gennaio gen janeiro januari januar styczeń stycznia sty leden ledna
    январь января янв ocak oca januarie tammikuu tammikuuta január ianuarie ianuarii ιανουάριος ιανουαρίου січень
    січня gener januára
february feb februar feber février févr fév febrero febbraio febb fevereiro fev februari luty lutego lut únor února
    февраль февраля фев şubat şub helmikuu helmikuuta február februarie φεβρουάριος φεβρουαρίου лютий лютого febrer
    februára
march mar märz mrz mars marzo março maart mrt marzec marca březen března март марта mart maaliskuu maaliskuuta mär
    martie március μάρτιος μαρτίου березень березня març maret
april apr avril avr abril abr aprile kwiecień kwietnia kwi duben dubna апрель апреля апр nisan nis huhtikuu huhtikuuta
    aprilie április απρίλιος απριλίου квітень квітня
may mai mayo maggio mag maio mei maj maja maj květen května май мая mayıs toukokuu toukokuuta máj május μάιος μαΐου
    травень травня maig mája
june jun juni juin junio giugno giu junho czerwiec czerwca cze červen června июнь июня июн haziran haz kesäkuu
    kesäkuuta jún iunie június ιούνιος ιουνίου червень червня juny
july jul juli juillet juil julio luglio lug julho lipiec lipca lip červenec července июль июля июл temmuz tem heinäkuu
    heinäkuuta júl iulie július ιούλιος ιουλίου липень липня juliol
august aug août agosto ago augustus sierpień sierpnia sie srpen srpna август августа авг ağustos ağu elokuu elokuuta
    augusti augusztus αύγουστος αυγούστου серпень серпня agost agustus augusta
september sep sept septembre septiembre setiembre settembre set setembro wrzesień września wrz září сентябрь сентября
    сен eylül eyl syyskuu syyskuuta septembrie szeptember σεπτέμβριος σεπτεμβρίου вересень вересня septembra
october oct oktober okt octobre octubre ottobre ott outubro out październik października paź říjen října октябрь
    октября окт ekim eki lokakuu lokakuuta október octombrie οκτώβριος οκτωβρίου жовтень жовтня októbra
november nov novembre noviembre novembro listopad listopada lis листопад ноябрь ноября ноя kasım kas marraskuu
    marraskuuta noiembrie novembra listopadu листопада νοέμβριος νοεμβρίου
december dec dezember dez décembre déc diciembre dic dicembre dezembro desember des grudzień grudnia gru prosinec
    prosince декабрь декабря дек aralık ara joulukuu joulukuuta decembrie decembra δεκέμβριος δεκεμβρίου грудень
    грудня
"""


@lru_cache(maxsize=4096)
def _plain(word: str) -> str:
    word = unicodedata.normalize("NFKD", word.casefold())
    return "".join(char for char in word if not unicodedata.combining(char)).replace("ı", "i")


def _numbers() -> dict[str, int]:
    rows: list[str] = []
    for line in _NAMES.strip().splitlines():
        if line.startswith(" "):
            rows[-1] += line
        else:
            rows.append(line)
    names = {_plain(name): number for number, row in enumerate(rows, 1) for name in row.split()}
    return names | {"maerz": 3, "jaenner": 1}


MONTHS = _numbers()
_BEGINNINGS = frozenset(name[:size] for name in MONTHS for size in range(1, len(name) + 1))


def month_number(word: str) -> int:
    """Gives the number of the month that a word names, 1 to 12; 0: none."""
    return MONTHS.get(_plain(word), 0)


def may_be_month(beginning: str) -> bool:
    """Says whether the name of a month begins so."""
    return _plain(beginning) in _BEGINNINGS
