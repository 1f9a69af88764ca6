import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseJsonPath } from '../../../src/contract/json-path/json-path.ts';
import { pointerOf } from '../../../src/contract/json-path/path-node.ts';
import type { JsonValue } from '../../../src/json/value.ts';
import { WorkBudget, WorkBudgetExceeded } from '../../../src/json/work-budget.ts';

function select(value: JsonValue, text: string, units?: number): readonly JsonValue[] {
  const path = parseJsonPath(text);
  if ('fault' in path) throw new Error(path.fault);
  return path.select(value, new WorkBudget(units)).map((node) => node.value);
}

interface Compliance {
  readonly name: string;
  readonly selector: string;
  readonly document?: JsonValue;
  readonly result?: readonly JsonValue[];
  readonly results?: readonly (readonly JsonValue[])[];
  readonly invalid_selector?: boolean;
}

const suite = JSON.parse(
  readFileSync(
    new URL(
      '../../../node_modules/jsonpath-rfc9535/src/__tests__/' +
        'jsonpath-compliance-test-suite/cts.json',
      import.meta.url,
    ),
    'utf8',
  ),
) as { readonly tests: readonly Compliance[] };

describe('the compliance suite of RFC 9535', () => {
  test.each(suite.tests)('JSONPath: $name', ({ selector, document = null, ...expected }) => {
    const path = parseJsonPath(selector);
    if (expected.invalid_selector === true) {
      expect(path).toHaveProperty('fault');
      return;
    }
    expect('fault' in path ? path : undefined).toBeUndefined();
    const found = select(document, selector);
    expect(expected.results ?? [expected.result]).toContainEqual(found);
  });
});

describe('a query on a hostile value', () => {
  const deep = JSON.parse('['.repeat(400) + ']'.repeat(400)) as JsonValue;
  const wide = Array.from({ length: 3_000 }, (_, index) => ({ index, text: 'a'.repeat(50) }));
  test.each<[string, JsonValue]>([
    ['$..*..*..*..*', deep],
    [`$${'[*,*,*,*]'.repeat(20)}`, [[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]],
    ['$..[?$..[?@ == 1]]', wide],
    ['$[?count($[?count($.*) > 1]) > 1]', wide],
    ['$[?$[?@.text == $[0].text]]', wide],
    ['$[?$ == $]', wide],
    [`$[${Array.from({ length: 900 }, () => '::1').join(',')}]`, wide],
    [`$..[?${'@.a == 1 || '.repeat(200)}$..x]`, wide],
  ])('%s is stopped by its budget', (query, value) => {
    expect(() => select(value, query, 20_000_000)).toThrow(WorkBudgetExceeded);
  });

  test.each([
    ["$[?search(@.text, '((a{0,20}){0,20}){0,2}b')]", 0],
    ["$[?search(@.text, '^(a*)*$')]", 3_000],
    ["$[?match(@.text, '(a|aa)+')]", 3_000],
    ["$[?match(@.text, '(a|a?)+b')]", 0],
    ["$[?match(@.text, '(.*)(.*)(.*)(.*)(.*)=')]", 0],
    ['$[?search(@.text, $[0].index)]', 0],
    ["$[?search('((a+)+)+$', @.text)]", 0],
  ])('%s is decided in linear time', (query, found) => {
    expect(select(wide, query)).toHaveLength(found);
  });

  test('numbers beyond 2^53 are compared exactly', () => {
    const list = [9007199254740993n, 9007199254740992n];
    expect(select(list, '$[?@ == 9007199254740992]')).toEqual([9007199254740992n]);
    expect(select(list, '$[?@ > 9007199254740992]')).toEqual([9007199254740993n]);
  });

  test('the way to a value is its JSON Pointer', () => {
    const path = parseJsonPath("$..['a/b']");
    if ('fault' in path) throw new Error(path.fault);
    const found = path.select([{ 'a/b': { c: 1 } }], new WorkBudget());
    expect(found.map(pointerOf)).toEqual(['/0/a~1b']);
  });

  test('match() covers the whole text, also of each alternative', () => {
    expect(select(['ab', 'b', 'ac'], "$[?match(@, 'a|b')]")).toEqual(['b']);
  });

  test('three conditions all have to hold', () => {
    expect(select([{ a: 1, b: 2, c: 3 }], '$[?@.a == 1 && @.b == 9 && @.c == 3]')).toEqual([]);
  });
});
