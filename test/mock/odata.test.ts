import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import type { Mock } from '../../src/mock/mock.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const file = new URL('contracts/library.yaml', import.meta.url);
const contract = parseContract(readFileSync(file, 'utf8'), 'library.yaml');

let mock: Mock;
beforeEach(async () => {
  mock = await mockOf({ contract });
  await send(mock, 'POST /Authors', { body: { Key: 'poe', FullName: 'Edgar Poe' } });
  await send(mock, 'POST /Books', { body: { Isbn: 9001, Title: 'Raven', Pages: 30 } });
});

async function statusOf(line: string, body?: JsonValue): Promise<number> {
  return (await send(mock, line, body === undefined ? {} : { body })).status;
}

async function bodyOf(line: string): Promise<JsonObject> {
  return jsonOf(await send(mock, line)) as JsonObject;
}

describe('a reference to another record (OData 4.01, protocol, section 11.4.6)', () => {
  const reference = '/Books(9001)/Author/$ref';
  const toPoe = { '@odata.id': "Authors('poe')" };

  test('is none before it is set', async () => {
    expect(await statusOf('GET /Books(9001)/Author')).toBe(204);
  });

  test('is set to an address, and then read and shown by its record', async () => {
    expect(await statusOf(`PUT ${reference}`, toPoe)).toBe(204);
    expect(await bodyOf('GET /Books(9001)/Author')).toMatchObject({ FullName: 'Edgar Poe' });
    expect(await bodyOf('GET /Books(9001)')).toMatchObject({ AuthorKey: 'poe' });
  });

  test('takes no address that leads to no record', async () => {
    await statusOf(`PUT ${reference}`, toPoe);
    for (const address of ["Authors('nobody')", 'Books(9001)', ''])
      expect(await statusOf(`PUT ${reference}`, { '@odata.id': address })).toBe(400);
    expect(await bodyOf('GET /Books(9001)')).toMatchObject({ AuthorKey: 'poe' });
  });

  test('is cleared', async () => {
    await statusOf(`PUT ${reference}`, toPoe);
    expect(await statusOf(`DELETE ${reference}`)).toBe(204);
    expect(await statusOf('GET /Books(9001)/Author')).toBe(204);
    expect(await bodyOf('GET /Books(9001)')).toMatchObject({ AuthorKey: null });
  });

  test('is not found below no record', async () => {
    expect(await statusOf('GET /Books(1)/Author')).toBe(404);
  });
});

describe('the filter of a list (OData 4.01, Part 2, section 5.1.1)', () => {
  async function titlesOf(filter: string): Promise<JsonValue[]> {
    const body = await bodyOf(`GET /Books?$filter=${encodeURIComponent(filter)}`);
    return (body['value'] as JsonObject[]).map(({ Title: title = null }) => title);
  }

  test('compares texts in one case, and their lengths', async () => {
    expect(await titlesOf("tolower(Title) eq 'raven'")).toEqual(['Raven']);
    expect(await titlesOf("startswith(toupper(Title),'RAV') and length(Title) lt 6")).toEqual([
      'Raven',
    ]);
    expect(await titlesOf("tolower(Title) eq 'Raven' and Isbn eq 9001")).toEqual([]);
  });

  test('is refused where it takes a number for a text', async () => {
    for (const filter of ["tolower(Pages) eq 'x'", "length(Title) eq 'x'", "trim(Title) eq 'x'"])
      expect(await statusOf(`GET /Books?$filter=${encodeURIComponent(filter)}`)).toBe(400);
  });
});
