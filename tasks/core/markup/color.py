"""Colours of CSS and HTML, and whether one can be read on the other (CSS Color 4, WCAG 2.2)."""

import colorsys
from functools import lru_cache

from tasks.core.markup.color_spaces import SPACES, to_srgb
from tasks.core.markup.mixed_colors import mixed_color
from tasks.core.patterns import compiled

Color = tuple[int, int, int, float]
"""Red, green and blue from 0 to 255, opacity from 0 to 1."""
Shade = tuple[int, int, int]
"""An opaque colour."""

NEAR_CONTRAST = 1.25
"""Contrast ratio (WCAG 2.2 section 1.4.3, from 1 to 21) below which text may not be seen."""
NEAR_DISTANCE = 24.0
"""Weighted distance (0 to 255) below which it is not seen: hues of one lightness still differ."""

_NAMES = """
aliceblue:f0f8ff antiquewhite:faebd7 aqua:00ffff aquamarine:7fffd4 azure:f0ffff beige:f5f5dc
bisque:ffe4c4 black:000000 blanchedalmond:ffebcd blue:0000ff blueviolet:8a2be2 brown:a52a2a
burlywood:deb887 cadetblue:5f9ea0 chartreuse:7fff00 chocolate:d2691e coral:ff7f50
cornflowerblue:6495ed cornsilk:fff8dc crimson:dc143c cyan:00ffff darkblue:00008b darkcyan:008b8b
darkgoldenrod:b8860b darkgray:a9a9a9 darkgreen:006400 darkgrey:a9a9a9 darkkhaki:bdb76b
darkmagenta:8b008b darkolivegreen:556b2f darkorange:ff8c00 darkorchid:9932cc darkred:8b0000
darksalmon:e9967a darkseagreen:8fbc8f darkslateblue:483d8b darkslategray:2f4f4f
darkslategrey:2f4f4f darkturquoise:00ced1 darkviolet:9400d3 deeppink:ff1493 deepskyblue:00bfff
dimgray:696969 dimgrey:696969 dodgerblue:1e90ff firebrick:b22222 floralwhite:fffaf0
forestgreen:228b22 fuchsia:ff00ff gainsboro:dcdcdc ghostwhite:f8f8ff gold:ffd700
goldenrod:daa520 gray:808080 green:008000 greenyellow:adff2f grey:808080 honeydew:f0fff0
hotpink:ff69b4 indianred:cd5c5c indigo:4b0082 ivory:fffff0 khaki:f0e68c lavender:e6e6fa
lavenderblush:fff0f5 lawngreen:7cfc00 lemonchiffon:fffacd lightblue:add8e6 lightcoral:f08080
lightcyan:e0ffff lightgoldenrodyellow:fafad2 lightgray:d3d3d3 lightgreen:90ee90 lightgrey:d3d3d3
lightpink:ffb6c1 lightsalmon:ffa07a lightseagreen:20b2aa lightskyblue:87cefa
lightslategray:778899 lightslategrey:778899 lightsteelblue:b0c4de lightyellow:ffffe0 lime:00ff00
limegreen:32cd32 linen:faf0e6 magenta:ff00ff maroon:800000 mediumaquamarine:66cdaa
mediumblue:0000cd mediumorchid:ba55d3 mediumpurple:9370db mediumseagreen:3cb371
mediumslateblue:7b68ee mediumspringgreen:00fa9a mediumturquoise:48d1cc mediumvioletred:c71585
midnightblue:191970 mintcream:f5fffa mistyrose:ffe4e1 moccasin:ffe4b5 navajowhite:ffdead
navy:000080 oldlace:fdf5e6 olive:808000 olivedrab:6b8e23 orange:ffa500 orangered:ff4500
orchid:da70d6 palegoldenrod:eee8aa palegreen:98fb98 paleturquoise:afeeee palevioletred:db7093
papayawhip:ffefd5 peachpuff:ffdab9 peru:cd853f pink:ffc0cb plum:dda0dd powderblue:b0e0e6
purple:800080 rebeccapurple:663399 red:ff0000 rosybrown:bc8f8f royalblue:4169e1
saddlebrown:8b4513 salmon:fa8072 sandybrown:f4a460 seagreen:2e8b57 seashell:fff5ee sienna:a0522d
silver:c0c0c0 skyblue:87ceeb slateblue:6a5acd slategray:708090 slategrey:708090 snow:fffafa
springgreen:00ff7f steelblue:4682b4 tan:d2b48c teal:008080 thistle:d8bfd8 tomato:ff6347
turquoise:40e0d0 violet:ee82ee wheat:f5deb3 white:ffffff whitesmoke:f5f5f5 yellow:ffff00
yellowgreen:9acd32 canvas:ffffff window:ffffff field:ffffff canvastext:000000 windowtext:000000
fieldtext:000000 buttontext:000000
"""
_NAMED: dict[str, Shade] = {
    name: (int(value[:2], 16), int(value[2:4], 16), int(value[4:], 16))
    for name, _, value in (pair.partition(":") for pair in _NAMES.split())
}
_HEX = frozenset("0123456789abcdef")
_FUNCTION = compiled(r"^(rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\(([^()]*)\)$")
_FOR_LIGHT = compiled(r"^light-dark\(([^(),]*(?:\([^()]*\))?)\s*,")
_NUMBER = compiled(r"^([+-]?[0-9]*\.?[0-9]+(?:e[+-]?[0-9]{1,3})?)(%|deg|turn|rad|grad)?$")
_DEGREES = {"turn": 360.0, "rad": 57.29578, "grad": 0.9}


@lru_cache(maxsize=1024)
def read_color(value: str) -> Color | None:
    """Return a CSS colour (lower case), or None when it is none that is known here.

    Hexadecimal digits without `#` are taken too: browsers do so in pages without a document type.
    """
    if value in _NAMED:
        return (*_NAMED[value], 1.0)
    if value == "transparent":
        return (0, 0, 0, 0.0)
    digits = value.removeprefix("#")
    if len(digits) in (3, 4, 6, 8) and _HEX.issuperset(digits):
        if len(digits) < 6:
            digits = "".join(digit * 2 for digit in digits)
        red, green, blue, alpha = (int((digits + "ff")[at : at + 2], 16) for at in (0, 2, 4, 6))
        return (red, green, blue, alpha / 255)
    if "from " not in value and (match := _FUNCTION.match(value)):
        return _function(match.group(1), match.group(2).replace(",", " ").replace("/", " ").split())
    if match := _FOR_LIGHT.match(value):
        return read_color(match.group(1).strip())
    return mixed_color(value, read_color)


def _function(name: str, arguments: list[str]) -> Color | None:
    """Return the colour of `rgb()`, `hsl()`, `lab()` and the like, in old and new spelling."""
    if name == "color" and arguments:
        name = arguments.pop(0)
    if len(arguments) not in (3, 4):
        return None
    values = [number for argument in arguments if (number := _number(argument)) is not None]
    if len(values) != len(arguments):
        return None
    alpha = 1.0
    if len(values) == 4:
        alpha = min(1.0, max(0.0, values[3][0] / (100 if values[3][1] == "%" else 1)))
    if name in SPACES:
        whole = SPACES[name]
        parts = [
            v / 100 * whole[at] if unit == "%" else v for at, (v, unit) in enumerate(values[:3])
        ]
        red, green, blue = (_octet(share * 255) for share in to_srgb(name, parts))
        return (red, green, blue, alpha)
    if name == "rgb":
        red, green, blue = (_octet(value * 2.55 if unit else value) for value, unit in values[:3])
        return (red, green, blue, alpha)
    if name not in ("hsl", "hwb"):
        return None
    hue = (values[0][0] * _DEGREES.get(values[0][1], 1.0) / 360) % 1.0
    second, third = (min(1.0, max(0.0, value / 100)) for value, _ in values[1:3])
    if name == "hsl":
        mixed = colorsys.hls_to_rgb(hue, third, second)
    else:
        white, black = second / max(1.0, second + third), third / max(1.0, second + third)
        pure = colorsys.hls_to_rgb(hue, 0.5, 1.0)
        mixed = tuple(share * (1 - white - black) + white for share in pure)  # type: ignore[assignment]
    red, green, blue = (_octet(share * 255) for share in mixed)
    return (red, green, blue, alpha)


def _number(argument: str) -> tuple[float, str] | None:
    """Return a number and its unit, or None when it is none."""
    if argument.isdecimal():
        return float(argument), ""
    match = _NUMBER.match(argument.replace("none", "0"))
    return None if match is None else (float(match.group(1)), match.group(2) or "")


def _octet(value: float) -> int:
    return round(min(255.0, max(0.0, value)))


def read_attribute_color(value: str) -> Color | None:
    """Return the colour of `color=` or `bgcolor=`: HTML makes one out of any word."""
    value = value.strip().lower()
    if not value or value == "transparent":
        return None
    color = read_color(value)
    if color is not None:
        return color
    digits = "".join(digit if digit in _HEX else "0" for digit in value.removeprefix("#")[:128])
    digits = digits.ljust(-(-max(len(digits), 1) // 3) * 3, "0")
    third = len(digits) // 3
    parts = [digits[at : at + third][-8:] for at in (0, third, 2 * third)]
    while len(parts[0]) > 2 and all(part.startswith("0") for part in parts):
        parts = [part[1:] for part in parts]
    red, green, blue = (int(part[:2], 16) for part in parts)
    return (red, green, blue, 1.0)


def blend(over: Color, under: Shade) -> Shade:
    """Return what is seen of a colour that lies over an opaque one."""
    alpha = over[3]
    if alpha >= 1.0:
        return over[:3]
    red, green, blue = (
        round(a * alpha + b * (1 - alpha)) for a, b in zip(over[:3], under, strict=True)
    )
    return (red, green, blue)


@lru_cache(maxsize=1024)
def too_near(shade: Shade, other: Shade) -> bool:
    """Whether text of one colour on the other is not seen."""
    if shade == other:
        return True
    red, green, blue = ((a - b) ** 2 for a, b in zip(shade, other, strict=True))
    if (0.299 * red + 0.587 * green + 0.114 * blue) ** 0.5 > NEAR_DISTANCE:
        return False
    lighter, darker = sorted((_luminance(shade), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05) < NEAR_CONTRAST


def _luminance(shade: Shade) -> float:
    """Return the relative luminance (WCAG 2.2, definitions)."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (octet / 255 for octet in shade)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
