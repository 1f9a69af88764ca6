import { describe, expect, test } from 'vitest';
import { Verdicts } from '../../../../src/check/engine/learn/verdicts.ts';
import { openEnvelopes } from '../../../../src/contract/infer/open-envelopes.ts';
import type { Case } from '../../../../src/check/model/case.ts';
import type { Exchange } from '../../../../src/check/model/exchange.ts';
import { calls } from '../../fixture/calls.ts';

const [, operation] = openEnvelopes(calls().contract).operations;
if (operation === undefined) throw new Error('The contract has no operation.');

function asking(intent: Case['intent']): Case {
  const request = { arguments: [], credential: 'given' } as const;
  return {
    id: 'a',
    title: 'a',
    phase: 'read',
    operation: operation as Case['operation'],
    request,
    intent,
  };
}

const valid = asking({ kind: 'valid', rigour: 'plain', at: '' });
const missing = asking({ kind: 'missing', rigour: 'plain', at: '' });

function answered(json: object, status = 200): Exchange {
  const body = new TextEncoder().encode(JSON.stringify(json));
  return {
    baseUrl: '',
    request: { method: 'GET', target: '/', headers: [], body: new Uint8Array() },
    response: { status, headers: [], body },
    durationMs: 1,
  };
}

const refusal = answered({ ok: false, error: 'channel_not_found' });

test('a refusal in a 200 counts as 400, and keeps the status that was sent', () => {
  expect(new Verdicts().read(valid, refusal).response).toMatchObject({
    status: 400,
    sentStatus: 200,
  });
});

test('it counts as 404 where the service says the same of what cannot exist', () => {
  const verdicts = new Verdicts();
  expect(verdicts.read(missing, refusal).response?.status).toBe(404);
  expect(verdicts.read(valid, refusal).response?.status).toBe(404);
  const other = answered({ ok: false, error: 'name_taken' });
  expect(verdicts.read(valid, other).response?.status).toBe(400);
});

test.each([
  ['a success', answered({ ok: true })],
  ['another status', answered({ ok: false }, 429)],
  ['an answer without the member', answered({ error: 'no' })],
])('%s stays as it is', (_what, exchange) => {
  expect(new Verdicts().read(valid, exchange)).toBe(exchange);
});

describe('a service with an envelope that says nothing by its type', () => {
  const enveloped = { ...operation, envelope: ['code', 'message'] } as Case['operation'];
  const [reads, lists] = ['read', 'list'].map((id) => ({
    ...valid,
    operation: Object.defineProperties(
      {},
      {
        ...Object.getOwnPropertyDescriptors(enveloped),
        verdict: { value: undefined },
        id: { value: id },
      },
    ) as Case['operation'],
  })) as [Case, Case];
  const refused = answered({ code: 7, message: 'no such pad', data: null });
  const found = answered({ code: 0, message: 'ok', data: { text: 'a' } });

  test('refuses where it answers nothing with a code that no answer with data has', () => {
    const verdicts = new Verdicts();
    verdicts.read(reads, found);
    expect(verdicts.read(reads, refused)).toBe(refused);
    verdicts.read(lists, found);
    expect(verdicts.read(reads, refused).response).toMatchObject({ status: 400, sentStatus: 200 });
  });

  test.each([
    ['an answer with data', answered({ code: 7, message: 'old', data: [] })],
    ['an answer with the usual code and no data', answered({ code: 0, message: 'ok', data: null })],
  ])('does not refuse by %s', (_what, exchange) => {
    const verdicts = new Verdicts();
    for (const one of [reads, lists]) verdicts.read(one, found);
    const isCase = { ...reads, intent: missing.intent };
    expect(verdicts.read(isCase, exchange)).toBe(exchange);
  });

  test('has no code of its own where answers with data have several', () => {
    const verdicts = new Verdicts();
    for (const one of [reads, lists]) verdicts.read(one, found);
    verdicts.read(lists, answered({ code: 1, message: 'more', data: {} }));
    expect(verdicts.read(reads, refused)).toBe(refused);
  });
});
