"""Finds recorded numbers whose digits are words, numerals of other scripts, or a mixture with digits.

    four… one… five…        ["four", "one", "five"]        area four one five, exchange 867        四一五八六七

The words are those of the languages in `_LANGUAGES`, without blanks between them, too, and Roman numerals. "Double
five" counts as well; numbers from ten on are read by `number_text`. Up to two other words may stand between two digits.
Not covered: other languages.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from reticent_detectors.finder.match_ends import NONE, OPEN
from reticent_detectors.finder.recorded_lookup import Hit, Known, Records

_LANGUAGES = (
    "zero one two three four five six seven eight nine",
    "oh one two tree fower fife six seven eight niner",
    "nought one two three four five six seven eight nine",
    "naught one two three four five six seven eight nine",
    "null eins zwei drei vier fünf sechs sieben acht neun",
    "null ein zwo drei vier fuenf sechs sieben acht neun",
    "zéro un deux trois quatre cinq six sept huit neuf",
    "zero une deux trois quatre cinq six sept huit neuf",
    "cero uno dos tres cuatro cinco seis siete ocho nueve",
    "zero uno due tre quattro cinque sei sette otto nove",
    "zero um dois três quatro cinco seis sete oito nove",
    "zero uma duas tres quatro cinco meia sete oito nove",
    "nul een twee drie vier vijf zes zeven acht negen",
    "nul één twee drie vier vijf zes zeven acht negen",
    "zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć",
    "zero jedna dwie trzy cztery piec szesc siedem osiem dziewiec",
    "ноль один два три четыре пять шесть семь восемь девять",
    "нуль одна две три чотири п'ять шість сім вісім дев'ять",
    "нула едно две три четири пет шест седем осем девет",
    "нула един два три четири пет шест седем осем девет",
    "sıfır bir iki üç dört beş altı yedi sekiz dokuz",
    "sifir bir iki uc dort bes alti yedi sekiz dokuz",
    "noll ett två tre fyra fem sex sju åtta nio",
    "nul en to tre fire fem seks syv otte ni",
    "null én to tre fire fem seks sju åtte ni",
    "nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän",
    "nulla egy kettő három négy öt hat hét nyolc kilenc",
    "nula jedna dva tři čtyři pět šest sedm osm devět",
    "zero unu doi trei patru cinci șase șapte opt nouă",
    "μηδέν ένα δύο τρία τέσσερα πέντε έξι επτά οκτώ εννέα",
    "אפס אחת שתיים שלוש ארבע חמש שש שבע שמונה תשע",
    "không một hai ba bốn năm sáu bảy tám chín",
    "nol satu dua tiga empat lima enam tujuh delapan sembilan",
    "sifuri moja mbili tatu nne tano sita saba nane tisa",
    "영 일 이 삼 사 오 육 칠 팔 구",
    "공 하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉",
    "शून्य एक दो तीन चार पांच छह सात आठ नौ",
    "शून्य एक दो तीन चार पाँच छः सात आठ नौ",
    "শূন্য এক দুই তিন চার পাঁচ ছয় সাত আট নয়",
    "صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة",
    "صفر یک دو سه چهار پنج شش هفت هشت نه",
    "ศูนย์ หนึ่ง สอง สาม สี่ ห้า หก เจ็ด แปด เก้า",
    "ゼロ いち に さん よん ご ろく なな はち きゅう",
    "れい いち に さん し ご ろく しち はち く",
    "líng yī èr sān sì wǔ liù qī bā jiǔ",
    "ling yi er san si wu liu qi ba jiu",
)
"""The digits from zero to nine, a row for each language and way of saying them."""
_ROMAN = dict(zip(["n", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"], "0123456789", strict=True))
_ROWS = [{word: str(digit) for digit, word in enumerate(row.split())} for row in _LANGUAGES]
_VALUES = {
    **{word: digit for row in reversed(_ROWS) for word, digit in row.items()},
    **_ROMAN,
}
_OTHERWISE = [row for row in _ROWS if any(_VALUES[word] != digit for word, digit in row.items())]
"""The languages in which a word stands for another digit than in those before."""
_REPEATED = {"double": 2, "triple": 3, "treble": 3, "quadruple": 4, "doppel": 2, "dreimal": 3, "doble": 2, "doppio": 2}
_EACH = re.compile(
    "|".join(
        sorted((word for row in _ROWS for word in row if len(word) > 1 or not word.isascii()), key=len, reverse=True)
    )
)
_IN_ONE = re.compile(f"(?:{_EACH.pattern}){{2,24}}")
_NO_OTHER = dict[str, str]()
_NUMERALS = "\u2160-\u2188\u3007\u3021-\u3029\u3220-\u3229\u3280-\u3289一二三四五六七八九零〇壹贰叁肆伍陆柒捌玖"
_FORMAL = dict(zip("零壹贰叁肆伍陆柒捌玖", "0123456789", strict=True))
_SIGNS = "\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0981-\u0983\u09bc-\u09cd\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
"""Marks over and under letters, which are letters of no word by themselves."""
_REST = rf"[^\WA-Z\d_{_NUMERALS}]"
_TOKEN = re.compile(rf"[0-9]{{1,24}}|[{_NUMERALS}]|[A-Z]?{_REST}(?:{_REST}|[{_SIGNS}]){{0,127}}|[A-Z]{{2,24}}|[^\W_]")
_MARKS = re.compile(r"[\W_]{0,24}")
_START = re.compile(rf"[{_NUMERALS}]|(?<![0-9])[0-9]|[A-Z]?{_REST}(?:{_REST}|[{_SIGNS}])*|[A-Z]+")
_MOST_OTHERS, _LEAST, _LONGEST = 2, 4, 128


class RecordedSpelled:
    """Finds recorded numbers that are written in words."""

    def __init__(self, records: Records) -> None:
        self._records, self._counts = records, records.digit_counts
        self._most, self._may_begin = max(self._counts, default=0), Known(records.may_begin)

    def __repr__(self) -> str:
        return "RecordedSpelled()"

    def scan(self, text: str, start: int, closed: bool) -> Hit | int:
        """Gives the next number from `start` on that has words in it, or how far there is none."""
        size = len(text)
        if not self._counts:
            return size
        for match in _START.finditer(text, start):
            p = match.start()
            if match.end() - p > _LONGEST:
                continue
            if match.end() == size and not closed:
                return p
            word = match[0].casefold()
            if not ("0" <= word <= "9" or digits_of(word) or word in _REPEATED):
                continue
            for language in (_NO_OTHER, *(row for row in _OTHERWISE if word in row)):
                kind, end = self._at(text, p, closed, language)
                if end == OPEN:
                    return p
                if end > NONE:
                    return Hit(kind, p, end)
        return size

    def _at(self, text: str, p: int, closed: bool, language: dict[str, str]) -> tuple[str, int]:
        digits, at, others, times, is_spelled, best = "", p, 0, 1, False, ("", NONE)
        while len(digits) < self._most:
            if at >= len(text):
                return best if closed else ("", OPEN)
            token = _TOKEN.match(text, at)
            if token is None or (token.end() == len(text) and not closed):
                return best if token is None else ("", OPEN)
            word = token[0].casefold()
            value = word if word.isascii() and word.isdecimal() else language.get(word) or digits_of(word)
            if value:
                is_spelled = is_spelled or value != word or times > 1
                value *= times
                digits += value
                others, times = 0, 1
                if len(digits) >= _LEAST and not self._may_begin(digits[:_LEAST]):
                    return best
                if is_spelled and len(digits) in self._counts and (kind := self._records.kind_of_digits(digits)):
                    best = kind, token.end()
            elif times == 1 and word in _REPEATED:
                times = _REPEATED[word]
            elif not digits or others == _MOST_OTHERS:
                return best
            else:
                others += 1
            marks = _MARKS.match(text, token.end())
            at = token.end() if marks is None else marks.end()
        return best


@lru_cache(maxsize=8192)
def digits_of(word: str) -> str:
    """Return the digits for which a word in small letters or a numeral stands; "" if it is none."""
    value = _VALUES.get(word, "")
    if value:
        return value
    if len(word) > 1:
        return "".join(_VALUES[each] for each in _EACH.findall(word)) if _IN_ONE.fullmatch(word) else ""
    if word.isascii():
        return ""
    if word in _FORMAL:
        return _FORMAL[word]
    number = unicodedata.numeric(word, -1.0)
    return str(int(number)) if number in range(10) and not word.isdecimal() else ""
