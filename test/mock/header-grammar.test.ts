import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { headerValue } from '../../src/http/message.ts';
import { mockOf, send } from './workshop.ts';

const token = "[\\w!#$%&'*+.^`|~-]+";
const text = '(?:"[^"]*"|[^\\s;,"]+)';
const date = '[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT';

/** Fields of HTTP, with the grammar of the RFC that defines each. */
const grammars: Readonly<Record<string, RegExp>> = {
  'Accept-Patch': new RegExp(`^${token}/${token}$`),
  'Access-Control-Max-Age': /^\d+$/,
  Age: /^\d+$/,
  Allow: new RegExp(`^${token}(, ${token})*$`),
  'Alt-Svc': new RegExp(`^${token}=${text}$`),
  'Content-Digest': /^sha-256=:[\w+/]+=*:$/,
  'Cross-Origin-Resource-Policy': /^(same-origin|same-site|cross-origin)$/,
  Deprecation: /^@\d+$/,
  Digest: /^SHA-256=[\w+/]+=*$/,
  Expires: new RegExp(`^${date}$`),
  Pragma: /^no-cache$/,
  'Proxy-Authenticate': new RegExp(`^${token}( .*)?$`),
  'Server-Timing': new RegExp(`^${token}(;${token}=${text})*$`),
  Server: new RegExp(`^${token}(/${token})?$`),
  'Strict-Transport-Security': /^max-age=\d+(; includeSubDomains)?$/,
  Traceparent: /^00-[\da-f]{32}-[\da-f]{16}-0[01]$/,
  Via: new RegExp(`^\\d\\.\\d ${token}$`),
};

const headers = Object.keys(grammars)
  .map((name) => `            ${name}: { required: true, schema: { type: string } }\n`)
  .join('');
const contract = parseContract(
  `openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths:\n  /films:\n    get:\n` +
    "      operationId: readFilm\n      responses:\n        '200':\n" +
    `          description: All\n          headers:\n${headers}` +
    '          content: { video/mp4: { schema: { type: string, format: binary } } }\n' +
    "        '206':\n          description: A part\n" +
    '          content: { video/mp4: { schema: { type: string, format: binary } } }\n' +
    "        '416':\n          description: None of it\n          headers:\n" +
    '            Content-Range: { required: true, schema: { type: string } }\n',
  'films.yaml',
);

describe('a header that a contract requires as a text', () => {
  test('has a value of its grammar', async () => {
    const answer = await send(await mockOf({ contract }), 'GET /films');
    expect(
      Object.entries(grammars).flatMap(([name, grammar]) => {
        const value = headerValue(answer.headers, name) ?? '';
        return grammar.test(value) ? [] : [`${name}: ${value}`];
      }),
    ).toEqual([]);
  });
});

describe('the range of a body', () => {
  const withCode = async (code: number): Promise<[string | undefined, number]> => {
    const prefer: [string, string][] = [['Prefer', `code=${String(code)}`]];
    const answer = await send(await mockOf({ contract }), 'GET /films', { headers: prefer });
    return [headerValue(answer.headers, 'Content-Range'), answer.body.length];
  };

  test('fits the bytes of a part, also where it is not documented', async () => {
    const [range, size] = await withCode(206);
    expect(range).toBe(`bytes 0-${String(size - 1)}/${String(size)}`);
  });

  test('is none in a whole body, and unsatisfied in a 416', async () => {
    expect((await withCode(200))[0]).toBeUndefined();
    expect((await withCode(416))[0]).toMatch(/^bytes \*\/\d+$/);
  });
});
