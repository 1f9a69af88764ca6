import { relative, resolve } from 'node:path';
import { usage } from '../errors.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../json/value.ts';
import { buildContract } from './build.ts';
import type { FetchedText } from './load/read-named-address.ts';
import type { LoadOptions, MainDocument } from './load/gather-documents.ts';
import { parseDocument } from './load/parse-document.ts';
import { readDocument, readFileText } from './load/read-document.ts';
import { isAddress, isStandardInput, shownSource } from './load/source.ts';
import type { DocumentWithOverlays, withOverlays } from './load/read-overlays.ts';
import type { Contract } from './model.ts';
import { withStatedFacts } from './words/state-facts.ts';
import { scanDocument } from './references/scan-document.ts';
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { isatty } from 'node:tty';

export type { LoadOptions };

/**
 * Reads an OpenAPI document (2.0, 3.0, 3.1 or 3.2; YAML or JSON) into vouch's model: from a file,
 * from its URL, from the standard input (`-`), or from a parsed document. Reads referenced files in
 * the folder of the document, in `root` or in its repository, and referenced URLs only from the
 * origin of a document that is named by its URL, and from allowed hosts. `faults` lists what was
 * wrong and repaired. Throws a VouchError with place, code frame and hint if the document cannot be
 * used.
 */
export async function loadContract(
  source: string | JsonObject,
  options: LoadOptions = {},
): Promise<Contract> {
  if (typeof source !== 'string')
    return buildContract({ file: '<inline>', text: () => stringifyJson(source, 2), value: source });
  const { path, url, headers, ...read } = await readMain(source, options);
  const overlaid = { ...read, source, ...(await applied({ ...read, path }, options)) };
  const own = { ...overlaid, value: withFacts(overlaid.value, options) };
  const scan = scanDocument(own.value);
  const isWhole = scan.outward.length === 0 && own.text()?.includes('externalValue') !== true;
  if (isWhole) return buildContract({ ...own, files: [path], scan });
  const { gatherDocuments } = await import('./load/gather-documents.ts');
  return buildContract({
    ...own,
    ...(await gatherDocuments({ ...own, path, url, headers }, options)),
  });
}

/** Reads the document itself: from its address, from the standard input, or from a file. */
async function readMain(source: string, options: LoadOptions): Promise<MainDocument> {
  if (!isAddress(source) && !isStandardInput(source)) {
    const file = relative(process.cwd(), resolve(source)) || source;
    return { file, ...(await readDocument(source, file)) };
  }
  const { text, url, headers } = await readStream(source, options);
  const file = shownSource(url?.href ?? source);
  const path = url === undefined ? resolve(file) : file;
  return { file, path, url, headers, text: () => text, ...parseDocument(text, file) };
}

/** The text of a source that is no file. */
async function readStream(
  source: string,
  options: LoadOptions,
): Promise<Pick<FetchedText, 'text'> & Partial<FetchedText>> {
  if (isStandardInput(source)) return { text: await (read ??= readOnce()) };
  const { readNamedAddress } = await import('./load/read-named-address.ts');
  return readNamedAddress(source, options);
}

function withFacts(document: JsonValue, { facts }: LoadOptions): JsonValue {
  return facts === undefined ? document : withStatedFacts(document, facts.statements, facts.fault);
}

/** What the Overlays of the options make of a document; nothing without Overlays. */
async function applied(
  document: Parameters<typeof withOverlays>[0],
  { overlays = [] }: LoadOptions,
): Promise<Partial<DocumentWithOverlays>> {
  if (overlays.length === 0) return {};
  const { withOverlays } = await import('./load/read-overlays.ts');
  return withOverlays(document, overlays);
}

/**
 * The same for a text; `file` is the name that places show. No other document can be referenced.
 */
export function parseContract(text: string, file: string): Contract {
  return buildContract({ file, text, ...parseDocument(text, file) });
}

/** The text of a document. Throws a VouchError if it cannot be read. */
export async function readContractText(source: string, options: LoadOptions): Promise<string> {
  if (isAddress(source) || isStandardInput(source)) return (await readStream(source, options)).text;
  return (await readFileText(source)).bytes.toString('utf8');
}

/**
 * The text on the standard input. It can be read only once, and a command may load its contract
 * several times, so the text is kept.
 */
let read: Promise<string> | undefined;

/** Throws a VouchError for a terminal. */
async function readOnce(): Promise<string> {
  if (isatty(0))
    throw usage('Nothing is piped to the standard input, which - reads.', {
      hint: 'Pipe a document: cat openapi.yaml | vouch lint -',
    });
  return (await buffer(createReadStream('', { fd: 0, autoClose: false }))).toString('utf8');
}
