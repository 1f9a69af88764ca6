/**
 * What is no finding and worth knowing: where the contract is silent, what was left or not done,
 * what differs, faults of vouch.
 */
export const observedScript = String.raw`
function group(title, items) {
  return items.length === 0 ? '' : [h('h2', {}, title), h('ul', { class: 'plain' }, items.map((item) => h('li', {}, item)))];
}

function differencesView() {
  const byOperation = new Map();
  for (const difference of end.differences) {
    const name = difference.operation.method + ' ' + difference.operation.path;
    byOperation.set(name, [...(byOperation.get(name) ?? []), difference]);
  }
  if (byOperation.size === 0) return empty('Both deployments answered alike.');
  const row = ({ kind, place, severity, trying, count, left, right }) => h('tr', {}, h('td', {}, badge(severity, severity)), h('td', {}, place), h('td', {}, left), h('td', {}, right), h('td', {}, countOf(count, 'time') + ': ' + trying));
  return h('section', {}, h('h2', {}, end.differencesTitle), h('p', { class: 'dim' }, 'None of them is a finding: neither deployment is wrong by it.'), [...byOperation].map(([name, alike]) => [h('h3', {}, name), table('Differences of ' + name, ['severity', 'in what', 'here', 'there', 'seen'], alike.map(row))]));
}

function observedView() {
  const parts = [
    group('Gaps of the contract, and what was seen there', end.gaps.map(({ id, message, observed }) => [message, h('br', {}), h('span', { class: 'dim' }, 'Seen: ' + observed + ' (' + id + ')')])),
    group('Operations that got no request', end.skipped.map(({ operation, reason }) => [h('b', {}, operation.method + ' ' + operation.path), ': ' + reason])),
    group('Findings that the configuration skips', (summary.skippedFindings ?? []).map(({ check, operation, message, reason, until }) => [h('b', {}, check), ' on ' + operation + ': ' + message, h('br', {}), h('span', { class: 'dim' }, 'Skipped ' + (until === undefined ? 'for good' : 'until ' + until) + ': ' + reason)])),
    group('Records left behind', end.left.map(({ operation, record, reason }) => record + ' of ' + operation + ': ' + reason)),
    group('Faults of vouch itself', end.crashed.map(({ check, message, stack }) => ['The check ' + check + ' crashed: ' + message, h('pre', { tabindex: '0' }, stack)])),
  ];
  return h('section', {}, parts.every((part) => part === '') ? empty('Nothing besides the findings.') : parts);
}
`;
