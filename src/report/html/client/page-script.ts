/**
 * How the page makes its elements. Text only ever becomes text nodes: nothing that a server sent is
 * read as HTML.
 */
export const pageScript = String.raw`
function put(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : String(value).toWellFormed());
  }
  node.append(...children.flat(4).filter((child) => child !== undefined && child !== false && child !== '').map((child) => (child instanceof Node ? child : visible(child))));
  return node;
}

function h(tag, attributes, ...children) {
  return put(document.createElement(tag), attributes, children);
}

/* The same for drawings. */
function s(tag, attributes, ...children) {
  return put(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function badge(kind, text) {
  return h('span', { class: 'badge ' + kind }, text);
}

function fact(name, ...content) {
  return content.every((part) => part === '' || part === undefined) ? '' : [h('dt', {}, name), h('dd', {}, ...content)];
}

/* What is long is told whole in one place, and in short elsewhere. */
function shortened(text, most) {
  return text.length <= most ? text : text.slice(0, most - 1) + '…';
}

/* A lone surrogate has no percent-encoding. */
function encode(text) {
  return encodeURIComponent(text.toWellFormed());
}

function link(route, ...children) {
  return h('a', { href: '#/' + route.map(encode).join('/') }, ...children);
}

function empty(...content) {
  return h('p', { class: 'empty' }, ...content);
}

function details(title, ...content) {
  return h('details', {}, h('summary', {}, title), ...content);
}

let tables = 0;

/*
 * A wide table is scrolled in its own frame, never the page; so the frame can be reached with the keyboard. The head of a
 * column stands as its cells do.
 */
function table(caption, heads, rows) {
  const id = 'table-' + (tables += 1);
  const kindOfColumn = (index) => (rows[0]?.children[index]?.classList.contains('number') ? 'number' : undefined);
  return h('div', { class: 'scroll', role: 'group', tabindex: '0', 'aria-labelledby': id }, h('table', {}, h('caption', { id, class: 'unseen' }, caption), h('thead', {}, h('tr', {}, heads.map((head, index) => h('th', { scope: 'col', class: kindOfColumn(index) }, head)))), h('tbody', {}, rows)));
}
`;
