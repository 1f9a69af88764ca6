import { describe, expect, test } from 'vitest';
import { makeRedactor } from '../../src/check/secrets/redact.ts';
import { loadContract } from '../../src/index.ts';
import { emptyBody, type HeaderList } from '../../src/http/message.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import { SecretNames } from '../../src/redact/secret-names.ts';
import { fc } from '../property.ts';

const secret = 'S3cret-1111-aaaa';
const redactor = makeRedactor({ secrets: [], invented: [], headerNames: [], isRecorded: true });

/** The message as everything that is written shows it. */
function shown(body: string, type = 'application/json', headers: HeaderList = []): string {
  const { response } = redactor.exchange({
    baseUrl: 'http://127.0.0.1',
    request: { method: 'GET', target: '/', headers: [], body: emptyBody },
    response: {
      status: 200,
      headers: [['Content-Type', type], ...headers],
      body: new TextEncoder().encode(body),
    },
    durationMs: 1,
  });
  return new TextDecoder().decode(response?.body);
}

/** Names of which the value is a secret, in the ways in which people write names. */
const secretNames = [
  ...['password', 'passwd', 'pwd', 'passphrase', 'newPassword', 'user_password', 'PASSWORD'],
  ...['password_confirmation', 'passwordConfirm', 'password2', 'old-password', 'userpassword'],
  ...['token', 'access_token', 'accessToken', 'refresh_token', 'id_token', 'auth-token'],
  ...['accesstoken', 'csrf_token', 'x-api-token', 'tokenValue', 'bearerToken', 'device_token'],
  ...['secret', 'client_secret', 'clientSecret', 'app.secret', 'SECRET_KEY', 'sharedSecret'],
  ...['api_key', 'apikey', 'apiKey', 'API-Key', 'privateKey', 'private_key', 'access_key'],
  ...['signing_key', 'sessionId', 'session_id', 'PHPSESSID', 'JSESSIONID', 'sessionToken'],
  ...['credentials', 'jwt', 'otp', 'code_verifier', 'client_assertion', 'device_code'],
  ...['user[password]', 'login.password', 'authorization', 'cvv'],
];

/** Names that only resemble those. */
const harmlessNames = [
  ...['token_type', 'tokenType', 'next_page_token', 'nextPageToken', 'pageToken', 'cursor'],
  ...['continuationToken', 'continuation_token', 'nextToken', 'sync_token', '$skiptoken'],
  ...['passwordPolicy', 'password_changed_at', 'passwordExpiresIn', 'secretary', 'secret_name'],
  ...['token_count', 'tokenizer', 'max_tokens', 'expires_in', 'keyboard', 'key', 'keys'],
  ...['primary_key', 'public_key', 'sort_key', 'idempotency_key', 'monkey', 'author', 'authors'],
  ...['session', 'sessions', 'sessionCount', 'compass', 'passenger', 'id', 'code', 'postcode'],
];

describe('names', () => {
  const names = new SecretNames();

  test.each(secretNames)('%s names a secret', (name) => {
    expect(names.member(name)).toBeDefined();
    const body = JSON.stringify({ id: 7, deep: [{ [name]: secret, next: 'kept' }] });
    const hidden = body.replace(secret, '[redacted]');
    expect(shown(body)).toBe(hidden);
  });

  test.each(harmlessNames)('%s names none', (name) => {
    expect(names.member(name)).toBeUndefined();
    const body = JSON.stringify({ [name]: 'a-value-1234' });
    expect(shown(body)).toBe(body);
    expect(redactor.target(`/a?${name}=a-value-1234`)).toBe(`/a?${name}=a-value-1234`);
  });

  test('of the contract: keys of schemes, and what has the format password', async () => {
    const contract = await loadContract({
      openapi: '3.1.0',
      info: { title: 'a', version: '1' },
      paths: {
        '/a': {
          get: {
            parameters: [{ name: 'pin', in: 'query', schema: { $ref: '#/components/schemas/P' } }],
            responses: { 200: { description: 'ok' } },
          },
        },
      },
      components: {
        schemas: {
          P: { type: 'string', format: 'password' },
          Door: {
            type: 'object',
            properties: { opener: { type: 'string', format: 'password', writeOnly: true } },
          },
        },
        securitySchemes: {
          a: { type: 'apiKey', in: 'header', name: 'X-Door' },
          b: { type: 'apiKey', in: 'query', name: 'door' },
          c: { type: 'apiKey', in: 'cookie', name: 'gate' },
        },
      },
    });
    const own = new SecretNames(contract);
    expect(['pin', 'Opener', 'door', 'gate'].map((name) => own.member(name))).toEqual(
      Array(4).fill('one'),
    );
    expect([own.isHeader('x-door'), own.isHeader('X-Other')]).toEqual([true, false]);
  });
});

describe('a secret is hidden', () => {
  test.each<readonly [string, string, string]>([
    ['in a member', `{"password":"${secret}"}`, '{"password":"[redacted]"}'],
    [
      'with escapes',
      String.raw`{"password":"S3cret\"-\\","n":1}`,
      '{"password":"[redacted]","n":1}',
    ],
    ['in a number', '{"otp": 123456, "n": 1}', '{"otp": 0, "n": 1}'],
    [
      'in a list',
      `{"tokens":["${secret}", "b"],"n":1}`,
      '{"tokens":["[redacted]", "[redacted]"],"n":1}',
    ],
    ['under an escaped name', `{"pass\\u0077ord":"${secret}"}`, '{"pass\\u0077ord":"[redacted]"}'],
    ['in JSON that was cut', `{"a":1,"password":"${secret}`, '{"a":1,"password":"[redacted]'],
    [
      'in JSON within a text of JSON',
      JSON.stringify({ echo: JSON.stringify({ password: `${secret}"`, n: 1 }) }),
      JSON.stringify({ echo: JSON.stringify({ password: '[redacted]', n: 1 }) }),
    ],
    [
      'two texts deep',
      JSON.stringify(JSON.stringify(JSON.stringify({ password: `${secret}"\\`, n: 1 }))),
      JSON.stringify(JSON.stringify(JSON.stringify({ password: '[redacted]', n: 1 }))),
    ],
    [
      'in a URL within JSON',
      `{"next":"https://h/cb?access_token=${secret}&a=1#id_token=${secret}"}`,
      '{"next":"https://h/cb?access_token=[redacted]&a=1#id_token=[redacted]"}',
    ],
    [
      'in a URL before a quote',
      String.raw`{"a":"<a href=\"/b?token=${secret}\">","b":1}`,
      String.raw`{"a":"<a href=\"/b?token=[redacted]\">","b":1}`,
    ],
    [
      'in a URL with escapes of JSON',
      String.raw`{"a":"https:\/\/u:${secret}@h\/?token=${secret}\/x\u0026b=1"}`,
      String.raw`{"a":"https:\/\/u:[redacted]@h\/?token=[redacted]\u0026b=1"}`,
    ],
    [
      'in an attribute within JSON',
      String.raw`{"a":"<b token=\"${secret}\" c=\"d\">"}`,
      String.raw`{"a":"<b token=\"[redacted]\" c=\"d\">"}`,
    ],
    [
      'in a line of NDJSON',
      `{"a":1}\n{"secret":"${secret}"}\n`,
      '{"a":1}\n{"secret":"[redacted]"}\n',
    ],
  ])('%s', (_name, body, hidden) => {
    expect(shown(body)).toBe(hidden);
  });

  test('in a form, to the next &, whatever it has', () => {
    const body = `user=a&pass%77ord=${secret};"<b>' c&remember=1`;
    expect(shown(body, 'application/x-www-form-urlencoded')).toBe(
      'user=a&pass%77ord=[redacted]&remember=1',
    );
  });

  test('in a part of a multipart form', () => {
    const part = (name: string, value: string): string =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n` +
      `Content-Type: a/b\r\n\r\n${value}\r\n`;
    const body = (value: string): string =>
      `${part('user', 'a')}${part('password', value)}--x--\r\n`;
    expect(shown(body(`${secret}\r\nsecond line`), 'multipart/form-data; boundary=x')).toBe(
      body('[redacted]'),
    );
  });

  test('in XML: elements, attributes and CDATA', () => {
    const body = (value: string): string =>
      `<a token="${value}"><s:password type="x">${value}</s:password>` +
      `<secret><![CDATA[${value}]]></secret><name>b</name></a>`;
    expect(shown(body(secret), 'application/xml')).toBe(body('[redacted]'));
  });

  test.each<readonly [string, string, string]>([
    ['Location', `https://h/cb?access_token=${secret}`, 'https://h/cb?access_token=[redacted]'],
    ['Location', `/cb#id_token=${secret}&state=1`, '/cb#id_token=[redacted]&state=1'],
    ['Location', `/cb?code=${secret}&state=1`, '/cb?code=[redacted]&state=1'],
    ['Location', `/cb?state=1&code=${secret}`, '/cb?state=1&code=[redacted]'],
    ['Location', '/cb?code=DE', '/cb?code=DE'],
    ['Link', `</a?api_key=${secret}>; rel="next"`, '</a?api_key=[redacted]>; rel="next"'],
    ['Referer', `http://h/?password=${secret}`, 'http://h/?password=[redacted]'],
    ['X-Callback', `https://robin:${secret}@h/a`, 'https://robin:[redacted]@h/a'],
    ['Set-Cookie', `a=${secret}; Path=/`, '[redacted]'],
    ['X-Auth-Token', secret, '[redacted]'],
    ['X-Hub-Signature', secret, '[redacted]'],
    ['X-Forwarded-Authorization', `Bearer ${secret}`, 'Bearer [redacted]'],
    ['X-User', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_1', '[redacted]'],
    ['X-Echo', `Bearer ${secret}`, 'Bearer [redacted]'],
    ['X-Note', 'Bearer authentication is used', 'Bearer authentication is used'],
    ['ETag', '"abc-1234"', '"abc-1234"'],
    ['WWW-Authenticate', 'Basic realm="api"', 'Basic realm="api"'],
    ['Idempotency-Key', 'abc-1234', 'abc-1234'],
  ])('in the header %s: %s', (name, value, hidden) => {
    expect(redactor.header([name, value])).toEqual([name, hidden]);
  });

  test('by its form, wherever it is', () => {
    const key = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----';
    expect(redactor.text(`a ${key} b`)).toBe('a [redacted] b');
    expect(shown(JSON.stringify({ pem: key }))).toBe('{"pem":"[redacted]"}');
    expect(redactor.text('-----BEGIN PRIVATE KEY-----\nMHcC')).toBe('[redacted]');
    expect(redactor.text('log: Authorization: Basic cm9iaW46aHVudGVy MjI')).toContain('[redacted]');
  });
});

describe('what is hidden', () => {
  test('keeps its type, and what was JSON stays JSON', () => {
    const value = {
      password: 'a"b',
      otp: 12,
      secret: true,
      token: null,
      credentials: { user: 'robin', password: secret },
      tokens: 1500,
      api_key: '',
    };
    const hidden = {
      password: '[redacted]',
      otp: 0,
      secret: true,
      token: null,
      credentials: { user: 'robin', password: '[redacted]' },
      tokens: 1500,
      api_key: '',
    };
    expect(redactor.value(value)).toEqual(hidden);
    const reading = parseJson(new TextEncoder().encode(shown(JSON.stringify(value, null, 2))));
    expect(reading.ok && reading.value).toEqual(hidden);
  });

  test('is not hidden again, and placeholders of a shell stay', () => {
    const once = redactor.text(`?token=${secret}&a={"password":"${secret}"}`);
    expect(redactor.text(once)).toBe(once);
    const known = makeRedactor({
      secrets: [{ value: secret, shell: '$GATEWAY_KEY' }],
      invented: ['made-up-1234'],
      headerNames: [],
    });
    expect(known.text(`/a?api_key=${secret}`)).toBe('/a?api_key=$GATEWAY_KEY');
    expect(known.text('/a?api_key=made-up-1234')).toBe('/a?api_key=made-up-1234');
  });

  test('is not what a run made up itself: its requests can be repeated', () => {
    const own = makeRedactor({ secrets: [], invented: [], headerNames: [] });
    const body = new TextEncoder().encode('{"password":"made-up"}');
    const answer = { status: 200, headers: [], body };
    const request = { method: 'POST', target: '/?token=a', headers: [], body };
    const { request: sent, response } = own.exchange({
      baseUrl: 'http://h',
      request,
      response: answer,
      durationMs: 1,
    });
    expect(sent).toEqual(request);
    expect(new TextDecoder().decode(response?.body)).toBe('{"password":"[redacted]"}');
    expect(own.own(`curl -d '{"password":"made-up"}'`)).toContain('made-up');
  });

  const piece = fc.oneof(
    fc.constantFrom('?token=', '"password":"', 'secret="', "'", '\\', '&', '</a>', '<secret>'),
    fc.constantFrom('Bearer abcdefgh1', 'http://a:b@c', '?code=a&state=b', ';', '\n', '{', '['),
    fc.string({ maxLength: 4 }),
  );
  const anyText = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  const anyName = fc.constantFrom('password', 'token', 'a', 'tokens', 'api_key', 'x"y', 'id');
  const { value: anyJson } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      anyText,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(anyName, tie('value'), { maxKeys: 4 }),
      // JSON within a text of JSON.
      tie('value').map((value) => JSON.stringify(value)),
    ),
  }));

  test('is JSON still, whatever it was in, and has the same members', () => {
    const shape = (text: string): string =>
      JSON.stringify(JSON.parse(text), (_name, member: unknown) =>
        typeof member === 'string' || typeof member === 'number' ? typeof member : member,
      );
    fc.assert(
      fc.property(anyJson, (value) => {
        const before = JSON.stringify(value);
        expect(shape(shown(before))).toBe(shape(before));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['quotes', '"'.repeat(1_000_000)],
    ['backslashes', '\\'.repeat(1_000_000)],
    ['names', '"a":'.repeat(250_000)],
    ['secret names', '"password":"'.repeat(80_000)],
    ['pairs', 'password=&'.repeat(100_000)],
    ['equals signs', '='.repeat(1_000_000)],
    ['tags', '<a '.repeat(300_000) + '</'],
    ['parts', `form-data ${'; name="a"\r\n'.repeat(80_000)}`],
    ['beginnings of tokens', 'eyJaaaaaaaa.a'.repeat(80_000)],
    ['beginnings of keys', '-----BEGIN PRIVATE KEY-----'.repeat(40_000)],
    ['schemes', 'Bearer '.repeat(150_000)],
    ['codes', '&code=a'.repeat(150_000) + '&state='],
    ['URLs', 'http://a:'.repeat(100_000)],
  ])('is found in a time that grows with the text: %s', (_name, text) => {
    const before = process.cpuUsage();
    redactor.text(text);
    const { user } = process.cpuUsage(before);
    expect(user / 1_000_000).toBeLessThan(5);
  });
});
