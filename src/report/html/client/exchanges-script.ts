/** Every exchange of the run: a table that is made as it is read, and each exchange by its number. */
export const exchangesScript = String.raw`
function exchangeTable(body) {
  return h('div', { class: 'scroll' }, h('table', { class: 'rows' }, h('thead', {}, h('tr', {}, ['#', 'answer', 'time', 'request', 'tried', 'phase'].map((head) => h('th', { scope: 'col' }, head)))), body));
}

function exchangeRow({ number, phase, title, method, target, outcome, ms }) {
  const kind = typeof outcome !== 'number' || outcome >= 500 ? 'error' : outcome >= 400 ? 'warning' : 'kept';
  return h('tr', {}, h('td', { class: 'number' }, link(['exchange', String(number)], String(number))), h('td', {}, badge(kind, String(outcome))), h('td', { class: 'number' }, duration(ms)), h('td', { class: 'target' }, method + ' ' + target), h('td', {}, title), h('td', {}, phase));
}

function exchangesView(filter) {
  const body = h('tbody', {});
  const told = h('p', { class: 'dim', role: 'status' });
  const search = h('input', { type: 'search', id: 'search', placeholder: 'Search ( / )', 'aria-label': 'Search the exchanges' });
  search.value = filter.text ?? '';
  const frame = exchangeTable(body);
  const show = () => {
    const rows = search.value === '' ? allRows() : allRows().filter((row) => matchesWords([row.operation, row.phase, row.title, row.method, row.target, row.outcome].join(' '), search.value));
    told.textContent = countOf(rows.length, 'exchange') + (end.leftOut === 0 ? '' : '; the rows of ' + countOf(end.leftOut, 'exchange') + ' more had no room in this file');
    section.querySelector(':scope > .more')?.remove();
    body.replaceChildren();
    lazyList(body, rows, exchangeRow, 200);
  };
  search.addEventListener('input', () => {
    history.replaceState(null, '', '#/exchanges' + (search.value === '' ? '' : '?' + new URLSearchParams({ text: search.value })));
    show();
  });
  const section = h('section', {}, h('form', { class: 'filters', submit: (event) => event.preventDefault() }, search), told, frame);
  show();
  return section;
}

function exchangePage(number) {
  const row = allRows()[number];
  const exchange = exchangeNumber(number);
  if (row === undefined) return h('p', { class: 'empty' }, 'There is no exchange ' + number + ' in this report.');
  const shown = findings.filter((finding) => (finding.entries ?? []).includes(number));
  return h('section', {},
    h('h2', {}, 'Exchange ' + number), h('p', {}, link(['operation', row.operation], row.operation), ' · ' + row.phase + ' · ' + row.title),
    shown.length === 0 ? '' : h('p', {}, 'It shows: ', shown.map((finding) => [link(['finding', finding.id], finding.check), ' '])),
    exchange === undefined ? h('p', { class: 'empty' }, 'Its headers and bodies had no room in this file; --reporter blob keeps every byte.') : exchangeView(exchange),
    h('p', {}, number > 0 ? [link(['exchange', String(number - 1)], '← before'), ' '] : '', number + 1 < allRows().length ? link(['exchange', String(number + 1)], 'after →') : ''));
}
`;
