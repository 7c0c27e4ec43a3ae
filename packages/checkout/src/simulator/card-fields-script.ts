/**
 * What runs in the frame of the card fields. It speaks with the page around it alone, which asks for a token and hears a token, that
 * something has to be corrected, how high the frame has to be, and that the customer pressed Enter. No message holds what was typed.
 */
export const FIELDS_SCRIPT = `(()=>{"use strict";
const $=id=>document.getElementById(id),[number,expiry,cvc]=["number","expiry","cvc"].map($),said=$("fields").dataset;
const cards=new Map([...document.querySelectorAll(".test")].map(b=>[b.dataset.number.replace(/ /g,""),b.dataset.token]));
const digits=i=>i.value.replace(/[^0-9]/g,"");
const tell=(m)=>parent.postMessage(m,location.origin);
const fit=()=>tell({type:"svc.fields.height",height:Math.ceil(document.body.getBoundingClientRect().height)});
const mark=(i,text)=>{const e=$(i.id+"-error");if(e.textContent!==text)e.textContent=text;text?i.setAttribute("aria-invalid","true"):i.removeAttribute("aria-invalid");return text===""};
const over=()=>{const d=digits(expiry);if(!/^(0[1-9]|1[0-2])[0-9]{2}$/.test(d))return true;const now=new Date();return Number("20"+d.slice(2))*12+Number(d.slice(0,2))<=now.getFullYear()*12+now.getMonth()};
const checks=[[number,()=>digits(number)===""?said.missing:cards.has(digits(number))?"":said.unknown],[expiry,()=>over()?said.expiry:""],[cvc,()=>/^[0-9]{3,4}$/.test(digits(cvc))?"":said.cvc]];
const format=(i,f)=>i.addEventListener("input",()=>{const end=i.selectionStart===i.value.length,at=digits({value:i.value.slice(0,i.selectionStart)}).length;const text=f(digits(i));if(text!==i.value){i.value=text;if(!end){let p=0,n=0;while(p<text.length&&n<at)if(/[0-9]/.test(text[p++]))n++;i.setSelectionRange(p,p)}}if(i.getAttribute("aria-invalid"))mark(i,checks.find(([c])=>c===i)[1]())});
format(number,d=>d.startsWith("3")?[d.slice(0,4),d.slice(4,10),d.slice(10,15)].filter(Boolean).join(" "):(d.slice(0,19).match(/.{1,4}/g)||[]).join(" "));
format(expiry,d=>{if(/^[2-9]/.test(d))d="0"+d;d=d.slice(0,4);return d.length>2?d.slice(0,2)+" / "+d.slice(2):d});
format(cvc,d=>d.slice(0,4));
for(const i of[number,expiry,cvc])i.addEventListener("keydown",e=>{if(e.key==="Enter"){e.preventDefault();tell({type:"svc.fields.submit"})}});
for(const b of document.querySelectorAll(".test"))b.addEventListener("click",()=>{number.value=b.dataset.number;expiry.value="12 / 34";cvc.value="123";for(const[i]of checks)mark(i,"");document.querySelector("details").open=false;number.focus()});
addEventListener("message",e=>{
if(e.source!==parent||e.origin!==location.origin||!/^svc[.]fields[.](tokenize|check)$/.test(e.data?.type))return;
const wrong=checks.filter(([i,check])=>!mark(i,check()));
if(e.data.type==="svc.fields.check")return;
if(wrong.length){wrong[0][0].focus();tell({type:"svc.fields.invalid"})}else tell({type:"svc.fields.token",token:cards.get(digits(number))})});
new ResizeObserver(fit).observe(document.body)})()`
