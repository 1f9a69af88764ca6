/**
 * The one style sheet of the page: light and dark, a telephone and paper. The colours are those of
 * the mock's console.
 */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1c1e21; --dim: #5f6670; --back: #ffffff; --card: #f6f7f9; --line: #d9dde3; --link: #0b57a4; --error: #b3261e; --warning: #8a5a00; --note: #0b57a4; --kept: #1b6e3c; --none: #5f6670; }
@media screen and (prefers-color-scheme: dark) { :root { --text: #e6e8eb; --dim: #9aa3ad; --back: #15171a; --card: #1e2126; --line: #353a42; --link: #7ab7ff; --error: #ff8a80; --warning: #f2b84b; --note: #7ab7ff; --kept: #6fd397; --none: #9aa3ad; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0 auto; max-width: 80rem; padding: 1rem 1.25rem 4rem; font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); overflow-wrap: anywhere; }
h1 { font-size: 1.25rem; font-weight: 500; margin: 0; flex: 1; min-width: 0; }
h2 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .35rem; }
.finding-body h2, .exchange h3 { font-size: .8rem; font-weight: 600; color: var(--dim); text-transform: uppercase; letter-spacing: .04em; margin: 1.25rem 0 .35rem; }
p { margin: .35rem 0; }
a { color: var(--link); }
pre, code, kbd, .line { font: 13px/1.45 ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace; unicode-bidi: isolate; }
pre { margin: .35rem 0; padding: .6rem .75rem; overflow: auto; max-height: 32rem; background: var(--back); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; }
kbd { padding: 0 .35rem; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; background: var(--card); }
mark { color: inherit; background: color-mix(in srgb, var(--error) 18%, transparent); outline: 1px solid var(--error); border-radius: 2px; }
dl { display: grid; grid-template-columns: fit-content(18rem) minmax(0, 1fr); gap: .15rem 1rem; margin: .35rem 0; }
dt { color: var(--dim); }
dd { margin: 0; min-width: 0; }
.dim { color: var(--dim); font-size: .9em; }
.empty { padding: 2rem 0; color: var(--dim); }
.unseen { position: absolute; width: 1px; height: 1px; padding: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.badge { display: inline-block; padding: 0 .5rem; border: 1px solid currentColor; border-radius: 999px; font-size: .8rem; font-weight: 600; white-space: nowrap; text-decoration: none; }
.error, .failed, .crashed { --mark: var(--error); }
.warning, .inconclusive, .interrupted { --mark: var(--warning); }
.note { --mark: var(--note); }
.kept, .passed { --mark: var(--kept); }
.none, .missed { --mark: var(--none); }
.badge, .cell { color: var(--mark); }
.top { border: 1px solid var(--line); border-left: 6px solid var(--mark); border-radius: 8px; background: var(--card); padding: .9rem 1.1rem; }
.title { display: flex; align-items: flex-start; gap: 1rem; }
.verdict { font-weight: 700; color: var(--mark); margin-right: .4rem; }
.top .theme { font-size: .85rem; padding: .1rem .3rem; background: var(--back); }
.counts { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem; margin: .6rem 0; }
.run { font-size: .92rem; margin-bottom: 0; }
.tabs { position: sticky; top: 0; z-index: 1; display: flex; gap: .25rem; overflow-x: auto; margin: 1rem 0; background: var(--back); border-bottom: 1px solid var(--line); }
.tabs a { padding: .5rem .75rem; text-decoration: none; white-space: nowrap; color: var(--text); border-bottom: 3px solid transparent; }
.tabs a:hover { color: var(--link); }
.tabs a[aria-current] { border-color: var(--link); font-weight: 600; }
.count { color: var(--dim); font-weight: 400; }
main:focus { outline: none; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem; margin: .5rem 0; }
.filters input { flex: 1 1 16rem; min-width: 10rem; }
.filters select { flex: 0 1 auto; max-width: 15rem; }
.told { color: var(--dim); font-size: .9em; min-height: 1.9em; }
input, select, button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .6rem; max-width: 100%; }
input::placeholder { color: var(--dim); opacity: 1; }
button { cursor: pointer; }
button:hover { border-color: var(--dim); }
button[aria-pressed='true'] { border-color: var(--link); color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
details { margin: .4rem 0; }
summary { cursor: pointer; }
.finding { border: 1px solid var(--line); border-left: 4px solid var(--mark); border-radius: 6px; background: var(--card); }
.finding > summary { display: grid; grid-template-columns: 6.2rem minmax(0, 1fr); gap: 0 .75rem; align-items: baseline; padding: .55rem .9rem; list-style: none; }
.finding > summary::-webkit-details-marker { display: none; }
.finding > summary:hover .message { text-decoration: underline; text-underline-offset: 3px; }
.finding > summary:focus-visible { outline-offset: -2px; }
.finding > summary .badge { grid-row: span 2; justify-self: start; white-space: normal; }
.finding .message { font-weight: 600; }
.finding .about { grid-column: 2; color: var(--dim); font-size: .87rem; }
.finding .about b { font-weight: 600; }
.finding[open] > summary { border-bottom: 1px solid var(--line); }
.finding-body { min-width: 0; padding: .6rem .9rem .9rem; }
.exchange section { min-width: 0; }
.frame { white-space: pre; overflow-wrap: normal; }
.frame .here { color: var(--error); font-weight: 600; }
.exchange { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 1.25rem; }
.exchange h3 { margin-top: .5rem; }
p.line { min-height: 1.6rem; }
.fields { font-size: .85rem; gap: .05rem .75rem; }
.switch { display: flex; gap: .25rem; }
.switch button, .copy, .clear { font-size: .8rem; padding: .1rem .5rem; }
.switch .copy { margin-left: auto; }
.command { position: relative; }
.command pre { white-space: pre-wrap; padding-right: 5rem; }
.command .copy { position: absolute; top: .45rem; right: .5rem; }
.more { display: block; margin: .75rem auto; }
.steps, .pager { display: flex; flex-wrap: wrap; gap: .35rem 1.25rem; margin: .75rem 0; }
.pager { justify-content: center; }
.scroll { overflow-x: auto; position: relative; border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th { text-align: left; color: var(--dim); font-weight: 500; background: var(--card); white-space: nowrap; }
th, td { padding: .35rem .75rem; border-bottom: 1px solid var(--line); vertical-align: baseline; overflow-wrap: break-word; }
tr:last-child td { border-bottom: 0; }
tbody tr:hover { background: var(--card); }
td.target { min-width: 14rem; max-width: 34rem; font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 12px; overflow-wrap: anywhere; }
td.name { min-width: 12rem; }
th.number, .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.status, .cell { font-size: .85rem; }
.status { white-space: nowrap; }
.cell { display: inline-block; margin: .1rem 0; padding: 0 .4rem; border: 1px solid currentColor; border-radius: 4px; }
.plain { padding-left: 1.1rem; }
.plain li { margin: .35rem 0; }
.plot { display: block; width: 100%; min-width: 60rem; height: auto; background: var(--card); }
.plot text { font-size: 12px; fill: var(--dim); }
.plot .axis, .plot .grid { fill: none; stroke: var(--line); }
.plot .span { stroke: var(--none); stroke-width: 2; }
.plot .fill { fill: var(--mark); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; font-size: .9rem; }
.legend span::before { content: ''; display: inline-block; width: .7rem; height: .7rem; margin-right: .35rem; border-radius: 3px; background: var(--mark); }
dialog { color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.25rem 1.5rem; }
dialog h2 { margin-top: 0; }
dialog::backdrop { background: rgb(0 0 0 / .45); }
.keys { gap: .5rem 1.5rem; margin-bottom: 1rem; }
footer { margin-top: 3rem; }
@media (prefers-reduced-motion: no-preference) { a, button, .tabs a { transition: color .12s, border-color .12s; } }
@media (max-width: 40rem) {
  body { padding: .5rem .75rem 3rem; }
  dl:not(.keys, .run) { grid-template-columns: minmax(0, 1fr); }
  dl:not(.keys, .run) dt { margin-top: .35rem; }
  td.name { min-width: 9rem; }
  .title { flex-direction: column-reverse; gap: .25rem; }
  .title .theme { align-self: flex-end; }
  .tabs a { padding: .5rem .55rem; }
  .filters select { flex: 1 1 8rem; min-width: 0; max-width: 100%; }
  .finding > summary { grid-template-columns: minmax(0, 1fr); gap: .25rem; padding: .5rem .7rem; }
  .finding .about { grid-column: 1; }
  .finding-body { padding: .5rem .7rem; }
}
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 12px; }
  .tabs, .filters, .switch, .copy, .clear, .more, .pager a, .pager .dim, .steps, .theme, footer { display: none; }
  pre { max-height: none; }
  .scroll { overflow: visible; }
  .plot { min-width: 0; }
  .finding { break-inside: auto; }
  .finding > summary, h2, h3 { break-after: avoid; }
  tr, pre, .plot { break-inside: avoid; }
}
`;
