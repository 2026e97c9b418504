"""Makes ordinary HTML mail in the layouts of everyday programs, with what its reader sees."""

import random
from collections.abc import Callable, Iterator
from html import escape

from tests.core.screening import sentences

SENTENCES: list[str] = sentences.ORDINARY["in layouts of programs"]
COLORS = (("#333333", "#ffffff"), ("#ffffff", "#1f3a5f"), ("#e8e8e8", "#121212"), ("navy", "beige"))


class Draw:
    """What one mail is made of, drawn from its number."""

    def __init__(self, number: int) -> None:
        self.random = random.Random(number)
        self.said: list[str] = []

    def say(self, text: str = "") -> str:
        """Return a sentence as HTML and remember that the reader sees it."""
        text = text or self.random.choice(SENTENCES)
        self.said.append(text)
        return escape(text)

    def pair(self) -> tuple[str, str]:
        """Return a text colour and the colour behind it."""
        return self.random.choice(COLORS)


def newsletter(d: Draw) -> str:
    """A newsletter with a preheader, a padded preview line and a dark mode."""
    text, ground = d.pair()
    return f"""<!DOCTYPE html><html><head><meta name="viewport" content="width=device-width">
<style>:root{{color-scheme:light dark}} body{{margin:0;padding:0}} .wide{{width:600px}}
.preheader{{display:none!important;visibility:hidden;opacity:0;height:0;width:0;overflow:hidden}}
@media (prefers-color-scheme:dark){{.card{{background:#111!important;color:#111!important}}}}
@media only screen and (max-width:600px){{.wide{{width:100%!important}} .desk{{display:none}}}}
[data-ogsc] .card{{color:#000!important}} u + .body .card{{display:none}}
.card a:hover{{color:transparent}} .ExternalClass{{width:100%;line-height:100%}}</style></head>
<body class="body"><span class="preheader">A few words for the inbox</span>
<div style="display:none;max-height:0;overflow:hidden">&#847;&zwnj;&nbsp;&#8203;</div>
<table class="wide" align="center" style="color:{text}" bgcolor="{ground}"><tr>
<td class="card" style="padding:20px;line-height:1.5"><h1 style="font-size:28px">{d.say()}</h1>
<p class="desk">{d.say()}</p><p style="opacity:.7;font-size:11px">{d.say()}</p></td></tr></table>
<img src="https://quince.example/open.gif" width="1" height="1"></body></html>"""


def button(d: Draw) -> str:
    """A button that is drawn for Outlook and written for all others."""
    drawn = """<v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="https://quince.example"
style="height:40px;width:200px"><center>See your booking</center></v:roundrect>"""
    return f"""<p>{d.say()}</p><div><!--[if mso]>{drawn}<![endif]--><a
href="https://quince.example" style="background-color:#49a9ce;border-radius:4px;color:#ffffff;
display:inline-block;font-size:13px;line-height:40px;text-align:center;width:200px;mso-hide:all">
{d.say("See your booking")}</a></div>"""


def outlook(d: Draw) -> str:
    """Mail written in Outlook, with its name spaces, comments and empty paragraphs."""
    return f"""<html xmlns:o="urn:schemas-microsoft-com:office:office"><head>
<!--[if gte mso 9]><xml><o:shapedefaults v:ext="edit" spidmax="1026"/></xml><![endif]-->
<style><!-- /* Style Definitions */ p.MsoNormal, li.MsoNormal{{margin:0cm;font-size:11.0pt;
font-family:"Calibri",sans-serif;mso-fareast-language:EN-US}} a:link{{color:#0563C1}}
span.EmailStyle17{{mso-style-type:personal-compose;color:windowtext}} @page WordSection1
{{size:612.0pt 792.0pt;margin:70.85pt}} --></style></head><body lang=DE link="#0563C1">
<div class=WordSection1><p class=MsoNormal><span style='color:#1F497D'>{d.say()}<o:p></o:p></span>
</p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoListParagraph style='text-indent:-18.0pt;
mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.<span
style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>{d.say()}</p>
<!--[if !mso]><!--><p>{d.say()}</p><!--<![endif]--><p class=MsoNormal>{d.say()}</p></div></body>"""


def mjml(d: Draw) -> str:
    """Columns whose wrappers have a font size of nothing against gaps."""
    text, ground = d.pair()
    column = (
        '<div class="mj-column-per-50" style="font-size:0px;text-align:left;direction:ltr;'
        'display:inline-block;vertical-align:top;width:100%"><table><tr><td align="left" '
        'style="font-size:0px;padding:10px 25px;word-break:break-word"><div style="font-family:'
        "Ubuntu,Helvetica,Arial;font-size:13px;line-height:1;text-align:left;color:{};"
        '">{}</div></td></tr></table></div>'
    )
    return f"""<!doctype html><html><head><style>#outlook a{{padding:0}}
@media only screen and (min-width:480px){{.mj-column-per-50{{width:50%!important}}}}
.moz-text-html .mj-column-per-50{{width:50%!important}}</style></head>
<body style="word-spacing:normal;background-color:{ground}">
<!--[if mso | IE]><table><tr><td style="vertical-align:top;width:300px"><![endif]-->
<div style="background:{ground};line-height:0;font-size:0">
{column.format(text, d.say())}<!--[if mso | IE]></td><td><![endif]-->
{column.format(text, d.say())}</div></body></html>"""


def quoted(d: Draw) -> str:
    """A reply above what it answers, with a signature."""
    return f"""<div dir="ltr">{d.say()}<br><br>{d.say()}</div><br>
<div class="gmail_quote"><div dir="ltr" class="gmail_attr">
{d.say("On Mon, 2 Mar 2026 at 09:00, Petra wrote:")}<br></div><blockquote class="gmail_quote"
style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">
<div style="color:rgb(0,0,0)">{d.say()}</div></blockquote></div>"""


def signature(d: Draw) -> str:
    """A signature laid out as a table, light grey and small."""
    return f"""<p style="margin:0 0 -4px;text-indent:-2em;padding-left:2em">{d.say()}</p>
<table cellpadding=0 style="border-top:1px solid #eee;color:#999;font:11px/14px arial"><tr>
<td width="1" style="width:1px"><img src="cid:logo" alt="Quince Ltd" width=80></td>
<td style="padding-left:12px"><b style="color:#c00">{d.say("Petra Quince")}</b><br>
<span style="color:#bbbbbb;font-size:8px">{d.say("Quince Ltd, Mill Lane 7")}</span></td></tr>
</table>"""


def invoice(d: Draw) -> str:
    """A table of amounts with zebra stripes."""
    opening = d.say()
    rows = "".join(
        f'<tr style="background:{"#f7f7f7" if n % 2 else "white"}"><td>{d.say(f"Item {n}")}</td>'
        f'<td style="text-align:right;white-space:nowrap">{d.say(f"{n * 7} EUR")}</td></tr>'
        for n in range(1, 4)
    )
    return f"""<style>td{{padding:4px;overflow:hidden;max-height:90px}}</style>
<p>{opening}</p><table style="border-collapse:collapse;color:#444">{rows}<tr>
<td colspan=2 style="height:30px;overflow:hidden;line-height:30px">{d.say()}</td></tr></table>"""


def hero(d: Draw) -> str:
    """White words on a picture, and on a gradient."""
    return f"""<table width=100%><tr><td background="https://quince.example/h.jpg" bgcolor="#7bceeb"
style="background:url('https://quince.example/h.jpg') center/cover #7bceeb"><h2
style="color:#fff;text-shadow:0 1px 2px #000">{d.say()}</h2></td></tr><tr><td
style="background:linear-gradient(90deg,#ff7e5f,#feb47b)"><p style="color:white">{d.say()}</p>
</td></tr><tr><td style="background-image:none;position:relative;left:-10px">{d.say()}</td></tr>
</table>"""


def notice(d: Draw) -> str:
    """A notice of a web service with icons, a list and a footer."""
    return f"""<div style="position:relative;overflow:hidden;width:600px;transform:scale(1)">
<p><span aria-hidden="true">→</span> {d.say()}</p><ul style="list-style:none"><li>{d.say()}</li>
<li style="clip-path:inset(0)">{d.say()}</li></ul><hr><p hidden style="display:block">{d.say()}</p>
<p style="visibility:hidden"><span style="visibility:visible">{d.say()}</span></p>
<small style="color:rgba(0,0,0,.55);letter-spacing:-.2px">{d.say()}</small></div>"""


LAYOUTS: tuple[Callable[[Draw], str], ...] = (
    newsletter, button, outlook, mjml, quoted, signature, invoice, hero, notice,
)  # fmt: skip


def letters(count: int) -> Iterator[tuple[str, list[str], bytes]]:
    """Yield (layout, what its reader sees, message)."""
    for number in range(count):
        draw = Draw(number)
        layout = LAYOUTS[number % len(LAYOUTS)]
        body = layout(draw)
        if number % 2:
            body += f'<div style="background:#fff">{signature(draw)}</div>'
        if number % 5 == 0:
            body += f'<div style="background:#fff">{quoted(draw)}</div>'
        head = (
            "From: Petra <petra@quince.example>\r\nTo: office@alder.example\r\nSubject: Kettle\r\n"
            "MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
        )
        yield layout.__name__, draw.said, (head + body.replace("\n", "\r\n")).encode()
