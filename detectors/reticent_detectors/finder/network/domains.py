"""Which last labels make a bare name a domain ("example.com"), and which need more than the label.

`foo.it` may be a domain, the end of a sentence without its blank, an attribute in code, or a file.
So the top-level domains are in two rows. SURE ones make a bare name a domain.
The others (English words, file suffixes, common attributes) need a path, `www.`, a word such as "website" before, or
another label, as `co.in` has it.
"""

from __future__ import annotations

from reticent_detectors.finder.context.word_sets import word_set

SURE: frozenset[str] = word_set(
    """
    com org net edu gov mil biz xyz museum coop aero online website
    ae be br ca ch cl cn co cr cz de dk ec ee es eu fi fr gr hk hr hu ie il jp ke kr kz lk lu lv mx ng nl nz pe ph
    qa ro ru sa se sg si sk th tr tw ua uk uy uz ve vn za zw
    рф бг укр
    """
)

_COUNTRIES = word_set(
    """
    ac ad af ag ai al am ao aq ar as at au aw ax az ba bb bd bf bg bh bi bj bm bn bo bs bt bw by bz cc cd cf cg ci ck
    cm cu cv cw cx cy dj dm do dz eg er et fj fk fm fo ga gd ge gf gg gh gi gl gm gn gp gq gs gt gu gw gy hm hn ht id
    im in io iq ir is it je jm jo kg kh ki km kn kp kw ky la lb lc li lr ls lt ly ma mc md me mg mh mk ml mm mn mo mp mq
    mr ms mt mu mv mw my mz na nc ne nf ni no np nr nu om pa pf pg pk pl pm pn pr ps pt pw py re rs rw sb sc sd sh sj sl
    sm sn so sr ss st su sv sx sy sz tc td tf tg tj tk tl tm tn to tt tv tz ug us va vc vg vi vu wf ws ye yt zm
    """
)
_GENERIC = word_set(
    """
    info name pro int jobs mobi tel travel cat post arpa app dev page web blog site shop store tech cloud club live life
    world news space top vip work wiki email agency company solutions services digital media studio design art bank
    health care clinic doctor hospital law legal money finance fund group team network systems software zone link click
    social community center academy school university college training expert guru consulting support help chat city
    town london paris berlin nyc tokyo africa asia eus bzh gal scot wales one global international today daily events
    photo photos pics video film movie music radio fm games game play bet casino poker dating love wedding family kids
    baby pet dog cafe pizza restaurant bar beer wine coffee food kitchen recipes farm garden green eco energy solar
    house homes estate land property rent apartments build construction contractors plumbing repair tools parts cars
    auto bike taxi travel holiday tours cruise flights hotel villas camp fit yoga gym run football soccer golf tennis
    fish horse surf ski sport fashion shoes jewelry beauty hair style boutique gifts toys market deals discount sale
    cheap best buy tax loans credit insurance cash gold trade investments capital ventures partners holdings ltd llc inc
    gmbh sarl limited foundation charity ngo ong church bible faith vote democrat republican army navy airforce zip mov
    foo bar icu cyou cfd sbs lol fun monster rest host hosting domains computer codes engineer engineering science
    """
)
OTHERS: frozenset[str] = _COUNTRIES | _GENERIC

SECOND: frozenset[str] = word_set("ac co com edu gob gouv gov govt net nom or org")
"""Labels that a registry puts before its own: `co.in`, `com.au`, `org.il`."""

GENERIC_NUMBERS: frozenset[str] = word_set("com net org cn")
"""Top-level domains under which names of digits only stand bare: `163.com`."""
