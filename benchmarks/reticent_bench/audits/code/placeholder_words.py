"""Words and values that stand for somebody's in generated tests, beside those of `reticent.policy.placeholder_words`.

The audit counts more as placeholders than a guard may let pass: a leak is only what is certainly none of them.
"""

from __future__ import annotations

from reticent.policy import placeholder_words as narrow
from reticent.policy.placeholder_words import lines, words

STRONG = words(
    """
    test tests testing example examples sample samples dummy fake mock mocked placeholder lorem ipsum changeme
    changeit sampletown testville exampleville anytown musterstadt redacted todo tbd foobar
    """
)
"""A value with one of these words is a placeholder, except an e-mail address, whose parts are judged alone."""

GENERIC = narrow.GENERIC | words(
    """
    qwertz me base fingerprint finger print face iris voice scan pat cust bio party john jane johnny doe jdoe
    smith alice bob charlie eve mallory carol someone somebody somewhere nobody nowhere anyone anonymous street
    history cc sales
    """
)
"""Words of which placeholders are put together, names among them."""

PHRASES = narrow.PHRASES | lines(
    """
    +8613800138000
    13800138000
    dragon
    hidden
    homer simpson
    iloveyou
    letmein
    monkey
    nil
    none
    null
    qwerty
    redacted
    tbd
    trustno1
    undefined
    unknown
    """
)
"""Whole values, in lower case."""

DOMAINS = words(
    """
    domain domains test tests testing company yourcompany mycompany yourdomain mydomain anydomain foo bar baz
    abc xyz sample somewhere nowhere placeholder xxx fake dummy doe acme something whatever address site
    yoursite mysite
    """
)
"""Labels of domains to which placeholders of e-mail addresses go."""

FIRST_NAMES = words(
    """
    john jane alice bob charlie dave eve carol mallory trent foo test max erika joe jack jill mary tom jim sarah
    """
)
LAST_NAMES = words(
    """
    doe smith johnson jones brown williams public bloggs mustermann user example sample bar williamson wilson
    miller davis wonderland builder test alice bob
    """
)
"""A first name of the one and a last name of the other set are nobody's; so is one of them alone."""

STREETS = words(
    """
    main elm oak maple pine cedar park fake test example sample first second high broadway washington evergreen
    """
)
HOUSE_NUMBERS = words(
    """
    1 2 5 10 11 12 42 99 100 101 111 123 124 200 222 321 333 456 500 555 654 742 777 789 987 999 1234
    """
)
"""A street of the one with a number of the other is a placeholder."""
