"""Patterns over bytes as they came, whatever charset they are in."""

import re2


def octet_pattern(pattern: bytes) -> "re2._Regexp":
    """Return the pattern, in which one octet is one character (RE2's Latin-1 mode).

    RE2 takes bytes for UTF-8 by default, and then no class and no dot matches an octet that is not:
    a name in windows-1251 would end a match, and what follows it would go unread.
    """
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    return re2.compile(pattern, options)
