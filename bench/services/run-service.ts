import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Api } from './api.ts';
import { checkService, type CheckRun } from './check-service.ts';
import { compareCensus, type CensusDifference } from './compare-census.ts';
import { findFreePorts } from './free-ports.ts';
import { install, servicesFolder } from './install/install.ts';
import { matchLeft, type NamedRecords } from './match-left.ts';
import type { CensusRecord, Place, Service } from './service.ts';
import { startService, type RunningService } from './start-service.ts';
import { traceRequests, type TracedRequest } from './trace-requests.ts';

/** How services are checked. */
export interface RunOptions {
  readonly mode: string;
  /** Keep the data folder of the service and the files of the run. */
  readonly keep: boolean;
  /**
   * Take a census after each request that is not safe, and say which of them changed records of
   * others.
   */
  readonly trace: boolean;
  /** Tell vouch identifiers of records of others. */
  readonly examples: boolean;
  readonly flags: readonly string[];
  readonly say: (line: string) => void;
}

/** What came of one service. */
export interface ServiceResult extends CensusDifference, NamedRecords {
  readonly service: string;
  readonly title: string;
  readonly version: string;
  /** How many records of each kind others had. */
  readonly before: Readonly<Record<string, number>>;
  readonly run: CheckRun;
  /**
   * The process of the service had ended after the run; it was started again with the same data.
   */
  readonly ended: boolean;
  /** Why the service could not be read afterwards; all its records count as gone then. */
  readonly unreadable?: string;
  /** With `trace`: the requests that changed records of others. */
  readonly traced: readonly TracedRequest[];
}

const limitSeconds = 1_800;

/**
 * Installs a service, starts it with new data, seeds it, checks it with vouch, and says what that
 * did to the records of others.
 */
export async function runService(service: Service, options: RunOptions): Promise<ServiceResult> {
  const { say } = options;
  say(`${service.title}: installation`);
  const installed = await install(service.name, service.install);
  const place = await placeFor(service, installed);
  const running = await startService(service, place);
  try {
    await service.seed(running.api);
    const before = await service.census(running.api);
    const document = await service.document(place, running.api);
    say(`${service.title}: ${String(before.length)} records of others, vouch check`);
    return await checkBetween(service, { ...options, running, before, document, place });
  } finally {
    await running.stop();
    if (!options.keep) rmSync(place.data, { recursive: true, force: true });
  }
}

async function placeFor({ name }: Service, installed: string): Promise<Place> {
  const data = join(servicesFolder, 'runs', name);
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  return { installed, data, ports: await findFreePorts() };
}

interface Prepared extends RunOptions {
  readonly running: RunningService;
  readonly before: readonly CensusRecord[];
  readonly document: string;
  readonly place: Place;
}

async function checkBetween(
  service: Service,
  { running, before, document, place, mode, trace, examples, flags }: Prepared,
): Promise<ServiceResult> {
  const { api } = running;
  const tracer = trace ? await traceRequests(service, api, before) : undefined;
  try {
    const folder = join(place.data, 'vouch');
    mkdirSync(folder, { recursive: true });
    const url = (tracer?.origin ?? api.origin) + service.basePath;
    const { token } = service.auth;
    const known = examples ? service.examples : undefined;
    const run = await checkService({
      url,
      document,
      mode,
      folder,
      limitSeconds,
      flags,
      ...(token === undefined ? {} : { token }),
      ...(known === undefined ? {} : { examples: known }),
    });
    const after = running.isRunning() ? await read(service, api) : await readAgain(service, place);
    return { ...judge(service, before, after, run), traced: tracer?.requests() ?? [] };
  } finally {
    await tracer?.close();
  }
}

interface Reading {
  readonly records: readonly CensusRecord[];
  readonly ended: boolean;
  readonly unreadable?: string;
}

async function read(service: Service, api: Api): Promise<Reading> {
  try {
    return { ended: false, records: await service.census(api) };
  } catch (error) {
    return { ended: false, records: [], unreadable: messageOf(error) };
  }
}

/**
 * Reads a service whose process has ended: what it keeps on disk is still there when it starts
 * again.
 */
async function readAgain(service: Service, place: Place): Promise<Reading> {
  let running: RunningService | undefined;
  try {
    running = await startService(service, place);
    return { ...(await read(service, running.api)), ended: true };
  } catch (error) {
    return { ended: true, records: [], unreadable: messageOf(error) };
  } finally {
    await running?.stop();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function judge(
  { name, title, version, kinds }: Service,
  before: readonly CensusRecord[],
  { records, ended, unreadable }: Reading,
  run: CheckRun,
): Omit<ServiceResult, 'traced'> {
  const difference = compareCensus(before, records, kinds);
  const operations = run.report?.summary.operations ?? [];
  const counts = Object.fromEntries(
    [...Map.groupBy(before, ({ kind }) => kind)].map(([kind, those]) => [kind, those.length]),
  );
  return {
    service: name,
    title,
    version,
    before: counts,
    run,
    ended,
    ...difference,
    ...matchLeft(difference.left, run.report?.left ?? [], { kinds, operations }),
    ...(unreadable === undefined ? {} : { unreadable }),
  };
}
