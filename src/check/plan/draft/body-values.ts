import { boundaryValues } from '../../../values/boundary-values.ts';
import { exoticValues } from '../../../values/exotic-values.ts';
import { invalidValues } from '../../../values/invalid-values.ts';
import type { LabelledValue, ValueClass } from '../../../values/labelled-value.ts';
import { brokenOnWire } from '../../evidence/request/read-body.ts';
import { writeBody } from '../../request/write-body.ts';
import { rebase } from '../rebase.ts';
import { splitPointer } from '../../../json/pointer.ts';
import { brokenRules } from './broken-rules.ts';
import { chooseValues } from './choose-values.ts';
import { bodyOf, type DraftBody } from './draft-body.ts';
import { filesOf } from './with-files.ts';

/** What can be told apart in a body that nobody reads back, such as XML. */
const wholes: readonly ValueClass[] = ['required-only', 'all-optional', 'enum-value'];

/** Valid bodies at the edges of the schema of a draft's body, as far as its media type can say them. */
export function edgeBodies(body: DraftBody, most: number): LabelledValue[] {
  if (body.schema === undefined) return [];
  const edges = known.get(body) ?? sayable(boundaryValues(body.schema, 'request'), body);
  known.set(body, edges);
  return chooseValues(edges, most);
}

// Several phases ask for the edges of one body.
const known = new WeakMap<DraftBody, readonly LabelledValue[]>();

/** Valid bodies that nobody expects, a share of them for each place. */
export function oddBodies(body: DraftBody, most: number): LabelledValue[] {
  if (body.schema === undefined) return [];
  const files = new Set(filesOf(body.media));
  return spread(sayable(exoticValues(body.schema, 'request'), body).filter(({ at }) => !files.has(splitPointer(at)[0] ?? '')), most);
}

function sayable(values: readonly LabelledValue[], body: DraftBody): LabelledValue[] {
  return values.map((value) => rebase(value, body)).filter((value) => {
    const broken = rulesBroken(value, body);
    return broken === 'unread' ? wholes.includes(value.valueClass) : broken.length === 0;
  });
}

/** Bodies that break one rule of the schema, and still do so as they stand on the wire. */
export function invalidBodies(body: DraftBody, most: number): LabelledValue[] {
  if (body.schema === undefined) return [];
  const rebased = invalidValues(body.schema, 'request').map((value) => rebase(value, body));
  const seen = new Set<string>();
  const told = rebased.filter((value) => {
    const broken = rulesBroken(value, body);
    if (broken === 'unread' || broken.length === 0) return false;
    if (body.media.mediaType === body.mediaType && isJson(body)) return true;
    // In a form, several things that JSON tells apart are one text: null, "null" and the like.
    const written = Buffer.from(writeBody(bodyOf(body, value.value)).bytes).toString('latin1');
    return !seen.has(written) && seen.add(written).size > 0;
  });
  return chooseValues(told, most);
}

function isJson(body: DraftBody): boolean {
  return bodyOf(body, body.value).kind === 'json';
}

function rulesBroken({ value }: LabelledValue, body: DraftBody): readonly string[] | 'unread' {
  // JSON says on the wire what it says here.
  if (isJson(body)) return body.schema === undefined ? [] : brokenRules(body.schema, value).map(({ pointer }) => pointer);
  const { bytes, mediaType } = writeBody(bodyOf(body, value));
  return brokenOnWire(bytes, mediaType ?? body.mediaType, body.media);
}

/** A share of each place in turn, so that the first place does not take all that there is room for. */
export function spread(values: readonly LabelledValue[], most: number): LabelledValue[] {
  if (values.length <= most) return [...values];
  const byPlace = Map.groupBy(values, ({ at }) => at);
  const share = Math.max(1, Math.floor(most / byPlace.size));
  return [...byPlace.values()].flatMap((group, index) => rotate(group, index * share).slice(0, share)).slice(0, most);
}

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const start = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
