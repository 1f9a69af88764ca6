import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { VouchError } from '../errors.ts';
import { parseYaml } from '../json/parse-yaml.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import type { JsonObject } from '../json/value.ts';
import { buildContract } from './build.ts';
import { codeFrame } from './locate.ts';
import type { Contract } from './model.ts';

/**
 * Reads an OpenAPI document (3.0, 3.1 or 3.2; YAML or JSON) into vouch's model: from a file, or from a document already
 * parsed. Nothing else is read or fetched. Throws a VouchError with place, code frame and hint where it cannot.
 */
export async function loadContract(source: string | JsonObject): Promise<Contract> {
  if (typeof source !== 'string') return buildContract({ file: '<inline>', text: stringifyJson(source, 2), value: source });
  const text = await readContractText(source);
  return parseContract(text, relative(process.cwd(), resolve(source)) || source);
}

/** The same for text that is at hand; `file` is the name under which places are shown. */
export function parseContract(text: string, file: string): Contract {
  const reading = parseYaml(text);
  if (reading.ok) return buildContract({ file, text, value: reading.value });
  const { message, line, column } = reading.problem;
  throw new VouchError('contract-unreadable', `${file} is not readable as YAML or JSON: ${message}`, {
    place: { file, line, column },
    frame: codeFrame(text, { line, column }),
    hint: 'Mend the syntax at that place.',
  });
}

/** The text of a document, or a VouchError that says why it cannot be had. */
export async function readContractText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') throw new VouchError('contract-missing', `There is no file ${file}.`, { cause, hint: 'Name an OpenAPI document, or leave it out to use the bundled contract.' });
    if (code === 'EISDIR') throw new VouchError('contract-missing', `${file} is a folder, not an OpenAPI document.`, { cause, hint: 'Name the document in it.' });
    throw new VouchError('contract-unreadable', `${file} cannot be read: ${code ?? String(cause)}.`, { cause, hint: 'Check that you may read it.' });
  }
}
