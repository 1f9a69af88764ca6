import { expect, test } from 'vitest';
import { type Case, makeCase, type Sequence } from '../../../../src/check/model/case.ts';
import type { Argument } from '../../../../src/check/model/request-template.ts';
import { candidates } from '../../../../src/check/engine/confirm/shrink.ts';
import { parseContract } from '../../../../src/contract/load.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../../../src/json/value.ts';

const contract = parseContract(
  `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    get:
      operationId: list
      parameters: [{ name: colour, in: query, schema: { type: string } }, { name: size, in: query,
          schema: { type: integer } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array,
          items: { $ref: '#/components/schemas/Thing' } } } } } }
    post:
      operationId: create
      requestBody: { required: true, content: { application/json: { schema: {
          $ref: '#/components/schemas/Thing' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: {
          $ref: '#/components/schemas/Thing' } } } } }
  /things/{id}:
    get:
      operationId: read
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: ok, content: { application/json: { schema: {
          $ref: '#/components/schemas/Thing' } } } } }
components: { schemas: { Thing: { type: object, required: [name], properties: { id: { type: integer,
    readOnly: true }, name: { type: string }, note: { type: string }, size: {
    type: integer } } } } }
`,
  'things.yaml',
);

/** A case of an operation, called by what it sends. */
function caseOf(
  id: string,
  given: Readonly<Record<string, JsonValue | Argument['source']>> = {},
  body?: JsonObject,
): Case {
  const operation = contract.operations.find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`the contract has no ${id}`);
  const args = operation.parameters.flatMap((parameter): Argument[] => {
    const value = given[parameter.name];
    if (value === undefined) return [];
    // What has a kind is a source.
    return [
      {
        parameter,
        source:
          typeof value === 'object' && value !== null && 'kind' in value
            ? (value as Argument['source'])
            : { kind: 'value', value },
      },
    ];
  });
  return makeCase({
    title: id,
    phase: 'sequence',
    operation,
    request: {
      arguments: args,
      credential: 'given',
      ...(body === undefined
        ? {}
        : { body: { kind: 'json', mediaType: 'application/json', value: body } }),
    },
    intent: { kind: 'valid', rigour: 'plain', at: '' },
  });
}

const created = { kind: 'created', resource: 'things' } as const;

/** Each candidate in a line: what it sends, step by step. */
function shown(
  cases: readonly Case[],
  { mayShorten = false, at = '', concurrent = false } = {},
): string[] {
  const sequence: Sequence = { id: 's', cases, ...(concurrent ? { concurrent: true } : {}) };
  const found = candidates(
    { sequence, violation: { at, message: '', expected: '', actual: '' }, mayShorten },
    { contract, seed: 's', runId: 'MARK', maySend: () => true },
  );
  return [...found].map((candidate) =>
    candidate.cases
      .map(({ operation, request }) => {
        const args = request.arguments.map(
          ({ parameter, source }) =>
            `${parameter.name}=` +
            (source.kind === 'value' ? stringifyJson(source.value) : source.kind),
        );
        return [
          operation.id,
          ...args,
          request.body?.kind === 'json' ? stringifyJson(request.body.value) : [],
        ]
          .flat()
          .join(' ');
      })
      .join(', '),
  );
}

test('leaves out each step before the last, except those that later steps need', () => {
  expect(shown([caseOf('list'), caseOf('read', { id: 1 }), caseOf('list')])).toEqual([
    'read id=1, list',
    'list, list',
  ]);
  expect(shown([caseOf('create', {}, { name: 'a' }), caseOf('read', { id: created })])).toEqual([]);
  expect(
    shown([
      caseOf('read', { id: 1 }),
      caseOf('create', {}, { name: 'a' }),
      caseOf('read', { id: created }),
    ]),
  ).toEqual(['create {"name":"a"}, read id=created']);
  expect(
    shown([
      caseOf('create', {}, { name: 'a' }),
      caseOf('create', {}, { name: 'b' }),
      caseOf('read', { id: created }),
    ]),
  ).toEqual(['create {"name":"a"}, read id=created']);
});

test('replaces an existing record by one that is created for the sequence', () => {
  expect(shown([caseOf('read', { id: { kind: 'known', resource: 'things' } })])).toEqual([
    expect.stringMatching(/^create \{"name":".* MARK-[0-9a-f]+".*\}, read id=created$/),
  ]);
});

test('leaves out optional arguments, all at once and one by one', () => {
  expect(shown([caseOf('list', { colour: 'red', size: 3 })])).toEqual([
    'list',
    'list size=3',
    'list colour="red"',
  ]);
  expect(shown([caseOf('list', { size: 3 })])).toEqual(['list']);
  expect(shown([caseOf('list', { colour: { kind: 'text', text: '%' } })])).toEqual([]);
});

test('leaves out optional members of a body, except the one with the finding', () => {
  const body = { name: 'a', note: 'b', size: 1 };
  expect(shown([caseOf('create', {}, body)])[0]).toBe('create {"name":"a"}');
  expect(
    shown([caseOf('create', {}, body)], { at: '/components/schemas/Thing/properties/size' })[0],
  ).toBe('create {"name":"a","size":1}');
});

test('an invalid request keeps breaking the same rule, and no other', () => {
  const all = shown([caseOf('create', {}, { note: 'b', size: 1 })]);
  expect(all[0]).toBe('create {}');
  expect(
    shown([caseOf('create', {}, { name: 'a', size: 'x' })]).filter(
      (line) => !line.includes('"size":"x"'),
    ),
  ).toEqual([]);
});

test('shortens texts if allowed', () => {
  const long = 'x'.repeat(41);
  expect(shown([caseOf('create', {}, { name: long })])).toEqual([]);
  expect(shown([caseOf('create', {}, { name: long })], { mayShorten: true })).toEqual(
    [1, 40, 21].map((length) => `create {"name":"${'x'.repeat(length)}"}`),
  );
});

test('does not shrink concurrent requests', () => {
  expect(
    shown([caseOf('list', { size: 3 }), caseOf('list', { size: 3 })], { concurrent: true }),
  ).toEqual([]);
});

test('a shorter value names the request only if it is what differs from the control', () => {
  const long = 'a text that is long enough to be made shorter, and then some';
  const control = caseOf('create', {}, { name: long, size: 1 }).request;
  const titles = (body: JsonObject): string[] => {
    const testCase = { ...caseOf('create', {}, body), title: 'size is 2', control };
    const found = candidates(
      {
        sequence: { id: 's', cases: [testCase] },
        violation: { at: '', message: '', expected: '', actual: '' },
        mayShorten: true,
      },
      { contract, seed: 's', runId: 'MARK', maySend: () => true },
    );
    return [...found].flatMap(({ cases }) => cases.map(({ title }) => title));
  };
  expect(new Set(titles({ name: long, size: 2 }))).toEqual(new Set(['size is 2']));
  expect(titles({ name: `${long}!`, size: 1 }).some((title) => title.startsWith('name is "'))).toBe(
    true,
  );
});

test('a shorter value names an invalid request only if it is what makes it invalid', () => {
  const control = caseOf('create', {}, { name: 'a', size: 1 }).request;
  const titles = (body: JsonObject): string[] => {
    const invalid: Case = {
      ...caseOf('create', {}, body),
      title: 'as planned',
      control,
      intent: {
        kind: 'invalid',
        at: '',
        rule: '',
        part: 'body',
        subject: 'the body',
        accepted: 'error',
      },
    };
    const found = candidates(
      {
        sequence: { id: 's', cases: [invalid] },
        violation: { at: '', message: '', expected: '', actual: '' },
        mayShorten: true,
      },
      { contract, seed: 's', runId: 'MARK', maySend: () => true },
    );
    return [...found].flatMap(({ cases }) => cases.map(({ title }) => title));
  };
  expect(new Set(titles({ size: 1_633_207_145 }))).toEqual(new Set(['as planned']));
  expect(titles({ name: 1_633_207_145, size: 1 })).toContain('name is 1');
});
