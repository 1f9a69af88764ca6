/** The findings: filters, and each finding with everything that makes it sure. What a finding shows is made when it is opened. */
export const findingsScript = String.raw`
const filterNames = ['severity', 'basis', 'check', 'operation'];

function valuesOf(name) {
  const of = { severity: (finding) => [finding.severity], basis: (finding) => [finding.basis], check: (finding) => [finding.check], operation: (finding) => finding.operations };
  return [...new Set(findings.flatMap(of[name]))];
}

function isWanted(finding, filter) {
  const { severity, basis, check, operation, text } = filter;
  if (severity && finding.severity !== severity) return false;
  if (basis && finding.basis !== basis) return false;
  if (check && finding.check !== check) return false;
  if (operation && !finding.operations.includes(operation)) return false;
  return !text || matchesWords([finding.id, finding.check, finding.operation.method, finding.operation.path, finding.operations.join(' '), finding.message, finding.expected, finding.actual, finding.trying, finding.pointer].join(' '), text);
}

function filterBar(filter, change) {
  const choices = filterNames.filter((name) => valuesOf(name).length > 1 || filter[name]).map((name) => {
    const select = h('select', { 'aria-label': name }, h('option', { value: '' }, 'any ' + name), valuesOf(name).map((value) => h('option', { value, selected: value === filter[name] }, value)));
    select.addEventListener('change', () => { filter[name] = select.value; change(); });
    return select;
  });
  const search = h('input', { type: 'search', id: 'search', placeholder: 'Search ( / )', 'aria-label': 'Search the findings' });
  search.value = filter.text ?? '';
  search.addEventListener('input', () => { filter.text = search.value; change(); });
  return h('form', { class: 'filters', submit: (event) => event.preventDefault() }, search, choices);
}

function fact(name, ...content) {
  return content.every((part) => part === '' || part === undefined) ? '' : [h('dt', {}, name), h('dd', {}, ...content)];
}

const blames = { server: 'the server', contract: 'the contract, rather than the server', undecided: 'the server or the contract: it cannot be told' };

function findingBody(finding) {
  const { place, exchange } = finding;
  const curl = finding.curl.join('\n');
  return h('div', { class: 'finding-body' },
    h('dl', {},
      fact('tried', finding.trying), fact('expected', finding.expected), fact('actual', finding.actual),
      fact('seen', countOf(finding.count, 'time') + ', on ', finding.operations.map((id, index) => [index === 0 ? '' : ', ', link(['operation', id], id)])),
      fact('fault of', blames[finding.blame]), fact('why it is sure', finding.evidence)),
    h('h4', {}, place.file + ':' + place.line + ':' + place.column), h('p', { class: 'dim' }, finding.pointer),
    h('pre', { class: 'frame', tabindex: '0' }, finding.frame.split('\n').map((line) => h('span', { class: /^ *>/.test(line) || /^ *\| *\^/.test(line) ? 'here' : '' }, line + '\n'))),
    exchange === undefined ? '' : exchangeView(exchange),
    curl === '' ? '' : [h('h4', {}, 'To see it'), h('div', { class: 'command' }, copyButton(curl, 'the commands'), h('pre', { tabindex: '0' }, curl))],
    finding.replay ? h('p', {}, 'Or: ', h('code', {}, 'vouch replay ' + finding.id)) : '',
    (finding.entries ?? []).length === 0 ? '' : h('p', { class: 'dim' }, 'Among the exchanges: ', finding.entries.slice(0, 10).map((number) => [link(['exchange', String(number)], '#' + number), ' '])));
}

function findingItem(finding, isOpen) {
  const item = h('details', { class: 'finding ' + finding.severity, id: 'finding-' + finding.id },
    h('summary', {}, badge(finding.severity, finding.severity), ' ', h('b', {}, finding.check), ' ', h('span', { class: 'dim' }, (finding.accepted === undefined ? '' : 'accepted by the baseline (' + finding.accepted + ') · ') + finding.basis + (finding.count > 1 ? ' · ' + countOf(finding.count, 'time') : '')),
      h('span', { class: 'message' }, finding.operation.method + ' ' + finding.operation.path + ': ' + finding.message)));
  const fill = () => { if (item.childElementCount === 1) item.append(h('p', { class: 'dim' }, link(['finding', finding.id], 'Link to this finding (' + finding.id + ')')), findingBody(finding)); };
  item.addEventListener('toggle', () => { if (item.open) fill(); });
  item.fill = fill;
  if (isOpen) { item.open = true; fill(); }
  return item;
}

function findingsView(filter) {
  const list = h('div', { class: 'list' });
  const told = h('p', { class: 'dim', role: 'status' });
  const show = () => {
    const matching = findings.filter((finding) => isWanted(finding, filter));
    told.textContent = matching.length === findings.length ? countOf(findings.length, 'finding') : countOf(matching.length, 'finding') + ' of ' + findings.length;
    list.parentElement?.querySelector(':scope > .more')?.remove();
    list.replaceChildren();
    lazyList(list, matching, (finding) => findingItem(finding, matching.length === 1), 100);
  };
  const change = () => {
    const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value)).toString();
    history.replaceState(null, '', '#/findings' + (query === '' ? '' : '?' + query));
    show();
  };
  const section = h('section', {}, findings.length === 0 ? h('p', { class: 'empty' }, 'No findings. ' + summary.reason) : [filterBar(filter, change), told], list);
  show();
  return section;
}
`;
