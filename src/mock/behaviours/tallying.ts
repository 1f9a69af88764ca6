import { isJsonArray, isJsonObject, type JsonObject } from '../../json/value.ts';
import { valueAt } from '../../json/pointer.ts';
import type { Resource } from '../../contract/model.ts';
import type { Store } from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import type { OperationPlan } from '../model/operation-plan.ts';
import type { Reply } from '../model/reply.ts';
import { findRecord, textOf } from '../records/find-record.ts';
import { parentTexts } from '../records/parent-fields.ts';
import { ownerIn, retally, type Whole, wholesOf } from '../records/tallies.ts';

/** A change after which the records that count or sum up the changed ones do so anew. */
export function tallying(change: Behaviour): Behaviour {
  return (request, resource, store) => {
    const wholes = request.plan.derive(wholesIn);
    return wholes.length === 0
      ? change(request, resource, store)
      : changeAndTally(change, { request, resource, store, wholes });
  };
}

function wholesIn({ role, resources }: OperationPlan): readonly Whole[] {
  return role === undefined ? [] : wholesOf(role.resource, resources());
}

interface Tallied {
  readonly request: ValidRequest;
  readonly resource: Resource;
  readonly store: Store;
  readonly wholes: readonly Whole[];
}

async function changeAndTally(change: Behaviour, tallied: Tallied): Promise<Reply | Fault> {
  const { request, resource, store, wholes } = tallied;
  const before = await recordBefore(tallied);
  const reply = await change(request, resource, store);
  if (reply.kind === 'fault') return reply;
  const touched = [...before, ...recordsIn(reply), ...entriesOf(request)];
  const texts = parentTexts(request, resource);
  for (const whole of wholes) {
    const isAbove = resource.parents.at(-1)?.resource?.collection === whole.resource.collection;
    const ids = isAbove
      ? texts.slice(-1)
      : whole.resource.parents.length > 0
        ? []
        : ownersOf(touched, resource, whole.resource);
    const above = isAbove ? texts.slice(0, -1) : [];
    for (const id of ids) await retally(whole, { session: request.session, above, id }, store);
  }
  return reply;
}

/** The record that the request changes, while it is as it was. */
async function recordBefore({ request, resource, store }: Tallied): Promise<JsonObject[]> {
  if (request.plan.recordParameter === undefined) return [];
  const found = await findRecord(request, resource, store);
  return found.kind === 'found' ? [found.record] : [];
}

function recordsIn({ state, body }: Reply): JsonObject[] {
  const record = state ?? body;
  return record !== undefined && isJsonObject(record) ? [record] : [];
}

/** The entries of a request for several records. */
function entriesOf({ body, plan: { role } }: ValidRequest): JsonObject[] {
  const entries = role?.batch === undefined ? undefined : valueAt(body, role.batch.records);
  return entries !== undefined && isJsonArray(entries) ? entries.filter(isJsonObject) : [];
}

function ownersOf(parts: readonly JsonObject[], child: Resource, owner: Resource): string[] {
  const ids = parts.flatMap((part) => ownerIn(part, child, owner) ?? []);
  return [...new Set(ids.map(textOf))];
}
