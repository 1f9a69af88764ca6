import { type NamedList, namedListsOf } from '../../contract/infer/named-lists.ts';
import { addedOf } from '../../contract/infer/infer-flags.ts';
import { toldOf } from '../../contract/infer/told-parts.ts';
import type { Resource } from '../../contract/model.ts';
import { doneCode, unknownCode } from '../../contract/words/error-codes.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, memberOf } from '../../json/value.ts';
import type { Collection, MaybePromise, Store, StoredRecord } from '../../store/store.ts';
import type { Acting, Asking, ValidRequest } from '../model/request.ts';
import { type Fault, makeFault } from '../model/reply.ts';
import type { Convention } from '../phases.ts';
import { collectionOf, findRecord, getRecord, textOf } from '../records/find-record.ts';
import { recordsWhere } from '../records/collections-below.ts';
import { collectionName, type Kept } from '../records/collection-name.ts';
import { parentTexts } from '../records/parent-fields.ts';
import { parameterKey } from '../request/read-request.ts';
import { readAs } from './tried.ts';

/** The names in a list below the record with an identifier, in the order of their adding. */
async function namesBelow(
  list: NamedList,
  { collection, id }: Kept,
  store: Store,
): Promise<JsonArray> {
  const found = await store.get(keptIn(list, collection), id);
  const items = found?.['items'];
  if (isJsonArray(items)) return items;
  const first = list.beginsWithCaller
    ? await firstOf(list.target, collection.session, store)
    : undefined;
  return first === undefined ? [] : [first];
}

function keptIn({ noun }: NamedList, { session, name }: Collection): Collection {
  return { session, name: `${name} (${noun})` };
}

/** The identifier of the first record of a resource, as whom the mock takes the caller. */
export async function firstOf(
  resource: Resource,
  session: string,
  store: Store,
): Promise<JsonValue | undefined> {
  const collection = { session, name: resource.collection };
  const [first] = await recordsWhere(store, collection, [], 1);
  return first?.record[resource.identifier.field];
}

/** The names that an operation of no resource shows; undefined if it shows no such list. */
export function namesShown({ request, store }: Asking): MaybePromise<JsonArray | undefined> {
  const { above, contract, operation } = request.plan;
  const list =
    above.length === 0 ? undefined : namedListsOf(contract).find(({ read }) => read === operation);
  const id = parentTexts(request, { parents: above }).at(-1);
  if (list === undefined || id === undefined) return undefined;
  return namesBelow(list, { collection: collectionAbove(request), id }, store);
}

/** The collection of the record in the path of an operation that belongs to no resource. */
export function collectionAbove(request: ValidRequest): Collection {
  const { above } = request.plan;
  const resource = above.at(-1)?.resource;
  const texts = parentTexts(request, { parents: above.slice(0, -1) });
  const name = resource === undefined ? '' : collectionName(resource, texts);
  return { session: request.session, name };
}

/**
 * An action that adds to a list of names: refused for a name of no record, and for one that the
 * list has, where codes say so; then nothing is added.
 */
export const addingNames: Convention = ({ contract, operation }, resource) => {
  const list = namedListsOf(contract).find(({ adds }) =>
    adds.some((add) => add.operation === operation),
  );
  if (list === undefined) return undefined;
  const keptBy = async (on: Acting): Promise<Kept | Fault> => {
    const found = await findRecord(on);
    if (found.kind === 'fault') return found;
    return { collection: collectionOf(on.request, resource), id: found.id };
  };
  return {
    before: async (on) => {
      const kept = await keptBy(on);
      if ('kind' in kept) return kept;
      const before = await namesBelow(list, kept, on.store);
      return refusedNames(namedIn(on.request, list), before, list, on);
    },
    after: async (_reply, on): Promise<undefined> => {
      const kept = await keptBy(on);
      if ('kind' in kept) return;
      const before = await namesBelow(list, kept, on.store);
      const items = [...new Set([...before, ...namedIn(on.request, list)])];
      const stored = { id: kept.id, record: { items } };
      const collection = keptIn(list, kept.collection);
      if (!(await on.store.replace(collection, stored))) await on.store.insert(collection, stored);
    },
  };
};

/** The names in a request: one, several with commas between them, or a list. */
function namedIn({ body = null, plan }: ValidRequest, { adds }: NamedList): string[] {
  const member = adds.find(({ operation }) => operation === plan.operation)?.member ?? '';
  const value = memberOf(body, member);
  if (value === undefined) return [];
  return isJsonArray(value)
    ? value.map(textOf)
    : textOf(value)
        .split(',')
        .map((one) => one.trim());
}

async function refusedNames(
  names: readonly string[],
  before: JsonArray,
  list: NamedList,
  { request, store }: Asking,
): Promise<Fault | undefined> {
  const { operation } = request.plan;
  const collection = { session: request.session, name: list.target.collection };
  const unknown = unknownCode(operation, list.target.name.split('.').at(-1) ?? '')?.code;
  for (const name of unknown === undefined ? [] : names)
    if ((await getRecord(collection, name, store)) === undefined)
      return makeFault('state', unknown ?? '', `No record of ${list.target.name} is ${name}.`);
  const done = doneCode(operation)?.code;
  const again = names.find((name) => before.includes(name));
  return done === undefined || again === undefined
    ? undefined
    : makeFault('state', done, `${again} is in the list already.`);
}

/** Reads that show how many names a list below the record has, and fields only when asked to. */
export const countingNames: Convention = ({ contract, operation }, resource) => {
  const counts = namedListsOf(contract)
    .filter(({ whole }) => whole.collection === resource.collection)
    .flatMap((list) => toldOf(resource, list.noun).counts.map(({ field }) => ({ field, list })));
  const added = addedOf(resource).filter((one) => one.operation === operation);
  if (counts.length === 0 && added.length === 0) return undefined;
  return {
    select: ({ request, store }) => {
      const hidden = added.flatMap(({ parameter, field }) =>
        request.parameters.get(parameterKey(parameter)) === true ? [] : [field],
      );
      const asked = counts.filter(({ field }) => !hidden.includes(field));
      if (hidden.length === 0 && asked.length === 0) return store;
      const collection = collectionOf(request, resource);
      const show = async ({ id, record }: StoredRecord): Promise<JsonObject> => {
        const kept = Object.entries(record).filter(([name]) => !hidden.includes(name));
        const numbers = await Promise.all(
          asked.map(async ({ field, list }) => {
            const names = await namesBelow(list, { collection, id }, store);
            return [field, names.length] as const;
          }),
        );
        return { ...Object.fromEntries(kept), ...Object.fromEntries(numbers) };
      };
      return showing(store, collection.name, show);
    },
  };
};

/** A store that shows the records of a collection in another form. */
function showing(
  store: Store,
  name: string,
  show: (stored: StoredRecord) => Promise<JsonObject>,
): Store {
  return readAs(store, {
    get: async (collection, id) => {
      const record = await store.get(collection, id);
      return record === undefined || collection.name !== name ? record : show({ id, record });
    },
    query: async (collection, query) => {
      const found = await store.query(collection, query);
      if (found === undefined || collection.name !== name) return found;
      const records = await Promise.all(
        found.records.map(async (stored) => ({ id: stored.id, record: await show(stored) })),
      );
      return { ...found, records };
    },
  });
}
