import { readFile, stat } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { joinPointer } from '../../json/pointer.ts';
import type { ReadText } from '../locate.ts';
import type { Dialect } from '../model.ts';
import type { RepairedReference } from '../references/repair-references.ts';
import { type DocumentPart, mountedParts, mountPointer } from './mounted-parts.ts';
import type { LinkedDocument, UnresolvedReference } from '../references/link-documents.ts';
import { DocumentLinker } from '../references/link-documents.ts';
import { leadTo, meantByName, takeAnything } from '../references/repair-references.ts';
import type { RepairedText } from '../../json/repair-yaml.ts';
import { parseDocument } from './parse-document.ts';
import type { RequestHeaders } from './read-address.ts';
import { readDocument } from './read-document.ts';
import type { FactStatements } from '../words/state-facts.ts';
import type { FactFault } from '../words/stated-facts.ts';
import { ReadableFolders } from './readable-folders.ts';

/** How a contract is loaded. */
export interface LoadOptions {
  /**
   * Hosts (`schemas.example.com`, or with a port) from which referenced documents are fetched.
   * Default: none.
   */
  readonly allowRefHosts?: readonly string[] | undefined;
  /**
   * A folder whose files the contract may reference, besides those in its own folder. Default: its
   * repository.
   */
  readonly root?: string | undefined;
  /** Files with OpenAPI Overlays (1.0, 1.1), which are applied to the document in this order. */
  readonly overlays?: readonly string[] | undefined;
  /**
   * Header fields for the request of a document that is named by its URL; they go to its origin
   * alone, also with what it references there. Never shown.
   */
  readonly documentHeaders?: RequestHeaders | undefined;
  /** What the owner of the contract states beside the document. */
  readonly facts?: ConfiguredFacts | undefined;
}

/** Facts of a configuration, and how to report one that is wrong. */
export interface ConfiguredFacts {
  readonly statements: FactStatements;
  readonly fault: FactFault;
}

/** The contract's own document as it was read. */
export interface MainDocument {
  readonly file: string;
  /** The absolute path; for a document from the network, its address. */
  readonly path: string;
  /** Where a document from the network was read. */
  readonly url?: URL | undefined;
  /** The headers that may go to its origin. */
  readonly headers?: RequestHeaders | undefined;
  readonly text: ReadText;
  readonly value: JsonValue;
  readonly repaired?: RepairedText | undefined;
}

/** The documents that were read besides the contract's own document. */
export interface GatheredDocuments {
  /** Absolute paths, the contract's own first; also of files that do not exist. */
  readonly files: readonly string[];
  readonly parts: readonly DocumentPart[];
  /**
   * References that could not be resolved, by their places in the contract's own document; any
   * value is valid there.
   */
  readonly lost: readonly RepairedReference[];
}

/**
 * Reads every document that a contract references, mounts them in the contract's document under
 * `x-vouch-files`, and rewrites all references as pointers into it. A reference outside the allowed
 * folders and hosts, or to a missing place, is removed and reported: any value is valid there.
 * Throws a VouchError for a document that is neither YAML nor JSON.
 */
export async function gatherDocuments(
  main: MainDocument,
  options: LoadOptions,
): Promise<GatheredDocuments> {
  return new DocumentGatherer(main, options).gather();
}

const maxDocuments = 10_000;
const bundleHint = 'bundle the document first: npx @redocly/cli bundle FILE --output bundled.yaml';

class DocumentGatherer {
  readonly #main: MainDocument;
  readonly #hosts: ReadonlySet<string>;
  readonly #folder: string;
  readonly #folders: ReadableFolders;
  readonly #linker = new DocumentLinker();
  readonly #parts: DocumentPart[] = [];
  /** By resolved URI: symbolic links are followed. */
  readonly #known = new Map<string, LinkedDocument>();
  /** URIs that are already processed, as written. */
  readonly #followed = new Set<string>();
  /** Why a reference could not be resolved, by the URI of its target. */
  readonly #faults = new Map<string, ReferenceFault>();
  /** References that are read although most tools follow them on Windows only. */
  readonly #windowsPaths: RepairedReference[] = [];
  /** Referenced files that do not exist: the contract changes when they appear. */
  readonly #missing = new Set<string>();

  constructor(main: MainDocument, { allowRefHosts = [], root }: LoadOptions) {
    this.#main = main;
    this.#folder = dirname(main.path);
    this.#folders = new ReadableFolders(this.#folder, root);
    this.#hosts = new Set(allowRefHosts.map((host) => host.toLowerCase()));
  }

  async gather(): Promise<GatheredDocuments> {
    const { path, url, value } = this.#main;
    const { href: uri } = url ?? pathToFileURL(path);
    const open = this.#take({ uri, value, mount: '' });
    for (let reference = open.shift(); reference !== undefined; reference = open.shift())
      open.push(...(await this.#follow(reference)));
    const unresolved = this.#linker.rewrite().flatMap((each) => this.#repair(each));
    const lost = [...this.#windowsPaths, ...unresolved];
    // The document was parsed for this contract only.
    if (isJsonObject(value))
      (value as Record<string, JsonValue>)[mountedParts] = {
        ...(isJsonObject(value[mountedParts]) ? value[mountedParts] : {}),
        ...this.#mounted(),
      };
    const read = this.#parts.flatMap((part) => part.path ?? []);
    const files = [path, ...read, ...(await this.#readExamples()), ...this.#missing];
    return { files, parts: this.#parts, lost };
  }

  /** Reads the examples that stand in files of their own; returns the paths of those files. */
  async #readExamples(): Promise<readonly string[]> {
    const { path, url, value, text } = this.#main;
    return url === undefined && text()?.includes('externalValue') === true
      ? fillExternalExamples(path, value, this.#folders)
      : [];
  }

  /**
   * Redirects a reference with a missing target to the intended one, or makes its place accept any
   * value.
   */
  #repair(reference: UnresolvedReference): RepairedReference[] {
    const { document, found } = reference;
    const pointer = document.mount + found.pointer;
    const meant =
      document.mount === '' && isJsonObject(document.value)
        ? meantByName(document.value, found.text)
        : undefined;
    if (meant !== undefined) return [leadTo(found, meant, pointer)];
    takeAnything(found, dialectOf(this.#main.value));
    const known = keysOf(reference).flatMap((uri) => this.#faults.get(uri) ?? [])[0];
    const { message, hint } = known ?? noSuchLocation;
    const sentence = `The reference ${found.text} ${message}; anything is valid in its place.`;
    return [{ pointer, message: sentence, hint }];
  }

  #take(document: LinkedDocument): UnresolvedReference[] {
    this.#known.set(document.uri, document);
    return this.#linker.add(document);
  }

  #mounted(): JsonObject {
    return Object.fromEntries(
      [...this.#known.values()]
        .filter(({ mount }) => mount !== '')
        .map(({ value }, index) => [this.#parts[index]?.name ?? '', value]),
    );
  }

  /**
   * Reports an unresolvable reference at the end. A name in a discriminator's mapping may stay
   * unresolved: it is then only a name.
   */
  async #follow(reference: UnresolvedReference): Promise<UnresolvedReference[]> {
    const isFile = reference.targets.some((uri) => uri.startsWith('file:'));
    if (reference.found.isMapping && !isFile) return [];
    const { document, found } = reference;
    if (isFile && found.text.includes('\\')) {
      const right = found.text.replaceAll('\\', '/');
      const pointer = document.mount + found.pointer;
      const message = `The reference ${found.text} has backslashes; it is read as ${right}.`;
      this.#windowsPaths.push({ pointer, message, hint: `Write ${right}.` });
    }
    return this.#read(reference).catch((error: unknown) => {
      if (!(error instanceof ReferenceFault)) throw error;
      for (const uri of keysOf(reference)) this.#faults.set(uri, error);
      return [];
    });
  }

  /** Reads the referenced document unless it is already read; returns the references in it. */
  async #read(reference: UnresolvedReference): Promise<UnresolvedReference[]> {
    const target = await this.#choose(reference.targets);
    if (target === undefined)
      throw new ReferenceFault(
        'is not a valid URI',
        'Write a path relative to the document, or a pointer such as #/components/schemas/Name.',
      );
    const url = new URL(target);
    if (url.protocol === 'file:' && this.#main.url !== undefined) {
      throw new ReferenceFault(
        'is a file of this machine, which a document from the network cannot name',
        'Write an address relative to the document.',
      );
    }
    if (url.protocol === 'file:' && isAbsoluteReference(reference.found.text)) {
      throw new ReferenceFault(
        "is an absolute path, and vouch reads only files in the contract's folder",
        'Write it as a path relative to the document.',
      );
    }
    if (this.#followed.has(target)) return [];
    this.#followed.add(target);
    const uri = url.protocol === 'file:' ? await this.#confine(url) : target;
    const known = this.#known.get(uri);
    if (known !== undefined) return this.#alias(target, known);
    if (this.#known.size >= maxDocuments)
      throw new ReferenceFault(
        `leads to one document more than the ${maxDocuments.toLocaleString('en')} that are read`,
        'Bundle it first: npx @redocly/cli bundle FILE --output bundled.yaml',
      );
    const document =
      url.protocol === 'file:' ? await this.#readFile(uri) : await this.#fetch(new URL(uri));
    return [...this.#take(document), ...this.#alias(target, document)];
  }

  /**
   * If a document declares a network URI for itself, its neighbors are looked for in its folder
   * first.
   */
  async #choose([first, ...others]: readonly string[]): Promise<string | undefined> {
    const beside = others.find((uri) => uri.startsWith('file:'));
    const isThere =
      beside !== undefined &&
      (await stat(new URL(beside)).then(
        () => true,
        () => false,
      ));
    return isThere ? beside : first;
  }

  #alias(uri: string, document: LinkedDocument): [] {
    this.#linker.alias(uri, document);
    return [];
  }

  /** The URI of a file, symbolic links resolved, inside an allowed folder. */
  async #confine(url: URL): Promise<string> {
    const path = fileURLToPath(url);
    const admission = await this.#folders.admit(path);
    switch (admission.kind) {
      case 'file':
        return pathToFileURL(admission.path).href;
      case 'missing':
        this.#missing.add(path);
        throw new ReferenceFault(
          'points to a file that does not exist',
          'Fix the reference, or add the file. ' +
            'Paths are relative to the document that contains them.',
        );
      case 'outside':
        throw new ReferenceFault(
          `points outside the contract's folder, ${this.#folder}`,
          `Name a folder that contains both with --root, or ${bundleHint}`,
        );
      case 'no-file':
        throw new ReferenceFault('does not point to a file', 'Name a YAML or JSON file.');
    }
  }

  async #readFile(uri: string): Promise<LinkedDocument> {
    const path = fileURLToPath(uri);
    const file = relative(process.cwd(), path) || path;
    const { text, value, repaired } = await readDocument(path, file);
    const name = relative(this.#folder, path).split(sep).join('/');
    return this.#mount({ name, file, path, text, repaired }, uri, value);
  }

  async #fetch(url: URL): Promise<LinkedDocument> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new ReferenceFault(
        `uses the scheme ${url.protocol}, which is not supported`,
        'Write a path relative to the document.',
      );
    const isOwn = url.origin === this.#main.url?.origin;
    if (!isOwn && !this.#hosts.has(url.hostname) && !this.#hosts.has(url.host)) {
      throw new ReferenceFault(
        'points to a host that is not allowed',
        `Allow its host with --allow-ref-host ${url.host}, or ${bundleHint}`,
      );
    }
    // Few contracts need the network, so the module is loaded on demand.
    const { readAddress } = await import('./read-address.ts');
    const reading = await readAddress(url, isOwn ? { headers: this.#main.headers ?? {} } : {});
    if (!reading.ok)
      throw new ReferenceFault(
        `cannot be fetched: ${reading.reason}`,
        `Check the address, or ${bundleHint}`,
      );
    const { value, repaired } = parseDocument(reading.text, url.href);
    const part = { name: url.href, file: url.href, text: reading.text, repaired };
    return this.#mount(part, url.href, value);
  }

  #mount(part: DocumentPart, uri: string, value: JsonValue): LinkedDocument {
    if (!isJsonObject(value) && !isJsonArray(value))
      throw new ReferenceFault(
        'points to a file that is no document, but a text or another plain value',
        'Name a YAML or JSON file with a mapping.',
      );
    this.#parts.push(part);
    return { uri, value, mount: joinPointer(mountPointer, part.name) };
  }
}

/** Why a reference cannot be resolved: the message and the hint. */
class ReferenceFault extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

const noSuchLocation = new ReferenceFault(
  'does not resolve: its document has no such location',
  'Fix the reference, or add its target.',
);

/** A path from the root, a host, or a URI with its scheme. */
function isAbsoluteReference(text: string): boolean {
  return text.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(text);
}

/** The keys of a reference: the URIs that it may mean, or its text if it is not a URI. */
function keysOf({ targets, found }: UnresolvedReference): readonly string[] {
  return targets.length > 0 ? targets : [found.text];
}

/** Which siblings of a reference count depends only on the version. */
function dialectOf(document: JsonValue): Dialect {
  const version = isJsonObject(document) ? String(document['openapi']) : '';
  return version.startsWith('3.1') || version.startsWith('3.2') ? '3.1' : '3.0';
}

/**
 * Fills in examples that the document names by `externalValue` (OpenAPI 3.1, section 4.8.19), as
 * far as they are files that it may read: JSON and YAML as values, anything else as text. Returns
 * the absolute paths of those files. What cannot be read stays a name.
 */
async function fillExternalExamples(
  path: string,
  value: JsonValue,
  folders: ReadableFolders,
): Promise<readonly string[]> {
  const files: string[] = [];
  for (const { example, name } of externalExamples(value)) {
    const url = URL.parse(name, pathToFileURL(path).href);
    if (url?.protocol !== 'file:' || /^([a-z][a-z0-9+.-]*:|\/)/i.test(name)) continue;
    const admission = await folders.admit(fileURLToPath(url));
    if (admission.kind !== 'file') continue;
    // The document was parsed for this contract only.
    (example as Record<string, JsonValue>)['value'] = await readExample(admission.path);
    files.push(admission.path);
  }
  return files;
}

async function readExample(path: string): Promise<JsonValue> {
  const bytes = await readFile(path);
  return /\.(json|ya?ml)$/i.test(path)
    ? parseDocument(bytes, relative(process.cwd(), path) || path).value
    : bytes.toString('utf8');
}

interface ExternalExample {
  readonly example: object;
  readonly name: string;
}

/** The objects with an `externalValue` and no value. */
function externalExamples(root: JsonValue): ExternalExample[] {
  const found: ExternalExample[] = [];
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isJsonArray(value)) open.push(...value);
    if (!isJsonObject(value)) continue;
    const name = value['externalValue'];
    if (typeof name === 'string' && !Object.hasOwn(value, 'value'))
      found.push({ example: value, name });
    open.push(...Object.values(value));
  }
  return found;
}
