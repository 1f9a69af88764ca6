import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import type { Effect, EffectReading } from '../../../src/contract/model.ts';

const thing = '{ type: object, properties: { id: { type: string }, name: { type: string } } }';
const body = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;

/** Paths that stand in the contract beside the one under test. */
const surroundings = `
  /things:
    get: { operationId: listThings, responses: { '200': { description: ok,
        ${body(`{ type: array, items: ${thing} }`)} } } }
    post: { operationId: addThing, requestBody: { ${body(thing)} }, responses: { '201': {
        description: ok, ${body(thing)} } } }
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: readThing, responses: { '200': { description: ok, ${body(thing)} } } }
  /things/{id}/parts:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: listParts, responses: { '200': { description: ok,
        ${body(`{ type: array, items: ${thing} }`)} } } }
  /recorder/pause:
    post: { responses: { '200': { description: ok } } }
  /config:
    get: { responses: { '200': { description: ok,
        ${body('{ type: object, properties: { level: { type: integer } } }')} } } }`;

/** The reading of one operation: `POST /things/{id}/cancel`, with members in YAML. */
function readingOf(line: string, members = ''): EffectReading | undefined {
  const [method = '', path = ''] = line.split(' ');
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(
    ([, name]) => `{ name: ${name ?? ''}, in: path, required: true, schema: { type: string } }`,
  );
  const operation =
    `${method.toLowerCase()}: { ${members} parameters: ` +
    `[${names.join(', ')}], responses: { '200': { description: ok } } }`;
  const lines = surroundings.split('\n');
  const at = lines.findIndex((one) => one.startsWith(`  ${path}:`));
  if (at === -1) lines.push(`  ${path}:`, `    ${operation}`);
  else lines.splice(at + 1, 0, `    ${operation}`);
  const text = `openapi: 3.1.0\ninfo: { title: Effects, version: '1' }\npaths:${lines.join('\n')}`;
  const contract = parseContract(text, 'effects.yaml');
  const found = contract.operations.find((one) => one.method === method && one.path === path);
  return found && contract.effects.get(found);
}

describe('the effect of an operation', () => {
  test.each<[line: string, effect: Effect, members?: string]>([
    // By method and path.
    ['DELETE /things/{id}', 'deletes one'],
    ['PUT /things/{id}', 'changes one'],
    ['PATCH /things/{id}', 'changes one'],
    ['DELETE /things', 'sweeps'],
    ['PUT /things', 'sweeps'],
    ['PATCH /things', 'sweeps'],
    ['DELETE /things/{id}/parts', 'acts on one'],
    ['PUT /things/{id}/parts', 'acts on one'],
    ['POST /things/{id}/parts/purge', 'acts on one'],
    ['POST /things/{id}/parts/bulk-delete', 'acts on one'],
    ['DELETE /things/{id}/picture', 'acts on one'],
    ['DELETE /session', 'sweeps'],
    ['DELETE /things/by-owner/{owner}', 'sweeps'],
    ['PUT /config', 'changes one'],
    ['POST /config', 'changes one'],
    ['POST /things/{id}/cancel', 'acts on one'],
    ['POST /things/{id}/stop', 'acts on one'],
    ['POST /things/{id}/parts', 'creates one'],
    ['POST /messages', 'acts'],
    ['POST /search', 'reads'],
    ['POST /things/filter', 'reads'],
    ['POST /lookups', 'reads', 'operationId: countThings,'],
    ['POST /quota/increment', 'changes one'],
    ['POST /roles/grant', 'changes one'],
    ['POST /login', 'acts'],
    ['GET /stats', 'reads'],
    // By the words of the path.
    ['POST /things/remove-by-metadata', 'sweeps'],
    ['POST /things/bulk_delete', 'sweeps'],
    ['POST /bulkDelete', 'sweeps'],
    ['POST /kv/deleterange', 'sweeps'],
    ['POST /reset', 'sweeps'],
    ['POST /cache/flush', 'sweeps'],
    ['POST /db/truncate', 'sweeps'],
    ['POST /queue/purge', 'sweeps'],
    ['POST /backup/restore', 'sweeps'],
    ['POST /import', 'sweeps'],
    ['POST /server/shutdown', 'sweeps'],
    ['POST /server/reload', 'sweeps'],
    ['POST /features/disable', 'sweeps'],
    ['PUT /features/enable', 'sweeps'],
    ['POST /recorder/resume', 'sweeps'],
    ['POST /batch', 'sweeps'],
    ['POST /things/cancel-all', 'sweeps'],
    ['POST /tokens/revoke', 'sweeps'],
    ['POST /users/logout', 'sweeps'],
    ['POST /orders/cancel', 'changes one'],
    ['POST /things.delete', 'sweeps'],
    ['GET /things/delete', 'sweeps'],
    ['GET /restart', 'sweeps'],
    ['GET /stop', 'sweeps'],
    ['GET /things/create', 'acts'],
    // What the caller logs in with is not changed; that of a user of the run may be.
    ['POST /account/password', 'sweeps'],
    ['POST /changepw', 'sweeps'],
    ['PUT /me/password', 'sweeps'],
    ['POST /password-reset', 'sweeps'],
    ['POST /profile/totp/enable', 'sweeps'],
    ['POST /api-key/rotate', 'sweeps'],
    ['POST /user/api-tokens', 'sweeps'],
    ['PATCH /secret', 'sweeps'],
    ['PUT /things/{id}/password', 'acts on one'],
    ['POST /password-policies', 'acts'],
    ['POST /oauth/token', 'acts'],
    // By operationId, summary and tags.
    ['POST /jobs', 'sweeps', 'operationId: Jobs_DeleteAll,'],
    ['POST /jobs', 'sweeps', 'operationId: getAndReset,'],
    ['POST /jobs', 'sweeps', 'summary: Deletes all jobs,'],
    ['POST /jobs', 'sweeps', 'summary: Bulk delete,'],
    ['POST /jobs', 'sweeps', 'tags: [Purge],'],
    ['GET /jobs/next', 'acts', 'operationId: createJob,'],
    ['GET /jobs/next', 'sweeps', 'summary: Deletes a job,'],
    ['POST /jobs', 'creates one', 'operationId: createJob,'],
    ['POST /jobs', 'creates one', 'summary: Adds a job,'],
    // Nouns that are spelled like verbs.
    ['POST /records', 'creates one', 'operationId: createRecord,'],
    ['GET /records', 'reads', 'operationId: listRecords,'],
    ['GET /stop/{stopId}', 'reads', 'operationId: getStop,'],
    ['GET /import-status', 'reads', 'summary: Shows how far the import is,'],
    ['GET /deleted-items', 'reads'],
    ['GET /add_ons', 'reads', 'operationId: findAllAddOns,'],
    // A safe method reads unless a verb or an explanation shows that it does more.
    ['GET /index', 'acts', 'summary: Rebuild the index,'],
    ['GET /index', 'acts', 'description: Trigger a rebuild.,'],
    ['GET /index', 'reads', 'summary: An index of all things,'],
    [
      'GET /index',
      'reads',
      'summary: Returns the index, description: Enables a client to search.,',
    ],
    ['GET /send-mail', 'acts'],
    ['GET /create_pad', 'acts'],
    ['GET /things/{id}/approve', 'acts'],
    ['GET /things/{id}/frobnicate', 'reads'],
    ['GET /setText', 'acts', 'operationId: setText, summary: sets the text of a pad,'],
    ['GET /copyPad', 'acts', 'summary: copies a pad,'],
    ['GET /frobnicate/{id}', 'reads'],
    ['GET /import-status', 'sweeps'],
    ['GET /tasks/next', 'acts', 'operationId: popTask, summary: Returns and removes a task,'],
    ['GET /desk/checkIn', 'acts', 'operationId: checkIn,'],
    ['GET /room', 'acts', 'summary: Book a room,'],
    ['GET /getText', 'reads'],
    ['GET /things/{id}/summary', 'reads', 'operationId: getSummary,'],
    ['GET /things/{id}/summary', 'reads', 'summary: The summary of a thing,'],
    ['GET /things/{id}/unread', 'reads', 'summary: Lists what nobody has read,'],
    ['GET /things.unread', 'reads', 'operationId: things.list,'],
    ['GET /health', 'reads'],
    ['GET /version', 'reads'],
    // Words that are mostly nouns are no commands, nor is what no dictionary has.
    ['GET /now', 'reads'],
    ['GET /bad', 'reads'],
    ['GET /currency', 'reads'],
    ['GET /status/currency', 'reads'],
    ['GET /currency-history', 'reads'],
    ['GET /things/{id}/latitude', 'reads'],
    ['GET /currency', 'sweeps', 'operationId: importCurrency,'],
    ['GET /currency', 'acts', 'operationId: createCurrency,'],
    ['GET /currency-reboot', 'acts'],
    ['GET /currency-frobnicate', 'reads'],
    ['GET /status-toggle', 'reads'],
    ['GET /é-currency', 'reads'],
    ['GET /fan/high', 'reads'],
    ['GET /relay/off', 'reads'],
    ['GET /player/next', 'reads'],
    ...[
      ...['reboot', 'flush', 'purge', 'logout'].map((word) => [word, 'sweeps'] as const),
      ...['unsubscribe', 'trigger', 'archive'].map((word) => [word, 'acts'] as const),
      ...'mint ship book weather text backup activation payment off on next friend bookmark'
        .split(' ')
        .map((word) => [word, 'reads'] as const),
    ].map(([word, effect]): [line: string, effect: Effect] => [`GET /${word}`, effect]),
    ['GET /', 'reads', 'operationId: server_info,'],
    ['GET /a', 'reads'],
    ['HEAD /things/{id}', 'reads'],
    // A POST reads by its verb too; what administers the service as a whole sweeps.
    ['POST /getText', 'reads'],
    ['POST /things.listNames', 'reads'],
    ['POST /maintenance/alarm', 'sweeps'],
    ['POST /cluster/join', 'sweeps'],
    ['POST /cluster/member/add', 'sweeps', 'operationId: Cluster_MemberAdd,'],
    ['POST /maintenance/hashkv', 'reads', 'summary: HashKV computes the hash of all keys.,'],
    ['POST /maintenance/status', 'reads', 'summary: Status gets the status of the member.,'],
    // As the contract says.
    ['POST /reset', 'acts', "x-vouch-effect: 'acts',"],
    ['POST /search', 'reads', 'x-vouch-effect: reads,'],
    ['GET /tick', 'sweeps', 'x-vouch-effect: sweeps,'],
    ['POST /approve', 'acts on one', 'x-vouch-effect: acts-on-one,'],
  ])('%s: %s %s', (line, effect, members) => {
    expect(readingOf(line, members)?.effect).toBe(effect);
  });

  test.each([
    ['POST /cache/flush', '', 'its path says "flush"'],
    ['POST /jobs', 'summary: Deletes all jobs,', 'its summary begins with "Deletes all jobs"'],
    ['DELETE /things', '', 'it is a DELETE on a collection'],
    ['POST /reset', 'x-vouch-effect: acts,', 'x-vouch-effect says so'],
  ])('%s says why: %s', (line, members, why) => {
    expect(readingOf(line, members)?.why).toContain(why);
  });

  test('with an invalid x-vouch-effect is an error with its place', () => {
    expect(() => readingOf('POST /reset', 'x-vouch-effect: sweep,')).toThrow(
      expect.objectContaining({
        code: 'contract-invalid',
        hint: expect.stringContaining('sweeps'),
      }),
    );
  });
});

test.each([
  ['/vouchers/redeem', 'acts'],
  ['/vouchers/balance', 'reads'],
  ['/redeem', 'reads'],
])('a GET %s that is asked for by a value and shows data: %s', (path, effect) => {
  const contract = parseContract(
    `openapi: 3.1.0
info: { title: Effects, version: '1' }
paths:
  ${path}: { get: { parameters: [{ name: code, in: query, schema: { type: string } }],
      responses: { '200': { description: ok, ${body(thing)} } } } }`,
    'effects.yaml',
  );
  expect([...contract.effects.values()].map((reading) => reading.effect)).toEqual([effect]);
});

describe('a collection whose name has a verb', () => {
  const paths = `
  /block_types/{id}:
    get: { responses: { 200: { description: '' } } }
  /block_types/filter:
    post: { responses: { 200: { description: '' } } }
  /block_types/lock:
    post: { responses: { 200: { description: '' } } }
  /block_types/install_all_of_them:
    post: { responses: { 200: { description: '' } } }
  /block/filter:
    post: { responses: { 200: { description: '' } } }`;
  const contract = parseContract(
    `openapi: 3.1.0\ninfo: { title: Effects, version: '1' }\npaths:${paths}`,
    'effects.yaml',
  );
  test.each([
    ['/block_types/filter', 'reads'],
    ['/block_types/lock', 'changes one'],
    ['/block_types/install_all_of_them', 'sweeps'],
    ['/block/filter', 'changes one'],
  ])('POST %s: %s', (path, effect) => {
    const found = contract.operations.find((one) => one.path === path && one.method === 'POST');
    expect(found && contract.effects.get(found)?.effect).toBe(effect);
  });
});
