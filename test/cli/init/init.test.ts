import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { configText, runInitCommand } from '../../../src/cli/init/run-init-command.ts';
import { readConfig } from '../../../src/config/config.ts';
import { loadContract, parseContract } from '../../../src/contract/load.ts';
import { packageFolder } from '../../../src/library/package-files.ts';
import { startMock } from '../../../src/library/start-mock.ts';
import { makeFakeIo } from '../fake-io.ts';

const petstore = join(packageFolder, 'openapi/petstore.v1.yaml');
const root = mkdtempSync(join(tmpdir(), 'vouch-init-'));
afterAll(() => rmSync(root, { recursive: true }));

let folders = 0;
function folderWith(files: readonly string[]): string {
  const folder = join(root, String((folders += 1)));
  mkdirSync(folder);
  for (const file of files) cpSync(petstore, join(folder, file), { recursive: true });
  return folder;
}

async function init(
  folder: string,
  flags: { readonly document?: string; readonly force?: boolean; readonly dryRun?: boolean } = {},
) {
  const io = makeFakeIo();
  const { document, force = false, dryRun = false } = flags;
  await runInitCommand(io, folder, {
    document: document === undefined ? undefined : join(folder, document),
    flags: { force, dryRun },
  });
  return { ...io.written, text: io.files.get(join(folder, 'vouch.config.yaml')) };
}

describe('vouch init', () => {
  test.each(['openapi.yaml', 'swagger.yml', 'api/orders.yaml', 'docs/openapi.yaml'])(
    'finds %s, and asks nothing',
    async (file) => {
      const folder = folderWith([file]);
      writeFileSync(join(folder, 'package.json'), '{"name":"openapi"}');
      writeFileSync(join(folder, 'compose.yaml'), 'services: { openapi: {} }\n');
      const { text, err } = await init(folder);
      expect(text).toContain(`\ncontract: ${file}\n`);
      expect(err).toContain(
        `Wrote vouch.config.yaml for ${file}: Pet Store Service Interface 1.0.0, 5 operations.`,
      );
    },
  );

  test('finds JSON', async () => {
    const folder = folderWith([]);
    writeFileSync(
      join(folder, 'api.json'),
      JSON.stringify({ openapi: '3.0.3', info: { title: 'T', version: '1' }, paths: {} }),
    );
    expect((await init(folder)).text).toContain('\ncontract: api.json\n');
  });

  test('writes a valid configuration, with which the mock runs', async () => {
    const folder = folderWith(['openapi.yaml']);
    const { text = '' } = await init(folder);
    writeFileSync(join(folder, 'vouch.config.yaml'), text);
    const config = await readConfig(folder);
    expect(config).toMatchObject({
      contract: join(folder, 'openapi.yaml'),
      mock: { port: 4010, keys: ['demo-key'] },
      targets: { local: { url: 'http://127.0.0.1:8080/v1', mode: 'read-write' } },
    });
    const mock = await startMock({ config: join(folder, 'vouch.config.yaml') });
    const answer = await fetch(`${mock.url}/pets`, {
      headers: { authorization: 'Bearer demo-key' },
    });
    await mock.close();
    expect(answer.status).toBe(200);
    // What is commented out is right as well.
    writeFileSync(
      join(folder, 'vouch.config.yaml'),
      text
        .replaceAll(
          /^( *)# (?=fixtures:|scenarios:|assume:| {2}- \{|check:| {2}timeout|staging:)/gm,
          '$1',
        )
        .replaceAll(/^# {3}(?=\S+:)/gm, '  '),
    );
    expect(await readConfig(folder)).toMatchObject({
      mock: { fixtures: join(folder, 'fixtures'), assume: [{ operation: 'createPet' }] },
      targets: { staging: { auth: 'env:STAGING_TOKEN' } },
    });
  });

  test.each([
    [
      ['https://api.example.com/v2', 'http://localhost:3000/v2'],
      'http://localhost:3000/v2',
      'https://api.example.com/v2',
    ],
    [['http://localhost:4010/v2'], 'http://127.0.0.1:8080/v2', 'https://staging.example.com'],
    [['/v2'], 'http://127.0.0.1:8080/v2', 'https://staging.example.com'],
  ])(
    'of the servers %j it takes those that are meant, and never the mock for a deployment',
    (urls, local, staging) => {
      const document = {
        openapi: '3.1.0',
        info: { title: 'T', version: '1' },
        servers: urls.map((url) => ({ url })),
        paths: {},
      };
      const text = configText({
        contract: parseContract(JSON.stringify(document), 'api.json'),
        document: 'api.json',
        schema: 's',
      });
      expect(text).toContain(`  local: { url: ${local}, mode: read-write }`);
      expect(text).toContain(`  # staging: { url: ${staging},`);
    },
  );

  test('has a valid value of the contract as an example', () => {
    const path = (schema: object): object => ({
      get: {
        operationId: 'getOne',
        parameters: [{ name: 'id', in: 'path', required: true, schema }],
        responses: { 200: { description: 'One' } },
      },
    });
    const written = (schema: object): string =>
      configText({
        contract: parseContract(
          JSON.stringify({
            openapi: '3.1.0',
            info: { title: 'T', version: '1' },
            paths: { '/things/{id}': path(schema) },
          }),
          'api.json',
        ),
        document: 'api.json',
        schema: 's',
      });
    expect(written({ type: 'integer', minimum: 5 })).toMatch(/getOne: \{ id: \d+ \} \}/);
    expect(written({ type: 'string', format: 'uuid' })).toMatch(
      /getOne: \{ id: "?[\da-f]{8}-[\da-f-]{27}"? \} \}/,
    );
  });

  test.each(['openapi.yaml', 'my api: v1.yaml', '#1.yaml'])(
    'a document called %s is written so that YAML has it back',
    async (document) => {
      const folder = folderWith([]);
      writeFileSync(
        join(folder, 'vouch.config.yaml'),
        configText({ contract: await loadContract(petstore), document, schema: 's' }),
      );
      expect((await readConfig(folder)).contract).toBe(join(folder, document));
    },
  );

  test('does not choose one of several documents', async () => {
    const folder = folderWith(['a.yaml', 'openapi.yaml', 'api/b.yaml']);
    await expect(init(folder)).rejects.toThrow(
      'There are 3 OpenAPI documents here:\n  openapi.yaml\n  a.yaml\n  api/b.yaml',
    );
    await expect(init(folder)).rejects.toMatchObject({
      hint: 'Pass one of them. To make it the default: vouch init openapi.yaml',
    });
    expect((await init(folder, { document: 'api/b.yaml' })).text).toContain(
      '\ncontract: api/b.yaml\n',
    );
  });

  test('without a document it says what to do', async () => {
    await expect(init(folderWith([]))).rejects.toMatchObject({
      message: expect.stringContaining('No OpenAPI document found here'),
      hint: 'Pass the path of one. To try vouch with the bundled example: vouch mock --demo.',
    });
  });

  test('overwrites a configuration only with --force', async () => {
    const folder = folderWith(['openapi.yaml']);
    writeFileSync(join(folder, 'vouch.config.json'), '{}');
    await expect(init(folder)).rejects.toThrow(
      'vouch.config.json already exists and was not changed.',
    );
    expect((await init(folder, { dryRun: true })).out).toContain('contract: openapi.yaml');
    expect((await init(folder, { dryRun: true })).text).toBeUndefined();
    expect((await init(folder, { force: true })).text).toContain('contract: openapi.yaml');
  });
});
