/** One exchange: what was asked and what came, read easily, as it came, or byte by byte. */
export const exchangeScript = String.raw`
const longBody = 20000;

/* The places in a text at which a finding points; none where one cannot be told from others. */
function placesOf(text, matter) {
  const places = matter === undefined ? [] : [...text.matchAll(new RegExp(matter.pattern, 'g'))];
  return places.length > 1 && !matter.each ? [] : places;
}

/* The beginning of a text, with those places marked. */
function marked(text, places, end) {
  let at = 0;
  const parts = places.filter((place) => place.index + place[0].length <= end).flatMap((place) => {
    const before = text.slice(at, place.index);
    at = place.index + place[0].length;
    return [visible(before), h('mark', {}, place[0])];
  });
  return [...parts, visible(text.slice(at, end))];
}

/* The first mark is brought to the middle of the text that has a frame of its own; the page stays where it is. */
function showMark(pre) {
  const mark = pre.querySelector('mark');
  if (mark !== null) pre.scrollTop = mark.offsetTop - pre.offsetTop - pre.clientHeight / 2;
}

function bodyNote(body) {
  const binary = body.encoding === 'utf8' ? '' : 'The body is no UTF-8 text, and so it is shown byte by byte. ';
  const cut = body.cut === undefined ? '' : countOf(body.cut, 'byte') + ' more are left out of this report; --reporter blob keeps every byte.';
  return binary + cut === '' ? '' : h('p', { class: 'dim' }, binary + cut);
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
  const pre = h('pre', { class: 'body', tabindex: '0', role: 'group', 'aria-label': 'The ' + name });
  const fields = headers.length === 0 ? '' : details(countOf(headers.length, 'header field'), h('dl', { class: 'fields' }, headers.map(([field, value]) => [h('dt', {}, field), h('dd', {}, value)])));
  const buttons = Object.keys(views).map((view) => h('button', { type: 'button', click: () => show(view) }, view));
  const show = (view, isWhole = false) => {
    const text = views[view]();
    const places = view === 'hex' ? [] : placesOf(text, matter);
    const end = isWhole ? text.length : Math.min(text.length, Math.max(longBody, (places[0]?.index ?? 0) + longBody / 10));
    if (fields !== '') fields.hidden = view === 'raw';
    pre.replaceChildren(...(text === '' ? [h('span', { class: 'dim' }, 'no body')] : marked(text, places, end)));
    if (end < text.length) pre.append(h('button', { type: 'button', class: 'more', click: () => { show(view, true); pre.focus(); } }, 'Show all of it (' + countOf(text.length - end, 'more character') + ')'));
    buttons.forEach((button) => button.setAttribute('aria-pressed', String(button.textContent === view)));
    if (!isWhole) showMark(pre);
  };
  show('pretty');
  const copy = body.encoding === 'utf8' && body.text !== '' ? copyButton(body.text, (body.cut === undefined ? 'the body of the ' : 'this part of the body of the ') + name) : '';
  return [fields, h('div', { class: 'switch', role: 'group', 'aria-label': 'How to show the ' + name }, buttons, copy), pre, bodyNote(body)];
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
