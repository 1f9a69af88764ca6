import { describe, expect, test } from 'vitest';
import {
  checkTarget,
  type CheckOptions,
  type CheckReport,
} from '../../src/check/engine/check-target.ts';
import type { GivenIdentities } from '../../src/check/secrets/identities.ts';
import { accessNotes, accessTable } from '../../src/report/verdict.ts';
import {
  openTenants,
  tenantContract,
  tenantTokens,
  type TenantQuirks,
  type TenantServer,
} from './fixture/tenant-server.ts';

const { writer, reader, stranger } = tenantTokens;
const three: GivenIdentities = {
  writer: { token: writer },
  reader: { token: reader, may: ['read'] },
  stranger: { token: stranger, sees: { 'nothing-of': 'writer' } },
};

function check(server: TenantServer, options: Partial<CheckOptions> = {}): Promise<CheckReport> {
  const base = { ...server.target, contract: tenantContract(), seed: 'tenants' };
  return checkTarget({ ...base, identities: three, ...options });
}

/** The errors of a run: check and operation. */
function errorsOf({ findings }: CheckReport): string[] {
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ check: id, operation }) => `${id} ${operation.id}`)
    .sort();
}

describe('a service with correct access control', () => {
  test.each<[string, TenantQuirks]>([
    ['that answers 404 for records of others', {}],
    ['that answers 403 for records of others', { foreignStatus: 403 }],
    ['whose companies count their records alike', { countsByTenant: true }],
    ['that answers 204 to a deletion of what others have', { deletesQuietly: true }],
    ['that refuses by 405', { refusesBy405: true }],
  ])('%s gets no finding, and keeps the records of others', async (_title, quirks) => {
    const server = openTenants(quirks);
    const theirs = (): unknown[] => server.notes().filter(({ tenant }) => tenant === 'b');
    const before = structuredClone(theirs());
    const { findings } = await check(server);
    const accused = findings.filter(({ severity }) => severity !== 'note');
    expect(accused.map(({ check: id, message }) => `${id}: ${message}`)).toEqual([]);
    expect(theirs()).toEqual(before);
    expect(server.notes().some(({ text }) => text.includes('vouch-'))).toBe(false);
  });
});

describe('a service that allows a reader to write', () => {
  test.each([
    ['POST', 'createNote'],
    ['PUT', 'replaceNote'],
    ['DELETE', 'deleteNote'],
  ])('by %s is found', async (method, id) => {
    const server = openTenants({ readerMay: [method] });
    const report = await check(server);
    expect(errorsOf(report)).toEqual([`identity-may-not ${id}`]);
    expect(server.notes().some(({ text }) => text.includes('vouch-'))).toBe(false);
  });
});

describe('a service that shows records to another identity', () => {
  test.each([
    [['read'], ['getNote']],
    [['list'], ['listNotes']],
    [
      ['read', 'replace'],
      ['getNote', 'replaceNote'],
    ],
    [['delete'], ['deleteNote']],
  ] as const)('by %s is found', async (strangerReaches, ids) => {
    const server = openTenants({ strangerReaches });
    const report = await check(server);
    expect(errorsOf(report)).toEqual(ids.map((id) => `identity-sees-nothing ${id}`));
  });
});

test('an identity’s own record with the same number is not changed', async () => {
  const server = openTenants({ countsByTenant: true, strangerReaches: ['read'] });
  await check(server);
  const changed = server.arrived.filter(
    ({ client, method, status }) => client === 'stranger' && method !== 'GET' && status < 300,
  );
  expect(changed).toEqual([]);
});

test('a run without other identities sends the same requests as before', async () => {
  const requests = async (options: Partial<CheckOptions>): Promise<string[]> => {
    const server = openTenants();
    await check(server, options);
    return server.arrived.map(({ method, path }) => `${method} ${path.split('/')[1] ?? ''}`).sort();
  };
  const plain = await requests({ identities: {}, token: writer });
  expect(await requests({ identities: { writer: { token: writer } } })).toEqual(plain);
});

test('a token is never shown, and each is sent by its own identity', async () => {
  const server = openTenants({ strangerReaches: ['read'], readerMay: ['PUT'] });
  const report = await check(server);
  for (const token of Object.values(tenantTokens))
    expect(JSON.stringify(report)).not.toContain(token);
  const shown = report.findings.flatMap(({ curl }) => curl).join('\n');
  expect(shown).toContain('$VOUCH_TOKEN_AS_STRANGER');
  expect(shown).toContain('$VOUCH_TOKEN_AS_READER');
});

describe('the report', () => {
  test('lists the permissions of each identity', async () => {
    const { summary } = await check(openTenants());
    expect(accessTable(summary)).toEqual([
      ['', 'writer', 'reader', 'stranger'],
      ['GET /notes', 'allowed', 'allowed', 'allowed'],
      ['POST /notes', 'allowed', 'refused', 'not asked'],
      ['GET /notes/{noteId}', 'allowed', 'allowed', 'refused'],
      ['PUT /notes/{noteId}', 'allowed', 'refused', 'refused'],
      ['DELETE /notes/{noteId}', 'allowed', 'refused', 'refused'],
    ]);
    expect(accessNotes(summary)).toEqual([]);
  });

  test('states that nothing was tested if a credential is unknown', async () => {
    const { summary, findings } = await check(openTenants({ knowsWriterOnly: true }));
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(accessNotes(summary)).toEqual([
      'Nothing was tested as reader: the service answered 401 to each of its requests.',
      'Nothing was tested as stranger: the service answered 401 to each of its requests.',
    ]);
  });
});

describe('identities without a credential', () => {
  test('are listed before the run', async () => {
    const server = openTenants();
    const identities: GivenIdentities = {
      ...three,
      reader: { lacks: 'READ_TOKEN', may: ['read'] },
    };
    const { events } = await check(server, { identities });
    expect(events.find(({ type }) => type === 'run-started')).toMatchObject({
      run: {
        credentials: [{ code: 'identity-not-asked', identity: 'reader', variable: 'READ_TOKEN' }],
      },
    });
    expect(server.arrived.some(({ client }) => client === 'reader')).toBe(false);
  });

  test('are refused if they name an unknown operation or identity', async () => {
    const server = openTenants();
    const run = (options: GivenIdentities[string]): Promise<CheckReport> =>
      check(server, { identities: { writer: { token: writer }, other: options } });
    await expect(run({ token: reader, may: ['raed'] })).rejects.toThrow(/other: .*raed/);
    const sees = { 'nothing-of': 'wirter' };
    await expect(run({ token: reader, sees })).rejects.toMatchObject({
      hint: expect.stringContaining('writer'),
    });
    expect(server.arrived).toEqual([]);
  });
});

test('a read-only run sends only reads for other identities', async () => {
  const server = openTenants({ readerMay: ['POST', 'PUT', 'DELETE'] });
  const { findings } = await check(server, { mode: 'read-only' });
  const unsafe = server.arrived.filter(({ method }) => ['POST', 'PUT', 'DELETE'].includes(method));
  expect(unsafe).toEqual([]);
  expect(server.arrived.some(({ client }) => client === 'reader')).toBe(true);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});
