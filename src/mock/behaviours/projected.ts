import { recordPlace } from '../../contract/infer/conventions/envelope-styles.ts';
import { groupsOf } from '../../contract/infer/record-view.ts';
import type { RecordLayout, Resource } from '../../contract/model.ts';
import {
  type Projection,
  projectionsOf,
  readProjection,
} from '../../contract/protocols/projection.ts';
import { splitPointer } from '../../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../json/value.ts';
import { whenReady } from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import { parameterKey } from '../request/read-request.ts';

/**
 * A behaviour whose response shows of each record the fields that the request asks for, and what
 * identifies it (JSON:API 1.1, section 6.4; AIP-157).
 */
export function projected(behave: Behaviour): Behaviour {
  return (request, resource, store) => {
    const asked = askedFields(request, resource);
    const reply = behave(request, resource, store);
    if (asked === undefined) return reply;
    return whenReady(reply, (made) => {
      if (made.kind === 'fault' || made.body === undefined || request.content?.form !== 'json')
        return made;
      const { state = made.body } = made;
      const body = editAt(made.body, placeOf(request, resource), partOf(resource, asked));
      // The whole is valid; its part may lack what the contract requires of the whole.
      return { ...made, state, body, bytes: encoder.encode(stringifyJson(body)) };
    });
  };
}

const encoder = new TextEncoder();

/** The fields that a request asks for; undefined if it asks for all. */
function askedFields(
  { plan: { operation }, parameters }: ValidRequest,
  resource: Resource,
): ReadonlySet<string> | undefined {
  const asking = projectionsOf(resource).find((one: Projection) => one.operation === operation);
  const value = asking && parameters.get(parameterKey(asking.parameter));
  const names = asking === undefined || value === undefined ? [] : readProjection(asking, value);
  return names.length === 0 ? undefined : new Set(names);
}

/** The tokens of the place in a body where the records are, or the one record. */
function placeOf({ plan: { operation } }: ValidRequest, resource: Resource): string[] {
  return splitPointer(
    operation === resource.operations.list
      ? (resource.list?.records ?? '')
      : (recordPlace(operation, resource.record)?.at ?? ''),
  );
}

function editAt(
  value: JsonValue,
  [token, ...rest]: readonly string[],
  edit: (record: JsonObject) => JsonObject,
): JsonValue {
  if (token === undefined) {
    if (isJsonArray(value)) return value.map((item) => editAt(item, [], edit));
    return isJsonObject(value) ? edit(value) : value;
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, token)) return value;
  return { ...value, [token]: editAt(value[token] ?? null, rest, edit) };
}

function partOf(
  { record, identifier }: Resource,
  asked: ReadonlySet<string>,
): (record: JsonObject) => JsonObject {
  const layout = groupsOf(record);
  if (layout !== undefined) return (whole) => groupedPart(whole, layout, asked);
  return (whole) => pick(whole, (name) => asked.has(name) || name === identifier.field);
}

/** The same of a record that keeps its fields in groups. */
function groupedPart(
  whole: JsonObject,
  { group, relations }: RecordLayout,
  asked: ReadonlySet<string>,
): JsonObject {
  const isGroup = (name: string): boolean => name === group || name === relations?.member;
  return Object.fromEntries(
    Object.entries(whole).map(([name, member]) => [
      name,
      isGroup(name) && isJsonObject(member) ? pick(member, (field) => asked.has(field)) : member,
    ]),
  );
}

function pick(whole: JsonObject, isWanted: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => isWanted(name)));
}
