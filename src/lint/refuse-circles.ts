import { referencePointer } from '../contract/read/cursor.ts';
import type { Contract } from '../contract/model.ts';
import { VouchError } from '../errors.ts';
import { joinPointer, valueAt, type Pointer } from '../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';

/**
 * Refuses a reference that leads to nothing but references and back to itself: neither a reader nor
 * Redocly comes out of it.
 */
export function refuseCircles(contract: Contract): void {
  const open: { readonly value: JsonValue; readonly pointer: Pointer }[] = [
    { value: contract.document, pointer: '' },
  ];
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    const { value, pointer } = here;
    if (typeof value !== 'object' || value === null) continue;
    if (isJsonObject(value) && goesRound(contract, value))
      throw circleAt(contract, joinPointer(pointer, '$ref'), String(value['$ref']));
    for (const [key, item] of Object.entries(value).reverse())
      open.push({ value: item, pointer: joinPointer(pointer, key) });
  }
}

function goesRound({ document }: Contract, start: JsonValue): boolean {
  const seen = new Set<JsonValue>();
  let value: JsonValue | undefined = start;
  while (isJsonObject(value) && typeof value['$ref'] === 'string') {
    if (seen.has(value)) return true;
    seen.add(value);
    const target = referencePointer(value['$ref']);
    value = target === undefined ? undefined : valueAt(document, target);
  }
  return false;
}

function circleAt(contract: Contract, pointer: Pointer, reference: string): VouchError {
  return new VouchError('contract-reference', `The reference ${reference} leads back to itself.`, {
    place: contract.locate(pointer),
    frame: contract.frame(pointer),
    hint: 'Let it lead to what is meant.',
  });
}
