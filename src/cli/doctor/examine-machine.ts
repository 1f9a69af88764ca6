import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { codeOf, formatPlace, VouchError } from '../../errors.ts';
import { openStore } from '../../library/open-store.ts';
import { stateFolder } from '../../library/state/run-memory.ts';
import { lintContract } from '../../lint/lint-contract.ts';
import { countOf, countsOf } from '../../text/counts.ts';
import type { Config } from '../../config/config.ts';
import type { Contract } from '../../contract/model.ts';
import { type ContractFlags, loadAgain } from '../find-contract.ts';
import type { Io } from '../io.ts';

/** The oldest Node version that vouch supports, and the oldest one that Prism supports. */
const neededNode = '22.19';
const neededByPrism = '24.18';

/** Whether this Node can run vouch. */
export function examineNode({ nodeVersion }: DoctorInput): Diagnosis[] {
  if (isAtLeast(nodeVersion, neededNode)) return one('ok', nodeVersion);
  return one(
    'fail',
    `${nodeVersion} is too old: vouch needs ${neededNode} or newer`,
    'Install Node 24: https://nodejs.org',
  );
}

/** Whether the first port that the mock tries is free. */
export async function examinePort({ io, config }: DoctorInput): Promise<Diagnosis[]> {
  const configured = config instanceof Error ? undefined : config.mock.port;
  const port = Number(io.env['VOUCH_PORT'] ?? configured ?? 4010);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    return one(
      'fail',
      `VOUCH_PORT is ${String(io.env['VOUCH_PORT'])}, which is not a port number`,
      'Set it to an integer from 0 to 65535.',
    );
  const trouble = await tryPort(port);
  if (trouble === undefined)
    return one('ok', port === 0 ? 'any free port' : `${String(port)} is free`);
  if (trouble === 'EADDRINUSE')
    return one(
      'warn',
      `${String(port)} is in use; vouch mock will use the next free port`,
      'Choose another port with --port, or stop the process on this one.',
    );
  return one(
    'fail',
    `cannot listen on ${String(port)} (${trouble})`,
    'Choose a port above 1023 with --port.',
  );
}

function tryPort(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(codeOf(error) ?? error.message));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
}

/** Whether Stoplight Prism, an optional peer, is installed and runs on this Node. */
export function examinePrism({ nodeVersion }: DoctorInput): Diagnosis[] {
  if (!isInstalled('@stoplight/prism-http'))
    return one(
      'ok',
      'not installed; needed only by --prism and vouch start',
      'npm install --save-dev @stoplight/prism-core@5.16.0 @stoplight/prism-http@5.16.0',
    );
  if (isAtLeast(nodeVersion, neededByPrism)) return one('ok', 'installed');
  return one(
    'warn',
    `installed, but needs Node ${neededByPrism} or newer`,
    'Run without --prism, or install Node 24.',
  );
}

/** Whether the Redis that the configuration or the environment names can be used. */
export async function examineStore({ io, config }: DoctorInput): Promise<Diagnosis[]> {
  const store = io.env['VOUCH_STORE'] ?? (config instanceof Error ? undefined : config.mock.store);
  if (store === undefined || store === '') {
    const missing = isInstalled('redis') ? '' : ', and the package redis is not installed';
    const text = `not configured${missing}; records are kept in memory or in a file`;
    return one('ok', text);
  }
  try {
    const opened = await openStore({ store }, { mock: {} }, 'vouch doctor');
    await opened.store.close();
    return one('ok', `${opened.place ?? store} responds`);
  } catch (error) {
    const hint = error instanceof VouchError ? error.hint : undefined;
    return one('fail', error instanceof Error ? error.message : String(error), hint);
  }
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Whether a version such as `24.21.0` is at least another one such as `22.19`. */
function isAtLeast(version: string, least: string): boolean {
  return version.replace(/^v/, '').localeCompare(least, 'en', { numeric: true }) >= 0;
}

/** Whether the configuration can be read. */
export function examineConfig({ config, folder }: DoctorInput): Diagnosis[] {
  if (config instanceof Error) return [unreadable(config)];
  if (config.file === undefined)
    return one('ok', 'none; vouch works without one', 'Create one with vouch init.');
  return one('ok', relative(folder, config.file));
}

/** Whether the document can be read, and how many problems the lint finds. */
export async function examineContract({
  contract,
  config,
  flags,
}: DoctorInput): Promise<Diagnosis[]> {
  if (config instanceof Error)
    return one('warn', 'not checked: the configuration that names it cannot be read');
  if (contract instanceof Error) return [unreadable(contract)];
  const read =
    `${contract.file}: ` +
    `${contract.title} ${contract.version}, ` +
    countOf(contract.operations.length, 'operation');
  try {
    const { counts } = await lintContract(
      contract.source ?? contract.file,
      loadAgain(contract, flags),
    );
    // A valid document in another style has dozens of warnings; it can be served and checked all
    // the same.
    if (counts.error > 0)
      return one(
        'warn',
        `${read}; lint: ${countsOf([[counts.error, 'error']])}`,
        'vouch mock and vouch check still work with it; vouch start refuses it. ' +
          'List the errors with vouch lint.',
      );
    return one(
      'ok',
      `${read}; lint: ${countsOf([
        [counts.warning, 'warning'],
        [counts.note, 'note'],
      ])}`,
    );
  } catch (error) {
    return [unreadable(error)];
  }
}

/** Whether the folder that stores runs for `vouch replay` and `vouch cleanup` is writable. */
export async function examineState({ io, platform }: DoctorInput): Promise<Diagnosis[]> {
  const folder = stateFolder(io.env, platform);
  const lost = 'vouch replay and vouch cleanup will not find runs of this machine';
  if (folder === undefined)
    return one('warn', `none: ${lost}`, 'Set one: export VOUCH_STATE_DIR=~/.vouch');
  const probe = join(folder, `doctor-${String(process.pid)}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
    return one('ok', folder);
  } catch (error) {
    return one(
      'warn',
      `${folder} is not writable (${codeOf(error) ?? String(error)}): ${lost}`,
      'Make it writable, or set another folder: export VOUCH_STATE_DIR=~/.vouch',
    );
  }
}

/** A diagnosis alone. */
export function one(level: Diagnosis['level'], text: string, hint?: string): Diagnosis[] {
  return [{ level, text, hint }];
}

/** An unusable file, in one sentence with its location. */
function unreadable(error: unknown): Diagnosis {
  if (!(error instanceof VouchError))
    return { level: 'fail', text: error instanceof Error ? error.message : String(error) };
  const place = error.place === undefined ? '' : ` (${formatPlace(error.place)})`;
  return {
    // Without a document here, every command still takes one as an argument.
    level: error.code === 'usage' ? 'warn' : 'fail',
    text: `${error.message.replaceAll(/\n\s*/g, ' ')}${place}`,
    hint: error.hint,
  };
}

/** The result of one examination: `warn` blocks optional features, `fail` blocks vouch itself. */
export interface Diagnosis {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** What to do about it. */
  readonly hint?: string | undefined;
}

/** What examinations look at. */
export interface DoctorInput {
  readonly io: Io;
  /** How the contract is read. */
  readonly flags: ContractFlags;
  /** The folder in which commands run. */
  readonly folder: string;
  readonly nodeVersion: string;
  readonly platform: string;
  /** The configuration, or the error of reading it. */
  readonly config: Config | Error;
  /** The contract that commands would use, or the error of reading it. */
  readonly contract: Contract | Error;
  /** The named target or loopback URL; undefined for every target of the configuration. */
  readonly target: string | undefined;
}

/** One thing that `vouch doctor` looks at. It reports problems and never throws for them. */
export interface Examination {
  readonly name: string;
  examine(patient: DoctorInput): Promise<readonly Diagnosis[]> | readonly Diagnosis[];
}
