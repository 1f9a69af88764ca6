import { expect, test } from 'vitest';
import { planOf } from '../../../src/check/engine/plan/plan-run.ts';
import { resolveSettings } from '../../../src/check/engine/settings.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { makeContract } from '../../contract/make-contract.ts';

/** What a run says of each body of a wrong type, were it accepted. */
function acceptedOf(
  mediaType: string,
  schema: JsonObject,
  ...statuses: string[]
): Record<string, string> {
  const responses = Object.fromEntries(
    ['204', ...statuses].map((status) => [status, { description: status }]),
  );
  const contract = makeContract({
    paths: {
      '/files': {
        post: {
          operationId: 'put',
          requestBody: { required: true, content: { [mediaType]: { schema } } },
          responses,
        },
      },
    },
  });
  const cases = planOf(
    resolveSettings({ url: 'http://127.0.0.1:4010', contract, seed: 'broken', mode: 'read-write' }),
  ).stages.flatMap(({ sequences }) => sequences.flatMap((sequence) => sequence.cases));
  return Object.fromEntries(
    cases.flatMap(({ title, intent }) =>
      intent.kind === 'invalid' && /XML|text\/plain/.test(title) ? [[title, intent.accepted]] : [],
    ),
  );
}

const file: JsonObject = { type: 'string', format: 'binary' };
const thing: JsonObject = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' } },
};

test.each<[string, string, JsonObject, string[], Record<string, string>]>([
  [
    'a file may be anything, under any name',
    'application/octet-stream',
    file,
    [],
    { 'the body is XML': 'warning', 'the body is labelled text/plain': 'warning' },
  ],
  [
    'but where the contract says that it is refused',
    'application/octet-stream',
    file,
    ['415'],
    { 'the body is XML': 'error', 'the body is labelled text/plain': 'error' },
  ],
  [
    'XML is no JSON',
    'application/json',
    thing,
    [],
    { 'the body is XML': 'error', 'the body is labelled text/plain': 'warning' },
  ],
  [
    'and a text none where it is said to be refused',
    'application/json',
    thing,
    ['415'],
    { 'the body is XML': 'error', 'the body is labelled text/plain': 'error' },
  ],
  ['a text is labelled so', 'text/plain', { type: 'string' }, [], { 'the body is XML': 'warning' }],
  ['what takes everything has no wrong type', '*/*', file, [], {}],
])(
  'a body of another type, were it accepted: %s',
  (_name, mediaType, schema, statuses, expected) => {
    expect(acceptedOf(mediaType, schema, ...statuses)).toEqual(expected);
  },
);
