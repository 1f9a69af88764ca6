/** The view of records: what the mock keeps, to look at and to change. */
export const stateScript = String.raw`
const mostColumns = 7;

function inSession(path) {
  return path + (path.includes('?') ? '&' : '?') + 'session=' + encode(session.name);
}

async function stateView(route) {
  const { resources, below } = await call('GET', inSession('/resources'));
  const name = route.words[1] ?? resources[0]?.name;
  const resource = resources.find((each) => each.name === name);
  const heading = h('div', { class: 'head' }, h('h1', {}, 'State'), h('p', { class: 'dim' }, 'Session ' + session.name), h('div', { class: 'actions' }, button('Snapshots…', snapshotDialog), button('Reset…', resetDialog)));
  if (resource === undefined) return h('section', {}, heading, belowNote(below), empty(resources.length === 0 && below.length > 0 ? 'There are no other records.' : resources.length === 0 ? 'The contract has no records: every operation is answered from its examples and schemas.' : 'There are no records called ' + name + '.'));
  return h('section', {}, heading,
    h('div', { class: 'chips', role: 'group', 'aria-label': 'Kinds of records' }, resources.map((each) => link(['state', each.name], { class: 'chip', 'aria-current': each.name === name ? 'true' : undefined }, each.name, h('span', { class: 'count' }, ' ' + each.count)))),
    belowNote(below), await recordsView(resource));
}

/* What is kept for each of many parents has no list of its own here. */
function belowNote(below) {
  return below.length === 0 ? '' : h('p', { class: 'dim' }, 'Kept for each record above them, and changed by requests alone: ', below.map(({ name, path }, index) => [index === 0 ? '' : ', ', name, ' (', h('code', {}, path), ')']), '. ', link(['try'], {}, 'Try it'), ' asks for them.');
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

async function recordsView(resource) {
  const { records, total } = await call('GET', inSession('/resources/' + encode(resource.name) + '/records?limit=1000'));
  const columns = columnsOf(records, resource.identifier);
  const body = h('tbody', {});
  const row = ({ id, record }) => h('tr', {}, columns.map((column, index) => h('td', {}, index === 0 ? h('button', { type: 'button', class: 'plain-link', click: () => guarded(() => recordDialog(resource, id)), 'aria-label': 'Edit ' + id }, id) : cellText(record[column]))), h('td', { class: 'number' }, button('Delete', () => deleteDialog(resource, id), { class: 'quiet', 'aria-label': 'Delete ' + id })));
  const count = h('p', { class: 'dim', role: 'status' });
  const render = () => {
    const fitting = search.value === '' ? records : records.filter(({ id, record }) => matchesWords(id + ' ' + JSON.stringify(record), search.value));
    body.replaceChildren(...fitting.slice(0, 300).map(row));
    count.textContent = (search.value === '' ? countOf(total, 'record') : fitting.length + ' of ' + countOf(total, 'record')) + (fitting.length > 300 ? ', the first 300 shown' : '');
  };
  const search = h('input', { type: 'search', id: 'search', placeholder: 'Search, or press /', 'aria-label': 'Search in ' + resource.name, input: render });
  render();
  const rows = table([...columns, ''], [], 'Records of ' + resource.name);
  rows.querySelector('tbody').replaceWith(body);
  return h('div', {}, h('div', { class: 'filters' }, search, button('Add a record', () => addDialog(resource, records)  , { class: 'primary' })), count, records.length === 0 ? empty('No records yet. Add one here, or by a request.') : rows);
}

/* The record's own text is edited, so that no digit of a number is lost. */
async function recordDialog(resource, id) {
  const text = await callText('GET', inSession('/resources/' + encode(resource.name) + '/records/' + encode(id)));
  editDialog(resource, { title: resource.name + ' ' + id, text: indentJson(text), idOf: () => id });
}

function addDialog(resource, records) {
  const template = records.length === 0 ? {} : structuredClone(JSON.parse(JSON.stringify(records[records.length - 1].record)));
  delete template[resource.identifier];
  const numbers = records.map(({ id }) => id).filter((id) => /^\d{1,15}$/.test(id)).map(Number);
  const field = h('input', { 'aria-label': 'Identifier', value: numbers.length === records.length && numbers.length > 0 ? String(Math.max(...numbers) + 1) : crypto.randomUUID?.() ?? '' });
  editDialog(resource, { title: 'A new record of ' + resource.name, text: JSON.stringify(template, null, 2), idOf: () => field.value, field });
}

function editDialog(resource, { title, text, idOf, field: idField }) {
  const area = h('textarea', { rows: '16', spellcheck: 'false', 'aria-label': 'The record, as JSON', value: text });
  const problems = h('div', { role: 'alert' });
  openDialog(title, (close) => {
    const save = async () => {
      try {
        await call('PUT', inSession('/resources/' + encode(resource.name) + '/records/' + encode(idOf())), area.value);
      } catch (error) {
        if (error.status !== 400 && error.status !== 409) throw error;
        const issues = error.issues.map(({ detail, contract }) => h('li', {}, detail, contract === undefined ? '' : h('small', {}, ' ' + contract)));
        problems.replaceChildren(h('div', { class: 'verdict error' }, badge('error', 'not saved'), h('div', {}, h('b', {}, issues.length === 0 ? error.message : 'The contract does not allow this record.'), issues.length === 0 ? '' : h('ul', {}, issues))));
        return;
      }
      close();
      say('Saved.');
      render();
    };
    return [idField === undefined ? '' : h('label', { class: 'field' }, h('span', {}, resource.identifier), idField), area, problems, h('div', { class: 'actions' }, button('Cancel', close), button('Save', save, { class: 'primary' }))];
  });
}

function deleteDialog(resource, id) {
  confirmed('Delete ' + id + '?', 'The record goes from session ' + session.name + '. A reset brings those of the fixtures back.', async () => {
    await call('DELETE', inSession('/resources/' + encode(resource.name) + '/records/' + encode(id)));
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
