/**
 * The view of records: what the mock keeps, to look at and to change, and to put back as it was.
 */
export const stateScript = String.raw`
const mostColumns = 7;

function inSession(path) {
  return path + (path.includes('?') ? '&' : '?') + 'session=' + encode(session.name);
}

async function stateView(route) {
  followState();
  const { resources } = await call('GET', inSession('/resources'));
  const name = route.words[1] ?? resources[0]?.name;
  const resource = resources.find((each) => each.name === name);
  const heading = h('div', { class: 'head' }, h('h1', {}, 'State'), h('p', { class: 'dim' }, 'Session ' + session.name), h('div', { class: 'actions' }, button('Snapshots…', snapshotDialog), button('Reset…', resetDialog)));
  if (resource === undefined) return h('section', {}, heading, empty(resources.length === 0 ? 'The contract has no records: every operation is answered from its examples and schemas.' : 'There are no records called ' + name + '.'));
  return h('section', {}, heading,
    h('div', { class: 'chips', role: 'group', 'aria-label': 'Kinds of records' }, resources.map((each) => link(['state', each.name], { class: 'chip', title: each.path, 'aria-current': each.name === name ? 'true' : undefined }, each.name, h('span', { class: 'count' }, ' ' + amountOf(each))))),
    await kindView({ resource, resources, parents: route.words.slice(2, 2 + resource.parents.length).filter((word) => word !== '') }));
}

/* Many stand below too many others to be counted; of a singleton there is one, or none. */
function amountOf({ kind, parents, count }) {
  if (count === null) return '';
  return kind === 'singleton' && parents.length === 0 ? (count === 0 ? 'none' : 'one record') : count;
}

/* What is one record is shown whole, what are many in a table: those of a singleton that stand below others, until one of these is chosen. */
async function kindView(here) {
  const { resource, resources, parents } = here;
  const go = (chosen) => { location.hash = '#/' + ['state', resource.name, ...chosen].map(encode).join('/'); };
  const choices = await parentFields(resource, parents, { resources, any: 'any', change: go });
  try {
    return await (resource.kind === 'singleton' && parents.length === resource.parents.length ? oneRecordView(here, choices) : recordsView(here, choices));
  } catch (error) {
    /* What these stand below may have been deleted; another can be chosen. */
    if (error.status !== 404) throw error;
    return h('div', {}, h('div', { class: 'filters' }, choices), empty(error.message));
  }
}

/* The identifier first, where there is one, then what most records have; what is long or deep comes last. */
function columnsOf(records, identifier) {
  const weights = new Map();
  for (const { record } of records.slice(0, 50)) for (const [name, value] of Object.entries(record)) weights.set(name, (weights.get(name) ?? 0) + (typeof value === 'object' && value !== null && !(value instanceof ExactNumber) ? 0.4 : 1));
  return [...(identifier === null ? [] : [identifier]), ...[...weights].sort((left, right) => right[1] - left[1]).map(([name]) => name).filter((name) => name !== identifier)].slice(0, mostColumns);
}

function cellText(value) {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? text.slice(0, 60) + '…' : text;
}

/* A date or a number is not broken over two lines. */
function cellView(value) {
  const text = cellText(value);
  return h('td', { class: /^\S{1,20}$/.test(text) ? 'whole' : undefined }, text);
}

/* Below many records nobody looks at once: one must be chosen first. */
async function readRecords(resource, parents) {
  if (resource.count === null && parents.length < resource.parents.length) return undefined;
  return call('GET', recordsPath(resource, parents) + '&limit=1000');
}

async function recordsView(here, choices) {
  const { resource, resources, parents } = here;
  const found = await readRecords(resource, parents);
  const bar = (...controls) => h('div', { class: 'filters' }, choices, controls);
  if (found === undefined) return h('div', {}, bar(), empty('There are too many records above these to look below each. Say below which one.'));
  const { records, total } = found;
  const open = parents.length < resource.parents.length;
  const above = resource.parents.map(({ field: held }) => held);
  const isOne = resource.kind === 'singleton';
  const columns = columnsOf(records, resource.identifier).filter((column) => open || column === resource.identifier || !above.includes(column));
  const tellsAbove = open && !isOne && !above.every((column) => columns.includes(column));
  const body = h('tbody', {});
  const nameOf = (each) => (open ? (isOne ? resource.name : each.id) + ' below ' + each.parents.join(' / ') : each.id);
  const edit = (each) => h('button', { type: 'button', class: 'plain-link', click: () => guarded(() => recordDialog(resource, each)), 'aria-label': 'Edit ' + nameOf(each) }, isOne ? each.parents.join(' / ') : each.id);
  const remove = (each) => (resource.removable ? button('Delete', () => deleteDialog(resource, each), { class: 'quiet', 'aria-label': 'Delete ' + nameOf(each) }) : '');
  const row = (each) => h('tr', {}, h('td', {}, edit(each)), columns.filter((column) => column !== resource.identifier).map((column) => cellView(each.record[column])), tellsAbove ? h('td', {}, each.parents.join(' / ')) : '', h('td', { class: 'number' }, isOne ? '' : linksBelow(resource, [...each.parents, each.id], resources), remove(each)));
  const count = h('p', { class: 'dim', role: 'status' });
  const show = () => {
    const fitting = search.value === '' ? records : records.filter(({ id, record }) => matchesWords(id + ' ' + JSON.stringify(record), search.value));
    body.replaceChildren(...fitting.slice(0, 300).map(row));
    count.textContent = (search.value === '' ? countOf(total, 'record') : fitting.length + ' of ' + countOf(total, 'record')) + (fitting.length > 300 ? ', the first 300 shown' : '');
  };
  const search = h('input', { type: 'search', id: 'search', placeholder: 'Search, or press /', 'aria-label': 'Search in ' + resource.name, input: show });
  show();
  const parameters = resource.parents.map(({ parameter }) => parameter).join(' / ');
  const rows = table([...(isOne ? [parameters] : []), ...columns, ...(tellsAbove ? [parameters] : []), ''], [], 'Records of ' + resource.name);
  rows.querySelector('tbody').replaceWith(body);
  const told = isOne ? h('p', { class: 'dim' }, placeOfOne(resource, resources)) : '';
  return h('div', {}, told, bar(search, button('Add a record', () => addDialog(here, records), { class: 'primary' })), count, records.length === 0 ? empty(isOne ? 'There is none yet.' : 'No records yet. Add one here, or by a request.') : rows);
}

function resetDialog() {
  confirmed('Reset session ' + session.name + '?', 'Its records go back to the fixtures, every scenario to its first step, and its exchanges are forgotten.', async () => {
    await call('POST', '/reset', { session: session.name });
    say('Reset.');
    await reloadFeed();
    render();
  }, 'Reset');
}

async function snapshotDialog() {
  const list = h('ul', { class: 'plain rows' });
  const name = h('input', { 'aria-label': 'Name of the snapshot', value: 'before-' + new Date().toTimeString().slice(0, 5).replace(':', '') });
  const act = (method, path, body, done) => async () => { await call(method, path, body); say(done); await fill(); if (done === 'Restored.') render(); };
  const fill = async () => {
    const { snapshots } = await call('GET', '/snapshots');
    list.replaceChildren(...(snapshots.length === 0 ? [h('li', { class: 'dim' }, 'None yet. A snapshot keeps the records as they are, to go back to.')] : snapshots.map(({ name: each, takenAt, records }) => h('li', {}, h('div', {}, h('b', {}, each), h('div', { class: 'dim' }, timeOf(takenAt) + ' · ' + countOf(records, 'record'))), button('Restore', act('POST', '/snapshots/' + encode(each) + '/restore', { session: session.name }, 'Restored.')), button('Forget', act('DELETE', '/snapshots/' + encode(each), undefined, 'Forgotten.'), { class: 'quiet' })))));
  };
  await fill();
  openDialog('Snapshots', (close) => [h('form', { class: 'inline', submit: (event) => { event.preventDefault(); guarded(act('POST', '/snapshots', { name: name.value, session: session.name }, 'Taken.')); } }, name, h('button', { type: 'submit', class: 'primary' }, 'Take one of ' + session.name)), list, h('div', { class: 'actions' }, button('Close', close))]);
}
`;
