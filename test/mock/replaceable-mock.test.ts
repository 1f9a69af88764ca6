import { describe, expect, test } from 'vitest';
import { emptyBody, type HttpRequest } from '../../src/http/message.ts';
import type { Mock } from '../../src/mock/mock.ts';
import { makeReplaceable } from '../../src/mock/replaceable-mock.ts';
import { mockOf } from './workshop.ts';

const request: HttpRequest = { method: 'GET', target: '/', headers: [], body: emptyBody };

/** A mock of which every answer waits for the gate, and has the status that names it. */
async function gated(
  status: number,
  gate: Promise<void> = Promise.resolve(),
  answered: (status: number) => void = () => undefined,
): Promise<Mock> {
  const mock = await mockOf();
  mock.answer = async () => {
    await gate;
    answered(status);
    return { status, headers: [], body: emptyBody, delayMs: 0 };
  };
  return mock;
}

describe('a mock that is replaced while it serves', () => {
  test('handles running requests with the old mock, new ones with the new', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const order: (string | number)[] = [];
    const note = (status: number): void => void order.push(status);
    const mock = makeReplaceable(await gated(201, gate, note));
    const early = mock.answer(request);
    const replaced = mock.replace(async () => {
      order.push('made');
      return gated(202, undefined, note);
    });
    const late = mock.answer(request);
    open();
    await replaced;
    expect([(await early).status, (await late).status]).toEqual([201, 202]);
    expect(order).toEqual([201, 'made', 202]);
  });

  test('continues if the new one cannot be made', async () => {
    const mock = makeReplaceable(await gated(201));
    await expect(mock.replace(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect((await mock.answer(request)).status).toBe(201);
  });

  test('can be replaced repeatedly', async () => {
    const mock = makeReplaceable(await gated(201));
    await Promise.all([mock.replace(() => gated(202)), mock.replace(() => gated(203))]);
    expect((await mock.answer(request)).status).toBe(203);
  });

  test('has all properties of the new one', async () => {
    const [first, second] = [await mockOf(), await mockOf({ seed: 'other' })];
    const mock = makeReplaceable(first);
    await mock.replace(async () => second);
    expect([mock.options, mock.clock, mock.scenarios, mock.records, mock.tokens]).toEqual([
      second.options,
      second.clock,
      second.scenarios,
      second.records,
      second.tokens,
    ]);
    expect(mock.options.seed).toBe('other');
    expect(mock.view('/tools')).toEqual(second.view('/tools'));
  });
});
