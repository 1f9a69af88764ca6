import express from 'express';
import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { VouchError } from '../../src/errors.ts';
import type { Answer } from '../../src/mock/mock.ts';
import type { AppOptions } from '../../src/server/serving-parts.ts';
import { createApp } from '../../src/server/create-app.ts';
import type { ExchangeRecord } from '../../src/server/journal/journal.ts';
import { fakeMock, type FakeMock } from './fake-mock.ts';
import { controlToken } from './serve-fake.ts';

const appOf = (mock: FakeMock, options: Partial<AppOptions> = {}): express.Express =>
  createApp(mock, { controlToken, ...options });

describe('an application for supertest', () => {
  test('has the responses of the mock', async () => {
    const response = await request(appOf(fakeMock()))
      .post('/things?a=b')
      .send({ name: 'x' })
      .expect(200);
    expect(response.body).toMatchObject({
      method: 'POST',
      target: '/things?a=b',
      body: '{"name":"x"}',
    });
  });

  test('adds no headers of Express', async () => {
    const { headers } = await request(appOf(fakeMock())).get('/things').expect(200);
    expect(Object.keys(headers).sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'date',
    ]);
  });

  test('keeps order and repetition of header fields, and escapes unsafe ones', async () => {
    const headers: [string, string][] = [
      ['Content-Type', 'text/plain'],
      ['X-Thing', '1'],
      ['Set-Cookie', 'a=1'],
      ['x-thing', '2'],
      ['Set-Cookie', 'b=2'],
      ['X-Split', 'a\r\nX-Evil: b'],
      ['X-Wide', '☃'],
      ['bad name', 'c'],
      ['Content-Length', '999'],
      ['Transfer-Encoding', 'chunked'],
      ['Connection', 'X-Thing'],
    ];
    const { res } = rawOf(
      await request(appOf(fakeMock(() => ({ headers, body: Buffer.from('body') })))).get('/'),
    );
    expect(res.rawHeaders.slice(0, -4)).toEqual([
      'Content-Type',
      'text/plain',
      'X-Thing',
      '1',
      'Set-Cookie',
      'a=1',
      'x-thing',
      '2',
      'Set-Cookie',
      'b=2',
      'X-Split',
      'a  X-Evil: b',
      'X-Wide',
      Buffer.from('☃').toString('latin1'),
      'Content-Length',
      '4',
    ]);
  });

  test.each([204, 304])('sends no length and no body with %s', async (status) => {
    const response = await request(appOf(fakeMock(() => ({ status, body: Buffer.from('body') }))))
      .get('/')
      .expect(status);
    expect(response.headers).not.toHaveProperty('content-length');
    expect(response.text).toBe('');
  });

  test('sends no body with 205, and Content-Length 0', async () => {
    const response = await request(
      appOf(fakeMock(() => ({ status: 205, body: Buffer.from('body') }))),
    )
      .get('/')
      .expect(205);
    expect([response.headers['content-length'], response.text]).toEqual(['0', '']);
  });

  test('keeps the length of the mock’s response to HEAD', async () => {
    const answer: Partial<Answer> = {
      headers: [['Content-Length', '1234']],
      body: Buffer.alloc(0),
    };
    const response = await request(appOf(fakeMock(() => answer)))
      .head('/')
      .expect(200);
    expect(response.headers['content-length']).toBe('1234');
  });

  test('sends an empty body with its length of 0', async () => {
    const response = await request(appOf(fakeMock(() => ({ status: 201, body: Buffer.alloc(0) }))))
      .get('/')
      .expect(201);
    expect(response.headers['content-length']).toBe('0');
  });

  test('responds to HEAD with the header of GET and no body', async () => {
    const app = appOf(fakeMock(() => ({ headers: [['ETag', '"1"']], body: Buffer.from('body') })));
    const [get, head] = [await request(app).get('/'), await request(app).head('/')];
    const withoutDate = ({ date, ...rest }: Record<string, string>): Record<string, string> => rest;
    expect(withoutDate(head.headers)).toEqual(withoutDate(get.headers));
    expect(head.text ?? '').toBe('');
  });

  test('applies the delay of the response', async () => {
    const records: ExchangeRecord[] = [];
    const app = appOf(
      fakeMock(() => ({ delayMs: 20 })),
      { onExchange: (record) => records.push(record) },
    );
    await request(app).get('/').expect(200);
    // A timer may fire within the millisecond before its time.
    expect(records[0]?.durationMs).toBeGreaterThanOrEqual(19);
  });

  test('can be mounted in another application', async () => {
    const outer = express().use('/api', appOf(fakeMock()));
    const { body } = await request(outer).get('/api/things?a=b').expect(200);
    expect(body).toMatchObject({ target: '/things?a=b' });
  });
});

describe('an internal error', () => {
  const secret = 'at mock.ts:1:2';

  test.each([
    ['rejects', () => Promise.reject(new Error(secret))],
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- this is what is tested
    ['throws no error', () => Promise.reject(secret)],
    ['answers with a status that is none', () => ({ status: 99 })],
    ['answers with 101', () => ({ status: 101 })],
  ])('a mock that %s leads to a 500 without details, and is reported', async (_name, answer) => {
    const faults: unknown[] = [];
    const records: ExchangeRecord[] = [];
    const app = appOf(fakeMock(answer), {
      onFault: (fault) => faults.push(fault),
      onExchange: (record) => records.push(record),
    });
    const response = await request(app)
      .get('/')
      .expect(500)
      .expect('Content-Type', 'application/problem+json');
    expect(response.text).not.toContain(secret);
    expect(faults).toHaveLength(1);
    expect(records).toMatchObject([{ status: 500 }]);
  });

  test('a listener that throws does not prevent the response', async () => {
    const broken = (): never => {
      throw new Error('listener');
    };
    await request(appOf(fakeMock(), { onExchange: broken, onFault: broken }))
      .get('/')
      .expect(200);
  });
});

describe('the event of an exchange', () => {
  test('an exchange has method, target, status, operation and duration', async () => {
    const records: ExchangeRecord[] = [];
    const app = appOf(
      fakeMock(() => ({ status: 201 })),
      { onExchange: (record) => records.push(record) },
    );
    await request(app).post('/things?a=b').set('X-Operation', 'createThing').expect(201);
    await request(app).get('/things').set('Content-Encoding', 'zstd').expect(415);
    await request(app).get('/__vouch/health').expect(200);
    expect(records).toEqual([
      {
        method: 'POST',
        target: '/things?a=b',
        status: 201,
        operation: 'createThing',
        durationMs: expect.any(Number),
      },
      {
        method: 'GET',
        target: '/things',
        status: 415,
        reason: expect.stringContaining('Content-Encoding'),
        durationMs: expect.any(Number),
      },
    ]);
  });
});

describe('invalid options are refused at start', () => {
  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 40])(
    'a body limit of %s',
    (bodyLimit) => {
      expect(() => appOf(fakeMock(), { bodyLimit })).toThrow(VouchError);
    },
  );

  test.each(['', 'short', 'with a space in the middle', 'with\r\na-line-break-in-it'])(
    'the control token %j',
    (token) => {
      expect(() => appOf(fakeMock(), { controlToken: token })).toThrow(VouchError);
    },
  );

  test('with a message that states the valid form', () => {
    expect(messageOf(() => appOf(fakeMock(), { bodyLimit: -1 }))).toMatchInlineSnapshot(
      `
      "config-invalid: The body limit -1 is no number of bytes that a body may have. Give a
        ↳ whole number from 1 to 1073741824 (1 GiB); without one the limit is 1048576 (1
        ↳ MiB)."
    `,
    );
    expect(messageOf(() => appOf(fakeMock(), { controlToken: 'short' }))).toMatchInlineSnapshot(
      `
      "config-invalid: The control token must have at least 16 letters, digits or -._~+/.
        ↳ Leave it to makeControlToken()."
    `,
    );
  });
});

function messageOf(attempt: () => unknown): string {
  try {
    attempt();
    return 'nothing';
  } catch (error) {
    return error instanceof VouchError
      ? `${error.code}: ${error.message} ${error.hint ?? ''}`
      : String(error);
  }
}

/** Supertest keeps Node's own response, which its types do not show. */
function rawOf(response: request.Response): { readonly res: { readonly rawHeaders: string[] } } {
  return response as unknown as { readonly res: { readonly rawHeaders: string[] } };
}
