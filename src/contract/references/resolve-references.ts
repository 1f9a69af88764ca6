import { isJsonObject, type JsonObject } from '../../json/value.ts';
import type { DocumentTree } from '../read/cursor.ts';
import { DocumentLinker } from './link-documents.ts';
import { scanDocument, type DocumentScan } from './scan-document.ts';

/** A document whose references are JSON Pointers into itself, and what references it has. */
export interface ResolvedDocument {
  readonly document: JsonObject;
  readonly scan: DocumentScan;
}

/**
 * Brings a document that names its parts (`$id`, `$anchor`, `$self`) into a form in which every
 * reference is a JSON Pointer; the document that was given stays as it is. Throws through `fault`
 * for a reference to another document, which is not at hand.
 */
export function resolveReferences(
  document: JsonObject,
  fault: DocumentTree['fault'],
  known?: DocumentScan,
): ResolvedDocument {
  const scan = known ?? scanDocument(document);
  if (scan.outward.length === 0 && scan.names.length === 0) return { document, scan };
  const copy = structuredClone(document);
  const linker = new DocumentLinker();
  linker.add({ uri: 'contract:/document', value: copy, mount: '' });
  const [lost] = linker.rewrite();
  if (lost !== undefined) {
    const { pointer, text } = lost.found;
    throw fault(
      pointer,
      `The reference ${text} leads to another document, and there is none beside this one.`,
      'Name the file in which the contract is written, or bundle it first: npx @redocly/cli bundle FILE --output bundled.yaml',
    );
  }
  return { document: isJsonObject(copy) ? copy : document, scan: scanDocument(copy) };
}
