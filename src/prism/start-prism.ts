import { VouchError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { defaultLimits, type PrismLimits } from './child-messages.ts';
import { findPrism, requireNode, resolveFrom } from './find-prism.ts';
import { type Front, type FrontOptions, openFront } from './front.ts';
import { normalizeBasePath } from './read-target.ts';
import { type PrismEvent, Supervisor } from './supervisor.ts';

export type { PrismEvent } from './supervisor.ts';
export type { PrismLimits } from './child-messages.ts';

/** What Prism is to serve, and where. */
export interface PrismOptions {
  /** An OpenAPI document with no `$ref` to outside of itself. */
  readonly document: JsonObject;
  /** 0 for any. One that is taken gives way to the next free one: read `port` of the result. */
  readonly port: number;
  /** 127.0.0.1 unless given. */
  readonly host?: string;
  /**
   * Such as `/v1`: Prism knows no base path, so it is taken off here, and what is outside it is
   * answered with 404.
   */
  readonly basePath?: string;
  /**
   * The user's project: Prism is looked for here when it is not installed beside vouch. The current
   * directory unless given.
   */
  readonly folder?: string;
  readonly limits?: Partial<PrismLimits>;
  readonly onEvent?: (event: PrismEvent) => void;
}

/** A Prism that serves, and is started again where it dies. */
export interface PrismProcess {
  /** The base URL, with the base path and no slash at its end. */
  readonly url: string;
  readonly port: number;
  /** How often the child was started again, up to now. */
  readonly restarts: number;
  /** Frees the port and ends the child. Always resolves, and may be called again. */
  close(): Promise<void>;
}

/**
 * Starts Stoplight Prism on a document: Prism's core in a child process of its own, which can
 * freeze or die without harm and is started again, behind a small server here that answers in time
 * whatever the child does. Rejects with `prism-missing` where Prism is not installed,
 * `prism-failed` where it cannot run, `contract-reference` where the document has a `$ref` to
 * outside of itself, and `port-taken` where no port is free.
 */
export async function startPrism(options: PrismOptions): Promise<PrismProcess> {
  const limits = { ...defaultLimits, ...options.limits };
  requireNode(process.versions.node);
  const packages = findPrism(resolveFrom(options.folder ?? process.cwd()));
  const document = writeDocument(options.document);
  const program = { packages, document, beatMillis: limits.beatMillis };
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
 * The document as JSON text. Prism would fetch what a `$ref` names, from the disk or the network,
 * so only `#/…` may stand.
 */
function writeDocument(document: JsonObject): string {
  return JSON.stringify(document, (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string' && !value.startsWith('#')) {
      throw new VouchError(
        'contract-reference',
        `The document for Prism refers to "${value}", and Prism would fetch that.`,
        {
          hint: 'Bundle the contract into one document first.',
        },
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

/** A host as a URL writes it; one that means every address becomes the loopback one. */
function addressOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
