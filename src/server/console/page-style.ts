/** The colours that this page and the report of a check have in common, for light and dark. */
export const styleTokens = `:root { color-scheme: light dark; --text: #1c1e21; --dim: #5f6670; --back: #ffffff; --card: #f6f7f9; --line: #d9dde3; --link: #0b57a4; --error: #b3261e; --warning: #8a5a00; --note: #0b57a4; --kept: #1b6e3c; --none: #5f6670; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8eb; --dim: #9aa3ad; --back: #15171a; --card: #1e2126; --line: #353a42; --link: #7ab7ff; --error: #ff8a80; --warning: #f2b84b; --note: #7ab7ff; --kept: #6fd397; --none: #9aa3ad; } }`;

/** The one style sheet of the console: light and dark, a desk and a telephone. */
export const pageStyle = `
${styleTokens}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); overflow-wrap: anywhere; }
h1 { font-size: 1.25rem; font-weight: 600; margin: 0; }
h2 { font-size: 1rem; margin: 0; font-weight: 600; }
h3 { font-size: .8rem; font-weight: 600; color: var(--dim); margin: 1.25rem 0 .35rem; text-transform: uppercase; letter-spacing: .04em; }
p { margin: .35rem 0; }
a { color: var(--link); }
small { color: var(--dim); font-size: .85em; }
pre, code, kbd, textarea, .method, .target, .code, .line { font-family: ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace; font-size: 13px; }
pre { margin: .35rem 0; padding: .6rem .75rem; overflow: auto; max-height: 28rem; background: var(--back); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; line-height: 1.45; unicode-bidi: isolate; }
pre.frame { white-space: pre; }
kbd { padding: 0 .35rem; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; background: var(--card); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .35rem 0; }
dl.headers { font-size: .85rem; }
dt { color: var(--dim); }
dd { margin: 0; min-width: 0; }
.dim { color: var(--dim); font-size: .9em; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.aside { position: absolute; left: -100rem; }
header { display: flex; align-items: center; gap: .75rem; max-width: 90rem; margin: 0 auto; padding: .75rem 1.25rem .25rem; }
.brand { display: flex; align-items: baseline; gap: .6rem; margin-right: auto; min-width: 0; }
.brand b { font-size: 1.15rem; letter-spacing: -.01em; }
.brand span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; background: var(--back); padding: .5rem; z-index: 3; }
.light { font-size: .85rem; color: var(--dim); white-space: nowrap; }
.light::before { content: ''; display: inline-block; width: .55rem; height: .55rem; margin-right: .4rem; border-radius: 50%; background: var(--none); }
.light.live::before { background: var(--kept); }
.light.lost::before { background: var(--error); }
nav { position: sticky; top: 0; z-index: 2; background: var(--back); border-bottom: 1px solid var(--line); display: flex; gap: .25rem; overflow-x: auto; padding: 0 max(1rem, calc((100vw - 90rem) / 2 + 1rem)); }
nav a { padding: .5rem .75rem; text-decoration: none; white-space: nowrap; color: var(--text); border-bottom: 3px solid transparent; }
nav a:hover { color: var(--link); }
nav a[aria-current] { border-color: var(--link); font-weight: 600; }
#view { max-width: 90rem; margin: 0 auto; padding: 1.25rem 1.25rem 4rem; }
#view:focus { outline: none; }
.head { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; margin-bottom: .5rem; }
.head > .actions, .head > .badge { margin: 0 0 0 auto; align-self: center; }
.actions { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: .5rem; margin: .75rem 0 0; }
.detail > .actions { justify-content: flex-start; }
input, select, button, textarea { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .6rem; max-width: 100%; }
.card input, .card select, .card textarea, dialog input, dialog textarea, dialog select { background: var(--back); }
textarea { font-family: ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace; font-size: 13px; line-height: 1.45; width: 100%; resize: vertical; }
input[type=checkbox] { accent-color: var(--link); width: 1.1rem; height: 1.1rem; flex: none; }
input::placeholder, textarea::placeholder { color: var(--dim); opacity: 1; }
button { cursor: pointer; }
button:hover { border-color: var(--dim); }
button.primary { background: var(--link); border-color: var(--link); color: var(--back); font-weight: 600; }
button.danger { color: var(--error); border-color: var(--error); }
button.quiet { background: none; border-color: transparent; color: var(--dim); }
button.quiet:hover { color: var(--text); border-color: var(--line); }
button.plain-link { background: none; border: 0; padding: 0; color: var(--link); text-decoration: underline; font: inherit; text-align: left; }
button[aria-pressed='true'] { border-color: var(--link); color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem; margin: .5rem 0; }
.filters input { flex: 1 1 16rem; min-width: 10rem; }
.filters select { flex: 0 1 auto; }
.filters { align-items: end; }
.filters .field { margin: 0; flex: 0 1 14rem; }
td .below { margin-right: .5rem; }
.badge { display: inline-block; padding: 0 .5rem; border: 1px solid currentColor; border-radius: 999px; font-size: .8rem; font-weight: 600; white-space: nowrap; color: var(--mark, var(--none)); }
.error { --mark: var(--error); }
.warning { --mark: var(--warning); }
.note { --mark: var(--note); }
.kept { --mark: var(--kept); }
.none { --mark: var(--none); }
.method { font-weight: 600; }
.m-get { color: var(--link); }
.m-post, .m-put, .m-patch { color: var(--kept); }
.m-delete { color: var(--error); }
.code { font-weight: 600; }
.s2, .s3 { color: var(--kept); }
.s4 { color: var(--warning); }
.s5 { color: var(--error); }
.exchanges { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; align-self: start; }
.exchanges li + li { border-top: 1px solid var(--line); }
.exchange-row { display: grid; grid-template-columns: 4.4rem 4rem minmax(0, 1fr) auto 4.2rem; align-items: baseline; gap: .1rem .6rem; padding: .4rem .75rem; color: inherit; text-decoration: none; content-visibility: auto; contain-intrinsic-size: auto 2.2rem; }
.exchange-row:hover { background: var(--card); }
.exchange-row[aria-current] { background: var(--card); box-shadow: inset 3px 0 var(--link); }
.exchange-row:focus-visible { outline-offset: -2px; }
.exchange-row time { font-variant-numeric: tabular-nums; }
.exchange-row .target { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.marks { grid-column: 3 / -1; display: flex; flex-wrap: wrap; gap: .1rem .4rem; align-items: baseline; }
.marks:empty { display: none; }
.reason { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: 1 1 10rem; }
.fresh { animation: fresh 1.2s ease-out; }
@keyframes fresh { from { background: color-mix(in srgb, var(--link) 18%, transparent); } to { background: transparent; } }
.panes { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); margin-top: .75rem; }
.detail { min-width: 0; border: 1px solid var(--line); border-radius: 8px; background: var(--card); padding: 1rem; align-self: start; }
.detail h2 { overflow-wrap: anywhere; min-width: 0; flex: 1; font-weight: 400; }
.close { font-size: 1.4rem; line-height: 1; text-decoration: none; color: var(--dim); padding: 0 .3rem; }
.facts { color: var(--dim); }
.verdict { display: flex; gap: .6rem; align-items: baseline; margin: .75rem 0; padding: .5rem .75rem; border: 1px solid var(--line); border-left: 4px solid var(--mark); border-radius: 6px; background: var(--back); }
.verdict ul { margin: .25rem 0; padding-left: 1.1rem; }
.switch { display: flex; gap: .25rem; justify-content: flex-end; margin-bottom: -.1rem; }
.switch button { font-size: .8rem; padding: .05rem .5rem; }
details { margin: .35rem 0; }
summary { cursor: pointer; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th { text-align: left; color: var(--dim); font-weight: 500; background: var(--card); white-space: nowrap; }
th.number { text-align: right; }
.whole { white-space: nowrap; }
th, td { padding: .4rem .75rem; border-bottom: 1px solid var(--line); vertical-align: middle; overflow-wrap: normal; }
tr:last-child td { border-bottom: 0; }
tbody tr:hover { background: var(--card); }
.chips { display: flex; flex-wrap: wrap; gap: .5rem; margin: .5rem 0; }
.chip { padding: .2rem .75rem; border: 1px solid var(--line); border-radius: 999px; text-decoration: none; color: inherit; }
.chip[aria-current] { border-color: var(--link); color: var(--link); font-weight: 600; }
.chip .count { color: var(--dim); font-weight: 400; font-size: .85em; font-variant-numeric: tabular-nums; }
.plain { list-style: none; margin: 0; padding: 0; }
.rows { border: 1px solid var(--line); border-radius: 8px; }
.rows > li { display: flex; align-items: center; gap: .75rem; padding: .6rem .75rem; }
.rows > li + li { border-top: 1px solid var(--line); }
.rows > li > div { flex: 1; min-width: 0; }
.scenario { align-items: flex-start !important; }
.scenario input { margin-top: .2rem; }
.scenario label { display: grid; cursor: pointer; min-width: 0; }
.misses ul { margin: 0 0 .5rem; padding-left: 1.1rem; }
.columns { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
.card { border: 1px solid var(--line); border-radius: 8px; background: var(--card); padding: 1rem; margin: 0 0 1.25rem; }
.field { display: grid; grid-template-columns: minmax(0, 1fr); gap: .15rem; margin: .5rem 0; }
.field > select, .field > input { width: 100%; min-width: 0; }
.field > span { font-size: .85rem; color: var(--dim); }
.check { display: flex; align-items: center; gap: .5rem; padding: .15rem 0; }
dd code { white-space: pre-wrap; }
.one { max-width: 50rem; }
fieldset { border: 1px solid var(--line); border-radius: 6px; margin: .75rem 0; }
legend { font-size: .85rem; color: var(--dim); padding: 0 .35rem; }
.clock { font-size: 1.35rem; font-variant-numeric: tabular-nums; margin: .25rem 0; }
.answers { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); min-width: 0; }
.answers .card { margin: 0; min-width: 0; }
.head > select { flex: 1 1 20rem; min-width: 0; }
.empty { padding: 2.5rem 1rem; color: var(--dim); text-align: center; }
.big { font-size: 1.1rem; color: var(--text); }
.running { display: flex; gap: .75rem; align-items: center; }
progress { flex: 1; accent-color: var(--link); height: .75rem; }
.finding { border: 1px solid var(--line); border-left: 4px solid var(--mark); border-radius: 6px; background: var(--card); padding: .5rem .75rem; }
.inline { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0; }
.inline input { flex: 1 1 10rem; }
dialog { color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 10px; width: min(40rem, calc(100vw - 2rem)); padding: 1.25rem; }
dialog::backdrop { background: rgb(0 0 0 / .45); }
dialog h2 { margin-bottom: .5rem; overflow-wrap: anywhere; }
.keys { gap: .5rem 1.5rem; }
.lock { max-width: 28rem; margin: 12vh auto 0; padding: 0 1.25rem; }
.lock .card { margin-top: 1rem; }
.lock .actions { justify-content: space-between; align-items: center; }
.toasts { position: fixed; right: 1rem; bottom: 1rem; display: grid; gap: .5rem; max-width: min(28rem, calc(100vw - 2rem)); z-index: 4; }
.toast { padding: .5rem .9rem; border: 1px solid var(--line); border-left: 4px solid var(--mark); border-radius: 6px; background: var(--back); box-shadow: 0 4px 16px rgb(0 0 0 / .15); }
@media (min-width: 64rem) {
  .open .panes { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .open .detail { position: sticky; top: 3.5rem; max-height: calc(100vh - 4.5rem); overflow: auto; }
  .columns { grid-template-columns: minmax(0, 1fr) 24rem; }
  .columns.try { grid-template-columns: 24rem minmax(0, 1fr); }
}
@media (max-width: 63.99rem) { .open .panes > .exchanges { display: none; } }
@media (max-width: 40rem) {
  body { overflow-x: hidden; }
  header { padding: .6rem .75rem .2rem; gap: .5rem; }
  .brand span { display: none; }
  nav { padding: 0 .5rem; }
  #view { padding: 1rem .75rem 4rem; }
  .exchange-row { grid-template-columns: 4.2rem minmax(0, 1fr) auto; }
  .exchange-row time, .exchange-row .number { display: none; }
  .marks { grid-column: 1 / -1; }
  .filters select { flex: 1 1 8rem; }
  .filters .field { flex: 1 1 100%; }
  dl { grid-template-columns: 1fr; }
  dt { margin-top: .35rem; }
  dl.keys { grid-template-columns: max-content 1fr; }
}
@media (prefers-reduced-motion: reduce) { .fresh { animation: none; } }
`;
