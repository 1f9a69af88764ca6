/**
 * What was reached of the contract: statuses with their media types, and the classes of values of
 * every input.
 */
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
    whys(statuses.filter((each) => !each.reached || each.unjudged !== undefined).map((each) => ({ name: statusName(each), why: each.why ?? each.unjudged }))),
    inputs.length === 0 ? '' : table('Classes of values', ['input', 'in', 'classes of values'], inputs.map((input) => h('tr', {}, h('td', {}, input.name === '' ? 'the body' : input.name), h('td', {}, input.in), h('td', {}, input.classes.map((each) => [cell(each.class, each.reached, each.why), ' '])))))];
}

function coverageOf(id) {
  const of = summary.coverage?.operations.find(({ operation }) => operation === id);
  return of === undefined ? '' : [h('h3', {}, 'Coverage'), coverageBlock(of)];
}

function coverageItem(of) {
  const classes = of.inputs.flatMap((input) => input.classes);
  const share = (items, noun, nouns) => (items.length === 0 ? [] : [items.filter(({ reached }) => reached).length + ' of ' + items.length + ' ' + (items.length === 1 ? noun : nouns)]);
  const shares = [...share(of.statuses, 'status', 'statuses'), ...share(classes, 'class of values', 'classes of values')];
  const item = h('details', {}, h('summary', {}, titleOf(of.operation), ' ', h('span', { class: 'dim' }, of.why === undefined ? shares.join(', ') : 'not asked')));
  item.fill = () => { if (item.childElementCount === 1) item.append(h('div', {}, coverageBlock(of))); };
  item.addEventListener('toggle', item.fill);
  return item;
}

function coverageView(filter) {
  const { coverage } = summary;
  if (coverage === undefined) return empty('This run tells nothing of what it reached.');
  const { statuses, inputs } = coverage;
  const told = 'Reached ' + statuses.reached + ' of ' + statuses.total + ' documented statuses, and ' + inputs.reached + ' of ' + inputs.total + ' classes of values. What was not reached names what would reach it.';
  const reach = (of) => (of.why !== undefined ? 'not asked' : [...of.statuses, ...of.inputs.flatMap(({ classes }) => classes)].every(({ reached }) => reached) ? 'whole' : 'in part');
  const list = filteredList({ route: 'coverage', noun: 'operation', items: coverage.operations, facets: [['coverage', (of) => [reach(of)]]], textOf: (of) => of.operation + ' ' + titleOf(of.operation), filter, make: (part) => part.map(coverageItem) });
  return h('section', {}, h('p', {}, told), list);
}
`;
