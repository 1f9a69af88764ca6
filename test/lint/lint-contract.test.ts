import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VouchError } from '../../src/errors.ts';
import { lintContract } from '../../src/lint/lint-contract.ts';
import { makeSealedResolver } from '../../src/lint/redocly.ts';
import { documentOf } from './documents.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-lint-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function write(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  await mkdir(join(folder, name), { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, name, file), text);
  return join(folder, name, 'things.yaml');
}

async function errorOf(work: Promise<unknown>): Promise<VouchError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof VouchError))
    throw new Error(`expected a VouchError, got ${String(error)}`);
  return error;
}

describe('the bundled contract', () => {
  test('has no error and no warning', async () => {
    const report = await lintContract('openapi/petstore.v1.yaml');
    expect(report.problems.filter(({ severity }) => severity !== 'note')).toEqual([]);
    expect(report.file).toBe('openapi/petstore.v1.yaml');
  });

  test('its gaps are notes', async () => {
    const { problems } = await lintContract('openapi/petstore.v1.yaml');
    expect(problems.map(({ rule, message }) => `${rule}: ${message}`)).toMatchInlineSnapshot(`
      [
        "vouch/gap-paging-unknown: listPets documents no way to request further pages.",
        "vouch/gap-refusal-undocumented: listPets constrains limit, status,
        ↳ but documents no status for invalid values.",
        "vouch/gap-success-open: getStoreOrders documents no success status.",
        "vouch/gap-payload-open: getStoreOrders does not document the body
        ↳ of its default response.",
        "vouch/gap-text-unbounded: sendMessage accepts any text as message:
        ↳ it has no maxLength, pattern or format.",
        "vouch/gap-success-open: sendMessage documents no success status.",
        "vouch/gap-text-unbounded: createPet accepts any text as name: it
        ↳ has no maxLength, pattern or format.",
        "vouch/gap-default-unknown: createPet accepts a body without
        ↳ status, which has no documented default.",
      ]
    `);
  });
});

describe('an invalid document is refused with its place', () => {
  test.each([
    ['broken YAML', 'openapi: 3.1.0\ninfo: {\n', 'contract-unreadable', 3],
    ['no OpenAPI', 'swag: 1\n', 'contract-not-openapi', 1],
    ['a version of the past', "swagger: '1.2'\n", 'contract-unsupported', 1],
    ['a version and nothing else', 'openapi: 3.1.0\n', 'contract-not-openapi', 1],
    ['no paths', "swagger: '2.0'\ninfo: { title: T }\n", 'contract-not-openapi', 1],
  ])('%s', async (_name, text, code, line) => {
    const error = await errorOf(lintContract({ file: 'things.yaml', text }));
    expect([error.code, error.place?.line]).toEqual([code, line]);
    expect(error.hint).toMatch(/\.$|FILE|bundled\.yaml$/);
  });

  test('a missing file', async () => {
    const error = await errorOf(lintContract(join(folder, 'none.yaml')));
    expect(error.code).toBe('contract-missing');
  });
});

describe('an unresolvable reference is an error, and the rest is linted', () => {
  test.each([
    [
      'a reference to another document',
      documentOf({ schema: '{ $ref: ./other.yaml }' }),
      'no-unresolved-refs',
      15,
    ],
    [
      'a reference to the network',
      documentOf({ schema: "{ $ref: 'https://things.test/schema.json' }" }),
      'no-unresolved-refs',
      15,
    ],
    [
      'a reference to nothing',
      documentOf({ operation: "      parameters: [{ $ref: '#/components/parameters/None' }]" }),
      'no-unresolved-refs',
      10,
    ],
    [
      'an unused reference to itself',
      documentOf({ components: "  schemas:\n    A: { $ref: '#/components/schemas/A' }" }),
      'no-unresolved-refs',
      19,
    ],
  ])('%s', async (_name, text, rule, line) => {
    const { problems } = await lintContract({ file: 'things.yaml', text });
    const found = problems.filter((problem) => problem.rule === rule);
    expect(found.map(({ place, severity }) => [place.line, severity])).toEqual([[line, 'error']]);
  });
});

describe('an invalid part of a document is a problem, not a crash', () => {
  test.each([
    ['an allOf that is no list', '{ allOf: {} }', 'Expected type `AllOf` (array) but got `object`'],
    [
      'properties that are a list',
      '{ type: object, properties: [a] }',
      'Expected type `SchemaProperties` (object) but got `array`',
    ],
    ['a type that is a number', '{ type: 5 }', '`type` can be one of the following only'],
    ['a required that is a word', '{ type: object, required: name }', 'Expected type `array`'],
  ])('%s', async (_name, schema, message) => {
    const { problems, counts } = await lintContract({
      file: 'things.yaml',
      text: documentOf({ schema }),
    });
    expect(counts.error).toBeGreaterThan(0);
    expect(problems.find(({ rule }) => rule === 'struct')).toMatchObject({
      place: { file: 'things.yaml', line: 15 },
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('every document is linted', () => {
  const shown = async (file: string): Promise<string[]> =>
    (await lintContract(file)).problems.map(
      ({ rule, place, message }) =>
        `${relative(folder, place.file)}:${String(place.line)} ${rule}: ${message}`,
    );

  test('several files, each fault in its own file', async () => {
    const file = await write('several', {
      'things.yaml': documentOf({ schema: "{ $ref: 'thing.yaml#/Thing' }" }),
      'thing.yaml':
        'Thing:\n  type: object\n  properties:\n    size: { type: integer, ' +
        "default: many }\n    name: { type: string, pattern: '^(a+)+$' }\n    " +
        "next: { $ref: '#/Thing' }\n",
    });
    expect(await shown(file)).toEqual([
      'several/thing.yaml:4 vouch/default-valid: The default "many" breaks its ' +
        'own schema: it must be an integer, but is a string.',
      'several/thing.yaml:5 vouch/pattern-bounded: The pattern ^(a+)+$ can run ' +
        'away: it repeats something that it can read in more than one way.',
    ]);
  });

  test('Swagger 2.0, by Redocly’s rules and those of vouch', async () => {
    const file = await write('oldest', {
      'things.yaml':
        "swagger: '2.0'\ninfo: { title: Things, version: '1', license: { name: " +
        "MIT, url: 'https://opensource.org/license/mit' } }\nhost: " +
        'things.test\nschemes: [https]\nsecurity: []\npaths:\n  /things:\n    ' +
        "get:\n      operationId: list\n      responses:\n        '200': { " +
        "description: Fine, schema: { $ref: '#/definitions/Thing' } }\n        " +
        "'400': { description: Refused }\ndefinitions:\n  Thing: { type: object, " +
        'properties: { size: { type: integer, default: many } } }\n',
    });
    expect(await shown(file)).toEqual([
      'oldest/things.yaml:8 operation-summary: Operation object should contain `summary` field.',
      'oldest/things.yaml:14 vouch/default-valid: The default "many" breaks ' +
        'its own schema: it must be an integer, but is a string.',
    ]);
  });
});

describe('the lint configuration', () => {
  const rulesOf = async (
    files: Readonly<Record<string, string>>,
    name: string,
  ): Promise<string[]> => {
    const { problems } = await lintContract(await write(name, files));
    return problems.map(({ rule, severity }) => `${rule} ${severity}`);
  };
  const faulty = documentOf({ schema: '{ type: integer, default: many }' }).replace(
    '      summary: List things\n',
    '',
  );

  test('is redocly.yaml in the folder of the document', async () => {
    expect(await rulesOf({ 'things.yaml': faulty }, 'none')).toEqual([
      'operation-summary warning',
      'vouch/default-valid error',
    ]);
    expect(
      await rulesOf(
        {
          'things.yaml': faulty,
          'redocly.yaml':
            'rules: { operation-summary: off, vouch/default-valid: { severity: warn } }',
        },
        'some',
      ),
    ).toEqual(['vouch/default-valid warning']);
    expect(
      await rulesOf(
        {
          'things.yaml': faulty,
          'redocly.yaml':
            'extends: minimal\nrules: { vouch/default-valid: off, info-license: off }',
        },
        'minimal',
      ),
    ).toEqual(['operation-summary warning']);
    expect(
      await rulesOf({ 'things.yaml': documentOf(), 'redocly.yaml': '# Nothing yet.\n' }, 'empty'),
    ).toEqual([]);
  });

  test('defines additional rules', async () => {
    const own =
      'rules:\n  rule/title: { subject: { type: Info, property: title }, ' +
      'assertions: { pattern: /API$/ }, message: A title ends in API, ' +
      'severity: warn }';
    expect(await rulesOf({ 'things.yaml': documentOf(), 'redocly.yaml': own }, 'own')).toEqual([
      'rule/title warning',
    ]);
  });

  test('a rule of a plugin is noted as not run', async () => {
    const { problems } = await lintContract(
      await write('plugin', {
        'things.yaml': documentOf(),
        'redocly.yaml': 'plugins: [./plugin.js]\nrules:\n  ours/title: error\n',
        'plugin.js': 'throw new Error("run")',
      }),
    );
    expect(
      problems.map(({ rule, severity, message, place }) => [rule, severity, message, place.line]),
    ).toEqual([
      [
        'vouch/plugin-not-run',
        'note',
        'The rule ours/title is of a plugin, and vouch runs no plugins.',
        3,
      ],
    ]);
  });

  test.each([
    [
      'a rule that is misspelt',
      'rules:\n  operation-sumary: error',
      2,
      'There is no rule operation-sumary.',
      'Did you mean operation-summary?',
    ],
    [
      "a rule of vouch's that is misspelt",
      'rules:\n  vouch/default-vald: error',
      2,
      'There is no rule vouch/default-vald.',
      'Did you mean vouch/default-valid?',
    ],
    [
      'no severity',
      'rules:\n  operation-summary: warning',
      2,
      'The rule operation-summary is set to warning, which is no severity.',
      'Write error, warn or off.',
    ],
    [
      'a set that is misspelt',
      'extends: [recomended]',
      1,
      'vouch knows no set of rules recomended, and reads no other file for it.',
      'Did you mean recommended?',
    ],
    [
      'a set from the network',
      'extends: [https://things.test/rules.yaml]',
      1,
      'vouch knows no set of rules https://things.test/rules.yaml, and reads no other file for it.',
      'Choose one of: recommended, recommended-strict, minimal, all, spec.',
    ],
    [
      'a set that is no word',
      'extends: [5]',
      1,
      'What is extended is named by a word.',
      'Write it as `extends: [recommended]`.',
    ],
    [
      'rules that are a list',
      'rules: [operation-summary]',
      1,
      'The rules are no mapping.',
      'Write each as `rule-id: error`, `warn` or `off`.',
    ],
    [
      'a list',
      '- recommended',
      1,
      'is no mapping of settings.',
      'Begin it with `extends:` and `rules:`.',
    ],
    [
      'broken YAML',
      'rules: {',
      1,
      'is not readable as YAML',
      'Fix the syntax there. An unclosed bracket, brace or quote further up can also be the cause.',
    ],
  ])('%s is refused', async (name, text, line, message, hint) => {
    const error = await errorOf(
      lintContract(
        await write(name.replaceAll(' ', '-'), {
          'things.yaml': documentOf(),
          'redocly.yaml': text,
        }),
      ),
    );
    expect([error.code, error.place?.line, error.hint]).toEqual(['config-invalid', line, hint]);
    expect(error.message).toContain(message);
  });
});

describe('only the document is read', () => {
  test('the resolver for Redocly refuses every file and every URL', async () => {
    const core = await import('@redocly/openapi-core');
    const resolver = makeSealedResolver(core);
    for (const reference of [
      '/etc/hostname',
      'https://things.test/a.yaml',
      'file:///etc/hostname',
    ]) {
      await expect(resolver.loadExternalRef(reference)).rejects.toThrow(
        `${reference} is outside the document`,
      );
    }
  });

  test('URLs outside of $ref are not fetched either', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.end('{}');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/x.json`;
    const schema =
      `{ oneOf: [{ $ref: '#/components/schemas/A' }], discriminator: { ` +
      `propertyName: kind, mapping: { a: '${url}' } } }`;
    const components =
      '  schemas:\n    A: { type: object, required: [kind], properties: { ' +
      'kind: { type: string, const: a } } }';
    const { problems } = await lintContract({
      file: 'things.yaml',
      text: documentOf({
        schema,
        components,
        example:
          `              examples: { far: { externalValue: '${url}' }, near: { ` +
          'value: { kind: a } } }',
      }),
    });
    server.close();
    expect(asked).toBe(0);
    expect(problems.map(({ rule, message }) => [rule, message])).toEqual([
      [
        'no-unresolved-refs',
        `Can't resolve $ref: ${url} is outside the document, and vouch reads ` +
          'nothing but the document',
      ],
    ]);
  });
});
