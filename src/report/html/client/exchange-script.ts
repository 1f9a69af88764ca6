/** One exchange: what was asked and what came, its bodies indented, as they came, or byte by byte. */
export const exchangeScript = String.raw`
const longBody = 20000;

function bodyView(body, mediaType) {
  if (body.text === '') return h('p', { class: 'dim' }, 'no body');
  const isText = body.encoding === 'utf8';
  const views = isText ? { pretty: () => (/json/i.test(mediaType) || /^\s*[[{]/.test(body.text) ? indentJson(body.text) : body.text), raw: () => body.text, hex: () => hexView(bytesOf(body)) } : { hex: () => hexView(bytesOf(body)) };
  const pre = h('pre', { class: 'body', tabindex: '0' });
  const buttons = Object.keys(views).map((name) => h('button', { type: 'button', click: () => show(name) }, name));
  const show = (name) => {
    const text = views[name]();
    pre.replaceChildren(visible(text.slice(0, longBody)));
    if (text.length > longBody) pre.append(h('button', { type: 'button', class: 'more', click: () => pre.replaceChildren(visible(text)) }, 'Show all of it (' + countOf(text.length - longBody, 'more character') + ')'));
    buttons.forEach((button) => button.setAttribute('aria-pressed', String(button.textContent === name)));
  };
  show(Object.keys(views)[0]);
  return h('div', {}, h('div', { class: 'switch', role: 'group', 'aria-label': 'How to show the body' }, buttons, isText ? copyButton(body.text, 'the body') : ''), pre, body.cut === undefined ? '' : h('p', { class: 'dim' }, countOf(body.cut, 'byte') + ' more are left out of this report.'));
}

function headerLines(headers) {
  return headers.length === 0 ? '' : h('details', {}, h('summary', {}, countOf(headers.length, 'header field')), h('pre', { class: 'body' }, headers.map(([name, value]) => name + ': ' + value).join('\n')));
}

function mediaTypeOf(headers) {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}

function exchangeView(exchange) {
  const { request, response, fault } = exchange;
  const url = (URL.canParse(exchange.baseUrl) ? new URL(exchange.baseUrl).origin : exchange.baseUrl) + request.target;
  const answer = response === undefined
    ? h('p', {}, badge('error', 'no answer'), ' ')
    : h('p', { class: 'line' }, badge(response.status >= 500 ? 'error' : response.status >= 400 ? 'warning' : 'kept', String(response.status)), ' ' + mediaTypeOf(response.headers) + ' · ' + duration(exchange.durationMs));
  return h('div', { class: 'exchange' },
    h('section', {}, h('h4', {}, 'Request'), h('p', { class: 'line' }, h('b', {}, request.method), ' ' + url), headerLines(request.headers), bodyView(request.body, mediaTypeOf(request.headers))),
    h('section', {}, h('h4', {}, 'Answer'), answer, fault === undefined ? '' : h('p', {}, fault.kind + ': ' + fault.message), response === undefined ? '' : [headerLines(response.headers), bodyView(response.body, mediaTypeOf(response.headers))]));
}
`;
