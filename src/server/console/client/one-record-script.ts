/** The one record of a singleton: shown field by field, and the way to change it. */
export const oneRecordScript = String.raw`
async function oneRecordView(here, choices) {
  const { resource, resources, parents } = here;
  const { records } = await call('GET', recordsPath(resource, parents));
  const bar = choices.length === 0 ? '' : h('div', { class: 'filters' }, choices);
  const told = h('p', { class: 'dim' }, placeOfOne(resource, resources));
  const add = button('Add it', () => addDialog(here, records), { class: 'primary' });
  return h('div', {}, told, bar, records.length === 0 ? empty(h('p', {}, 'There is none now: whoever asks for it is told so.'), add) : oneRecordCard(resource, records[0]));
}

function placeOfOne({ path, parents }, resources) {
  const above = parents.at(-1);
  const each = above === undefined ? '' : resources.some(({ name }) => name === above.resource) ? ' for each record of ' + above.resource : ' for each ' + above.parameter;
  return ['One record' + each + ', at ', h('code', {}, path), '.'];
}

function oneRecordCard(resource, stored) {
  const name = titleOfRecord(resource, stored);
  const fields = Object.entries(stored.record);
  const actions = [resource.removable ? button('Delete', () => deleteDialog(resource, stored), { class: 'quiet', 'aria-label': 'Delete ' + name }) : '', button('Edit', () => recordDialog(resource, stored), { class: 'primary', 'aria-label': 'Edit ' + name })];
  return h('section', { class: 'card one', 'aria-label': name }, h('div', { class: 'head' }, h('h2', {}, name), h('div', { class: 'actions' }, actions)),
    fields.length === 0 ? h('p', { class: 'dim' }, 'It has no fields.') : h('dl', {}, fields.map(([field, value]) => [h('dt', {}, field), h('dd', {}, valueView(value))])));
}

/* What is deep is shown as the JSON that it is; numbers keep every digit. */
function valueView(value) {
  if (value === '') return h('span', { class: 'dim' }, 'an empty text');
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value);
  return h('code', {}, text.length > 30 ? indentJson(text) : text);
}
`;
