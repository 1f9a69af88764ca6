import { groupsOf } from '../../contract/infer/record-view.ts';
import type { RecordLayout, Resource } from '../../contract/model.ts';
import type { Projection } from '../../contract/protocols/projection.ts';
import { projectionsOf, readProjection } from '../../contract/protocols/projection.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonObject, mapMembers, membersWhere } from '../../json/value.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { valueFault } from '../errors/describe-issue.ts';
import type { Acting } from '../model/request.ts';
import type { Fault } from '../model/reply.ts';
import type { Convention } from '../phases.ts';
import { withRecords } from '../records/show/edit-records.ts';
import { parameterKey } from '../request/read-request.ts';

/**
 * A response shows of each record the fields that the request asks for, and what identifies it
 * (JSON:API 1.1, section 6.4; AIP-157). The whole is valid; its part may lack what the contract
 * requires of the whole.
 */
export const projected: Convention = ({ operation }, resource) => {
  const asking = projectionsOf(resource).find((one: Projection) => one.operation === operation);
  if (asking === undefined) return undefined;
  const flat = resource.record.flatten();
  const askedIn = ({ request }: Acting): ReadonlySet<string> | undefined => {
    const value = request.parameters.get(parameterKey(asking.parameter));
    const names = value === undefined ? [] : readProjection(asking, value);
    if (names.length === 0 || names.includes('*')) return undefined;
    // Where others may be shown too, those are that the contract requires.
    return new Set([...names, ...asking.always, ...(asking.isStrict ? [] : flat.required)]);
  };
  return {
    before: (on) => {
      const stray = [...(askedIn(on) ?? [])].find((name) => !flat.properties.has(name));
      return stray === undefined || !asking.refusesUnknown ? undefined : strayField(asking, stray);
    },
    show: (reply, on) => {
      const asked = askedIn(on);
      return asked && withRecords(reply, on, partOf(resource, asked));
    },
  };
};

/** The fault for a name that is no field, where the standard has it refused. */
function strayField({ parameter: { name } }: Projection, stray: string): Fault {
  const why = `names ${quoteExcerpt(stray)}, which is no field of a record`;
  return valueFault(name, 'projection', why);
}

/** The part of each record of a resource that has some of its fields, and what identifies it. */
export function partOf(
  { record, identifier }: Resource,
  asked: ReadonlySet<string>,
): (record: JsonObject) => JsonObject {
  const layout = groupsOf(record);
  if (layout !== undefined) return (whole) => groupedPart(whole, layout, asked);
  return (whole) => chosen(whole, new Set([identifier.field, ...asked]));
}

/** The members of an object that are asked for, some of which only in part: `owner.name`. */
function chosen(whole: JsonObject, asked: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    Object.entries(whole).flatMap(([name, member]): [string, JsonValue][] => {
      if (asked.has(name)) return [[name, member]];
      const inner = [...asked].flatMap((path) =>
        path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : [],
      );
      if (inner.length === 0 || !isJsonObject(member)) return [];
      return [[name, chosen(member, new Set(inner))]];
    }),
  );
}

/** The same of a record that keeps its fields in groups. */
function groupedPart(
  whole: JsonObject,
  { group, relations }: RecordLayout,
  asked: ReadonlySet<string>,
): JsonObject {
  const isGroup = (name: string): boolean => name === group || name === relations?.member;
  return mapMembers(whole, (member, name) =>
    isGroup(name) && isJsonObject(member)
      ? membersWhere(member, (field) => asked.has(field))
      : member,
  );
}
