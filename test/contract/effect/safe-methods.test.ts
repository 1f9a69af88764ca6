import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';

const list = (words: string): readonly string[] => words.trim().split(/\s+/);

/** What services show, each at a path of its own. */
const nouns = list(`
  weather price balance report hello ready healthcheck image echo dashboard forecast joke quote
  random time date now today clock timezone uptime metrics stats statistics usage quota limit
  rate currency exchange stock market portfolio account profile user customer client member team
  group company organization department employee manager contact address location place map route
  distance traffic city country region state zone area district postcode zip language locale
  translation dictionary word synonym definition grammar text document file folder photo picture
  avatar icon logo thumbnail video audio song album artist playlist movie show episode channel
  stream feed news article post blog comment review rating score rank leaderboard game player
  match tournament season league event calendar schedule appointment booking reservation ticket
  seat flight airline airport hotel room restaurant menu recipe ingredient food drink product
  category brand catalog inventory warehouse shipment delivery package parcel order cart checkout
  invoice payment transaction receipt refund subscription plan pricing discount coupon voucher
  gift offer deal promotion campaign audience survey question answer poll vote form template
  message inbox notification alert alarm sensor device temperature humidity pressure battery
  signal network server host domain certificate key token session config configuration settings
  preference feature flag version release changelog build pipeline job task project issue
  milestone sprint board card label tag note list queue log trace error exception health status
  ping info about help docs schema spec manifest sitemap favicon robots license terms policy
  contract agreement signature balance-sheet price-history search-results user-profile
  exchange-rates order-history daily-report system-info current-weather air-quality
`);

/** What services do. */
const verbs = list(`
  set send create add insert register make submit save upload trigger execute delete remove purge
  clear reset flush truncate drop wipe prune evict expire erase destroy empty revoke invalidate
  restore import rollback revert cleanup compact uninstall install deploy redeploy undeploy
  provision deprovision scale shutdown stop start restart reload reboot pause resume record
  enable disable halt kill terminate suspend drain logout signout login update modify edit patch
  replace put rename move copy clone duplicate overwrite promote demote transfer assign unassign
  approve reject cancel archive unarchive close open reopen merge split rotate activate
  deactivate increment decrement grant deny claim acquire release consume attach detach link
  unlink associate apply capture refund void block unblock ban unban lock unlock publish
  unpublish schedule reschedule toggle switch mute unmute pin unpin like unlike follow unfollow
  subscribe unsubscribe join leave invite accept decline confirm verify resend notify broadcast
  push pop enqueue dequeue ack retry replay rerun run launch spawn abort sync resync refresh
  rebuild reindex recalculate rescan scan sweep collect gather crawl migrate upgrade downgrade
  rollout backup dump seed load unload mount unmount format encrypt decrypt sign generate issue
  renew extend redeem charge debit credit pay withdraw deposit book rent ship dispatch deliver
  return escalate snooze dismiss mark unmark flag star vote rate tag untag label sort reorder
  shuffle reserve allocate deallocate kick arm disarm dim brighten eject connect disconnect pair
  unpair
`);

const asJson = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const data = asJson('{ type: object, properties: { x: { type: integer }, y: { type: string } } }');
const asked = 'parameters: [{ name: name, in: query, schema: { type: string } }],';

const get = (path: string, content: string, members = ''): string =>
  `  ${path}: { get: { ${members} responses: { '200': { description: ok, ${content} } } } }`;

/** The share of paths that are not known to read, in a document of these paths and some others. */
function withheld(paths: readonly string[], others: readonly string[] = []): number {
  const contract = parseContract(
    ['openapi: 3.1.0', "info: { title: Words, version: '1' }", 'paths:', ...paths, ...others].join(
      '\n',
    ),
    'words.yaml',
  );
  const tried = contract.operations.slice(0, paths.length);
  const found = tried.filter((operation) => contract.effects.get(operation)?.effect !== 'reads');
  return found.length / paths.length;
}

describe('of one-word paths of a GET', () => {
  test.each([
    ['data', data],
    ['anything', asJson('{}')],
    ['no content', ''],
    ['a message', asJson('{ type: object, properties: { message: { type: string } } }')],
  ])('few nouns are withheld where it shows %s', (_what, content) => {
    expect(withheld(nouns.map((noun) => get(`/${noun}`, content)))).toBeLessThanOrEqual(0.02);
  });
});

describe('of the verbs in a document whose paths are verbs', () => {
  const others = nouns.map((_noun, at) => get(`/getThing${String(at)}`, data));
  const beside = nouns.map((_noun, at) => get(`/thing${String(at)}/find`, data));

  test.each([
    ['no content', '', ''],
    ['data', data, ''],
    ['data for a name', data, asked],
  ])('nearly all are withheld where they show %s', (_what, content, members) => {
    const named = verbs.map((verb) => get(`/${verb}Widget`, content, members));
    expect(withheld(named, others)).toBeGreaterThanOrEqual(0.98);
    const behind = verbs.map((verb) => get(`/thing/${verb}`, content, members));
    expect(withheld(behind, beside)).toBeGreaterThanOrEqual(0.98);
  });
});

test('verbs of the lexicon make a document one of verbs, and two words may be one', () => {
  const answer = asJson('{ type: object, properties: { code: {}, data: { type: object } } }');
  const named = list('kickGuest copyRoom signOut');
  const others = list('leaveRoom restrictGuest dismissGuest convertNote getRoom sendNote wallet');
  const paths = [...named, ...others].map((name) => get(`/${name}`, answer, asked));
  expect(withheld(paths.slice(0, named.length), paths.slice(named.length))).toBe(1);
});

describe('a GET that is explained', () => {
  const letters = asJson('{ type: array, items: { type: object, properties: { x: {} } } }');
  const page = 'content: { text/plain: { schema: { type: string } } }';

  test.each([
    ['/letters/read', 'Mark all letters as read', letters],
    ['/lamp', 'Set lamp brightness', page],
    ['/lamp/night', 'Turn night light on', page],
    ['/lamp/night', 'Switch off lamp', page],
    ['/lamp/chat', 'Starts a conversation', data],
    ['/letters/{letter}/frank', 'Frank letter', data],
  ])('%s, "%s", acts', (path, summary, content) => {
    expect(withheld([get(path, content, `summary: '${summary}',`)])).toBe(1);
  });

  test.each([
    ['/letters', 'Load all letters', letters],
    ['/letters/read', 'Letters that were read', letters],
    ['/lamp', 'Set details', data],
    ['/lamp', 'Lamp state, on or off', page],
    ['/lamp', 'Light of the lamp, on or off', page],
    ['/letters/{letter}/author', 'Letter author', data],
  ])('%s, "%s", reads', (path, summary, content) => {
    expect(withheld([get(path, content, `summary: '${summary}',`)])).toBe(0);
  });
});
