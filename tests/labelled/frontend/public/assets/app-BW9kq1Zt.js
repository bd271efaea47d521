/*! orchard-web 2.6.0 */
import{r as e,j as t}from"./vendor-Cx81aa0Q.js";const n=(e,t)=>e>t?t:e;function r({name:r,health:o,onWater:a}){const[s,i]=e.useState(!1);return t.jsxs("article",{className:"card",children:[t.jsxs("header",{children:[t.jsx("h3",{children:r}),t.jsx("span",{className:"b-"+o,children:o})]}),t.jsx("button",{type:"button",disabled:s,onClick:async()=>{i(!0);try{await a()}finally{i(!1)}},children:"Water"})]})}var o=Object.defineProperty,a=(e,t,n)=>t in e?o(e,t,{enumerable:!0,configurable:!0,writable:!0,value:n}):e[t]=n;class s{constructor(){a(this,"q",[]),a(this,"m",n(64,128))}push(e){return this.q.length<this.m&&(this.q.push(e),!0)}drain(){const e=this.q;return this.q=[],e}}
const c=new s;function l(e){return c.push(e)?void 0:Promise.reject(new Error("full"))}
export{r as T,l as p,c as q};
//# sourceMappingURL=app-BW9kq1Zt.js.map
