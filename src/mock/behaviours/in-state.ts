import { errorCodesOf } from '../../contract/words/error-codes.ts';
import { type AllowedStates, allowedStates } from '../../contract/words/read-states.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Resource } from '../../contract/model.ts';
import { type MaybePromise, type Store, whenReady } from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import { type Fault, makeFault } from '../model/fault.ts';
import { collectionName } from '../records/collection-name.ts';
import { findRecord, getRecord, oncePerPlan } from '../records/find-record.ts';
import { parentTexts } from '../records/parent-fields.ts';

/**
 * A change that is refused in the states of a record in which the contract does not allow it: `Only
 * draft invoices can be deleted`. It acts on the record in its path, or adds below it.
 */
export function inState(change: Behaviour): Behaviour {
  return (request, resource, store) => {
    const restricted = restrictionOf(request.plan, resource);
    if (restricted === undefined) return change(request, resource, store);
    return whenReady(recordIn(request, resource, store), (record) => {
      const refusal = record && refusalOf(record, restricted);
      return refusal ?? change(request, resource, store);
    });
  };
}

interface Restriction {
  readonly holder: Resource;
  readonly allowed: AllowedStates;
  /** The code of the refusal: `already_archived` if the contract has one. */
  readonly code: string;
}

const restrictionOf = oncePerPlan((plan, resource): Restriction | undefined => {
  const { operation, recordParameter } = plan;
  const holder = recordParameter === undefined ? resource.parents.at(-1)?.resource : resource;
  const allowed = holder && allowedStates(operation, holder);
  if (holder === undefined || allowed === undefined) return undefined;
  const own = errorCodesOf(operation).find(({ code }) => code === allowed.fact.value);
  return { holder, allowed, code: own?.code ?? 'conflict' };
});

/** The record on which a request acts: its own, or the one below which it adds. */
function recordIn(
  request: ValidRequest,
  resource: Resource,
  store: Store,
): MaybePromise<JsonObject | undefined> {
  if (request.plan.recordParameter !== undefined)
    return whenReady(findRecord(request, resource, store), (found) =>
      found.kind === 'found' ? found.record : undefined,
    );
  const texts = parentTexts(request, resource);
  const [parent, id] = [resource.parents.at(-1)?.resource, texts.at(-1)];
  if (parent === undefined || id === undefined) return undefined;
  const collection = {
    session: request.session,
    name: collectionName(parent, texts.slice(0, -1)),
  };
  return whenReady(getRecord(collection, id, store), (found) => found?.record);
}

function refusalOf(
  record: JsonObject,
  { holder, allowed: { field, others, values }, code }: Restriction,
): Fault | undefined {
  const state = String(record[field] ?? '');
  if (!others.includes(state)) return undefined;
  const message =
    `The record of ${holder.name} has the ${field} ${quoteExcerpt(state)}, and the contract ` +
    `allows this only in ${values.map(quoteExcerpt).join(' or ')}.`;
  return makeFault('state', code, message);
}
