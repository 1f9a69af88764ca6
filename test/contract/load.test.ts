import { mkdtemp, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VouchError } from '../../src/errors.ts';
import { loadContract, parseContract } from '../../src/contract/load.ts';
import { parseDocument } from '../../src/contract/load/parse-document.ts';

function faultOf(text: string): VouchError {
  try {
    parseContract(text, 'api.yaml');
  } catch (error) {
    if (error instanceof VouchError) return error;
    throw error;
  }
  throw new Error('nothing was complained of');
}

const head = "openapi: 3.1.0\ninfo: { title: T, version: '1' }\n";

test.each([
  ['UTF-16', Buffer.from(head, 'utf16le')],
  ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(head, 'utf16le')])],
  ['UTF-16', Buffer.from(head, 'utf16le').swap16()],
  ['UTF-16', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(head, 'utf16le').swap16()])],
  ['UTF-32', Buffer.from([...head].flatMap((letter) => [letter.charCodeAt(0), 0, 0, 0]))],
  ['UTF-32', Buffer.from([...head].flatMap((letter) => [0, 0, 0, letter.charCodeAt(0)]))],
])('a document in %s is told to be one', (encoding, bytes) => {
  expect(() => parseDocument(bytes, 'api.yaml')).toThrow(
    `api.yaml is encoded in ${encoding}, but must be UTF-8.`,
  );
});

describe('an unusable document is refused with its place and a hint', () => {
  test.each<[string, string, string, number | undefined]>([
    ['broken YAML', 'openapi: 3.1.0\npaths: [\n', 'contract-unreadable', 3],
    ['no OpenAPI', 'name: x\n', 'contract-not-openapi', 1],
    ['a list', '- 1\n', 'contract-not-openapi', 1],
    ['nothing', '', 'contract-unreadable', 1],
    ['a version of the past', "swagger: '1.2'\npaths: {}\n", 'contract-unsupported', 1],
    ['a version of the future', 'openapi: 4.0.0\n', 'contract-unsupported', 1],
  ])('%s', (_name, text, code, line) => {
    const fault = faultOf(text);
    expect(fault.code).toBe(code);
    expect(fault.place?.line).toBe(line);
    expect(fault.hint ?? 'a hint').not.toBe('');
  });

  test('a missing file', async () => {
    await expect(loadContract('nowhere/api.yaml')).rejects.toMatchObject({
      code: 'contract-missing',
      message: 'There is no file nowhere/api.yaml.',
    });
  });

  test('a folder, and a name that no file can have', async () => {
    await expect(loadContract('test')).rejects.toMatchObject({ code: 'contract-missing' });
    await expect(loadContract('a'.repeat(300))).rejects.toMatchObject({
      code: 'contract-unreadable',
      hint: 'Check that you may read it.',
    });
  });
});

describe('a repairable document is read, and the repair is reported with its place', () => {
  test.each<[string, string, string, number, string]>([
    [
      'an external reference',
      `${head}paths:\n  /a:\n    $ref: './other.yaml#/a'\n`,
      'no-unresolved-refs',
      5,
      'bundle it first',
    ],
    [
      'a reference over the network',
      `${head}paths: {}\ncomponents:\n  schemas:\n    A: { $ref: 'https://example.com/a.json' }\n`,
      'no-unresolved-refs',
      6,
      'bundle it first',
    ],
    [
      'a reference that leads nowhere',
      `${head}paths:\n  /a:\n    get:\n      responses:\n        '200': { ` +
        `$ref: '#/components/responses/Gone' }\n`,
      'no-unresolved-refs',
      7,
      'Fix the reference, or add its target.',
    ],
    [
      'a reference that leads back to itself',
      `${head}paths:\n  /a:\n    get:\n      responses:\n        '200': { ` +
        `$ref: '#/paths/~1a/get/responses/200' }\n`,
      'no-unresolved-refs',
      7,
      'Let it lead to what is meant.',
    ],
    [
      'two operations of one name',
      `${head}paths:\n  /a:\n    get: { operationId: x, responses: {} }\n    ` +
        'put: { operationId: x, responses: {} }\n',
      'operation-operationId-unique',
      6,
      'Give each operation a unique operationId.',
    ],
    [
      'a path without its slash',
      `${head}paths:\n  things:\n    get: { responses: {} }\n`,
      'struct',
      4,
      'Write /things.',
    ],
    [
      'a version under the key of another',
      "swagger: '3.0.2'\ninfo: {}\npaths: {}\n",
      'struct',
      1,
      'Write openapi: 3.0.0.',
    ],
    ['no version', 'info: {}\npaths: { /a: {} }\n', 'struct', 1, 'Write openapi: 3.0.0.'],
  ])('%s', (_name, text, rule, line, hint) => {
    const { faults } = parseContract(text, 'api.yaml');
    expect(faults.map((fault) => [fault.rule, fault.place.line])).toEqual([[rule, line]]);
    expect(faults[0]?.hint).toContain(hint);
  });

  test('the frame shows the line and the column', () => {
    const text = `${head}paths:\n  /a:\n    $ref: './other.yaml#/a'\n`;
    expect(parseContract(text, 'api.yaml').faults[0]?.frame).toMatchInlineSnapshot(`
      "  3 | paths:
        4 |   /a:
      > 5 |     $ref: './other.yaml#/a'
          |     ^
        6 |"
    `);
  });

  test('the second of two operations with one id gets a unique id', () => {
    const operation = '{ operationId: x, responses: {} }';
    const text =
      `${head}paths:\n  /a: { get: ${operation}, put: ${operation} }\n` +
      `  /b: { get: { operationId: x_2, responses: {} } }\n`;
    const ids = parseContract(text, 'api.yaml').operations.map(({ id }) => id);
    expect(ids).toEqual(['x', 'x_2', 'x_2_2']);
  });

  test('a path written as a URL is its path, and a repeated path counts once', () => {
    const item = '{ get: { responses: {} } }';
    const text =
      `${head}paths:\n  https://a.example/v1/pens: ${item}\n  pens: ${item}\n  /pens: ${item}\n` +
      `  x-note: ${item}\n`;
    const { operations } = parseContract(text, 'api.yaml');
    expect(operations.map(({ path }) => path)).toEqual(['/v1/pens', '/pens']);
  });
});

describe('the text of a large file, which is not cached', () => {
  const write = async (more = ''): Promise<string> => {
    const file = join(await mkdtemp(join(tmpdir(), 'contract-')), 'api.yaml');
    await writeFile(
      file,
      `${head}paths:\n  /größe: { get: { responses: {} } ` +
        `}\n${more}${`# ${'x'.repeat(98)}\n`.repeat(3_000)}`,
    );
    return file;
  };

  test('is read again for a place in it', async () => {
    const contract = await loadContract(await write());
    expect(contract.locate('/paths/~1größe')).toMatchObject({ line: 4, column: 3 });
    expect(contract.frame('/paths/~1größe')).toContain(
      '> 4 |   /größe: { get: { responses: {} } }',
    );
  });

  test('is unavailable if the file changed: every place is its beginning', async () => {
    const file = await write();
    const contract = await loadContract(file);
    await utimes(file, 1, 1);
    expect(contract.locate('/paths/~1größe')).toMatchObject({ line: 1, column: 1 });
  });
});

test('a reference inside an example is data', () => {
  const contract = parseContract(
    `${head}paths:\n  /a:\n    get:\n      responses:\n        '200':\n      ` +
      '    description: ok\n          content:\n            application/' +
      `json:\n              example: { $ref: './not-followed.json' }\n`,
    'api.yaml',
  );
  expect(contract.operations[0]?.responses[0]?.content[0]?.examples[0]?.value).toEqual({
    $ref: './not-followed.json',
  });
});

test('YAML and JSON of the same document make the same contract', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'contract-'));
  const document = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    servers: [
      {
        url: 'https://{host}/v{major}/',
        variables: { host: { default: 'x.example' }, major: { default: '2' } },
      },
    ],
    paths: { '/a': { get: { responses: {} } } },
  };
  await writeFile(join(folder, 'api.json'), JSON.stringify(document));
  const [read, given] = [
    await loadContract(join(folder, 'api.json')),
    await loadContract(document),
  ];
  expect(read.servers).toEqual(given.servers);
  expect(read.servers[0]).toMatchObject({ url: 'https://x.example/v2/', basePath: '/v2' });
  expect(read.operations.map(({ id }) => id)).toEqual(['GET /a']);
});
