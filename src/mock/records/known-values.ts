import type { Parent, Resource } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import type { SchemaField } from './schema-fields.ts';

/** The value of a field that can have but one: a constant, or an enumeration of one. */
export function onlyValue({ flat }: SchemaField): JsonValue | undefined {
  const { node } = flat;
  if (node.const !== undefined) return node.const;
  return node.enum?.length === 1 ? node.enum[0] : undefined;
}

const creation =
  /^(date|time)?(created|creation|inserted|added|registered|submitted|received|placed|sent|queued|posted|booked|issued|opened|granted|uploaded|joined|ordered|purchased|recorded|logged|reported|requested)(at|on|date|time|datetime|timestamp)?$|^(date)?timestamp$/;
const change =
  /^(date|time|last)?(updated|modified|changed|edited|modification|update)(at|on|date|time|datetime|timestamp)?$/;

/**
 * Whether a field says when a record was made, or last changed; undefined where it says neither.
 */
export function momentKind(field: SchemaField): MomentKind {
  if (!moments.has(field)) moments.set(field, readMoment(field));
  return moments.get(field);
}

/** What a moment is that of. */
export type MomentKind = 'creation' | 'change' | undefined;

/** Asked of every field of every record that is made. */
const moments = new WeakMap<SchemaField, MomentKind>();

function readMoment({ normalised, flat }: SchemaField): MomentKind {
  const { format } = flat.node;
  const isSeconds = format === 'unix-time' && flat.types.includes('integer');
  if (!(isSeconds || flat.types.includes('string')) || flat.node.enum !== undefined)
    return undefined;
  if (!isSeconds && format !== undefined && format !== 'date-time' && format !== 'date')
    return undefined;
  // Without a format, a name such as `added` may hold anything; one that ends in a preposition or a
  // noun of time does not.
  if (format === undefined && !/(at|on|date|time|timestamp)$/.test(normalised)) return undefined;
  if (creation.test(normalised)) return 'creation';
  return change.test(normalised) ? 'change' : undefined;
}

/** The moment as a field of this format holds it: in UTC (RFC 3339), or as seconds since 1970. */
export function writeMoment({ flat }: SchemaField, now: Date): string | number {
  if (flat.node.format === 'unix-time') return Math.floor(now.getTime() / 1000);
  return flat.node.format === 'date' ? now.toISOString().slice(0, 10) : now.toISOString();
}

/** Whether a field is the identifier of what it stands in, by its name alone. */
export function isIdentifierName({ normalised }: SchemaField): boolean {
  return /^(id|uuid|guid)$/.test(normalised);
}

/** An integer as JSON holds it: exact beyond 2^53. */
export function toInteger(integer: bigint): number | bigint {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}

/** What a request is read for where its path names parents. */
export type PathRequest = Pick<ValidRequest, 'plan' | 'path' | 'parameters'>;

/** The texts by which a request's path names the parents of a resource, outermost first. */
export function parentTexts(
  request: PathRequest,
  { parents }: Pick<Resource, 'parents'>,
): string[] {
  return parents.map((parent) => parentText(request, parent));
}

function parentText(
  { plan, path, parameters }: PathRequest,
  { parameter, segment }: Parent,
): string {
  // The paths of one resource may call a parameter by several names: what counts is where it
  // stands.
  const name = plan.wholeSegments.find(([, index]) => index === segment)?.[0] ?? parameter;
  const value = parameters.get(`path ${name}`) ?? path.get(name) ?? '';
  return typeof value === 'string' ? value : String(value);
}
