import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openTransport } from '../../src/check/transport/wire/wire-transport.ts';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract, Direction, Schema } from '../../src/contract/model.ts';
import { VouchError } from '../../src/errors.ts';
import { emptyBody } from '../../src/http/message.ts';
import { completeLimits, parseJson } from '../../src/json/parse-json.ts';
import { parseLargeJson, parseYaml, parseYamlBytes } from '../../src/json/parse-yaml.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../src/json/value.ts';
import { fc } from '../property.ts';

const documents = [
  '../../openapi/petstore.v1.yaml',
  '../mock/contracts/desk.yaml',
  '../mock/contracts/estate.yaml',
  '../mock/contracts/workshop.yaml',
].map((file) => readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8'));

const pieces = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '-',
  '?',
  '|',
  '>',
  '&a',
  '*a',
  '!!',
  '!<',
  '%YAML 1.2',
  '---',
  '...',
  '#',
  '\\u',
  '\\ud800',
  '1e999',
  '\n',
  '\n  ',
  '\t',
  ' ',
  '\r',
  '\0',
  '<<: ',
  '__proto__',
  'null',
  '9007199254740993',
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc
    .array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 40 })
    .map((parts) => Buffer.from(parts.join(''))),
  fc
    .tuple(fc.constantFrom(...documents), fc.nat(), fc.nat(300), fc.uint8Array({ maxLength: 6 }))
    .map(([text, at, length, put]) => {
      const whole = Buffer.from(text).subarray(0, 6_000);
      const start = at % whole.length;
      return Buffer.concat([whole.subarray(0, start), put, whole.subarray(start + (length % 20))]);
    }),
);

describe('no bytes make a reader throw', () => {
  test('of JSON, of YAML, of large JSON', () => {
    fc.assert(
      fc.property(bytes, (given) => {
        const text = Buffer.from(given).toString('utf8');
        for (const reading of [
          parseJson(given),
          parseJson(text),
          parseYamlBytes(given),
          parseYaml(text),
        ]) {
          if (reading.ok) continue;
          expect(reading.problem.line).toBeGreaterThan(0);
          expect(reading.problem.column).toBeGreaterThan(0);
        }
        parseLargeJson(given, completeLimits(undefined));
      }),
      { numRuns: 250 },
    );
  });
});

/** What may stand anywhere in a document by mistake. */
const odd: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    '',
    'text',
    [],
    {},
    [null],
    [[]],
    { $ref: '#' },
    { $ref: '#/paths' },
    { $ref: '#/nowhere' },
    { $ref: 7 },
    { type: 'nothing' },
    { type: ['string', 3] },
    { allOf: {} },
    { properties: [] },
    { enum: {} },
  ),
  fc.constantFrom<JsonValue>(
    { pattern: '(' },
    { pattern: '^(a+)+$' },
    { required: 'id' },
    { minimum: 'x' },
    { multipleOf: 0 },
    { items: [{}] },
    { $id: '::', $anchor: 3 },
    { $dynamicRef: '#x' },
    { discriminator: 'kind' },
    { const: 2n ** 70n },
    { in: 'path', name: 3 },
    '{',
    'GET',
    'application/',
    '*/*',
    '9XX',
  ),
  fc.jsonValue({ maxDepth: 2 }).map((value) => value as JsonValue),
);

describe('a mutated document makes the loader and the schemas throw only VouchError', () => {
  // Counted, not shown: a counterexample is read by its changes.
  const trees = documents.map((text): JsonObject => {
    const reading = parseYaml(text);
    if (!reading.ok || !isJsonObject(reading.value))
      throw new Error('A contract of the tests is not readable.');
    return reading.value;
  });

  test.each([1, 3])('with %i members changed', (changes) => {
    const change = fc.record({
      path: fc.array(fc.nat(60), { minLength: 1, maxLength: 9 }),
      value: fc.option(odd, { nil: undefined }),
    });
    fc.assert(
      fc.property(
        fc.nat(trees.length - 1),
        fc.array(change, { minLength: changes, maxLength: changes }),
        (tree, made) => {
          const changed = made.reduce<JsonValue>(
            (value, { path, value: put }) => changeAt(value, path, put),
            trees[tree] ?? null,
          );
          useWhole(stringifyJson(changed));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('with bytes changed', () => {
    fc.assert(
      fc.property(bytes, (given) => useWhole(Buffer.from(given).toString('utf8'))),
      { numRuns: 60 },
    );
  });
});

/**
 * Reads a document and asks each of its schemas; a VouchError is an answer, with words for a
 * person.
 */
function useWhole(text: string): void {
  const contract = attempt(() => parseContract(text, 'changed.yaml'));
  for (const [direction, schema] of contract === undefined
    ? []
    : (attempt(() => schemasOf(contract)) ?? [])) {
    for (const value of [null, 'text', 1, [], {}, { id: 9007199254740993n }])
      attempt(() => schema.validate(value, direction));
    attempt(() => schema.flatten().properties);
  }
}

function attempt<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof VouchError)) throw error;
    expect(error.code).not.toBe('internal');
    expect(error.message).not.toBe('');
    return undefined;
  }
}

function schemasOf({ operations }: Contract): [Direction, Schema][] {
  return operations.flatMap(({ parameters, requestBody, responses }) => [
    ...parameters.map(({ schema }): [Direction, Schema] => ['request', schema]),
    ...(requestBody?.content ?? []).flatMap(({ schema }): [Direction, Schema][] =>
      schema === undefined ? [] : [['request', schema]],
    ),
    ...responses.flatMap(({ content }) =>
      content.flatMap(({ schema }): [Direction, Schema][] =>
        schema === undefined ? [] : [['response', schema]],
      ),
    ),
  ]);
}

/**
 * The value with one member replaced, or left out; the numbers of the path count members, round and
 * round.
 */
function changeAt(
  value: JsonValue,
  [index = 0, ...rest]: readonly number[],
  put: JsonValue | undefined,
): JsonValue {
  if (typeof value !== 'object' || value === null) return put ?? null;
  const entries = Object.entries(value);
  const chosen = entries[index % Math.max(1, entries.length)];
  if (chosen === undefined) return put ?? value;
  const [name, member] = chosen;
  const next = rest.length === 0 ? put : changeAt(member, rest, put);
  const changed = entries.flatMap((entry): [string, JsonValue][] =>
    entry[0] !== name ? [entry] : next === undefined ? [] : [[name, next]],
  );
  return Array.isArray(value) ? changed.map(([, item]) => item) : Object.fromEntries(changed);
}

describe('no bytes of a server', () => {
  const lines = fc.constantFrom(
    'HTTP/1.1 200 OK',
    'HTTP/1.1 204 No Content',
    'HTTP/1.0 200',
    'HTTP/2 200',
    'HTTP/1.1 101 Switching',
    'HTTP/1.1 999',
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 99999999999',
    'Transfer-Encoding: chunked',
    'Content-Encoding: gzip',
    'Connection: close',
    'Connection: keep-alive',
    ' folded',
    ': none',
    '5',
    'fffffffffffffffff',
    '0',
    '',
    '',
    '{"a":1}',
  );
  const ends = fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r', '');
  const nearlyHttp = fc
    .array(fc.tuple(lines, ends), { maxLength: 14 })
    .map((parts) => Buffer.from(parts.flat().join(''), 'latin1'));

  test('end in anything but a named outcome, within the time that there is', async () => {
    let answer = Buffer.alloc(0);
    const server = createServer((socket) =>
      socket.on('error', () => undefined).once('data', () => socket.end(answer)),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const transport = openTransport({ timeoutMs: 2_000, connections: 1 });
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(
            nearlyHttp,
            fc.uint8Array({ maxLength: 300 }).map((given) => Buffer.from(given)),
          ),
          fc.constantFrom('GET', 'HEAD', 'POST'),
          async (given, method) => {
            answer = given;
            const exchange = await transport.send(
              url,
              { method, target: '/', headers: [], body: emptyBody },
              AbortSignal.timeout(10_000),
            );
            // One of the two: what came, or by its name why nothing did.
            expect(
              [exchange.response === undefined, exchange.fault === undefined].filter(Boolean),
            ).toHaveLength(1);
          },
        ),
        { numRuns: 100 },
      );
    } finally {
      await transport.close();
      server.close();
    }
  });
});
