import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import type { Contract, Direction, Schema } from '../../src/contract/model.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../src/json/value.ts';
import { parentPointer, splitPointer, valueAt } from '../../src/json/pointer.ts';
import { boundaryValues } from '../../src/values/boundary-values.ts';
import { exoticValues } from '../../src/values/exotic-values.ts';
import { invalidValues } from '../../src/values/invalid-values.ts';
import { plainValue } from '../../src/values/plain-value.ts';
import { loadSampler } from '../../src/values/sample-value.ts';
import { fc } from '../property.ts';
import { anySchema } from '../values/any-schema.ts';
import { directed, makeSchema } from '../values/make-schema.ts';
import { hasUnknownRules, isBeyondHyperjump, withHyperjump } from './hyperjump.ts';

/**
 * Every value that vouch makes, judged by Ajv (through the schema itself) and by hyperjump, which
 * shares no code with it. What hyperjump cannot be asked about is said in `isBeyondHyperjump`.
 */
const { sampleValue } = await loadSampler();

interface Question {
  readonly schema: Schema;
  readonly direction: Direction;
  readonly document: unknown;
}

/**
 * Holds both judges against the values of one schema; answers how many invalid ones hyperjump was
 * asked about.
 */
function expectAgreement(
  { schema, direction, document }: Question,
  accepts: (value: JsonValue) => boolean,
): number {
  const { valid, invalid } = valuesOf(schema, direction);
  for (const { value, label } of valid)
    expect(schema.validate(value, direction), label).toEqual([]);
  for (const { value, label } of invalid)
    expect(schema.validate(value, direction), label).not.toEqual([]);
  // What breaks every branch may keep one of them as hyperjump sees it, where it cannot judge a
  // rule of that branch.
  const blurred = hasUnknownRules(document);
  const asked = invalid.filter(
    ({ value, pointer }) =>
      !isBeyondHyperjump(value, keywordAt(document, pointer)) && !(isBranch(pointer) && blurred),
  );
  expect(
    valid
      .filter(({ value }) => !isBeyondHyperjump(value) && !accepts(value))
      .map(({ label }) => label),
  ).toEqual([]);
  expect(asked.filter(({ value }) => accepts(value)).map(({ label }) => label)).toEqual([]);
  return asked.length;
}

function isBranch(pointer: string): boolean {
  return /\/(anyOf|oneOf)(\/|$)/.test(pointer);
}

function valuesOf(
  schema: Schema,
  direction: Direction,
): { valid: { value: JsonValue; label: string }[]; invalid: ReturnType<typeof invalidValues> } {
  const made = [
    plainValue(schema, { seed: 1, direction }),
    plainValue(schema, { seed: 1, direction, required: 'all' }),
    sampleValue(schema, { seed: 1, direction }),
  ];
  const plain = made.flatMap((one) =>
    one.ok ? [{ value: one.value, label: 'plain or sample' }] : [],
  );
  return {
    valid: [...plain, ...boundaryValues(schema, direction), ...exoticValues(schema, direction)],
    invalid: invalidValues(schema, direction),
  };
}

function keywordAt(document: unknown, pointer: string): { keyword: string; value: unknown } {
  // A mutation points at a keyword, or at the member of one.
  const [own = '', around = ''] = [
    splitPointer(pointer).at(-1),
    splitPointer(parentPointer(pointer)).at(-1),
  ];
  const value = valueAt(document as JsonObject, pointer);
  return { keyword: own === '' ? around : own, value };
}

describe('Ajv and hyperjump agree on every value that is made', () => {
  test('for schemas of every shape', async () => {
    const property = fc.asyncProperty(anySchema, async (node) => {
      const accepts = await withHyperjump(node, (judge) => judge(''));
      expectAgreement({ schema: makeSchema(node), direction: 'request', document: node }, accepts);
    });
    await fc.assert(property, { numRuns: 30 });
  });

  const contracts = [
    '../../openapi/petstore.v1.yaml',
    '../mock/contracts/workshop.yaml',
    '../mock/contracts/desk.yaml',
    '../mock/contracts/estate.yaml',
  ];
  test.each(contracts)('for the schemas of %s', async (file) => {
    const contract = await loadContract(fileURLToPath(new URL(file, import.meta.url)));
    let asked = 0;
    for (const direction of ['request', 'response'] as const) {
      const document = directed(contract.document, direction);
      await withHyperjump(document, async (judge) => {
        for (const schema of schemasOf(contract, direction))
          asked += expectAgreement({ schema, direction, document }, await judge(schema.pointer));
      });
    }
    expect(asked).toBeGreaterThan(10);
  });
});

/** The schemas that travel in one direction; those that say the same, once. */
function schemasOf({ operations }: Contract, direction: Direction): Schema[] {
  const given = operations.flatMap(({ parameters, requestBody }) => [
    ...parameters.map(({ schema }) => schema),
    ...(requestBody?.content ?? []).map(({ schema }) => schema),
  ]);
  const shown = operations.flatMap(({ responses }) =>
    responses.flatMap(({ content }) => content.map(({ schema }) => schema)),
  );
  const schemas = (direction === 'request' ? given : shown).filter(
    (schema) => schema !== undefined,
  );
  return [
    ...new Map(schemas.map((schema) => [stringifyJson(schema.node as JsonValue), schema])).values(),
  ];
}
