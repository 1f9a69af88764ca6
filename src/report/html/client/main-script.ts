/** The frame of the page: its head, its parts by address (`#/findings?severity=error`), and its keys. */
export const mainScript = String.raw`
const titles = { kept: 'Kept', broken: 'Broken', inconclusive: 'Inconclusive', crashed: 'vouch has a fault of its own', interrupted: 'Interrupted' };
const observed = end.gaps.length + end.differences.length + end.skipped.length + (summary.skippedFindings ?? []).length + end.left.length + end.crashed.length;
const tabs = [['findings', 'Findings', findings.length], ['operations', 'Operations', summary.operations.length], ['coverage', 'Coverage', undefined], ['exchanges', 'Exchanges', end.exchanges], ['observed', 'Observed', observed]];

function pageHead() {
  const { error, warning, note } = summary.findings;
  const counts = [[error, 'error'], [warning, 'warning'], [note, 'note']].filter(([number]) => number > 0);
  return h('header', {},
    h('h1', {}, badge('verdict ' + summary.verdict, titles[summary.verdict] ?? summary.verdict), ' ', summary.reason),
    run === undefined ? '' : h('dl', { class: 'run' }, fact('target', run.target), fact('contract', run.contract.title + ' ' + run.contract.version + ' · ' + run.contract.file), fact('mode', run.recorded === true ? 'a recording' : run.mode), run.against === undefined ? '' : fact('against', run.against), fact('seed', h('code', {}, run.seed)), fact('run', run.id + ' · ' + run.startedAt + ' · vouch ' + run.version), Object.entries(run.servers).map(([name, url]) => fact('server', name + ' at ' + url))),
    h('p', {}, counts.map(([number, noun]) => [badge(noun, countOf(number, noun)), ' ']), countOf(summary.requests, 'request') + ' in ' + duration(summary.durationMs)));
}

function routeOf() {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [name = '', ...rest] = path.split('/').map((part) => { try { return decodeURIComponent(part); } catch { return part; } });
  return { name: name === '' ? 'findings' : name, argument: rest.join('/'), filter: Object.fromEntries(new URLSearchParams(query)) };
}

function viewOf({ name, argument, filter }) {
  switch (name) {
    case 'operations': return operationsView();
    case 'operation': return operationView(argument);
    case 'coverage': return coverageView();
    case 'exchanges': return exchangesView(filter);
    case 'exchange': return exchangePage(Number(argument));
    case 'observed': return observedView();
    case 'finding': {
      const finding = findings.find(({ id }) => id === argument);
      return h('section', {}, finding === undefined ? h('p', { class: 'empty' }, 'There is no finding ' + argument + ' in this report.') : findingItem(finding, true));
    }
    default: return findingsView(filter);
  }
}

const parents = { finding: 'findings', operation: 'operations', exchange: 'exchanges' };
const nav = h('nav', { 'aria-label': 'Parts of the report' });
const view = h('main', { id: 'view', tabindex: '-1' });

function render() {
  const route = routeOf();
  const current = parents[route.name] ?? route.name;
  nav.replaceChildren(...tabs.map(([name, title, number]) => h('a', { href: '#/' + name, 'aria-current': name === current ? 'page' : undefined }, title, number === undefined ? '' : h('span', { class: 'count' }, ' ' + number.toLocaleString('en-US')))));
  view.replaceChildren(viewOf(route));
  window.scrollTo(0, 0);
}

const help = h('dialog', {}, h('h2', {}, 'Keys'), h('dl', {}, fact('1 to 5', 'the parts of the report'), fact('/', 'search'), fact('j, k', 'next and previous finding'), fact('Enter', 'open or close it'), fact('?', 'this help')), h('form', { method: 'dialog' }, h('button', {}, 'Close')));

function moveTo(step) {
  const summaries = [...view.querySelectorAll('.finding > summary, .list > details > summary')];
  const at = summaries.indexOf(document.activeElement);
  summaries[Math.min(summaries.length - 1, Math.max(0, at + step))]?.focus();
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  const tab = tabs[Number(event.key) - 1];
  if (tab !== undefined) location.hash = '#/' + tab[0];
  else if (event.key === 'j') moveTo(1);
  else if (event.key === 'k') moveTo(-1);
  else if (event.key === '?') help.showModal();
  else if (event.key === '/') { event.preventDefault(); document.getElementById('search')?.focus(); }
});

window.addEventListener('hashchange', render);
/* On paper nothing can be opened: what is closed is opened before it is printed. */
window.addEventListener('beforeprint', () => view.querySelectorAll('.finding').forEach((item) => { item.fill?.(); item.open = true; }));

document.title = (titles[summary.verdict] ?? summary.verdict) + ': ' + (run === undefined ? 'vouch check' : visible(run.target));
document.getElementById('wait').replaceWith(h('div', { id: 'page' }, pageHead(), nav, view, h('footer', { class: 'dim' }, 'Made by vouch. Press ? for keys.'), help));
render();
`;
