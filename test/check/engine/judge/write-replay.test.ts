import { expect, test } from 'vitest';
import { makeCase, makeSequence, type Sequence } from '../../../../src/check/model/case.ts';
import type { ReplayForm } from '../../../../src/check/model/finding.ts';
import type {
  BodyTemplate,
  RequestTemplate,
  Source,
} from '../../../../src/check/model/request-template.ts';
import { readReplay } from '../../../../src/check/replay/read-replay.ts';
import { writeReplay } from '../../../../src/check/engine/judge/write-replay.ts';
import { makeContract } from '../../../contract/make-contract.ts';

const contract = makeContract({
  paths: {
    '/things/{id}': {
      put: {
        operationId: 'putThing',
        parameters: [{ name: 'id', in: 'path', required: true, schema: {} }],
        requestBody: {
          content: { 'application/json': {}, 'application/xml': { schema: { type: 'object' } } },
        },
        responses: { 204: { description: 'done' } },
      },
    },
  },
});
const [operation] = contract.operations;
if (operation === undefined) throw new Error('the contract has no operation');
const [parameter] = operation.parameters;
const [, xml] = operation.requestBody?.content ?? [];
if (parameter === undefined || xml === undefined)
  throw new Error('the operation has no parameter, or no XML');

/** The sequence as a report keeps it. */
function write(sequence: Sequence): ReplayForm {
  return writeReplay(
    {
      check: 'valid-accepted',
      violation: { at: '', message: '', expected: '', actual: '' },
      sequence,
      alone: true,
      times: 1,
      mark: 'm',
    },
    contract,
    (text) => text,
  );
}

/** The sequence, read back out of a report. */
function throughReport(sequence: Sequence): unknown {
  return readReplay(JSON.parse(JSON.stringify(write(sequence))) as ReplayForm, contract);
}

function sequenceOf(request: Partial<RequestTemplate>, control?: RequestTemplate): Sequence {
  return makeSequence(
    makeCase({
      title: 't',
      phase: 'boundary',
      operation: operation as NonNullable<typeof operation>,
      request: { arguments: [], credential: 'given', ...request },
      intent: { kind: 'valid', rigour: 'plain', at: '' },
      ...(control === undefined ? {} : { control }),
    }),
  );
}

const sources: readonly Source[] = [
  { kind: 'value', value: { big: 9007199254740993n, list: [null, 'a'] } },
  { kind: 'text', text: '1e2' },
  { kind: 'raw', text: '%zz' },
  { kind: 'known', resource: 'things' },
  { kind: 'known', resource: 'things', parent: 0, otherwise: 9007199254740993n },
  { kind: 'own', resource: 'things' },
  { kind: 'created', resource: 'things', parent: 1 },
  { kind: 'listed', resource: 'things' },
  { kind: 'field', resource: 'things', field: 'name' },
  { kind: 'held', resource: 'things', field: 'name', least: 3 },
  {
    kind: 'expression',
    resource: 'things',
    language: 'odata-filter',
    condition: {
      any: [
        { field: 'name', op: 'eq', takes: 'other case' },
        { not: { all: [{ field: 'at', op: 'lt', format: 'date-time' }] }, as: 1 },
      ],
    },
    unlike: 'joints',
  },
  { kind: 'share', resource: 'things', pages: 5, page: 2, of: 'start' },
  { kind: 'link', operation: 'putThing', expression: '$response.body#/id', first: true },
  { kind: 'next', resource: 'things', parameter: 'cursor' },
];
test.each(sources.map((source) => [source.kind, source] as const))(
  'an argument comes back as it was: %s',
  (_kind, source) => {
    const sequence = sequenceOf({ arguments: [{ parameter, source }] });
    expect(throughReport(sequence)).toEqual({ ok: true, sequence });
  },
);

test.each<[string, BodyTemplate]>([
  ['JSON', { kind: 'json', mediaType: 'application/json', value: { big: 9007199254740993n } }],
  [
    'JSON on what a read answers',
    { kind: 'json', mediaType: 'application/json', value: {}, onto: 'getThing' },
  ],
  ['a value in another media type', { kind: 'content', media: xml, value: { a: [1, null] } }],
  [
    'a value of which a part is left out',
    { kind: 'content', media: xml, value: { a: 1 }, altered: { at: '/a' } },
  ],
  [
    'a value of which a part is another',
    { kind: 'content', media: xml, value: { a: 1 }, altered: { at: '/a', part: [2] } },
  ],
  [
    'a value under the label of another media type',
    { kind: 'content', media: xml, value: { a: 1 }, label: 'text/plain' },
  ],
  ['bytes', { kind: 'bytes', bytes: new Uint8Array([0, 255, 128]) }],
  ['bytes of a type', { kind: 'bytes', mediaType: 'text/plain', bytes: new Uint8Array([97]) }],
])('a body comes back as it was: %s', (_name, body) => {
  const sequence = sequenceOf({ body });
  expect(write(sequence).steps[0]?.request.body).toMatchObject({ kind: body.kind });
  expect(throughReport(sequence)).toEqual({ ok: true, sequence });
});

test('method, headers, credential, control and concurrency survive writing and reading', () => {
  const control: RequestTemplate = {
    arguments: [{ parameter, source: { kind: 'text', text: '1' } }],
    credential: 'given',
  };
  const sequence: Sequence = {
    ...sequenceOf(
      { method: 'HEAD', headers: [['Accept', 'text/html']], credential: 'none' },
      control,
    ),
    concurrent: true,
  };
  expect(throughReport(sequence)).toEqual({ ok: true, sequence });
});

test('hides every secret text, and nothing else', () => {
  const form = writeReplay(
    {
      check: 'valid-accepted',
      violation: { at: '/paths', message: '', expected: '', actual: '', cause: 'c' },
      sequence: sequenceOf({
        headers: [['X-Key', 'secret']],
        body: { kind: 'json', mediaType: 'application/json', value: { key: 'secret' } },
      }),
      alone: false,
      times: 4,
      mark: 'm',
      status: 500,
    },
    contract,
    (text) => text.replaceAll('secret', '***'),
  );
  expect(form).toMatchObject({
    version: 1,
    at: '/paths',
    cause: 'c',
    alone: false,
    times: 4,
    mark: 'm',
    status: 500,
  });
  expect(JSON.stringify(form.steps)).not.toContain('secret');
  expect(form.steps[0]?.request).toMatchObject({
    headers: [['X-Key', '***']],
    body: { json: '{"key":"***"}' },
  });
});
