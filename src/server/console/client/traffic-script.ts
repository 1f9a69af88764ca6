/** The view of exchanges as they come, the newest first. */
export const trafficScript = String.raw`
const judgements = { valid: ['kept', 'valid'], invalid: ['error', 'invalid'], refused: ['warning', 'refused'], unknown: ['none', 'not judged'] };
const filters = { text: '', method: '', status: '', operation: '', session: '' };
const statusClasses = [['', 'Any status'], ['2', '2xx'], ['3', '3xx'], ['4', '4xx'], ['5', '5xx'], ['invalid', 'Invalid requests'], ['refused', 'Refused requests'], ['near', 'Near misses']];

function fitsFilters(entry) {
  if (filters.method !== '' && entry.method !== filters.method) return false;
  if (filters.operation !== '' && entry.operation !== filters.operation) return false;
  if (filters.session !== '' && entry.session !== filters.session) return false;
  if (filters.status === 'near') { if (entry.near === null) return false; }
  else if (/^\d$/.test(filters.status) ? String(entry.status)[0] !== filters.status : filters.status !== '' && entry.judgement !== filters.status) return false;
  return filters.text === '' || matchesWords([entry.method, entry.target, entry.status, entry.operation, entry.scenario, entry.session, entry.reason, entry.near?.name, entry.fault].join(' '), filters.text);
}

function statusMark(status) {
  return h('span', { class: 'code s' + String(status)[0] }, status);
}

function trafficRow(entry, chosen) {
  const [kind, word] = judgements[entry.judgement];
  return h('li', {}, link(['traffic', entry.id], { class: 'exchange-row', 'data-id': entry.id, 'aria-current': entry.id === chosen ? 'true' : undefined },
    h('time', { datetime: entry.at, class: 'dim' }, timeOf(entry.at)),
    h('span', { class: 'method m-' + entry.method.toLowerCase() }, entry.method),
    h('span', { class: 'target' }, entry.target),
    statusMark(entry.status),
    h('span', { class: 'dim number' }, duration(entry.durationMs)),
    h('span', { class: 'marks' },
      entry.judgement === 'valid' || (entry.judgement === 'unknown' && entry.scenario !== null) ? '' : badge(kind, word, entry.reason ?? undefined),
      entry.near === null ? '' : badge('note', 'nearly ' + entry.near.name, entry.near.message),
      entry.scenario === null ? '' : badge('note', entry.scenario, 'The scenario that had a say in the answer'),
      entry.fault === null ? '' : badge('error', entry.fault, 'What happened to the answer on the wire'),
      entry.session === null || entry.session === 'default' ? '' : badge('none', entry.session, 'The session'),
      entry.reason === null && entry.near === null ? '' : h('span', { class: 'reason dim' }, entry.reason ?? entry.near.message))));
}

function namesIn(member) {
  return [...new Set(feed.entries.map((entry) => entry[member]).filter((value) => value !== null))].sort();
}

function filterBar(render) {
  const change = (name) => (value) => { filters[name] = value; render(); };
  const some = (label, names) => [['', label], ...names.map((name) => [name, name])];
  const search = h('input', { type: 'search', id: 'search', placeholder: 'Search, or press /', 'aria-label': 'Search in traffic', value: filters.text, input: () => change('text')(search.value) });
  return h('div', { class: 'filters' }, search,
    choice(some('Any method', namesIn('method')), filters.method, change('method'), { 'aria-label': 'Method' }),
    choice(statusClasses, filters.status, change('status'), { 'aria-label': 'Status' }),
    choice(some('Any operation', namesIn('operation')), filters.operation, change('operation'), { 'aria-label': 'Operation' }),
    choice(some('Any session', namesIn('session')), filters.session, change('session'), { 'aria-label': 'Session' }));
}

function pauseButton() {
  const node = button('', () => { feed.paused = !feed.paused; show(); if (!feed.paused) tellFeed({ kind: 'replaced' }); }, { id: 'pause' });
  const show = () => { node.textContent = feed.paused ? 'Resume' : 'Pause'; node.setAttribute('aria-pressed', String(feed.paused)); };
  show();
  return node;
}

function clearButton() {
  return button('Clear', async () => { await call('DELETE', '/journal'); await reloadFeed(); location.hash = '#/traffic'; });
}

function trafficView(route) {
  const chosen = route.words[1] === undefined ? undefined : Number(route.words[1]);
  const list = h('ol', { class: 'exchanges', 'aria-label': 'Exchanges, the newest first' });
  const summary = h('p', { class: 'dim', id: 'traffic-count' });
  const detail = h('div', { class: 'detail' });
  const most = 200;
  const count = () => {
    const fitting = feed.entries.filter(fitsFilters).length;
    summary.textContent = feed.paused ? 'Paused: new exchanges wait.' : fitting === feed.entries.length ? countOf(fitting, 'exchange') : fitting + ' of ' + countOf(feed.entries.length, 'exchange');
  };
  const bar = h('div', {});
  const render = () => {
    const fitting = feed.entries.filter(fitsFilters);
    list.replaceChildren(...(fitting.length === 0 ? [h('li', {}, feed.entries.length === 0 ? quietWelcome() : empty('No exchange fits these filters.'))] : fitting.slice(0, most).map((entry) => trafficRow(entry, chosen))));
    count();
  };
  const follow = (change) => {
    if (change.kind === 'live' || feed.paused) return count();
    if (change.kind === 'replaced' || list.querySelector('.empty') !== null) { bar.replaceChildren(filterBar(render)); return render(); }
    list.prepend(...change.fresh.filter(fitsFilters).map((entry) => { const row = trafficRow(entry, chosen); row.classList.add('fresh'); return row; }));
    while (list.children.length > most) list.lastChild.remove();
    if (!bar.contains(document.activeElement)) bar.replaceChildren(filterBar(render));
    count();
  };
  leaving(() => feed.listeners.delete(follow));
  feed.listeners.add(follow);
  bar.append(filterBar(render));
  render();
  if (chosen !== undefined) guarded(() => fillDetail(detail, chosen));
  return h('section', { class: chosen === undefined ? 'traffic' : 'traffic open' },
    h('div', { class: 'head' }, h('h1', {}, 'Traffic'), summary, h('div', { class: 'actions' }, button('Verify…', verifyDialog), pauseButton(), clearButton())),
    bar, h('div', { class: 'panes' }, list, chosen === undefined ? '' : detail));
}

function quietWelcome() {
  return empty(h('p', { class: 'big' }, 'Nothing has been asked yet.'), h('p', {}, 'Send a request to ', h('code', {}, mockOrigin() + (facts.operations[0]?.base ?? '')), ', and it stands here at once. Or ', h('a', { href: '#/try' }, 'try an operation'), '.'));
}
`;
