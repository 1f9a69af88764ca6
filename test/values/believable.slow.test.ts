import { describe, expect, test } from 'vitest';
import type { SchemaNode } from '../../src/contract/model.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../src/json/value.ts';
import { plainValue } from '../../src/values/plain-value.ts';
import { sampleContent } from '../../src/values/sample-content.ts';
import { makeSchema } from './make-schema.ts';

const text: SchemaNode = { type: 'string' };
const integer: SchemaNode = { type: 'integer' };
const number: SchemaNode = { type: 'number' };

/** The records of a generated list. */
function listOf(properties: Record<string, SchemaNode>, seed: string): readonly JsonObject[] {
  const made = plainValue(
    makeSchema({
      type: 'array',
      items: { type: 'object', required: Object.keys(properties), properties },
    }),
    { seed, direction: 'response' },
  );
  if (!made.ok || !isJsonArray(made.value)) throw new Error('No list was made.');
  return made.value.filter(isJsonObject);
}

const seeds = Array.from({ length: 30 }, (_item, index) => `seed ${String(index)}`);

describe('a generated list is plausible:', () => {
  test('it has several records, which differ', () => {
    const records = listOf({ id: integer, name: text, email: text }, 'list');
    expect(records).toHaveLength(3);
    expect(new Set(records.map((record) => record['email'])).size).toBe(3);
  });

  test('all fields of a record describe one person', () => {
    for (const record of seeds.flatMap((seed) =>
      listOf(
        {
          firstName: text,
          lastName: text,
          fullName: text,
          email: { type: 'string', format: 'email' },
          userName: text,
        },
        seed,
      ),
    )) {
      const { firstName, lastName, fullName, email, userName } = record;
      expect(fullName).toBe(`${String(firstName)} ${String(lastName)}`);
      expect(email).toMatch(
        new RegExp(`^${String(firstName)}\\.${String(lastName)}\\d+@example\\.com$`, 'i'),
      );
      expect(userName).toMatch(new RegExp(`^${String(firstName)}\\d+$`, 'i'));
    }
  });

  test('creation precedes changes, and a start precedes its end', () => {
    const moment: SchemaNode = { type: 'string', format: 'date-time' };
    for (const record of seeds.flatMap((seed) =>
      listOf(
        {
          createdAt: moment,
          updated_at: moment,
          startDate: { type: 'string', format: 'date' },
          endDate: { type: 'string', format: 'date' },
          created: integer,
          updated: integer,
          expiresAt: text,
        },
        seed,
      ),
    )) {
      const words = (name: string): string => String(record[name]);
      expect(words('createdAt') <= words('updated_at')).toBe(true);
      expect(words('startDate') <= words('endDate')).toBe(true);
      expect(Number(record['created'])).toBeLessThanOrEqual(Number(record['updated']));
      expect(words('updated_at') < words('expiresAt')).toBe(true);
    }
  });

  test.each<[name: string, node: SchemaNode, looks: RegExp]>([
    ['city', text, /^[A-Z][a-z]+$/],
    ['zip', text, /^[A-Z\d]{3,5}( [A-Z\d]{3,4})?$/],
    ['ipAddress', text, /^192\.0\.2\.\d+$/],
    ['sku', text, /^[A-Z]{3}-\d{4}$/],
    ['slug', text, /^[a-z]+(-[a-z]+)*-\d+$/],
    ['currency', text, /^[A-Z]{3}$/],
    ['timezone', text, /^UTC$|^[A-Z]\w+\/\w+$/],
    ['hexColor', text, /^#[0-9a-f]{6}$/],
    ['avatarUrl', { type: 'string', format: 'uri' }, /^https:\/\/example\.com\/images\/\w+\.jpg$/],
    ['phone', text, /^\+\d{8,}$/],
    ['commit_sha', text, /^[0-9a-f]{40}$/],
    ['price', number, /^\d+(\.\d\d?)?$/],
    ['latitude', number, /^\d\d(\.\d+)?$/],
    ['age', { type: 'integer', minimum: 0, maximum: 120 }, /^[1-7]\d$/],
    ['rating', { type: 'number', minimum: 1, maximum: 5 }, /^[1-5]$/],
    ['orderId', { type: 'integer', minimum: 1, maximum: 10 }, /^([1-9]|10)$/],
    ['isArchived', { type: 'boolean' }, /^false$/],
    ['active', { type: 'boolean' }, /^true$/],
    ['anything', { type: 'string', 'x-faker': 'location.city' }, /^[A-Z][a-z]+$/],
    ['anything', { type: 'string', 'x-faker': { 'date.past': [] } }, /^2024-0[1-6]-/],
    ['city', { type: 'string', 'x-faker': 'nonsense' }, /^[A-Z][a-z]+$/],
  ])('%s %j', (name, node, looks) => {
    for (const seed of seeds)
      expect(String(listOf({ [name]: node }, seed)[0]?.[name])).toMatch(looks);
  });

  test('an account number has the right check digits', () => {
    for (const record of seeds.flatMap((seed) => listOf({ iban: text }, seed))) {
      const iban = String(record['iban']);
      const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replaceAll(/[A-Z]/g, (letter) =>
        String(letter.charCodeAt(0) - 55),
      );
      expect(BigInt(digits) % 97n).toBe(1n);
    }
  });

  test('a response has nested values, a request omits them', () => {
    const schema = makeSchema({
      type: 'object',
      properties: {
        id: integer,
        owner: { type: 'object', properties: { name: text } },
        tags: { type: 'array', items: text },
      },
    });
    const made = (direction: 'request' | 'response'): string[] => {
      const value = plainValue(schema, { seed: 'nested', direction });
      return value.ok ? Object.keys(value.value as JsonObject) : [];
    };
    expect([made('response'), made('request')]).toEqual([['id', 'owner', 'tags'], ['id']]);
  });

  const inCents = (value: unknown): number => Math.round(Number(value) * 100);

  test('a mail address has the name beside it, also one that the contract shows', () => {
    for (const record of seeds.flatMap((seed) => [
      ...listOf({ name: text, email: text }, seed),
      ...listOf({ name: { type: 'string', example: 'Zoë Ödegård' }, email: text }, seed),
    ])) {
      const [first = '', last = ''] = String(record['name'])
        .normalize('NFD')
        .replaceAll(/\p{M}/gu, '')
        .toLowerCase()
        .split(' ');
      expect(record['email']).toMatch(new RegExp(`^${first}\\.${last}\\d*@example\\.com$`));
    }
  });

  test('a city, its postal code and its phone numbers are in the country of the record', () => {
    const records = seeds.flatMap((seed) =>
      listOf(
        {
          city: text,
          country: text,
          countryCode: text,
          currency: text,
          phone: text,
          address: {
            type: 'object',
            properties: { city: text, country: { ...text, maxLength: 2 } },
          },
        },
        seed,
      ),
    );
    const of = (country: string): Set<string> =>
      new Set(
        records
          .filter((record) => record['country'] === country)
          .map(({ countryCode, currency, phone }) =>
            [countryCode, currency, String(phone).slice(0, 3)].join(' '),
          ),
      );
    expect([...of('Germany')]).toEqual(['DE EUR +49']);
    expect([...of('United Kingdom')]).toEqual(['GB GBP +44']);
    expect(
      records.filter(({ city, country }) => city === 'Berlin' && country !== 'Germany'),
    ).toEqual([]);
    for (const { city, countryCode, address } of records)
      expect(address).toEqual({ city, country: countryCode });
  });

  test('coordinates are in the city of the record, in the order of GeoJSON', () => {
    const records = seeds.flatMap((seed) =>
      listOf(
        {
          city: text,
          latitude: number,
          lng: number,
          lat: text,
          position: {
            type: 'object',
            properties: {
              type: { type: 'string', enum: ['Point'] },
              coordinates: { type: 'array', items: number },
            },
          },
        },
        seed,
      ),
    );
    const cities: Readonly<Record<string, readonly [number, number]>> = {
      Berlin: [52.52, 13.405],
      Galway: [53.274, -9.049],
      Denver: [39.739, -104.99],
    };
    const seen = records.filter(({ city }) => Object.hasOwn(cities, String(city)));
    expect(seen.length).toBeGreaterThan(0);
    for (const { city, latitude, lng, lat, position } of seen) {
      const [north = 0, east = 0] = cities[String(city)] ?? [];
      expect(latitude).toBeCloseTo(north, 1);
      expect(lng).toBeCloseTo(east, 1);
      expect(Number(lat)).toBeCloseTo(north, 1);
      expect(position).toEqual({
        type: 'Point',
        coordinates: [expect.closeTo(east, 1), expect.closeTo(north, 1)],
      });
    }
  });

  test('numbers that exclude the place of a record are still valid', () => {
    const [record] = listOf({ latitude: { type: 'number', maximum: 10 } }, 'a');
    expect(record?.['latitude']).toBeLessThanOrEqual(10);
  });

  test('a text with a pattern or a length is still what its name says', () => {
    for (const [record] of seeds.map((seed) =>
      listOf(
        {
          country: { ...text, pattern: '^[A-Z]{3}$' },
          homeCountry: { ...text, minLength: 2, maxLength: 2 },
          currency: { ...text, pattern: '^[A-Z]{3}$' },
          contact: { ...text, format: 'phone' },
          name: { ...text, pattern: '^[A-Z][a-z ]+$' },
        },
        seed,
      ),
    )) {
      expect(record?.['country']).toMatch(/^(DEU|FRA|IRL|SWE|GBR|USA)$/);
      expect(record?.['homeCountry']).toMatch(/^(DE|FR|IE|SE|GB|US)$/);
      expect(record?.['currency']).toMatch(/^(EUR|SEK|GBP|USD)$/);
      expect(record?.['contact']).not.toMatch(/amber|birch/);
      expect(record?.['name']).toMatch(/^[A-Z][a-z]{1,9}$/);
    }
  });

  test('a slug is that of the title beside it', () => {
    for (const { title, slug } of seeds.flatMap((seed) =>
      listOf({ title: text, slug: text }, seed),
    ))
      expect(slug).toBe(String(title).toLowerCase().replaceAll(' ', '-'));
  });

  test('an end follows its start within days, and a maximum is no less than its minimum', () => {
    const moment: SchemaNode = { type: 'string', format: 'date-time' };
    for (const record of seeds.flatMap((seed) =>
      listOf(
        {
          startTime: moment,
          endTime: moment,
          checkIn: { type: 'string', format: 'date' },
          checkOut: { type: 'string', format: 'date' },
          effective_from: moment,
          effective_to: moment,
          minScore: integer,
          maxScore: integer,
          createdAt: { ...moment, example: '2025-03-01T10:00:00Z' },
          updatedAt: moment,
        },
        seed,
      ),
    )) {
      const at = (name: string): number => Date.parse(String(record[name]));
      const days = (from: string, to: string): number => (at(to) - at(from)) / 86_400_000;
      expect(days('startTime', 'endTime')).toBeGreaterThan(0);
      expect(days('startTime', 'endTime')).toBeLessThan(1);
      expect(days('checkIn', 'checkOut')).toBeGreaterThanOrEqual(1);
      expect(days('checkIn', 'checkOut')).toBeLessThan(7);
      expect(days('effective_from', 'effective_to')).toBeGreaterThanOrEqual(0);
      expect(at('updatedAt')).toBeGreaterThanOrEqual(at('createdAt'));
      expect(Number(record['minScore'])).toBeLessThanOrEqual(Number(record['maxScore']));
    }
  });

  test('amounts add up, as numbers and as texts', () => {
    const line = { quantity: integer, unitPrice: number, amount: number };
    for (const record of seeds.flatMap((seed) =>
      listOf(
        {
          lines: { type: 'array', minItems: 2, items: { type: 'object', properties: line } },
          subtotal: number,
          taxRate: number,
          tax: number,
          shipping: number,
          total: text,
        },
        seed,
      ),
    )) {
      const lines = isJsonArray(record['lines'] ?? null) ? (record['lines'] as JsonObject[]) : [];
      expect(lines).toHaveLength(2);
      for (const { quantity, unitPrice, amount } of lines)
        expect(inCents(amount)).toBe(inCents(Number(quantity) * Number(unitPrice)));
      const sum = lines.reduce((held, { amount }) => held + inCents(amount), 0);
      const { subtotal, taxRate, tax, shipping, total } = record;
      expect(inCents(subtotal)).toBe(sum);
      expect(inCents(tax)).toBe(Math.round((sum * Number(taxRate)) / 100));
      expect(total).toMatch(/^\d+\.\d\d$/);
      expect(inCents(total)).toBe(sum + inCents(tax) + inCents(shipping));
    }
  });

  test('a page with a total of records is no sum of their prices', () => {
    const schema = makeSchema({
      type: 'object',
      properties: {
        items: { type: 'array', items: { type: 'object', properties: { price: integer } } },
        total: { ...integer, maximum: 3 },
        page: integer,
      },
    });
    const made = plainValue(schema, { seed: 'page', direction: 'response' });
    expect(made.ok && Number((made.value as JsonObject)['total'])).toBeLessThanOrEqual(3);
  });

  test('the name of a thing is one of its kind', () => {
    const nameOf = (owner: string): unknown => {
      const made = plainValue(makeSchema({ type: 'object', properties: { name: text } }), {
        seed: owner,
        direction: 'response',
        name: owner,
      });
      return made.ok && isJsonObject(made.value) ? made.value['name'] : undefined;
    };
    expect(nameOf('customer')).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/);
    expect(['Germany', 'France', 'Ireland', 'Sweden', 'United Kingdom', 'United States']).toContain(
      nameOf('country'),
    );
    expect(nameOf('customerSegment')).toMatch(/^(Amber|Blue|Early|Golden|Green|North|Open|Quiet) /);
    expect(nameOf('workflow')).toMatch(/^(Amber|Blue|Early|Golden|Green|North|Open|Quiet|Silver) /);
  });

  test('a single value matches the name of its field', () => {
    const made = plainValue(makeSchema(text), {
      seed: 'alone',
      direction: 'response',
      name: 'sku',
    });
    expect(made.ok && made.value).toMatch(/^[A-Z]{3}-\d{4}$/);
  });
});

test.each([
  'image/png',
  'image/jpeg',
  'image/jpg',
  'image/gif',
  'image/webp',
  'image/svg+xml',
  'application/pdf',
  'application/zip',
  'application/gzip',
  'audio/wav',
  'text/html',
  'text/csv',
  'application/xml',
  'application/octet-stream',
])('there is a sample of %s', (type) => {
  expect(sampleContent(type)?.length).toBeGreaterThan(10);
});
