import type { Operation, Resource } from '../../contract/model.ts';
import { factIn, operationTexts, parameterTexts } from '../../contract/words/facts.ts';
import type { Store } from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import type { ParentTexts } from '../records/collections-below.ts';
import { collectionsBelow, queryAmong, recordsOf } from '../records/collections-below.ts';
import { isView } from '../records/collection-name.ts';
import { oncePerPlan } from '../records/find-record.ts';
import { parentTexts } from '../records/parent-fields.ts';
import { storingNothing } from './tried.ts';

/** What stands for all parents (Google AIP-159). */
const anyParent = '-';

/**
 * A list of the records below all parents, where the path has a hyphen for one of them and the
 * contract says that it stands for all; otherwise the list below one.
 */
export function acrossParents(list: Behaviour, below: Behaviour): Behaviour {
  return (request, resource, store) => {
    const wanted = wantedParents(request, resource);
    return wanted === undefined
      ? below(request, resource, store)
      : list(request, resource, withAll(store, wanted, { request, resource }));
  };
}

function wantedParents(request: ValidRequest, resource: Resource): ParentTexts | undefined {
  const texts = resource.parents.length === 0 ? [] : parentTexts(request, resource);
  if (!texts.includes(anyParent) || isView(resource)) return undefined;
  return readsAcross(request.plan, resource)
    ? texts.map((text) => (text === anyParent ? undefined : text))
    : undefined;
}

const readsAcross = oncePerPlan(({ operation }) => saysAcross(operation));

function saysAcross(operation: Operation): boolean {
  const inPath = operation.parameters.filter(({ in: location }) => location === 'path');
  const texts = [...operationTexts(operation), ...inPath.flatMap(parameterTexts)];
  return factIn(texts, 'reads-across') !== undefined;
}

/** A store whose queries find the records below all wanted parents. */
function withAll(
  store: Store,
  wanted: ParentTexts,
  { request, resource }: { readonly request: ValidRequest; readonly resource: Resource },
): Store {
  const query: Store['query'] = async (_collection, asked) => {
    const { session } = request;
    const collections = await collectionsBelow(wanted, resource, { session, store });
    // Records below two parents may have one key.
    const records = (await recordsOf(collections, store)).map(({ id, record, collection }) => ({
      id: `${collection.name}/${id}`,
      record,
    }));
    return queryAmong(records, asked);
  };
  return { ...storingNothing(store), query };
}
