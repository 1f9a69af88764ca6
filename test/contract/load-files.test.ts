import { execFileSync } from 'node:child_process';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { loadContract, parseContract, type LoadOptions } from '../../src/contract/load.ts';
import type { Contract, Schema } from '../../src/contract/model.ts';
import { VouchError, withHint } from '../../src/errors.ts';
import { valueAt } from '../../src/json/pointer.ts';
import { writeFiles } from './write-files.ts';

const head = "openapi: 3.1.0\ninfo: { title: T, version: '1' }\n";

/** A document whose one operation takes a body of this schema. */
function bodyOf(schema: string, more = ''): string {
  return (
    `${head}paths:\n  /things:\n    post:\n      requestBody:\n        ` +
    `content:\n          application/json:\n            schema: ${schema}\n  ` +
    `    responses: { '200': { description: Fine } }\n${more}`
  );
}

async function load(
  files: Readonly<Record<string, string>>,
  options?: LoadOptions,
): Promise<Contract> {
  return loadContract(join(await writeFiles(files), 'api.yaml'), options);
}

function schemaOf(contract: Contract): Schema {
  const schema = contract.operations[0]?.requestBody?.content[0]?.schema;
  if (schema === undefined) throw new Error('the test has no schema');
  return schema;
}

async function faultOf(promise: Promise<unknown>): Promise<VouchError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof VouchError))
    throw new Error(`expected a VouchError, got ${String(error)}`);
  return error;
}

describe('a reference to another file of the folder is resolved', () => {
  test.each<[string, Record<string, string>, unknown, string[]]>([
    [
      'a part of a YAML file',
      {
        'api.yaml': bodyOf("{ $ref: 'more.yaml#/Thing' }"),
        'more.yaml': 'Thing: { type: object, required: [name] }\n',
      },
      {},
      ['must have the property name'],
    ],
    [
      'a part of a JSON file',
      {
        'api.yaml': bodyOf("{ $ref: './more.json#/a~1b/Thing' }"),
        'more.json': '{"a/b":{"Thing":{"type":"integer"}}}',
      },
      'x',
      ['must be an integer, but is a string'],
    ],
    [
      'a whole file',
      {
        'api.yaml': bodyOf('{ $ref: schemas/thing.yaml }'),
        'schemas/thing.yaml': 'type: string\n',
      },
      1,
      ['must be a string, but is an integer'],
    ],
    [
      'from file to file, each counting from itself',
      {
        'api.yaml': bodyOf('{ $ref: schemas/thing.yaml }'),
        'schemas/thing.yaml': "$ref: '../base/name.yaml#/Name'\n",
        'base/name.yaml': "Name: { $ref: '#/Short' }\nShort: { type: string, maxLength: 2 }\n",
      },
      'abc',
      ['must have 2 characters or fewer'],
    ],
    [
      'a file and back again',
      {
        'api.yaml': bodyOf(
          '{ $ref: more.yaml }',
          'components: { schemas: { Leaf: { type: boolean } } }\n',
        ),
        'more.yaml': "properties: { leaf: { $ref: 'api.yaml#/components/schemas/Leaf' } }\n",
      },
      { leaf: 1 },
      ['must be a boolean, but is an integer'],
    ],
    [
      'files that refer to each other',
      {
        'api.yaml': bodyOf('{ $ref: a.yaml }'),
        'a.yaml': 'type: object\nproperties: { b: { $ref: b.yaml } }\n',
        'b.yaml': 'type: object\nproperties: { a: { $ref: a.yaml }, n: { type: integer } }\n',
      },
      { b: { a: { b: { n: 'x' } } } },
      ['must be an integer, but is a string'],
    ],
    [
      'an escaped name',
      {
        'api.yaml': bodyOf("{ $ref: 'my%20things.yaml#/Big%20Thing' }"),
        'my things.yaml': 'Big Thing: { type: string }\n',
      },
      1,
      ['must be a string, but is an integer'],
    ],
    [
      'a place behind a reference',
      {
        'api.yaml': bodyOf("{ $ref: 'index.yaml#/schemas/Thing' }"),
        'index.yaml': 'schemas: { $ref: list.yaml }\n',
        'list.yaml': 'Thing: { type: string }\n',
      },
      1,
      ['must be a string, but is an integer'],
    ],
    [
      'the file through an anchor',
      {
        'api.yaml': bodyOf("{ $ref: 'more.yaml#thing' }"),
        'more.yaml': '$defs: { T: { $anchor: thing, type: string } }\n',
      },
      1,
      ['must be a string, but is an integer'],
    ],
    [
      'a file whose property is called default',
      {
        'api.yaml': bodyOf('{ properties: { default: { $ref: more.yaml } } }'),
        'more.yaml': 'type: string\n',
      },
      { default: 1 },
      ['must be a string, but is an integer'],
    ],
  ])('%s', async (_name, files, value, messages) => {
    const contract = await load(files);
    expect(
      schemaOf(contract)
        .validate(value as never, 'request')
        .map(({ message }) => message),
    ).toEqual(messages);
  });

  test('path items, parameters, responses and examples', async () => {
    const contract = await load({
      'api.yaml': `${head}paths:\n  /things: { $ref: paths/things.yaml }\n`,
      'paths/things.yaml':
        "parameters: [{ $ref: '../parts.yaml#/Page' }]\nget:\n  operationId: " +
        "list\n  responses:\n    default: { $ref: '../parts.yaml#/Fine' }\n",
      'parts.yaml':
        'Page: { name: page, in: query, schema: { type: integer } }\nFine:\n  ' +
        'description: Fine\n  content: { application/json: { examples: { one: { ' +
        '$ref: one.yaml } } } }\n',
      'one.yaml': 'value: { a: 1 }\n',
    });
    const [operation] = contract.operations;
    expect(operation?.parameters.map(({ name }) => name)).toEqual(['page']);
    expect(operation?.responses[0]).toMatchObject({
      status: 'default',
      description: 'Fine',
      content: [{ examples: [{ name: 'one', value: { a: 1 } }] }],
    });
  });

  test('whole maps of a document', async () => {
    const contract = await load({
      'api.yaml': `${head}paths: { $ref: paths.yaml }\n`,
      'paths.yaml':
        "/things:\n  get: { operationId: list, responses: { '200': { description: Fine } } }\n",
    });
    expect(contract.operations.map(({ id }) => id)).toEqual(['list']);
  });

  test('the mapping of a discriminator; a name that is not a file stays a name', async () => {
    const contract = await load({
      'api.yaml': bodyOf(
        '{ oneOf: [{ $ref: cat.yaml }], discriminator: { propertyName: kind, ' +
          'mapping: { cat: cat.yaml, dog: ./dog.yaml, far: https://example.com/' +
          'far.yaml } } }',
      ),
      'cat.yaml': 'type: object\n',
    });
    expect(schemaOf(contract).node).toMatchObject({
      discriminator: {
        mapping: {
          cat: '#/x-vouch-files/cat.yaml',
          dog: './dog.yaml',
          far: 'https://example.com/far.yaml',
        },
      },
    });
  });

  test('a reference in an example is data, and is not resolved', async () => {
    const contract = await load({
      'api.yaml': bodyOf('{ type: object, example: { $ref: ./not-there.yaml } }'),
    });
    expect(contract.operations).toHaveLength(1);
  });
});

describe('a contract of several files', () => {
  const files = {
    'api.yaml': bodyOf("{ $ref: 'schemas/thing.yaml#/Thing' }"),
    'schemas/thing.yaml':
      'Thing:\n  type: object\n  properties:\n    name: { type: string }\n    ' +
      'owner: { $ref: owner.json }\n',
    'schemas/owner.json': '{\n  "type": "integer"\n}\n',
  };

  test('shows places in the file where they are written', async () => {
    const contract = await load(files);
    const [name, owner] = schemaOf(contract).validate({ name: 1, owner: 'x' }, 'request');
    expect(contract.locate(name?.pointer ?? '')).toEqual({
      file: expect.stringMatching(/schemas\/thing\.yaml$/) as string,
      line: 4,
      column: 13,
    });
    expect(contract.locate(owner?.pointer ?? '')).toEqual({
      file: expect.stringMatching(/schemas\/owner\.json$/) as string,
      line: 2,
      column: 3,
    });
    expect(contract.frame(name?.pointer ?? '')).toMatchInlineSnapshot(`
      "  2 |   type: object
        3 |   properties:
      > 4 |     name: { type: string }
          |             ^
        5 |     owner: { $ref: owner.json }
        6 |"
    `);
  });

  test('lists every file that was read, the main document first', async () => {
    const folder = await writeFiles(files);
    const contract = await loadContract(join(folder, 'api.yaml'));
    expect(contract.files.map((file) => relative(folder, file))).toEqual([
      'api.yaml',
      'schemas/thing.yaml',
      'schemas/owner.json',
    ]);
  });

  test('is one document for other tools, without external references', async () => {
    const { document } = await load(files);
    expect(JSON.stringify(document)).not.toMatch(/"\$ref":"[^#]/);
    expect(valueAt(document, '/x-vouch-files/schemas~1thing.yaml/Thing/properties/owner')).toEqual({
      $ref: '#/x-vouch-files/schemas~1owner.json',
    });
    expect(valueAt(document, '/x-vouch-files/schemas~1owner.json')).toEqual({ type: 'integer' });
  });
});

describe('an unresolvable reference is reported, and its place accepts any value', () => {
  test.each<[string, Record<string, string>, string]>([
    [
      'out of the folder',
      { 'api.yaml': bodyOf("{ $ref: '../../../../../../../etc/hostname' }") },
      'points outside the contract',
    ],
    ['an absolute path', { 'api.yaml': bodyOf('{ $ref: /etc/hostname }') }, 'is an absolute path'],
    [
      'a file URL',
      { 'api.yaml': bodyOf("{ $ref: 'file:///etc/hostname' }") },
      'is an absolute path',
    ],
    [
      'a host in a path',
      { 'api.yaml': bodyOf("{ $ref: '//example.com/a.yaml' }") },
      'is an absolute path',
    ],
    [
      'escaped dots',
      { 'api.yaml': bodyOf("{ $ref: '%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/hostname' }") },
      'points outside the contract',
    ],
    [
      'no file',
      { 'api.yaml': bodyOf('{ $ref: nowhere.yaml }') },
      'points to a file that does not exist',
    ],
    [
      'a folder',
      { 'api.yaml': bodyOf('{ $ref: schemas }'), 'schemas/a.yaml': 'type: string\n' },
      'does not point to a file',
    ],
    [
      'no place in a file',
      { 'api.yaml': bodyOf("{ $ref: 'more.yaml#/Other' }"), 'more.yaml': 'Thing: {}\n' },
      'does not resolve',
    ],
    [
      'no place in its own file, which is not the contract',
      {
        'api.yaml': bodyOf("{ $ref: 'more.yaml#/Thing' }"),
        'more.yaml': "Thing: { $ref: '#/Other' }\n",
      },
      'does not resolve',
    ],
    [
      'the network',
      { 'api.yaml': bodyOf("{ $ref: 'https://example.com/a.yaml' }") },
      'points to a host that is not allowed',
    ],
    [
      'another protocol',
      { 'api.yaml': bodyOf("{ $ref: 'ftp://example.com/a.yaml' }") },
      'uses the scheme ftp:, which is not supported',
    ],
    ['what is no URI', { 'api.yaml': bodyOf("{ $ref: 'http://[' }") }, 'is not a valid URI'],
  ])('%s', async (_name, files, message) => {
    const contract = await load(files);
    const [fault] = contract.faults;
    expect(fault?.rule).toBe('no-unresolved-refs');
    expect(fault?.message).toContain(message);
    expect(fault?.hint).toMatch(/\w/);
    expect(fault?.frame).toContain('$ref');
    expect(schemaOf(contract).validate({ any: ['value'] }, 'request')).toEqual([]);
    expect(contract.files).not.toContain('/etc/hostname');
  });

  test('a symbolic link out of the folder', async () => {
    const outside = await writeFiles({ 'secret.yaml': 'type: string\n' });
    const folder = await writeFiles({ 'api.yaml': bodyOf('{ $ref: inside.yaml }') });
    await symlink(join(outside, 'secret.yaml'), join(folder, 'inside.yaml'));
    const { faults, files } = await loadContract(join(folder, 'api.yaml'));
    expect(faults[0]?.message).toContain('points outside the contract');
    expect(files).toEqual([await realpath(join(folder, 'api.yaml'))]);
  });

  test('symbolic links to files of the folder are followed, including the contract', async () => {
    const folder = await writeFiles({
      'really/api.yaml': bodyOf('{ $ref: alias.yaml }'),
      'really/thing.yaml': 'type: string\n',
    });
    await symlink('thing.yaml', join(folder, 'really/alias.yaml'));
    await symlink('really/api.yaml', join(folder, 'api.yaml'));
    expect(
      schemaOf(await loadContract(join(folder, 'api.yaml'))).validate(1, 'request'),
    ).toHaveLength(1);
  });

  test('the place is that of the reference, in its own file', async () => {
    const { faults } = await load({
      'api.yaml': bodyOf('{ $ref: more.yaml }'),
      'more.yaml': 'properties:\n  a:\n    $ref: ../../etc/hostname\n',
    });
    expect(faults[0]?.place).toEqual({
      file: expect.stringMatching(/more\.yaml$/) as string,
      line: 3,
      column: 5,
    });
  });

  test('a file that cannot be read as YAML or JSON', async () => {
    const fault = await faultOf(
      load({ 'api.yaml': bodyOf('{ $ref: more.yaml }'), 'more.yaml': 'a: [\n' }),
    );
    expect(fault).toMatchObject({
      code: 'contract-unreadable',
      place: { file: expect.stringMatching(/more\.yaml$/) as string, line: 2 },
    });
  });

  test('a text or an object cannot reference other documents', () => {
    const contract = parseContract(bodyOf('{ $ref: more.yaml }'), 'api.yaml');
    expect(contract.faults).toMatchObject([
      {
        rule: 'no-unresolved-refs',
        message:
          'The reference more.yaml points to another document, but this contract was not read ' +
          'from a file; anything is valid in its place.',
        place: { file: 'api.yaml' },
      },
    ]);
    expect(schemaOf(contract).validate({ any: 'value' }, 'request')).toEqual([]);
  });

  test('a document that contains itself', async () => {
    const document: Record<string, never> = { openapi: '3.1.0' } as never;
    Object.assign(document, { paths: { '/a': document } });
    expect((await faultOf(loadContract(document))).message).toContain('contains itself');
  });
});

describe('a reference to a file above the folder of the contract', () => {
  const files = {
    'service/api.yaml': bodyOf("{ $ref: '../common/thing.yaml' }"),
    'common/thing.yaml': 'type: integer\n',
  };

  test('is resolved if both are in one repository', async () => {
    const folder = await writeFiles(files);
    await mkdir(join(folder, '.git'));
    const contract = await loadContract(join(folder, 'service/api.yaml'));
    expect(contract.faults).toEqual([]);
    expect(schemaOf(contract).validate('x', 'request')).toHaveLength(1);
  });

  test('is resolved if both are in the given root folder', async () => {
    const folder = await writeFiles(files);
    const contract = await loadContract(join(folder, 'service/api.yaml'), { root: folder });
    expect(contract.faults).toEqual([]);
    expect(schemaOf(contract).validate('x', 'request')).toHaveLength(1);
    const narrow = { root: join(folder, 'service') };
    const refused = await loadContract(join(folder, 'service/api.yaml'), narrow);
    expect(refused.faults[0]?.hint).toContain('--root');
  });

  test('is not resolved outside the repository', async () => {
    const folder = await writeFiles(files);
    await mkdir(join(folder, 'service/.git'));
    const contract = await loadContract(join(folder, 'service/api.yaml'));
    expect(contract.faults[0]?.message).toContain('points outside the contract');
    expect(contract.files).toHaveLength(1);
  });

  test('a missing root folder is refused', async () => {
    const folder = await writeFiles(files);
    const nowhere = { root: join(folder, 'nowhere') };
    const fault = await faultOf(loadContract(join(folder, 'service/api.yaml'), nowhere));
    expect(fault).toMatchObject({ code: 'usage', hint: expect.stringContaining('--root') });
  });
});

describe('a reference to the network', () => {
  let server: Server | undefined;
  afterEach(() => void server?.close());

  /** A server that answers these texts by path, and counts what it was asked. */
  async function serve(
    texts: Readonly<
      Record<string, string | { readonly status: number; readonly location?: string }>
    >,
  ): Promise<{ host: string; asked: string[] }> {
    const asked: string[] = [];
    server = createServer((request, response) => {
      const url = request.url ?? '';
      asked.push(url);
      const answer = texts[url] ?? { status: 404 };
      if (typeof answer === 'string') response.end(answer);
      else
        response
          .writeHead(
            answer.status,
            answer.location === undefined ? {} : { location: answer.location },
          )
          .end();
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    // A TCP server that listens has an address with a port.
    return { host: `127.0.0.1:${String((server.address() as AddressInfo).port)}`, asked };
  }

  test('is fetched once from an allowed host, with its own references', async () => {
    const { host, asked } = await serve({
      '/a/thing.yaml':
        "properties: { x: { $ref: 'name.json#/n' }, y: { $ref: './name.json#/n' } }\n",
      '/a/name.json': '{"n":{"type":"string"}}',
    });
    const contract = await load(
      {
        'api.yaml': bodyOf(
          `{ allOf: [{ $ref: 'http://${host}/a/thing.yaml' }, { $ref: ` +
            `'http://${host}/a/thing.yaml' }] }`,
        ),
      },
      { allowRefHosts: ['127.0.0.1'] },
    );
    const [issue] = schemaOf(contract).validate({ x: 1 }, 'request');
    expect(contract.locate(issue?.pointer ?? '')).toMatchObject({
      file: `http://${host}/a/name.json`,
      line: 1,
    });
    expect(asked).toEqual(['/a/thing.yaml', '/a/name.json']);
    expect(contract.files).toHaveLength(1);
  });

  test.each<[string, (host: string) => string, string[], string]>([
    [
      'another host than the allowed one',
      (host) => `http://${host}/a.yaml`,
      ['example.com'],
      'points to a host that is not allowed',
    ],
    [
      'another port than the allowed one',
      (host) => `http://${host}/a.yaml`,
      ['127.0.0.1:1'],
      'points to a host that is not allowed',
    ],
    [
      'a redirect',
      (host) => `http://${host}/moved.yaml`,
      ['127.0.0.1'],
      'redirects to http://127.0.0.1/b.yaml',
    ],
    ['a refusal', (host) => `http://${host}/gone.yaml`, ['127.0.0.1'], 'it responds with 404'],
    [
      'a metadata address',
      () => 'http://169.254.169.254/latest/meta-data',
      ['169.254.169.254'],
      'link-local',
    ],
    [
      'the same in another form',
      () => 'http://[::ffff:169.254.169.254]/latest',
      ['[::ffff:a9fe:a9fe]'],
      'link-local',
    ],
    ['a link-local address', () => 'http://[fe80::1]/a.yaml', ['[fe80::1]'], 'link-local'],
    [
      'a file, from the network',
      (host) => `http://${host}/file.yaml`,
      ['127.0.0.1'],
      'is an absolute path',
    ],
  ])('is not followed: %s', async (_name, url, allowRefHosts, message) => {
    const { host } = await serve({
      '/moved.yaml': { status: 302, location: 'http://127.0.0.1/b.yaml' },
      '/file.yaml': "$ref: 'file:///etc/hostname'\n",
    });
    const contract = await load(
      { 'api.yaml': bodyOf(`{ $ref: '${url(host)}' }`) },
      { allowRefHosts },
    );
    expect(contract.faults).toMatchObject([
      { rule: 'no-unresolved-refs', hint: expect.any(String) as string },
    ]);
    expect(contract.faults[0]?.message).toContain(message);
    expect(schemaOf(contract).validate({ any: 'value' }, 'request')).toEqual([]);
  });
});

describe('a file that is no document is not shown', () => {
  const secret = 'DB_PASSWORD=outside-1234';

  test.each<[string, string]>([
    ['.env', 'points to a file that is no document'],
    ['.npmrc', 'points to a file that is no document'],
    ['broken', 'broken is neither YAML nor JSON.'],
    ['pipe.yaml', 'does not point to a file'],
    ['environ.yaml', 'points outside the contract'],
    ['passwd.json', 'points outside the contract'],
    ['inner', 'does not point to a file'],
  ])('by a reference to %s', async (name, message) => {
    const folder = await writeFiles({
      'api.yaml': bodyOf(`{ $ref: '${name}' }`),
      '.env': `${secret}\n`,
      '.npmrc': '//registry.example.com/:_authToken=outside-1234\n',
      broken: `${secret}: [\n\t"unclosed`,
      'inner/x.yaml': 'type: string\n',
    });
    execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
    await symlink('/proc/self/environ', join(folder, 'environ.yaml'));
    await symlink('/etc/passwd', join(folder, 'passwd.json'));
    const shown = await loadContract(join(folder, 'api.yaml')).then(
      ({ faults }) => faults.map((fault) => `${fault.message} ${fault.frame ?? ''}`).join('\n'),
      (error: unknown) => String((withHint(error) as Error).message),
    );
    expect(shown).toContain(message);
    expect(shown).not.toContain('1234');
    expect(shown).not.toContain('root:');
  });

  test.each([
    ['.env', `${secret}\n`, '.env is not an OpenAPI document'],
    ['credentials', '[default]\nsecret = outside-1234\n', 'credentials is neither YAML nor JSON.'],
    ['values.yaml', 'outside-1234: x\n', 'is not an OpenAPI document'],
  ])('by naming %s instead of a contract', async (name, text, message) => {
    const folder = await writeFiles({ [name]: text });
    const error = await faultOf(loadContract(join(folder, name)));
    const shown = (withHint(error) as Error).message;
    expect(shown).toContain(message);
    expect(shown).not.toContain('1234');
  });

  test.each([
    ['.env', `${secret}\n`],
    ['credentials', '[default]\nsecret = outside-1234\n'],
    ['values.yaml', 'password: outside-1234\n'],
  ])('by naming %s as an Overlay', async (name, text) => {
    const folder = await writeFiles({ 'api.yaml': bodyOf('{}'), [name]: text });
    const overlays = [join(folder, name)];
    const error = await faultOf(loadContract(join(folder, 'api.yaml'), { overlays }));
    expect((withHint(error) as Error).message).not.toContain('1234');
  });

  test('but a syntax error of a YAML file of the folder is', async () => {
    const files = { 'api.yaml': bodyOf("{ $ref: 'thing.yaml' }"), 'thing.yaml': 'type: [\n' };
    expect((await faultOf(load(files))).frame).toContain('type: [');
  });

  test('a device is refused', async () => {
    expect((await faultOf(loadContract('/dev/zero'))).message).toBe(
      '/dev/zero is a device, not a file.',
    );
  });
});

test.each([
  ["'parts\\crate.yaml'", '', 'parts\\crate.yaml has backslashes; it is read as parts/crate.yaml.'],
  [
    "'#\\components\\schemas\\Crate'",
    'components: { schemas: { Crate: { type: object, required: [name] } } }\n',
    'does not resolve; it is read as #/components/schemas/Crate.',
  ],
])(
  'the backslashes of the reference %s are named, and read as slashes',
  async (ref, more, says) => {
    const contract = await load({
      'api.yaml': bodyOf(`{ $ref: ${ref} }`, more),
      'parts/crate.yaml': '{ type: object, required: [name] }\n',
    });
    expect(schemaOf(contract).validate({}, 'request')[0]?.message).toBe(
      'must have the property name',
    );
    expect(contract.faults.map(({ message }) => message)).toEqual([
      expect.stringContaining(says) as string,
    ]);
  },
);
