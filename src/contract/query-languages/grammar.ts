import { join, joinedParts, leavesOf } from './conditions.ts';
import type { Comparison, Condition, Joint } from './language.ts';

/** A word between conditions, or before one. */
interface Word {
  readonly written: string;
  /** At the beginning of a text. */
  readonly form: RegExp;
}

/** How the conditions of a language are written. */
export interface Grammar {
  /** One comparison at the beginning of a text, with named groups for its parts. */
  readonly term: RegExp;
  /** What the groups say; undefined if they are no comparison. */
  readTerm(groups: Readonly<Record<string, string | undefined>>): Comparison | undefined;
  writeTerm(comparison: Comparison): string | undefined;
  readonly joints: Readonly<Record<Joint, Word>>;
  readonly tighter: Joint;
  /** `wraps`: a comparison behind the word needs parentheses. */
  readonly nots: readonly (Word & { readonly wraps: boolean })[];
}

/** The most comparisons of one expression that are read, and the most parentheses in each other. */
const max = 20;
const deepest = 8;

/** The condition that a text is; undefined if it is none. */
export function readCondition(text: string, grammar: Grammar): Condition | undefined {
  const read = readJoined(text.trim(), { grammar, isTight: false, depth: 0 });
  return read?.rest.trim() === '' && leavesOf(read.condition).length <= max
    ? read.condition
    : undefined;
}

/** What the beginning of a text is, and the text behind it. */
interface Read {
  readonly condition: Condition;
  readonly rest: string;
}

interface Place {
  readonly grammar: Grammar;
  /** Whether it is a part of what binds less tightly. */
  readonly isTight: boolean;
  readonly depth: number;
}

function readJoined(text: string, place: Place): Read | undefined {
  const { grammar, isTight, depth } = place;
  if (depth > deepest) return undefined;
  const joint = isTight ? grammar.tighter : grammar.tighter === 'all' ? 'any' : 'all';
  const parts: Condition[] = [];
  let rest = text;
  while (parts.length < max) {
    const part = isTight ? readFactor(rest, place) : readJoined(rest, { ...place, isTight: true });
    if (part === undefined) return undefined;
    parts.push(part.condition);
    const word = grammar.joints[joint].form.exec(part.rest)?.[0];
    if (word === undefined) return { condition: join(joint, parts), rest: part.rest };
    rest = part.rest.slice(word.length);
  }
  return undefined;
}

/** A comparison, or what is negated or in parentheses. */
function readFactor(text: string, place: Place): Read | undefined {
  const { grammar, depth } = place;
  const deeper = { ...place, depth: depth + 1 };
  if (depth > deepest) return undefined;
  for (const [as, { form }] of grammar.nots.entries()) {
    const word = form.exec(text)?.[0];
    const inner = word === undefined ? undefined : readFactor(text.slice(word.length), deeper);
    if (inner !== undefined)
      return { condition: { not: inner.condition, ...(as === 0 ? {} : { as }) }, rest: inner.rest };
  }
  if (text.startsWith('(')) {
    const inner = readJoined(text.slice(1).trimStart(), { ...deeper, isTight: false });
    const end = inner?.rest.trimStart();
    return inner === undefined || end?.startsWith(')') !== true
      ? undefined
      : { condition: inner.condition, rest: end.slice(1) };
  }
  const { 0: whole = '', groups = {} } = grammar.term.exec(text) ?? {};
  const comparison = whole === '' ? undefined : grammar.readTerm(groups);
  return comparison && { condition: comparison, rest: text.slice(whole.length) };
}

/** A condition as a text, with no more parentheses than it needs. */
export function writeCondition(condition: Condition, grammar: Grammar): string | undefined {
  const joined = joinedParts(condition);
  if (joined !== undefined) {
    const texts = joined.parts.map((part) =>
      wrapIf(needsWrap(part, joined.joint, grammar), writeCondition(part, grammar)),
    );
    const { written } = grammar.joints[joined.joint];
    return texts.length > 0 && texts.every((text) => text !== undefined)
      ? texts.join(written)
      : undefined;
  }
  if (!('not' in condition)) return 'field' in condition ? grammar.writeTerm(condition) : undefined;
  const word = grammar.nots[condition.as ?? 0];
  const text = writeCondition(condition.not, grammar);
  const inner = wrapIf(word?.wraps === true || !('field' in condition.not), text);
  return word === undefined || inner === undefined ? undefined : word.written + inner;
}

function wrapIf(isWrapped: boolean, text: string | undefined): string | undefined {
  return isWrapped && text !== undefined ? `(${text})` : text;
}

/** Whether a part would be read otherwise without parentheses. */
function needsWrap(part: Condition, joint: Joint, { tighter }: Grammar): boolean {
  const inner = joinedParts(part);
  return inner !== undefined && (inner.joint === joint || joint === tighter);
}
