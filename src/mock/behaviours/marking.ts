import { itemSchema } from '../../contract/schema/member-schema.ts';
import { lastWord } from '../../contract/infer/conventions/path-styles.ts';
import { actionOfWord } from '../../contract/infer/conventions/verb-styles.ts';
import { plainName } from '../../contract/infer/infer-names.ts';
import { resourceIdentifiedBy } from '../../contract/infer/shared-identifiers.ts';
import type { Resource } from '../../contract/model.ts';
import { bodySchema } from '../../contract/model/operation.ts';
import { doneCode, nothingCode } from '../../contract/words/error-codes.ts';
import { equalJson } from '../../json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, objectOf, arrayOf } from '../../json/value.ts';
import { changeAtomically } from '../../store/watched-store.ts';
import type { Asking, OperationPlan } from '../model/request.ts';
import { type Fault, makeFault } from '../model/reply.ts';
import type { Convention } from '../phases.ts';
import { getRecord } from '../records/find-record.ts';
import { parentTexts } from '../records/parent-fields.ts';
import { fieldsOf, type SchemaFields, shapeOf } from '../records/record-fields.ts';
import { visible } from '../records/show/present-record.ts';
import { collectionAbove, firstOf } from './named-lists.ts';

/**
 * Marks that a record lists with who set them and how many did: `reactions: [{ name, users, count
 * }]`, which an operation below the record adds, and another one removes.
 */
interface Marks {
  readonly does: 'add' | 'remove';
  readonly resource: Resource;
  /** The list of the record, and the members of an entry that a request names. */
  readonly field: string;
  readonly named: readonly string[];
  /** The member of an entry that lists who set it, and the one that counts them. */
  readonly by: string;
  readonly callers: Resource;
  readonly count: string | undefined;
}

/** The marks that an operation of no resource adds or removes; undefined if it does neither. */
function marksOf({ operation, above, contract }: OperationPlan): Marks | undefined {
  const resource = above.at(-1)?.resource;
  const body = bodySchema(operation);
  const [, word, verb] = /^([^.]+)\.([^.]+)$/.exec(lastWord(operation.path)) ?? [];
  const action = actionOfWord(verb ?? '');
  const does = action === 'create' ? 'add' : action === 'delete' ? 'remove' : undefined;
  if (resource === undefined || body === undefined || word === undefined || does === undefined)
    return undefined;
  const list = [...shapeOf(resource).fields.values()].find(
    ({ name, flat }) => plainName(name) === plainName(word) && flat.types.includes('array'),
  );
  const entry = list && itemSchema(list.schema);
  const fields: SchemaFields = entry === undefined ? new Map() : fieldsOf(entry);
  const named = [...fieldsOf(body).keys()];
  if (list === undefined || named.length === 0 || !named.every((name) => fields.has(name)))
    return undefined;
  const others = [...fields.values()].filter(({ name }) => !named.includes(name));
  const [by, ...more] = others.flatMap(({ name, schema }) => {
    const item = itemSchema(schema);
    const callers = item && resourceIdentifiedBy(item, item, contract.resources);
    return callers === undefined ? [] : [{ by: name, callers }];
  });
  const count = others.find(({ flat }) => flat.types.join() === 'integer')?.name;
  if (by === undefined || more.length > 0) return undefined;
  return { does, resource, field: list.name, named, count, ...by };
}

/** Adds or removes the mark of the caller. */
export const marking: Convention<Asking> = (plan) => {
  const marks = marksOf(plan);
  return (
    marks && {
      before: ({ request, store }) =>
        changeAtomically(store, (view) => mark(marks, { request, store: view })),
    }
  );
};

/** Adds or removes the mark of the caller; a fault if that is done already, and a code says so. */
async function mark(marks: Marks, { request, store }: Asking): Promise<Fault | undefined> {
  const { operation, above } = request.plan;
  const collection = collectionAbove(request);
  const found = await getRecord(
    collection,
    parentTexts(request, { parents: above }).at(-1) ?? '',
    store,
  );
  const caller = await firstOf(marks.callers, request.session, store);
  if (found === undefined || caller === undefined) return undefined;
  const kept = found.record[marks.field] ?? [];
  const entries = isJsonArray(kept) ? kept.filter(isJsonObject) : [];
  const given = objectOf(request.body);
  const before = markers(entries.find(isOf(given, marks)), marks);
  const isSet = before.some((one) => equalJson(one, caller));
  if (isSet === (marks.does === 'add')) {
    const code = (isSet ? doneCode(operation) : nothingCode(operation))?.code;
    const message = `The record ${isSet ? 'has' : 'does not have'} this mark of the caller.`;
    return code === undefined ? undefined : makeFault('state', code, message);
  }
  const now = isSet ? before.filter((one) => !equalJson(one, caller)) : [...before, caller];
  const record = withList(found.record, marks, entriesWith(now, entries, given, marks));
  if (marks.resource.record.validate(visible(record), 'response').length === 0)
    await store.replace(collection, { id: found.id, record });
  return undefined;
}

/** Whether an entry has the members that a request names. */
function isOf(given: JsonObject, { named }: Marks): (entry: JsonObject) => boolean {
  return (entry) => named.every((name) => equalJson(entry[name] ?? null, given[name] ?? null));
}

/** The entries in which the one that a request names is set by these; one of nobody is gone. */
function entriesWith(
  now: readonly JsonValue[],
  entries: readonly JsonObject[],
  given: JsonObject,
  marks: Marks,
): readonly JsonObject[] {
  const isIt = isOf(given, marks);
  const entry: JsonObject = {
    ...Object.fromEntries(marks.named.map((name) => [name, given[name] ?? null])),
    [marks.by]: now,
    ...(marks.count === undefined ? {} : { [marks.count]: now.length }),
  };
  const all = entries.some(isIt)
    ? entries.map((one) => (isIt(one) ? entry : one))
    : [...entries, entry];
  return all.filter((one) => markers(one, marks).length > 0);
}

function markers(entry: JsonObject | undefined, { by }: Marks): readonly JsonValue[] {
  const listed = entry?.[by] ?? [];
  return arrayOf(listed);
}

/** The record with its list, which is left out where it is empty and need not be there. */
function withList(
  record: JsonObject,
  { field, resource }: Marks,
  entries: readonly JsonObject[],
): JsonObject {
  const isNeeded = shapeOf(resource).fields.get(field)?.required === true;
  const others = Object.entries(record).filter(([name]) => name !== field);
  return entries.length === 0 && !isNeeded
    ? Object.fromEntries(others)
    : { ...record, [field]: entries };
}
