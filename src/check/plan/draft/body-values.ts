import type { Schema } from '../../../contract/model.ts';
import { type Pointer, splitPointer } from '../../../json/pointer.ts';
import { stringifyJson } from '../../../json/stringify-json.ts';
import { isJsonObject } from '../../../json/value.ts';
import { boundaryValues } from '../../../values/boundary-values.ts';
import { brokenRules } from '../../../values/broken-rules.ts';
import { type ExoticPlace, exoticPlaces } from '../../../values/exotic-values.ts';
import { invalidValues } from '../../../values/invalid-values.ts';
import {
  type LabelledValue,
  moveLabelled,
  type ValueClass,
} from '../../../values/labelled-value.ts';
import { shareAmongAlike } from '../../../values/share-values.ts';
import { brokenOnWire } from '../../evidence/request/read-body.ts';
import { writeBody } from '../../request/write-body.ts';
import { rebase } from '../overlay-on-example.ts';
import { bodyOf, type DraftBody, isJson } from './draft-body.ts';
import { isKeyLike } from './identifiers.ts';
import { filesOf } from './with-files.ts';

/** What can be told apart in a body that nobody reads back, such as XML. */
const wholes: readonly ValueClass[] = ['required-only', 'all-optional', 'enum-value'];

/**
 * Valid bodies at the edges of the schema of a draft's body, as far as its media type can say them.
 */
export const edgeBodies = rememberChoice('edges', (body, schema, most) => {
  const fit = fits.get(body) ?? remembered((value) => sayable(value, body));
  fits.set(body, fit);
  return chooseValues(boundaryValues(schema, 'request'), most, fit);
});

// Several phases ask for the edges of one body.
let fits = new WeakMap<DraftBody, Fit<LabelledValue, LabelledValue>>();

/**
 * Lets go which edges fit into which bodies, when the plan is made: a control that is written later
 * keeps its draft.
 */
export function forgetEdges(): void {
  fits = new WeakMap();
}

function remembered(fit: Fit<LabelledValue, LabelledValue>): Fit<LabelledValue, LabelledValue> {
  const known = new Map<LabelledValue, LabelledValue | undefined>();
  return (value) => {
    if (!known.has(value)) known.set(value, fit(value));
    return known.get(value);
  };
}

/** Valid bodies that nobody expects, a share of them for each place. */
export const oddBodies = rememberChoice('odd', (body, schema, most) => {
  const files = new Set(filesOf(body.media));
  // An odd text such as `null` may be the key of somebody's record.
  const isOdd = (name: string): boolean => !files.has(name) && !isKeyLike(name);
  const odd = exoticPlaces(schema, 'request').filter(({ at }) => isOdd(splitPointer(at)[0] ?? ''));
  return spread(odd, most, (value) => sayable(value, body));
});

/** The same peculiarity in the plain body; undefined where its media type cannot say it. */
function sayable(value: LabelledValue, body: DraftBody): LabelledValue | undefined {
  if (changesName(value, body)) return undefined;
  const moved = rebase(value, body);
  const broken = rulesBroken(moved, body);
  const isSaid = broken === 'unread' ? wholes.includes(moved.valueClass) : broken.length === 0;
  return isSaid ? moved : undefined;
}

/** Bodies that break one rule of the schema, and still do so as they stand on the wire. */
export const invalidBodies = rememberChoice('invalid', (body, schema, most) => {
  const values = invalidValues(schema, 'request');
  if (isJson(body))
    return chooseValues(values, most, (value) => brokenBody(rebase(value, body), body));
  const seen = new Set<string>();
  const distinct = values
    .map((value) => rebase(value, body))
    .filter(({ value }) => {
      // In a form, several things that JSON tells apart are one text: null, "null" and the like.
      const written = Buffer.from(writeBody(bodyOf(body, value)).bytes).toString('latin1');
      return !seen.has(written) && seen.add(written).size > 0;
    });
  return chooseValues(distinct, most, (value) => brokenBody(value, body));
});

/**
 * Whether a value puts the name of a record to the test that the path names: it may be somebody's.
 */
function changesName({ at }: LabelledValue, { identifier, namedBy }: DraftBody): boolean {
  if (identifier === undefined || namedBy === undefined) return false;
  const tokens = splitPointer(at);
  return identifier.every((name, index) => tokens[index] === name);
}

/** Whether a lenient service may read a number or a switch as the key of somebody's record: `0`, `true`. */
function takesKey({ at, value }: LabelledValue, { schema, makesRecord }: DraftBody): boolean {
  const [name = '', ...deeper] = splitPointer(at);
  if (makesRecord !== true || deeper.length > 0 || !isKeyLike(name)) return false;
  const place = schema?.flatten().properties.get(name);
  const isText =
    place !== undefined && schema?.flatten(place.node, place.pointer).types.includes('string');
  const given = isJsonObject(value) ? value[name] : undefined;
  return isText === true && (typeof given === 'number' || typeof given === 'boolean');
}

function brokenBody(moved: LabelledValue, body: DraftBody): LabelledValue | undefined {
  if (changesName(moved, body) || takesKey(moved, body)) return undefined;
  const broken = rulesBroken(moved, body);
  return broken === 'unread' || broken.length === 0 ? undefined : moved;
}

function rulesBroken({ value }: LabelledValue, body: DraftBody): readonly string[] | 'unread' {
  // JSON says on the wire what it says here.
  if (isJson(body))
    return body.schema === undefined
      ? []
      : brokenRules(body.schema, value).map(({ pointer }) => pointer);
  const { bytes, mediaType } = writeBody(bodyOf(body, value));
  return brokenOnWire(bytes, mediaType ?? body.mediaType, body.media);
}

/**
 * A share of what fits of each place in turn, so that the first place does not take all that there
 * is room for.
 */
export function spread(
  places: readonly ExoticPlace[],
  most: number,
  fit: Fit<LabelledValue, LabelledValue>,
): LabelledValue[] {
  const fitting: LabelledValue[][] = [];
  for (const { values } of places) {
    const own = values().flatMap((value) => fit(value) ?? []);
    if (own.length > 0) fitting.push(own);
    // Each has a share of one now, and there is none left for the others.
    if (fitting.length > most) break;
  }
  const all = fitting.flat();
  if (all.length <= most) return all;
  const share = Math.max(1, Math.floor(most / fitting.length));
  return fitting
    .flatMap((place, index) => rotate(place, index * share).slice(0, share))
    .slice(0, most);
}

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const start = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

type Choose = (body: DraftBody, schema: Schema, most: number) => readonly LabelledValue[];

/**
 * The same choice of bodies, made once for all drafts whose JSON has a schema that says the same,
 * and the same plain value: most contracts take the record that is created where one is replaced
 * too. A body without a schema leaves nothing to choose from.
 */
function rememberChoice(
  kind: string,
  choose: Choose,
): (body: DraftBody, most: number) => readonly LabelledValue[] {
  return (body, most) => {
    const { schema, value } = body;
    if (schema === undefined) return [];
    // How a form is written hangs on more than its schema.
    if (!isJson(body)) return choose(body, schema, most);
    return shareAmongAlike(
      schema,
      `${kind} ${String(most)} ${body.namedBy ?? ''} ${stringifyJson(value)}`,
      {
        make: () => choose(body, schema, most),
        move: (made, to) => made.map((chosen) => moveLabelled(chosen, to)),
      },
    );
  };
}

interface Labelled {
  readonly valueClass: ValueClass;
  readonly at: Pointer;
}

/** Makes of a value what is sent; undefined where that would not show what the value is for. */
type Fit<Value, Fitted> = (value: Value) => Fitted | undefined;

/**
 * As many of the values that fit as there is room for, in their order: one of each class in turn,
 * the outermost places first, so that no class is crowded out by another, nor a place by the one
 * before it. A large body has thousands of values: none is fitted before its turn.
 */
export function chooseValues<Value extends Labelled, Fitted>(
  values: readonly Value[],
  most: number,
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
  while (turns.length > 0 && chosen.size < most) {
    for (const {
      value: [value, fitted],
    } of turns)
      if (chosen.size < most) chosen.set(value, fitted);
    turns = turns.flatMap((turn) => {
      const { value } = chosen.size < most ? turn.queue.next() : { value: undefined };
      return value === undefined ? [] : [{ ...turn, value }];
    });
  }
  return values.flatMap((value) => chosen.get(value) ?? []);
}

/** Those that fit: the first of each place, then the second of each, and so on. */
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
  for (
    let open = [...waiting.values()];
    open.length > 0;
    open = open.filter((place) => place.length > 0)
  ) {
    for (const place of open) {
      for (let value = place.shift(); value !== undefined; value = place.shift()) {
        const fitted = fit(value);
        if (fitted === undefined) continue;
        yield [value, fitted];
        break;
      }
    }
  }
  return undefined;
}
