import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import { parseDocument } from './parse-document.ts';
import type { ReadableFolders } from './readable-folders.ts';

/** A document whose examples may stand in files beside it. */
interface Holding {
  readonly path: string;
  readonly value: JsonValue;
}

/**
 * Fills in examples that the document names by `externalValue` (OpenAPI 3.1, section 4.8.19), as
 * far as they are files that it may read: JSON and YAML as values, anything else as text. Returns
 * the absolute paths of those files. What cannot be read stays a name.
 */
export async function fillExternalExamples(
  { path, value }: Holding,
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
