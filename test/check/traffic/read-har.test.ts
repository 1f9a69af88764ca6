import { describe, expect, test } from 'vitest';
import { readHar } from '../../../src/check/traffic/read-har.ts';

const encode = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

function harOf(...entries: readonly object[]): Uint8Array {
  return encode({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } });
}

const plain = {
  startedDateTime: '2026-01-01T00:00:00Z',
  time: 12,
  request: {
    method: 'GET',
    url: 'http://api.example.com/v1/things/a%2Fb?x=1#top',
    headers: [
      { name: ':authority', value: 'api.example.com' },
      { name: 'Accept', value: 'application/json' },
    ],
  },
  response: {
    status: 200,
    headers: [
      { name: 'Content-Type', value: 'application/json' },
      { name: 'Content-Encoding', value: 'gzip' },
      { name: 'Content-Length', value: '5' },
    ],
    content: { size: 8, mimeType: 'application/json', text: '{"id":1}' },
  },
};

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('an entry of a HAR file', () => {
  test('becomes an exchange with raw path, no pseudo-headers and a decoded body', () => {
    const [recorded] = readHar(harOf(plain), 'a.har').exchanges;
    expect(recorded?.label).toBe('entry 1');
    expect(recorded?.bodyRecorded).toBe(true);
    expect(recorded?.exchange).toMatchObject({
      baseUrl: 'http://api.example.com',
      durationMs: 12,
      request: {
        method: 'GET',
        target: '/v1/things/a%2Fb?x=1',
        headers: [['Accept', 'application/json']],
      },
    });
    expect(recorded?.exchange.response?.headers).toEqual([['Content-Type', 'application/json']]);
    expect(text(recorded?.exchange.response?.body ?? new Uint8Array())).toBe('{"id":1}');
  });

  test.each([
    {
      name: 'text',
      postData: { mimeType: 'application/json', text: '{"a":"ü"}' },
      body: '{"a":"ü"}',
    },
    {
      name: 'base64',
      postData: { mimeType: 'application/json', text: 'eyJhIjoxfQ==', encoding: 'base64' },
      body: '{"a":1}',
    },
    {
      name: 'the fields of a form',
      postData: {
        mimeType: 'application/x-www-form-urlencoded',
        params: [
          { name: 'a', value: '1 2' },
          { name: 'b', value: '&' },
        ],
      },
      body: 'a=1+2&b=%26',
    },
    { name: 'nothing', postData: undefined, body: '' },
  ])('has the request body that was recorded as $name', ({ postData, body }) => {
    const [recorded] = readHar(
      harOf({
        ...plain,
        request: {
          ...plain.request,
          method: 'POST',
          ...(postData === undefined ? {} : { postData }),
        },
      }),
      'a.har',
    ).exchanges;
    expect(text(recorded?.exchange.request.body ?? new Uint8Array([1]))).toBe(body);
  });

  test('says if the body of the response was not recorded', () => {
    const { exchanges } = readHar(
      harOf({
        ...plain,
        response: { ...plain.response, content: { size: 400, mimeType: 'application/json' } },
      }),
      'a.har',
    );
    expect(exchanges.map(({ bodyRecorded }) => bodyRecorded)).toEqual([false]);
  });

  test.each([
    {
      why: 'not over HTTP',
      entry: { ...plain, request: { ...plain.request, url: 'data:text/plain,hello' } },
    },
    {
      why: 'without a response',
      entry: { ...plain, response: { status: 0, headers: [], content: { size: 0 } } },
    },
    { why: 'answered from a cache', entry: { ...plain, _fromCache: 'disk' } },
    { why: 'answered from a cache', entry: { ...plain, response: { status: 304, headers: [] } } },
    {
      why: 'with a request body that was not recorded',
      entry: { ...plain, request: { ...plain.request, method: 'POST', bodySize: 12 } },
    },
    {
      why: 'with a request body that was not recorded',
      entry: {
        ...plain,
        request: {
          ...plain.request,
          method: 'POST',
          postData: { mimeType: 'multipart/form-data; boundary=x', params: [{ name: 'file' }] },
        },
      },
    },
    { why: 'not over HTTP', entry: 'no entry at all' as unknown as object },
  ])('is left out and counted where it is $why', ({ why, entry }) => {
    const { exchanges, unusable } = readHar(harOf(entry), 'a.har');
    expect(exchanges).toEqual([]);
    expect([...unusable]).toEqual([[why, 1]]);
  });
});

describe('a file that is not a HAR', () => {
  test.each([
    { name: 'not JSON', bytes: encode('not JSON') },
    { name: 'without entries', bytes: encode({ log: {} }) },
    { name: 'a list', bytes: encode([]) },
    { name: 'empty', bytes: encode('') },
  ])('$name is refused with its name and the way out', ({ bytes }) => {
    expect(() => readHar(bytes, 'a.har')).toThrow(/^a\.har cannot be read as a HAR file: /);
  });

  test('ignores a byte order mark, which some tools write', () => {
    const bytes = Uint8Array.from([0xef, 0xbb, 0xbf, ...harOf(plain)]);
    expect(readHar(bytes, 'a.har').exchanges).toHaveLength(1);
  });
});
