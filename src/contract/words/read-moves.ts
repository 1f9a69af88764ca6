import { singularOf, wordsOf } from '../infer/infer-names.ts';
import { lastWord } from '../infer/conventions/path-styles.ts';
import type { Operation } from '../model/operation.ts';
import { factsIn, fieldTexts, operationTexts, statusTexts, type ToldText } from './facts.ts';
import { inPlainText, type StatefulRecord, stateFieldOf, stateFieldsOf } from './read-states.ts';

/** How the state of a record moves on, as sentences say: `draft to sent, sent to paid or void`. */
export interface Moves {
  readonly field: string;
  /** The states that each one moves to; none for the last ones. Others are not spoken of. */
  readonly next: ReadonlyMap<string, readonly string[]>;
}

/** A change of state that is refused: `A published text does not become a draft again (409).` */
export interface BarredChange {
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

/** The moves that an operation or the field of the state names. */
export function movesOf(operation: Operation, { record }: StatefulRecord): Moves | undefined {
  const { properties } = record.flatten();
  for (const { field, values } of stateFieldsOf(record)) {
    const place = properties.get(field);
    const texts = [...operationTexts(operation), ...(place === undefined ? [] : fieldTexts(place))];
    const next = new Map<string, readonly string[]>();
    for (const [from, to] of texts.flatMap((told) => movesIn(told, values))) {
      next.set(from, [...(next.get(from) ?? []), to]);
      if (!next.has(to)) next.set(to, []);
    }
    if (next.size > 2) return { field, next };
  }
  return undefined;
}

/** The changes of state that an operation refuses, because its texts say so. */
export function barredChanges(operation: Operation, stateful: StatefulRecord): BarredChange[] {
  const holder = singularOf(lastWord(stateful.collectionPath));
  const moves = movesOf(operation, stateful);
  const isWhole = factsIn(operationTexts(operation), 'no-other-moves').length > 0;
  const { record } = stateful;
  const named = statusTexts(operation, '409')
    .map(inPlainText)
    .flatMap((told): BarredChange[] => {
      if (told.kind === 'stated') return [];
      const [, from = '', whole = holder, to = ''] = doesNotBecome.exec(told.text) ?? [];
      const field = stateFieldOf(record, from.toLowerCase());
      const isOne = field !== undefined && stateFieldOf(record, to.toLowerCase()) === field;
      const isOfHolder = singularOf(whole.toLowerCase()) === holder;
      return isOne && isOfHolder ? [{ field, from: from.toLowerCase(), to: to.toLowerCase() }] : [];
    });
  if (moves === undefined || !isWhole) return named;
  const { field, next } = moves;
  const others = [...next].flatMap(([from, allowed]) =>
    [...next.keys()]
      .filter((to) => to !== from && !allowed.includes(to))
      .map((to) => ({ field, from, to })),
  );
  return [...named, ...others];
}

const doesNotBecome = new RegExp(
  '^(?:an?|the|each|every) ([\\w-]+)(?: ([\\w-]+))? (?:does not|cannot|can not|may not|never) ' +
    '(?:becomes?|returns? to|goes? back to|be set to) (?:an? |the )?([\\w-]+)',
  'i',
);

/**
 * The states that a record takes in turn until it has one, from that which it is given or from the
 * first one, to which none moves; undefined if no way is known.
 */
export function wayBetween({ next }: Moves, to: string, given?: unknown): string[] | undefined {
  const later = new Set([...next.values()].flat());
  const start = [...next.keys()].find((state) =>
    given === undefined ? !later.has(state) : state === given,
  );
  const ways = new Map<string, string[]>(start === undefined ? [] : [[start, []]]);
  for (const [state, way] of ways)
    for (const one of next.get(state) ?? []) if (!ways.has(one)) ways.set(one, [...way, one]);
  return ways.get(to);
}

/** The moves that a text names, each from one state to another: `a to b, b to c or d`, `a → b`. */
function movesIn(told: ToldText, values: readonly string[]): (readonly [string, string])[] {
  const plain = inPlainText(told);
  const text = plain.kind === 'stated' ? '' : plain.text;
  const names = values.map((value) => wordsOf(value).join('[\\s_-]?'));
  const longest = names.toSorted((left, right) => right.length - left.length).join('|');
  const marked = text
    // `From draft, the status goes to sent`
    .replaceAll(/,? (?:(?:the )?\w+ )?(?:(?:may|can) )?(?:goes?|moves?|changes?) to\b/gi, '>')
    .replaceAll(/\bto\b|→|[-=]>|\bthen\b/gi, '>')
    .replaceAll(new RegExp(`(?<![\\w-])(?:${longest})(?![\\w-])`, 'gi'), (name) => {
      const at = names.findIndex((one) => new RegExp(`^${one}$`, 'i').test(name));
      return `#${String(at)}`;
    });
  const isInTurn = /\b(?:one step|step by step|in (?:this|that) order|in turn)\b/i.test(text);
  const runs = marked.match(/#\d+(?:[\s,/>]|\bor\b|\band\b|#\d+)*/g) ?? [];
  return runs.flatMap((run) => {
    // The states before each sign, by commas: those behind the last comma are what moves on.
    const parts = run.split('>').map((part) => part.split(',').map(statesIn).filter(hasStates));
    return parts.slice(1).flatMap((groups, at) => {
      const from = parts[at]?.at(-1) ?? [];
      const isChain = at === parts.length - 2 || groups.length === 1;
      const to = (isChain ? groups : groups.slice(0, -1)).flat();
      return isInTurn
        ? to.map((one, index) => [(index === 0 ? from.at(-1) : to[index - 1]) ?? one, one] as const)
        : from.flatMap((one) => to.map((other) => [one, other] as const));
    });
  });

  function statesIn(group: string): string[] {
    return [...group.matchAll(/#(\d+)/g)].map(([, at]) => values[Number(at)] ?? '');
  }
}

function hasStates(group: readonly string[]): boolean {
  return group.length > 0;
}
