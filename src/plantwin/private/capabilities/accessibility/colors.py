"""Colours of CSS, and the contrast between two."""

from __future__ import annotations

import colorsys
import re

Color = tuple[float, float, float, float]
"""Red, green, blue between 0 and 255, and opacity between 0 and 1."""
_HEX = re.compile(r"#([0-9a-f]{3,8})")
_FUNCTION = re.compile(r"(rgba?|hsla?)\(\s*([^()]{1,80})\)")
WHITE: Color = (255.0, 255.0, 255.0, 1.0)
BLACK: Color = (0.0, 0.0, 0.0, 1.0)
NAMED = dict(
    re.findall(
        r"([a-z]+) ([0-9a-f]{6})",
        "aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 "
        "black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 "
        "cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc "
        "crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 "
        "darkgrey a9a9a9 darkgreen 006400 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f "
        "darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f "
        "darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 "
        "deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 "
        "floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 "
        "goldenrod daa520 gray 808080 grey 808080 green 008000 greenyellow adff2f honeydew f0fff0 hotpink ff69b4 "
        "indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 "
        "lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff "
        "lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgrey d3d3d3 lightgreen 90ee90 lightpink ffb6c1 "
        "lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 "
        "lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff "
        "maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db "
        "mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc "
        "mediumvioletred c71585 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 "
        "navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 "
        "orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee palevioletred db7093 "
        "papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 "
        "rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 "
        "sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb "
        "slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 "
        "tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 "
        "white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32 ",
    )
)
"""Names of colours with their digits."""


def color(text: str) -> Color | None:
    """A colour; None where it cannot be known."""
    text = text.strip().lower()
    if text == "transparent":
        return (0.0, 0.0, 0.0, 0.0)
    digits = NAMED.get(text, "")
    match = _HEX.fullmatch(text)
    if match is not None:
        digits = match[1]
    if digits:
        if len(digits) in (3, 4):
            digits = "".join(sign * 2 for sign in digits)
        if len(digits) not in (6, 8):
            return None
        parts = [int(digits[at : at + 2], 16) for at in range(0, len(digits), 2)]
        return (float(parts[0]), float(parts[1]), float(parts[2]), parts[3] / 255 if len(parts) > 3 else 1.0)
    found = _FUNCTION.fullmatch(text)
    return _computed(found[1], found[2]) if found is not None else None


def _computed(function: str, given: str) -> Color | None:
    parts = [part for part in re.split(r"[\s,/]+", given.strip()) if part]
    if len(parts) not in (3, 4):
        return None
    try:
        opacity = _share(parts[3]) if len(parts) == 4 else 1.0
        if function.startswith("rgb"):
            red, green, blue = (float(part[:-1]) * 2.55 if part.endswith("%") else float(part) for part in parts[:3])
        else:
            hue = float(parts[0].removesuffix("deg")) % 360 / 360
            mixed = colorsys.hls_to_rgb(hue, _share(parts[2]), _share(parts[1]))
            red, green, blue = (part * 255 for part in mixed)
    except ValueError:
        return None
    return (min(red, 255.0), min(green, 255.0), min(blue, 255.0), min(max(opacity, 0.0), 1.0))


def _share(text: str) -> float:
    return float(text[:-1]) / 100 if text.endswith("%") else float(text)


def over(front: Color, back: Color) -> Color:
    """A colour as it is seen upon another."""
    share = front[3]
    red, green, blue = (front[at] * share + back[at] * (1 - share) for at in range(3))
    return (red, green, blue, 1.0)


def _luminance(one: Color) -> float:
    parts = [value / 255 for value in one[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: Color, second: Color) -> float:
    """The ratio between the lighter and the darker, from 1 to 21."""
    bright, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def shown(one: Color) -> str:
    """A colour as it is written."""
    return "#" + "".join(f"{round(part):02x}" for part in one[:3])
