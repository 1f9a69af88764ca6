import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { methods } from '../../src/contract/model.ts';
import { joinPointer, valueAt, type Pointer } from '../../src/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts';
import { document } from './bundled.ts';
import { judge } from './examples.ts';
import { projectFile, readYaml } from './files.ts';
import { list, word } from './node.ts';

const names = readdirSync(projectFile('scenarios')).map((file) => file.replace(/\.yaml$/, ''));
const scenarios = names.map((name) => ({ name, scenario: readYaml(`scenarios/${name}.yaml`) }));
const answers = scenarios.flatMap(({ name, scenario }) =>
  objects(scenario['rules']).flatMap((rule) =>
    operationsOf(rule).flatMap((operation) =>
      objects(rule['answers']).map((answer, index) => ({
        name,
        operation,
        step: index + 1,
        answer,
      })),
    ),
  ),
);

test('the bundled scenarios', () => {
  expect(names.sort()).toEqual([
    'after-removal',
    'connection-reset',
    'empty-store',
    'expired-key',
    'flaky-network',
    'list-fails-twice',
    'message-queue',
    'missing-field',
    'missing-pet',
    'rate-limit',
    'slow-list',
    'slow-network',
    'truncated-list',
  ]);
});

describe('every scenario', () => {
  test.each(scenarios)('$name has a description and an effect', ({ scenario }) => {
    expect(word(scenario['description'])).toMatch(/^[A-Z][^.]+\.$/);
    expect(
      Object.keys(scenario).filter(
        (key) => !['description', 'clock', 'state', 'rules'].includes(key),
      ),
    ).toEqual([]);
    expect(scenario['clock'] ?? scenario['state'] ?? objects(scenario['rules'])[0]).toBeDefined();
  });

  test.each(answers)(
    '$name, $operation, step $step, conforms to the contract',
    ({ operation, answer }) => {
      expect(operationIds()).toContain(operation);
      const allowed = [
        'status',
        'headers',
        'body',
        'delay',
        'fault',
        'times',
        'offContract',
        'pass',
      ];
      expect(Object.keys(answer).filter((key) => !allowed.includes(key))).toEqual([]);
      if (answer['pass'] === true || answer['fault'] !== undefined)
        return expect(answer['status']).toBeUndefined();
      expect(['queued', answer['status']]).toContain(valueAt(answer, '/body/status'));
      expect(faultsOf(operation, answer).length > 0).toBe(answer['offContract'] === true);
    },
  );
});

test('a response that the contract does not allow is detected', () => {
  expect(faultsOf('getPet', { status: 500, body: {} })).toEqual(['500 is not documented']);
  expect(faultsOf('getPet', { status: 404, body: { code: 'not_found', status: 404 } })).toEqual([
    "must have required property 'message'",
  ]);
});

test('the expired key is refused by exactly the operations that document a 401', () => {
  const refused = answers
    .filter(({ name }) => name === 'expired-key')
    .map(({ operation }) => operation);
  const documenting = operationIds().filter(
    (id) => valueAt(document, joinPointer(operationAt(id), 'responses', '401')) !== undefined,
  );
  expect(refused.sort()).toEqual(documenting.sort());
});

test('the clock of after-removal is on the day after the removal date', () => {
  const removal = word(valueAt(document, joinPointer(operationAt('getPet'), 'x-sunset')));
  const nextDay = new Date(Date.parse(removal) + 86_400_000).toISOString().slice(0, 10);
  expect(readYaml('scenarios/after-removal.yaml')['clock']).toBe(nextDay);
});

test('every initial record of a scenario belongs to a collection of the contract', () => {
  const started = scenarios.flatMap(({ scenario }) =>
    Object.keys(isJsonObject(scenario['state']) ? scenario['state'] : {}),
  );
  expect(started).toEqual(['pets']);
  expect(valueAt(document, '/paths/~1pets/get')).toBeDefined();
});

/** The operations that a rule is about: named, all, or those of a tag. */
function operationsOf(rule: JsonObject): string[] {
  const named = Array.isArray(rule['operation'])
    ? list(rule['operation']).map(word)
    : rule['operation'] === undefined
      ? []
      : [word(rule['operation'])];
  const tagged = operationPointers()
    .filter((pointer) =>
      list(valueAt(document, joinPointer(pointer, 'tags'))).includes(rule['tag'] ?? ''),
    )
    .map((pointer) => word(valueAt(document, joinPointer(pointer, 'operationId'))));
  return [...named.flatMap((id) => (id === '*' ? operationIds() : [id])), ...tagged];
}

/**
 * What the contract has against an answer: an undocumented status, or a body that breaks its
 * schema.
 */
function faultsOf(operation: string, answer: JsonObject): string[] {
  const status = String(answer['status']);
  const responses = joinPointer(operationAt(operation), 'responses');
  const documented = [status, `${status.slice(0, 1)}XX`, 'default'].find(
    (key) => valueAt(document, joinPointer(responses, key)) !== undefined,
  );
  if (documented === undefined) return [`${status} is not documented`];
  return judge(document, schemaOf(joinPointer(responses, documented)), answer['body']);
}

function schemaOf(response: Pointer): Pointer {
  const reference = valueAt(document, joinPointer(response, '$ref'));
  return joinPointer(
    typeof reference === 'string' ? reference.slice(1) : response,
    'content',
    'application/json',
    'schema',
  );
}

function operationAt(id: string): Pointer {
  const found = operationPointers().find(
    (pointer) => valueAt(document, joinPointer(pointer, 'operationId')) === id,
  );
  if (found === undefined) throw new Error(`The contract has no operation ${id}.`);
  return found;
}

function operationIds(): string[] {
  return operationPointers().map((pointer) =>
    word(valueAt(document, joinPointer(pointer, 'operationId'))),
  );
}

function operationPointers(): Pointer[] {
  return Object.keys(valueAt(document, '/paths') ?? {})
    .flatMap((path) => methods.map((method) => joinPointer('/paths', path, method.toLowerCase())))
    .filter((pointer) => valueAt(document, pointer) !== undefined);
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return list(value).filter(isJsonObject);
}
