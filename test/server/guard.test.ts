import { describe, expect, test } from 'vitest';
import type { HeaderList } from '../../src/http/message.ts';
import { readCodings } from '../../src/server/connection/read-body.ts';
import {
  guardRules,
  inspectHead,
  originForm,
  parseAuthority,
  type RequestHead,
} from '../../src/server/guard/guard.ts';
import { isFieldName, safeValue } from '../../src/server/send-response.ts';
import { makeContract } from '../contract/make-contract.ts';

const headOf = (changed: Partial<RequestHead>, headers: HeaderList = []): RequestHead => ({
  method: 'GET',
  target: '/things',
  version: '1.1',
  headers: [['Host', 'localhost'], ...headers],
  ...changed,
});

/** One head for each rule that breaks it and no other. */
const breaking: Readonly<Record<string, RequestHead>> = {
  knownVersion: headOf({ version: '2.0' }),
  knownMethod: headOf({ method: 'PURGE' }),
  boundedTarget: headOf({ target: `/${'a'.repeat(8_000)}` }),
  readableTarget: headOf({ target: '*' }),
  boundedHeaders: headOf(
    {},
    Array.from({ length: 100 }, (): [string, string] => ['X-A', 'b']),
  ),
  soundHost: headOf({ headers: [] }),
  singleFields: headOf({}, [
    ['Authorization', 'a'],
    ['AUTHORIZATION', 'a'],
  ]),
  knownTransferCoding: headOf({}, [['Transfer-Encoding', 'gzip, chunked']]),
  knownCoding: headOf({}, [['Content-Encoding', 'zstd']]),
  knownExpectation: headOf({}, [['Expect', 'miracles']]),
};

describe.each(guardRules.map((rule) => ({ name: rule.name, rule })))(
  'the rule $name',
  ({ name, rule }) => {
    test('accepts a conforming head', () => {
      const kept: HeaderList = [
        ['Transfer-Encoding', 'Chunked'],
        ['Content-Encoding', 'gzip'],
        ['Expect', '100-Continue'],
        ['Authorization', 'a'],
      ];
      expect(rule(headOf({ method: 'POST' }, kept))).toBeUndefined();
    });

    test('is the only rule that refuses a violating head, with a problem', () => {
      const head = breaking[name];
      if (head === undefined) throw new Error(`no head breaks ${name}`);
      const copy = structuredClone(head);
      const refusing = guardRules.filter((each) => each(head) !== undefined);
      expect(refusing.map((each) => each.name)).toEqual([name]);
      expect(inspectHead(head)).toEqual(rule(head));
      expect(rule(head)?.headers[0]).toEqual(['Content-Type', 'application/problem+json']);
      expect(head).toEqual(copy);
    });
  },
);

test('a non-standard method is accepted only if the contract declares it', () => {
  const contract = makeContract({
    openapi: '3.2.0',
    paths: { '/things': { additionalOperations: { PURGE: { responses: {} } } } },
  });
  expect(inspectHead(headOf({ method: 'PURGE' }), contract)).toBeUndefined();
  expect(inspectHead(headOf({ method: 'UNLINK' }), contract)?.status).toBe(501);
});

test.each([
  ['', 400],
  [' , ', 400],
  ['chunked, ', 501],
  ['gzip', 501],
])('a Transfer-Encoding of "%s" gets %d', (coding, status) => {
  expect(inspectHead(headOf({ method: 'POST' }, [['Transfer-Encoding', coding]]))?.status).toBe(
    status,
  );
});

test.each([
  ['/things?a=b', '/things?a=b'],
  ['//things', '//things'],
  ['*', '*'],
  ['http://a/things', '/things'],
  ['https://a:1/things?b', '/things?b'],
  ['http://a', '/'],
  ['http://a?b', '/?b'],
  ['http:///things', undefined],
  ['http://u:p@a/things', undefined],
  ['ftp://a/things', undefined],
  ['things', undefined],
  ['', undefined],
  ['/things#a', undefined],
])('the target %s is the path %s', (target, path) => {
  expect(originForm(target)).toBe(path);
});

test.each([
  ['localhost', { host: 'localhost', port: undefined }],
  ['Example.Test:80', { host: 'example.test', port: '80' }],
  ['a:', { host: 'a', port: undefined }],
  ['a%20b', { host: 'a%20b', port: undefined }],
  ['[::1]:80', { host: '[::1]', port: '80' }],
  ['[::1', undefined],
  ['[1.2.3.4]', undefined],
  ['::1', undefined],
  ['a:65536', undefined],
  ['a:b', undefined],
  ['a/b', undefined],
  ['a@b', undefined],
  ['a b', undefined],
  ['a%zz', undefined],
  ['', undefined],
])('the Host %j is %j', (text, authority) => {
  expect(parseAuthority(text)).toEqual(authority);
});

test.each([
  [[], 'identity'],
  [['identity'], 'identity'],
  [['GZIP'], 'gzip'],
  [['x-gzip'], 'gzip'],
  [['identity, br'], 'br'],
  [['', 'deflate'], 'deflate'],
  [['gzip, br'], undefined],
  [['gzip', 'gzip'], undefined],
  [['zstd'], undefined],
  [['constructor'], undefined],
])('the codings %j are %s', (values, coding) => {
  expect(readCodings(values.map((value) => ['Content-Encoding', value]))).toBe(coding);
});

test.each([
  ['X-A', 'plain', [['X-A', 'plain']]],
  ['X-A', 'tab\tstays', [['X-A', 'tab\tstays']]],
  ['X-A', 'a\r\nX-B: c', [['X-A', 'a  X-B: c']]],
  ['X-A', 'a\0b\x7f', [['X-A', 'a b']]],
  ['X-A', 'é', [['X-A', 'é']]],
  ['X-A', '€', [['X-A', 'â\x82¬']]],
  ['X-A', '\ud800', [['X-A', 'ï¿½']]],
  ['X A', 'b', []],
  ['', 'b', []],
  ['X-A\r\n', 'b', []],
])('the field %j: %j goes out as %j', (name, value, sent) => {
  expect(isFieldName(name) ? [[name, safeValue(value)]] : []).toEqual(sent);
});
