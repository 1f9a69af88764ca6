import { createServer } from 'node:net';
import { codeOf, VouchError } from '../../errors.ts';
import { openStore } from '../../library/open-store.ts';
import type { Diagnosis, Patient } from './examination.ts';
import { isAtLeast } from './version-of.ts';
import { defined } from '../../json/defined.ts';

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
