import { groupsOf } from '../../contract/infer/record-view.ts';
import type { RecordLayout, Resource } from '../../contract/model.ts';
import type { Projection } from '../../contract/protocols/projection.ts';
import { projectionsOf, readProjection } from '../../contract/protocols/projection.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../json/value.ts';
import { whenReady } from '../../store/store.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { nameParameter } from '../errors/describe-issue.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import { type Fault, makeFault } from '../model/fault.ts';
import { editRecords } from '../records/show/edit-records.ts';
import { parameterKey } from '../request/read-request.ts';

/**
 * A behaviour whose response shows of each record the fields that the request asks for, and what
 * identifies it (JSON:API 1.1, section 6.4; AIP-157).
 */
export function projected(behave: Behaviour): Behaviour {
  return (request, resource, store) => {
    const asked = askedFields(request, resource);
    const stray = asked && strayField(request, resource, asked);
    if (stray !== undefined) return stray;
    const reply = behave(request, resource, store);
    if (asked === undefined) return reply;
    return whenReady(reply, (made) => {
      if (made.kind === 'fault' || made.body === undefined || request.content?.form !== 'json')
        return made;
      const { state = made.body } = made;
      const body = editRecords(made.body, request, resource, partOf(resource, asked));
      // The whole is valid; its part may lack what the contract requires of the whole.
      return { ...made, state, body, bytes: encoder.encode(stringifyJson(body)) };
    });
  };
}

const encoder = new TextEncoder();

function askingOf(
  { plan: { operation } }: ValidRequest,
  resource: Resource,
): Projection | undefined {
  return projectionsOf(resource).find((one: Projection) => one.operation === operation);
}

/** The fault for a name that is no field, where the standard has it refused. */
function strayField(
  request: ValidRequest,
  resource: Resource,
  asked: ReadonlySet<string>,
): Fault | undefined {
  const { refusesUnknown = false, parameter } = askingOf(request, resource) ?? {};
  const { properties } = resource.record.flatten();
  const stray = [...asked].find((name) => !properties.has(name));
  if (!refusesUnknown || parameter === undefined || stray === undefined) return undefined;
  const { name } = parameter;
  const message =
    `${nameParameter({ location: 'query', name })} names ${quoteExcerpt(stray)}, which is no ` +
    'field of a record.';
  return makeFault('parameter-value', 'invalid_value', message, {
    issues: [{ location: 'query', name, rule: 'projection', message }],
  });
}

/** The fields that a request asks for; undefined if it asks for all. */
function askedFields(request: ValidRequest, resource: Resource): ReadonlySet<string> | undefined {
  const { parameters } = request;
  const asking = askingOf(request, resource);
  const value = asking && parameters.get(parameterKey(asking.parameter));
  const names = asking === undefined || value === undefined ? [] : readProjection(asking, value);
  if (names.length === 0 || names.includes('*')) return undefined;
  // Where others may be shown too, those are that the contract requires.
  const required = asking?.isStrict === true ? [] : resource.record.flatten().required;
  return new Set([...names, ...required]);
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
