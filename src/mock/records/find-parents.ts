import { hasKnownRecords } from '../../contract/infer/record-fields.ts';
import type { Resource } from '../../contract/model.ts';
import type { Store } from '../../store/store.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import { getRecord, notFound } from './find-record.ts';
import { parentTexts } from './known-values.ts';
import { shelfName } from './shelf-name.ts';

/**
 * Why there is nothing at a path below a record: that record does not exist, or one above it.
 * Undefined where all do, or where the contract does not let anybody know which there are.
 */
export async function findMissingParent(
  request: ValidRequest,
  resource: Resource,
  store: Store,
): Promise<Fault | undefined> {
  return resource.parents.length === 0
    ? undefined
    : missingAmong(parentTexts(request, resource), resource, { session: request.session, store });
}

/**
 * Which of the records that are named as parents of a resource, outermost first, does not exist;
 * undefined where all do, or may.
 */
export async function missingAmong(
  texts: readonly string[],
  resource: Pick<Resource, 'parents'>,
  { session, store }: { readonly session: string; readonly store: Store },
): Promise<Fault | undefined> {
  for (const [index, { resource: parent }] of resource.parents.entries()) {
    const id = texts[index];
    if (id === undefined || parent === undefined || !hasKnownRecords(parent)) continue;
    const collection = shelfName(parent, texts.slice(0, index));
    if ((await getRecord({ session, collection }, id, store)) === undefined)
      return notFound(parent, id);
  }
  return undefined;
}
