import type { Taking } from '../../contract/words/read-takings.ts';
import { readAddress } from '../../contract/infer/read-address.ts';
import type { Resource } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Collection, Store } from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import { collectionName } from '../records/collection-name.ts';
import { collectionOf, findRecord, getRecord, textOf } from '../records/find-record.ts';
import { conditionsBelow, parentTexts } from '../records/parent-fields.ts';
import { visible } from '../records/show/present-record.ts';

/**
 * An action that takes from a number of other records what the parts of its record ask for, such as
 * the stock of products, or gives back what was taken.
 */
export function taking(act: Behaviour): Behaviour {
  return async (request, resource, store) => {
    const takings = request.plan.takings();
    if (takings.length === 0) return act(request, resource, store);
    const found = await findRecord(request, resource, store);
    const reply = await act(request, resource, store);
    if (reply.kind === 'fault' || found.kind === 'fault') return reply;
    for (const one of takings) {
      const move = { request, resource, id: found.id, taking: one };
      await (request.plan.operation === one.take.operation ? take : giveBack)(move, store);
    }
    return reply;
  };
}

interface Move {
  readonly request: ValidRequest;
  readonly resource: Resource;
  readonly id: string;
  readonly taking: Taking;
}

/** Where a record keeps what it took, by the identifiers of what it took from. */
function keptTaking({ request, resource, id }: Move): { collection: Collection; id: string } {
  const { session, name } = collectionOf(request, resource);
  return { collection: { session, name: `${name} (taken)` }, id };
}

/** Takes what the parts of a record ask for, unless it has taken it before. */
async function take(move: Move, store: Store): Promise<void> {
  const { request, resource, taking: one } = move;
  const kept = keptTaking(move);
  if ((await store.get(kept.collection, kept.id)) !== undefined) return;
  const above = [...parentTexts(request, resource), move.id];
  const parts = await store.query(
    { session: request.session, name: collectionName(one.part, above) },
    { where: conditionsBelow(above, one.part), order: [], offset: 0 },
  );
  const taken: Record<string, number> = {};
  for (const { record } of parts?.records ?? []) {
    const [id, asked] = [namedBy(record[one.member] ?? null, one.target), record[one.amount]];
    if (typeof asked !== 'number' || !(await add(move, { id, number: -asked }, store))) continue;
    taken[id] = (taken[id] ?? 0) + asked;
  }
  await store.insert(kept.collection, { id: kept.id, record: taken });
}

/** Gives back what a record has taken. */
async function giveBack(move: Move, store: Store): Promise<void> {
  const { collection, id: holder } = keptTaking(move);
  const taken = (await store.get(collection, holder)) ?? {};
  await store.delete(collection, holder);
  for (const [id, number] of Object.entries(taken))
    if (typeof number === 'number') await add(move, { id, number }, store);
}

/** Adds to the number of a record; false if it has none that may be so. */
async function add(
  { request: { session }, taking: { target, field } }: Move,
  { id, number }: { readonly id: string; readonly number: number },
  store: Store,
): Promise<boolean> {
  const collection = { session, name: target.collection };
  const found = await getRecord(collection, id, store);
  const held = found?.record[field];
  if (found === undefined || typeof held !== 'number') return false;
  const record = { ...found.record, [field]: held + number };
  if (target.record.validate(visible(record), 'response').length > 0) return false;
  return store.replace(collection, { id: found.id, record });
}

/** The identifier in a reference, which may be an address. */
function namedBy(reference: JsonValue, { itemPath = '' }: Resource): string {
  const text = textOf(reference);
  return [...(readAddress(itemPath, text)?.values() ?? [])].at(0) ?? text;
}
