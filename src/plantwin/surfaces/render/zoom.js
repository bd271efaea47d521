
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
