import type { Batch } from '../../contract/model.ts';
import { documentsRefusal } from '../../contract/model/operation.ts';
import { isKeyName } from '../../contract/protocols/chosen-name.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import { type Fault, makeFault } from '../model/fault.ts';
import { writeName } from './identifier/full-name.ts';
import { parentTexts } from './parent-fields.ts';

/** An entry of a batch: its record, and the name that it gives the record. */
export interface BatchEntry {
  readonly kind: 'entry';
  readonly record: JsonValue;
  readonly name?: JsonValue | undefined;
}

/**
 * Reads an entry of a batch. Beside its record there may be the name of the record, and its parent,
 * which is that of the path (Google AIP-233).
 */
export function readEntry(
  entry: JsonValue,
  batch: Batch,
  request: ValidRequest,
): BatchEntry | Fault {
  const { wrapped, resource } = batch;
  if (wrapped === undefined || !isJsonObject(entry)) return { kind: 'entry', record: entry };
  const stray = strayParent(entry, batch, request);
  if (stray !== undefined) return stray;
  const key = Object.keys(entry).find((name) => name !== wrapped && isKeyName(resource, name));
  const name = key === undefined ? undefined : entry[key];
  return { kind: 'entry', record: entry[wrapped] ?? null, name: name === '' ? undefined : name };
}

/** The refusal of an entry whose parent is another one than that of the path. */
function strayParent(
  { parent }: JsonObject,
  { resource, operation }: Batch,
  request: ValidRequest,
): Fault | undefined {
  const above = resource.parents.at(-1)?.resource;
  const texts = parentTexts(request, resource);
  const [own = ''] = texts.slice(-1);
  if (typeof parent !== 'string' || parent === '' || above === undefined) return undefined;
  const name = writeName(above, own, texts.slice(0, -1));
  if (parent === name || parent === own || !documentsRefusal(operation)) return undefined;
  const message = `The parent ${quoteExcerpt(parent)} is not that of the path, ${String(name)}.`;
  return makeFault('body-value', 'invalid_value', message, {
    issues: [{ location: 'body', name: 'parent', rule: 'parent', message }],
  });
}
