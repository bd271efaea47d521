
"use strict";
const body=document.querySelector("tbody"),count=document.getElementById("count"),find=document.getElementById("find");
if(body){
const boxes=[...document.querySelectorAll(".bar input[type=checkbox]")],rows=[...body.rows];
const texts=rows.map(r=>r.textContent.toLowerCase());
const show=()=>{
const words=find.value.toLowerCase().split(/\s+/).filter(Boolean);
const on=new Set(boxes.filter(b=>b.checked).map(b=>b.value));let n=0;
rows.forEach((r,i)=>{const ok=on.has(r.dataset.s)&&words.every(w=>texts[i].includes(w));r.hidden=!ok;n+=ok});
count.textContent=n+" shown"};
let timer;find.addEventListener("input",()=>{clearTimeout(timer);timer=setTimeout(show,120)});
boxes.forEach(b=>b.addEventListener("change",show));
const key=(r,c)=>c?r.cells[c].textContent:+r.dataset.r;
document.querySelectorAll("thead th").forEach((th,c)=>th.firstElementChild.addEventListener("click",()=>{
const up=th.getAttribute("aria-sort")!=="ascending",sign=up?1:-1;
document.querySelectorAll("thead th").forEach(o=>o.removeAttribute("aria-sort"));
th.setAttribute("aria-sort",up?"ascending":"descending");
const keyed=[...body.rows].map(r=>[key(r,c),+r.dataset.n,r]);
const order=new Intl.Collator(undefined,{numeric:true});
keyed.sort((a,b)=>sign*(c?order.compare(a[0],b[0]):a[0]-b[0])||a[1]-b[1]);
body.append(...keyed.map(k=>k[2]))}));
show()}
