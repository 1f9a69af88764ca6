/** One exchange: request and answer, pretty and raw, and what can be made of them. */
export const exchangeScript = String.raw`
function bodyView(message) {
  const { body, bytes, truncated } = message;
  if (body === null || body === undefined) return h('p', { class: 'dim' }, 'No body.');
  if (body.base64 !== undefined) return [h('p', { class: 'dim' }, countOf(bytes, 'byte') + ', no text. In base64:'), h('pre', { tabindex: '0' }, body.base64)];
  const pretty = prettyBody(body.text);
  const pre = h('pre', { tabindex: '0' }, visible(pretty));
  const cut = truncated ? h('p', { class: 'dim' }, 'Only the beginning of ' + countOf(bytes, 'byte') + ' was kept.') : '';
  if (pretty === body.text) return [pre, cut];
  const names = { pretty, raw: body.text };
  const buttons = Object.keys(names).map((name) => button(name, () => {
    pre.textContent = visible(names[name]);
    for (const each of buttons) each.setAttribute('aria-pressed', String(each.textContent === name));
  }, { 'aria-pressed': String(name === 'pretty') }));
  return [h('div', { class: 'switch' }, buttons), pre, cut];
}

function headerList(headers) {
  return headers.length === 0 ? h('p', { class: 'dim' }, 'No headers.') : h('dl', { class: 'headers' }, headers.map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
}

function messageView(title, message) {
  return h('section', {}, h('h3', {}, title), bodyView(message), h('details', {}, h('summary', {}, countOf(message.headers.length, 'header')), headerList(message.headers)));
}

const unsent = /^(host|content-length|connection|accept-encoding|user-agent|accept|accept-language|sec-.*|origin|referer)$/i;

/* Secrets are taken out of the journal; the shell fills them in again. */
function curlOf({ method, target, request }) {
  const words = ['curl', ...(method === 'GET' ? [] : ['-X ' + method])];
  for (const [name, value] of request.headers) {
    if (unsent.test(name)) continue;
    words.push(value.includes('[redacted]') ? '-H "' + name + ': ' + (/^authorization$/i.test(name) ? 'Bearer ' : '') + '$VOUCH_TOKEN"' : '-H ' + shellQuote(name + ': ' + value));
  }
  if (request.body?.text !== undefined) words.push('--data-raw ' + shellQuote(request.body.text));
  return [...words, shellQuote(mockOrigin() + target)].join(' ');
}

function judgementView({ judgement, reason, scenario, status }) {
  const [kind, word] = judgements[judgement];
  const told = { valid: 'The request keeps the contract.', invalid: 'The request does not keep the contract.', refused: 'The request keeps the contract; what it asks for cannot be had now.', unknown: scenario === null ? 'Nobody judged the request.' : 'The scenario ' + scenario + ' answered with ' + status + '.' };
  return h('div', { class: 'verdict ' + kind }, badge(kind, word), h('div', {}, h('b', {}, told[judgement]), reason === null ? '' : h('p', {}, reason)));
}

function nearView({ near }) {
  return near === null ? '' : h('div', { class: 'verdict note' }, badge('note', 'nearly ' + near.name), h('div', {}, near.message, near.kind === 'operation' && !near.name.startsWith('/') ? [' ', link(['try', near.name], {}, 'Try it'), '.'] : ''));
}

async function fillDetail(detail, id) {
  let entry;
  try {
    entry = await call('GET', '/traffic/' + id);
  } catch (error) {
    if (error.status !== 404) throw error;
    detail.replaceChildren(empty(error.message));
    return;
  }
  detail.replaceChildren(
    h('div', { class: 'head' }, h('h2', {}, h('span', { class: 'method m-' + entry.method.toLowerCase() }, entry.method), ' ', h('span', { class: 'target' }, entry.target)), link(['traffic'], { class: 'close', 'aria-label': 'Close the exchange' }, '×')),
    h('p', { class: 'facts' }, statusMark(entry.status), ' ', duration(entry.durationMs), ' · ', timeOf(entry.at), entry.operation === null ? '' : [' · ', link(['try', entry.operation], {}, entry.operation)], entry.session === null ? '' : ' · session ' + entry.session, entry.scenario === null ? '' : ' · scenario ' + entry.scenario, entry.fault === null ? '' : ' · ' + entry.fault + ' on the wire', entry.callbacks === 0 ? '' : ' · ' + countOf(entry.callbacks, 'callback')),
    judgementView(entry), nearView(entry),
    h('div', { class: 'actions' }, button('Copy as curl', () => copyText(curlOf(entry), 'a curl command')), entry.operation === null ? '' : button('Copy as scenario', async () => { const { yaml } = await call('GET', '/traffic/' + id + '/scenario'); await copyText(yaml, 'a scenario'); }), entry.operation === null ? '' : button('Claim…', () => verifyDialog(entry))),
    messageView('Request', entry.request), messageView('Answer', entry.response));
}

/* Whether something happened, and if not, what came nearest. */
function verifyDialog(entry) {
  const wish = entry === undefined ? {} : { operation: entry.operation ?? undefined, status: entry.status, count: 1 };
  const area = h('textarea', { rows: '8', spellcheck: 'false', 'aria-label': 'The claim, as JSON', value: JSON.stringify(Object.keys(wish).length === 0 ? { operation: facts.operations[0]?.id, atLeast: 1 } : wish, null, 2) });
  const outcome = h('div', { 'aria-live': 'polite' });
  const verify = async () => {
    try {
      const { count } = await call('POST', '/verify', area.value);
      outcome.replaceChildren(h('div', { class: 'verdict kept' }, badge('kept', 'held'), h('b', {}, 'It happened ' + countOf(count, 'time') + '.')));
    } catch (error) {
      if (error.status !== 409) throw error;
      outcome.replaceChildren(h('div', { class: 'verdict error' }, badge('error', 'refuted'), h('b', {}, error.message)), h('div', {}, missView(error.problem)));
    }
  };
  openDialog('Did it happen?', (close) => [h('p', { class: 'dim' }, 'A claim names an operation, method, path, status, query, headers or body, and count, atLeast or atMost: what a test would verify.'), area, outcome, h('div', { class: 'actions' }, button('Close', close), button('Verify', verify, { class: 'primary' }))]);
}

function missView({ nearMisses = [] }) {
  if (nearMisses.length === 0) return h('p', { class: 'dim' }, 'Nothing came near it.');
  return [h('h3', {}, 'What came nearest'), h('ul', { class: 'plain misses' }, nearMisses.map(({ exchange, failed }) => h('li', {}, h('code', {}, exchange.method + ' ' + exchange.target + ' ' + exchange.status), h('ul', {}, failed.map(({ message }) => h('li', {}, message))))))];
}
`;
