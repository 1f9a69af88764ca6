import { afterEach, describe, expect, test } from 'vitest';
import {
  checkTarget,
  type CheckOptions,
  type CheckReport,
} from '../../src/check/engine/check-target.ts';
import { parseContract } from '../../src/contract/load.ts';
import {
  credentialIn,
  gateContract,
  gateText,
  gateTokens,
  startGate,
  strayTokens,
  type Gate,
  type GateOptions,
} from './fixture/gate-server.ts';

const gates: Gate[] = [];
afterEach(() => Promise.all(gates.splice(0).map((gate) => gate.close())));

async function start(options: GateOptions = {}): Promise<Gate> {
  const gate = await startGate(options);
  gates.push(gate);
  return gate;
}

function check(gate: Gate, options: Partial<CheckOptions>): Promise<CheckReport> {
  return checkTarget({ url: gate.url, contract: gateContract(), seed: 'gate', ...options });
}

/** What the run says of its credentials before the first request. */
function notesOf({ events }: CheckReport): unknown {
  return events.flatMap((event) =>
    event.type === 'run-started' ? (event.run.credentials ?? []) : [],
  );
}

/** The ids of operations that let the run in. */
function reached({ events }: CheckReport): string[] {
  const letIn = events.flatMap((event) =>
    event.type === 'exchange-recorded' && event.exchange.response?.status === 200
      ? [event.case.operation]
      : [],
  );
  return [...new Set(letIn)].sort();
}

const { bearer, adminKey, session, queryKey } = gateTokens;

describe('tokens of named schemes', () => {
  test('are sent in the place of their own scheme, to its operations only', async () => {
    const gate = await start();
    const report = await check(gate, { tokens: gateTokens });
    expect(reached(report)).toEqual([
      'getAudit',
      'getHealth',
      'getProfile',
      'getReport',
      'getStats',
      'listNotes',
    ]);
    expect(strayTokens(gate.arrived)).toEqual([]);
    expect([
      notesOf(report),
      report.findings.filter(({ severity }) => severity === 'error'),
    ]).toEqual([[], []]);
  });

  test('appear in curl commands as the variable of the scheme', async () => {
    const gate = await start({ takesAny: ['/reports'] });
    const { findings } = await check(gate, { tokens: gateTokens });
    const [finding] = findings.filter(({ check: id }) => id === 'credential-required');
    expect(finding?.operation.id).toBe('getReport');
    expect(JSON.stringify(findings)).not.toContain(adminKey);
  });
});

describe('the token without a name', () => {
  test('is refused with a hint to the flags if it could be for several schemes', async () => {
    const gate = await start();
    await expect(check(gate, { token: bearer })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(
        'could be for any of 4 security schemes: bearer, adminKey, session, queryKey.',
      ) as string,
      hint: expect.stringContaining('--auth bearer=env:NAME --auth adminKey=env:NAME') as string,
    });
    expect(gate.arrived).toEqual([]);
  });

  test('is refused even if the run is limited to operations of one scheme', async () => {
    const gate = await start();
    await expect(check(gate, { token: bearer, include: ['getReport'] })).rejects.toMatchObject({
      code: 'usage',
    });
  });

  test('is for the remaining scheme if the others have tokens', async () => {
    const gate = await start();
    const report = await check(gate, { token: adminKey, tokens: { bearer, session, queryKey } });
    expect(reached(report)).toHaveLength(6);
    expect(strayTokens(gate.arrived)).toEqual([]);
  });

  test('is for the only declared scheme that operations require', async () => {
    const gate = await start();
    const report = await check(gate, {
      contract: gateContract('/stats', '/health'),
      token: queryKey,
    });
    expect([reached(report), notesOf(report)]).toEqual([['getHealth', 'getStats'], []]);
  });

  test('is for all schemes with the same form in a request', async () => {
    const gate = await start();
    const text = gateText(['/notes', '/health'])
      .replace(
        '/health: { get: { operationId: getHealth, security: []',
        '/notes/: { get: { operationId: getNotes, security: [{ oauth: [] }]',
      )
      .replace('securitySchemes:', 'securitySchemes:\n    oauth: { type: oauth2, flows: {} }');
    const report = await check(gate, { contract: parseContract(text, 'gate.yaml'), token: bearer });
    expect(notesOf(report)).toEqual([]);
    const carried = gate.arrived
      .filter((one) => credentialIn(one, 'bearer') === bearer)
      .map(({ path }) => path);
    expect([...new Set(carried)].sort()).toEqual(['/notes', '/notes/']);
  });

  test('is left out beside named ones if it is ambiguous', async () => {
    const gate = await start();
    const tokenSource = { variable: 'VOUCH_TOKEN', named: false };
    const report = await check(gate, { token: session, tokenSource, tokens: { bearer, adminKey } });
    expect(notesOf(report)).toEqual([
      { code: 'token-ambiguous', variable: 'VOUCH_TOKEN', schemes: ['session', 'queryKey'] },
      { code: 'credential-missing', scheme: 'session', operations: 1 },
      { code: 'credential-missing', scheme: 'queryKey', operations: 1 },
    ]);
    expect(strayTokens(gate.arrived)).toEqual([]);
    expect(gate.arrived.some((one) => credentialIn(one, 'session') === session)).toBe(false);
  });

  test.each<[string, string[], Partial<CheckOptions>, unknown]>([
    [
      'no operation requires a credential',
      ['/health'],
      { token: bearer },
      [{ code: 'token-not-asked-for', variable: 'VOUCH_TOKEN' }],
    ],
    [
      'named tokens are enough',
      ['/notes'],
      { token: adminKey, tokens: { bearer } },
      [{ code: 'token-not-needed', variable: 'VOUCH_TOKEN' }],
    ],
    [
      'a named scheme is not asked for',
      ['/notes'],
      { tokens: { bearer, adminKey } },
      [{ code: 'scheme-not-asked-for', scheme: 'adminKey' }],
    ],
    [
      'a scheme has none',
      ['/notes', '/reports'],
      { tokens: { bearer } },
      [{ code: 'credential-missing', scheme: 'adminKey', operations: 1 }],
    ],
  ])('is reported before the first request: %s', async (_name, paths, options, notes) => {
    const gate = await start();
    const report = await check(gate, { contract: gateContract(...paths), ...options });
    expect([notesOf(report), strayTokens(gate.arrived)]).toEqual([notes, []]);
  });

  test('for an unknown scheme is refused with the nearest known one', async () => {
    const gate = await start();
    await expect(check(gate, { tokens: { adminkey: adminKey } })).rejects.toMatchObject({
      code: 'usage',
      hint: 'Did you mean adminKey?',
    });
  });
});

test('a scheme that no operation requires goes with those that require nothing', async () => {
  const gate = await start();
  const report = await check(gate, {
    contract: gateContract('/health', '/notes'),
    tokens: { bearer, adminKey },
  });
  expect(notesOf(report)).toEqual([{ code: 'scheme-not-asked-for', scheme: 'adminKey' }]);
  const isGiven = ({ path }: { readonly path: string }): boolean => path.endsWith('/health');
  const [free, secured] = [
    gate.arrived.filter(isGiven),
    gate.arrived.filter((one) => !isGiven(one)),
  ];
  expect(free.length).toBeGreaterThan(0);
  expect(free.every((one) => credentialIn(one, 'adminKey') === adminKey)).toBe(true);
  expect(secured.some((one) => credentialIn(one, 'adminKey') !== undefined)).toBe(false);
});

describe('an operation whose scheme has no credential', () => {
  const tokens = { bearer };

  test('is reported as not reached for that reason, and its 401 is not a finding', async () => {
    const gate = await start();
    const { summary, findings } = await check(gate, {
      contract: gateContract('/notes', '/reports'),
      tokens,
    });
    const success = summary.coverage?.operations
      .find(({ operation }) => operation === 'getReport')
      ?.statuses.find(({ status }) => status === '200');
    expect(success?.why).toBe(
      'Its requests, which were not sent: it requires a credential for ' +
        'adminKey, and none is given.',
    );
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(summary.reason).toContain(
      '1 operation could not be tested, because no credential was given.',
    );
  });

  test('is still probed, without credentials derived from another scheme’s token', async () => {
    const gate = await start({ takesAny: ['/reports'] });
    const { findings } = await check(gate, {
      contract: gateContract('/notes', '/reports'),
      tokens,
    });
    expect(
      findings
        .filter(({ check: id }) => id === 'credential-required')
        .map(({ operation }) => operation.id),
    ).toEqual(['getReport']);
    expect(strayTokens(gate.arrived)).toEqual([]);
    // Without the right one, nothing can be cut off or added.
    const tried = gate.arrived
      .filter(({ path }) => path === '/reports')
      .map((one) => credentialIn(one, 'adminKey'));
    expect(new Set(tried).size).toBe(3);
  });

  test('does not end the run if it gets the first request', async () => {
    const gate = await start();
    const { summary } = await check(gate, { contract: gateContract('/reports', '/notes'), tokens });
    expect(summary.verdict).toBe('passed');
  });
});

test('a credential accepted for one scheme proves nothing about another scheme', async () => {
  const gate = await start();
  const { findings } = await check(gate, {
    contract: gateContract('/notes', '/reports'),
    tokens: { bearer, adminKey: 'not-the-admin-key' },
  });
  expect(findings.filter(({ check: id }) => id === 'credential-accepted')).toEqual([]);
});
