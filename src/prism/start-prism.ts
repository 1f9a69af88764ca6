import { createRequire } from 'node:module';
import { join } from 'node:path';
import { VouchError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { defaultLimits, type PrismLimits, type PrismPackages } from './child-messages.ts';
import { type Front, type FrontOptions, openFront, normalizeBasePath } from './front.ts';
import { type PrismEvent, Supervisor } from './supervisor.ts';

export type { PrismEvent } from './supervisor.ts';
export type { PrismLimits } from './child-messages.ts';

/** The document that Prism serves, and its address. */
export interface PrismOptions {
  /** An OpenAPI document without external `$ref`. */
  readonly document: JsonObject;
  /** The port; 0 for any. If it is taken, the next free one is used: read `port` of the result. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /**
   * Such as `/v1`. Prism does not support base paths, so it is removed here; paths outside it get
   * 404.
   */
  readonly basePath?: string;
  /** Generates every answer, as `prism mock --dynamic` does. Default false. */
  readonly dynamic?: boolean;
  /**
   * The user's project, where Prism is searched for if it is not installed beside vouch. Default:
   * the current folder.
   */
  readonly folder?: string;
  readonly limits?: Partial<PrismLimits>;
  readonly onEvent?: (event: PrismEvent) => void;
}

/** A running Prism, which is restarted if it dies. */
export interface PrismProcess {
  /** The base URL with the base path, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** The number of restarts of the child so far. */
  readonly restarts: number;
  /** Frees the port and ends the child. Always resolves, and may be called again. */
  close(): Promise<void>;
}

/**
 * Starts Stoplight Prism on a document: Prism's core in a supervised child process, behind a small
 * server in this process that always answers in time. A child that hangs or exits is restarted.
 * Rejects with `prism-missing` if Prism is not installed, `prism-failed` if it cannot run,
 * `contract-reference` if the document has a `$ref` to another one, and `port-taken` if no port is
 * free.
 */
export async function startPrism(options: PrismOptions): Promise<PrismProcess> {
  const limits = { ...defaultLimits, ...options.limits };
  requireNode(process.versions.node);
  const packages = findPrism(resolveFrom(options.folder ?? process.cwd()));
  const document = writeDocument(options.document);
  const { dynamic = false } = options;
  const program = { packages, document, dynamic, beatMillis: limits.beatMillis };
  const supervisor = new Supervisor({ program, limits, onEvent: options.onEvent ?? ignore });
  await supervisor.start();
  const front = {
    host: options.host ?? '127.0.0.1',
    port: options.port,
    basePath: normalizeBasePath(options.basePath ?? ''),
  };
  return describeProcess(front, await openOrClose(front, supervisor), supervisor);
}

function ignore(): void {}

/**
 * Formats the document as JSON. Refuses any `$ref` except `#/…`, because Prism would fetch it from
 * disk or network.
 */
function writeDocument(document: JsonObject): string {
  return JSON.stringify(document, (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string' && !value.startsWith('#')) {
      throw new VouchError(
        'contract-reference',
        `The document for Prism refers to "${value}", and Prism would fetch that.`,
        { hint: 'Bundle the contract into one document first.' },
      );
    }
    return typeof value === 'bigint' ? Number(value) : value;
  });
}

async function openOrClose(options: FrontOptions, supervisor: Supervisor): Promise<Front> {
  try {
    return await openFront(options, (request) => supervisor.ask(request));
  } catch (error) {
    await supervisor.close();
    throw error;
  }
}

function describeProcess(
  { host, basePath }: FrontOptions,
  front: Front,
  supervisor: Supervisor,
): PrismProcess {
  let closed: Promise<unknown> | undefined;
  return {
    url: `http://${addressOf(host)}:${front.port}${basePath}`,
    port: front.port,
    get restarts() {
      return supervisor.restarts;
    },
    async close() {
      closed ??= Promise.all([front.close(), supervisor.close()]);
      await closed;
    },
  };
}

/** Formats a host for a URL; a wildcard address becomes the loopback one. */
function addressOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Resolves a package name to its entry file like `require.resolve`; throws if the package is
 * missing.
 */
export type Resolve = (name: string) => string;

/** The lowest Node version that Prism 5.16 supports (its `engines`). */
const neededNode = [24, 18, 0] as const;

/** Throws `prism-failed` if this Node version, such as `24.21.0`, is too old for Prism 5.16. */
export function requireNode(version: string): void {
  const parts = version.split('.').map(Number);
  const different = neededNode.findIndex((part, index) => parts[index] !== part);
  if (different === -1 || (parts[different] ?? 0) > (neededNode[different] ?? 0)) return;
  throw new VouchError(
    'prism-failed',
    `Prism 5.16 needs Node 24.18 or newer, and this is Node ${version}.`,
    { hint: 'Run vouch on Node 24.18 or newer, or leave Prism out.' },
  );
}

/** Finds Prism's core without loading it; throws `prism-missing` if it is not installed. */
export function findPrism(resolve: Resolve): PrismPackages {
  try {
    return { http: resolve('@stoplight/prism-http'), core: resolve('@stoplight/prism-core') };
  } catch (cause) {
    throw new VouchError(
      'prism-missing',
      'Prism is not installed: vouch does not bring it along, because it takes 66 MB.',
      {
        hint: 'npm install --save-dev @stoplight/prism-http@5.16.0 @stoplight/prism-core@5.16.0',
        cause,
      },
    );
  }
}

/**
 * Resolves packages beside vouch, then in the folder of the project, so that vouch under npx finds
 * the Prism of the project.
 */
export function resolveFrom(folder: string): Resolve {
  const own = createRequire(import.meta.url);
  const project = createRequire(join(folder, 'package.json'));
  return (name) => {
    try {
      return own.resolve(name);
    } catch {
      return project.resolve(name);
    }
  };
}
