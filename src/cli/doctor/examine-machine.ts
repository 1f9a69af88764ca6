import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { codeOf, formatPlace, VouchError } from '../../errors.ts';
import { defined } from '../../json/defined.ts';
import { openStore } from '../../library/open-store.ts';
import { stateFolder } from '../../library/state/state-folder.ts';
import { lintContract } from '../../lint/lint-contract.ts';
import { countOf, countsOf } from '../../text/counts.ts';
import { findDocuments } from '../init/find-documents.ts';
import type { Diagnosis, Patient } from './examination.ts';

/** The oldest Node that vouch runs on, and that its optional peer runs on. */
const neededNode = '22.19';
const neededByPrism = '24.18';

/** Whether this Node can run vouch. */
export function examineNode({ nodeVersion }: Patient): Diagnosis[] {
  if (isAtLeast(nodeVersion, neededNode)) return [{ level: 'ok', text: nodeVersion }];
  return [
    {
      level: 'fail',
      text: `${nodeVersion} is too old: vouch needs ${neededNode} or newer`,
      hint: 'Install Node 24: https://nodejs.org',
    },
  ];
}

/** Whether the mock would have the port that it tries first. */
export async function examinePort({ io, config }: Patient): Promise<Diagnosis[]> {
  const configured = config instanceof Error ? undefined : config.mock.port;
  const port = Number(io.env['VOUCH_PORT'] ?? configured ?? 4010);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    return [
      {
        level: 'fail',
        text: `VOUCH_PORT is ${String(io.env['VOUCH_PORT'])}, which is no port`,
        hint: 'Set it to a number from 0 to 65535.',
      },
    ];
  const trouble = await tryPort(port);
  if (trouble === undefined)
    return [{ level: 'ok', text: port === 0 ? 'any free one' : `${String(port)} is free` }];
  if (trouble === 'EADDRINUSE')
    return [
      {
        level: 'warn',
        text: `${String(port)} is taken; vouch mock takes the next free one and says so`,
        hint: 'Name another with --port, or stop what listens there.',
      },
    ];
  return [
    {
      level: 'fail',
      text: `${String(port)} cannot be listened on (${trouble})`,
      hint: 'Name a port above 1023 with --port.',
    },
  ];
}

function tryPort(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(codeOf(error) ?? error.message));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
}

/** Stoplight Prism is there for those who want it beside the mock. */
export function examinePrism({ nodeVersion }: Patient): Diagnosis[] {
  if (!isInstalled('@stoplight/prism-http'))
    return [
      {
        level: 'ok',
        text: 'not installed; only --prism and vouch start need it',
        hint: 'npm install --save-dev @stoplight/prism-core@5.16.0 @stoplight/prism-http@5.16.0',
      },
    ];
  if (isAtLeast(nodeVersion, neededByPrism)) return [{ level: 'ok', text: 'installed' }];
  return [
    {
      level: 'warn',
      text: `installed, and needs Node ${neededByPrism} or newer`,
      hint: 'Leave --prism out, or install Node 24.',
    },
  ];
}

/** Whether the Redis that the configuration or the environment names can be used. */
export async function examineStore({ io, config }: Patient): Promise<Diagnosis[]> {
  const store = io.env['VOUCH_STORE'] ?? (config instanceof Error ? undefined : config.mock.store);
  if (store === undefined || store === '')
    return [
      {
        level: 'ok',
        text: `none is configured${isInstalled('redis') ? '' : ', and the package redis is not installed'}; records are in memory, or in a file`,
      },
    ];
  try {
    const opened = await openStore({ store }, { mock: {} }, 'vouch doctor');
    await opened.store.close();
    return [{ level: 'ok', text: `${opened.place ?? store} answers` }];
  } catch (error) {
    const hint = error instanceof VouchError ? error.hint : undefined;
    return [
      {
        level: 'fail',
        text: error instanceof Error ? error.message : String(error),
        ...defined({ hint }),
      },
    ];
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
  const [given, wanted] = [version, least].map((text) =>
    text
      .replace(/^v/, '')
      .split('.')
      .map((part) => Number.parseInt(part, 10)),
  );
  for (const [index, number] of (wanted ?? []).entries()) {
    const own = given?.[index] ?? 0;
    if (own !== number) return own > number;
  }
  return true;
}

/** Whether the configuration can be read. */
export function examineConfig({ config, folder }: Patient): Diagnosis[] {
  if (config instanceof Error) return [unreadable(config)];
  if (config.file === undefined)
    return [
      {
        level: 'ok',
        text: 'there is none, and none is needed',
        hint: 'Write one with vouch init.',
      },
    ];
  return [{ level: 'ok', text: relative(folder, config.file) }];
}

/** Whether the document can be read, and what the lint says of it. */
export async function examineContract({ contract, config, folder }: Patient): Promise<Diagnosis[]> {
  if (config instanceof Error)
    return [
      { level: 'warn', text: 'not looked at, because the configuration says which one it is' },
    ];
  if (contract instanceof Error) return [unreadable(contract)];
  const isBundled = config.contract === undefined && (config.documents ?? []).length === 0;
  const read = `${isBundled ? 'the one that comes with vouch, ' : ''}${contract.file}: ${contract.title} ${contract.version}, ${countOf(contract.operations.length, 'operation')}`;
  try {
    const { counts } = await lintContract(contract.file);
    // A sound document of another house style has dozens, and is served and checked like any other.
    if (counts.error > 0)
      return [
        {
          level: 'warn',
          text: `${read}; the lint has ${countsOf([[counts.error, 'error']])}`,
          hint: 'vouch mock and vouch check take it as it stands, mistakes included; vouch start does not. See them with vouch lint.',
        },
      ];
    return [
      {
        level: 'ok',
        text: `${read}; the lint has ${countsOf([
          [counts.warning, 'warning'],
          [counts.note, 'note'],
        ])}`,
        ...(isBundled ? await ownDocument(folder) : {}),
      },
    ];
  } catch (error) {
    return [unreadable(error)];
  }
}

/** A document that lies here and that no configuration names is probably the one that is meant. */
async function ownDocument(folder: string): Promise<Pick<Diagnosis, 'hint'>> {
  const [first] = await findDocuments(folder);
  return first === undefined
    ? {}
    : { hint: `${first} is here: take it for good with vouch init, or once by its name.` };
}

/** What runs leave for `vouch replay` and `vouch cleanup` has to be written somewhere. */
export async function examineState({ io, platform }: Patient): Promise<Diagnosis[]> {
  const folder = stateFolder(io.env, platform);
  const lost = 'vouch replay and vouch cleanup will know nothing of runs on this machine';
  if (folder === undefined)
    return [
      {
        level: 'warn',
        text: `there is none: ${lost}`,
        hint: 'Name a folder: export VOUCH_STATE_DIR=~/.vouch',
      },
    ];
  const probe = join(folder, `doctor-${String(process.pid)}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
    return [{ level: 'ok', text: folder }];
  } catch (error) {
    return [
      {
        level: 'warn',
        text: `${folder} cannot be written to (${codeOf(error) ?? String(error)}): ${lost}`,
        hint: 'Let it be written to, or name another folder: export VOUCH_STATE_DIR=~/.vouch',
      },
    ];
  }
}

/** A file that cannot be used, in one sentence with its place. */
function unreadable(error: unknown): Diagnosis {
  if (!(error instanceof VouchError))
    return { level: 'fail', text: error instanceof Error ? error.message : String(error) };
  const place = error.place === undefined ? '' : ` (${formatPlace(error.place)})`;
  return {
    level: 'fail',
    text: `${error.message}${place}`,
    ...defined({ hint: error.hint }),
  };
}
