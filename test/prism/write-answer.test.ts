import prismHttp from '@stoplight/prism-http';
import { describe, expect, test } from 'vitest';
import { headerValue } from '../../src/http/message.ts';
import { writeAnswer, writeError } from '../../src/prism/write-answer.ts';

type Made = Parameters<typeof writeAnswer>[0];

function make(
  output: Partial<Made['output']>,
  violations: Made['validations']['output'] = [],
): Made {
  return { output: { statusCode: 200, ...output }, validations: { input: [], output: violations } };
}

describe('a response of Prism', () => {
  test('becomes bytes, without header fields that vouch sets', () => {
    const headers = {
      'Content-type': 'application/json',
      'X-Rate': '5',
      'Content-Length': '1',
      'Transfer-Encoding': 'chunked',
      Connection: 'upgrade',
    };
    const {
      status,
      headers: sent,
      body,
    } = writeAnswer(make({ headers, body: { title: 'Émile' } }));
    expect(status).toBe(200);
    expect(sent).toEqual([
      ['Content-type', 'application/json'],
      ['X-Rate', '5'],
    ]);
    expect(new TextDecoder().decode(body)).toBe('{"title":"Émile"}');
  });

  test('with violations has them in a header, in ASCII', () => {
    const { headers } = writeAnswer(
      make({}, [{ severity: 0, code: 'type', path: ['body', 'é'], message: 'must be “x”' }]),
    );
    const text = headerValue(headers, 'sl-violations') ?? '';
    expect(text).toMatch(/^[ -~]+$/);
    expect(JSON.parse(text)).toEqual([
      {
        location: ['response', 'body', 'é'],
        severity: 'Error',
        code: 'type',
        message: 'must be “x”',
      },
    ]);
  });

  test('with a thousand violations has their number, within the size of a header', () => {
    const { headers } = writeAnswer(
      make(
        {},
        Array.from({ length: 1_000 }, () => ({ severity: 1, message: 'wrong' })),
      ),
    );
    expect(headerValue(headers, 'sl-violations')).toMatch(/^Too many violations! \[/);
    expect(headerValue(headers, 'sl-violations')?.length).toBeLessThan(8_192);
  });

  test.each([
    ['a status that ends no exchange', make({ statusCode: 101 })],
    ['a status that is none', make({ statusCode: NaN })],
    ['a line break in a header', make({ headers: { 'X-Note': 'a\r\nSet-Cookie: b' } })],
    ['a header without a name', make({ headers: { '': 'a' } })],
    [
      'a body of 5 MiB',
      make({ headers: { 'Content-type': 'text/plain' }, body: 'a'.repeat(5 * 1024 * 1024) }),
    ],
  ])('is refused for %s', (_, made) => {
    expect(() => writeAnswer(made)).toThrow();
  });
});

describe('an error of Prism', () => {
  test('keeps the type, status and members of Prism', () => {
    const error = prismHttp.ProblemJsonError.fromTemplate(prismHttp.UNAUTHORIZED, 'No.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
    const { status, headers, body } = writeError(prismHttp, error);
    expect(status).toBe(401);
    expect(headers).toEqual([
      ['Content-Type', 'application/problem+json'],
      ['WWW-Authenticate', 'Bearer'],
    ]);
    expect(JSON.parse(new TextDecoder().decode(body))).toMatchObject({
      type: 'https://stoplight.io/prism/errors#UNAUTHORIZED',
      status: 401,
      detail: 'No.',
    });
  });

  test.each([new Error('boom'), 'boom'])(
    'is status 500 where Prism did not foresee it: %s',
    (error) => {
      const { status, body } = writeError(prismHttp, error);
      expect(status).toBe(500);
      expect(JSON.parse(new TextDecoder().decode(body))).toMatchObject({
        title: 'boom',
        status: 500,
      });
    },
  );
});
