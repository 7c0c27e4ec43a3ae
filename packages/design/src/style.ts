/** The one style of all pages. Sides are `inline` and `block`, so that right-to-left needs no rule of its own. */
import { TOKENS } from "./tokens.ts"

const base = `
*,::before,::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-block-size:100vh;min-block-size:100dvh;background:var(--surface);color:var(--text);font:var(--type-body)/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans Arabic","Noto Sans JP",sans-serif;font-synthesis:none;text-rendering:optimizeLegibility;overflow-wrap:anywhere}
h1,h2,p,ul,ol,dl,dd,figure,fieldset{margin:0;padding:0}
h1{font-size:var(--type-title);line-height:1.25;font-weight:600;letter-spacing:-.01em;text-wrap:balance}
h2{font-size:var(--type-large);line-height:1.3;font-weight:600}
ul{list-style:none}
fieldset{border:0;min-inline-size:0}
legend{padding:0 0 var(--space-2)}
a{color:var(--accent);text-underline-offset:.2em;text-decoration-thickness:1px}
img,svg{display:block}
button,input,select{font:inherit;color:inherit}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
[hidden]{display:none!important}
.quiet,small,.back{color:var(--muted);font-size:var(--type-small)}
small{display:block}
.sr{position:absolute;inline-size:1px;block-size:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.num{font-variant-numeric:tabular-nums;white-space:nowrap;unicode-bidi:isolate}
:lang(de){hyphens:auto;hyphenate-limit-chars:10 4 4}
:lang(ja){word-break:auto-phrase}
bdi,input,code{hyphens:manual}
.stack{display:flex;flex-direction:column;gap:var(--space-5)}
.tight{gap:var(--space-3)}
`

const layout = `
.plain{display:grid;min-block-size:100vh;min-block-size:100dvh;background:var(--ground);grid-template-rows:auto 1fr;justify-items:center;padding:var(--space-5) var(--space-4)}
.plain>main{inline-size:100%;max-inline-size:var(--measure);align-self:start;margin-block-start:min(12vh,var(--space-8))}
.plain>header{inline-size:100%;max-inline-size:60rem}
.split{display:grid;min-block-size:100vh;min-block-size:100dvh;grid-template-rows:auto 1fr}
.split>.side,.split>main{padding:var(--space-5) var(--space-4)}
.split>.side{background:var(--ground);border-block-end:1px solid var(--line)}
.split>.side>*,.split>main>*{max-inline-size:var(--measure);margin-inline:auto}
.side{display:flex;flex-direction:column;gap:var(--space-5)}
.side>*{inline-size:100%}
@media(min-width:56rem){
.split{grid-template:1fr/1fr 1fr}
.split>.side,.split>main{padding:var(--space-8) clamp(var(--space-5),6vw,var(--space-8))}
.split>.side{border-block-end:0;border-inline-end:1px solid var(--line)}
.split>.side>*{margin-inline:auto 0}
.split>main>*{margin-inline:0 auto}
}
.brand{display:flex;flex-wrap:wrap;align-items:center;gap:var(--space-2) var(--space-3);min-block-size:2.25rem;font-weight:600}
.brand img{block-size:2.25rem;max-inline-size:min(100%,15rem);flex:none;
object-fit:contain;object-position:left;border-radius:.25rem}
[dir=rtl] .brand img{object-position:right}
.brand bdi{flex:1 1 6rem;max-inline-size:max-content;line-height:1.3}
.brand img+bdi{flex-basis:14rem}
.brand bdi+.badge{margin-inline-start:auto}
.brand .mark{display:grid;place-items:center;block-size:2.25rem;inline-size:2.25rem;border-radius:var(--radius);border:1px solid var(--brand-edge);background:var(--brand);color:var(--on-brand);flex:none}
.back{display:inline-flex;align-items:center;gap:var(--space-2);min-block-size:1.75rem;text-decoration:none}
.back:hover{color:var(--text)}
.back svg{inline-size:1rem;block-size:1rem;flex:none}
[dir=rtl] .flip{transform:scaleX(-1)}
`

const components = `
.card{background:var(--surface);border:1px solid var(--line);border-radius:var(--radius-large);padding:var(--space-5)}
.badge{display:inline-block;flex:none;max-inline-size:100%;padding:.125rem var(--space-2);border-radius:.375rem;
font-size:var(--type-small);font-weight:500;line-height:1.4}
.button{display:inline-flex;align-items:center;justify-content:center;gap:var(--space-2);min-block-size:var(--target);padding:var(--space-2) var(--space-5);border:1px solid var(--edge);border-radius:var(--radius);background:var(--surface);color:var(--text);font-weight:600;text-align:center;text-decoration:none;cursor:pointer;transition:background-color .12s}
.button:hover{background:var(--ground)}
.button.primary{background:var(--brand);border-color:var(--brand-edge);color:var(--on-brand)}
.button.primary:hover{background:var(--brand-hover);color:var(--on-brand-hover)}
.button.danger{color:var(--danger);border-color:var(--danger)}
.button.wide{inline-size:100%}
.button[aria-disabled=true]{cursor:progress}
.button .spin{display:none}
.button[aria-disabled=true] .spin{display:block}
.spin{inline-size:1.125rem;block-size:1.125rem;border:2px solid currentColor;border-inline-end-color:transparent;border-radius:50%;animation:turn .8s linear infinite;flex:none}
@keyframes turn{to{transform:rotate(1turn)}}
.field{display:flex;flex-direction:column;gap:var(--space-1)}
.field>label,.label{font-size:var(--type-small);font-weight:500}
.field>input,.field>select{inline-size:100%;min-block-size:var(--target);padding:var(--space-2) var(--space-3);border:1px solid var(--edge);border-radius:var(--radius);background:var(--surface)}
.field>input::placeholder{color:var(--muted);opacity:1}
.field>input[aria-invalid=true]{border-color:var(--danger);box-shadow:inset 0 0 0 1px var(--danger)}
.field>.error{display:block;color:var(--danger);font-size:var(--type-small);min-block-size:1.3125rem}
.field>.error:empty{min-block-size:0}
.row{display:grid;grid-template-columns:1fr 1fr;gap:var(--space-3);align-items:start}
.alert{display:flex;gap:var(--space-3);padding:var(--space-3) var(--space-4);border-radius:var(--radius)}
.alert strong{display:block;font-weight:600}
.alert p{color:var(--text)}
.alert svg{inline-size:1.25rem;block-size:1.25rem;flex:none;margin-block-start:.125rem}
.amount{font-size:var(--type-amount);line-height:1.15;font-weight:600;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.lines>li,.pairs>div{display:flex;justify-content:space-between;gap:var(--space-4);padding-block:var(--space-3)}
.lines>li+li,.pairs>div+div{border-block-start:1px solid var(--line)}
.lines .num{font-weight:500}
.pairs dt{color:var(--muted);flex:none;max-inline-size:50%}
.pairs dd{text-align:end;min-inline-size:0}
.pairs dd,.lines small,.total span:not(.num),.status p{text-wrap:balance}
.pairs dd,.lines small{word-break:keep-all}
.total{display:flex;justify-content:space-between;gap:var(--space-4);border-block-start:1px solid var(--edge);padding-block-start:var(--space-3);font-weight:600}
.choice{display:flex;align-items:center;gap:var(--space-3);min-block-size:var(--target);padding:var(--space-2) var(--space-4);cursor:pointer}
.choice input{inline-size:1.125rem;block-size:1.125rem;margin:0;accent-color:var(--accent);flex:none}
.choice span{display:block}
.choices{background:var(--surface);border:1px solid var(--edge);border-radius:var(--radius-large);overflow:clip}
.choices>*+*{border-block-start:1px solid var(--line)}
.choices>.inside{border:0;padding:0 var(--space-4) var(--space-4)}
.choices>.inside.alone{padding-block-start:var(--space-3)}
.status{display:flex;flex-direction:column;align-items:center;gap:var(--space-3);text-align:center}
.sign{display:grid;place-items:center;inline-size:3.5rem;block-size:3.5rem;border-radius:50%;background:var(--ground);color:var(--muted)}
.sign svg,.sign .spin{inline-size:1.75rem;block-size:1.75rem}
.badge,.alert{background:var(--notice-ground);color:var(--notice)}
.good{background:var(--good-ground);color:var(--good)}
.bad{background:var(--danger-ground);color:var(--danger)}
.plain-tone{background:var(--line);color:var(--text)}
.status+.actions{margin-block-start:var(--space-5)}
.after{margin-block-start:var(--space-3);text-align:center}
.actions{display:flex;flex-direction:column;gap:var(--space-3)}
.offer{color:var(--muted);font-size:var(--type-body);font-weight:500;letter-spacing:0}
.fields{display:block;inline-size:calc(100% + 10px);margin:-5px;border:0;color-scheme:light dark;background:transparent}
.choices:not(:has(input[value=card]:checked)) .for-card{display:none}
.choices:not(:has(input[value=bank]:checked)) .for-bank,.choices:not(:has(input[value=usdc]:checked)) .for-usdc{display:none}
@media(scripting:none){.fields,.card-only>:not(:has(noscript)){display:none}}
.folded{padding-block-end:var(--space-3)}
.legal{display:flex;flex-wrap:wrap;gap:var(--space-2) var(--space-4);margin-block-start:var(--space-4)}
.legal a{display:inline-block;padding-block:var(--space-1);color:inherit}
details>summary{cursor:pointer;min-block-size:1.75rem;align-content:center}
@media(max-width:22rem){.card,.choices>.inside{padding-inline:var(--space-3)}.plain,.split>.side,.split>main{padding-inline:var(--space-3)}}
@media(prefers-reduced-motion:reduce){*,::before,::after{transition:none!important;animation-duration:2.4s!important}.spin{animation-timing-function:steps(8)!important}}
@media(forced-colors:active){.button,.card,.choices,.field>input{border:1px solid ButtonBorder}.spin{forced-color-adjust:none}}
@media print{.button,.back{display:none}}
`

/** One line a rule, and no more white space than it needs. */
export const STYLE = (TOKENS + base + layout + components).replace(/\n+/gu, "").replace(/([;{])\s+/gu, "$1")
