import { describe, expect, test } from 'vitest';
import { codeFrame, makeLocator } from '../../src/contract/locate.ts';

const text = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'A document of one line', version: '1' },
  paths: {
    '/pets': {
      get: {
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'strin', default: 'x'.repeat(200) } },
        ],
      },
    },
  },
});

describe('the frame of a document that is written in one line', () => {
  const { frame, locate } = makeLocator('api.json', text);

  test('has the pointer, and a line for each neighbor', () => {
    expect(frame('/paths/~1pets/get/parameters/0/in')).toBe(
      [
        '  | /paths/~1pets/get/parameters/0/in',
        '  |   "name": "limit"',
        '> |   "in": "query"',
        '  |   ^',
        `  |   "schema": {"type":"strin","default":"${'x'.repeat(121)}`,
      ].join('\n'),
    );
  });

  test('names the nearest pointer that the document has', () => {
    expect(frame('/info/license/name').split('\n')[0]).toBe('  | /info');
    expect(frame('').split('\n').slice(0, 2)).toEqual([
      '  | the whole document',
      '> |   "openapi": "3.0.3"',
    ]);
  });

  test('is the usual one if lines are short', () => {
    const lines = makeLocator('api.json', JSON.stringify(JSON.parse(text), null, 2));
    expect(lines.frame('/info/version')).toContain('> 5 |     "version": "1"');
    expect(locate('/info/version').line).toBe(1);
  });
});

test('shows the part of a long line around the column', () => {
  const frame = codeFrame(`${'a'.repeat(500)}!${'b'.repeat(500)}\n`, { line: 1, column: 501 });
  const [shown = '', caret = ''] = frame.split('\n');
  expect(shown.length).toBeLessThan(180);
  expect(shown).toContain('…aaa');
  expect(shown[caret.indexOf('^')]).toBe('!');
});
