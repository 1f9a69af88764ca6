import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';

import {
  isJsonArray,
  isJsonObject,
  stringifyJson,
  type JsonValue,
} from '../../../src/json/value.ts';
import type { Mock } from '../../../src/mock/mock.ts';
import { jsonOf, mockOf, send } from '../workshop.ts';

const file = new URL('../../prove/orders.yaml', import.meta.url);
const contract = parseContract(readFileSync(file, 'utf8'), 'orders.yaml');
const lines = [{ amount: '1.25' }, { amount: '2.50' }];

let mock: Mock;
beforeEach(async () => {
  mock = await mockOf({ contract, seedRecords: 3 });
});

interface Said {
  readonly status: number;
  readonly body: JsonValue | undefined;
}

async function ask(line: string, sent?: JsonValue): Promise<Said> {
  const type = line.startsWith('PATCH') ? 'application/merge-patch+json' : 'application/json';
  const answer = await send(mock, line, { type, ...(sent === undefined ? {} : { body: sent }) });
  return { status: answer.status, body: jsonOf(answer) };
}

function idOf({ body }: Said): string {
  return isJsonObject(body) ? String(body['id']) : '';
}

describe('the mock applies the rules of the contract', () => {
  test('and computes the members that they define', async () => {
    const created = await ask('POST /orders', { lines });
    expect(created).toMatchObject({ status: 201, body: { total: '3.75', lineCount: 2 } });
    expect((await ask(`GET /orders/${idOf(created)}`)).body).toEqual(created.body);
  });

  test('and computes them again when a change concerns them', async () => {
    const id = idOf(await ask('POST /orders', { lines }));
    expect(await ask(`PATCH /orders/${id}`, { lines: lines.slice(1) })).toMatchObject({
      status: 200,
      body: { total: '2.50', lineCount: 1 },
    });
    expect(
      await ask(`PUT /orders/${id}`, { lines: [{ amount: '0.10' }, { amount: '0.20' }] }),
    ).toMatchObject({ status: 200, body: { total: '0.30', lineCount: 2 } });
  });

  test('and refuses a body that violates one, with the owner’s sentence', async () => {
    const refused = await ask('POST /orders', { lines, from: '2026-02-02', to: '2026-02-01' });
    expect(refused.status).toBe(422);
    expect(stringifyJson(refused.body ?? null)).toContain(
      'An order ends on the day it begins, or later',
    );
  });

  test('and refuses an update whose result breaks one', async () => {
    const id = idOf(await ask('POST /orders', { lines, from: '2026-02-02', to: '2026-02-03' }));
    expect((await ask(`PATCH /orders/${id}`, { to: '2026-01-01' })).status).toBe(422);
    expect((await ask(`GET /orders/${id}`)).body).toMatchObject({ to: '2026-02-03' });
  });

  test('and ignores the client’s value of a read-only member', async () => {
    expect(await ask('POST /orders', { lines, total: '99.99' })).toMatchObject({
      status: 201,
      body: { total: '3.75' },
    });
  });

  test('in its initial records', async () => {
    const { body } = await ask('GET /orders');
    expect(isJsonArray(body ?? null) && (body as readonly JsonValue[]).length).toBeGreaterThan(0);
    const schema = contract.operations[0]?.responses[0]?.content[0]?.schema;
    const judged = schema === undefined ? [] : contract.rules.judgeBody(schema, body ?? null);
    expect(judged.length).toBeGreaterThan(2);
    expect(judged.map(({ outcome }) => outcome)).not.toContain('broken');
  });
});
