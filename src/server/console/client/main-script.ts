/** The frame of the console: its parts, the session that is looked at, keys, and the way in. */
export const mainScript = String.raw`
const views = { traffic: trafficView, state: stateView, scenarios: scenariosView, sessions: sessionsView, try: tryView, check: checkView };
const tabs = [['traffic', 'Traffic'], ['state', 'State'], ['scenarios', 'Scenarios'], ['sessions', 'Sessions'], ['try', 'Try it'], ['check', 'Check']];
const session = { name: sessionStorage.getItem('vouch-session') ?? 'default' };
let facts = { operations: [], keys: [], services: [], origin: null, checks: false, contract: '' };
let leave = [];
let turn = 0;
let shown;

const nav = h('nav', { 'aria-label': 'Parts of the console' });
const view = h('main', { id: 'view', tabindex: '-1' });
const light = h('span', { class: 'light', role: 'status' });
const chooser = h('div', { class: 'chooser' });

function leaving(act) {
  leave.push(act);
}

function mockOrigin() {
  return facts.origin ?? location.origin;
}

function routeOf() {
  const words = location.hash.replace(/^#\/?/, '').split('/').map((word) => { try { return decodeURIComponent(word); } catch { return word; } });
  return { words, name: Object.hasOwn(views, words[0]) ? words[0] : 'traffic' };
}

/* A view that takes its time is not shown where another was asked for meanwhile. */
async function render() {
  const mine = turn += 1;
  const route = routeOf();
  nav.replaceChildren(...tabs.map(([name, title]) => h('a', { href: '#/' + name, 'aria-current': name === route.name ? 'page' : undefined }, title)), h('a', { href: prefix + '/docs' }, 'Docs'));
  tabIntoView();
  document.title = tabs.find(([name]) => name === route.name)[1] + ' · ' + document.documentElement.dataset.title;
  try {
    leave.splice(0).forEach((act) => act());
    const made = await views[route.name](route);
    if (mine === turn) show(made);
  } catch (error) {
    if (!(error instanceof Locked) && mine === turn) view.replaceChildren(empty(h('p', { class: 'big' }, error.message), button('Try again', render)));
  }
}

/* On a telephone the tabs are wider than the screen. */
function tabIntoView() {
  const chosen = nav.querySelector('[aria-current]');
  nav.scrollLeft = chosen.offsetLeft - (nav.clientWidth - chosen.offsetWidth) / 2;
}

function show(made) {
  const putBack = shown === location.hash ? notePlace() : () => undefined;
  shown = location.hash;
  view.replaceChildren(made);
  putBack();
  view.querySelector('.exchange-row[aria-current]')?.scrollIntoView({ block: 'nearest' });
}

function chooseSession(name) {
  session.name = name;
  sessionStorage.setItem('vouch-session', name);
  guarded(fillChooser);
}

async function fillChooser() {
  const { sessions } = await call('GET', '/sessions');
  const names = [...new Set(['default', ...sessions.map(({ name }) => name), session.name])];
  chooser.replaceChildren(choice([...names.map((name) => [name, 'Session ' + name]), ['+', 'A new session…']], session.name, (value) => (value === '+' ? newSession() : (chooseSession(value), render())), { 'aria-label': 'Session', focus: () => undefined }));
}

function newSession() {
  const name = h('input', { 'aria-label': 'Name of the session', pattern: '[A-Za-z0-9._\\-]{1,64}', required: true });
  openDialog('A new session', (close) => [h('form', { class: 'inline', submit: (event) => { event.preventDefault(); close(); chooseSession(name.value); render(); } }, name, h('button', { type: 'submit', class: 'primary' }, 'Use it')), h('p', { class: 'dim' }, '1 to 64 letters, digits, dots, underscores and hyphens. It begins with the records of the fixtures.')]);
  fillChooser();
}

function showLive() {
  const words = { live: 'live', connecting: 'connecting', lost: 'not connected' };
  light.className = 'light ' + feed.live;
  light.textContent = words[feed.live];
}

const keys = [['1 to 6', 'the parts of the console'], ['/', 'search'], ['j, k', 'next and previous'], ['Enter', 'open it'], ['Esc', 'close it'], ['p', 'pause the traffic'], ['?', 'this help']];
function helpDialog() {
  openDialog('Keys', (close) => [h('dl', { class: 'keys' }, keys.map(([key, what]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, what)])), h('div', { class: 'actions' }, button('Close', close))]);
}

function moveTo(step) {
  const items = [...view.querySelectorAll('.exchange-row, .plain-link, .scenario input, .finding > summary')];
  const from = items.indexOf(document.activeElement);
  const at = from === -1 ? items.findIndex((item) => item.hasAttribute('aria-current')) : from;
  items[Math.min(items.length - 1, Math.max(0, at + step))]?.focus();
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== 'checkbox') {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  const tab = tabs[Number(event.key) - 1];
  if (tab !== undefined) location.hash = '#/' + tab[0];
  else if (event.key === 'j') moveTo(1);
  else if (event.key === 'k') moveTo(-1);
  else if (event.key === 'p') document.getElementById('pause')?.click();
  else if (event.key === '?') helpDialog();
  else if (event.key === 'Escape' && routeOf().words[1] !== undefined && routeOf().name === 'traffic') location.hash = '#/traffic';
  else if (event.key === '/') { event.preventDefault(); document.getElementById('search')?.focus(); }
});

const page = h('div', { id: 'page' });

/* The way in for whoever comes without the token: it is in the address that the mock shows when it starts. */
function lock(why) {
  sessionStorage.removeItem(tokenKey);
  turn += 1;
  const token = h('input', { type: 'password', autocomplete: 'off', required: true, placeholder: 'the token, or the whole address' });
  const enter = (event) => {
    event.preventDefault();
    const given = token.value.trim().replace(/^.*#(?:token=)?/, '');
    sessionStorage.setItem(tokenKey, given);
    guarded(start);
  };
  page.replaceChildren(h('main', { class: 'lock' }, h('h1', {}, document.documentElement.dataset.title), h('p', {}, why), h('form', { class: 'card', submit: enter }, field('Control token', token), h('p', { class: 'dim' }, 'The mock shows it in the terminal when it starts, under “console”. It opens this mock on this machine alone, until it stops.'), h('div', { class: 'actions' }, h('a', { href: prefix + '/docs' }, 'Documentation'), h('button', { type: 'submit', class: 'primary' }, 'Enter')))), toasts);
  token.focus();
}

let following = false;
async function start() {
  if (!sessionStorage.getItem(tokenKey)) return lock('To look inside the mock, show its token.');
  facts = await call('GET', '/operations');
  await reloadFeed();
  page.replaceChildren(h('header', {}, h('a', { class: 'skip', href: '#view', click: (event) => { event.preventDefault(); view.focus(); } }, 'To the content'), h('div', { class: 'brand' }, h('b', {}, 'vouch'), h('span', { class: 'dim' }, document.documentElement.dataset.title)), light, chooser, button('?', helpDialog, { class: 'quiet', 'aria-label': 'Keys' })), nav, view, toasts);
  guarded(fillChooser);
  showLive();
  await render();
  if (following) return;
  following = true;
  await followFeed();
  following = false;
}

feed.listeners.add((change) => { if (change.kind === 'live') showLive(); });
window.addEventListener('hashchange', () => {
  const before = sessionStorage.getItem(tokenKey);
  takeToken();
  if (sessionStorage.getItem(tokenKey) !== before) guarded(start);
  else if (page.contains(view)) render();
});
takeToken();
document.getElementById('wait').replaceWith(page);
guarded(start);
`;
