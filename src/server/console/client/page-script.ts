/**
 * How the console makes its elements. Text only ever becomes text nodes: nothing that anybody sent
 * is read as HTML.
 */
export const pageScript = String.raw`
function h(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else if (name === 'value') node.value = value;
    else if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value === true ? '' : String(value).toWellFormed());
  }
  node.append(...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false && child !== '').map((child) => (child instanceof Node ? child : visible(child))));
  return node;
}

function badge(kind, text, title) {
  return h('span', { class: 'badge ' + kind, title }, text);
}

function encode(text) {
  return encodeURIComponent(String(text).toWellFormed());
}

function link(route, attributes, ...children) {
  return h('a', { ...attributes, href: '#/' + route.map(encode).join('/') }, ...children);
}

function button(text, act, attributes = {}) {
  return h('button', { type: 'button', ...attributes, click: () => guarded(act) }, text);
}

function field(label, control, hint) {
  return h('label', { class: 'field' }, h('span', {}, label), control, hint === undefined ? '' : h('small', {}, hint));
}

function choice(options, chosen, change, attributes = {}) {
  const select = h('select', { ...attributes, change: () => change(select.value) }, options.map(([value, text]) => h('option', { value, selected: value === chosen }, text)));
  select.value = chosen;
  return select;
}

function table(heads, rows, caption, numbers = []) {
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, h('table', {}, h('thead', {}, h('tr', {}, heads.map((head) => h('th', { scope: 'col', class: numbers.includes(head) ? 'number' : undefined }, head === '' ? h('span', { class: 'aside' }, 'Actions') : head)))), h('tbody', {}, rows)));
}

function empty(...children) {
  return h('div', { class: 'empty' }, ...children);
}

/* Says what came of something, for the eye and for a screen reader, and goes away by itself. */
const toasts = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });
function say(text, kind = 'kept') {
  const toast = h('div', { class: 'toast ' + kind }, text);
  toasts.append(toast);
  setTimeout(() => toast.remove(), kind === 'error' ? 8000 : 2500);
}

async function guarded(act) {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Locked)) say(error.message, 'error');
  }
}

async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h('textarea', { class: 'aside', 'aria-hidden': 'true', value: text });
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  say('Copied ' + what + '.');
}

/* A dialog that is gone when it is closed. The browser keeps the focus within, and Escape closes it. */
function openDialog(title, make) {
  const dialog = h('dialog', { 'aria-label': title, close: () => dialog.remove() });
  dialog.append(h('h2', {}, title), ...make(() => dialog.close()));
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function confirmed(title, text, act, verb) {
  openDialog(title, (close) => [h('p', {}, text), h('div', { class: 'actions' }, button('Cancel', close), button(verb, async () => { await act(); close(); }, { class: 'danger' }))]);
}
`;
