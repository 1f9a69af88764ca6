/** What was reached of the contract: statuses with their media types, and the classes of values of every input. */
export const coverageScript = String.raw`
function cell(text, reached, why) {
  return h('span', { class: 'cell ' + (reached ? 'kept' : 'missed'), title: visible(reached ? 'reached' : why ?? 'not reached') }, (reached ? '✓ ' : '○ ') + text);
}

function whys(items) {
  const reasons = new Map();
  for (const { name, why } of items) if (why !== undefined) reasons.set(why, [...(reasons.get(why) ?? []), name]);
  return reasons.size === 0 ? '' : h('ul', { class: 'dim' }, [...reasons].map(([why, names]) => h('li', {}, names.join(', ') + ': ' + why)));
}

function statusName({ status, media }) {
  return media === undefined ? status : status + ' ' + media;
}

function coverageBlock({ why, statuses, inputs }) {
  if (why !== undefined) return h('p', { class: 'dim' }, 'Not asked: ' + why);
  return [
    h('p', {}, statuses.map((each) => [cell(statusName(each), each.reached, each.why), ' '])),
    whys(statuses.filter((each) => !each.reached).map((each) => ({ name: statusName(each), why: each.why }))),
    inputs.length === 0 ? '' : table(['input', 'in', 'classes of values'], inputs.map((input) => h('tr', {}, h('td', {}, input.name === '' ? 'the body' : input.name), h('td', {}, input.in), h('td', {}, input.classes.map((each) => [cell(each.class, each.reached, each.why), ' '])))))];
}

function coverageOf(id) {
  const of = summary.coverage?.operations.find(({ operation }) => operation === id);
  return of === undefined ? '' : [h('h3', {}, 'Coverage'), coverageBlock(of)];
}

function coverageItem(of) {
  const operation = summary.operations.find(({ id }) => id === of.operation);
  const classes = of.inputs.flatMap((input) => input.classes);
  const share = (items) => items.filter(({ reached }) => reached).length + ' of ' + items.length;
  const item = h('details', {}, h('summary', {}, operation === undefined ? of.operation : operation.method + ' ' + operation.path, ' ', h('span', { class: 'dim' }, of.why === undefined ? share(of.statuses) + ' statuses, ' + share(classes) + ' classes of values' : 'not asked')));
  item.addEventListener('toggle', () => { if (item.childElementCount === 1) item.append(...[coverageBlock(of)].flat(3).filter((part) => part !== '')); });
  return item;
}

function coverageView() {
  const { coverage } = summary;
  if (coverage === undefined) return h('p', { class: 'empty' }, 'This run tells nothing of what it reached.');
  const { statuses, inputs } = coverage;
  const list = h('div', { class: 'list' });
  const section = h('section', {}, h('p', {}, 'Reached ' + statuses.reached + ' of ' + statuses.total + ' documented statuses, and ' + inputs.reached + ' of ' + inputs.total + ' classes of values. What was not reached names what would reach it.'), list);
  lazyList(list, coverage.operations, coverageItem, 200);
  return section;
}
`;
