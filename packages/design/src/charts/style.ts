/** The style of pictures, on top of that of all pages. Its colours are tokens, light and dark. */
const rules = `
.picture{inline-size:100%;overflow:visible;fill:none;stroke-linejoin:round}
.picture:not(.stretched){max-inline-size:30rem;direction:ltr}
.picture text{fill:var(--text);font-size:13px;stroke:none}
.picture .quiet{fill:var(--muted);font-size:12px}
.picture .strong{font-weight:600;font-size:12px}
.stretched{block-size:10rem}
.stretched *{vector-effect:non-scaling-stroke}
.picture .grid,.picture .lane{stroke:var(--line)}
.picture .zero{stroke:var(--edge)}
.picture .lane{stroke-width:2}
.plot{display:grid;grid-template-columns:auto minmax(0,1fr);gap:var(--space-2) var(--space-3);direction:ltr}
.plot .values{display:flex;flex-direction:column;justify-content:space-between;list-style:none;margin-block:-.6rem;padding:0;
font-size:var(--type-small);line-height:1.2rem;color:var(--muted);text-align:end}
.plot .ends{grid-column:2;display:flex;justify-content:space-between;gap:var(--space-3);font-size:var(--type-small);color:var(--muted)}
.legend{display:flex;flex-wrap:wrap;gap:var(--space-1) var(--space-4);font-size:var(--type-small)}
.legend li{display:inline-flex;align-items:center;gap:var(--space-2)}
.legend svg{flex:none;fill:none}
.series-1 rect{fill:var(--accent)}
.series-2 rect{fill:var(--ground);stroke:var(--danger);stroke-width:1.5}
.series-1 path,.series-2 path,.series-3 path{stroke-width:2.5;fill:none}
.series-1 path{stroke:var(--accent);stroke-dasharray:8 4}
.series-2 path{stroke:var(--good)}
.series-3 path{stroke:var(--danger);stroke-dasharray:2 4}
.picture .shaft{stroke:var(--accent);stroke-width:2}
.picture .head,.picture .dot{fill:var(--accent)}
.picture .past{stroke:var(--edge);stroke-width:3}
.picture .ahead{stroke:var(--edge);stroke-width:2;stroke-dasharray:2 5}
.picture .now{stroke:var(--text);stroke-width:1.5}
.moment{stroke-width:2;stroke:var(--text);fill:var(--text)}
.moment.good{stroke:var(--good);fill:var(--good)}
.moment.bad{stroke:var(--danger);fill:var(--danger)}
.moment.due{stroke:var(--danger);fill:var(--surface)}
.moment.planned{stroke:var(--accent);fill:var(--surface)}
.moment .within{fill:none;stroke:var(--surface)}
.sign-of{display:inline-block;vertical-align:-.25rem}
@media(forced-colors:active){
.series-1 rect{fill:CanvasText}
.series-1 path,.series-2 path,.series-3 path,.picture .shaft,.moment{stroke:CanvasText}}
`

export const CHART_STYLE = rules.replace(/\n+/gu, "")
