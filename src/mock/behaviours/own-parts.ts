import { toldOf } from '../../contract/infer/told-parts.ts';
import type { Resource } from '../../contract/model.ts';
import { unknownCode } from '../../contract/words/error-codes.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Store } from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import { type Fault, makeFault } from '../model/fault.ts';
import { collectionOf, findRecord, getRecord, textOf } from '../records/find-record.ts';
import { shapeOf } from '../records/record-fields.ts';
import { visible } from '../records/show/present-record.ts';

/** A list of the parts of one record: there are none of a record that does not exist. */
export function ofOne(list: Behaviour): Behaviour {
  return async (request, resource, store) => {
    if (request.plan.role?.partsOfOne === undefined) return list(request, resource, store);
    const found = await findRecord(request, resource, store);
    return found.kind === 'fault' ? found : list(request, resource, store);
  };
}

/**
 * A change of a record that names another one of its kind, after which that one tells of its parts:
 * how many there are, and which is the last. Refused where the other one does not exist, and a code
 * says so.
 */
export function tellingWhole(change: Behaviour): Behaviour {
  return async (request, resource, store) => {
    const { ownParts } = request.plan.role ?? {};
    if (ownParts === undefined) return change(request, resource, store);
    const named = await namedWhole(request, resource, store);
    const refusal = await unknownWhole(named, request, resource, store);
    if (refusal !== undefined) return refusal;
    const reply = await change(request, resource, store);
    if (reply.kind === 'reply' && named !== undefined) await tell(named, request, resource, store);
    return reply;
  };
}

/** What the record of a request names: the one in its body, or the one in its path. */
async function namedWhole(
  request: ValidRequest,
  resource: Resource,
  store: Store,
): Promise<JsonValue | undefined> {
  const field = request.plan.role?.ownParts?.field ?? '';
  const { body = null, plan } = request;
  if (plan.role?.action === 'create')
    return isJsonObject(body) ? (body[field] ?? undefined) : undefined;
  const found = await findRecord(request, resource, store);
  return found.kind === 'found' ? (found.record[field] ?? undefined) : undefined;
}

async function unknownWhole(
  named: JsonValue | undefined,
  request: ValidRequest,
  resource: Resource,
  store: Store,
): Promise<Fault | undefined> {
  const { operation, role } = request.plan;
  const field = role?.ownParts?.field ?? '';
  if (named === undefined || role?.action !== 'create') return undefined;
  const code = unknownCode(operation, field, resource.identifier.field)?.code;
  if (code === undefined) return undefined;
  const found = await getRecord(collectionOf(request, resource), textOf(named), store);
  if (found !== undefined) return undefined;
  const message = `No record of ${resource.name} is ${textOf(named)}, which ${field} names.`;
  const issue = { location: 'body', name: field, rule: 'reference', message } as const;
  return makeFault('reference', code, message, { issues: [issue] });
}

/** Writes anew what a record tells of its parts. */
async function tell(
  named: JsonValue,
  request: ValidRequest,
  resource: Resource,
  store: Store,
): Promise<void> {
  const own = request.plan.role?.ownParts;
  const collection = collectionOf(request, resource);
  const whole = await getRecord(collection, textOf(named), store);
  if (own === undefined || whole === undefined) return;
  const where = [{ op: 'in' as const, field: own.field, values: [named] }];
  const parts = await store.query(collection, { where, order: [], offset: 0 });
  const last = parts?.records.at(-1)?.record[resource.identifier.field];
  const record = told(whole.record, { resource, noun: own.noun, count: parts?.total ?? 0, last });
  if (resource.record.validate(visible(record), 'response').length === 0)
    await store.replace(collection, { id: whole.id, record });
}

interface Parts {
  readonly resource: Resource;
  readonly noun: string;
  readonly count: number;
  readonly last: JsonValue | undefined;
}

/** A record with what it tells of its parts; of none, what it need not have is left out. */
function told(record: JsonObject, { resource, noun, count, last }: Parts): JsonObject {
  const { counts, lasts } = toldOf(resource, noun);
  const { fields } = shapeOf(resource);
  const isKept = (name: string): boolean => count > 0 || fields.get(name)?.required === true;
  const all: (readonly [string, JsonValue])[] = [
    ...counts.map(({ field }) => [field, count] as const),
    ...lasts.map((field) => [field, last ?? null] as const),
  ];
  const names = new Set(all.map(([name]) => name));
  const others = Object.entries(record).filter(([name]) => !names.has(name));
  return Object.fromEntries([...others, ...all.filter(([name]) => isKept(name))]);
}
