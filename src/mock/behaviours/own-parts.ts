import type { OwnParts } from '../../contract/infer/own-kind.ts';
import { toldOf } from '../../contract/infer/told-parts.ts';
import type { Resource } from '../../contract/model.ts';
import { unknownCode } from '../../contract/words/error-codes.ts';
import { type JsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import { whenReady } from '../../store/store.ts';
import type { Acting } from '../model/request.ts';
import { makeFault } from '../model/reply.ts';
import type { Convention } from '../phases.ts';
import { among, recordsWhere } from '../records/collections-below.ts';
import {
  collectionOf,
  findRecord,
  getRecord,
  textOf,
  withEarlier,
} from '../records/find-record.ts';
import { shapeOf } from '../records/record-fields.ts';
import { visible } from '../records/show/present-record.ts';

/** A list of the parts of one record: there are none of a record that does not exist. */
export const ofOne: Convention = ({ role }) =>
  role?.partsOfOne && {
    before: (on) =>
      whenReady(findRecord(on), (found) => (found.kind === 'fault' ? found : undefined)),
  };

/**
 * A change of a record that names another one of its kind, after which that one tells of its parts:
 * how many there are, and which is the last. Refused where the other one does not exist, and a code
 * says so.
 */
export const tellingWhole: Convention = ({ role, operation }, resource) => {
  const { ownParts: own, action } = role ?? {};
  if (own === undefined) return undefined;
  const { field } = own;
  const code = unknownCode(operation, field, resource.identifier.field)?.code;
  const namedIn = ({ request: { body = null }, earlier }: Acting): JsonValue | undefined => {
    const record = action === 'create' ? body : (earlier ?? null);
    return memberOf(record, field) ?? undefined;
  };
  return {
    before: async (on) => {
      if (action !== 'create') return withEarlier(on);
      const named = namedIn(on);
      if (named === undefined || code === undefined) return undefined;
      const collection = collectionOf(on.request, resource);
      if ((await getRecord(collection, textOf(named), on.store)) !== undefined) return undefined;
      const message = `No record of ${resource.name} is ${textOf(named)}, which ${field} names.`;
      const issue = { location: 'body', name: field, rule: 'reference', message } as const;
      return makeFault('reference', code, message, { issues: [issue] });
    },
    after: (_reply, on) => {
      const named = namedIn(on);
      return named === undefined ? undefined : tell(named, own, on);
    },
  };
};

/** Writes anew what a record tells of its parts. */
async function tell(
  named: JsonValue,
  own: OwnParts,
  { request, resource, store }: Acting,
): Promise<undefined> {
  const collection = collectionOf(request, resource);
  const whole = await getRecord(collection, textOf(named), store);
  if (whole === undefined) return;
  const parts = await recordsWhere(store, collection, [among(own.field, [named])]);
  const last = parts.at(-1)?.record[resource.identifier.field];
  const record = told(whole.record, { resource, noun: own.noun, count: parts.length, last });
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
