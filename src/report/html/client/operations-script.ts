/** The operations of the contract: what they answered, how fast, and what was reached of them. */
export const operationsScript = String.raw`
/* By operation: the durations of its exchanges, in order. */
function durationsByOperation() {
  const times = new Map();
  for (const { operation, ms } of allRows()) {
    if (!times.has(operation)) times.set(operation, []);
    times.get(operation).push(ms);
  }
  for (const each of times.values()) each.sort((left, right) => left - right);
  return times;
}

function quantile(sorted, share) {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

function latencyCells(id, sorted) {
  const told = summary.latency?.[id];
  if (told !== undefined) return [told.p50, told.p95, told.max].map((ms) => h('td', { class: 'number' }, duration(ms)));
  if (sorted === undefined) return [0, 1, 2].map(() => h('td', { class: 'number' }));
  return [0.5, 0.95, 1].map((share) => h('td', { class: 'number' }, duration(quantile(sorted, share))));
}

function verdictOf({ id, errors, requests }) {
  return errors > 0 ? 'failed' : requests === 0 ? 'skipped' : end.untested.includes(id) ? 'not tested' : 'passed';
}

function operationRow(operation, times) {
  const { id, method, path, requests, errors, warnings, notes, statuses, skipped } = operation;
  const counts = [[errors, 'error'], [warnings, 'warning'], [notes, 'note']].filter(([number]) => number > 0);
  return h('tr', {},
    h('td', {}, badge({ failed: 'error', skipped: 'none', 'not tested': 'none', passed: 'kept' }[verdictOf(operation)], verdictOf(operation))),
    h('td', { class: 'name' }, link(['operation', id], method + ' ' + path)),
    h('td', { class: 'number' }, requests.toLocaleString('en-US')),
    h('td', {}, requests === 0 ? h('span', { class: 'dim' }, skipped ?? 'nothing was sent to it') : Object.entries(statuses).map(([status, times]) => [h('span', { class: 'status' }, status + ' ×' + times), ' '])),
    latencyCells(id, times.get(id)),
    h('td', {}, counts.map(([number, noun]) => [h('a', { class: 'status', href: '#/findings?operation=' + encode(id) + '&severity=' + noun }, countOf(number, noun)), ' '])));
}

const operationHeads = ['verdict', 'operation', 'requests', 'answers', 'p50', 'p95', 'slowest', 'findings'];

function operationsView(filter) {
  const times = durationsByOperation();
  if (summary.operations.length === 0) return empty('No operation was asked.');
  const facets = [['verdict', (operation) => [verdictOf(operation)]]];
  const make = (part) => (part.length === 0 ? empty('No operation is like that.') : table('Operations', operationHeads, part.map((operation) => operationRow(operation, times))));
  return filteredList({ route: 'operations', noun: 'operation', items: summary.operations, facets, textOf: ({ id, method, path }) => [id, method, path].join(' '), filter, make });
}

function operationView(id) {
  const operation = summary.operations.find((each) => each.id === id);
  const touching = findings.filter((finding) => finding.operations.includes(id));
  if (operation === undefined && touching.length === 0) return empty('There is no operation ' + id + ' in this run.');
  const rows = allRows().filter((row) => row.operation === id);
  const first = (items) => items.slice(0, pageLength);
  const all = (route, items) => (items.length <= pageLength ? '' : h('p', {}, h('a', { href: addressOf(route, { operation: id }) }, 'All ' + items.length.toLocaleString('en-US') + ' of them')));
  return h('section', {},
    h('h2', {}, titleOf(id)), h('p', { class: 'dim' }, id),
    operation === undefined ? '' : table('The operation', operationHeads, [operationRow(operation, durationsByOperation())]),
    touching.length === 0 ? '' : [h('h3', {}, countOf(touching.length, 'finding')), first(touching).map((finding) => findingItem(finding, false)), all('findings', touching)],
    coverageOf(id), checksOf(operation),
    rows.length === 0 ? '' : [h('h3', {}, countOf(rows.length, 'exchange')), exchangeTable(first(rows)), all('exchanges', rows)]);
}

function checksOf(operation) {
  const entries = Object.entries(operation?.checks ?? {});
  return entries.length === 0 ? '' : h('details', {}, h('summary', {}, countOf(entries.length, 'check') + ' had something to look at'), h('ul', {}, entries.map(([check, times]) => h('li', {}, check + ': ' + countOf(times, 'exchange')))));
}
`;
