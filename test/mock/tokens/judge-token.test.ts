import { CompactSign, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { makeSigningKey } from '../../../src/mock/tokens/signing/token-signer.ts';
import { issuer, openDesk, secret, start } from './garden.ts';

const seconds = Math.floor(start.getTime() / 1000);
const claims = {
  iss: issuer,
  sub: 'ada',
  client_id: 'app',
  scope: 'read:trees',
  jti: 'j',
  grant: 'g',
  iat: seconds,
  exp: seconds + 60,
};

async function signed(
  changes: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const key = await makeSigningKey(secret);
  return new CompactSign(new TextEncoder().encode(JSON.stringify({ ...claims, ...changes })))
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...header })
    .sign(key.secret);
}

async function verdict(token: string): Promise<string> {
  const { service, now } = openDesk();
  const judged = await service.judge(token, now());
  return judged.kind === 'good'
    ? `good: ${judged.scopes.join(' ')}`
    : `${judged.kind}: ${judged.reason}`;
}

/** What a token is made of, with the part between the dots replaced. */
function withPart(token: string, index: number, text: string): string {
  return token
    .split('.')
    .map((part, position) => (position === index ? text : part))
    .join('.');
}

describe('a token', () => {
  test('is validated by signature, use, issuer and time (RFC 8725; RFC 9068)', async () => {
    const stranger = await generateKeyPair('ES256');
    const good = await signed();
    const more = btoa(JSON.stringify({ ...claims, scope: 'admin' })).replaceAll('=', '');
    const tokens: [string, string][] = [
      ['of our own', good],
      [
        'of our own, by another name of this machine',
        await signed({ iss: 'http://127.0.0.1:4999/__vouch/oauth2' }),
      ],
      ['that has expired', await signed({ exp: seconds })],
      ['without an end', await signed({ exp: undefined })],
      ['with an end that is no number', await signed({ exp: '99999999999' })],
      ['of another issuer with our key', await signed({ iss: 'https://login.example' })],
      ['for a code', await signed({}, { typ: 'vouch-code+jwt' })],
      ['for refreshing', await signed({}, { typ: 'vouch-refresh+jwt' })],
      ['of identity', await signed({}, { typ: 'JWT' })],
      ['of no type', await signed({}, { typ: undefined })],
      [
        'of another key',
        await new SignJWT(claims)
          .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
          .sign(stranger.privateKey),
      ],
      [
        'of another issuer',
        await new SignJWT({ ...claims, iss: 'https://login.example/' })
          .setProtectedHeader({ alg: 'ES256' })
          .sign(stranger.privateKey),
      ],
      [
        'of another algorithm',
        await new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
          .sign(new TextEncoder().encode(secret)),
      ],
      ['that is not signed', new UnsecuredJWT(claims).encode()],
      [
        'that says it is signed with none',
        withPart(good, 0, btoa('{"alg":"none","typ":"at+jwt"}').replaceAll('=', '')),
      ],
      ['with claims changed', withPart(good, 1, more)],
      ['without its signature', withPart(good, 2, '')],
      [
        'with an extension that nobody knows',
        await new CompactSign(new TextEncoder().encode('{}'))
          .setProtectedHeader({ alg: 'ES256', crit: ['exp'], exp: 1 })
          .sign((await makeSigningKey(secret)).secret, { crit: { exp: true } }),
      ],
      ['that is none', 'abcd.efgh.ijkl'],
    ];
    const lines = [];
    for (const [name, token] of tokens) lines.push(`${name} → ${await verdict(token)}`);
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "of our own → good: read:trees
      of our own, by another name of this machine → good: read:trees
      that has expired → spoilt: The access token expired at 2030-01-02T03:04:05.000Z
      without an end → spoilt: The access token expired at 1970-01-01T00:00:00.000Z
      with an end that is no number → spoilt: The access token expired at
        ↳ 1970-01-01T00:00:00.000Z
      of another issuer with our key → foreign: The token was issued by
        ↳ \`https://login.example\`, not by this mock
      for a code → spoilt: This is an authorization code, and not an access token
      for refreshing → spoilt: This is a refresh token, and not an access token
      of identity → spoilt: This is an ID token, and not an access token
      of no type → spoilt: This is a token of another kind, and not an access token
      of another key → foreign: The signature of the token is not one of this mock
      of another issuer → foreign: The signature of the token is not one of this mock; it
        ↳ says that \`https://login.example/\` issued it
      of another algorithm → foreign: The token is signed with \`HS256\`, and this mock
        ↳ signs with ES256
      that is not signed → foreign: The token is not signed (its alg is none)
      that says it is signed with none → foreign: The token is not signed (its alg is
        ↳ none)
      with claims changed → foreign: The signature of the token is not one of this mock
      without its signature → foreign: The signature of the token is not one of this mock
      with an extension that nobody knows → foreign: The token cannot be read as a JSON
        ↳ Web Token
      that is none → foreign: The token cannot be read as a JSON Web Token"
    `);
  });

  test('is valid until the second in which it expires', async () => {
    const desk = openDesk();
    const { access_token: token = '' } = await desk.token({ grant_type: 'client_credentials' });
    desk.wait(3599);
    expect((await desk.service.judge(token, desk.now())).kind).toBe('good');
    desk.wait(1);
    expect(await desk.service.judge(token, desk.now())).toEqual({
      kind: 'spoilt',
      reason: 'The access token expired at 2030-01-02T04:04:05.000Z',
    });
  });

  test('of a start without a secret is valid only for that start', async () => {
    const { access_token: token = '' } = await openDesk({
      secret: 'chosen at another start',
    }).token({ grant_type: 'client_credentials' });
    expect(await verdict(token)).toMatch(
      /^foreign: The signature of the token is not one of this mock/,
    );
  });
});
