/** The view in which a person asks an operation, of the mock and of others side by side. */
export const tryScript = String.raw`
const ours = { name: 'mock', kind: 'mock', url: '' };

async function tryView(route) {
  const id = route.words[1] ?? facts.operations[0]?.id;
  if (id === undefined) return h('section', {}, empty('The contract has no operations.'));
  const pick = choice(facts.operations.map((each) => [each.id, each.method + ' ' + each.path + (each.summary === '' ? '' : ': ' + each.summary)]), id, (value) => { location.hash = '#/try/' + encode(value); }, { 'aria-label': 'Operation', id: 'search' });
  const head = h('div', { class: 'head' }, h('h1', {}, 'Try it'), pick);
  if (!facts.operations.some((each) => each.id === id)) return h('section', {}, head, empty('The contract has no operation ' + id + '.'));
  return h('section', {}, head, tryForm(await call('GET', '/operations/' + encode(id))));
}

function tryForm(operation) {
  const inputs = operation.parameters.map((parameter) => ({ parameter, input: h('input', { value: parameter.required || parameter.in === 'path' ? parameter.value : '', placeholder: parameter.value, spellcheck: 'false', autocomplete: 'off' }) }));
  const body = operation.body === null ? undefined : h('textarea', { rows: '10', spellcheck: 'false', 'aria-label': 'Body, as ' + operation.body.mediaType, value: prettyBody(operation.body.text) });
  const key = choice([['', operation.secured ? 'none: see what a stranger gets' : 'none'], ...facts.keys.map((each) => [each, each])], operation.secured ? facts.keys[0] ?? '' : '', () => undefined);
  const others = facts.services.filter(({ itself }) => !itself);
  const where = others.map((service) => ({ service, box: h('input', { type: 'checkbox', checked: service.kind === 'prism', 'aria-label': 'Ask ' + service.name + ' too' }) }));
  const answers = h('div', { class: 'answers', 'aria-live': 'polite' }, empty('The answer stands here' + (others.length === 0 ? '.' : ', and beside it that of whoever else is asked.')));
  const asked = () => [ours, ...where.filter(({ box }) => box.checked).map(({ service }) => service)];
  const wish = (service) => ({ operation: operation.id, service: service.name, key: key.value === '' ? null : key.value, parameters: inputs.map(({ parameter, input }) => ({ in: parameter.in, name: parameter.name, value: input.value })), headers: session.name === 'default' || service !== ours ? [] : [['Vouch-Session', session.name]], body: body === undefined || body.value === '' ? null : body.value, mediaType: operation.body?.mediaType ?? null });
  const submit = async () => {
    const cards = asked().map((service) => ({ service, card: h('article', { class: 'card answer' }, h('h2', {}, titleOf(service)), h('p', { class: 'dim' }, 'Waiting…')) }));
    answers.replaceChildren(...cards.map(({ card }) => card));
    await Promise.all(cards.map(async ({ service, card }) => {
      try {
        card.replaceChildren(h('div', {}, answerCard(service, await call('POST', '/try', wish(service)))));
      } catch (error) {
        card.replaceChildren(h('h2', {}, titleOf(service)), h('p', { class: 'verdict error' }, error.message));
      }
    }));
  };
  return h('div', { class: 'columns try' },
    h('form', { class: 'card', submit: (event) => { event.preventDefault(); guarded(submit); } },
      h('p', { class: 'line' }, h('span', { class: 'method m-' + operation.method.toLowerCase() }, operation.method), ' ', operation.base + operation.path, operation.deprecated ? [' ', badge('warning', 'deprecated')] : ''),
      inputs.map(({ parameter, input }) => field(parameter.name + (parameter.required ? ' *' : ''), input, parameter.in)),
      body === undefined ? '' : field('Body', body, operation.body.mediaType),
      field('Key', key),
      where.length === 0 ? h('p', { class: 'dim' }, 'Start with --prism, or name targets in vouch.config.yaml, to see other answers beside this one.') : h('fieldset', {}, h('legend', {}, 'Ask also'), where.map(({ service, box }) => h('label', { class: 'check' }, box, ' ', titleOf(service), h('small', {}, ' ' + service.url)))),
      h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'primary' }, 'Send'))),
    answers);
}

function titleOf({ kind, name }) {
  return kind === 'mock' ? 'This mock' : kind === 'prism' ? 'Prism' : name;
}

function answerCard(service, { status, headers = [], body, bytes = 0, durationMs, delayMs = 0, fault, problem }) {
  if (problem !== undefined) return [h('h2', {}, titleOf(service)), h('p', { class: 'verdict error' }, problem)];
  return [h('h2', {}, titleOf(service)), h('p', { class: 'facts' }, statusMark(status), ' ', duration(durationMs), delayMs > 0 ? ' · would wait ' + duration(delayMs) : '', fault === null || fault === undefined ? '' : [' · ', badge('error', fault + ' on the wire')]),
    bodyView({ body, bytes, truncated: false }), h('details', {}, h('summary', {}, countOf(headers.length, 'header')), headerList(headers))];
}
`;
