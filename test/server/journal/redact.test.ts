import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { makeRedact } from '../../../src/server/journal/redact.ts';
import { thingsDocument } from '../things-contract.ts';

const redact = makeRedact(parseContract(thingsDocument, 'things.yaml'), ['the-known-key', 'key']);

test.each([
  [['Authorization', 'Bearer abc'], '[redacted]'],
  [['PROXY-AUTHORIZATION', 'Basic abc'], '[redacted]'],
  [['cookie', 'a=b'], '[redacted]'],
  [['Set-Cookie', 'a=b'], '[redacted]'],
  [['x-key', 'abc'], '[redacted]'],
  [['X-Other', 'abc'], 'abc'],
  [['X-Other', 'holds the-known-key inside'], 'holds [redacted] inside'],
  [['X-Other', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_1'], '[redacted]'],
] as const)('the header %j shows %s', (header, shown) => {
  expect(redact.headers([header])).toEqual([[header[0], shown]]);
});

test.each([
  ['/things', '/things'],
  ['/things?limit=1', '/things?limit=1'],
  ['/things?key=abc&limit=1', '/things?key=[redacted]&limit=1'],
  ['/things?k%65y=abc', '/things?k%65y=[redacted]'],
  ['/things?access_token=abc', '/things?access_token=[redacted]'],
  ['/things?keyed=abc&%zz=1', '/things?keyed=abc&%zz=1'],
  ['/things?q=the-known-key', '/things?q=[redacted]'],
])('the target %s shows %s', (target, shown) => {
  expect(redact.target(target)).toBe(shown);
});

test.each([
  ['{"access_token":"abc","name":"x"}', '{"access_token":"[redacted]","name":"x"}'],
  ['{"password" : "a\\"b","n":1}', '{"password" : "[redacted]","n":1}'],
  ['grant_type=x&client_secret=abc&scope=y', 'grant_type=x&client_secret=[redacted]&scope=y'],
  ['password=abc', 'password=[redacted]'],
  ['{"echo":"{\\"password\\":\\"abc\\"}"}', '{"echo":"{\\"password\\":\\"[redacted]\\"}"}'],
  ['{"name":"key"}', '{"name":"key"}'],
])('the body %s shows %s', (text, shown) => {
  expect(redact.text(text)).toBe(shown);
});

test.each([
  [
    'header Authorization must be a, but is b',
    'header Authorization is not as it must be (its value is a secret)',
  ],
  ['header X-Other must be a, but is b', 'header X-Other must be a, but is b'],
  [
    'query key must be a, but is not there',
    'query key is not as it must be (its value is a secret)',
  ],
  [
    'body.login.password must be "a", but is "b"',
    'body.login.password is not as it must be (its value is a secret)',
  ],
  [
    'body.password is missing; it must be "a"',
    'body.password is not as it must be (its value is a secret)',
  ],
  ['body.name must be "a", but is "b"', 'body.name must be "a", but is "b"'],
])('the sentence %s shows %s', (sentence, shown) => {
  expect(redact.sentence(sentence)).toBe(shown);
});

test('knows what a request was sent as a secret wherever that is repeated', () => {
  const own = redact.within({
    target: '/things?key=from-the-query',
    headers: [
      ['Authorization', 'Bearer from-the-header'],
      ['Cookie', 'session=from-the-cookie; a=b'],
    ],
  });
  expect(own.text('from-the-query, from-the-header, from-the-cookie, Bearer, b')).toBe(
    '[redacted], [redacted], [redacted], Bearer, b',
  );
  expect(redact.text('from-the-query')).toBe('from-the-query');
});
