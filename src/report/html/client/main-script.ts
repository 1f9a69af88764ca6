/** The frame of the page: its head, and its parts by address (`#/findings?severity=error`). */
export const mainScript = String.raw`
const observed = end.gaps.length + end.skipped.length + (summary.skippedFindings ?? []).length + end.left.length + end.crashed.length;
const isCompared = run?.against !== undefined || end.differences.length > 0;
const tabs = [['findings', 'Findings', findings.length], ['operations', 'Operations', summary.operations.length], ['coverage', 'Coverage', undefined], ['exchanges', 'Exchanges', end.exchanges], ['timing', 'Timing', undefined], ['observed', 'Observed', observed], ...(isCompared ? [['differences', 'Differences', end.differences.length]] : [])];
const colours = themeSwitch();

function runFacts() {
  return run === undefined ? '' : h('dl', { class: 'run' }, fact('target', h('b', {}, run.target)), fact('contract', run.contract.title + ' ' + run.contract.version + ' · ' + run.contract.file), run.against === undefined ? '' : fact('against', run.against), Object.entries(run.servers).map(([name, url]) => fact('server', name + ' at ' + url)),
    fact('run', run.id + ' · ' + (run.recorded === true ? 'a recording' : run.mode) + ' · seed ', h('code', {}, run.seed), (run.shard === undefined ? '' : ' · shard ' + run.shard.index + ' of ' + run.shard.count) + ' · ' + run.startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC') + ' · vouch ' + run.version));
}

function pageHead() {
  const accepted = findings.filter((finding) => finding.accepted !== undefined).length;
  const counts = ['error', 'warning', 'note'].filter((severity) => summary.findings[severity] > 0);
  return h('header', { class: 'top ' + summary.verdict },
    h('div', { class: 'title' }, h('h1', {}, h('span', { class: 'verdict' }, end.headline), ' ', end.reason), colours),
    h('p', { class: 'counts' }, counts.map((severity) => [h('a', { class: 'badge ' + severity, href: '#/findings?severity=' + severity }, countOf(summary.findings[severity], severity)), ' ']), accepted === 0 ? '' : [h('a', { class: 'badge none', href: '#/findings?baseline=accepted' }, accepted + ' accepted'), ' '], countOf(summary.requests, 'request') + (summary.cleanup === undefined ? '' : ' (' + summary.cleanup + ' of them clean-up)') + ' in ' + duration(summary.durationMs)),
    runFacts());
}

function routeOf() {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [name = '', ...rest] = path.split('/').map((part) => { try { return decodeURIComponent(part); } catch { return part; } });
  return { name: name === '' ? 'findings' : name, argument: rest.join('/'), filter: Object.fromEntries(new URLSearchParams(query)) };
}

function viewOf({ name, argument, filter }) {
  switch (name) {
    case 'finding': return findingPage(argument);
    case 'operations': return operationsView(filter);
    case 'operation': return operationView(argument);
    case 'coverage': return coverageView(filter);
    case 'exchanges': return exchangesView(filter);
    case 'exchange': return exchangePage(Number(argument));
    case 'timing': return timingView();
    case 'observed': return observedView();
    case 'differences': return differencesView();
    default: return findingsView(filter);
  }
}

const parents = { finding: 'findings', operation: 'operations', exchange: 'exchanges' };
const nav = h('nav', { class: 'tabs', 'aria-label': 'Parts of the report' });
const view = h('main', { id: 'view', tabindex: '-1' });

function render() {
  const route = routeOf();
  const current = parents[route.name] ?? route.name;
  nav.replaceChildren(...tabs.map(([name, title, number]) => h('a', { href: '#/' + name, 'aria-current': name === current ? 'page' : undefined }, title, number === undefined ? '' : h('span', { class: 'count' }, ' ' + number.toLocaleString('en-US')))));
  view.replaceChildren(viewOf(route));
  const tab = nav.querySelector('[aria-current]');
  if (tab !== null) nav.scrollLeft = tab.offsetLeft - (nav.clientWidth - tab.offsetWidth) / 2;
}

/* Who goes back finds the list where it was left; what is new begins at its head, just below the tabs. */
const places = new Map();
history.scrollRestoration = 'manual';

window.addEventListener('hashchange', ({ oldURL }) => {
  places.set(new URL(oldURL).hash, window.scrollY);
  render();
  const top = Math.max(0, view.offsetTop - 2 * nav.offsetHeight);
  window.scrollTo(0, history.state?.known === true ? places.get(location.hash) ?? 0 : Math.min(window.scrollY, top));
  history.replaceState({ known: true }, '');
  view.focus({ preventScroll: true });
});
/* On paper nothing can be opened: what is closed is opened before it is printed, and closed again. */
let openedForPaper = [];
window.addEventListener('beforeprint', () => {
  view.querySelectorAll('details').forEach((item) => item.fill?.());
  openedForPaper = [...view.querySelectorAll('details:not([open])')];
  openedForPaper.forEach((item) => { item.open = true; });
});
window.addEventListener('afterprint', () => openedForPaper.splice(0).forEach((item) => { item.open = false; }));
`;
