import { expect, test } from 'vitest';
import { planCheck } from '../../../../src/check/engine/check-target.ts';
import { planOf } from '../../../../src/check/engine/plan/plan-run.ts';
import { resolveSettings } from '../../../../src/check/engine/settings.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';

const thing = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const answer = { responses: { 200: { description: 'ok', ...jsonContent(thing) } } };
const contract = makeContract({
  paths: {
    '/things': {
      get: {
        operationId: 'list',
        responses: { 200: { description: 'ok', ...jsonContent({ type: 'array', items: thing }) } },
      },
      post: {
        operationId: 'create',
        requestBody: jsonContent(thing),
        responses: { 201: { description: 'made', ...jsonContent(thing) } },
      },
    },
    '/things/{id}': {
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
        { name: 'size', in: 'query', schema: { type: 'integer', maximum: 5 } },
      ],
      get: { operationId: 'read', ...answer },
      put: { operationId: 'replace', requestBody: jsonContent(thing), ...answer },
      patch: { operationId: 'update', requestBody: jsonContent(thing), ...answer },
      delete: { operationId: 'remove', responses: { 204: { description: 'gone' } } },
    },
    '/things/{id}/wash': {
      post: {
        operationId: 'wash',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'size', in: 'query', schema: { type: 'integer', maximum: 5 } },
        ],
        responses: { 204: { description: 'done' } },
      },
    },
  },
});

test('an operation that changes a record gets invalid values only in the path', () => {
  const { requests } = planCheck({
    url: 'http://127.0.0.1:4010',
    contract,
    seed: 'negative',
    mode: 'read-write',
  });
  const broken = (parameter: string): string[] =>
    [
      ...new Set(
        requests
          .filter(
            ({ phase, title }) => phase === 'negative' && title.startsWith(`${parameter} is `),
          )
          .map(({ operation }) => operation.id),
      ),
    ].sort();
  expect(broken('size')).toEqual(['read', 'wash']);
  expect(broken('id')).toEqual(expect.arrayContaining(['read', 'remove', 'replace', 'update']));
});

test('a value that many servers tolerate in a parameter is less than an error', () => {
  const parameters = [
    { name: 'size', in: 'query', schema: { type: 'integer', maximum: 5 } },
    { name: 'kind', in: 'query', schema: { type: 'string', enum: ['red', 'blue'] } },
    {
      name: 'like',
      in: 'query',
      style: 'deepObject',
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['x'],
        properties: { x: { type: 'string', maxLength: 3 } },
      },
    },
  ];
  const list = makeContract({
    paths: {
      '/things': {
        get: {
          operationId: 'list',
          parameters,
          responses: {
            200: { description: 'ok', ...jsonContent({ type: 'array' }) },
            400: { description: 'bad' },
          },
        },
      },
    },
  });
  const cases = planOf(
    resolveSettings({ url: 'http://127.0.0.1:4010', contract: list, seed: 'negative' }),
  ).stages.flatMap(({ sequences }) => sequences.flatMap((sequence) => sequence.cases));
  const accepted = Object.fromEntries(
    cases.flatMap(({ intent }) =>
      intent.kind === 'invalid' ? [[intent.rule, intent.accepted]] : [],
    ),
  );
  const rulesOf = (severity: string): string[] =>
    Object.keys(accepted)
      .filter((rule) => accepted[rule] === severity)
      .sort();
  expect({
    error: rulesOf('error'),
    warning: rulesOf('warning'),
    fine: rulesOf('fine'),
  }).toMatchInlineSnapshot(`
    {
      "error": [
        "kind is "unlisted", not one of "red", "blue"",
        "like.x has 4 characters, more than 3",
        "size is "1.5", not of type integer",
        "size is "NaN", not of type integer",
        "size is "abc", not of type integer",
        "size is 6, above the maximum of 5",
        "size is 99999999999999999999, which its schema excludes",
      ],
      "fine": [
        "Accept is application/x-nothing",
        "If-Match is "",
        "If-Modified-Since is yesterday at noon",
        "If-None-Match is not-a-tag",
        "Range is lines=last",
        "kind is %ff, a byte that is not UTF-8",
        "kind is %zz, a percent sign without two digits",
        "kind is empty",
        "kind is given twice",
        "like is %ff, a byte that is not UTF-8",
        "like is %zz, a percent sign without two digits",
        "size is %ff, a byte that is not UTF-8",
        "size is %zz, a percent sign without two digits",
        "size is -1",
        "size is empty",
        "size is given twice",
      ],
      "warning": [
        "kind is "RED", not one of "red", "blue"",
        "like.unexpected is given, which the contract does not name",
      ],
    }
  `);
});

test('a list with listed orders is asked for an order by a field that is not among them', () => {
  const sort = {
    name: 'sort',
    in: 'query',
    schema: { type: 'string', enum: ['name', '-name'] },
  };
  const record = { ...thing, properties: { ...thing.properties, size: { type: 'integer' } } };
  const { requests } = planCheck({
    url: 'http://127.0.0.1:4010',
    contract: makeContract({
      paths: {
        '/things': {
          get: {
            operationId: 'list',
            parameters: [sort],
            responses: {
              200: { description: 'ok', ...jsonContent({ type: 'array', items: record }) },
            },
          },
        },
      },
    }),
    seed: 'negative',
    mode: 'read-write',
  });
  const invalid = requests.filter(({ phase }) => phase === 'negative').map(({ title }) => title);
  expect(invalid).toContain('sort is "size", a field that it does not list');
});
