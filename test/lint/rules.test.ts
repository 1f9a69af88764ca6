import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { parseYaml } from '../../src/json/parse-yaml.ts';
import { isJsonObject } from '../../src/json/value.ts';
import { parseLintConfig } from '../../src/lint/lint-config.ts';
import { makeLintContext } from '../../src/lint/rules/rule.ts';
import { lintContract } from '../../src/lint/lint-contract.ts';
import { runRedocly } from '../../src/lint/redocly.ts';
import { faultRules, rules } from '../../src/lint/rules/index.ts';
import { documentOf } from './documents.ts';
import { faults } from './faults.ts';

const recommended = parseLintConfig('extends: [recommended]', 'redocly.yaml');

function contractOf(text: string): Contract {
  return parseContract(text, 'things.yaml');
}

describe.each(faults)('$name', ({ rule, line, message, text }) => {
  test('is the only reported fault, with its place', async () => {
    const { problems } = await lintContract({ file: 'things.yaml', text });
    const found = problems.filter(({ severity }) => severity !== 'note');
    expect(found.map((problem) => [problem.rule, problem.message])).toEqual([[rule, message]]);
    expect(text.split('\n')[(found[0]?.place.line ?? 0) - 1]).toContain(line);
    expect(found[0]?.frame).toMatch(new RegExp(`^> *${String(found[0]?.place.line)} \\|`, 'm'));
  });

  test('is not detected by Redocly', async () => {
    const { problems } = await runRedocly(contractOf(text).document, recommended);
    expect(problems).toEqual([]);
  });
});

describe('valid documents', () => {
  test.each([
    ['3.0', documentOf({ version: '3.0.3' })],
    ['3.1', documentOf()],
    ['3.2', documentOf({ version: '3.2.0' })],
    [
      'a nullable default of 3.0',
      documentOf({ version: '3.0.3', schema: '{ type: string, nullable: true, default: null }' }),
    ],
    [
      'a default beyond 2^53 that 64 bits hold',
      documentOf({ schema: '{ type: integer, format: int64, default: 9223372036854775807 }' }),
    ],
    ['bounds that are equal', documentOf({ schema: '{ type: integer, minimum: 5, maximum: 5 }' })],
    [
      'exclusive bounds of 3.0 that are flags',
      documentOf({
        version: '3.0.3',
        schema: '{ type: integer, minimum: 1, exclusiveMinimum: false, maximum: 1 }',
      }),
    ],
    [
      'a pattern that is valid only without the flag u',
      documentOf({ schema: "{ type: string, pattern: '^[\\w-.]+\\-$' }" }),
    ],
    [
      'properties that are called like keywords',
      documentOf({
        schema:
          '{ type: object, properties: { default: { type: integer }, pattern: { ' +
          'type: string }, enum: { type: integer }, readOnly: { type: boolean }, ' +
          'writeOnly: { type: boolean } } }',
      }),
    ],
    [
      'a closed branch that knows all that is required',
      documentOf({
        schema:
          '{ allOf: [{ type: object, additionalProperties: false, properties: { a: ' +
          '{}, b: {} } }, { type: object, required: [b], properties: { b: {} } }] }',
      }),
    ],
    [
      'a default in an example is data',
      documentOf({
        schema: '{ type: object }',
        example: "              example: { default: 1, pattern: '[', schema: { enum: [] } }",
      }),
    ],
    [
      'a required readOnly field that a request leaves out',
      documentOf({
        method: 'post',
        operation:
          '      requestBody: { content: { application/json: { schema: { type: ' +
          'object, required: [id], properties: { id: { type: integer, readOnly: ' +
          'true } } }, example: {} } } }',
      }),
    ],
  ])('%s', async (_name, text) => {
    const { problems } = await lintContract({ file: 'things.yaml', text });
    expect(problems.filter(({ severity }) => severity !== 'note')).toEqual([]);
  });
});

describe('the table of lint rules', () => {
  test('ids are unique, and name the rule', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    expect(rules.filter(({ id }) => !/^(?:vouch\/|no-invalid-)[a-z]+(-[a-z]+)+$/.test(id))).toEqual(
      [],
    );
  });

  test('every rule about a fault detects one above', () => {
    const caught = new Set(faults.map(({ rule }) => rule));
    expect(faultRules.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
  });

  test('every reason is a sentence', () => {
    expect(
      rules.map(({ reason }) => reason).filter((reason) => !/^([A-Z`]|vouch ).*\.$/.test(reason)),
    ).toEqual([]);
  });

  test.each(rules.map((rule) => [rule.id, rule] as const))(
    '%s does not change the contract, and never throws',
    (_id, rule) => {
      const strange = documentOf({
        schema:
          '{ type: [1], enum: 5, default: {}, pattern: 7, minimum: a, maximum: [], ' +
          "allOf: {}, properties: [], required: x, multipleOf: '0' }",
        operation:
          '      x-sunset: []\n      x-replaced-by: {}\n      requestBody: { content: [] }',
      });
      const reading = parseYaml(strange);
      if (!reading.ok || !isJsonObject(reading.value))
        throw new Error('the document of this test is not readable');
      const contract = { ...contractOf(documentOf()), document: reading.value };
      const before = structuredClone(contract.document);
      expect(() => rule.inspect(makeLintContext(contract))).not.toThrow();
      expect(contract.document).toEqual(before);
    },
  );
});
