import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { headerValue } from '../../src/http/message.ts';
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

  test('compares a field of the record to which a record refers', async () => {
    await statusOf('POST /Books', { Isbn: 9002, Title: 'Bells', AuthorKey: 'poe' });
    await statusOf('POST /Books', { Isbn: 9003, Title: 'Alone', AuthorKey: null });
    const ours = 'Isbn gt 9001 and Isbn lt 9999';
    expect(await titlesOf("Author/FullName eq 'Edgar Poe'")).toEqual(['Bells']);
    expect(await titlesOf(`${ours} and Author/FullName ne 'Edgar Poe'`)).toEqual(['Alone']);
    expect(await titlesOf(`${ours} and Author/FullName eq null`)).toEqual(['Alone']);
    expect(await titlesOf(`${ours} and not contains(tolower(Author/FullName),'poe')`)).toEqual([
      'Alone',
    ]);
  });

  test('is refused with a field that the other record does not have', async () => {
    expect(await statusOf("GET /Books?$filter=Author/Age%20eq%20'x'")).toBe(400);
  });

  test('is refused where it takes a number for a text', async () => {
    for (const filter of ["tolower(Pages) eq 'x'", "length(Title) eq 'x'", "trim(Title) eq 'x'"])
      expect(await statusOf(`GET /Books?$filter=${encodeURIComponent(filter)}`)).toBe(400);
  });
});

describe('the records in a member that a request expands (OData 4.01, section 11.2.5.2.1)', () => {
  async function daysOf(options: string): Promise<JsonValue[]> {
    const body = await bodyOf(`GET /Books(9001)?$expand=Loans(${encodeURIComponent(options)})`);
    return (body['Loans'] as JsonObject[]).map(({ Days: days = null }) => days);
  }

  beforeEach(async () => {
    for (const days of [7, 21, 14]) await statusOf('POST /Books(9001)/Loans', { Days: days });
  });

  test('are ordered and cut', async () => {
    expect(await daysOf('$orderby=Days')).toEqual([7, 14, 21]);
    expect(await daysOf('$orderby=Days desc;$skip=1;$top=1')).toEqual([14]);
  });

  test('are not ordered by what is no field of them', async () => {
    expect(await statusOf('GET /Books(9001)?$expand=Loans($orderby=Title)')).toBe(400);
  });
});

test('a record shows the entity tag that its header has', async () => {
  const read = await send(mock, 'GET /Books(9001)');
  const tag = headerValue(read.headers, 'ETag');
  expect(tag).toMatch(/^".+"$/);
  expect(jsonOf(read)).toMatchObject({ '@odata.etag': tag });
  const changed = await send(mock, 'PATCH /Books(9001)', { body: { Pages: 31 } });
  const { '@odata.etag': other } = jsonOf(changed) as JsonObject;
  expect(other).toBe(headerValue(changed.headers, 'ETag'));
  expect(other).not.toBe(tag);
  const listed = (await bodyOf('GET /Books?$filter=Isbn%20eq%209001&$expand=Author'))['value'];
  expect(listed).toMatchObject([{ '@odata.etag': other }]);
});

describe('a name with a dollar that is no query option of OData', () => {
  test('is refused, and no other name', async () => {
    expect(await statusOf('GET /Books?$limit=1')).toBe(400);
    for (const query of ['$format=json', 'limit=1'])
      expect(await statusOf(`GET /Books?${query}`)).toBe(200);
  });

  test('is ignored beside those of another convention', async () => {
    const text = readFileSync(file, 'utf8').replaceAll('name: $filter', 'name: $limit');
    const other = await mockOf({ contract: parseContract(text, 'library.yaml') });
    expect((await send(other, 'GET /Books?$sort=Title')).status).toBe(200);
  });
});

test('initial records hold other records only where a request expands them', async () => {
  const seeded = await mockOf({ contract, seedRecords: 3 });
  const booksOf = async (query: string): Promise<JsonObject[]> => {
    const listed = jsonOf(await send(seeded, `GET /Books${query}`)) as JsonObject;
    return listed['value'] as JsonObject[];
  };
  const [book = {}] = await booksOf('');
  expect(book).not.toHaveProperty('Author');
  expect(book).not.toHaveProperty('Loans');
  const [expanded = {}] = await booksOf('?$expand=Author,Loans');
  expect(expanded).toMatchObject({ ...book, Author: { Key: book['AuthorKey'] } });
  expect(expanded['Loans']).toBeInstanceOf(Array);
});
