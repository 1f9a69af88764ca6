import { describe, expect, test } from 'vitest';
import { type CheckOptions, checkTarget, runCheck } from '../../src/check/engine/check-target.ts';
import { setImmediate } from 'node:timers/promises';
import type { Finding } from '../../src/check/model/finding.ts';
import type { RunSummary } from '../../src/check/model/run-summary.ts';
import { clinicContract } from './fixture/clinic-contract.ts';
import { type Clinic, type ClinicDefect, openClinic } from './fixture/clinic-server.ts';
import { noticeEach, shared } from './fixture/notice-each.ts';

const contract = clinicContract();

interface Outcome {
  readonly clinic: Clinic;
  readonly findings: readonly Finding[];
  readonly summary: RunSummary;
}

async function run(
  defects: readonly ClinicDefect[] = [],
  options: Partial<CheckOptions> = {},
): Promise<Outcome> {
  const clinic = openClinic(...defects);
  const { events, summary } = await checkTarget({
    ...clinic.target,
    contract,
    seed: 'clinic',
    skip: ['answers-in-time'],
    ...options,
  });
  const findings = events.flatMap((event) =>
    event.type === 'finding-reported' ? [event.finding] : [],
  );
  return { clinic, findings, summary };
}

const told = ({ findings }: Outcome): string[] =>
  findings
    .filter(({ severity }) => severity !== 'note')
    .map(
      ({ severity, check, operation, message }) =>
        `${severity} ${check} ${operation.id}: ${message}`,
    );

describe('a server that keeps the contract', () => {
  const sound = shared(() => run());

  test.each(['one', 'two', 'three'])('has no finding with any seed: %s', async (seed) => {
    const outcome = await run([], { seed });
    expect(told(outcome)).toEqual([]);
    expect(outcome.summary.verdict).toBe('passed');
  });

  test('every operation gets requests and a success', async () => {
    const { summary } = await sound();
    expect(
      summary.operations
        .filter(({ statuses }) => !Object.keys(statuses).some((status) => status.startsWith('2')))
        .map(({ id }) => id),
    ).toEqual([]);
  });

  test('keeps its own records, and its singleton unchanged', async () => {
    const { clinic } = await sound();
    expect(clinic.count()).toEqual({ owners: 1, animals: 1 });
    expect(clinic.me).toMatchObject({ name: 'Alex', theme: 'light' });
    const changes = clinic.log
      .filter(({ method, target }) => method === 'PUT' && target === '/me')
      .map(({ body }) => body);
    expect(changes).toEqual(['{"name":"Alex","theme":"dark"}', '{"name":"Alex","theme":"light"}']);
  });

  test('gets no change of a record that the run did not create', async () => {
    const { clinic } = await sound();
    const changing = clinic.log.filter(
      ({ method, target }) =>
        method !== 'GET' && method !== 'HEAD' && method !== 'POST' && target !== '/me',
    );
    expect(
      changing.filter(
        ({ target }) => /^\/owners\/7(\/|$)/.test(target) || /\/animals\/70(\/|$)/.test(target),
      ),
    ).toEqual([]);
    expect(changing.length).toBeGreaterThan(20);
  });

  test('gets a valid body in each media type of the contract', async () => {
    const { clinic } = await sound();
    const types = new Set(
      clinic.log
        .filter(
          ({ target, method }) =>
            method === 'POST' && (target === '/scans' || target === '/owners'),
        )
        .map(({ target, type }) => `${target} ${type.split(';')[0] ?? ''}`),
    );
    expect([...types]).toEqual(
      expect.arrayContaining([
        '/owners application/x-www-form-urlencoded',
        '/owners application/xml',
        '/scans multipart/form-data',
        '/scans text/plain',
        '/scans image/png',
      ]),
    );
  });
});

describe('a server with defects', () => {
  noticeEach<ClinicDefect>(
    '%s is detected',
    [
      [
        ['takes-any-age', /^error invalid-refused createOwner/],
        ['takes-any-title', /^error invalid-refused sendScan/],
        ['refuses-xml', /^error valid-accepted createOwner/],
        ['fails-on-png', /^error no-server-error sendScan/],
        ['loses-animals', /^error created-is-readable (getAnimal|createAnimal|listAnimals)/],
        ['forgets-reports', /^error no-server-error getReport/],
        ['keeps-the-old-theme', /^error replaced-is-persisted/],
        ['takes-three-towns', /^error invalid-refused listOwners/],
      ],
      [['fails-on-wash', /^error no-server-error washAnimal/]],
    ],
    async (own) => told(await run(own)),
  );
});

test('a run that ends before a restoration restores the record in clean-up', async () => {
  const clinic = openClinic();
  const { url, send: answer } = clinic.target;
  const stop = new AbortController();
  const options: CheckOptions = {
    url,
    // As from a network: what reads the events hears of a request before the next one is sent.
    send: async (...given) => {
      const exchange = await answer(...given);
      await setImmediate();
      return exchange;
    },
    contract,
    seed: 'clinic',
    signal: stop.signal,
    include: ['getMe', 'putMe'],
    concurrency: 1,
  };
  const titles: string[] = [];
  for await (const event of runCheck(options)) {
    if (event.type !== 'exchange-recorded') continue;
    titles.push(`${event.case.phase}: ${event.case.title}`);
    if (event.case.title === 'theme of the record is changed') stop.abort();
  }
  expect(titles).not.toContain('sequence: what was there before is put back');
  expect(titles.at(-1)).toBe('cleanup: what was there before is put back');
  expect(clinic.me).toMatchObject({ name: 'Alex', theme: 'light' });
});
