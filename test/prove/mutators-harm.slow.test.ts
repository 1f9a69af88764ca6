import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { refusalMutants, replacementMutants } from '../../src/check/topics/records/harm-mutants.ts';
import { methodMutants } from '../../src/check/topics/validity/method-refused.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../src/json/value.ts';
import { proof, proveKinds } from './prove-kinds.ts';

const text = readFileSync(new URL('./tasks.yaml', import.meta.url), 'utf8');

/** What the mutations need of the tasks: each further field and parameter is many requests. */
const fields = new Set(['title', 'state', 'points', 'urgent', 'id', 'createdAt']);
const parameters = new Set(['taskId', 'urgent', 'q', 'X-Tenant', 'limit', 'offset']);

function small(value: JsonValue, key = ''): JsonValue {
  if (isJsonArray(value))
    return value
      .filter((part) => key !== 'parameters' || isNeeded(part))
      .map((part) => small(part));
  if (!isJsonObject(value)) return value;
  const isOfTask = key === 'properties' && 'title' in value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isOfTask || fields.has(name))
      .map(([name, part]) => [name, small(part, name)]),
  );
}

function isNeeded(parameter: JsonValue): boolean {
  return isJsonObject(parameter) && parameters.has(String(parameter['name']));
}

const tasks = small(parse(text) as JsonObject) as JsonObject;

test('each kind of harmful side effect is detected', proof, async () => {
  const kinds = [
    ...[...refusalMutants, ...replacementMutants, ...methodMutants].map(({ id }) => id),
    'takes-other-case',
  ];
  const { summary } = await proveKinds(tasks, kinds);
  expect(summary.kinds.planted).toBe(kinds.length);
});

test(
  'what a service takes too much of, and records without a filtered field, are detected',
  proof,
  async () => {
    const kinds = [
      'accepts-type-of-parameter',
      'accepts-min-length-of-parameter',
      'filter-lets-absent-through',
    ];
    const { summary } = await proveKinds(tasks, kinds);
    expect(summary.kinds.planted).toBe(kinds.length);
  },
);
