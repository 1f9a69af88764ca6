import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { HttpRequest } from '../../../src/http/message.ts';
import { ConsoleLogin } from '../../../src/server/control/console-login.ts';
import { createAppOf } from '../../../src/server/create-app.ts';
import { assembleParts } from '../../../src/server/serving-parts.ts';
import { fakeMock } from '../fake-mock.ts';
import { controlToken } from '../serve-fake.ts';

const host = { Host: '127.0.0.1:4010' };
const parts = assembleParts(fakeMock(), { controlToken });
const agent = request(createAppOf(parts));

interface Pass {
  readonly Cookie: string;
  readonly 'Vouch-Console': string;
}

/** The cookie and the key of a browser that came by a link. */
async function letIn(path = parts.login.makePath()): Promise<Pass> {
  const { headers } = await agent.get(path).set(host).expect(303);
  return {
    Cookie: String(headers['set-cookie']).split(';', 1)[0] ?? '',
    'Vouch-Console': String(headers['location']).replace('/__vouch/#enter=', ''),
  };
}

describe('a link to the console', () => {
  test('leads to the console with a cookie that no script and no other site sees', async () => {
    const { headers } = await agent.get(parts.login.makePath()).set(host).expect(303);
    expect(headers).toMatchObject({
      location: expect.stringMatching(/^\/__vouch\/#enter=[\w-]{32}$/),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(String(headers['set-cookie'])).toMatch(
      /^vouch-console-4010=[\w-]{32}; Path=\/__vouch; HttpOnly; SameSite=Strict$/,
    );
  });

  test('is another one each time, and cannot be guessed', () => {
    const paths = new Set(Array.from({ length: 50 }, () => parts.login.makePath()));
    expect(paths.size).toBe(50);
    expect([...paths].every((path) => /^\/__vouch\/open\/[0-9a-f]{32}$/.test(path))).toBe(true);
  });

  test('works once: a second browser sees where to get another', async () => {
    const path = parts.login.makePath();
    const { Cookie: cookie } = await letIn(path);
    const { text, headers } = await agent.get(path).set(host).expect(410);
    expect(text).toContain('This link was used already');
    expect(text).toContain('press <kbd>o</kbd> in the terminal');
    expect(headers).not.toHaveProperty('set-cookie');
    await agent
      .get(path)
      .set(host)
      .set('Cookie', cookie)
      .expect(303)
      .expect('Location', '/__vouch/');
  });

  test('is not used up by a program that only looks at it', async () => {
    const path = parts.login.makePath();
    await agent.head(path).set(host);
    await agent.post(path).set(host).expect(404);
    await letIn(path);
  });

  test.each<[string, Record<string, string>]>([
    ['under a name that leads here', { Host: 'evil.test:4010' }],
    ['from a page of another origin', { ...host, Origin: 'http://127.0.0.1:3000' }],
  ])('is refused %s, and still works', async (_how, headers) => {
    const path = parts.login.makePath();
    await agent.get(path).set(headers).expect(403);
    await letIn(path);
  });

  test('that others may have seen works for a minute', () => {
    let now = 0;
    const login = new ConsoleLogin(() => now);
    const [soon, late] = [login.makePath({ brief: true }), login.makePath({ brief: true })];
    now = 59_000;
    expect(login.enter(asked(soon))).toMatchObject({ status: 303 });
    now = 61_000;
    expect(login.enter(asked(late))).toBe('used');
  });

  test('that others may have seen locks the first browser out when it comes again', async () => {
    const path = parts.login.makePath({ brief: true });
    const pass = await letIn(path);
    await asConsole('get', '/operations', pass).expect(200);
    await agent.get(path).set(host).expect(410);
    await asConsole('get', '/operations', pass).expect(401);
  });

  test('to the start page lets a browser use the console, and later only leads there', async () => {
    const path = parts.login.makePath({ to: 'start' });
    const { headers } = await agent.get(path).set(host).expect(303);
    const [, key = ''] = /^\/#enter=([\w-]{32})$/.exec(String(headers['location'])) ?? [];
    const pass = {
      Cookie: String(headers['set-cookie']).split(';', 1)[0] ?? '',
      'Vouch-Console': key,
    };
    await asConsole('get', '/operations', pass).expect(200);
    const again = await agent.get(path).set(host).expect(303).expect('Location', '/');
    expect(again.headers).not.toHaveProperty('set-cookie');
    const seen = async (given: object): Promise<unknown> =>
      (await agent.get('/__vouch/start').set({ ...host, ...given })).body.console;
    expect([await seen(pass), await seen({}), await seen({ Cookie: pass.Cookie })]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('comes from the control API for who has the token', async () => {
    const { body } = await agent
      .post('/__vouch/console-links')
      .set({ ...host, Authorization: `Bearer ${controlToken}` })
      .expect(201);
    expect(body.link).toMatch(/^http:\/\/127\.0\.0\.1:4010\/__vouch\/open\//);
    await letIn(new URL(body.link).pathname);
    await agent.post('/__vouch/console-links').set(host).expect(401);
  });
});

function asked(target: string): HttpRequest {
  return { method: 'GET', target, headers: [['Host', host.Host]], body: new Uint8Array() };
}

function asConsole(
  method: 'get' | 'post',
  path: string,
  ...given: readonly (Pass | Readonly<Record<string, string>>)[]
): request.Test {
  return agent[method](`/__vouch${path}`).set(Object.assign({}, host, ...given));
}

describe('the cookie of the console', () => {
  test.each<[string, Record<string, string>, number]>([
    ['the console', {}, 200],
    ['the console of a browser that says so', { 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['a page on another port', { 'Sec-Fetch-Site': 'same-site' }, 401],
    ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }, 401],
    ['an address that was typed', { 'Sec-Fetch-Site': 'none' }, 401],
    ['a page of another origin', { Origin: 'http://127.0.0.1:3000' }, 403],
    ['a page without an origin', { Origin: 'null' }, 403],
    ['a page under a name that leads here', { Host: 'evil.test:4010' }, 403],
    ['a mock on another port', { Host: '127.0.0.1:4011' }, 401],
    ['a wrong token', { Authorization: 'Bearer not-the-token' }, 200],
  ])('with a request of %s', async (_who, headers, status) => {
    const pass = await letIn();
    const Cookie = `other=1; ${pass.Cookie}`;
    await asConsole('get', '/operations', pass, { Cookie }, headers).expect(status);
    await asConsole('post', '/reset', pass, headers).expect(status === 200 ? 204 : status);
  });

  test.each<[string, Record<string, string>]>([
    ['without the key: a form of another page on this host sends it', { 'Vouch-Console': '' }],
    ['with a key of another browser', { 'Vouch-Console': 'A'.repeat(32) }],
    ['that was made up', { Cookie: 'vouch-console-4010=undefined' }],
    ['that is missing', { Cookie: '' }],
  ])('%s lets nobody in', async (_how, headers) => {
    const pass = await letIn();
    await asConsole('get', '/operations', pass, headers).expect(401);
    await asConsole('post', '/reset', pass, headers).expect(401);
  });

  test('of one browser does not go with the key of another', async () => {
    const [one, other] = [await letIn(), await letIn()];
    await asConsole('get', '/operations', one, { Cookie: other.Cookie }).expect(401);
    await asConsole('get', '/operations', one).expect(200);
    await asConsole('get', '/operations', other).expect(200);
  });

  test('comes for the token too, and not without it', async () => {
    const Authorization = `Bearer ${controlToken}`;
    const { headers, body } = await asConsole('post', '/login', { Authorization }).expect(200);
    const [Cookie = ''] = String(headers['set-cookie']).split(';');
    await asConsole('get', '/operations', { Cookie, 'Vouch-Console': body.key }).expect(200);
    await asConsole('post', '/login', {}).expect(401);
    await asConsole('post', '/login', { Authorization: 'Bearer wrong' }).expect(401);
  });

  test('is sent over TLS alone where the mock serves TLS', () => {
    const login = new ConsoleLogin();
    const answer = login.enter({ ...asked(login.makePath()), scheme: 'https' });
    expect(JSON.stringify(answer)).toContain('SameSite=Strict; Secure');
  });
});
