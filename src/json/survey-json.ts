import { isJsonObject, type JsonObject } from './value.ts';

/**
 * How deep a JSON text nests, and how many members its objects are written with. Meaningless for a
 * text that is not JSON.
 */
export interface TextSurvey {
  readonly depth: number;
  readonly members: number;
}

/** Counts brackets and colons outside of strings: one cheap pass. */
export function surveyText(text: string): TextSurvey {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = closingQuote(text, at + 1);
    else if (code === 0x3a) members += 1;
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, (depth += 1));
    else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return { depth: deepest, members };
}

function closingQuote(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) at += 1;
  }
  return at;
}

/**
 * What a parsed value holds: its members, and whether a number or a name needs a closer look at the
 * text.
 */
export interface ValueSurvey {
  members: number;
  /** A number that may have been rounded: beyond ±(2^53 - 1). */
  rounded: boolean;
  /** A number that no double holds. */
  infinite: boolean;
  forbidden: boolean;
}

/** Walks a value that `JSON.parse` made; its depth must be bounded. */
export function surveyValue(value: unknown, forbiddenKeys: readonly string[]): ValueSurvey {
  const survey = { members: 0, rounded: false, infinite: false, forbidden: false };
  visit(value, forbiddenKeys, survey);
  return survey;
}

function visit(value: unknown, forbiddenKeys: readonly string[], survey: ValueSurvey): void {
  if (typeof value === 'number') {
    if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) survey.rounded = true;
    if (value === Infinity || value === -Infinity) survey.infinite = true;
  } else if (Array.isArray(value)) {
    for (const item of value) visit(item, forbiddenKeys, survey);
  } else if (isJsonObject(value)) {
    visitMembers(value, forbiddenKeys, survey);
  }
}

function visitMembers(
  value: JsonObject,
  forbiddenKeys: readonly string[],
  survey: ValueSurvey,
): void {
  // Twice as fast as Object.keys, which makes an array for each object.
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    survey.members += 1;
    if (forbiddenKeys.length > 0 && forbiddenKeys.includes(key)) survey.forbidden = true;
    visit(value[key], forbiddenKeys, survey);
  }
}
