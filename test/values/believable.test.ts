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
    ['zip', text, /^\d{5}$/],
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
