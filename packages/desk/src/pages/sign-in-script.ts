/**
 * The script of pages on which a passkey is made or asked for: it fetches what to ask, asks the browser, and sends the form with what that
 * answered. Where a session is over or its proof too old, the page says so when it is loaded again. A button with an address of its own
 * sends the form as it is.
 */
export const PASSKEY_SCRIPT = `(()=>{"use strict";
for(const form of document.querySelectorAll("form[data-passkey]")){
const live=form.querySelector("[data-live-text]"),say=text=>{live.textContent=text;live.hidden=!text;delete form.dataset.sent;
form.querySelectorAll("[aria-disabled]").forEach(b=>b.removeAttribute("aria-disabled"))};
const can=self.PublicKeyCredential&&PublicKeyCredential.parseRequestOptionsFromJSON;
if(!can)say(form.dataset.unsupported);
let busy=false;
form.addEventListener("submit",async e=>{
if(e.submitter&&e.submitter.hasAttribute("formaction"))return;
e.preventDefault();
if(busy||!can)return;
busy=true;say("");
try{
const answer=await fetch(form.dataset.options,{method:"POST",body:new URLSearchParams(new FormData(form))});
if(answer.status===401||answer.status===409)return location.reload();
const asked=await answer.json();
if(!answer.ok)return say(asked.message);
const made=form.dataset.passkey==="create"
?await navigator.credentials.create({publicKey:PublicKeyCredential.parseCreationOptionsFromJSON(asked)})
:await navigator.credentials.get({publicKey:PublicKeyCredential.parseRequestOptionsFromJSON(asked)});
form.elements.credential.value=JSON.stringify(made.toJSON());
form.submit()
}catch{say(form.dataset.failed)}finally{busy=false}})}})()`.replace(/\n/gu, "")

/** The script of the page that sends again what had to wait for a proof. */
export const AGAIN_SCRIPT = `document.querySelector("form[data-again]").requestSubmit()`
