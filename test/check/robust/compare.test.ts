import { describe, expect, test } from 'vitest';
import { sameIdentifier } from '../../../src/check/reading/list-page.ts';
import { streams } from '../../../src/check/reading/read-answer.ts';
import { flickerKey } from '../../../src/check/reading/steadiness.ts';
import { isSameText } from '../../../src/check/reading/compare-records.ts';
import { planOf } from '../../../src/check/engine/plan/plan-run.ts';
import { resolveSettings } from '../../../src/check/engine/settings.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';
import { alarms, findingsOf } from '../fixture/inline-service.ts';
import { taskContract, taskService, type TaskQuirks } from '../fixture/task-service.ts';
import { talk } from '../fixture/talk.ts';

describe('values are compared by format', () => {
  test.each([
    ['0B3D1C3E-8F1B-4D0E-9D55-0F6E5C1A2B3C', '0b3d1c3e-8f1b-4d0e-9d55-0f6e5c1a2b3c'],
    ['HTTPS://Example.COM/Path?Q=1', 'https://example.com/Path?Q=1'],
    ['Ada@Example.COM', 'Ada@example.com'],
    ['2026-01-02T12:00:00Z', '2026-01-02T17:00:00+05:00'],
  ])('%s equals %s', (left, right) => {
    expect(isSameText(left, right)).toBe(true);
  });

  test.each([
    ['https://example.com/Path', 'https://example.com/path'],
    ['Ada@example.com', 'ada@example.com'],
    ['Report', 'report'],
    ['2026-01-02T12:00:00Z', '2026-01-02T12:00:00+05:00'],
  ])('%s differs from %s', (left, right) => {
    expect(isSameText(left, right)).toBe(false);
  });

  test('the case of an identifier is ignored only for a UUID', () => {
    const id = '0b3d1c3e-8f1b-4d0e-9d55-0f6e5c1a2b3c';
    expect(sameIdentifier(id, id.toUpperCase())).toBe(true);
    expect(sameIdentifier('abc', 'ABC')).toBe(false);
  });
});

const thing: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, dnssec: { type: 'boolean' }, live: { type: 'boolean' } },
};
const flag = (name: string, description: string): JsonObject => ({
  name,
  in: 'query',
  description,
  schema: { type: 'boolean' },
});
const text = (name: string): JsonObject => ({ name, in: 'query', schema: { type: 'string' } });
const listContract = makeContract({
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        parameters: [
          flag('dnssec', 'Include DNSSEC information in each thing'),
          flag('live', 'Only the things that are live'),
          { ...text('X-View'), in: 'header' },
          text('cursor'),
          text('pageToken'),
          text('name'),
        ],
        responses: { 200: { description: 'ok', ...jsonContent({ type: 'array', items: thing }) } },
      },
    },
    '/things/watch': {
      get: { operationId: 'watchThings', responses: { 200: { description: 'ok' } } },
    },
  },
});

test('a boolean that includes fields is not a filter', () => {
  const filters = listContract.resources.flatMap(({ list }) => list?.filters ?? []);
  expect(filters.map(({ parameter }) => parameter.name)).toEqual(['live']);
});

test('a cursor and a token are never made up as valid values', () => {
  const settings = resolveSettings({
    url: 'http://127.0.0.1:4010',
    contract: listContract,
    seed: 'opaque',
  });
  const cases = planOf(settings).stages.flatMap(({ sequences }) =>
    sequences.flatMap((sequence) => sequence.cases),
  );
  const valid = cases
    .filter(({ intent, phase }) => intent.kind === 'valid' && phase === 'boundary')
    .flatMap(({ request }) => request.arguments.map(({ parameter }) => parameter.name));
  expect(valid).toContain('name');
  expect(valid).not.toContain('cursor');
  expect(valid).not.toContain('pageToken');
});

test('headers belong to the identity of a request', () => {
  const step = talk(listContract, [{ ask: 'GET /things', answer: [] }]);
  const withView = (view: string): typeof step => ({
    ...step,
    exchange: {
      ...step.exchange,
      request: { ...step.exchange.request, headers: [['X-View', view]] },
    },
  });
  expect(flickerKey(withView('full'))).not.toBe(flickerKey(withView('odd')));
  expect(flickerKey(withView('full'))).toBe(flickerKey(withView('full')));
});

test('a watch operation is a stream', () => {
  const [list, watch] = listContract.operations;
  expect([list, watch].map((operation) => operation && streams(operation))).toEqual([false, true]);
});

describe('junk in headers, and an empty body', () => {
  const run = async (quirks: TaskQuirks): Promise<string[]> =>
    alarms(await findingsOf(taskContract, taskService(quirks)));

  test.each<[string, TaskQuirks['before']]>([
    ['ignores it', undefined],
    [
      'refuses it as HTTP has it',
      ({ header }) => {
        if (header('if-match') !== undefined) return { status: 412 };
        if (header('range') !== undefined) return { status: 416 };
        return header('accept')?.includes('x-nothing') === true ? { status: 406 } : undefined;
      },
    ],
  ])('raise no alarm where the service %s', async (_, before) => {
    expect(await run(before === undefined ? {} : { before })).toEqual([]);
  });

  test.each(['If-None-Match', 'If-Modified-Since', 'Range', 'Accept', 'If-Match'])(
    'a service that fails on junk in %s is caught',
    async (name) => {
      const junk = /not-a-tag|yesterday|lines=|x-nothing|^"$/;
      const before: TaskQuirks['before'] = ({ header }) =>
        junk.test(header(name) ?? '') ? { status: 500 } : undefined;
      expect(await run({ before })).toContainEqual(
        expect.stringMatching(
          new RegExp(`^error no-server-error .*500 to a request in which ${name} is `),
        ),
      );
    },
  );

  test('a service that fails on an empty JSON body has a finding', async () => {
    const before: TaskQuirks['before'] = ({ method, body, header }) =>
      method === 'POST' && body === '' && header('content-type') !== undefined
        ? { status: 500 }
        : undefined;
    expect(await run({ before })).toContain(
      'error no-server-error createTask: The server answered 500 to a request in which the body ' +
        'is empty.',
    );
  });
});
