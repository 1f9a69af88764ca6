/** How the page makes its elements. Text only ever becomes text nodes: nothing that a server sent is read as HTML. */
export const pageScript = String.raw`
function h(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : String(value).toWellFormed());
  }
  node.append(...children.flat(3).filter((child) => child !== undefined && child !== false && child !== '').map((child) => (child instanceof Node ? child : visible(child))));
  return node;
}

function badge(kind, text) {
  return h('span', { class: 'badge ' + kind }, text);
}

/* A lone surrogate has no percent-encoding. */
function encode(text) {
  return encodeURIComponent(text.toWellFormed());
}

function link(route, ...children) {
  return h('a', { href: '#/' + route.map(encode).join('/') }, ...children);
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    /* Not every browser lets a file write to the clipboard in the new way. */
    const area = h('textarea', { class: 'aside', 'aria-hidden': 'true' });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

function copyButton(text, what) {
  const button = h('button', { type: 'button', class: 'copy', 'aria-label': 'Copy ' + what }, 'Copy');
  button.addEventListener('click', async () => {
    await copyText(text);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  return button;
}

/* Shows a long list bit by bit: the next part is made when its end comes into view. */
function lazyList(container, items, make, step) {
  let shown = 0;
  const rest = h('button', { type: 'button', class: 'more' });
  const more = () => {
    const part = items.slice(shown, shown + step).map(make);
    shown += part.length;
    rest.remove();
    container.append(...part);
    if (shown < items.length) {
      rest.textContent = 'Show more (' + countOf(items.length - shown, 'more row') + ')';
      (container.closest('.scroll') ?? container).after(rest);
    }
  };
  rest.addEventListener('click', more);
  more();
  if (shown < items.length && 'IntersectionObserver' in window) new IntersectionObserver((seen) => { if (seen.some((entry) => entry.isIntersecting) && rest.isConnected) more(); }).observe(rest);
}

function table(heads, rows) {
  return h('div', { class: 'scroll' }, h('table', {}, h('thead', {}, h('tr', {}, heads.map((head) => h('th', { scope: 'col' }, head)))), h('tbody', {}, rows)));
}
`;
