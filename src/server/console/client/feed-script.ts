/**
 * The journal as it grows: by server-sent events, and by asking again and again where these do not
 * come through.
 */
export const feedScript = String.raw`
const mostKept = 1000;
const feed = { entries: [], clearings: undefined, last: 0, paused: false, live: 'connecting', listeners: new Set() };

function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function tellFeed(change) {
  for (const listener of feed.listeners) listener(change);
}

function setLive(state) {
  if (feed.live === state) return;
  feed.live = state;
  tellFeed({ kind: 'live' });
}

/* What the mock has forgotten is forgotten here too; a mock that began anew counts from 1 again. */
function takeNews({ clearings, exchanges }) {
  const cleared = feed.clearings !== undefined && clearings !== feed.clearings;
  feed.clearings = clearings;
  if (exchanges.length > 0 && exchanges[exchanges.length - 1].id < feed.last) feed.entries = [];
  if (cleared) return reloadFeed();
  if (exchanges.length === 0) return;
  feed.last = exchanges[exchanges.length - 1].id;
  const fresh = exchanges.slice().reverse();
  feed.entries = [...fresh, ...feed.entries].slice(0, mostKept);
  tellFeed({ kind: 'added', fresh });
}

async function reloadFeed() {
  const { clearings, exchanges } = await call('GET', '/traffic');
  feed.clearings = clearings;
  feed.entries = exchanges.slice().reverse();
  feed.last = exchanges[exchanges.length - 1]?.id ?? feed.last;
  tellFeed({ kind: 'replaced' });
}

async function streamOnce() {
  const response = await send('GET', '/traffic/stream?after=' + feed.last);
  if (!response.ok || !/^text\/event-stream/.test(response.headers.get('content-type') ?? '')) throw new Error('no stream');
  setLive('live');
  await readParts(response, '\n\n', (event) => {
    if (event.startsWith('data: ')) takeNews(readJson(event.slice(6)));
  });
}

async function pollOnce() {
  takeNews(await call('GET', '/traffic?after=' + feed.last));
  setLive('live');
}

async function followFeed() {
  for (let failures = 0; ;) {
    try {
      await (failures % 3 === 2 ? pollOnce() : streamOnce());
      if (failures % 3 !== 2) failures = 0;
    } catch (error) {
      if (error instanceof Locked) return;
      failures += 1;
      setLive('lost');
    }
    await wait(1000);
  }
}
`;
