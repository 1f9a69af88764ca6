import { belongsTo } from '../../contract/infer/infer-shown-twice.ts';
import { lastWord } from '../../contract/infer/conventions/path-styles.ts';
import { singularOf } from '../../contract/infer/infer-names.ts';
import { recordFields } from '../../contract/infer/record-fields.ts';
import { bodySchema } from '../../contract/model/operation.ts';
import type { Resource } from '../../contract/model.ts';
import { namesLast } from '../../contract/words/names.ts';
import { countedState } from '../../contract/words/read-counts.ts';
import { stateCountsOf } from '../../contract/words/state-counts.ts';
import type { NamedState } from '../../contract/words/read-states.ts';
import { valueBy, formulasIn, sumsIn } from '../../contract/words/read-amounts.ts';
import { addDecimals, isDecimalText } from '../../json/decimal.ts';
import { equalJson } from '../../json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { remember } from '../../remember.ts';
import { fieldValue } from '../../store/field-values.ts';
import type { Store, StoredRecord } from '../../store/store.ts';
import { among, recordsWhere } from './collections-below.ts';
import { collectionName, isView } from './collection-name.ts';
import { getRecord, oncePerPlan } from './find-record.ts';
import type { OperationPlan } from '../model/request.ts';
import { conditionsBelow, withField } from './parent-fields.ts';
import { type SchemaField, shapeOf } from './record-fields.ts';
import { visible } from './show/present-record.ts';

/** A field that the parts of a record decide: how many there are, their sum, or the last one. */
export interface Tally {
  readonly field: string;
  /** The records that are parts of one. */
  readonly child: Resource;
  /** The field that is summed up. */
  readonly of?: string;
  /** Whether the sum is a decimal that is written as text. */
  readonly isText?: boolean;
  /** The state of the parts that alone are counted. */
  readonly only?: NamedState | undefined;
  /** Whether it names the last of the parts, and not their number. */
  readonly isLast?: true;
}

/** The counts and sums in the records of a resource. */
function talliesOf(resource: Resource, resources: readonly Resource[]): Tally[] {
  const counted = resource.counts.flatMap(({ field, child }) =>
    child === undefined ? [] : [{ field, child, only: countedState(resource, field, child) }],
  );
  const summed = sumsIn(resource, resources).map(({ field, ...sum }) => ({
    field: field.name,
    ...sum,
  }));
  const known = new Set(counted.map(({ field }) => field));
  const inState = stateCountsOf(resource, resources).filter(({ field }) => !known.has(field));
  return [...counted, ...inState, ...summed, ...lastsOf(resource, resources)];
}

/** The fields that name the last record below one, as the service sets them: `lastLineId`. */
function lastsOf(resource: Resource, resources: readonly Resource[]): Tally[] {
  const { create } = resource.operations;
  const sent = create && bodySchema(create)?.flatten().properties;
  const own = recordFields(resource.record).filter(
    ({ name, many, flat }) => !many && (flat.node.readOnly === true || sent?.has(name) !== true),
  );
  return resources
    .filter((child) => child.parents.at(-1)?.resource === resource)
    .flatMap((child) => {
      const noun = singularOf(lastWord(child.collectionPath));
      return own
        .filter(({ name, plain }) => !name.includes('.') && namesLast(plain, noun))
        .map(({ name }) => ({ field: name, child, isLast: true as const }));
    });
}

const tallied = oncePerPlan(
  ({ contract }, resource) =>
    new Map(talliesOf(resource, contract.resources).map((tally) => [tally.field, tally])),
);

/** What a record without parts has in a field that they decide; undefined if they do not. */
export function firstTally(
  { name, schema }: SchemaField,
  resource: Resource,
  plan: OperationPlan,
): string | number | null | undefined {
  const tally = tallied(plan, resource).get(name);
  return tally && noneOf(tally).find((none) => schema.accepts(none, 'response'));
}

/** What a record without parts may have in a field that they decide. */
function noneOf({ isText, isLast }: Tally): readonly (string | number | null)[] {
  if (isText === true) return ['0.00', '0.0', '0'];
  return isLast === true ? [null] : [0, '0'];
}

/** The records of one resource to which parts belong, and the numbers that these decide. */
export interface Whole {
  readonly resource: Resource;
  readonly tallies: readonly Tally[];
}

/** The resources whose records count or sum up those of a resource. */
export function wholesOf(
  { collection }: Resource,
  resources: readonly Resource[],
): readonly Whole[] {
  return allWholes(resources).flatMap(({ resource, tallies }) => {
    const own = tallies.filter(
      ({ child }) => child.collection === collection && belongsTo(child, resource),
    );
    return own.length === 0 ? [] : [{ resource, tallies: own }];
  });
}

const knownWholes = new WeakMap<readonly Resource[], readonly Whole[]>();

/** All resources whose records count or sum up others, which each operation asks for. */
function allWholes(resources: readonly Resource[]): readonly Whole[] {
  return remember(knownWholes, resources, () =>
    resources.flatMap((resource) => {
      const isKept = !isView(resource) && resource.kind === 'collection';
      const tallies = isKept ? talliesOf(resource, resources) : [];
      return tallies.length === 0 ? [] : [{ resource, tallies }];
    }),
  );
}

/** Where a record with tallies is: below these parents, outermost first. */
export interface WholePlace {
  readonly session: string;
  readonly above: readonly string[];
  readonly id: string;
}

/** Counts and sums up the parts of a record anew, and keeps what has changed. */
export async function retally(
  { resource, tallies }: Whole,
  place: WholePlace,
  store: Store,
): Promise<void> {
  const collection = { session: place.session, name: collectionName(resource, place.above) };
  const found = await getRecord(collection, place.id, store);
  if (found === undefined) return;
  const { id, record } = found;
  let changed: Record<string, JsonValue> = { ...record };
  for (const tally of tallies) {
    const value = await valueOf(tally, { resource, place: { ...place, id }, record }, store);
    if (value !== undefined) changed = withField(changed, tally.field.split('.'), value);
    else if (tally.isLast === true) delete changed[tally.field];
  }
  const computed = withComputed(changed, resource);
  const isValid = resource.record.validate(visible(computed), 'response').length === 0;
  if (isValid && !equalJson(computed, record))
    await store.replace(collection, { id, record: computed });
}

interface Holder {
  readonly resource: Resource;
  readonly place: WholePlace;
  readonly record: JsonObject;
}

async function valueOf(tally: Tally, holder: Holder, store: Store): Promise<JsonValue | undefined> {
  const { child, of, isLast, isText, only, field } = tally;
  const parts = await partsOf(child, holder, store);
  const { schema } = shapeOf(holder.resource).fields.get(field) ?? {};
  const none = noneOf(tally).find((value) => schema?.accepts(value, 'response') === true);
  if (isLast === true) return parts.at(-1)?.record[child.identifier.field] ?? none;
  const written = (count: number): JsonValue => (typeof none === 'string' ? String(count) : count);
  if (of === undefined)
    return written(
      parts.filter(({ record }) => only === undefined || record[only.field] === only.value).length,
    );
  const values = parts.map(({ record }) => record[of]);
  if (isText === true) return addDecimals([none, ...values].filter(isDecimalText));
  const sum = values.reduce<number>((total, value) => total + numberIn(value), 0);
  return Number.isSafeInteger(sum) ? written(sum) : undefined;
}

/** The number that a part has, which may be written in digits. */
function numberIn(value: JsonValue = 0): number {
  return typeof value === 'number' ? value : isDecimalText(value) ? Number(value) : 0;
}

/** The parts of a record: those below its path, or those that refer to it. */
export async function partsOf(
  child: Resource,
  { resource, place: { session, above, id }, record }: Holder,
  store: Store,
): Promise<readonly StoredRecord[]> {
  const key = keyTo(child, resource);
  const value = record[resource.identifier.field] ?? id;
  const referring = key === undefined ? [] : [among(key, [value])];
  const isBelow = child.parents.at(-1)?.resource?.collection === resource.collection;
  const texts = [...above, id];
  const name = isBelow ? collectionName(child, texts) : child.collection;
  const where = isBelow ? conditionsBelow(texts, child) : referring;
  return recordsWhere(store, { session, name }, where);
}

function keyTo({ foreignKeys }: Resource, { collection }: Resource): string | undefined {
  return foreignKeys.find(({ resource, many }) => !many && resource.collection === collection)
    ?.field;
}

/** The identifier of the record of a resource to which a part refers; undefined if to none. */
export function ownerIn(part: JsonObject, child: Resource, owner: Resource): JsonValue | undefined {
  const key = keyTo(child, owner);
  return key === undefined ? undefined : fieldValue(part, key);
}

/**
 * A record with the members that descriptions compute from others: `price times quantity`, `total
 * minus paid`, `the sum of the rows`.
 */
export function withComputed(record: JsonObject, resource: Resource): JsonObject {
  return formulasIn(resource).reduce((held, formula) => {
    const { name } = formula.field;
    const value = valueBy(formula, held);
    if (value === undefined || held[name] === value) return held;
    const isValid = shapeOf(resource).fields.get(name)?.schema.accepts(value, 'response') === true;
    return isValid ? { ...held, [name]: value } : held;
  }, record);
}
