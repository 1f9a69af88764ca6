import { expect, test } from 'vitest';
import type { Case } from '../../../src/check/model/case.ts';
import { makePlan } from '../../../src/check/engine/plan/plan-run.ts';
import type { Contract } from '../../../src/contract/model.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';

/** The contract of notes that are sent with such a body, and such headers beside it. */
function notes(schema: JsonObject, headers: Readonly<Record<string, JsonObject>> = {}): Contract {
  return makeContract({
    paths: {
      '/notes': {
        post: {
          operationId: 'sendNote',
          parameters: Object.entries(headers).map(([name, header]) => ({
            name,
            in: 'header',
            schema: header,
          })),
          requestBody: { required: true, ...jsonContent(schema) },
          responses: { 204: { description: 'taken' } },
        },
      },
    },
  });
}

/** Many requests by chance. */
function randomCases(contract: Contract): readonly Case[] {
  const { stages } = makePlan({
    contract,
    mode: 'fuzz',
    seed: 'a',
    runId: 'run-a',
    today: '2026-01-02',
    missingServer: () => undefined,
  });
  return stages
    .filter(({ phase }) => phase === 'random')
    .flatMap(({ sequences }) => sequences.flatMap((sequence) => sequence.cases));
}

/** What chance breaks of a body, over many requests. */
function brokenBy(schema: JsonObject): string[] {
  const contract = notes(schema);
  const pointer = contract.operations[0]?.requestBody?.content[0]?.schema?.pointer ?? '';
  return [
    ...new Set(
      randomCases(contract).flatMap(({ intent }) =>
        intent.kind === 'invalid' ? [intent.at.slice(pointer.length)] : [],
      ),
    ),
  ].sort();
}

test.each<[string, JsonObject, string[]]>([
  [
    'how long a text is, and how it is written',
    { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
    ['/maxLength', '/minLength', '/pattern', '/type'],
  ],
  [
    'how large a number is',
    { type: 'integer', minimum: 2, maximum: 4 },
    ['/maximum', '/minimum', '/type'],
  ],
  [
    'how long a list is',
    { type: 'array', items: {}, minItems: 1, maxItems: 2 },
    ['/maxItems', '/minItems', '/type'],
  ],
  ['what is there to choose from', { type: 'string', enum: ['a', 'b'] }, ['/enum', '/type']],
  [
    'which members there are',
    { type: 'object', required: ['a'], properties: { a: {} }, additionalProperties: false },
    ['/additionalProperties', '/required', '/type'],
  ],
  ['nothing that a sound server may forgive', { type: 'string', format: 'date' }, ['/type']],
])('random values break %s', (_, schema, expected) => {
  expect(brokenBy(schema)).toEqual(expected);
});

test('chance writes a header that any text is valid for alone', () => {
  const contract = notes(
    { type: 'string' },
    { 'Api-Version': { type: 'string' }, 'Page-Width': { type: 'string', enum: ['wide', 'slim'] } },
  );
  const titles = new Set(
    randomCases(contract).flatMap(({ title, request }) => {
      const names = request.arguments.map(({ parameter }) => parameter.name);
      return names.includes('Api-Version') ? [title] : [];
    }),
  );
  expect(titles).toEqual(new Set(['there are random values in Api-Version']));
});
