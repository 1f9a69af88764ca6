import { lastWord } from '../../contract/infer/conventions/path-styles.ts';
import { errorCodesOf } from '../../contract/words/error-codes.ts';
import {
  type AllowedStates,
  allowedStates,
  closedStates,
} from '../../contract/words/read-states.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import type { JsonObject } from '../../json/value.ts';
import { documentsRefusal, type Operation, type Resource } from '../../contract/model.ts';
import { bodySchema } from '../../contract/model/operation.ts';
import { type MaybePromise, whenReady } from '../../store/store.ts';
import type { Acting, Asking, OperationPlan } from '../model/request.ts';
import { type Fault, makeFault } from '../model/reply.ts';
import type { Convention } from '../phases.ts';
import { collectionName, parentCollection } from '../records/collection-name.ts';
import { findRecord, getRecord, textOf } from '../records/find-record.ts';
import { parentTexts } from '../records/parent-fields.ts';
import { partsOf } from '../records/tallies.ts';

/**
 * A change that is refused in the states of a record in which the contract does not allow it: `Only
 * draft invoices can be deleted`. It acts on the record in its path, or adds below it.
 */
export const inState: Convention = (plan, resource) => {
  const restricted = restrictionOf(plan, resource);
  if (restricted === undefined) return undefined;
  return {
    before: (on) =>
      whenReady(recordIn(on, restricted.holder === resource), (record) => {
        if (record === undefined) return undefined;
        const ofState = refusalOf(record, restricted);
        if (ofState !== undefined || restricted.without === undefined) return ofState;
        return heldParts(record, restricted, on);
      }),
  };
};

/** The refusal of a change below a record that is in a state in which the API refuses changes. */
export async function closedAbove({ request, store }: Asking): Promise<Fault | undefined> {
  const { plan, session } = request;
  const texts = parentTexts(request, { parents: plan.above });
  for (const [index, { resource }] of plan.above.entries()) {
    const isRead = plan.operation.method === 'GET';
    const closed = resource === undefined || isRead ? undefined : closedTo(plan, resource);
    if (resource === undefined || closed === undefined) continue;
    const name = parentCollection(plan.above, index, texts) ?? '';
    const found = await getRecord({ session, name }, texts[index] ?? '', store);
    const refusal = found && refusalOf(found.record, closed);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

interface Restriction {
  readonly holder: Resource;
  readonly field: string;
  /** The states in which the change is refused, and the code of the refusal. */
  readonly states: readonly string[];
  /** The field that counts what the record must have. */
  readonly needed?: string | undefined;
  /** The records below it of which it must have none. */
  readonly without?: Resource | undefined;
  readonly code: string;
}

function restrictionOf(plan: OperationPlan, resource: Resource): Restriction | undefined {
  const { operation, recordParameter } = plan;
  const parent = resource.parents.at(-1)?.resource;
  const holder = recordParameter === undefined ? parent : resource;
  if (holder === undefined) return undefined;
  const allowed = allowedStates(operation, holder);
  if (allowed === undefined)
    return closedTo(plan, holder) ?? (parent === undefined ? undefined : closedTo(plan, parent));
  const { field, others: states, fact } = allowed;
  const own = errorCodesOf(operation).find(({ code }) => code === fact.value);
  const needed = neededField(holder, allowed);
  const without = plan.contract.resources.find(
    ({ parents, collectionPath }) =>
      parents.at(-1)?.resource?.collection === holder.collection &&
      lastWord(collectionPath) === allowed.lacks,
  );
  return { holder, field, states, needed, without, code: own?.code ?? 'conflict' };
}

/** The field of a record that counts what an operation needs it to have. */
export function neededField(
  { counts }: Resource,
  { needs = '' }: Pick<AllowedStates, 'needs'>,
): string | undefined {
  return counts.find(({ child }) => child !== undefined && lastWord(child.collectionPath) === needs)
    ?.field;
}

/**
 * The state in which the API refuses all changes of a record, as its description says: `All other
 * calls get is_archived`. What sets the state itself is no such change, nor is a deletion.
 */
function closedTo(
  { operation, role, contract }: OperationPlan,
  holder: Resource,
): Restriction | undefined {
  const closed = closedStates(contract, holder).find(
    ({ field, isForAll }) =>
      isForAll && role?.deed?.sets?.field !== field && !mayBeSent(operation, field),
  );
  const isChange = operation.method !== 'DELETE' && documentsRefusal(operation, refusals);
  if (closed === undefined || !isChange) return undefined;
  return { holder, field: closed.field, states: [closed.value], code: closed.code };
}

/** Whether the body of a request may set a field. */
function mayBeSent(operation: Operation, field: string): boolean {
  const schema = bodySchema(operation);
  const place = schema?.flatten().properties.get(field);
  if (schema === undefined || place === undefined) return false;
  return schema.flatten(place).node.readOnly !== true;
}

/** The statuses of a refusal for the state of a record. */
const refusals = ['403', '409', '412', '423'];

/** The record on which a request acts: its own, or the one above that. */
export function recordIn(on: Acting, isOwn: boolean): MaybePromise<JsonObject | undefined> {
  if (isOwn)
    return whenReady(findRecord(on), (found) =>
      found.kind === 'found' ? found.record : undefined,
    );
  const { request, resource, store } = on;
  const texts = parentTexts(request, resource);
  const [parent, id] = [resource.parents.at(-1)?.resource, texts.at(-1)];
  if (parent === undefined || id === undefined) return undefined;
  const collection = { session: request.session, name: collectionName(parent, texts.slice(0, -1)) };
  return whenReady(getRecord(collection, id, store), (found) => found?.record);
}

function refusalOf(
  record: JsonObject,
  { holder, field, states, needed, code }: Restriction,
): Fault | undefined {
  if (needed !== undefined && Number(record[needed] ?? 0) === 0) {
    const message = `The record of ${holder.name} has the ${needed} 0, and it must have some.`;
    return makeFault('state', code, message);
  }
  const state = String(record[field] ?? '');
  if (!states.includes(state)) return undefined;
  const message =
    `The record of ${holder.name} has the ${field} ${quoteExcerpt(state)}, in which the contract ` +
    'does not allow this.';
  return makeFault('state', code, message);
}

/** The refusal of a change of a record that has parts and must have none. */
async function heldParts(
  record: JsonObject,
  { holder, without, code }: Restriction,
  { request, store }: Asking,
): Promise<Fault | undefined> {
  const id = record[holder.identifier.field];
  if (without === undefined || id === undefined) return undefined;
  const above = parentTexts(request, holder);
  const place = { session: request.session, above, id: textOf(id) };
  const parts = await partsOf(without, { resource: holder, place, record }, store);
  if (parts.length === 0) return undefined;
  const message = `The record of ${holder.name} has ${without.name}, and it must have none.`;
  return makeFault('state', code, message);
}
