import { describe, expect, test } from 'vitest';
import type { HeaderList } from '../../src/http/message.ts';
import { readPreferences } from '../../src/mock/request/read-preferences.ts';
import { converse, jsonOf, mockOf, send, textOf, type Sending } from './workshop.ts';

describe('the header Prefer', () => {
  test.each([
    ['nothing at all', [], {}],
    ['each of its words', ['code=404, example=one, dynamic=true, seed=7, scenario=late, delay=200ms'], { code: 404, example: 'one', dynamic: true, seed: '7', scenario: 'late', delayMs: 200 }],
    ['words in quotes', ['example="two words, and \\"more\\""'], { example: 'two words, and "more"' }],
    ['names in any case and spaces around', ['  CODE = 404 ; q=1 ,dynamic'], { code: 404, dynamic: true }],
    ['several fields', ['code=404', 'seed=x'], { code: 404, seed: 'x' }],
    ['the first of two', ['code=404, code=500'], { code: 404 }],
    ['what it knows, and nothing else', ['respond-async, wait=100, return=minimal, code=200'], { code: 200 }],
    ['dynamic as off', ['dynamic=false'], { dynamic: false }],
    ['as far as it can be read', ['code=404, "broken'], { code: 404 }],
    ['words that objects have of their own', ['constructor=1, __proto__=2, toString'], {}],
  ])('is read for %s', (_what, fields, expected) => {
    const { kind, applied: _applied, ...rest } = readPreferences(fields.map((field) => ['prefer', field])) as { kind: string; applied: unknown };
    expect({ kind, ...rest }).toEqual({ kind: 'preferences', ...expected });
  });

  test('is read in no time, however it is meant', () => {
    const started = performance.now();
    for (const text of [' '.repeat(60_000), `code=${' '.repeat(60_000)}`, `${' ;'.repeat(30_000)}`, `"${'\\"'.repeat(30_000)}`, ','.repeat(60_000)]) {
      const fields: HeaderList = [['Prefer', text]];
      expect(readPreferences(fields)).toBeDefined();
    }
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test('gets the answers that the contract documents', async () => {
    const mock = await mockOf();
    const prefer = (value: string): Sending => ({ headers: [['Prefer', value]] });
    expect(await converse(mock, [
      ['GET /v2/tools/1', prefer('code=404'), 'Preference-Applied'],
      ['GET /v2/tools/1', prefer('code=200'), 'Preference-Applied'],
      ['GET /v2/tools/1', prefer('code=500'), 'Preference-Applied'],
      ['GET /v2/tools', prefer('code=503'), 'Preference-Applied'],
      ['DELETE /v2/tools/1', prefer('code=404'), 'Preference-Applied'],
      ['GET /v2/tools/1', prefer('code=9'), 'Preference-Applied'],
      ['GET /v2/tools/1', prefer('dynamic=maybe'), 'Preference-Applied'],
      ['GET /v2/tools/1', prefer('delay=1h'), 'Preference-Applied'],
      ['GET /v2/tools/1', prefer('example=none'), 'Preference-Applied'],
      ['GET /v2/tools/1', { ...prefer('code=404'), key: false }, 'Preference-Applied'],
      ['GET /v2/tools/x', prefer('code=200'), 'Preference-Applied'],
      ['GET /v2/tools/1', prefer('scenario=none'), 'Preference-Applied'],
    ])).toMatchInlineSnapshot(`
      "GET /v2/tools/1 → 404 code=404 {"error":{"code":"NOT_FOUND","text":"Not Found: the client asked for this answer with the header Prefer.","http_status":404}}
      GET /v2/tools/1 → 200 code=200 {"id":1,"name":"Rip","kind":"saw","weight":700,"tags":["wood"],"serial":"SA-0001","createdAt":"2029-05-05T05:05:05Z"}
      GET /v2/tools/1 → 400 {"error":{"code":"VALIDATION","text":"Prefer asks for the status 500, which getTool does not document. It documents 200, 404.","http_status":400}}
      GET /v2/tools → 503 code=503 {"error":{"code":"OTHER","text":"Service Unavailable: the client asked for this answer with the header Prefer.","http_status":503}}
      DELETE /v2/tools/1 → 404 code=404 {"error":{"code":"NOT_FOUND","text":"Not Found: the client asked for this answer with the header Prefer.","http_status":404}}
      GET /v2/tools/1 → 400 {"error":{"code":"VALIDATION","text":"\`code\` in the header Prefer must be a status such as 404, but is \`9\`.","http_status":400}}
      GET /v2/tools/1 → 400 {"error":{"code":"VALIDATION","text":"\`dynamic\` in the header Prefer must be true or false, but is \`maybe\`.","http_status":400}}
      GET /v2/tools/1 → 400 {"error":{"code":"VALIDATION","text":"\`delay\` in the header Prefer must be such as 200ms or 2s, and 10 minutes at most, but is \`1h\`.","http_status":400}}
      GET /v2/tools/1 → 400 {"error":{"code":"VALIDATION","text":"Prefer asks for the example none, which getTool does not have. There is none to choose from.","http_status":400}}
      GET /v2/tools/1 → 401 {"error":{"code":"UNAUTHORIZED","text":"The header X-Key, which carries the API key, is missing.","http_status":401}}
      GET /v2/tools/x → 404 {"error":{"code":"NOT_FOUND","text":"\`toolId\` in the path must be an integer, but is \`x\`.","http_status":404,"errors":[{"field":"toolId","in":"path","message":"\`toolId\` in the path must be an integer, but is \`x\`."}]}}
      GET /v2/tools/1 → 400 {"error":{"code":"VALIDATION","text":"There is no scenario \`none\`. There are: none.","http_status":400}}"
    `);
    expect((await send(mock, 'GET /v2/tools/1')).status).toBe(200);
  });

  test('gets generated values, the same for the same seed', async () => {
    const mock = await mockOf();
    const ask = async (prefer: string): Promise<string> => textOf(await send(mock, 'GET /v2/tools/1', { headers: [['Prefer', prefer]] }));
    expect(await ask('dynamic=true, seed=1')).toBe(await ask('dynamic=true, seed=1'));
    expect(await ask('dynamic=true, seed=1')).not.toBe(await ask('dynamic=true, seed=2'));
    expect(await ask('dynamic=true')).not.toBe(await ask('dynamic=false'));
    const list = jsonOf(await send(mock, 'GET /v2/shelves?page_size=1', { headers: [['Prefer', 'dynamic=true']] }));
    expect(list).toMatchObject({ data: expect.any(Array) });
  });

  test('waits as long as it says', async () => {
    const answer = await send(await mockOf(), 'GET /v2/tools/1', { headers: [['Prefer', 'delay=1.5s']] });
    expect([answer.status, answer.delayMs]).toEqual([200, 1500]);
  });
});

describe('a session', () => {
  const inSession = (session: string, more: Sending = {}): Sending => ({ ...more, headers: [['Vouch-Session', session]] });

  test('sees its own changes and nobody else’s', async () => {
    const mock = await mockOf();
    await send(mock, 'DELETE /v2/tools/1', inSession('a'));
    await send(mock, 'POST /v2/shelves', inSession('a', { body: { code: 'NEW' } }));
    const seen = async (session?: string): Promise<number[]> => Promise.all(['/v2/tools/1', '/v2/shelves/NEW'].map(async (target) => (await send(mock, `GET ${target}`, session === undefined ? {} : inSession(session))).status));
    expect(await seen('a')).toEqual([404, 200]);
    expect(await seen('b')).toEqual([200, 404]);
    expect(await seen()).toEqual([200, 404]);
    expect(await seen('default')).toEqual([200, 404]);
  });

  test('begins anew after a reset', async () => {
    const mock = await mockOf();
    await send(mock, 'DELETE /v2/tools/1', inSession('a'));
    await mock.reset();
    expect((await send(mock, 'GET /v2/tools/1', inSession('a'))).status).toBe(200);
  });

  test('has a name of letters, digits, dots, underscores and hyphens', async () => {
    const mock = await mockOf();
    const statusOf = async (name: string): Promise<number> => (await send(mock, 'GET /v2/tools/1', inSession(name))).status;
    expect(await Promise.all(['a', 'A-1_b.c', 'x'.repeat(64)].map(statusOf))).toEqual([200, 200, 200]);
    expect(await Promise.all(['', ' ', 'a b', 'ä', 'x'.repeat(65), '../etc'].map(statusOf))).toEqual([400, 400, 400, 400, 400, 400]);
    expect((await send(mock, 'GET /v2/tools/1', { headers: [['Vouch-Session', 'a'], ['Vouch-Session', 'b']] })).status).toBe(400);
  });
});
