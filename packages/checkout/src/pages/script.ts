/**
 * The little that runs on the page: it asks the frame of the card fields for a token, sends a form once, and looks whether something has
 * changed. Without it, everything but paying by card works.
 */
export const PAGE_SCRIPT = `(()=>{"use strict";
addEventListener("pageshow",e=>{if(e.persisted)location.reload()});
const moved=document.querySelector("[data-next]");
if(moved)setTimeout(()=>location.replace(moved.dataset.next),Number(moved.dataset.after||0));
const watched=document.querySelector("[data-watch]");
if(watched){let wait=1000;const look=async()=>{try{const r=await fetch(watched.dataset.watch,{headers:{accept:"application/json"}});if(r.ok&&(await r.json()).state!==watched.dataset.state)return location.replace(watched.dataset.page)}catch{}wait=Math.min(wait*1.3,8000);setTimeout(look,wait)};setTimeout(look,wait)}
const form=document.querySelector("form[data-pay]");if(!form)return;
const button=form.querySelector("button[type=submit]"),frame=form.querySelector("iframe"),live=form.querySelector("[data-live]"),{token,email}=form.elements;
let busy=false,patience;
const start=()=>{busy=true;button.setAttribute("aria-disabled","true");live.textContent=live.dataset.live};
const stop=()=>{busy=false;clearTimeout(patience);button.removeAttribute("aria-disabled");live.textContent=""};
const target=frame?frame.dataset.origin:"",byCard=()=>frame&&(form.querySelector("input[name=pay_with]:checked")||{value:"card"}).value==="card";
const ask=what=>frame.contentWindow.postMessage({type:"svc.fields."+what},target==="null"?"*":target);
const correct=text=>{const e=document.getElementById("email-error");e.textContent=text;text?email.setAttribute("aria-invalid","true"):email.removeAttribute("aria-invalid")};
if(email)email.addEventListener("input",()=>{if(email.getAttribute("aria-invalid")&&email.validity.valid)correct("")});
form.addEventListener("submit",e=>{
if(busy)return e.preventDefault();
if(email&&email.type!=="hidden"){if(!email.validity.valid){e.preventDefault();correct(email.dataset.invalid);email.focus();if(byCard())ask("check");return}correct("")}
start();
if(!byCard())return;
e.preventDefault();
patience=setTimeout(stop,10000);
ask("tokenize")});
addEventListener("message",e=>{if(!frame||e.source!==frame.contentWindow||e.origin!==target||!e.data)return;
const{type}=e.data;
if(type==="svc.fields.height")frame.style.blockSize=Math.min(Math.max(Number(e.data.height)||0,120),1400)+"px";
else if(type==="svc.fields.submit")form.requestSubmit(button);
else if(type==="svc.fields.invalid"){if(busy){stop();frame.focus()}}
else if(type==="svc.fields.token"&&busy&&byCard()){clearTimeout(patience);token.value=String(e.data.token);form.submit()}})})()`
