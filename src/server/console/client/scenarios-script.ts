/** The views of what steers the mock: scenarios, faults and the clock; and of sessions. */
export const scenariosScript = String.raw`
async function scenariosView() {
  const [{ scenarios }, faults, clock] = await Promise.all([call('GET', inSession('/scenarios')), call('GET', '/faults'), call('GET', '/clock')]);
  return h('section', {}, h('div', { class: 'head' }, h('h1', {}, 'Scenarios'), h('p', { class: 'dim' }, 'Session ' + session.name)),
    h('div', { class: 'columns' },
      h('div', {}, scenarios.length === 0 ? empty('No scenario yet. A scenario is a YAML file that scripts answers; “Copy as scenario” of an exchange writes one. Put it into the folder that mock.scenarios names in vouch.config.yaml.') : h('ul', { class: 'plain rows' }, scenarios.map(scenarioRow))),
      h('div', {}, faultsCard(faults), clockCard(clock))));
}

function scenarioRow({ name, description, active }) {
  const control = h('input', { type: 'checkbox', role: 'switch', id: 'scenario-' + name, checked: active, change: () => guarded(async () => {
    try {
      await call('POST', '/scenarios/' + encode(name), { active: control.checked, session: session.name });
      say(name + (control.checked ? ' is on.' : ' is off.'));
    } catch (error) {
      control.checked = !control.checked;
      throw error;
    }
  }) });
  return h('li', { class: 'scenario' }, control, h('label', { for: 'scenario-' + name }, h('b', {}, name), h('span', { class: 'dim' }, description)));
}

const faultKinds = [['', 'None'], ['reset', 'reset: the connection is reset'], ['empty', 'empty: it closes without a byte'], ['garbage', 'garbage: bytes that are no HTTP'], ['hang', 'hang: no byte for a minute'], ['truncated', 'truncated: half of the body'], ['truncated-chunks', 'truncated-chunks: no last chunk'], ['malformed-chunk', 'malformed-chunk: a chunk without a size'], ['wrong-length', 'wrong-length: Content-Length is off by one'], ['dribble', 'dribble: a byte at a time']];
const shares = [['1', 'every answer'], ['0.5', 'one in two'], ['0.2', 'one in five'], ['0.1', 'one in ten'], ['0.01', 'one in a hundred']];

function faultsCard({ delayMs, fault, share }) {
  const delay = h('input', { inputmode: 'text', placeholder: '500ms, 2s', value: delayMs === 0 ? '' : delayMs + 'ms' });
  const kind = choice(faultKinds, fault ?? '', () => undefined);
  const part = choice(shares, shares.some(([value]) => value === String(share)) ? String(share) : '1', () => undefined);
  const isOn = delayMs > 0 || fault !== null;
  const set = async () => {
    await call('PUT', '/faults', { delay: delay.value, fault: kind.value === '' ? null : kind.value, share: Number(part.value) });
    say('Set for all requests.');
    render();
  };
  return h('section', { class: 'card' }, h('div', { class: 'head' }, h('h2', {}, 'Latency and faults'), badge(isOn ? 'warning' : 'none', isOn ? 'on' : 'off')),
    h('p', { class: 'dim' }, 'For all requests of all sessions, besides what scenarios say.'),
    field('Delay', delay), field('Network fault', kind), field('Of', part),
    h('div', { class: 'actions' }, button('Off', async () => { await call('DELETE', '/faults'); say('Answers are as they were.'); render(); }), button('Set', set, { class: 'primary' })));
}

function clockCard({ now, mode }) {
  const when = h('input', { type: 'datetime-local', step: '1', value: now.slice(0, 19) });
  const set = (change, told) => async () => { await call('PUT', '/clock', change()); say(told); render(); };
  const words = { given: 'runs', fixed: 'stopped', offset: 'moved' };
  return h('section', { class: 'card' }, h('div', { class: 'head' }, h('h2', {}, 'Clock'), badge(mode === 'given' ? 'none' : 'warning', words[mode])),
    h('p', { class: 'clock' }, now.slice(0, 10) + ' ' + now.slice(11, 19), h('span', { class: 'dim' }, ' UTC')),
    field('Stop it at (UTC)', when),
    h('div', { class: 'actions' }, button('Put it back', async () => { await call('DELETE', '/clock'); say('The clock is back where the mock started it.'); render(); }), button('+1 day', set(() => ({ advance: '1d' }), 'A day has passed.')), button('Set', set(() => ({ now: when.value.length === 16 ? when.value + ':00Z' : when.value + 'Z' }), 'The clock stands.'), { class: 'primary' })));
}

async function sessionsView() {
  const { sessions } = await call('GET', '/sessions');
  const row = ({ name, records, exchanges }) => h('tr', {}, h('td', {}, h('b', {}, name), name === session.name ? [' ', badge('kept', 'shown')] : ''), h('td', { class: 'number' }, records ?? 'many'), h('td', { class: 'number' }, exchanges),
    h('td', { class: 'number' }, name === session.name ? '' : button('Show', () => { chooseSession(name); location.hash = '#/state'; }, { 'aria-label': 'Show ' + name }), ' ', button('Drop', () => confirmed('Drop session ' + name + '?', 'Its records, how far its scenarios have come, and its exchanges are forgotten.', async () => { await call('DELETE', '/sessions/' + encode(name)); say('Dropped.'); await reloadFeed(); render(); }, 'Drop'), { class: 'quiet', 'aria-label': 'Drop ' + name })));
  return h('section', {}, h('div', { class: 'head' }, h('h1', {}, 'Sessions'), h('p', { class: 'dim' }, countOf(sessions.length, 'session'))),
    h('p', { class: 'dim' }, 'A session is an isolated copy of the records. A request names one with the header ', h('code', {}, 'Vouch-Session: name'), '; without it, it is of ', h('code', {}, 'default'), '.'),
    table(['Session', 'Records', 'Exchanges', ''], sessions.map(row), 'Sessions', ['Records', 'Exchanges']));
}
`;
