/** One finding with everything that makes it sure. What it shows is made when it is opened. */
export const findingScript = String.raw`
const longestMessage = 600;
const blames = { server: 'the server', contract: 'the contract, rather than the server', undecided: 'the server or the contract: it cannot be told' };
const bases = { contract: 'the contract says it', protocol: 'an RFC says MUST', inferred: 'meaning was read out of the contract', advice: 'an RFC says SHOULD, or it is good habit' };

function frameView({ place, pointer, frame }) {
  const lines = frame.split('\n').map((line) => h('span', { class: /^ *>/.test(line) || /^ *\| *\^/.test(line) ? 'here' : '' }, line + '\n'));
  return [h('h2', {}, 'In the contract'), h('p', { class: 'line' }, place.file + ':' + place.line + ':' + place.column, h('span', { class: 'dim' }, ' ' + pointer)), h('pre', { class: 'frame', tabindex: '0', role: 'group', 'aria-label': 'Lines of the contract' }, lines)];
}

function reproduction({ id, curl, replay }) {
  const commands = [curl.length === 0 ? '' : command(curl.join('\n'), 'the curl commands'), replay ? command('vouch replay ' + id, 'the replay command') : ''];
  return commands.every((each) => each === '') ? '' : [h('h2', {}, 'To see it again'), commands];
}

function alikeView({ alsoSeenAs }) {
  return (alsoSeenAs ?? []).length === 0 ? '' : [h('h2', {}, 'Has the same cause'), h('ul', { class: 'plain' }, alsoSeenAs.map(({ check, operation, message }) => h('li', {}, h('b', {}, check), ' on ' + operation.method + ' ' + operation.path + ': ' + message)))];
}

function findingBody(finding) {
  const { exchange, entries = [], accepted } = finding;
  return h('div', { class: 'finding-body' },
    h('dl', {},
      finding.message.length > longestMessage ? fact('in full', finding.message) : '',
      fact('expected', finding.expected), fact('actual', h('strong', {}, finding.actual)), fact('tried', finding.trying),
      fact('why it is sure', finding.evidence), fact('basis', finding.basis + ': ' + (bases[finding.basis] ?? 'which is unknown here')), fact('fault of', blames[finding.blame]),
      fact('seen', countOf(finding.count, 'time') + ', on ', finding.operations.map((id, index) => [index === 0 ? '' : ', ', link(['operation', id], id)]), entries.length === 0 ? '' : [entries.length === 1 ? ' · exchange ' : ' · exchanges ', entries.slice(0, 10).map((number) => [link(['exchange', String(number)], '#' + number), ' '])]),
      accepted === undefined ? '' : fact('accepted', 'by the baseline; by itself it is of severity ' + accepted),
      fact('address', link(['finding', finding.id], '#/finding/' + finding.id))),
    exchange === undefined ? '' : [h('h2', {}, 'What shows it'), exchangeView(exchange, finding.matter)], frameView(finding), reproduction(finding), alikeView(finding));
}

function findingItem(finding, isOpen) {
  const { severity, accepted, check, basis, count, operation, message } = finding;
  const item = h('details', { class: 'finding ' + severity, id: 'finding-' + finding.id },
    h('summary', {}, badge(accepted ?? severity, accepted === undefined ? severity : 'accepted ' + accepted), h('span', { class: 'message' }, shortened(message, longestMessage)), h('span', { class: 'about' }, h('b', {}, shortened(operation.method + ' ' + operation.path, longestTitle)), ' · ' + check + ' · basis: ' + basis + (count > 1 ? ' · ' + countOf(count, 'time') : ''))));
  item.fill = () => { if (item.childElementCount === 1) item.append(findingBody(finding)); };
  item.addEventListener('toggle', () => {
    if (!item.open) return;
    item.fill();
    item.querySelectorAll('pre.body').forEach(showMark);
  });
  if (isOpen) { item.open = true; item.fill(); }
  return item;
}

function findingPage(id) {
  const at = findings.findIndex((finding) => finding.id === id);
  if (at === -1) return empty('There is no finding ' + id + ' in this report.');
  return h('section', {}, steps('finding', findings[at - 1]?.id, findings[at + 1]?.id), findingItem(findings[at], true));
}
`;
