import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import {
  credentialIn,
  gateText,
  gateTokens,
  startGate,
  strayTokens,
  type Gate,
  type GateOptions,
} from '../../check/fixture/gate-server.ts';
import { makeFakeIo } from '../fake-io.ts';

let folder = '';
const gates: Gate[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-credentials-'));
});
afterEach(async () => {
  await Promise.all(gates.splice(0).map((gate) => gate.close()));
  await rm(folder, { recursive: true });
});

async function start(options: GateOptions = {}): Promise<Gate> {
  const gate = await startGate(options);
  gates.push(gate);
  return gate;
}

async function documentOf(...paths: readonly string[]): Promise<string> {
  const file = join(folder, 'gate.yaml');
  await writeFile(file, gateText(paths));
  return file;
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function vouch(words: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const io = { ...makeFakeIo({ VOUCH_STATE_DIR: join(folder, 'state'), ...env }), width: 400 };
  const code = await main(words, io);
  return { code, out: io.written.out, err: io.written.err };
}

const { bearer, adminKey, session } = gateTokens;

describe('vouch check with several security schemes', () => {
  test('requires named tokens if VOUCH_TOKEN is ambiguous', async () => {
    const gate = await start();
    const { code, err } = await vouch(['check', gate.url, await documentOf('/notes', '/reports')], {
      VOUCH_TOKEN: bearer,
    });
    expect([code, gate.arrived]).toEqual([2, []]);
    expect(err).toContain('VOUCH_TOKEN could be for any of 2 security schemes: bearer, adminKey.');
    expect(err).toContain('--auth bearer=env:NAME --auth adminKey=env:NAME');
  });

  test('sends VOUCH_TOKEN for the scheme without --auth', async () => {
    const gate = await start();
    const words = [
      'check',
      gate.url,
      await documentOf('/notes', '/reports'),
      '--auth',
      'adminKey=env:ADMIN',
    ];
    const { code, out } = await vouch(words, { VOUCH_TOKEN: bearer, ADMIN: adminKey });
    expect([code, strayTokens(gate.arrived)]).toEqual([0, []]);
    expect(out).not.toContain('  auth  ');
    expect(gate.arrived.some((one) => credentialIn(one, 'bearer') === bearer)).toBe(true);
    expect(gate.arrived.some((one) => credentialIn(one, 'adminKey') === adminKey)).toBe(true);
  });

  test('lists unsent tokens and schemes without a token in its first lines', async () => {
    const gate = await start();
    const words = [
      'check',
      gate.url,
      await documentOf('/notes', '/reports', '/profile'),
      '--auth',
      'session=env:SID',
    ];
    const { out } = await vouch(words, { VOUCH_TOKEN: bearer, SID: session });
    expect(out.split('\n\n')[1]).toContain(
      '  auth      VOUCH_TOKEN is not sent: it could be for bearer or ' +
        'adminKey. Name the scheme: --auth bearer=env:VOUCH_TOKEN\n',
    );
    expect(out.split('\n\n')[1]).toContain(
      '  auth      adminKey has no credential, and 1 operation requires it: ' +
        '--auth adminKey=env:NAME',
    );
    expect([strayTokens(gate.arrived), JSON.stringify(gate.arrived).includes(bearer)]).toEqual([
      [],
      false,
    ]);
  });

  test('sends VOUCH_TOKEN only for the scheme that it is named for', async () => {
    const gate = await start();
    const words = [
      'check',
      gate.url,
      await documentOf('/notes', '/reports'),
      '--auth',
      'bearer=env:VOUCH_TOKEN',
    ];
    await vouch(words, { VOUCH_TOKEN: bearer });
    expect([gate.arrived.length > 0, strayTokens(gate.arrived)]).toEqual([true, []]);
  });

  test('refuses an unknown scheme with the nearest known one', async () => {
    const gate = await start();
    const { code, err } = await vouch(
      ['check', gate.url, await documentOf('/notes'), '--auth', 'adminkee=env:ADMIN'],
      { ADMIN: adminKey },
    );
    expect([code, gate.arrived]).toEqual([2, []]);
    expect(err).toContain('Did you mean adminKey?');
  });

  test('reads credentials of a target by scheme, and refuses unknown schemes', async () => {
    const gate = await start();
    await documentOf('/notes', '/reports');
    const config = join(folder, 'vouch.config.yaml');
    await writeFile(
      config,
      `contract: gate.yaml\ntargets:\n  here:\n    url: ${gate.url}\n    auth: ` +
        '{ bearer: env:ONE, adminKey: env:TWO }\n',
    );
    expect(
      (await vouch(['check', 'here', '--config', config], { ONE: bearer, TWO: adminKey })).code,
    ).toBe(0);
    expect(strayTokens(gate.arrived)).toEqual([]);
    await writeFile(config, (await readFile(config, 'utf8')).replace('adminKey:', 'adminkey:'));
    const { code, err } = await vouch(['check', 'here', '--config', config], {
      ONE: bearer,
      TWO: adminKey,
    });
    expect([
      code,
      err.includes('vouch.config.yaml:5:'),
      err.includes('Did you mean adminKey?'),
    ]).toEqual([2, true, true]);
  });
});

describe('a token that no operation uses', () => {
  const sentence = 'VOUCH_TOKEN is not sent: no operation of this contract requires a credential.';

  test('is reported in the first lines of the run', async () => {
    const gate = await start();
    const { out } = await vouch(['check', gate.url, await documentOf('/health')], {
      VOUCH_TOKEN: bearer,
    });
    expect(out.split('\n\n')[1]).toContain(`  auth      ${sentence}`);
    expect(JSON.stringify(gate.arrived)).not.toContain(bearer);
  });

  test('is reported on stderr for reports that programs read, and in a plan', async () => {
    const gate = await start();
    const words = ['check', gate.url, await documentOf('/health')];
    expect((await vouch([...words, '--reporter', 'json'], { VOUCH_TOKEN: bearer })).err).toContain(
      sentence,
    );
    const { out } = await vouch([...words, '--plan'], { VOUCH_TOKEN: bearer });
    expect(out.split('\n')[1]).toContain(sentence);
  });
});

describe('vouch check --header', () => {
  const tenants = (gate: Gate): unknown[] => [
    ...new Set(gate.arrived.map(({ headers }) => headers['x-tenant'])),
  ];

  test('sends literal and secret values, and shows a secret as its variable', async () => {
    const gate = await start({ open: ['/notes'] });
    const words = [
      'check',
      gate.url,
      await documentOf('/notes'),
      '--header',
      'X-Tenant: acme',
      '--header',
      'X-Gateway-Key=env:GATEWAY',
    ];
    const { code, out, err } = await vouch(words, {
      VOUCH_TOKEN: bearer,
      GATEWAY: 'Gateway-secret-9000\n',
    });
    expect([code, tenants(gate)]).toEqual([1, ['acme']]);
    expect([...new Set(gate.arrived.map(({ headers }) => headers['x-gateway-key']))]).toEqual([
      'Gateway-secret-9000',
    ]);
    expect(out).toContain('-H "X-Gateway-Key: $GATEWAY"');
    expect(`${out}${err}`).not.toContain('Gateway-secret');
  });

  test.each<[string, string, string]>([
    [
      'Authorization: Bearer s3cret',
      'The value of Authorization is probably secret',
      '--header Authorization=env:NAME',
    ],
    [
      'X-Api-Key: s3cret',
      'The value of X-Api-Key is probably secret',
      '--header X-Api-Key=env:NAME',
    ],
    ['Cookie: sid=s3cret', 'The value of Cookie is probably secret', '--header Cookie=env:NAME'],
    [
      'X-Api-Key=s3cret',
      '--header is given neither as Name: value nor as Name=env:VARIABLE.',
      '--header X-Gateway-Key=env:GATEWAY_KEY',
    ],
    [
      'X-Api-Key=env:s3cret-1',
      '--header is given neither as Name: value nor as Name=env:VARIABLE.',
      'X-Tenant: acme',
    ],
    [
      'X-Tenant=env:UNSET',
      'The environment variable UNSET, which should hold the header X-Tenant, is empty or not set.',
      'export UNSET=…',
    ],
    [
      'X-Tenant: a\r\nX-s3cret: b',
      'has a value with a character that HTTP headers cannot contain',
      'X-Tenant: acme',
    ],
    [
      'X Tenant: s3cret',
      'The header "X Tenant" of --header is not a valid header name.',
      'letters, digits and hyphens',
    ],
    [
      'Host: s3cret',
      'The header "Host" of --header is set by vouch for each request or connection.',
      'X-Tenant: acme',
    ],
    [
      'content-length=env:UNSET',
      'The header "content-length" of --header is set by vouch',
      'X-Tenant: acme',
    ],
    ['X-Tenant:', 'The header "X-Tenant" of --header has no value.', 'X-Tenant: acme'],
  ])('refuses %j without showing its value', async (word, message, hint) => {
    const gate = await start();
    const { code, out, err } = await vouch([
      'check',
      gate.url,
      await documentOf('/health'),
      '--header',
      word,
    ]);
    expect([code, gate.arrived]).toEqual([2, []]);
    expect(err).toContain(message);
    expect(err).toContain(hint);
    expect(`${out}${err}`).not.toContain('s3cret');
  });

  test('is refused with a proof, which sends nothing to a deployment', async () => {
    const document = await documentOf('/health');
    const { code, err } = await vouch(['check', document, '--prove', '--header', 'X-Tenant: acme']);
    expect([code, err.includes('--header has no effect with --prove.')]).toEqual([2, true]);
  });

  test('overrides the header of a target in any case; the others stay', async () => {
    const gate = await start();
    await documentOf('/health');
    const config = join(folder, 'vouch.config.yaml');
    await writeFile(
      config,
      `contract: gate.yaml\ntargets:\n  here:\n    url: ${gate.url}\n    ` +
        'headers: { x-tenant: ours, X-Region: north, X-Edge-Token: env:EDGE }\n',
    );
    await vouch(['check', 'here', '--config', config, '--header', 'X-Tenant: acme'], {
      EDGE: 'Edge-secret',
    });
    expect(tenants(gate)).toEqual(['acme']);
    const sent = gate.arrived.map(({ headers }) =>
      [headers['x-region'], headers['x-edge-token']].join(),
    );
    expect([...new Set(sent)]).toEqual(['north,Edge-secret']);
  });

  test.each([
    ['X-Edge-Token: s3cret', 'is probably secret, and secrets are never written down'],
    ['X-Region: env:NOT-A-NAME', 'names no environment variable'],
    ['Host: elsewhere', 'is set by vouch for each request or connection'],
  ])('of a target is refused with its line: %s', async (entry, message) => {
    const gate = await start();
    await documentOf('/health');
    const config = join(folder, 'vouch.config.yaml');
    await writeFile(
      config,
      `contract: gate.yaml\ntargets:\n  here:\n    url: ${gate.url}\n    ` +
        `headers:\n      ${entry}\n`,
    );
    const { code, err } = await vouch(['check', 'here', '--config', config]);
    expect([code, gate.arrived, err.includes('s3cret')]).toEqual([2, [], false]);
    expect(err).toContain(message);
    expect(err).toContain('vouch.config.yaml:6:');
  });

  test('is sent to both deployments of a comparison, but tokens only to the first', async () => {
    const [ours, theirs] = [await start(), await start()];
    const document = await documentOf('/notes', '/reports');
    const words = [
      'check',
      ours.url,
      document,
      '--against',
      theirs.url,
      '--auth',
      'bearer=env:ONE',
      '--auth',
      'adminKey=env:TWO',
      '--against-auth',
      'bearer=env:THREE',
    ];
    const env = {
      ONE: 'Ours-secret-1',
      TWO: 'Ours-secret-2',
      THREE: bearer,
      VOUCH_TOKEN: 'Ours-secret-3',
    };
    await vouch([...words, '--header', 'X-Tenant: acme'], env);
    expect([tenants(ours), tenants(theirs)]).toEqual([['acme'], ['acme']]);
    expect(JSON.stringify(theirs.arrived)).not.toContain('Ours-secret');
  });

  test('is sent with a replay', async () => {
    const gate = await start({ open: ['/notes'] });
    const document = await documentOf('/notes');
    const report = join(folder, 'report.json');
    const io = makeFakeIo({ VOUCH_TOKEN: bearer });
    await main(['check', gate.url, document, '--reporter', `json=${report}`], io);
    await writeFile(report, io.files.get(report) ?? '');
    gate.arrived.length = 0;
    const { code } = await vouch(['replay', report, '--header', 'X-Tenant: acme'], {
      VOUCH_TOKEN: bearer,
    });
    expect([code, tenants(gate)]).toEqual([1, ['acme']]);
  });
});
