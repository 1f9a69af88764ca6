import { join } from 'node:path';
import { publishedPackage } from '../../measure/published.ts';
import { programHere } from '../../measure/server-process.ts';
import { findFreePort, startProgram } from '../../measure/start-program.ts';
import type { ServerProcess } from '../../measure/server-process.ts';
import { installRival } from '../../rivals/install.ts';
import { rivalNamed, versionOf, type RivalName } from '../../rivals/pinned.ts';
import { petStore, writeRivalFiles, type RivalFiles } from './files.ts';

/**
 * Where a rival is installed, what runs it, where it is to listen, which contract it serves and
 * which files it reads.
 */
interface Place {
  readonly folder: string;
  readonly node: string;
  readonly port: string;
  readonly contract: string;
  /** The base path of the contract's server. */
  readonly basePath: string;
  readonly files: RivalFiles;
}

/** One way of serving the Pet Store that is measured. */
export interface MockRival {
  readonly title: string;
  /** What has to be installed; vouch itself has nothing. */
  readonly package?: RivalName;
  /** Whether it is made from the contract: then other contracts can be given to it. */
  readonly readsContract: boolean;
  /** What stands before the contract's paths. */
  readonly base: '' | '/v1';
  /** The query of a page of twenty in its own words, where those are not the contract's. */
  readonly page?: string;
  /** Program and arguments. */
  command(place: Place): readonly string[];
}

/** A rival that runs, or why it does not. */
export type Start =
  | { readonly kind: 'running'; readonly server: ServerProcess }
  | { readonly kind: 'failed'; readonly reason: string };

/** The key that every mock of these benchmarks lets in. */
export const key: Readonly<Record<string, string>> = { Authorization: 'Bearer demo-key' };

export const vouchTitle = 'vouch';

const own =
  (file: string, withRecords = true) =>
  ({ folder, node, port, contract, basePath, files }: Place): readonly string[] => [
    node,
    programHere(`mock/rivals/programs/${file}`),
    folder,
    port,
    contract,
    basePath,
    ...(withRecords && contract === petStore ? [files.records] : []),
  ];
const prism =
  (...more: readonly string[]) =>
  ({ folder, node, port, contract }: Place): readonly string[] => [
    node,
    join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js'),
    'mock',
    contract,
    '-p',
    port,
    '-h',
    '127.0.0.1',
    '-v',
    'silent',
    ...more,
  ];

/**
 * Every rival, each as its own documentation starts it, with nothing printed for each request;
 * Mockoon has no switch for that.
 */
export const mockRivals: readonly MockRival[] = [
  {
    title: vouchTitle,
    readsContract: true,
    base: '/v1',
    command: ({ port, contract }) => [
      process.execPath,
      join(publishedPackage(), 'bin/vouch.js'),
      'mock',
      ...(contract === petStore ? ['--demo'] : [contract, '--auth', 'off']),
      '--port',
      port,
      '--quiet',
    ],
  },
  {
    title: 'Express, res.json',
    package: 'express',
    readsContract: false,
    base: '/v1',
    command: own('express-json.ts'),
  },
  {
    title: 'Express with Ajv, by hand',
    package: 'express',
    readsContract: false,
    base: '/v1',
    command: own('express-ajv.ts'),
  },
  {
    title: 'openapi-backend',
    package: 'openapi-backend',
    readsContract: true,
    base: '/v1',
    command: own('openapi-backend.ts'),
  },
  {
    title: 'express-openapi-validator',
    package: 'express-openapi-validator',
    readsContract: true,
    base: '/v1',
    command: own('express-openapi-validator.ts'),
  },
  {
    title: '@scalar/mock-server',
    package: 'scalar',
    readsContract: true,
    base: '',
    command: own('scalar.ts', false),
  },
  { title: 'Prism, static', package: 'prism', readsContract: true, base: '', command: prism() },
  {
    title: 'Prism, dynamic',
    package: 'prism',
    readsContract: true,
    base: '',
    command: prism('-d'),
  },
  {
    title: 'Mockoon, CRUD',
    package: 'mockoon',
    readsContract: true,
    base: '/v1',
    command: ({ folder, node, port, contract, files }) => [
      node,
      join(folder, 'node_modules/@mockoon/cli/bin/run.js'),
      'start',
      '--data',
      contract === petStore ? files.mockoon(folder) : contract,
      '--port',
      port,
      '--hostname',
      '127.0.0.1',
      '--disable-log-to-file',
      '--disable-admin-api',
    ],
  },
  {
    title: 'json-server',
    package: 'json-server',
    readsContract: false,
    base: '',
    page: '_limit=20',
    command: ({ folder, node, port, files }) => [
      node,
      join(folder, 'node_modules/json-server/lib/cli/bin.js'),
      files.jsonServer,
      '--port',
      port,
      '--host',
      '127.0.0.1',
      '--quiet',
    ],
  },
  {
    title: 'WireMock, stubs',
    package: 'wiremock',
    readsContract: false,
    base: '/v1',
    command: ({ folder, node, port, files }) => [
      node,
      '-jar',
      join(
        folder,
        `node_modules/wiremock/build/wiremock-standalone-${versionOf(rivalNamed('wiremock'))}.jar`,
      ),
      '--port',
      port,
      '--bind-address',
      '127.0.0.1',
      '--root-dir',
      files.wiremock,
      '--no-request-journal',
      '--disable-banner',
    ],
  },
];

/** The version of a rival as a table gives it; vouch's is that of the machine's line. */
export function versionOfRival({ package: name }: MockRival): string {
  return name === undefined ? '' : versionOf(rivalNamed(name));
}

/** What is to be served, and where it is asked whether it is ready. */
export interface Served {
  readonly contract: string;
  /** The base path of the contract's server. */
  readonly basePath: string;
  readonly readyPath: string;
  readonly withinMs: number;
}

let files: RivalFiles | undefined;

/**
 * Installs a rival where it is not there yet, and starts it with the Pet Store, or with another
 * contract. Never throws.
 */
export async function startRival(
  rival: MockRival,
  { contract, basePath, readyPath, withinMs }: Served = {
    contract: petStore,
    basePath: '/v1',
    readyPath: `${rival.base}/pets`,
    withinMs: 60_000,
  },
): Promise<Start> {
  const installed =
    rival.package === undefined
      ? { kind: 'installed' as const, folder: '', node: process.execPath }
      : await installRival(rival.package);
  if (installed.kind === 'missing')
    return { kind: 'failed', reason: `not installed: ${installed.reason}` };
  files ??= writeRivalFiles();
  const port = await findFreePort();
  try {
    const [program = '', ...args] = rival.command({
      ...installed,
      port: String(port),
      contract,
      basePath,
      files,
    });
    return {
      kind: 'running',
      server: await startProgram({ program, args, port, readyPath, headers: key, withinMs }),
    };
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}
