/** What the reference adds to the style of all pages: code, fields, and a column that is wide enough for both. */
export const STYLE = `
.plain{grid-template-columns:minmax(0,1fr);justify-items:stretch;max-inline-size:64rem;margin-inline:auto;background:var(--surface)}
.plain>main{max-inline-size:none;margin-block-start:var(--space-5)}
html{scroll-behavior:smooth;scroll-padding-block-start:var(--space-4)}
main{min-inline-size:0;display:flex;flex-direction:column;gap:var(--space-4)}
main p,main ul,main dl,main pre{margin-block-start:var(--space-3)}
.part,.operation{border-block-start:1px solid var(--line);padding-block-start:var(--space-5)}
h3{font-size:var(--type-body);margin:var(--space-5) 0 0}
code{font:.875em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{background:var(--ground);border:1px solid var(--line);border-radius:var(--radius);padding:var(--space-3) var(--space-4)}
pre{overflow-x:auto;white-space:pre;overflow-wrap:normal}
.route code{font-size:1rem}
.facts .facts{border-inline-start:2px solid var(--line);padding-inline-start:var(--space-4)}
.facts>div{padding-block:var(--space-3)}
.facts>div+div{border-block-start:1px solid var(--line)}
@media(min-width:48rem){
.facts>div{display:grid;grid-template-columns:16rem minmax(0,1fr);gap:0 var(--space-4)}
.facts dt small{display:block}
.facts .facts>div{display:block}
}
.facts dd>p:first-child{margin-block-start:0}
.tokens{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:var(--space-2) var(--space-4)}
.tokens small{color:var(--muted)}
.facts dt code{font-weight:600}
.facts small{color:var(--muted);font-size:var(--type-small)}
.facts p{margin-block-start:var(--space-1)}
.answers>li+li{margin-block-start:var(--space-3)}
.answers p{margin-block-start:0}
.operations{display:grid;gap:var(--space-1)}
.operations a{display:inline-block;min-block-size:1.5rem}
.operations code{color:var(--muted)}
nav h2{font-size:var(--type-small);margin-block:var(--space-4) var(--space-1);color:var(--muted)}
nav p{margin-block-start:var(--space-3)}
nav ul{display:flex;flex-wrap:wrap;gap:var(--space-1) var(--space-4)}
nav li a,nav p a{display:inline-block;min-block-size:1.5rem}
nav [aria-current]{font-weight:600}
`
