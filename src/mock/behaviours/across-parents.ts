import { lazy } from '../../contract/lazy.ts';
import type { Operation } from '../../contract/model.ts';
import { factIn, operationTexts, parameterTexts } from '../../contract/words/facts.ts';
import type { Store } from '../../store/store.ts';
import type { Acting } from '../model/request.ts';
import type { Convention } from '../phases.ts';
import type { ParentTexts } from '../records/collections-below.ts';
import { collectionsBelow, queryAmong, recordsOf } from '../records/collections-below.ts';
import { isView } from '../records/collection-name.ts';
import { belowKnown } from '../records/find-record.ts';
import { parentTexts } from '../records/parent-fields.ts';
import { readAs } from './tried.ts';

/** What stands for all parents (Google AIP-159). */
const anyParent = '-';

/**
 * Records below their parents, by whichever key the path names these: 404 below one that does not
 * exist. A list may show those below all parents, where the path has a hyphen for one of them and
 * the contract says that it stands for all.
 */
export const belowParents: Convention = ({ operation, role }, resource) => {
  if (resource.parents.length === 0) return undefined;
  const isList = role?.action === 'list' && !isView(resource);
  const readsAcross = lazy(() => saysAcross(operation));
  return {
    before: (on) => {
      const texts = isList ? parentTexts(on.request, resource) : [];
      if (!texts.includes(anyParent) || !readsAcross()) return belowKnown(on);
      const wanted = texts.map((text) => (text === anyParent ? undefined : text));
      return { ...on, store: withAll(wanted, on) };
    },
  };
};

function saysAcross(operation: Operation): boolean {
  const inPath = operation.parameters.filter(({ in: location }) => location === 'path');
  const texts = [...operationTexts(operation), ...inPath.flatMap(parameterTexts)];
  return factIn(texts, 'reads-across') !== undefined;
}

/** A store whose queries find the records below all wanted parents. */
function withAll(wanted: ParentTexts, { request: { session }, resource, store }: Acting): Store {
  const query: Store['query'] = async (_collection, asked) => {
    const collections = await collectionsBelow(wanted, resource, { session, store });
    // Records below two parents may have one key.
    const records = (await recordsOf(collections, store)).map(({ id, record, collection }) => ({
      id: `${collection.name}/${id}`,
      record,
    }));
    return queryAmong(records, asked);
  };
  return readAs(store, { query });
}
