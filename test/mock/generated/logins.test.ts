import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { headerValue, type HeaderList } from '../../../src/http/message.ts';
import type { Mock } from '../../../src/mock/mock.ts';
import { mockOf, send, textOf } from '../workshop.ts';

const bearer = '{ type: http, scheme: bearer }';
const whoAndPassword =
  'application/json: { schema: { type: object, required: [name, password], properties: { name: { ' +
  'type: string }, password: { type: string } } } }';

interface Given {
  readonly path?: string;
  readonly scheme?: string;
  readonly request?: string;
  /** The success of the login. */
  readonly success?: string;
  /** More members of the login. */
  readonly more?: string;
}

/** A document with one login, and a list that needs its token. */
function document({ path = '/enter', scheme = bearer, ...given }: Given): string {
  const { request = whoAndPassword, success = 'description: In', more = '' } = given;
  return `
openapi: 3.1.0
info: { title: Archive, version: '1' }
security: [{ Own: [] }]
paths:
  ${path}:
    post:
      ${more}
      requestBody: { required: true, content: { ${request} } }
      responses: { '200': { ${success} } }
  /boxes:
    get: { responses: { '200': { description: OK, content: { application/json: { schema: {
      type: array, items: { type: object, properties: { id: { type: integer } } } } } } } } }
components: { securitySchemes: { Own: ${scheme} } }
`;
}

const answering = (schema: string): string =>
  `description: In, content: { application/json: { schema: ${schema} } }`;

async function logIn(
  given: Given,
  body: unknown = { name: 'ada', password: 'x' },
): Promise<{ mock: Mock; status: number; headers: HeaderList; text: string }> {
  const mock = await mockOf({ contract: parseContract(document(given), 'archive.yaml') });
  const answer = await send(mock, `POST ${given.path ?? '/enter'}`, { body: body as never });
  return { mock, status: answer.status, headers: answer.headers, text: textOf(answer) };
}

async function statusWith(mock: Mock, ...headers: HeaderList): Promise<number> {
  return (await send(mock, 'GET /boxes', { headers })).status;
}

describe('the token of a login opens what needs one', () => {
  test.each([
    ['at the top', '{ type: object, properties: { access_token: { type: string } } }'],
    ['in a member', '{ type: object, properties: { data: { $ref: "#/x" } } }'],
    ['as a key', '{ type: object, required: [key], properties: { key: { type: string } } }'],
  ])('%s', async (_, schema) => {
    const inner = '{ type: object, required: [jwt], properties: { jwt: { type: string } } }';
    const required = schema
      .replace('{ type: object, properties', '{ type: object, required: [access_token], properties')
      .replace('[access_token], properties: { data', '[data], properties: { data')
      .replace('{ $ref: "#/x" }', inner);
    const { mock, status, text } = await logIn({ success: answering(required) });
    expect(status).toBe(200);
    const token = /"(?:access_token|jwt|key)":"([^"]+)"/.exec(text)?.[1] ?? '';
    expect(await statusWith(mock, ['Authorization', `Bearer ${token}`])).toBe(200);
    expect(await statusWith(mock, ['Authorization', `Bearer not-${token}`])).toBe(401);
  });

  test('in a documented header', async () => {
    const success = `description: In, headers: { X-Auth-Token: { required: true, schema: {
      type: string } } }`;
    const { mock, headers } = await logIn({ success });
    const token = headerValue(headers, 'X-Auth-Token') ?? '';
    expect(await statusWith(mock, ['Authorization', `Bearer ${token}`])).toBe(200);
  });

  test('in the header of the scheme, where no answer documents it', async () => {
    const { mock, headers } = await logIn({
      success: answering('{ type: object, properties: { id: { type: integer } } }'),
    });
    const own = headerValue(headers, 'Authorization') ?? '';
    expect(own).toMatch(/^Bearer \S+$/);
    expect(await statusWith(mock, ['Authorization', own])).toBe(200);
  });

  test('in the cookie of the scheme', async () => {
    const { mock, headers } = await logIn({
      scheme: '{ type: apiKey, in: cookie, name: sid }',
    });
    const cookie = (headerValue(headers, 'Set-Cookie') ?? '').split(';')[0] ?? '';
    expect(cookie).toMatch(/^sid=/);
    expect(await statusWith(mock, ['Cookie', cookie])).toBe(200);
  });

  test('from the tokenUrl of the contract, whose answer is open', async () => {
    const { mock, text } = await logIn({
      path: '/auth/token',
      scheme: '{ type: oauth2, flows: { password: { tokenUrl: auth/token, scopes: {} } } }',
      success: answering('{}'),
      more: 'security: []',
    });
    const { access_token: token, token_type: type } = JSON.parse(text) as Record<string, string>;
    expect(type).toBe('bearer');
    expect(await statusWith(mock, ['Authorization', `Bearer ${token ?? ''}`])).toBe(200);
  });
});

describe('what the document puts under security by default', () => {
  test.each<[string, Given, number]>([
    ['is open for a login', {}, 200],
    ['is not where the login names it itself', { more: 'security: [{ Own: [] }]' }, 401],
    [
      'is not where the scheme is no token',
      { scheme: '{ type: apiKey, in: header, name: X-Client }' },
      401,
    ],
    [
      'is not for a record with a password',
      {
        request:
          'application/json: { schema: { type: object, properties: { name: {}, password: {}, ' +
          'mail: {}, role: {} } } }',
      },
      401,
    ],
  ])('%s', async (_, given, status) => {
    expect((await logIn(given)).status).toBe(status);
  });
});
