/** One exchange: what was asked and what came, read easily, as it came, or byte by byte. */
export const exchangeScript = String.raw`
const longBody = 20000;

/* The text with the one place marked at which a finding points, where there is exactly one. */
function marked(text, matter) {
  const at = matter === undefined || matter === '' ? -1 : text.indexOf(matter);
  if (at === -1 || text.indexOf(matter, at + 1) !== -1) return [visible(text)];
  return [visible(text.slice(0, at)), h('mark', {}, matter), visible(text.slice(at + matter.length))];
}

function bodyNote(body) {
  return body.cut === undefined ? '' : h('p', { class: 'dim' }, countOf(body.cut, 'byte') + ' more are left out of this report.');
}

function prettyBody(body, mediaType) {
  if (body.encoding !== 'utf8') return hexView(bytesOf(body));
  return /json/i.test(mediaType) || /^\s*[[{]/.test(body.text) ? indentJson(body.text) : body.text;
}

/* As it came, but for the version of HTTP, which no exchange records. */
function rawMessage(startLine, headers, body) {
  const head = [startLine, ...headers.map(([name, value]) => name + ': ' + value), '', ''].join('\n');
  return head + (body.encoding === 'utf8' ? body.text : '(' + countOf(bytesOf(body).length, 'byte') + ' that are no text: see hex)');
}

/* One message in three ways, of which one is shown. */
function messageView({ startLine, headers, body, matter, name }) {
  const type = headers.find(([field]) => field.toLowerCase() === 'content-type')?.[1] ?? '';
  const views = { pretty: () => prettyBody(body, type), raw: () => rawMessage(startLine, headers, body), hex: () => hexView(bytesOf(body)) };
  const pre = h('pre', { class: 'body', tabindex: '0', role: 'region', 'aria-label': 'The ' + name });
  const fields = headers.length === 0 ? '' : details(countOf(headers.length, 'header field'), h('dl', { class: 'fields' }, headers.map(([field, value]) => [h('dt', {}, field), h('dd', {}, value)])));
  const buttons = Object.keys(views).map((view) => h('button', { type: 'button', click: () => show(view) }, view));
  const show = (view) => {
    const text = views[view]();
    if (fields !== '') fields.hidden = view === 'raw';
    const part = text.slice(0, longBody);
    pre.replaceChildren(...(text === '' ? [h('span', { class: 'dim' }, 'no body')] : view === 'hex' ? [part] : marked(part, view === 'pretty' || view === 'raw' ? matter : undefined)));
    if (text.length > longBody) pre.append(h('button', { type: 'button', class: 'more', click: () => pre.replaceChildren(visible(text)) }, 'Show all of it (' + countOf(text.length - longBody, 'more character') + ')'));
    buttons.forEach((button) => button.setAttribute('aria-pressed', String(button.textContent === view)));
  };
  show('pretty');
  return [fields, h('div', { class: 'switch', role: 'group', 'aria-label': 'How to show the ' + name }, buttons, body.encoding === 'utf8' && body.text !== '' ? copyButton(body.text, 'the body of the ' + name) : ''), pre, bodyNote(body)];
}

function answerView({ response, fault, breaches, durationMs, resent }, matter) {
  const line = response === undefined ? badge('error', 'no answer') : [badge(kindOf(response.status), String(response.status)), ' ' + (response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '')];
  return h('section', {}, h('h3', {}, 'Answer'), h('p', { class: 'line' }, line, ' · ' + duration(durationMs)),
    fault === undefined ? '' : h('p', {}, fault.kind + ': ' + fault.message),
    (breaches ?? []).map(({ kind, message }) => h('p', {}, badge('error', kind), ' ' + message)),
    resent === undefined ? '' : h('p', { class: 'dim' }, 'Sent twice: ' + resent),
    response === undefined ? '' : messageView({ startLine: String(response.status), headers: response.headers, body: response.body, matter, name: 'answer' }));
}

function exchangeView(exchange, matter) {
  const { request, baseUrl } = exchange;
  const url = (URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl) + request.target;
  return h('div', { class: 'exchange' },
    h('section', {}, h('h3', {}, 'Request'), h('p', { class: 'line' }, h('b', {}, request.method), ' ' + url), messageView({ startLine: request.method + ' ' + request.target, headers: request.headers, body: request.body, name: 'request' })),
    answerView(exchange, matter));
}
`;
