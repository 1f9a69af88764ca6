/** The view of records: what the mock keeps, to look at and to change. */
export const stateScript = String.raw`
const mostColumns = 7;

function inSession(path) {
  return path + (path.includes('?') ? '&' : '?') + 'session=' + encode(session.name);
}

async function stateView(route) {
  const { resources } = await call('GET', inSession('/resources'));
  const name = route.words[1] ?? resources[0]?.name;
  const resource = resources.find((each) => each.name === name);
  const heading = h('div', { class: 'head' }, h('h1', {}, 'State'), h('p', { class: 'dim' }, 'Session ' + session.name), h('div', { class: 'actions' }, button('Snapshots…', snapshotDialog), button('Reset…', resetDialog)));
  if (resource === undefined) return h('section', {}, heading, empty(resources.length === 0 ? 'The contract has no records: every operation is answered from its examples and schemas.' : 'There are no records called ' + name + '.'));
  return h('section', {}, heading,
    h('div', { class: 'chips', role: 'group', 'aria-label': 'Kinds of records' }, resources.map((each) => link(['state', each.name], { class: 'chip', title: each.path, 'aria-current': each.name === name ? 'true' : undefined }, each.name, each.count === null ? '' : h('span', { class: 'count' }, ' ' + each.count)))),
    await recordsView({ resource, resources, parents: route.words.slice(2, 2 + resource.parents.length).filter((word) => word !== '') }));
}

/* The identifier first, then what most records have; what is long or deep comes last. */
function columnsOf(records, identifier) {
  const weights = new Map();
  for (const { record } of records.slice(0, 50)) for (const [name, value] of Object.entries(record)) weights.set(name, (weights.get(name) ?? 0) + (typeof value === 'object' && value !== null && !(value instanceof ExactNumber) ? 0.4 : 1));
  return [identifier, ...[...weights].sort((left, right) => right[1] - left[1]).map(([name]) => name).filter((name) => name !== identifier)].slice(0, mostColumns);
}

function cellText(value) {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? text.slice(0, 60) + '…' : text;
}

/* Below many records nobody looks at once: one must be chosen first. */
async function readRecords(resource, parents) {
  if (resource.count === null && parents.length < resource.parents.length) return undefined;
  return call('GET', recordsPath(resource, parents) + '&limit=1000');
}

async function recordsView(here) {
  const { resource, resources, parents } = here;
  const go = (chosen) => { location.hash = '#/' + ['state', resource.name, ...chosen].map(encode).join('/'); };
  const choices = await parentFields(resource, parents, { resources, any: 'any', change: go });
  const found = await readRecords(resource, parents);
  const bar = (...controls) => h('div', { class: 'filters' }, choices, controls);
  if (found === undefined) return h('div', {}, bar(), empty('There are too many records above these to look below each. Say below which one.'));
  const { records, total } = found;
  const open = parents.length < resource.parents.length;
  const above = resource.parents.map(({ field: held }) => held);
  const columns = columnsOf(records, resource.identifier).filter((column) => open || !above.includes(column));
  const tellsAbove = open && !above.every((column) => columns.includes(column));
  const body = h('tbody', {});
  const nameOf = ({ id, parents: stand }) => (open ? id + ' below ' + stand.join(' / ') : id);
  const row = (each) => h('tr', {}, columns.map((column, index) => h('td', {}, index === 0 ? h('button', { type: 'button', class: 'plain-link', click: () => guarded(() => recordDialog(resource, each)), 'aria-label': 'Edit ' + nameOf(each) }, each.id) : cellText(each.record[column]))), tellsAbove ? h('td', {}, each.parents.join(' / ')) : '', h('td', { class: 'number' }, linksBelow(resource, [...each.parents, each.id], resources), button('Delete', () => deleteDialog(resource, each), { class: 'quiet', 'aria-label': 'Delete ' + nameOf(each) })));
  const count = h('p', { class: 'dim', role: 'status' });
  const show = () => {
    const fitting = search.value === '' ? records : records.filter(({ id, record }) => matchesWords(id + ' ' + JSON.stringify(record), search.value));
    body.replaceChildren(...fitting.slice(0, 300).map(row));
    count.textContent = (search.value === '' ? countOf(total, 'record') : fitting.length + ' of ' + countOf(total, 'record')) + (fitting.length > 300 ? ', the first 300 shown' : '');
  };
  const search = h('input', { type: 'search', id: 'search', placeholder: 'Search, or press /', 'aria-label': 'Search in ' + resource.name, input: show });
  show();
  const rows = table([...columns, ...(tellsAbove ? ['below'] : []), ''], [], 'Records of ' + resource.name);
  rows.querySelector('tbody').replaceWith(body);
  return h('div', {}, bar(search, button('Add a record', () => addDialog(here, records), { class: 'primary' })), count, records.length === 0 ? empty('No records yet. Add one here, or by a request.') : rows);
}

/* The record's own text is edited, so that no digit of a number is lost. */
async function recordDialog(resource, { id, parents }) {
  const text = await callText('GET', recordsPath(resource, parents, id));
  editDialog({ title: [resource.name, ...parents, id].join(' '), text: indentJson(text), pathOf: () => recordsPath(resource, parents, id) });
}

/* What the last record says, but for what only its place says. */
function templateOf({ resource }, records) {
  const template = records.length === 0 ? {} : structuredClone(JSON.parse(JSON.stringify(records[records.length - 1].record)));
  delete template[resource.identifier];
  for (const { field: held } of resource.parents) {
    const names = (held ?? '').split('.');
    const holder = names.slice(0, -1).reduce((inner, each) => inner?.[each], template);
    if (held !== null && typeof holder === 'object' && holder !== null) delete holder[names.at(-1)];
  }
  return template;
}

function nextIdentifier({ identifierType }, records) {
  const numbers = records.map(({ id }) => id).filter((id) => /^\d{1,15}$/.test(id)).map(Number);
  const counted = identifierType === 'integer' || (numbers.length === records.length && numbers.length > 0);
  return counted ? String(Math.max(0, ...numbers) + 1) : crypto.randomUUID?.() ?? '';
}

async function addDialog(here, records) {
  const { resource, resources } = here;
  const id = h('input', { value: nextIdentifier(resource, records) });
  let parents = here.parents;
  const above = h('div', {});
  const change = (chosen) => {
    parents = chosen;
    /* What stands further below was to be chosen among others. */
    [...above.children].slice(chosen.length).forEach((each) => each.remove());
    guarded(fill);
  };
  const fill = async () => {
    const wanted = parents;
    const fields = await parentFields(resource, parents, { resources, any: 'choose one', change });
    if (wanted === parents) above.replaceChildren(...fields);
  };
  await fill();
  editDialog({ title: 'A new record of ' + resource.name, text: JSON.stringify(templateOf(here, records), null, 2), fields: [above, field(resource.identifier, id)], pathOf: () => recordsPath(resource, parents, id.value) });
}

function editDialog({ title, text, pathOf, fields = [] }) {
  const area = h('textarea', { rows: '16', spellcheck: 'false', 'aria-label': 'The record, as JSON', value: text });
  const problems = h('div', { role: 'alert' });
  openDialog(title, (close) => {
    const save = async () => {
      try {
        await call('PUT', pathOf(), area.value);
      } catch (error) {
        if (![400, 404, 409].includes(error.status)) throw error;
        const issues = error.issues.map(({ detail, contract }) => h('li', {}, detail, contract === undefined ? '' : h('small', {}, ' ' + contract)));
        problems.replaceChildren(h('div', { class: 'verdict error' }, badge('error', 'not saved'), h('div', {}, h('b', {}, issues.length === 0 ? error.message : 'The contract does not allow this record.'), issues.length === 0 ? '' : h('ul', {}, issues))));
        return;
      }
      close();
      say('Saved.');
      render();
    };
    return [fields, area, problems, h('div', { class: 'actions' }, button('Cancel', close), button('Save', save, { class: 'primary' }))].flat();
  });
}

function deleteDialog(resource, { id, parents }) {
  confirmed('Delete ' + [...parents, id].join(' / ') + '?', 'The record goes from session ' + session.name + '. A reset brings those of the fixtures back.', async () => {
    await call('DELETE', recordsPath(resource, parents, id));
    say('Deleted.');
    render();
  }, 'Delete');
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
