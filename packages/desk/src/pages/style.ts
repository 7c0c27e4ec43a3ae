/** The style of the desk on top of that of all pages: the one place where it stands. */
const rules = `
.split{grid-template:auto/14rem minmax(0,1fr);background:var(--ground)}
.split>.side,.split>main{padding:0}
.split>.side>*,.split>main>*{max-inline-size:none;margin-inline:0}
.split>.side{display:flex;flex-direction:column;gap:var(--space-4);padding:var(--space-4);background:var(--surface);border:0;
border-inline-end:1px solid var(--line)}
.skip{position:absolute;inset-inline-start:-100vw;background:var(--surface);padding:var(--space-2) var(--space-4);z-index:2}
.skip:focus{inset-inline-start:var(--space-2);inset-block-start:var(--space-2)}
.side .brand bdi+.badge{margin-inline-start:0}
.who{display:flex;flex-wrap:wrap;gap:var(--space-2);align-items:center;justify-content:space-between}
.who .button{min-block-size:2.25rem;padding:var(--space-1) var(--space-3);font-size:var(--type-small)}
.split>main>.content{padding:var(--space-5);display:flex;flex-direction:column;gap:var(--space-5);min-inline-size:0;
max-inline-size:80rem}
.content:focus{outline:0}
.menu{font-size:var(--type-small)}
.menu a{display:block;padding:var(--space-2) var(--space-3);min-block-size:2.25rem;border-radius:var(--radius);color:var(--text);
text-decoration:none}
.menu a:hover,.menu a[aria-current]{background:var(--ground)}
.menu a[aria-current]{box-shadow:inset 3px 0 0 var(--accent);font-weight:600}
.menu summary{min-block-size:2.25rem;color:var(--muted);font-weight:600;padding-inline:var(--space-3)}
:is(th,td):first-child{padding-inline-start:var(--space-4)}
:is(th,td):last-child{padding-inline-end:var(--space-4)}
.fold{display:none}
input:is([type=checkbox],[type=radio]){accent-color:var(--accent)}
.field>.button{align-self:flex-start}
:is(.inline,.filters) .error:empty{display:none}
.beside{display:flex;flex-wrap:wrap;gap:var(--space-3);align-items:center}
.form{max-inline-size:36rem}
textarea{font:inherit;color:inherit;inline-size:100%;padding:var(--space-2) var(--space-3);border:1px solid var(--edge);
border-radius:var(--radius);background:var(--surface)}
textarea[aria-invalid=true],select[aria-invalid=true]{border-color:var(--danger)}
.table{overflow-x:auto;border:1px solid var(--line);border-radius:var(--radius-large);background:
linear-gradient(to right,var(--surface) 50%,transparent) 0 0/3rem 100% no-repeat local,
linear-gradient(to left,var(--surface) 50%,transparent) 100% 0/3rem 100% no-repeat local,
linear-gradient(to right,var(--edge),transparent) 0 0/.75rem 100% no-repeat scroll,
linear-gradient(to left,var(--edge),transparent) 100% 0/.75rem 100% no-repeat scroll,var(--surface)}
table{border-collapse:collapse;inline-size:100%;font-size:var(--type-small)}
th,td{text-align:start;padding:var(--space-2) var(--space-3);white-space:nowrap;font-weight:400}
thead th{color:var(--muted);font-weight:500}
tbody tr{position:relative;border-block-start:1px solid var(--line)}
tbody tr:hover{background:var(--ground)}
td:has(time){white-space:normal}
.money{text-align:end}
.open{color:inherit;font-weight:600;text-decoration:none}
.open::after{content:"";position:absolute;inset:0}
.open:focus-visible{outline:0}
tr:has(.open:focus-visible){outline:3px solid var(--focus);outline-offset:-3px}
td a{position:relative;z-index:1}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:.9em}
pre{overflow-x:auto;white-space:pre-wrap;margin:0}
.raw pre{padding:var(--space-4);background:var(--surface);border:1px solid var(--line);border-radius:var(--radius)}
.filters{display:flex;flex-wrap:wrap;gap:var(--space-3);align-items:end;margin-block-start:var(--space-4)}
.filters .field{flex:1 1 12rem}
.many{max-block-size:22rem;overflow-y:auto}
.many:has([value="*"]:checked)>.choice:not(:has([value="*"])){display:none}
.columns{display:flex;flex-wrap:wrap;gap:var(--space-2) var(--space-4)}
.tree>div{display:flex;flex-wrap:wrap;gap:0 var(--space-3);justify-content:end}
.tree dt::after{content:":"}
.back a{color:inherit}
.fresh:has([hidden]){position:absolute}
.fresh:not(:has([hidden])){padding:var(--space-2) var(--space-4);border-radius:var(--radius);background:var(--notice-ground)}
@media(max-width:48rem){
.split{grid-template:auto 1fr/minmax(0,1fr)}
.split>.side{position:relative;display:grid;grid-template-columns:minmax(0,1fr) auto;align-items:center;border-inline-end:0;
border-block-end:1px solid var(--line);gap:var(--space-2) var(--space-3);padding-block:var(--space-3)}
.side>*{inline-size:auto}
.side>.brand{flex-wrap:nowrap}
.side>.brand .mark{display:none}
.side>.brand bdi{flex:0 1 auto;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;overflow-wrap:normal}
.side>.search{grid-area:2/1/3/-1}
.unfolded,.side>.who,.side>.you{display:none}
.fold{display:block;grid-area:1/2}
.fold>summary{min-block-size:var(--target);padding-inline:var(--space-3);border:1px solid var(--edge);border-radius:var(--radius)}
.fold>.inside{position:absolute;z-index:3;inset-inline:0;inset-block-start:100%;display:flex;flex-direction:column;gap:var(--space-3);
padding:var(--space-3) var(--space-4) var(--space-4);background:var(--surface);border-block-end:1px solid var(--edge);
box-shadow:0 .75rem 1.5rem rgb(0 0 0/.15)}
.split>main>.content{padding:var(--space-4)}
.table{border:0;background:none;overflow:visible}
table,tbody,tr,td,tbody th{display:block}
thead{display:none}
tbody tr{background:var(--surface);border:1px solid var(--line);border-radius:var(--radius-large);padding:var(--space-2) 0;
margin-block-end:var(--space-3)}
th,td{white-space:normal}
tbody th{font-size:var(--type-body)}
tr>:is(th,td){padding-inline:var(--space-4)}
td,td.money{display:flex;justify-content:space-between;gap:var(--space-4);padding-block:var(--space-1);text-align:end}
td::before{content:attr(data-name);color:var(--muted)}
}
`

export const DESK_STYLE = rules.replace(/\n+/gu, "")
