import { singularOf, wordsOf } from '../infer/infer-names.ts';
import type { Operation } from '../model/operation.ts';
import { factIn, operationTexts } from './facts.ts';

const numerals = [
  '',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
];
const longest = 30;

/** How many seconds the description of an operation gives a job: `within two seconds`, up to 30. */
export function secondsOf(operation: Operation): number | undefined {
  const { value = '' } = factIn(operationTexts(operation), 'takes-seconds') ?? {};
  const count = /^\d+$/.test(value) ? Number(value) : numerals.indexOf(value.toLowerCase());
  return count > 0 && count <= longest ? count : undefined;
}

/** The words about an operation, in the singular: what it handles may be among them. */
export function nounsOf({ summary = '', description = '' }: Operation): ReadonlySet<string> {
  return new Set(wordsOf(`${summary} ${description}`).map(singularOf));
}
