/**
 * The small script of all pages of the desk. Everything works without it: it copies, keeps a form from being sent twice, looks again where
 * a page waits, leads to the search by `/`, and says when something has happened to what it shows. What has `data-follows` is then taken
 * anew from the same page. A stream that ended begins anew when somebody is there again.
 */
const copies = `document.querySelectorAll("[data-copy]").forEach(b=>{b.hidden=false;b.addEventListener("click",async()=>{
const i=document.getElementById(b.dataset.copy);i.select?i.select():getSelection().selectAllChildren(i);
try{await navigator.clipboard.writeText(i.value??i.textContent)}catch{document.execCommand("copy")}
b.textContent=b.dataset.copied})});`

const once = `document.querySelectorAll("form[method=post]").forEach(f=>f.addEventListener("submit",e=>{
if(f.dataset.sent){e.preventDefault();return}f.dataset.sent="1";
f.querySelectorAll("button[type=submit]").forEach(b=>b.setAttribute("aria-disabled","true"))}));
addEventListener("pageshow",()=>document.querySelectorAll("form[data-sent]").forEach(f=>{delete f.dataset.sent;
f.querySelectorAll("[aria-disabled]").forEach(b=>b.removeAttribute("aria-disabled"))}));`

const live = `const shown=document.querySelector("[data-live]");
if(shown){let source,soon;
const follow=async()=>{const olds=[...document.querySelectorAll("[data-follows]")];if(olds.length===0)return;
const answer=await fetch(location.href);if(!answer.ok)return;
const page=new DOMParser().parseFromString(await answer.text(),"text/html");
for(const old of olds){const fresh=page.getElementById(old.id);if(!fresh||old.contains(document.activeElement))continue;
const isOpen=[...old.querySelectorAll("details")].map(d=>d.open);
fresh.querySelectorAll("details").forEach((d,n)=>{d.open=isOpen[n]??d.open});old.replaceWith(fresh)}};
const open=()=>{if(source||document.hidden)return;source=new EventSource("/desk/live");
source.onmessage=({data})=>{if(!shown.dataset.live.split(" ").some(b=>data.startsWith(b)))return;
shown.querySelector("a")?.removeAttribute("hidden");clearTimeout(soon);soon=setTimeout(follow,300)};
source.onerror=()=>{source.close();source=undefined}};
open();addEventListener("focus",open);document.addEventListener("visibilitychange",open);
addEventListener("pagehide",()=>source?.close())}`

/** A page without a script does so by its head. */
const again = `const next=document.querySelector("[data-refresh]");
if(next)setTimeout(()=>location.replace(next.dataset.to||location.href),1000*next.dataset.refresh);`

const search = `addEventListener("keydown",e=>{
if(e.key!=="/"||e.ctrlKey||e.metaKey||e.altKey||e.target.closest?.("input,textarea,select,[contenteditable]"))return;
const box=document.querySelector("[role=search] input");if(box){e.preventDefault();box.select()}});`

export const DESK_SCRIPT = [copies, once, again, search, live].join("\n").replace(/\n/gu, "")
