import { relative, resolve } from 'node:path';
import { defined } from '../json/defined.ts';
import { type JsonObject, stringifyJson } from '../json/value.ts';
import { buildContract } from './build.ts';
import type { LoadOptions } from './load/gather-documents.ts';
import { parseDocument, readDocument, readFileText } from './load/read-document.ts';
import type { Contract } from './model.ts';
import { scanDocument } from './references/scan-document.ts';

export type { LoadOptions };

/**
 * Reads an OpenAPI document (2.0, 3.0, 3.1 or 3.2; YAML or JSON) into vouch's model: from a file,
 * or from a document already parsed. Other files that it refers to are read where they lie in its
 * folder, in the folder `root` or in its repository; the network is asked only for hosts that are
 * allowed. What is wrong and can be repaired is in `faults`. Throws a VouchError with place, code
 * frame and hint where nothing can be made of the document.
 */
export async function loadContract(
  source: string | JsonObject,
  options: LoadOptions = {},
): Promise<Contract> {
  if (typeof source !== 'string')
    return buildContract({ file: '<inline>', text: () => stringifyJson(source, 2), value: source });
  const file = relative(process.cwd(), resolve(source)) || source;
  const { path, text, value, repaired } = await readDocument(source, file);
  const own = { file, text, value, ...defined({ repaired }) };
  const scan = scanDocument(value);
  if (scan.outward.length === 0) return buildContract({ ...own, files: [path], scan });
  const { gatherDocuments } = await import('./load/gather-documents.ts');
  return buildContract({ ...own, ...(await gatherDocuments({ ...own, path }, options)) });
}

/**
 * The same for text that is at hand; `file` is the name under which places are shown. There is no
 * other document beside it.
 */
export function parseContract(text: string, file: string): Contract {
  return buildContract({ file, text, ...parseDocument(text, file) });
}

/** The text of a document, or a VouchError that says why it cannot be had. */
export async function readContractText(file: string): Promise<string> {
  return (await readFileText(file)).bytes.toString('utf8');
}
