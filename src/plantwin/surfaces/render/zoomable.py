"""A picture as one HTML page that can be zoomed and moved: it loads nothing, and what it shows cannot act in it."""

from __future__ import annotations

import base64
import hashlib

STYLE = """
html,body{margin:0;height:100%;font:14px system-ui,sans-serif}
#view{position:fixed;inset:0;overflow:hidden;cursor:grab;touch-action:none}
#view svg{position:absolute;transform-origin:0 0}
nav{position:fixed;right:1rem;top:1rem;display:flex;gap:.3rem}
nav button,nav input{font:inherit;padding:.2rem .6rem}
.dim{opacity:.15}
"""
SCRIPT = """
"use strict";
const view=document.getElementById("view"),svg=view.querySelector("svg"),find=document.getElementById("find");
const w=svg.viewBox.baseVal.width,h=svg.viewBox.baseVal.height;let s=1,x=0,y=0,held=null;
const put=()=>{svg.style.transform=`translate(${x}px,${y}px) scale(${s})`};
const fit=()=>{s=Math.min(view.clientWidth/w,view.clientHeight/h);
x=(view.clientWidth-w*s)/2;y=(view.clientHeight-h*s)/2;put()};
const zoom=(f,cx=view.clientWidth/2,cy=view.clientHeight/2)=>{
const n=Math.min(20,Math.max(.05,s*f));x=cx-(cx-x)*n/s;y=cy-(cy-y)*n/s;s=n;put()};
view.addEventListener("wheel",e=>{e.preventDefault();zoom(Math.exp(-e.deltaY/400),e.clientX,e.clientY)},{passive:false});
view.addEventListener("pointerdown",e=>{held=[e.clientX-x,e.clientY-y];view.setPointerCapture(e.pointerId)});
view.addEventListener("pointermove",e=>{if(held){x=e.clientX-held[0];y=e.clientY-held[1];put()}});
view.addEventListener("pointerup",()=>{held=null});
const keys={"+":()=>zoom(1.25),"=":()=>zoom(1.25),"-":()=>zoom(.8),"0":fit,
ArrowLeft:()=>{x+=60;put()},ArrowRight:()=>{x-=60;put()},ArrowUp:()=>{y+=60;put()},ArrowDown:()=>{y-=60;put()}};
addEventListener("keydown",e=>{if(e.target!==find&&keys[e.key]){e.preventDefault();keys[e.key]()}});
document.querySelectorAll("nav button").forEach(b=>b.addEventListener("click",()=>keys[b.value]()));
find.addEventListener("input",()=>{const t=find.value.toLowerCase();
svg.querySelectorAll("text").forEach(e=>e.classList.toggle("dim",!!t&&!e.textContent.toLowerCase().includes(t)))});
addEventListener("resize",fit);fit();
"""


def page(svg: str, title: str) -> str:
    """The page. `title`: text that is escaped already."""
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_digest(SCRIPT)}'; base-uri 'none'"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{STYLE}</style></head>\n'
        f'<body><div id="view">{svg}</div>\n'
        '<nav><input id="find" type="search" placeholder="Find" aria-label="Find">'
        '<button value="+" aria-label="Zoom in">+</button><button value="-" aria-label="Zoom out">-</button>'
        f'<button value="0">Fit</button></nav>\n<script>{SCRIPT}</script></body></html>\n'
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
