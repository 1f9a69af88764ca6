import { expect, test } from 'vitest';
import { UnsendableRequest } from '../../../../src/check/transport/send.ts';
import { writeRequestHead } from '../../../../src/check/transport/wire/wire-transport.ts';
import type { HttpRequest } from '../../../../src/http/message.ts';

function write(request: Partial<HttpRequest>, prefix = '', proxyFields = ''): string {
  return writeRequestHead(
    { method: 'GET', target: '/a', headers: [], body: new Uint8Array(), ...request },
    { host: 'h:1', prefix, proxyFields },
  );
}

test.each<[string, Partial<HttpRequest>, string]>([
  ['what is asked for, and of whom', {}, 'GET /a HTTP/1.1\r\nHost: h:1\r\n\r\n'],
  ['a host of its own', { headers: [['hOST', 'other']] }, 'GET /a HTTP/1.1\r\nhOST: other\r\n\r\n'],
  [
    'bytes beyond ASCII as they are',
    { target: '/\xff', headers: [['X', 'a\t\xe9']] },
    'GET /\xff HTTP/1.1\r\nHost: h:1\r\nX: a\t\xe9\r\n\r\n',
  ],
  [
    'how long a body is',
    { method: 'DELETE', body: new Uint8Array(3) },
    'DELETE /a HTTP/1.1\r\nHost: h:1\r\nContent-Length: 3\r\n\r\n',
  ],
  [
    'that a body is empty, where one belongs',
    { method: 'PATCH' },
    'PATCH /a HTTP/1.1\r\nHost: h:1\r\nContent-Length: 0\r\n\r\n',
  ],
  [
    'the length once, where it is given',
    { method: 'POST', headers: [['content-length', ' 2 ']], body: new Uint8Array(2) },
    'POST /a HTTP/1.1\r\nHost: h:1\r\nContent-Length: 2\r\n\r\n',
  ],
])('a head says %s', (_name, request, head) => {
  expect(write(request)).toBe(head);
});

test('the head for a proxy has the whole URL and proxy fields', () => {
  expect(write({}, 'http://h:1', 'Proxy-Authorization: x\r\n')).toBe(
    'GET http://h:1/a HTTP/1.1\r\nHost: h:1\r\nProxy-Authorization: x\r\n\r\n',
  );
});

test.each<[string, Partial<HttpRequest>, string]>([
  ['a method with a space', { method: 'GE T' }, 'the method "GE T" is no token'],
  ['no method', { method: '' }, 'the method "" is no token'],
  [
    'a target with a space',
    { target: '/a b' },
    'the target "/a b" has a character that a request line cannot contain',
  ],
  [
    'a target with a line break',
    { target: '/a\r\nX: y' },
    'the target "/a\\r\\nX: y" has a character that a request line cannot contain',
  ],
  ['no target', { target: '' }, 'the target "" has a character that a request line cannot contain'],
  [
    'a target beyond bytes',
    { target: '/€' },
    'the target "/€" has a character that a request line cannot contain',
  ],
  ['a name with a colon', { headers: [['a:b', '1']] }, '"a:b" is no name of a header field'],
  [
    'a value with a line break',
    { headers: [['A', '1\n']] },
    'the header A has a character that a header cannot contain',
  ],
  [
    'a value beyond bytes',
    { headers: [['A', '€']] },
    'the header A has a character that a header cannot contain',
  ],
  [
    'another length',
    { headers: [['Content-Length', '1']] },
    'Content-Length is 1, and the body has 0 bytes',
  ],
  ...['Connection', 'Keep-Alive', 'Transfer-Encoding', 'Upgrade', 'Expect', 'TE', 'Trailer'].map(
    (name): [string, Partial<HttpRequest>, string] => [
      name,
      { headers: [[name, 'x']] },
      `the header ${name.toLowerCase()} belongs to the connection, and cannot be chosen`,
    ],
  ),
])('%s cannot be sent', (_name, request, message) => {
  expect(() => write(request)).toThrow(new UnsendableRequest(message));
});
