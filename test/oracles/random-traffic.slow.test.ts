import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import prismHttp from '@stoplight/prism-http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import type { Contract, Operation, Schema } from '../../src/contract/model.ts';
import { selectResponse } from '../../src/contract/select-response.ts';
import { headerValue } from '../../src/http/message.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../src/json/value.ts';
import type { Answer } from '../../src/mock/mock.ts';
import { boundaryValues } from '../../src/values/boundary-values.ts';
import { invalidValues } from '../../src/values/invalid-values.ts';
import { expectKept } from '../mock/keeps-contract.ts';
import { encode, mockOf, textOf } from '../mock/workshop.ts';
import { fc } from '../property.ts';
import { asOpenApi30 } from '../usage/as-openapi-30.ts';

/**
 * Random conversations with the mock, each answer judged three times: by vouch's own model, by
 * jest-openapi's matcher and by Prism's validator. An answer with a status that its operation does
 * not document, such as a 405, is none of theirs: it is skipped.
 */
interface Judges {
  readonly contract: Contract;
  readonly assumptions: Parameters<typeof mockOf>[0];
  byJest(operation: Operation, target: string, answer: Answer): void;
  byPrism(operation: Operation, answer: Answer): string[];
}

type PrismOperation = Awaited<ReturnType<typeof prismHttp.getHttpOperationsFromSpec>>[number];
/** How Prism complains of an `int64` beyond 2^53: it takes that for a bound of the format. */
const prismIntegers = /must be [<>]= -?9007199254740991$/;
interface PrismVerdict {
  readonly _tag: 'Left' | 'Right';
  readonly left: readonly { readonly message: string }[];
}
const { validateOutput } = createRequire(import.meta.url)(
  '@stoplight/prism-http/dist/validator',
) as {
  validateOutput(question: {
    resource: PrismOperation;
    element: { statusCode: number; headers: object; body: unknown };
  }): PrismVerdict;
};

type Install = (document: object) => void;
let install: Install;
beforeAll(async () => {
  vi.stubGlobal('expect', expect);
  const { default: jestOpenApi } = await import('jest-openapi');
  // The package is CommonJS: its function is the default of its default.
  install =
    typeof jestOpenApi === 'function' ? jestOpenApi : (jestOpenApi as { default: Install }).default;
});
afterAll(() => vi.unstubAllGlobals());

async function judgesOf(file: string, servers: readonly string[]): Promise<Judges> {
  const contract = await loadContract(fileURLToPath(new URL(file, import.meta.url)));
  const document = { ...asOpenApi30(contract.document), servers: servers.map((url) => ({ url })) };
  install(document);
  // Prism writes into what it is given.
  const operations = await prismHttp.getHttpOperationsFromSpec(structuredClone(document));
  return {
    contract,
    assumptions: {
      contract,
      assumptions: contract.operations.some(({ id }) => id === 'sendMessage') ? assumed : [],
    },
    byJest: (operation, target, answer) => {
      // It does not know that `default` documents every status that has no entry of its own
      // (OpenAPI 3.0.4, section 4.7.16).
      if (selectResponse(operation, answer.status)?.status === 'default') return;
      // An answer as Axios gives it, which is one of those that the matcher knows.
      const given = {
        status: answer.status,
        data: bodyOf(answer),
        headers: headersOf(answer),
        request: { method: operation.method, path: target },
      };
      (expect(given) as unknown as { toSatisfyApiSpec(): void }).toSatisfyApiSpec();
    },
    byPrism: (operation, answer) => {
      const resource = operations.find(
        ({ method, path }) => method.toUpperCase() === operation.method && path === operation.path,
      );
      if (resource === undefined) return [`Prism does not know ${operation.id}`];
      const verdict = validateOutput({
        resource,
        element: { statusCode: answer.status, headers: headersOf(answer), body: bodyOf(answer) },
      });
      return verdict._tag === 'Left'
        ? verdict.left
            .map(({ message }) => message)
            .filter((message) => !prismIntegers.test(message))
        : [];
    },
  };
}

/** What `vouch.config.yaml` assumes where the bundled contract is silent. */
const assumed = [
  {
    operation: 'sendMessage',
    status: 202,
    because: 'a message that is queued is not yet delivered',
  },
] as const;

function bodyOf(answer: Answer): unknown {
  return answer.body.length === 0 ? '' : JSON.parse(textOf(answer));
}

function headersOf({ headers }: Answer): Record<string, string> {
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
}

interface Sent {
  readonly operation: Operation;
  readonly target: string;
  readonly body: JsonValue | undefined;
  readonly hasKey: boolean;
}

/**
 * Requests over every operation: values on the edges of their schemas, beyond them, and identifiers
 * that may be there.
 */
function anyRequest({ operations }: Contract, ids: readonly string[]): fc.Arbitrary<Sent> {
  return fc.oneof(
    ...operations.map((operation) =>
      fc.record({
        // By reference, and without its words: a counterexample is read by target and body.
        operation: fc.constant(
          Object.assign(operation, { [fc.toStringMethod]: () => operation.id }),
        ),
        target: fc
          .tuple(pathOf(operation, ids), queryOf(operation))
          .map(([path, query]) => path + query),
        body:
          operation.requestBody === undefined
            ? fc.constant(undefined)
            : valueOf(operation.requestBody.content[0]?.schema),
        hasKey: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
      }),
    ),
  );
}

function pathOf({ servers, path }: Operation, ids: readonly string[]): fc.Arbitrary<string> {
  const base = (servers[0]?.basePath ?? '').replace(/\/$/, '');
  return fc.constantFrom(...ids).map((id) => base + path.replaceAll(/\{[^}]+\}/g, id));
}

function queryOf({ parameters }: Operation): fc.Arbitrary<string> {
  const queries = parameters.filter((parameter) => parameter.in === 'query');
  if (queries.length === 0) return fc.constant('');
  return fc.oneof(
    ...queries.map(({ name, schema }) =>
      fc
        .option(valueOf(schema), { freq: 2 })
        .map((value) =>
          value === null || typeof value === 'object' || value === undefined
            ? ''
            : `?${name}=${encodeURIComponent(String(value))}`,
        ),
    ),
  );
}

function valueOf(schema: Schema | undefined): fc.Arbitrary<JsonValue | undefined> {
  const valid =
    schema === undefined ? [] : boundaryValues(schema, 'request').map(({ value }) => value);
  const invalid =
    schema === undefined ? [] : invalidValues(schema, 'request').map(({ value }) => value);
  return fc.oneof(
    { arbitrary: fc.constantFrom(...valid, null), weight: 3 },
    { arbitrary: fc.constantFrom(...invalid, null), weight: 1 },
  );
}

describe('vouch, jest-openapi and Prism agree on every answer', () => {
  test.each([
    {
      file: '../../openapi/petstore.v1.yaml',
      servers: ['/v1', '/'],
      key: ['Authorization', 'Bearer demo-key'] as const,
      statuses: [200, 201, 202, 400, 401, 404],
    },
    {
      file: '../prove/tasks.yaml',
      servers: ['/api'],
      key: ['Authorization', 'Bearer demo-key'] as const,
      statuses: [200, 201, 400, 401, 404],
    },
  ])('of $file', async ({ file, servers, key, statuses }) => {
    const { contract, assumptions, byJest, byPrism } = await judgesOf(file, servers);
    const seen = new Set<number>();
    const ids = ['1', '2', 'made-1', 'made-2', '4242', '00000000-0000-4000-8000-000000000001'];
    const conversation = fc.array(anyRequest(contract, ids), { minLength: 8, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(conversation, async (requests) => {
        const mock = await mockOf(assumptions);
        for (const { operation, target, body, hasKey } of requests) {
          const headers = [
            ...(hasKey ? [key] : []),
            ['X-Tenant', 'a'] as const,
            ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
          ];
          const answer = await mock.answer({
            method: operation.method,
            target,
            headers,
            body: encode(body),
          });
          expect(
            answer.status,
            `${operation.method} ${target} ${stringifyJson(body ?? null)}`,
          ).toBeLessThan(500);
          if (
            selectResponse(operation, answer.status) === undefined ||
            answer.operation !== operation.id
          )
            continue;
          seen.add(answer.status);
          expectKept(contract, answer);
          byJest(operation, target, answer);
          expect(
            byPrism(operation, answer),
            `${operation.method} ${target}: ${textOf(answer)}`,
          ).toEqual([]);
        }
      }),
      { numRuns: 6 },
    );
    // Conversations that came to nothing would prove nothing.
    expect(statuses.filter((status) => !seen.has(status))).toEqual([]);
  });

  test('and none of the three takes an answer that breaks the contract', async () => {
    const { contract, assumptions, byJest, byPrism } = await judgesOf(
      '../../openapi/petstore.v1.yaml',
      ['/v1', '/'],
    );
    const mock = await mockOf(assumptions);
    const sound = await mock.answer({
      method: 'GET',
      target: '/v1/pets',
      headers: [['Authorization', 'Bearer demo-key']],
      body: encode(undefined),
    });
    expect(headerValue(sound.headers, 'content-type')).toContain('json');
    const broken: Answer = {
      ...sound,
      body: encode([{ id: 'one' }] satisfies readonly JsonObject[]),
    };
    const operation = contract.operations.find(({ id }) => id === 'listPets');
    if (operation === undefined) throw new Error('The bundled contract has no listPets.');
    expect(() => expectKept(contract, broken)).toThrow();
    expect(() => byJest(operation, '/v1/pets', broken)).toThrow(/id must be integer/);
    expect(byPrism(operation, broken)).toEqual(
      expect.arrayContaining([expect.stringContaining('id')]),
    );
  });
});
