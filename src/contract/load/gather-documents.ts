import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { VouchError } from '../../errors.ts';
import { defined } from '../../json/defined.ts';
import { joinPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type Locator, makeLocator, type ReadText } from '../locate.ts';
import { type DocumentPart, mountedParts, mountPointer } from './mounted-parts.ts';
import {
  DocumentLinker,
  type LinkedDocument,
  type UnresolvedReference,
} from '../references/link-documents.ts';
import { parseDocument, readDocument } from './read-document.ts';

/** How a contract is loaded. */
export interface LoadOptions {
  /**
   * Hosts (`schemas.example.com`, or with a port) of which documents are fetched where the contract
   * refers to them. Default: none.
   */
  readonly allowRefHosts?: readonly string[];
}

/** The contract's own document as it was read. */
export interface MainDocument {
  readonly file: string;
  readonly path: string;
  readonly text: ReadText;
  readonly value: JsonValue;
}

/** What was read besides the contract's own document. */
export interface GatheredDocuments {
  readonly files: readonly string[];
  readonly parts: readonly DocumentPart[];
}

/**
 * Reads every document that a contract refers to, mounts them in the contract's own document under
 * `x-vouch-files`, and rewrites all references as pointers into that one: afterwards it stands for
 * itself. Throws a VouchError for a reference that points outside the contract's folder, to a host
 * that is not allowed, or nowhere.
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
  readonly #linker = new DocumentLinker();
  readonly #parts: DocumentPart[] = [];
  /** By the URI that was really read: links followed. */
  readonly #known = new Map<string, LinkedDocument>();
  /** URIs that have been followed, as they are written. */
  readonly #followed = new Set<string>();
  readonly #locators = new Map<LinkedDocument, Locator>();

  constructor(main: MainDocument, { allowRefHosts = [] }: LoadOptions) {
    this.#main = main;
    this.#folder = dirname(main.path);
    this.#hosts = new Set(allowRefHosts.map((host) => host.toLowerCase()));
  }

  async gather(): Promise<GatheredDocuments> {
    const { path, value } = this.#main;
    const open = this.#take({ uri: pathToFileURL(path).href, value, mount: '' });
    for (let reference = open.shift(); reference !== undefined; reference = open.shift())
      open.push(...(await this.#follow(reference)));
    const [lost] = this.#linker.rewrite();
    if (lost !== undefined)
      throw this.#fault(
        lost,
        `The reference ${lost.found.text} does not resolve: its document has no such location.`,
        'Fix the reference, or add its target.',
      );
    // The document was parsed for this contract alone.
    if (isJsonObject(value))
      (value as Record<string, JsonValue>)[mountedParts] = {
        ...(isJsonObject(value[mountedParts]) ? value[mountedParts] : {}),
        ...this.#mounted(),
      };
    return { files: [path, ...this.#parts.flatMap((part) => part.path ?? [])], parts: this.#parts };
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
   * A name in a discriminator's mapping need not lead anywhere: one that cannot be followed stays a
   * name.
   */
  async #follow(reference: UnresolvedReference): Promise<UnresolvedReference[]> {
    if (!reference.found.isMapping) return this.#read(reference);
    const isFile = reference.targets.some((uri) => uri.startsWith('file:'));
    return isFile
      ? this.#read(reference).catch((error: unknown) => {
          if (error instanceof VouchError && error.code === 'contract-reference') return [];
          throw error;
        })
      : [];
  }

  /**
   * Reads the document that a reference leads to, unless it has been read; answers what that one
   * leads to.
   */
  async #read(reference: UnresolvedReference): Promise<UnresolvedReference[]> {
    const target = await this.#choose(reference.targets);
    if (target === undefined)
      throw this.#fault(
        reference,
        `The reference ${reference.found.text} is not a valid URI.`,
        'Write a path relative to the document, or a pointer such as #/components/schemas/Name.',
      );
    const url = new URL(target);
    if (url.protocol === 'file:' && isAbsoluteReference(reference.found.text)) {
      throw this.#fault(
        reference,
        `The reference ${reference.found.text} is an absolute path; ` +
          "vouch reads only files in the contract's folder.",
        'Write it as a path relative to the document.',
      );
    }
    if (this.#followed.has(target)) return [];
    this.#followed.add(target);
    const uri = url.protocol === 'file:' ? await this.#confine(url, reference) : target;
    const known = this.#known.get(uri);
    if (known !== undefined) return this.#alias(target, known);
    if (this.#known.size >= maxDocuments)
      throw this.#fault(
        reference,
        `The contract refers to more than ${maxDocuments.toLocaleString('en')} documents.`,
        'Bundle it first: npx @redocly/cli bundle FILE --output bundled.yaml',
      );
    const document =
      url.protocol === 'file:'
        ? await this.#readFile(uri)
        : await this.#fetch(new URL(uri), reference);
    return [...this.#take(document), ...this.#alias(target, document)];
  }

  /**
   * Where a document has given itself a name on the network, its neighbours are looked for beside
   * it first.
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

  /** The URI of a file, links followed, that lies in the contract's folder or below. */
  async #confine(url: URL, reference: UnresolvedReference): Promise<string> {
    const { text } = reference.found;
    const path = await this.#realPath(url, reference);
    const inside = relative(this.#folder, path);
    if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
      throw this.#fault(
        reference,
        `The reference ${text} points outside the contract's folder, ${this.#folder}.`,
        `Move its target into that folder, or ${bundleHint}`,
      );
    }
    if (!(await stat(path)).isFile())
      throw this.#fault(
        reference,
        `The reference ${text} does not point to a file.`,
        'Name a YAML or JSON file.',
      );
    return pathToFileURL(path).href;
  }

  async #realPath(url: URL, reference: UnresolvedReference): Promise<string> {
    try {
      return await realpath(fileURLToPath(url));
    } catch (cause) {
      throw this.#fault(
        reference,
        `The reference ${reference.found.text} points to a file that does not exist.`,
        'Fix the reference, or add the file. ' +
          'Paths are relative to the document that contains them.',
        cause,
      );
    }
  }

  async #readFile(uri: string): Promise<LinkedDocument> {
    const path = fileURLToPath(uri);
    const file = relative(process.cwd(), path) || path;
    const { text, value } = await readDocument(path, file);
    return this.#mount(
      { name: relative(this.#folder, path).split(sep).join('/'), file, path, text },
      uri,
      value,
    );
  }

  async #fetch(url: URL, reference: UnresolvedReference): Promise<LinkedDocument> {
    const { text } = reference.found;
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw this.#fault(
        reference,
        `The reference ${text} uses the scheme ${url.protocol}, which is not supported.`,
        'Write a path relative to the document.',
      );
    if (!this.#hosts.has(url.hostname) && !this.#hosts.has(url.host)) {
      throw this.#fault(
        reference,
        `The reference ${text} points to a host that is not allowed.`,
        `Allow its host with --allow-ref-host ${url.host}, or ${bundleHint}`,
      );
    }
    // Few contracts need the network, and all would pay for it.
    const { readAddress } = await import('./read-address.ts');
    const reading = await readAddress(url);
    if (!reading.ok)
      throw this.#fault(
        reference,
        `The reference ${text} cannot be fetched: ${reading.reason}.`,
        `Check the address, or ${bundleHint}`,
      );
    return this.#mount(
      { name: url.href, file: url.href, text: reading.text },
      url.href,
      parseDocument(reading.text, url.href),
    );
  }

  #mount(part: DocumentPart, uri: string, value: JsonValue): LinkedDocument {
    this.#parts.push(part);
    return { uri, value, mount: joinPointer(mountPointer, part.name) };
  }

  #fault(
    { document, found }: UnresolvedReference,
    message: string,
    hint: string,
    cause?: unknown,
  ): VouchError {
    let locator = this.#locators.get(document);
    if (locator === undefined) {
      const { file, text } =
        this.#parts.find(({ name }) => joinPointer(mountPointer, name) === document.mount) ??
        this.#main;
      this.#locators.set(document, (locator = makeLocator(file, text)));
    }
    return new VouchError('contract-reference', message, {
      place: locator.locate(found.pointer),
      frame: locator.frame(found.pointer),
      hint,
      ...defined({ cause }),
    });
  }
}

/** A path from the root, a host, or a URI with its scheme. */
function isAbsoluteReference(text: string): boolean {
  return text.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(text);
}
