import { describe, expect, test } from 'vitest';
import {
  evaluateExpression,
  fillUrl,
  parseExpression,
  type ExpressionFacts,
} from '../../src/contract/runtime-expression.ts';

/** The exchange of OpenAPI's own examples (3.1, section 4.8.18.1), and a little more. */
const facts: ExpressionFacts = {
  url: 'http://example.org/subscribe/myevent?queryUrl=http://clientdomain.com/stillrunning',
  method: 'POST',
  request: {
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Twice', 'one'],
      ['x-twice', 'two'],
    ],
    query: [
      ['queryUrl', 'http://clientdomain.com/stillrunning'],
      ['list', 'a'],
      ['list', 'b'],
    ],
    path: new Map([['eventType', 'myevent']]),
    body: {
      failedUrl: 'http://clientdomain.com/failed',
      successUrls: ['http://clientdomain.com/fast', 'http://clientdomain.com/medium'],
      'a/b': { 'm~n': 9007199254740993n },
      none: null,
    },
  },
  response: {
    status: 201,
    headers: [['Location', 'http://example.org/subscription/1']],
    body: { id: 7, ok: true },
  },
};

describe('a runtime expression', () => {
  test.each([
    ['$url', facts.url],
    ['$method', 'POST'],
    ['$statusCode', 201],
    ['$request.path.eventType', 'myevent'],
    ['$request.query.queryUrl', 'http://clientdomain.com/stillrunning'],
    ['$request.query.list', 'a'],
    ['$request.header.content-type', 'application/json'],
    ['$request.header.X-Twice', 'one'],
    ['$request.body', facts.request.body],
    ['$request.body#', facts.request.body],
    ['$request.body#/failedUrl', 'http://clientdomain.com/failed'],
    ['$request.body#/successUrls/1', 'http://clientdomain.com/medium'],
    ['$request.body#/a~1b/m~0n', 9007199254740993n],
    ['$request.body#/none', null],
    ['$response.header.Location', 'http://example.org/subscription/1'],
    ['$response.body#/id', 7],
  ])('%s comes to its value', (text, value) => {
    expect(evaluateExpression(text, facts)).toEqual(value);
  });

  test.each([
    '$request.body#/missing',
    '$request.body#/successUrls/2',
    '$request.body#/constructor',
    '$request.query.missing',
    '$request.path.missing',
    '$response.header.missing',
    '$response.query.list',
    '$response.path.eventType',
  ])('%s comes to nothing', (text) => {
    expect(evaluateExpression(text, facts)).toBeUndefined();
  });

  test.each(['$response.body#/id', '$statusCode', '$response.header.Location'])(
    '%s comes to nothing before there is a response',
    (text) => {
      const { response: _response, ...before } = facts;
      expect(evaluateExpression(text, before)).toBeUndefined();
    },
  );

  test.each([
    '',
    'url',
    '$Url',
    '$status',
    '$request',
    '$request.',
    '$request.body#pointer',
    '$request.cookie.a',
    '$request.header.',
    '{$url}',
    '$url ',
  ])('%j is none', (text) => {
    expect(parseExpression(text)).toBeUndefined();
  });
});

describe('a URL made of expressions', () => {
  test.each([
    ['$request.query.queryUrl', 'http://clientdomain.com/stillrunning'],
    ['{$request.query.queryUrl}', 'http://clientdomain.com/stillrunning'],
    [
      '{$request.query.queryUrl}/data?event={$request.path.eventType}',
      'http://clientdomain.com/stillrunning/data?event=myevent',
    ],
    [
      'http://notify.test?url={$request.query.queryUrl}&id={$response.body#/id}',
      'http://notify.test?url=http%3A%2F%2Fclientdomain.com%2Fstillrunning&id=7',
    ],
    [
      'http://127.0.0.1:9/{$request.header.content-type}/{$response.body#/ok}',
      'http://127.0.0.1:9/application/json/true',
    ],
    ['http://127.0.0.1/{$request.body#/a~1b/m~0n}', 'http://127.0.0.1/9007199254740993'],
    ['http://example.org/fixed', 'http://example.org/fixed'],
  ])('%s', (template, url) => {
    expect(fillUrl(template, facts)).toBe(url);
  });

  test('keeps a value in its place: it can neither end the path nor begin another pair', () => {
    const hostile: ExpressionFacts = {
      ...facts,
      request: { ...facts.request, body: { name: 'a?b#c&d=e', host: 'localhost:9' } },
    };
    expect(
      fillUrl(
        'http://{$request.body#/host}/{$request.body#/name}?n={$request.body#/name}',
        hostile,
      ),
    ).toBe('http://localhost:9/a%3Fb%23c%26d%3De?n=a%3Fb%23c%26d%3De');
  });

  test.each([
    '$request.body',
    '{$request.body#/successUrls}',
    'http://a/{$request.body#/none}',
    'http://a/{$request.body#/missing}',
    'http://a/{$nonsense}',
  ])('%s comes to nothing', (template) => {
    expect(fillUrl(template, facts)).toBeUndefined();
  });
});
