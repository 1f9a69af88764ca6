import type { Schema, SchemaIssue } from '../../contract/model.ts';
import { equalJson } from '../../json/equal-json.ts';
import { joinPointer, type Pointer, splitPointer, valueAt } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import {
  isJsonObject,
  mapMembers,
  stringifyJson,
  withoutMembers,
  memberOf,
} from '../../json/value.ts';
import { placeValue } from '../../values/baseline.ts';
import { boundaryCandidates } from '../../values/boundary-values.ts';
import { brokenRules, keepsRules, rememberEqual } from '../../values/broken-rules.ts';
import type { CandidateValue } from '../../values/candidate-value.ts';
import { type ExoticPlace, exoticPlaces, LazyList } from '../../values/exotic-values.ts';
import { mixesForms } from '../../values/forms.ts';
import { invalidCandidates, invalidValues } from '../../values/invalid-values.ts';
import { type LabelledValue, moveLabelled, type ValueClass } from '../../values/labelled-value.ts';
import { shareAmongAlike } from '../../values/value-cache.ts';
import { brokenOnWire } from '../reading/read-body.ts';
import { writeBody } from '../request/write-body.ts';
import type { EdgeFits, PlanCache } from './plan-cache.ts';
import { bodyOf, type DraftBody, formOf } from './draft-body.ts';
import { isKeyLike } from '../reading/identifiers.ts';
import { filesOf } from '../request/with-files.ts';

/** As many edges as one operation can get: they are searched, not sent. */
export const manyEdges = 60;

/** Valid bodies at the edges of a body's schema, as far as its media type can write them. */
export function edgeBodies(
  body: DraftBody,
  max: number,
  { edgeFits }: PlanCache,
): readonly LabelledValue[] {
  return chooseOnce(body, { kind: 'edges', max }, (schema) => {
    const fits = edgeFits.get(body) ?? new Map<CandidateValue, LabelledValue | undefined>();
    edgeFits.set(body, fits);
    return chooseValues(boundaryCandidates(schema, 'request'), max, (value) =>
      fitOnce(value, body, fits),
    );
  });
}

function fitOnce(
  candidate: CandidateValue,
  body: DraftBody,
  fits: EdgeFits,
): LabelledValue | undefined {
  if (!fits.has(candidate)) {
    const value = candidate.judge();
    fits.set(candidate, value && validInBody(value, body));
  }
  return fits.get(candidate);
}

/** Valid bodies with unexpected values, a share of them for each place. */
export function oddBodies(body: DraftBody, max: number): readonly LabelledValue[] {
  return chooseOnce(body, { kind: 'odd', max }, (schema) => {
    const files = new Set(filesOf(body.media));
    // An odd text such as `null` may be the key of an existing record.
    const isOdd = (name: string): boolean => !files.has(name) && !isKeyLike(name);
    const odd = exoticPlaces(schema, 'request').filter(({ at }) =>
      isOdd(splitPointer(at)[0] ?? ''),
    );
    return spread(odd, max, (value) => validInBody(value, body));
  });
}

/** Bodies that break one rule of the schema, and still do so as they are written. */
export function invalidBodies(body: DraftBody, max: number): readonly LabelledValue[] {
  return chooseOnce(body, { kind: 'invalid', max }, (schema) => {
    if (formOf(body) !== 'json') {
      const written = distinctOnWire(invalidValues(schema, 'request'), body);
      return chooseValues(written, max, (value) => brokenInBody(value, body));
    }
    return chooseValues(invalidCandidates(schema, 'request'), max, (candidate) => {
      const value = candidate.judge();
      return value && brokenInBody(overlayOnExample(value, body), body);
    });
  });
}

/**
 * The values in the plain body, without those that are written alike: in a form, null and "null"
 * are one text.
 */
function distinctOnWire(values: readonly LabelledValue[], body: DraftBody): LabelledValue[] {
  const seen = new Set<string>();
  return values
    .map((value) => overlayOnExample(value, body))
    .filter(({ value }) => {
      const written = Buffer.from(writeBody(bodyOf(body, value)).bytes).toString('latin1');
      return !seen.has(written) && seen.add(written).size > 0;
    });
}

/**
 * A choice of bodies, made once for all JSON bodies with the same schema and the same plain value:
 * in most contracts a replacement takes the same record as a create. Without a schema there is
 * nothing to choose from.
 */
function chooseOnce(
  body: DraftBody,
  { kind, max }: { readonly kind: string; readonly max: number },
  choose: (schema: Schema) => readonly LabelledValue[],
): readonly LabelledValue[] {
  const { schema, value, namedBy = '' } = body;
  if (schema === undefined) return [];
  // How a form is written depends on more than its schema.
  if (formOf(body) !== 'json') return choose(schema);
  // A range such as `*/*` does not write every value as JSON.
  const range = body.mediaType.includes('*') ? body.mediaType : '';
  const name = `${kind} ${String(max)} ${range} ${namedBy} ${stringifyJson(value)}`;
  return shareAmongAlike(schema, name, {
    make: () => choose(schema),
    move: (made, to) => made.map((chosen) => moveLabelled(chosen, to)),
  });
}

/** Classes of values that differ as a whole, where a body cannot be read back, such as XML. */
const wholeClasses: readonly ValueClass[] = ['required-only', 'all-optional', 'enum-value'];

/** A valid value in the plain body; undefined if its media type cannot write it. */
function validInBody(value: LabelledValue, body: DraftBody): LabelledValue | undefined {
  if (changesName(value, body)) return undefined;
  const moved = overlayOnExample(value, body);
  const broken = rulesBroken(moved, body);
  const isKept =
    broken === 'unread' ? wholeClasses.includes(moved.valueClass) : broken.length === 0;
  return isKept ? moved : undefined;
}

/**
 * An invalid value in a body; undefined if it is valid there, or could identify an existing record.
 */
function brokenInBody(moved: LabelledValue, body: DraftBody): LabelledValue | undefined {
  if (changesName(moved, body) || mayBeKey(moved, body)) return undefined;
  const broken = rulesBroken(moved, body);
  return broken === 'unread' || broken.length === 0 ? undefined : moved;
}

/** Whether a value tests the name of the record in the path: it may be that of another record. */
function changesName({ at }: LabelledValue, { identifier, namedBy }: DraftBody): boolean {
  if (identifier === undefined || namedBy === undefined) return false;
  const tokens = splitPointer(at);
  return identifier.every((name, index) => tokens[index] === name);
}

/**
 * Whether a lenient service may read a number or a boolean as the key of an existing record: `0`,
 * `true`.
 */
function mayBeKey({ at, value }: LabelledValue, { schema, makesRecord }: DraftBody): boolean {
  const [name = '', ...deeper] = splitPointer(at);
  if (makesRecord !== true || deeper.length > 0 || !isKeyLike(name)) return false;
  const place = schema?.flatten().properties.get(name);
  const isText = place !== undefined && schema?.flatten(place).types.includes('string');
  const given = memberOf(value, name);
  return isText === true && (typeof given === 'number' || typeof given === 'boolean');
}

function rulesBroken({ value }: LabelledValue, body: DraftBody): readonly string[] | 'unread' {
  // JSON is read back as it was.
  if (formOf({ mediaType: body.mediaType, value }) === 'json')
    return body.schema === undefined
      ? []
      : brokenRules(body.schema, value).map(({ pointer }) => pointer);
  const { bytes, mediaType } = writeBody(bodyOf(body, value));
  return brokenOnWire(bytes, mediaType ?? body.mediaType, body.media);
}

/**
 * A labelled value in the plain body of a draft, which may be an example of the contract:
 * everything that is not tested is then as in the example. The value itself if it breaks other
 * rules there, or belongs to another form of the schema.
 */
export function overlayOnExample(
  labelled: LabelledValue,
  { value: base, schema }: DraftBody,
): LabelledValue {
  if (schema === undefined) return labelled;
  const moved = moveInto(labelled, base);
  // Most plain bodies are the value that the labelled one was made from.
  if (equalJson(moved, labelled.value)) {
    rememberEqual(labelled.value, moved);
    return { ...labelled, value: moved };
  }
  if (mixesForms(schema, moved)) return labelled;
  const before = brokenRules(schema, labelled.value);
  const same =
    before.length === 0
      ? keepsRules(schema, moved)
      : breaksAlike(before, brokenRules(schema, moved));
  return same ? { ...labelled, value: moved } : labelled;
}

function breaksAlike(before: readonly SchemaIssue[], after: readonly SchemaIssue[]): boolean {
  return (
    after.length <= before.length &&
    after.some(({ pointer }) => before.some((issue) => issue.pointer === pointer))
  );
}

function moveInto({ value, at }: LabelledValue, base: JsonValue): JsonValue {
  if (at === '') return membersFrom(base, value);
  const part = valueAt(value, at);
  if (part !== undefined) return placeValue({ base, full: value, at }, part);
  const tokens = splitPointer(at);
  const around = joinPointer('', ...tokens.slice(0, -1));
  return placeValue(
    { base, full: value, at: around },
    withoutMembers(valueAt(base, around) ?? valueAt(value, around) ?? {}, tokens.at(-1) ?? ''),
  );
}

/** The members of a value, each as the plain body has it if it does. */
function membersFrom(base: JsonValue, value: JsonValue): JsonValue {
  if (!isJsonObject(value) || !isJsonObject(base)) return value;
  return mapMembers(value, (member, name) => base[name] ?? member);
}

/** Turns a value into what is sent; undefined if that would not show what the value is for. */
export type Fit<Value, Fitted> = (value: Value) => Fitted | undefined;

/**
 * An equal share of what fits for each place, so that the first place does not use up the budget.
 */
export function spread(
  places: readonly ExoticPlace[],
  max: number,
  fit: Fit<LabelledValue, LabelledValue>,
): LabelledValue[] {
  const fitting: LazyList<LabelledValue>[] = [];
  for (const { values } of places) {
    const own = new LazyList(() => fittingOf(values(), fit));
    if (own.upTo(1).length > 0) fitting.push(own);
    // Each place gets one value now, and further places would get none.
    if (fitting.length > max) break;
  }
  if (fitting.length <= max) {
    const all = fitting.values().flatMap((own) => own);
    const some = [...all.take(max + 1)];
    if (some.length <= max) return some;
  }
  const share = Math.max(1, Math.floor(max / fitting.length));
  return fitting.flatMap((own, index) => shareFrom(own, index * share, share)).slice(0, max);
}

function* fittingOf<Value, Fitted>(
  values: Iterable<Value>,
  fit: Fit<Value, Fitted>,
): Generator<Fitted, void> {
  for (const value of values) {
    const fitting = fit(value);
    if (fitting !== undefined) yield fitting;
  }
}

/** So many values of a list behind the first `start`; behind its end it begins again. */
function shareFrom<Item>(list: LazyList<Item>, start: number, share: number): Item[] {
  const items = list.upTo(start + share);
  if (items.length === start + share) return items.slice(start);
  const at = start % items.length;
  return [...items.slice(at), ...items.slice(0, at)].slice(0, share);
}

type Labelled = Pick<LabelledValue, 'valueClass' | 'at'>;

/**
 * Up to `most` of the values that fit, in their order: one of each class in turn, the outermost
 * places first, so that no class or place uses the whole budget. A large body has thousands of
 * values: each is tested only in its turn.
 */
export function chooseValues<Value extends Labelled, Fitted>(
  values: readonly Value[],
  max: number,
  fit: Fit<Value, Fitted>,
): Fitted[] {
  const queues = [...Map.groupBy(values, ({ valueClass }) => valueClass).values()].map((group) =>
    byPlaceInTurn(group, fit),
  );
  const firsts = queues.flatMap((queue) => {
    const { value } = queue.next();
    return value === undefined ? [] : [{ queue, value, index: values.indexOf(value[0]) }];
  });
  const chosen = new Map<Value, Fitted>();
  let turns = firsts.sort((left, right) => left.index - right.index);
  while (turns.length > 0 && chosen.size < max) {
    for (const { value: pair } of turns) if (chosen.size < max) chosen.set(...pair);
    turns = turns.flatMap((turn) => {
      const { value } = chosen.size < max ? turn.queue.next() : { value: undefined };
      return value === undefined ? [] : [{ ...turn, value }];
    });
  }
  return values.flatMap((value) => chosen.get(value) ?? []);
}

/** The values that fit: the first of each place, then the second of each, and so on. */
function* byPlaceInTurn<Value extends Labelled, Fitted>(
  values: readonly Value[],
  fit: Fit<Value, Fitted>,
): Generator<readonly [Value, Fitted], undefined> {
  const waiting = new Map<Pointer, Value[]>();
  for (const value of values) {
    const place = waiting.get(value.at);
    const fitted = place === undefined ? fit(value) : undefined;
    place?.push(value);
    if (fitted === undefined) continue;
    waiting.set(value.at, []);
    yield [value, fitted];
  }
  let open = [...waiting.values()];
  while (open.length > 0) {
    for (const place of open) {
      const next = takeFitting(place, fit);
      if (next !== undefined) yield next;
    }
    open = open.filter((place) => place.length > 0);
  }
  return undefined;
}

/** Takes values from a queue up to the first that fits. */
function takeFitting<Value, Fitted>(
  queue: Value[],
  fit: Fit<Value, Fitted>,
): readonly [Value, Fitted] | undefined {
  for (let value = queue.shift(); value !== undefined; value = queue.shift()) {
    const fitted = fit(value);
    if (fitted !== undefined) return [value, fitted];
  }
  return undefined;
}
