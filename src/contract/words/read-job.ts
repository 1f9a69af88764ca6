import { singularOf, wordsOf } from '../infer/infer-names.ts';
import type { Operation } from '../model/operation.ts';
import type { Schema } from '../model/schema.ts';
import { factIn, operationTexts, parameterTexts } from './facts.ts';
import { mentions } from './mentions.ts';
import { isFailed, isRunning } from './names.ts';
import { sentencesOf } from './text.ts';

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

/** What a service needs beside the time that it waits, as a part of it and in milliseconds. */
const [share, least] = [1.2, 500];

/**
 * Whether an operation or one of its parameters says that it may take so long: `Waits that long
 * (max of 10 seconds)`.
 */
export function saysItTakes(operation: Operation, durationMs: number): boolean {
  const texts = [...operationTexts(operation), ...operation.parameters.flatMap(parameterTexts)];
  const times = texts.flatMap((told) =>
    told.kind === 'stated' ? [] : [...told.text.matchAll(statedTime)].map(timeOf),
  );
  return times.some((time) => durationMs <= time * share + least);
}

const statedTime = /\b(\d+(?:\.\d+)?)\s?-?(ms|milliseconds?|s|secs?|seconds?|mins?|minutes?)\b/gi;

function timeOf([, count = '', unit = '']: RegExpExecArray): number {
  const word = unit.toLowerCase();
  const scale = word.startsWith('mi') ? (word.startsWith('mil') ? 1 : 60_000) : 1_000;
  return Number(count) * (word === 'ms' ? 1 : scale);
}

/** The words about an operation, in the singular: what it handles may be among them. */
export function nounsOf({ summary = '', description = '' }: Operation): ReadonlySet<string> {
  return new Set(wordsOf(`${summary} ${description}`).map(singularOf));
}

/** The field that says how far a job is. */
export interface JobState {
  readonly field: string;
  /** Its values before the end. */
  readonly running: readonly string[];
  /** The value at a good end; undefined if every other one is a failure. */
  readonly done: string | undefined;
}

/** The state of the job that a record shows: a field with some values in which it still runs. */
export function jobStateOf(record: Schema): JobState | undefined {
  for (const [field, place] of record.flatten().properties) {
    const { enum: values = [] } = record.flatten(place).node;
    const texts = values.filter((value) => typeof value === 'string');
    const running = texts.filter((value) => isRunning(value));
    const ended = texts.filter((value) => !running.includes(value));
    if (running.length > 0 && ended.length > 0)
      return { field, running, done: ended.find((value) => !isFailed(value)) };
  }
  return undefined;
}

/**
 * The fields that a record has when its job is done, as a sentence about an operation that reads it
 * says which names both as they are written: `It has rows if and only if it is done.`
 */
export function fieldsWhenDone(record: Schema, reads: readonly Operation[]): string[] {
  const { done } = jobStateOf(record) ?? {};
  const { properties, required } = record.flatten();
  const told = reads.flatMap(({ description = '' }) => sentencesOf(description));
  const about = told.filter((text) => done !== undefined && mentions(text, done));
  return [...properties.keys()].filter(
    (name) => !required.has(name) && about.some((text) => mentions(text, name)),
  );
}

/** Whether a create may answer 202 (RFC 9110, section 15.3.3): its record is that of a job. */
export function startsJob({ responses }: Pick<Operation, 'responses'>): boolean {
  return responses.some(({ status }) => status === '202');
}
