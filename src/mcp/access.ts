import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type Config, configFileNames } from '../config/config.ts';
import { isInside } from '../contract/load/readable-folders.ts';
import { isAddress, shownSource } from '../contract/load/source.ts';
import { VouchError } from '../errors.ts';
import { hostOf, isLoopbackHost } from '../http/host.ts';
import { findOnlyDocument } from '../library/find-documents.ts';
import { filesOf, readConfigOnce } from '../library/load-once.ts';

/** A target that the person who started the server named. */
export interface NamedTarget {
  /** As it was named: a base URL, or a target of the configuration. */
  readonly word: string;
  readonly url: string;
}

/** What the person who started the server allows. */
export interface AccessRules {
  /** Folders whose files may be read, besides the current one. */
  readonly roots: readonly string[];
  /** The configuration file, if the person named one. */
  readonly config: string | undefined;
  readonly targets: readonly NamedTarget[];
  /** Whether a check may change a service. */
  readonly allowWrites: boolean;
}

/** A document that may be read, and the folder that its references may not leave. */
export interface AllowedDocument {
  /** An absolute path; undefined for the document of the configuration or of the folder. */
  readonly contract: string | undefined;
  readonly root: string;
}

/** Decides which files the tools may read, and to which services they may send requests. */
export class Access {
  readonly #rules: AccessRules;

  constructor(rules: AccessRules) {
    this.#rules = rules;
  }

  /**
   * The document that a client names; by default, that of the configuration or of the current
   * folder. Throws a VouchError ('refused-for-safety') for a file outside the allowed folders, and
   * for a configuration that names one.
   */
  async document(named: string | undefined): Promise<AllowedDocument> {
    const config = await this.#confineConfig();
    if (named === undefined) {
      const isConfigured = config.contract !== undefined || config.documents !== undefined;
      if (!isConfigured) await this.#confine(await findOnlyDocument(process.cwd()));
      return { contract: undefined, root: process.cwd() };
    }
    if (/^[a-z][a-z0-9+.-]+:/i.test(named) && !isAbsolute(named))
      throw new VouchError('refused-for-safety', `${named} is not the path of a file.`, {
        hint: 'Documents are read from files, not from URLs. Pass a path.',
      });
    const root = await this.#confine(named);
    // A lint reads it too.
    await this.#confine(join(dirname(resolve(named)), 'redocly.yaml'));
    return { contract: resolve(named), root };
  }

  /**
   * The target that a client names: one that the person named, or a base URL on this machine.
   * Throws a VouchError ('refused-for-safety') for every other one.
   */
  target(written: string): { readonly url: string; readonly named: NamedTarget | undefined } {
    const given = written.replace(/\/+$/, '');
    const named = this.#rules.targets.find(({ word, url }) => word === given || url === given);
    if (named !== undefined) return { url: named.url, named };
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol))
      throw new VouchError('refused-for-safety', `${given} is not a target of this server.`, {
        hint: `Pass ${this.#known()}.`,
      });
    const around = this.#rules.targets.find((each) => isBelow(url, new URL(each.url)));
    if (around !== undefined && around.word === around.url) return { url: given, named: around };
    if (isLoopbackHost(hostOf(url))) return { url: given, named: undefined };
    throw new VouchError(
      'refused-for-safety',
      `${url.origin} is not on this machine, and the person who started vouch mcp did not name it.`,
      {
        hint: `Start it with vouch mcp --target ${url.origin}${url.pathname}, or use another one.`,
      },
    );
  }

  /** Throws a VouchError ('refused-for-safety') for a server that the target brings along. */
  refuseServers(servers: Readonly<Record<string, string>>): void {
    for (const url of Object.values(servers)) this.target(url);
  }

  /** Throws a VouchError ('refused-for-safety') for a mode that changes a service. */
  refuseWrites(mode: string): void {
    if (mode === 'read-only' || this.#rules.allowWrites) return;
    throw new VouchError(
      'refused-for-safety',
      `A ${mode} run changes the service, and the person who started vouch mcp did not allow that.`,
      { hint: 'Use mode read-only, or ask the person to start vouch mcp with --allow-writes.' },
    );
  }

  #known(): string {
    const words = this.#rules.targets.map(({ word }) => word);
    return ['a base URL on this machine', 'the id of a mock', ...words].join(', or ');
  }

  /** The configuration may come from the same place as the document. */
  async #confineConfig(): Promise<Config> {
    const { config: named } = this.#rules;
    if (named === undefined) for (const name of configFileNames) await this.#confine(name);
    const config = await readConfigOnce(process.cwd(), named);
    for (const path of pathsOf(config)) await this.#confine(path);
    for (const folder of foldersOf(config))
      for (const path of await filesOf(folder)) await this.#confine(path);
    return config;
  }

  /** The allowed folder that contains a path, symbolic links followed. */
  async #confine(path: string): Promise<string> {
    if (isAddress(path))
      throw new VouchError('refused-for-safety', `The configuration names ${shownSource(path)}.`, {
        hint: 'The tools read documents from files, not from URLs.',
      });
    const full = resolve(path);
    const roots = [process.cwd(), ...this.#rules.roots].map((root) => resolve(root));
    const root = roots.find((each) => isInside(full, each));
    const real = await realpath(full).catch(() => full);
    const realRoots = await Promise.all(roots.map((each) => realpath(each).catch(() => each)));
    if (root === undefined || !realRoots.some((each) => isInside(real, each)))
      throw new VouchError('refused-for-safety', `${path} is outside the allowed folders.`, {
        hint: 'Use a file below the current folder, or start vouch mcp with --root FOLDER.',
      });
    const stats = await stat(real).catch(() => undefined);
    if (stats !== undefined && !stats.isFile() && !stats.isDirectory())
      throw new VouchError('refused-for-safety', `${path} is not a file.`, {
        hint: 'Pass the path of an OpenAPI document.',
      });
    return root;
  }
}

/** Whether a URL is a base URL, or below it. */
function isBelow(url: URL, base: URL): boolean {
  const within = `${base.pathname.replace(/\/+$/, '')}/`;
  return url.origin === base.origin && `${url.pathname}/`.startsWith(within);
}

function pathsOf({ contract, overlays = [], documents = [] }: Config): string[] {
  return [
    ...(contract === undefined ? [] : [contract]),
    ...overlays,
    ...documents.flatMap((document) => [document.contract, ...(document.overlays ?? [])]),
  ];
}

function foldersOf({ mock, documents = [] }: Config): string[] {
  return [mock, ...documents].flatMap(({ fixtures, scenarios }) =>
    [fixtures, scenarios].filter((folder) => folder !== undefined),
  );
}
