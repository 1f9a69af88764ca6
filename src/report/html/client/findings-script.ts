/**
 * The list of findings with its filters; those that a baseline accepts have a section of their own.
 */
export const findingsScript = String.raw`
const findingFacets = [
  ['severity', ({ severity }) => [severity]],
  ['basis', ({ basis }) => [basis]],
  ['check', ({ check }) => [check]],
  ['operation', ({ operations }) => operations, titleOf],
  ['baseline', ({ accepted }) => [accepted === undefined ? 'new' : 'accepted']],
];

function textOfFinding({ id, check, operation, operations, message, expected, actual, trying, pointer }) {
  return [id, check, operation.method, operation.path, ...operations, message, expected, actual, trying, pointer].join(' ');
}

function findingList(part, matching) {
  const isAccepted = ({ accepted }) => accepted !== undefined;
  const [open, accepted] = [part.filter((finding) => !isAccepted(finding)), part.filter(isAccepted)];
  const items = (group) => group.map((finding) => findingItem(finding, matching.length === 1));
  if (part.length === 0) return [empty('No finding is like that.')];
  return [items(open), accepted.length === 0 ? '' : [h('h2', { id: 'accepted' }, 'Accepted by the baseline', h('span', { class: 'count' }, ' ' + matching.filter(isAccepted).length)), h('p', { class: 'dim' }, 'Known, and no reason to fail a run. What is mended leaves the baseline with --update-baseline.'), items(accepted)]];
}

function findingsView(filter) {
  if (findings.length === 0) return h('section', {}, empty(summary.verdict === 'passed' ? 'No findings. ' : 'No findings in what was seen. ', 'What was asked is in ', link(['operations'], 'Operations'), ' and ', link(['exchanges'], 'Exchanges'), '; what was reached of the contract, in ', link(['coverage'], 'Coverage'), '.'));
  return filteredList({ route: 'findings', noun: 'finding', items: findings, facets: findingFacets, textOf: textOfFinding, filter, make: findingList });
}
`;
