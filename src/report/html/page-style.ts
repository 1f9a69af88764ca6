/** The one style sheet of the page: light and dark, a telephone and paper. */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1c1e21; --dim: #5f6670; --back: #ffffff; --card: #f6f7f9; --line: #d9dde3; --link: #0b57a4; --error: #b3261e; --warning: #8a5a00; --note: #0b57a4; --kept: #1b6e3c; --none: #5f6670; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8eb; --dim: #9aa3ad; --back: #15171a; --card: #1e2126; --line: #353a42; --link: #7ab7ff; --error: #ff8a80; --warning: #f2b84b; --note: #7ab7ff; --kept: #6fd397; --none: #9aa3ad; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem 1.25rem 4rem; font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); overflow-wrap: anywhere; }
h1 { font-size: 1.25rem; font-weight: 500; margin: .5rem 0 1rem; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
h3, h4 { font-size: 1rem; margin: 1.25rem 0 .35rem; }
h4 { font-size: .9rem; }
p { margin: .35rem 0; }
a { color: var(--link); }
pre, code { font: 13px/1.45 ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace; unicode-bidi: isolate; }
pre { margin: .35rem 0; padding: .6rem .75rem; overflow: auto; max-height: 32rem; background: var(--back); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; }
.frame, .command pre { white-space: pre; overflow-wrap: normal; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .35rem 0; }
dt { color: var(--dim); }
dd { margin: 0; min-width: 0; }
.dim { color: var(--dim); font-size: .9em; }
.empty { padding: 2rem 0; color: var(--dim); }
.badge { display: inline-block; padding: 0 .5rem; border: 1px solid currentColor; border-radius: 999px; font-size: .85rem; font-weight: 600; }
.badge.verdict { font-size: 1.05rem; }
.error, .broken, .crashed { --mark: var(--error); }
.warning, .inconclusive, .interrupted { --mark: var(--warning); }
.note { --mark: var(--note); }
.kept { --mark: var(--kept); }
.none, .missed { --mark: var(--none); }
.badge, .cell { color: var(--mark); }
nav { position: sticky; top: 0; z-index: 1; display: flex; gap: .25rem; overflow-x: auto; margin: 1rem 0; background: var(--back); border-bottom: 1px solid var(--line); }
nav a { padding: .5rem .75rem; text-decoration: none; white-space: nowrap; color: var(--text); border-bottom: 3px solid transparent; }
nav a[aria-current] { border-color: var(--link); font-weight: 600; }
.count { color: var(--dim); font-weight: 400; }
main:focus { outline: none; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem; margin: .5rem 0; }
.filters input { flex: 1 1 16rem; }
input, select, button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .6rem; max-width: 100%; }
button { cursor: pointer; }
button[aria-pressed='true'] { border-color: var(--link); color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
details { margin: .35rem 0; }
summary { cursor: pointer; }
.finding { border: 1px solid var(--line); border-left: 4px solid var(--mark); border-radius: 6px; background: var(--card); padding: .5rem .75rem; content-visibility: auto; contain-intrinsic-size: auto 4rem; }
.finding .message { display: block; margin-left: 1rem; }
.finding-body, .exchange section { min-width: 0; }
.frame .here { color: var(--error); font-weight: 600; }
.exchange { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1rem; }
.line { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 13px; }
.switch { display: flex; gap: .25rem; }
.switch button, .copy { font-size: .8rem; padding: .1rem .5rem; }
.more { display: block; margin: .75rem auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th { text-align: left; color: var(--dim); font-weight: 500; }
th, td { padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: break-word; }
td.target { max-width: 34rem; font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 12px; overflow-wrap: anywhere; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.status, .cell { white-space: nowrap; font-size: .85rem; }
.cell { display: inline-block; margin: .1rem 0; padding: 0 .4rem; border: 1px solid currentColor; border-radius: 4px; }
.plain { padding-left: 1.1rem; }
.plain li { margin: .35rem 0; }
.aside { position: fixed; left: -100rem; }
dialog { color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
footer { margin-top: 3rem; }
@media (max-width: 40rem) { body { padding: .5rem .75rem 3rem; } dl { grid-template-columns: 1fr; } dt { margin-top: .35rem; } .finding .message { margin-left: 0; } }
@media print { nav, .filters, .switch, .copy, .more, footer { display: none; } pre { max-height: none; } .finding { break-inside: avoid-page; content-visibility: visible; } }
`;
