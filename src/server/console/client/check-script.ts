/** The view in which a server is checked against the contract. */
export const checkScript = String.raw`
let running;

function checkView() {
  const targets = facts.services.filter(({ kind }) => kind === 'target');
  const which = choice([...targets.map(({ name, url, itself }) => [name, name + ' (' + (itself ? 'this mock itself' : url) + ')']), ['', 'another one on this machine']], targets.find(({ itself }) => !itself)?.name ?? '', () => show());
  const url = h('input', { type: 'url', placeholder: 'http://127.0.0.1:8080/v1', spellcheck: 'false', autocomplete: 'off' });
  const mode = choice([['read-only', 'read-only: GET, HEAD and OPTIONS alone'], ['read-write', 'read-write: also creates records, and deletes them']], 'read-only', () => show());
  const urlField = field('Base URL', url, 'of this machine; others are named in vouch.config.yaml');
  const command = h('code', {});
  const outcome = h('div', { class: 'outcome' });
  const line = () => 'npx vouch check ' + (which.value === '' ? shellQuote(url.value || 'URL') + ' ' + shellQuote(facts.contract) : /^[\w.-]+$/.test(which.value) ? which.value : shellQuote(which.value)) + ' --mode ' + mode.value;
  const show = () => { urlField.hidden = which.value !== ''; command.textContent = line(); };
  url.addEventListener('input', show);
  show();
  leaving(() => running?.abort());
  const start = () => runCheck({ ...(which.value === '' ? { url: url.value } : { target: which.value }), mode: mode.value }, outcome);
  return h('section', {}, h('div', { class: 'head' }, h('h1', {}, 'Check a server'), h('p', { class: 'dim' }, 'Does it keep the contract?')),
    h('form', { class: 'card', submit: (event) => { event.preventDefault(); guarded(start); } }, field('Server', which, 'its token is read where the mock was started: from the variable that its auth names, or from VOUCH_TOKEN'), urlField, field('May', mode),
      h('p', { class: 'dim' }, 'The same on the command line: ', command, ' ', button('Copy', () => copyText(line(), 'the command'), { class: 'quiet', 'aria-label': 'Copy the command' })),
      facts.checks ? h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'primary' }, 'Check')) : h('p', { class: 'dim' }, 'This mock was started without what checks servers: use the command.')),
    outcome);
}

async function runCheck(wish, outcome) {
  running?.abort();
  const mine = new AbortController();
  running = mine;
  const bar = h('progress', { max: '100', 'aria-label': 'Progress of the check' });
  const told = h('p', { class: 'dim', role: 'status' }, 'Planning…');
  const stop = button('Stop', () => { mine.abort(); told.textContent = 'Stopped. What was created is cleaned up.'; });
  const findings = h('div', { class: 'findings' });
  outcome.replaceChildren(h('div', { class: 'running' }, bar, stop), told, findings);
  let planned = 0;
  const tell = (line) => {
    const news = line === '' ? {} : readJson(line);
    if (news.type === 'planned') { planned = news.requests; bar.max = Math.max(1, planned); bar.value = 0; }
    else if (news.type === 'progress') { bar.value = Math.min(news.done, bar.max); told.textContent = news.done + ' of about ' + countOf(planned, 'request'); }
    else if (news.type === 'finding') findings.append(findingView(news.finding));
    else if (news.type === 'failed') outcome.replaceChildren(h('p', { class: 'verdict error' }, news.message + ' ' + news.hint));
    else if (news.type === 'finished') { bar.parentNode.remove(); told.replaceWith(h('div', { class: 'verdict ' + (news.verdict === 'passed' ? 'kept' : news.verdict === 'failed' ? 'error' : 'warning'), role: 'status' }, badge(news.verdict === 'passed' ? 'kept' : news.verdict === 'failed' ? 'error' : 'warning', news.verdict), h('div', {}, h('b', {}, news.reason), h('p', {}, countOf(news.requests, 'request'))))); }
  };
  try {
    const response = await send('POST', '/check', wish, { signal: mine.signal });
    if (!response.ok) throw await refusal(response);
    await readParts(response, '\n', tell);
  } catch (error) {
    if (mine.signal.aborted) return;
    outcome.replaceChildren();
    throw error;
  }
}

function findingView({ severity, operation, message, expected, actual, place, frame, curl, check }) {
  return h('details', { class: 'finding ' + severity }, h('summary', {}, badge(severity, severity), ' ', h('b', {}, operation), ' ', message),
    h('dl', {}, h('dt', {}, 'expected'), h('dd', {}, expected), h('dt', {}, 'actual'), h('dd', {}, actual), h('dt', {}, 'check'), h('dd', {}, check), h('dt', {}, 'contract'), h('dd', {}, place)),
    h('pre', { tabindex: '0', class: 'frame' }, frame), curl.length === 0 ? '' : [h('pre', { tabindex: '0' }, curl.join('\n')), button('Copy as curl', () => copyText(curl.join('\n'), 'the commands'))]);
}
`;
