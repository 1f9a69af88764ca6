import { expect, test } from 'vitest';
import { endpoints } from '../../../src/mock/tokens/token-endpoints.ts';
import { fc } from '../../property.ts';
import { getCode, membersOf, openDesk } from './garden.ts';

const names = [
  'grant_type',
  'client_id',
  'client_secret',
  'scope',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'username',
  'password',
  'token',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'prompt',
  'login_hint',
  'action',
  'code_challenge',
  'code_challenge_method',
];
const words = [
  'code',
  'token',
  'id_token token',
  'client_credentials',
  'password',
  'refresh_token',
  'authorization_code',
  'none',
  'allow',
  'fragment',
  'S256',
  'http://localhost/cb',
  'http://[::1',
  'openid',
  'eyJhbGciOiJub25lIn0.e30.',
  '__proto__',
  '\u{D800}',
  '%',
  '"><script>',
];
const text = fc.oneof(fc.constantFrom(...words), fc.string(), fc.string({ unit: 'binary' }));
const field = fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string()), text);
const form = fc
  .array(field, { maxLength: 8 })
  .map((pairs) =>
    new URLSearchParams(
      pairs.map(([name, value]): [string, string] => [name.toWellFormed(), value.toWellFormed()]),
    ).toString(),
  );
const body = fc.oneof(
  form.map((written) => new TextEncoder().encode(written)),
  fc.uint8Array({ maxLength: 60 }),
);
const headers = fc.array(
  fc.tuple(
    fc.constantFrom('Authorization', 'Content-Type', 'Origin'),
    fc.oneof(
      fc.constantFrom(
        'application/x-www-form-urlencoded',
        'Basic',
        'Bearer a.b.c',
        `Basic ${btoa(':')}`,
        `Basic ${btoa('%zz:%')}`,
      ),
      fc.string(),
    ),
  ),
  { maxLength: 3 },
);
const path = fc.oneof(fc.constantFrom(...Object.keys(endpoints)), fc.webPath());

test('no request makes the endpoints fail with a 5xx', async () => {
  const { service } = openDesk();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'HEAD', 'PUT', 'OPTIONS'),
      path,
      fc.option(form),
      headers,
      body,
      async (method, where, query, fields, bytes) => {
        const typed: [string, string][] =
          method === 'POST' ? [['Content-Type', 'application/x-www-form-urlencoded']] : [];
        const target = `/__vouch/oauth2${where}${query === null ? '' : `?${query}`}`;
        const response = await service.answer(
          { method, target, headers: [...fields, ...typed], body: bytes },
          'http://a%20b:1',
        );
        expect(response.status).toBeLessThan(500);
        for (const [name, value] of response.headers)
          expect(`${name}: ${value}`).toMatch(/^[\t\x20-\x7e]*$/);
        expect(new TextDecoder().decode(response.body)).not.toContain('<script');
      },
    ),
    { numRuns: 400 },
  );
});

test('no text makes the token verifier fail, or is accepted as a token', async () => {
  const { service, now } = openDesk();
  const base64 = fc.string().map((word) => Buffer.from(word).toString('base64url'));
  const token = fc.oneof(
    fc.string(),
    fc.tuple(base64, base64, base64).map((parts) => parts.join('.')),
    fc
      .tuple(fc.json(), fc.json(), base64)
      .map(([head, claims, sign]) =>
        [...[head, claims].map((part) => Buffer.from(part).toString('base64url')), sign].join('.'),
      ),
  );
  await fc.assert(
    fc.asyncProperty(token, async (given) => {
      expect((await service.judge(given, now())).kind).toBe('foreign');
    }),
    { numRuns: 300 },
  );
});

test('a signed token with a changed character is invalid', async () => {
  const desk = openDesk();
  const code = await getCode(desk);
  const { access_token: token = '' } = membersOf(
    await desk.post('/token', {
      grant_type: 'authorization_code',
      client_id: 'app',
      redirect_uri: 'http://localhost/cb',
      code,
    }),
  );
  // The last letter of a base64url text may hold bits that do not count.
  const places = fc
    .integer({ min: 0, max: token.length - 2 })
    .filter((index) => token[index] !== '.' && token[index + 1] !== '.');
  await fc.assert(
    fc.asyncProperty(places, fc.constantFrom('A', 'b', '7', '_'), async (index, letter) => {
      const changed = token.slice(0, index) + letter + token.slice(index + 1);
      expect((await desk.service.judge(changed, desk.now())).kind).toBe(
        changed === token ? 'good' : 'foreign',
      );
    }),
    { numRuns: 200 },
  );
});
