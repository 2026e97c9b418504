"""Bytes to text by the charset that mail states, by what it means with it, or by a guess.

What is stated is believed as far as it goes: an odd byte costs one letter (U+FFFD) and a note, not
the whole text. Only where the stated charset clearly is not the one, another is looked for.
"""

import codecs
from functools import lru_cache

from charset_normalizer import from_bytes

from data.byte_patterns import octet_pattern
from tasks.core.parse.charset_guess import likeliest, plainly_other, plausible
from tasks.core.parse.japanese import JAPANESE, decode_japanese
from tasks.core.patterns import compiled

GUESS_BYTES = 16_384
"""Bytes that the charset is guessed from; guessing costs about 1 ms per kB."""
META_BYTES = 2_048
"""Bytes of a page in which it may state its charset."""

_META = octet_pattern(rb"(?i)<meta\s[^>]*charset\s*=\s*[\"']?([^\s\"'/>;]+)")
_ASCII = bytes(range(128))
_WESTERN = (
    "€‚„…†‡‰‹›‘’“”•–—™\u00a0¡£§©ª«®°²´·º»¿ÀÁÂÃÄÅÆÇÈÉÊËÍÎÏÑÓÔÕÖØÙÚÛÜßàáâãäåæçèéêëíîïñóôõöøùúûüŒœ"
).encode("cp1252")
_WESTERN_SHARE = 12
"""One octet of so many may be no ASCII in a text of Western Europe, whose letters are known.

In Central Europe, Turkey and the Baltic more are, and they include others; the statistics of
letters, which cost far more, take a few quotation marks for anything."""

# What mail declares against what it means: the names are subsets in theory, supersets in practice
# (WHATWG Encoding Standard, section 4.2), and some were never registered.
_MEANT = {
    "iso8859-1": "cp1252",
    "ascii": "utf-8",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
}
_UNREGISTERED = {
    "unicode-1-1-utf-7": "utf-7",
    "ks_c_5601-1987": "cp949",
    "ansi": "cp1252",
    "utf8mb4": "utf-8",
    "iso-8859-8-i": "iso8859-8",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "x-gbk": "gb18030",
    "cp-850": "cp850",
    "windows-874": "cp874",
    "x-mac-roman": "mac-roman",
    "x-macroman": "mac-roman",
    "x-mac-ce": "mac-latin2",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-mac-greek": "mac-greek",
    "x-mac-turkish": "mac-turkish",
    "ucs-2": "utf-16",
    "iso-10646-ucs-2": "utf-16",
    "unicode": "utf-16",
}
# Codecs that Python calls text though no mail is written in them; some are quadratic.
_NOT_MAIL = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"})
_SEVERAL_OCTETS = frozenset({
    "utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "utf-7",
    "gb18030", "big5", "big5hkscs", "cp950", "cp932", "cp949", "johab", "hz", *JAPANESE,
})  # fmt: skip
"""Codecs in which a letter may take several octets."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks; they count more than what is stated (WHATWG Encoding Standard, section 6)."""
_TRIPLES, _LETTERS = 4, 20
"""Letters of three octets, and of any number, from which no other text is valid UTF-8 by chance."""
_TRIPLE = compiled(r"[\x{800}-\x{ffff}]")
_HAN = compiled(r"\p{Han}")
_KANA_OR_HANGUL = compiled(r"[\p{Hiragana}\p{Katakana}\p{Hangul}]")
_OF_SCRIPT = (
    (compiled(r"[\p{Hiragana}\p{Katakana}]"), "shift_jis"),
    (compiled(r"\p{Hangul}"), "euc-kr"),
    (compiled(r"\p{Cyrillic}{3}"), "windows-1251"),
    (compiled(r"\p{Greek}{3}"), "windows-1253"),
    (compiled(r"\p{Hebrew}{3}"), "windows-1255"),
    (compiled(r"\p{Arabic}{3}"), "windows-1256"),
    (compiled(r"\p{Thai}{3}"), "windows-874"),
)
"""What texts of a script are written in where they are not in Unicode."""
_SHIFTS = ((b"\x1b$B", "iso2022_jp"), (b"\x1b$@", "iso2022_jp"), (b"\x1b$)C", "iso2022_kr"))
"""Escapes that only texts in these codecs hold, which some programs do not state."""
_ODD = "\ufffd"
_C1 = {code: bytes([code]).decode("cp1252", "ignore") or chr(code) for code in range(128, 160)}
"""Control codes of ISO 8859, where programs put the quotation marks and dashes of Windows."""
_WINDOWS = {"iso8859-2": "cp1250", "iso8859-7": "cp1253"}
"""What is meant with a charset where letters and marks of Windows stand; some others have moved."""
_C1_LETTER = compiled(r"[\x{80}-\x{84}\x{86}-\x{9f}]")


def _replace(error: UnicodeError) -> tuple[str, int]:
    """Replace an odd octet; the euro sign of Windows is 0x80 in Chinese text (WHATWG, 10.2)."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    euro = error.encoding == "gb18030" and error.object[error.start] == 0x80
    return ("€" if euro else _ODD), (error.start + 1 if euro else error.end)


codecs.register_error("mail", _replace)


@lru_cache(maxsize=256)
def codec_name(charset: str) -> str | None:
    """Return Python's codec for a declared charset, or None when it is not a charset of mail."""
    charset_name = charset.strip().strip("\"'").lower()
    charset_name = _UNREGISTERED.get(charset_name, charset_name)
    if not charset_name or not charset_name.isascii():
        return None
    try:
        codec = codecs.lookup(charset_name)
    except (LookupError, ValueError):
        return None
    if not codec._is_text_encoding or codec.name in _NOT_MAIL:
        return None
    return _MEANT.get(codec.name, codec.name)


def decode_bytes(octets: bytes, charset: str, defects: list[str], where: str) -> str:
    """Return `octets` as text; an unknown or wrong `charset` is replaced by a guess and noted."""
    if b"\x1b$" in octets and (shifted := decode_shifted(octets)) is not None:
        return shifted
    if octets.isascii() and not charset:
        return octets.decode("ascii")
    for mark, marked in _MARKS:
        if octets.startswith(mark):
            return clean_surrogates(octets.decode(marked, "replace"))
    codec = codec_name(charset) if charset else "utf-8"
    if codec is None:
        defects.append(f"unknown charset {charset[:40]!r} in {where}")
        return _guess(octets)
    if codec == "utf-16":
        codec = _wide_codec(octets)
    text = _fitting(octets, codec)
    other_text = None
    if codec != "utf-8" and (text is not None or not _is_utf8(octets, codec)):
        other = plainly_other(octets, codec)
        other_text = _fitting(octets, other) if other else None
    if text is not None and other_text in (None, text):
        return text
    note = f"charset {charset[:40]!r} does not fit" if charset else "no charset fits"
    defects.append(f"{note} in {where}")
    if other_text is not None:
        return other_text
    if _is_utf8(octets, codec):
        return octets.decode("utf-8")
    nearly = _nearly_fitting(octets, codec)
    if nearly is None:
        return _guess(octets)
    if not _is_mostly_right(nearly) and (not charset or plausible(octets) is not None):
        return _guess(octets)
    return nearly


def _wide_codec(octets: bytes) -> str:
    """Return which octet of each two comes first where no mark says so, by where the zeros are.

    Without any it is the high one (RFC 2781 section 4.3).
    """
    return "utf-16-le" if octets[1::2].count(0) > octets[::2].count(0) else "utf-16-be"


def decode_shifted(octets: bytes) -> str | None:
    """Return text that switches between letters by escapes (ISO 2022), or None for other octets.

    Its seven bits are valid in nearly every charset that could be stated, and mean nothing there.
    """
    codec = next((codec for escape, codec in _SHIFTS if escape in octets), None)
    return _fitting(octets, codec) if codec and octets.isascii() else None


def stated_in_html(octets: bytes) -> str:
    """Return the charset that a page states itself, empty for none (WHATWG HTML, 13.2.3.2)."""
    match = _META.search(octets[:META_BYTES])
    return match.group(1).decode("ascii", "replace") if match else ""


def charset_of_script(text: str) -> str:
    """Return the usual charset of the region whose script a text is in, empty for Latin letters."""
    if text.isascii():
        return ""
    if _HAN.search(text) and not _KANA_OR_HANGUL.search(text):
        return "gb18030" if _holds(text, "gb2312") or not _holds(text, "big5") else "big5"
    return next((charset for script, charset in _OF_SCRIPT if script.search(text)), "")


def _holds(text: str, codec: str) -> bool:
    """Whether a codec has every Chinese letter of a text."""
    try:
        "".join(_HAN.findall(text)).encode(codec)
    except UnicodeEncodeError:
        return False
    return True


def decode_undeclared(octets: bytes, charset: str) -> str:
    """Return 8-bit octets that state no charset themselves; `charset` is the mail's elsewhere."""
    stated = codec_name(charset) if charset else None
    text = _nearly_fitting(octets, "utf-8")
    if text is None or not _is_mostly_right(text):
        codec = likeliest(octets, stated)
        fitting = _fitting(octets, codec) if codec else None
        text = fitting or text
    if text is None:
        other = "cp1252" if stated in (None, "utf-8") else stated
        text = clean_surrogates(octets.decode(other, "mail"))
    return text


def _fitting(octets: bytes, codec: str) -> str | None:
    """Return the text when the codec reads every octet and nothing speaks for another one."""
    try:
        text = clean_surrogates(octets.decode(codec))
    except (UnicodeError, ValueError):
        return decode_japanese(octets, codec)
    if codec == "utf-8" or octets.isascii():
        return text
    if _is_utf8(octets, codec):
        return None
    if codec in _WINDOWS and _C1_LETTER.search(text):
        try:
            return octets.decode(_WINDOWS[codec])
        except UnicodeDecodeError:
            pass
    return text.translate(_C1) if codec.startswith("iso8859") else text


def _is_utf8(octets: bytes, codec: str) -> bool:
    """Whether text that states another codec is UTF-8.

    Hardly anything but UTF-8 is valid as such. In charsets whose letters take two octets, and in
    Thai, a few letters may be by chance.
    """
    if codec.startswith(("utf-16", "utf-32")):
        return False
    try:
        text = octets.decode("utf-8")
    except UnicodeDecodeError:
        return False
    if text.isascii():
        return False
    chance = codec in _SEVERAL_OCTETS or codec == "cp874"
    if not chance:
        return True
    letters = sum(not letter.isascii() for letter in text)
    return letters >= _LETTERS or len(_TRIPLE.findall(text)) >= _TRIPLES


def _nearly_fitting(octets: bytes, codec: str) -> str | None:
    """Return the text with odd octets replaced, or None when the codec clearly is not the one.

    Valid UTF-8 does not come about by chance, so four odd octets are allowed for each letter; where
    letters take several octets otherwise, one for two letters; else one, or one in ten.
    """
    try:
        text = clean_surrogates(octets.decode(codec, "mail"))
    except (UnicodeError, ValueError):
        return None
    odd = text.count(_ODD)
    right = sum(not letter.isascii() for letter in text) - odd
    if codec == "utf-8":
        return text if odd <= 4 * right else None
    allowed = right // 2 if codec in _SEVERAL_OCTETS else max(1, right // 10)
    return text if odd <= allowed else None


def _is_mostly_right(text: str) -> bool:
    """Whether letters beyond ASCII are more than the odd octets among them, one apart.

    Where nothing is stated, some pairs of octets of other charsets are valid UTF-8 by chance.
    """
    odd = text.count(_ODD)
    return odd <= 1 or 2 * odd <= sum(not letter.isascii() for letter in text) - odd


def _guess(octets: bytes) -> str:
    """Return text in the likeliest charset: UTF-8, cp1252, else what its letters say."""
    try:
        return octets.decode("utf-8")
    except UnicodeDecodeError:
        pass
    other = octets.translate(None, _ASCII)
    if len(other) * _WESTERN_SHARE <= len(octets) and not other.translate(None, _WESTERN):
        return octets.decode("cp1252", "replace")
    if (likely := plausible(octets)) is not None:
        return clean_surrogates(octets.decode(likely, "replace"))
    best = from_bytes(octets[:GUESS_BYTES], steps=5, chunk_size=512).best()
    codec = codec_name(best.encoding) if best else None
    return clean_surrogates(octets.decode(codec or "cp1252", "replace"))


def clean_surrogates(text: str) -> str:
    """Return `text` with lone surrogates, which are no characters, replaced."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text
