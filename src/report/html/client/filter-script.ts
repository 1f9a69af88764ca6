/**
 * Filters and pages of a list. Both stand in the address, so that a view can be passed on as a
 * link.
 */
export const filterScript = String.raw`
const pageLength = 100;

function addressOf(route, filter) {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== undefined && value !== '' && value !== '1')).toString();
  return '#/' + route + (query === '' ? '' : '?' + query);
}

/* The values of one property, and how many items have each: { value: count }. */
function countValues(items, valuesOf) {
  const counts = new Map();
  for (const item of items) for (const value of valuesOf(item)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/* Statuses stand below their class; other values as they came. */
function inOrder(name, counts) {
  const rank = ([value]) => value.replaceAll('x', ' ');
  return name === 'status' ? [...counts].sort((left, right) => (rank(left) < rank(right) ? -1 : 1)) : [...counts];
}

function choice([name, valuesOf, labelOf = (value) => value], items, { filter, change }) {
  const counts = countValues(items, valuesOf);
  if (counts.size < 2 && !filter[name]) return '';
  if (filter[name] && !counts.has(filter[name])) counts.set(filter[name], 0);
  const select = h('select', { 'aria-label': name }, h('option', { value: '' }, 'any ' + name), inOrder(name, counts).map(([value, count]) => h('option', { value, selected: value === filter[name] }, shortened(labelOf(value), 80) + ' (' + count.toLocaleString('en-US') + ')')));
  select.addEventListener('change', () => { filter[name] = select.value; change(); });
  return select;
}

/* A search and a choice for each property of which there is one. Whether an item is wanted is asked of all of them. */
function filterBar(items, facets, { filter, noun, change }) {
  const search = h('input', { type: 'search', id: 'search', placeholder: 'Search   /', 'aria-label': 'Search the ' + noun + 's' });
  search.value = filter.text ?? '';
  search.addEventListener('input', () => { filter.text = search.value; change(); });
  return h('form', { class: 'filters', role: 'search', submit: (event) => event.preventDefault() }, search, facets.map((facet) => choice(facet, items, { filter, change })));
}

function isWanted(item, facets, { filter, textOf }) {
  return facets.every(([name, valuesOf]) => !filter[name] || valuesOf(item).includes(filter[name])) && (!filter.text || matchesWords(textOf(item), filter.text));
}

/* The part of a list that is on the page which the filter names, and the way to the other pages. */
function pageOf(items, { route, filter }) {
  const last = Math.max(1, Math.ceil(items.length / pageLength));
  const page = Math.min(last, Math.max(1, Math.trunc(Number(filter.page)) || 1));
  const from = (page - 1) * pageLength;
  const part = items.slice(from, from + pageLength);
  if (last === 1) return { part, pager: '' };
  const to = (name, number, rel) => (number < 1 || number > last ? h('span', { class: 'dim' }, name) : h('a', { href: addressOf(route, { ...filter, page: String(number) }), rel }, name));
  const told = (from + 1).toLocaleString('en-US') + ' to ' + (from + part.length).toLocaleString('en-US') + ' of ' + items.length.toLocaleString('en-US');
  return { part, pager: h('nav', { class: 'pager', 'aria-label': 'Pages' }, to('« first', page === 1 ? 0 : 1), to('‹ previous', page - 1, 'prev'), h('span', {}, told), to('next ›', page + 1, 'next'), to('last »', page === last ? last + 1 : last)) };
}

/*
 * A list with its filters: { route, noun, items, facets, textOf, filter, make }, where make turns the items of one page into
 * elements. A filter that is changed changes the address, and begins with the first page.
 */
function filteredList(list) {
  const { route, noun, items, facets, textOf, filter, make, more = '' } = list;
  const told = h('p', { class: 'told', role: 'status' });
  const content = h('div', { class: 'list' });
  const clear = h('button', { type: 'button', class: 'clear', click: () => { location.hash = '#/' + route; } }, 'Clear the filters');
  const show = () => {
    const matching = items.filter((item) => isWanted(item, facets, { filter, textOf }));
    const { part, pager } = pageOf(matching, { route, filter });
    const isAll = matching.length === items.length;
    told.replaceChildren((isAll ? countOf(items.length, noun) : countOf(matching.length, noun) + ' of ' + items.length.toLocaleString('en-US')) + more + ' ', ...(isAll ? [] : [clear]));
    content.replaceChildren(...[make(part, matching), pager].flat(3).filter((each) => each !== ''));
  };
  const change = () => {
    delete filter.page;
    history.replaceState(history.state, '', addressOf(route, filter));
    show();
  };
  show();
  return h('section', {}, filterBar(items, facets, { filter, noun, change }), told, content);
}
`;
