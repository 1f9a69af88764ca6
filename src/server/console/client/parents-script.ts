/** What records stand below: the choice of a record above, and the way down from one. */
export const parentsScript = String.raw`
const mostChoices = 200;

function placeQuery(parents) {
  return parents.length === 0 ? '' : '?parent=' + encode(parents.map(encode).join('/'));
}

function recordsPath(resource, parents, id) {
  return inSession('/resources/' + encode(resource.name) + '/records' + (id === undefined ? '' : '/' + encode(id)) + placeQuery(parents));
}

/* A record above is known by more than its number, where it has a name; a long identifier comes last, for it may be cut off. */
function parentLabel({ id, record }) {
  const told = ['name', 'title', 'label', 'email', 'summary'].map((name) => record[name]).find((value) => typeof value === 'string' && value !== '' && value !== id);
  const name = told?.length > 40 ? told.slice(0, 40) + '…' : told;
  return name === undefined ? id : id.length > 12 ? name + ' · ' + id : id + ' · ' + name;
}

async function choicesAbove(parent, parents, resources) {
  const above = resources.find(({ name }) => name === parent.resource);
  if (above === undefined) return undefined;
  const { records, total } = await call('GET', recordsPath(above, parents.slice(0, above.parents.length)) + '&limit=' + mostChoices);
  return total > mostChoices ? undefined : records.map((each) => [each.id, parentLabel(each)]);
}

/* One field for each record above: those that there are to choose from, or a text where they are many or nobody knows them. */
async function parentFields(resource, chosen, { resources, any, change }) {
  const fields = [];
  for (const [index, parent] of resource.parents.entries()) {
    const above = chosen.slice(0, index);
    if (above.length < index) break;
    const set = (value) => change(value === '' ? above : [...above, value]);
    const choices = await choicesAbove(parent, above, resources).catch(() => undefined);
    const value = chosen[index] ?? '';
    const known = choices === undefined || value === '' || choices.some(([id]) => id === value) ? choices : [...choices, [value, value]];
    const input = known === undefined
      ? h('input', { value, spellcheck: 'false', autocomplete: 'off', placeholder: any, change: () => set(input.value.trim()) })
      : choice([['', known.length === 0 ? 'there is none' : any], ...known], value, set);
    fields.push(field(parent.parameter, input));
  }
  return fields;
}

/* The kinds that stand below one kind of record, directly. */
function kindsBelow(resource, resources) {
  return resources.filter(({ parents }) => parents.length === resource.parents.length + 1 && parents.at(-1).resource === resource.name);
}

function linksBelow(resource, parents, resources) {
  return kindsBelow(resource, resources).map(({ name }) => link(['state', name, ...parents], { class: 'below', 'aria-label': name + ' of ' + parents.at(-1) }, name.split('.').at(-1)));
}
`;
