import { lastWord } from '../../contract/infer/conventions/path-styles.ts';
import { singularOf } from '../../contract/infer/infer-names.ts';
import { openedRecord, openedSchema } from '../../contract/infer/record-view.ts';
import type { Resource } from '../../contract/model.ts';
import { barredChanges } from '../../contract/words/read-moves.ts';
import { stateWithout } from '../../contract/words/read-states.ts';
import { fieldValue } from '../../store/field-values.ts';
import type { Acting } from '../model/request.ts';
import { type Fault, makeFault } from '../model/reply.ts';
import type { Convention } from '../phases.ts';
import { findRecord, getRecord, textOf } from '../records/find-record.ts';
import { givenMembers } from '../records/make/request-members.ts';

/**
 * A create that is refused while the record to which the new one refers is in a state in which it
 * has none, as the contract says: `A draft has no reviews (409).`
 */
export const unlessWithout: Convention = ({ operation }, { foreignKeys, collectionPath }) => {
  const closed = foreignKeys.flatMap(({ field: key, resource: holder, many }): Closed[] => {
    const noun = singularOf(lastWord(collectionPath));
    const found = many ? undefined : stateWithout(operation, statefulOf(holder), noun);
    return found === undefined ? [] : [{ key, holder, ...found }];
  });
  if (closed.length === 0) return undefined;
  return {
    before: async (on) => {
      for (const one of closed) {
        const refusal = await refusalBy(one, on);
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    },
  };
};

/** The state of a record, to which a field refers, in which it has no such parts. */
interface Closed {
  readonly key: string;
  readonly holder: Resource;
  readonly field: string;
  readonly value: string;
}

async function refusalBy(
  { key, holder, field, value }: Closed,
  { request, resource, store }: Acting,
): Promise<Fault | undefined> {
  const id = fieldValue(givenMembers(request, resource), key);
  if (id === undefined || holder.parents.length > 0) return undefined;
  const collection = { session: request.session, name: holder.collection };
  const found = await getRecord(collection, textOf(id), store);
  if (found === undefined) return undefined;
  const message = `The record of ${holder.name} has the ${field} ${value}: it has no such parts.`;
  return openedRecord(holder.record, found.record)[field] === value
    ? makeFault('state', 'conflict', message)
    : undefined;
}

/** A change that is refused for the state from which, and that to which, it would bring a record. */
export const unlessBarred: Convention = ({ operation }, resource) => {
  const barred = barredChanges(operation, statefulOf(resource));
  if (barred.length === 0) return undefined;
  return {
    before: async (on) => {
      const found = await findRecord(on);
      const own = found.kind === 'found' ? openedRecord(resource.record, found.record) : {};
      const given = openedRecord(resource.record, givenMembers(on.request, resource));
      const refused = barred.find(
        ({ field, from, to }) => own[field] === from && given[field] === to,
      );
      if (refused === undefined) return undefined;
      const { field, from, to } = refused;
      const whose = `A record of ${resource.name} whose ${field} is ${from}`;
      return makeFault('state', 'conflict', `${whose} does not become ${to}.`);
    },
  };
};

/** A resource by the fields of its records, which they may keep in a group. */
function statefulOf({
  record,
  collectionPath,
}: Resource): Pick<Resource, 'record' | 'collectionPath'> {
  return { record: openedSchema(record) ?? record, collectionPath };
}
