/** Every exchange of the run: a table, a page of it at a time, and each exchange by its number. */
export const exchangesScript = String.raw`
const exchangeFacets = [
  ['operation', ({ operation }) => [operation], titleOf],
  ['status', ({ outcome }) => [classOf(outcome), String(outcome)]],
  ['phase', ({ phase }) => [phase]],
];

function textOfRow({ number, operation, phase, title, method, target, outcome }) {
  return ['#' + number, operation, phase, title, method, target, outcome].join(' ');
}

function exchangeRow({ number, phase, title, method, target, outcome, ms }) {
  return h('tr', {}, h('td', { class: 'number' }, link(['exchange', String(number)], '#' + number)), h('td', {}, badge(kindOf(outcome), String(outcome))), h('td', { class: 'number' }, duration(ms)), h('td', { class: 'target' }, h('b', {}, method), ' ' + target), h('td', {}, title), h('td', { class: 'dim' }, phase));
}

function exchangeTable(rows) {
  return rows.length === 0 ? empty('No exchange is like that.') : table('Exchanges', ['#', 'answer', 'time', 'request', 'tried', 'phase'], rows.map(exchangeRow));
}

function exchangesView(filter) {
  const more = end.leftOut === 0 ? '' : '; the rows of ' + countOf(end.leftOut, 'exchange') + ' more had no room in this file';
  return filteredList({ route: 'exchanges', noun: 'exchange', items: allRows(), facets: exchangeFacets, textOf: textOfRow, filter, more, make: exchangeTable });
}

function exchangePage(number) {
  const row = allRows()[number];
  const exchange = exchangeNumber(number);
  if (row === undefined) return empty('There is no exchange ' + number + ' in this report.');
  const shown = findings.filter((finding) => (finding.entries ?? []).includes(number));
  return h('section', {},
    steps('exchange', number > 0 ? String(number - 1) : undefined, number + 1 < allRows().length ? String(number + 1) : undefined),
    h('h2', {}, 'Exchange ' + number), h('p', {}, link(['operation', row.operation], titleOf(row.operation)), ' · ' + row.phase + ' · ' + row.title + ' · ' + duration(row.at) + ' into the run'),
    shown.length === 0 ? '' : h('p', {}, 'It shows: ', shown.map((finding) => [badge(finding.severity, finding.severity), ' ', link(['finding', finding.id], finding.check + ': ' + shortened(finding.message, longestMessage)), ' '])),
    exchange === undefined ? empty('Its headers and bodies had no room in this file; --reporter blob keeps every byte.') : exchangeView(exchange));
}

/* The way to the neighbours of what is shown alone, and back to the list. */
function steps(route, before, after) {
  return h('p', { class: 'steps' }, h('a', { href: '#/' + route + 's' }, '↑ all ' + route + 's'), before === undefined ? '' : h('a', { href: '#/' + route + '/' + encode(before), rel: 'prev' }, '← before'), after === undefined ? '' : h('a', { href: '#/' + route + '/' + encode(after), rel: 'next' }, 'after →'));
}
`;
