import { afterEach, describe, expect, test } from 'vitest';
import { compareTargets, type AgainstOptions } from '../../src/check/against/compare-targets.ts';
import {
  checkTarget,
  planCheck,
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
  type Arrived,
  type Gate,
  type GateOptions,
} from './fixture/gate-server.ts';
import { libraryContract } from './fixture/library-contract.ts';
import { startLibrary } from './fixture/library-server.ts';

const gates: Gate[] = [];
afterEach(() => Promise.all(gates.splice(0).map((gate) => gate.close())));

async function start(options: GateOptions = {}): Promise<Gate> {
  const gate = await startGate(options);
  gates.push(gate);
  return gate;
}

function check(gate: Gate, options: Partial<CheckOptions>): Promise<CheckReport> {
  return checkTarget({
    url: gate.url,
    contract: gateContract('/notes', '/health'),
    seed: 'headers',
    ...options,
  });
}

const gateway = { value: 'Gateway-secret-9000', variable: 'GATEWAY_KEY' };

/** The distinct values of a header over requests. */
function valuesOf(arrived: readonly Arrived[], name: string): unknown[] {
  return [...new Set(arrived.map(({ headers }) => headers[name]))];
}

describe('a header of the run', () => {
  test('is sent with every request, also with probes of credentials and methods', async () => {
    const gate = await start();
    const headers = { 'X-Tenant': 'acme', 'X-Gateway-Key': gateway };
    await check(gate, { token: gateTokens.bearer, headers });
    expect(new Set(gate.arrived.map(({ method }) => method)).size).toBeGreaterThan(1);
    expect([valuesOf(gate.arrived, 'x-tenant'), valuesOf(gate.arrived, 'x-gateway-key')]).toEqual([
      ['acme'],
      [gateway.value],
    ]);
  });

  test('is sent with creates, replays and cleanup', async () => {
    const library = await startLibrary();
    const { events } = await checkTarget({
      url: library.url,
      contract: libraryContract(),
      token: library.token,
      seed: 'all',
      headers: { 'X-Tenant': 'acme' },
    });
    await library.close();
    const requests = events.flatMap((event) =>
      event.type === 'exchange-recorded'
        ? [{ phase: event.case.phase, headers: event.exchange.request.headers }]
        : [],
    );
    expect(new Set(requests.map(({ phase }) => phase))).toContain('cleanup');
    expect(
      requests.filter(
        ({ headers }) => !headers.some(([name, value]) => name === 'X-Tenant' && value === 'acme'),
      ),
    ).toEqual([]);
  });

  test('replaces the identification of vouch', async () => {
    const gate = await start();
    await check(gate, { token: gateTokens.bearer, headers: { 'user-agent': 'probe/1' } });
    expect(valuesOf(gate.arrived, 'user-agent')).toEqual(['probe/1']);
  });

  test('with a secret value is shown as its variable in exchanges, plans and curl', async () => {
    const gate = await start({ open: ['/notes'] });
    const options = {
      token: gateTokens.bearer,
      headers: { 'X-Gateway-Key': gateway, 'X-Trace': { value: 'abc', variable: 'TRACE' } },
    };
    const { events, findings } = await check(gate, options);
    const shown = JSON.stringify([
      events,
      planCheck({ url: gate.url, contract: gateContract('/notes'), seed: 's', ...options }),
    ]);
    expect(shown).not.toContain(gateway.value);
    expect(shown).toContain('["X-Gateway-Key","$GATEWAY_KEY"]');
    // Too short to be looked for in every text, and hidden in its own header all the same.
    expect(shown).not.toContain('["X-Trace","abc"]');
    expect(findings.find(({ check: id }) => id === 'credential-required')?.curl.join()).toContain(
      '-H "X-Gateway-Key: $GATEWAY_KEY"',
    );
  });
});

describe('a header that contains a credential', () => {
  const contract = gateContract('/notes', '/health');

  test('authenticates valid requests, but not credential probes', async () => {
    const gate = await start();
    const headers = { Authorization: { value: `Bearer ${gateTokens.bearer}`, variable: 'LOGIN' } };
    const { events, findings } = await check(gate, { contract, headers });
    const started = events.find((event) => event.type === 'run-started');
    expect([
      started?.type === 'run-started' && started.run.credentials,
      findings.filter(({ severity }) => severity === 'error'),
    ]).toEqual([undefined, []]);
    const notes = gate.arrived
      .filter(({ path, method }) => path === '/notes' && method === 'GET')
      .map((one) => one.headers.authorization);
    expect(notes).toContain(`Bearer ${gateTokens.bearer}`);
    expect(notes).toContain(undefined);
    expect(
      notes.some(
        (value) => value !== undefined && value !== '' && !value.includes(gateTokens.bearer),
      ),
    ).toBe(true);
  });

  test('is replaced by the token of the scheme, and stays on other operations', async () => {
    const gate = await start();
    const headers = { Authorization: { value: 'Basic Z2F0ZXdheTp4', variable: 'LOGIN' } };
    await check(gate, { contract, token: gateTokens.bearer, headers });
    expect(gate.arrived.some((one) => credentialIn(one, 'bearer') === gateTokens.bearer)).toBe(
      true,
    );
    expect(
      valuesOf(
        gate.arrived.filter(({ path }) => path === '/notes'),
        'authorization',
      ),
    ).not.toContain('Basic Z2F0ZXdheTp4');
    expect(
      valuesOf(
        gate.arrived.filter(({ path }) => path === '/health'),
        'authorization',
      ),
    ).toEqual(['Basic Z2F0ZXdheTp4']);
  });

  test('does not authenticate a probe by another scheme of the operation', async () => {
    const gate = await start();
    const text = gateText(['/reports']).replace(
      '[{"adminKey":[]}]',
      '[{"bearer":[]},{"adminKey":[]}]',
    );
    const headers = { 'X-Admin-Key': { value: gateTokens.adminKey, variable: 'ADMIN' } };
    const { findings } = await check(gate, { contract: parseContract(text, 'gate.yaml'), headers });
    expect(findings.filter(({ check: id }) => id === 'credential-required')).toEqual([]);
    expect(gate.arrived.some((one) => credentialIn(one, 'adminKey') === gateTokens.adminKey)).toBe(
      true,
    );
    expect(gate.arrived.some(({ headers: { 'x-admin-key': key } }) => key === undefined)).toBe(
      true,
    );
  });

  test('of cookies keeps the other cookies in probes', async () => {
    const gate = await start();
    const headers = {
      Cookie: { value: `locale=en; sid=${gateTokens.session}`, variable: 'COOKIES' },
    };
    await check(gate, { contract: gateContract('/profile'), headers });
    const cookies = valuesOf(
      gate.arrived.filter(({ method }) => method === 'GET'),
      'cookie',
    );
    expect(cookies).toContain(`locale=en; sid=${gateTokens.session}`);
    expect(cookies).toContain('locale=en');
    expect(
      cookies.every(
        (cookie) =>
          String(cookie)
            .split(';')
            .filter((pair) => pair.includes('sid=')).length < 2,
      ),
    ).toBe(true);
  });
});

describe('a header that the contract declares as a parameter', () => {
  const text = gateText(['/health']).replace(
    'operationId: getHealth,',
    'operationId: getHealth, parameters: [{ name: X-Tenant, in: header, ' +
      'required: true, schema: { type: string, enum: [acme, globex] } }],',
  );

  test('has the value of the user unless the header itself is tested', async () => {
    const gate = await start();
    await check(gate, {
      contract: parseContract(text.replaceAll('401', '400'), 'gate.yaml'),
      headers: { 'x-tenant': 'acme' },
    });
    const values = valuesOf(gate.arrived, 'x-tenant');
    expect(values).toContain('acme');
    expect(values).toContain(undefined);
    expect(values).not.toContain('globex');
    expect(values.length).toBeGreaterThan(2);
  });
});

describe('headers that cannot be sent with every request', () => {
  test.each([
    ['Host', 'x'],
    ['content-length', '1'],
    ['Transfer-Encoding', 'chunked'],
    ['Connection', 'close'],
    ['Content-Type', 'text/plain'],
    ['X Tenant', 'acme'],
    ['X-Tenant', 'a\r\nX-Other: b'],
    ['X-Tenant', ' '],
  ])('%s: %j', async (name, value) => {
    const gate = await start();
    await expect(check(gate, { headers: { [name]: value } })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(JSON.stringify(name)) as string,
    });
    expect(gate.arrived).toEqual([]);
  });

  test('are refused when they differ in case alone', async () => {
    await expect(
      check(await start(), { headers: { 'X-Tenant': 'a', 'x-tenant': 'b' } }),
    ).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('the other deployment of a comparison', () => {
  async function compare(
    options: Partial<CheckOptions>,
    against: Partial<AgainstOptions>,
  ): Promise<Gate> {
    const [ours, theirs] = [await start(), await start()];
    const events = compareTargets(
      { url: ours.url, contract: gateContract('/notes', '/reports'), seed: 'two', ...options },
      { url: theirs.url, ...against },
    );
    for await (const event of events) expect(event.type).not.toBe('check-crashed');
    return theirs;
  }

  test('gets no token of the first one if it has tokens', async () => {
    const theirs = await compare(
      { tokens: { bearer: 'Ours-secret-1', adminKey: 'Ours-secret-2' } },
      { tokens: { bearer: gateTokens.bearer } },
    );
    expect(JSON.stringify(theirs.arrived)).not.toContain('Ours-secret');
    expect(theirs.arrived.some((one) => credentialIn(one, 'bearer') === gateTokens.bearer)).toBe(
      true,
    );
  });

  test('gets its own headers instead of those of the first one', async () => {
    const theirs = await compare(
      { tokens: { bearer: 'b' }, headers: { 'X-Tenant': 'ours' } },
      { headers: { 'X-Region': 'theirs' } },
    );
    expect([valuesOf(theirs.arrived, 'x-tenant'), valuesOf(theirs.arrived, 'x-region')]).toEqual([
      [undefined],
      ['theirs'],
    ]);
  });
});
