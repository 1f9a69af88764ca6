import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../src/index.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import { accepted, notUtf8, refused } from '../json/json-grammar.ts';

/**
 * The table of JSON texts (written from RFC 8259, in the manner of JSONTestSuite) sent to the mock
 * as bodies. What the RFC forbids (`n_`) and what vouch refuses though it may be read (`i_`:
 * duplicate names, depth, numbers beyond a double) gets 400 with a place.
 */
let mock: RunningMock;
const agent = new Agent({ keepAlive: true, maxSockets: 4 });
beforeAll(async () => {
  mock = await startMock();
});
afterAll(async () => {
  agent.destroy();
  await mock.close();
});

function post(body: Uint8Array): Promise<{ status: number; text: string }> {
  const headers = {
    authorization: 'Bearer demo-key',
    'content-type': 'application/json',
    'content-length': body.length,
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${mock.url}/pets`, { method: 'POST', agent, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer
        .on('data', (part: Buffer) => parts.push(part))
        .on('error', reject)
        .on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
        );
    });
    sent.on('error', reject).end(body);
  });
}

const named = (text: string): string => JSON.stringify(text.slice(0, 40));
const place = /line \d+|column \d+/;

describe('a body that is no JSON, or none that vouch takes, gets 400', () => {
  test('and a place in it, for every text that is refused', async () => {
    const texts = refused.filter(([text]) => text.isWellFormed());
    const answers = await Promise.all(
      texts.map(async ([text, code]) => ({
        name: named(text),
        code,
        ...(await post(Buffer.from(text))),
      })),
    );
    expect(answers.filter(({ status }) => status !== 400)).toEqual([]);
    // A body that is missing altogether has no place in it.
    expect(
      answers
        .filter(({ code, text }) => code !== 'empty' && !place.test(text))
        .map(({ name, text }) => `${name}: ${text}`),
    ).toEqual([]);
    expect(answers.length).toBeGreaterThan(140);
  });

  test('for bytes that are not UTF-8', async () => {
    const answers = await Promise.all(
      notUtf8.map(async ([name, bytes]) => ({ name, ...(await post(Uint8Array.from(bytes))) })),
    );
    expect(answers.filter(({ status }) => status !== 400)).toEqual([]);
  });
});

test('a body that is JSON is read: what is wrong then is what it says', async () => {
  const answers = await Promise.all(
    accepted.map(async ([text]) => ({ name: named(text), ...(await post(Buffer.from(text))) })),
  );
  expect(
    answers.filter(({ status, text }) => status !== 400 || text.includes('invalid_json')),
  ).toEqual([]);
  expect((await post(Buffer.from('{"name":"Rex","categoryId":1}'))).status).toBe(201);
});

describe('the kinds of the table', () => {
  const reads = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  test('y_: what is accepted is JSON to another reader too', () => {
    expect(accepted.filter(([text]) => !reads(text)).map(([text]) => text)).toEqual([]);
    expect(accepted.filter(([text]) => !parseJson(text).ok)).toEqual([]);
  });

  test('n_ cases are invalid JSON; i_ cases are refused by choice', () => {
    const isChoice = (code: string): boolean =>
      !['syntax', 'empty', 'byte-order-mark'].includes(code);
    const wrong = refused.filter(([text, code]) =>
      isChoice(code) ? !reads(text) && !deep(code) : reads(text),
    );
    expect(wrong.map(([text, code]) => `${code}: ${named(text)}`)).toEqual([]);
  });

  /** What is too deep, or a second fault behind the first, is not read to its end. */
  function deep(code: string): boolean {
    return code === 'depth' || code === 'lone-surrogate' || code === 'duplicate-key';
  }
});
