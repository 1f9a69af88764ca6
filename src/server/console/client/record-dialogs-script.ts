import { onlyRecord } from '../../../mock/records/find-record.ts';

/** How a record is edited, added and deleted. */
export const recordDialogsScript = String.raw`
/* The id by which the one record of a singleton goes here. */
const onlyId = '${onlyRecord}';

function titleOfRecord({ kind, name }, { id, parents }) {
  return kind === 'singleton' ? [name, ...(parents.length === 0 ? [] : ['below', parents.join(' / ')])].join(' ') : [name, ...parents, id].join(' ');
}

/* The record's own text is edited, so that no digit of a number is lost. */
async function recordDialog(resource, { id, parents }) {
  const text = await callText('GET', recordsPath(resource, parents, id));
  editDialog({ title: 'Edit ' + titleOfRecord(resource, { id, parents }), text: indentJson(text), pathOf: () => recordsPath(resource, parents, id) });
}

/* What the last record says, but for what only its place says; where there is none, what a request would say. */
async function templateOf({ resource }, records) {
  const template = records.length === 0 ? await exampleOf(resource) : readJson(JSON.stringify(records[records.length - 1].record));
  delete template[resource.identifier];
  for (const { field: held } of resource.parents) {
    const names = (held ?? '').split('.');
    const holder = names.slice(0, -1).reduce((inner, each) => inner?.[each], template);
    if (held !== null && typeof holder === 'object' && holder !== null) delete holder[names.at(-1)];
  }
  return template;
}

/* The body with which the contract adds a record of this kind, or changes the only one. */
async function exampleOf({ kind, path }) {
  const own = (method) => facts.operations.find((each) => each.path === path && each.method === method);
  const operation = kind === 'singleton' ? own('PUT') ?? own('PATCH') : own('POST');
  const { body } = operation === undefined ? { body: null } : await call('GET', '/operations/' + encode(operation.id));
  if (body === null || !/json/i.test(body.mediaType)) return {};
  const example = readJson(body.text);
  return typeof example === 'object' && example !== null && !Array.isArray(example) ? example : {};
}

function nextIdentifier({ identifierType }, records) {
  const numbers = records.map(({ id }) => id).filter((id) => /^\d{1,15}$/.test(id)).map(Number);
  const counted = identifierType === 'integer' || (numbers.length === records.length && numbers.length > 0);
  return counted ? String(Math.max(0, ...numbers) + 1) : crypto.randomUUID?.() ?? '';
}

async function addDialog(here, records) {
  const { resource, resources } = here;
  const isOne = resource.kind === 'singleton';
  const id = h('input', { value: isOne ? onlyId : nextIdentifier(resource, records) });
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
  const text = JSON.stringify(await templateOf(here, records), null, 2);
  const missing = () => (parents.length < resource.parents.length ? 'Choose ' + resource.parents[parents.length].parameter + ' first: the record stands below one.' : undefined);
  editDialog({ title: 'A new record of ' + resource.name, text, missing, fields: [above, isOne ? '' : field(resource.identifier, id)], pathOf: () => recordsPath(resource, parents, id.value), onlyNew: true });
}

function notSaved(why, issues = []) {
  return h('div', { class: 'verdict error' }, badge('error', 'not saved'), h('div', {}, h('b', {}, why), issues.length === 0 ? '' : h('ul', {}, issues)));
}

function editDialog({ title, text, pathOf, missing = () => undefined, fields = [], onlyNew = false }) {
  const area = h('textarea', { rows: '16', spellcheck: 'false', 'aria-label': 'The record, as JSON', value: text });
  const problems = h('div', { role: 'alert' });
  const dialog = openDialog(title, (close) => {
    const save = async () => {
      const needed = missing();
      if (needed !== undefined) return problems.replaceChildren(notSaved(needed));
      try {
        await call('PUT', pathOf(), area.value, onlyNew ? { 'If-None-Match': '*' } : {});
      } catch (error) {
        if (![400, 404, 409, 412].includes(error.status)) throw error;
        const issues = error.issues.map(({ detail, contract }) => h('li', {}, detail, contract === undefined ? '' : h('small', {}, ' ' + contract)));
        problems.replaceChildren(notSaved(issues.length === 0 ? error.message : 'The contract does not allow this record.', issues));
        return;
      }
      close();
      say('Saved.');
      render();
    };
    return [fields, area, problems, h('div', { class: 'actions' }, button('Cancel', close), button('Save', save, { class: 'primary' }))].flat();
  });
  let warned = text;
  dialog.addEventListener('cancel', (event) => {
    if (area.value === text || area.value === warned) return;
    event.preventDefault();
    warned = area.value;
    problems.replaceChildren(notSaved('This is not saved. Press Esc once more to leave it.'));
  });
}

function deleteDialog(resource, { id, parents }) {
  confirmed('Delete ' + (resource.kind === 'singleton' ? titleOfRecord(resource, { id, parents }) : [...parents, id].join(' / ')) + '?', 'The record goes from session ' + session.name + '. A reset brings back what the session began with.', async () => {
    await call('DELETE', recordsPath(resource, parents, id));
    say('Deleted.');
    render();
  }, 'Delete');
}
`;
