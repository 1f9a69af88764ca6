import { type JsonValue, stringifyJson } from '../../json/value.ts';
import type { Case } from '../model/case.ts';

/** A request as the object of a sentence: `a plain request`, `a request in which limit is 101`. */
export function requestPhrase({ title }: Case): string {
  return /^an? /.test(title) ? title : `a request in which ${title}`;
}

const longest = 80;

/** A value in a sentence: JSON, cut to 80 characters. */
export function showValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = stringifyJson(value);
  return text.length > longest
    ? `${text.slice(0, longest)}… (${String(text.length)} characters)`
    : text;
}

/** `1 record`, `2 records`. */
export function countWords(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
