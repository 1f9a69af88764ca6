import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DoctorInput,
  examineConfig,
  examineContract,
  examineNode,
  examinePort,
  examinePrism,
  examineState,
  examineStore,
} from '../../../src/cli/doctor/examine-machine.ts';
import { examineTargets, examineToken } from '../../../src/cli/doctor/run-doctor-command.ts';
import { main } from '../../../src/cli/main.ts';
import { type Config, emptyConfig } from '../../../src/config/config.ts';
import { loadContract } from '../../../src/contract/load.ts';
import { VouchError } from '../../../src/errors.ts';
import { packageFolder } from '../../../src/library/package-files.ts';
import { gateContract } from '../../check/fixture/gate-server.ts';
import { makeFakeIo } from '../fake-io.ts';

const folder = mkdtempSync(join(tmpdir(), 'vouch-doctor-'));
const asked: string[] = [];
let server: Server;
let url = '';
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(
      `${request.method ?? ''} ${request.url ?? ''} ${request.headers.authorization ?? 'nobody'}`,
    );
    response.writeHead(request.url === '/ill' ? 503 : 401).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await new Promise((resolve) => server.close(resolve));
});

const contract = await loadContract(join(packageFolder, 'openapi/petstore.v1.yaml'));

function patient(some: Partial<DoctorInput> = {}, env: Record<string, string> = {}): DoctorInput {
  return {
    flags: {},
    io: makeFakeIo(env),
    folder,
    nodeVersion: '24.21.0',
    platform: 'linux',
    config: emptyConfig,
    contract,
    target: undefined,
    ...some,
  };
}

const levels = (diagnoses: readonly { readonly level: string }[]): string[] =>
  diagnoses.map(({ level }) => level);

describe('vouch doctor', () => {
  test.each([
    ['24.21.0', 'ok'],
    ['22.19.0', 'ok'],
    ['22.18.9', 'fail'],
    ['20.19.5', 'fail'],
  ])('Node %s: %s', (nodeVersion, level) => {
    expect(levels(examineNode(patient({ nodeVersion })))).toEqual([level]);
  });

  test('Prism needs a newer Node than vouch', () => {
    expect(examinePrism(patient({ nodeVersion: '22.19.0' }))).toMatchObject([
      { level: 'warn', text: 'installed, but needs Node 24.18 or newer' },
    ]);
    expect(examinePrism(patient())).toMatchObject([{ level: 'ok' }]);
  });

  test('a folder without a document is a warning: commands take one as an argument', async () => {
    const missing = new VouchError('usage', 'There are 2 documents here:\n  a.yaml\n  b.yaml', {
      hint: 'Pass one of them.',
    });
    expect(await examineContract(patient({ contract: missing }))).toEqual([
      {
        level: 'warn',
        text: 'There are 2 documents here: a.yaml b.yaml',
        hint: 'Pass one of them.',
      },
    ]);
  });

  test('an unreadable configuration or document fails with its place and a hint', async () => {
    const wrong = new VouchError('config-invalid', 'there is no setting pots at mock.', {
      place: { file: 'vouch.config.yaml', line: 3, column: 5 },
      hint: 'Did you mean port?',
    });
    expect(examineConfig(patient({ config: wrong }))).toEqual([
      {
        level: 'fail',
        text: 'there is no setting pots at mock. (vouch.config.yaml:3:5)',
        hint: 'Did you mean port?',
      },
    ]);
    expect(levels(await examineContract(patient({ config: wrong, contract: wrong })))).toEqual([
      'warn',
    ]);
    expect(levels(await examineContract(patient({ contract: wrong })))).toEqual(['fail']);
    expect(await examineContract(patient())).toMatchObject([
      {
        level: 'ok',
        text: expect.stringMatching(/petstore\.v1\.yaml: .*5 operations; lint: 8 notes/),
      },
    ]);
  });

  test('a document with lint errors fails', async () => {
    const file = join(folder, 'wrong.yaml');
    writeFileSync(
      file,
      'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths:\n  /a/{id}:\n  ' +
        '  get: { operationId: a, responses: { "200": { description: ok } } }\n',
    );
    expect(await examineContract(patient({ contract: await loadContract(file) }))).toMatchObject([
      {
        level: 'warn',
        text: expect.stringMatching(/lint: \d+ errors?$/),
        hint:
          'vouch mock and vouch check still work with it; vouch start refuses it. ' +
          'List the errors with vouch lint.',
      },
    ]);
  });

  test('a used port is not a failure, because the next one is used', async () => {
    const taken = createNetServer();
    await new Promise<void>((resolve) => void taken.listen(0, '127.0.0.1', resolve));
    const port = String((taken.address() as AddressInfo).port);
    expect(await examinePort(patient({}, { VOUCH_PORT: port }))).toMatchObject([
      { level: 'warn', text: `${port} is in use; vouch mock will use the next free port` },
    ]);
    await new Promise((resolve) => taken.close(resolve));
    expect(await examinePort(patient({}, { VOUCH_PORT: port }))).toEqual([
      { level: 'ok', text: `${port} is free` },
    ]);
    expect(levels(await examinePort(patient({}, { VOUCH_PORT: 'many' })))).toEqual(['fail']);
  });

  test(
    'tokens are asked for where the contract is secured, by the names that ' +
      'the targets have for them',
    () => {
      expect(levels(examineToken(patient()))).toEqual(['warn']);
      expect(examineToken(patient({}, { VOUCH_TOKEN: 's3cret' }))).toEqual([
        { level: 'ok', text: 'VOUCH_TOKEN is set' },
      ]);
      const config = {
        ...emptyConfig,
        targets: {
          staging: { url, auth: 'env:STAGING' },
          other: { url, auth: { bearer: 'env:OTHER' } },
        },
      };
      expect(
        examineToken(patient({ config }, { OTHER: 's3cret' })).map(
          ({ level, text }) => `${level} ${text}`,
        ),
      ).toEqual([
        'warn STAGING is not set; the target staging needs it',
        'ok OTHER is set, for the target other',
      ]);
    },
  );

  test('schemes without a credential are named, and the variables of headers', () => {
    const gates = gateContract('/notes', '/reports');
    const said = (targets: Config['targets']): string[] =>
      examineToken(
        patient(
          { contract: gates, config: { ...emptyConfig, targets } },
          { VOUCH_TOKEN: 's3cret', ONE: 's3cret' },
        ),
      ).map(({ level, text }) => `${level} ${text}`);
    expect(said({})).toEqual([
      'warn a check without --auth has no credential for bearer, adminKey',
    ]);
    expect(
      said({
        staging: {
          url,
          auth: { bearer: 'env:ONE' },
          headers: { 'X-Tenant': 'acme', 'X-Edge-Token': 'env:EDGE' },
        },
      }),
    ).toEqual([
      'ok ONE is set, for the target staging',
      'warn EDGE is not set; the target staging needs it',
    ]);
    expect(said({ staging: { url, auth: 'env:ONE' } })).toEqual([
      'ok ONE is set, for the target staging',
      'warn the target staging has no credential for bearer, adminKey',
    ]);
    expect(
      examineToken(patient({ contract: gateContract('/health') }, { VOUCH_TOKEN: 's3cret' })),
    ).toEqual([
      {
        level: 'ok',
        text: 'not needed: the contract requires no credentials, so VOUCH_TOKEN is not sent',
      },
    ]);
  });

  test('a target gets one HEAD without a credential, and any response is enough', async () => {
    asked.length = 0;
    const config = { ...emptyConfig, targets: { local: { url: `${url}/v1`, auth: 'env:TOKEN' } } };
    expect(await examineTargets(patient({ config }, { TOKEN: 's3cret' }))).toMatchObject([
      { level: 'ok', text: expect.stringMatching(/^local \(http.*\) responded 401 in \d+ ms$/) },
    ]);
    expect(asked).toEqual(['HEAD /v1 nobody']);
    expect(levels(await examineTargets(patient({ target: `${url}/ill` })))).toEqual(['warn']);
    expect(await examineTargets(patient({ target: 'http://127.0.0.1:1' }))).toMatchObject([
      { level: 'warn', text: expect.stringContaining('ECONNREFUSED') },
    ]);
  });

  test('nothing is sent to unnamed hosts or to metadata addresses of clouds', async () => {
    expect(await examineTargets(patient({ target: 'https://example.com' }))).toMatchObject([
      { level: 'fail', text: expect.stringContaining('nothing was sent') },
    ]);
    const config = {
      ...emptyConfig,
      targets: {
        cloud: { url: 'http://169.254.169.254/latest' },
        six: { url: 'http://[fe80::1]/' },
      },
    };
    expect(await examineTargets(patient({ config }))).toMatchObject([
      { level: 'fail', text: expect.stringContaining('link-local') },
      { level: 'fail', text: expect.stringContaining('link-local') },
    ]);
  });

  test('an unwritable state folder is reported, and a writable one is left unchanged', async () => {
    writeFileSync(join(folder, 'file'), '');
    expect(
      await examineState(patient({}, { VOUCH_STATE_DIR: join(folder, 'file') })),
    ).toMatchObject([
      { level: 'warn', text: expect.stringMatching(/is not writable \(E(EXIST|NOTDIR)\)/) },
    ]);
    expect(
      levels(await examineState(patient({}, { VOUCH_STATE_DIR: join(folder, 'state') }))),
    ).toEqual(['ok']);
    expect(levels(await examineState(patient()))).toEqual(['warn']);
  });

  test('an unreachable Redis fails, without showing its password', async () => {
    const found = await examineStore(patient({}, { VOUCH_STORE: 'redis://me:s3cret@127.0.0.1:1' }));
    expect(levels(found)).toEqual(['fail']);
    expect(JSON.stringify(found)).not.toContain('s3cret');
    expect(levels(await examineStore(patient()))).toEqual(['ok']);
  });

  test('the report has a line for each examination, and an exit code', async () => {
    const io = makeFakeIo({
      VOUCH_TOKEN: 'demo-key',
      VOUCH_PORT: '0',
      VOUCH_STATE_DIR: join(folder, 'state'),
    });
    expect(await main(['doctor', url], io)).toBe(0);
    expect(
      io.written.out
        .split('\n')
        .filter((line) => /^[✓!✗] /.test(line))
        .map((line) => line.slice(0, 18).trimEnd()),
    ).toEqual(
      ['node', 'config', 'contract', 'port', 'token', 'target', 'state', 'prism', 'redis'].map(
        (name) => `✓ ok    ${name}`,
      ),
    );
    expect(io.written.out).toMatch(/\nNo problems found\.\n$/);
    const sick = makeFakeIo({ VOUCH_PORT: 'x' });
    expect(await main(['doctor', 'https://example.com'], sick)).toBe(1);
    expect(sick.written.out).toMatch(/2 failures, \d warnings?\. Fix the failures first\.\n$/);
  });
});
