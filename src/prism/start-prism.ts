import { VouchError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { defaultLimits, type PrismLimits } from './child-messages.ts';
import { findPrism, requireNode, resolveFrom } from './find-prism.ts';
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
 * Formats the document as JSON. Refuses any `$ref` except `#/…`, because Prism would fetch it from
 * disk or network.
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

/** Formats a host for a URL; a wildcard address becomes the loopback one. */
function addressOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
