import { documentsRefusal, type Operation } from '../model/operation.ts';
import type { Schema } from '../model/schema.ts';
import { lastWord } from '../infer/conventions/path-styles.ts';
import { sentencesOf } from './text.ts';
import { singularOf, wordsOf } from '../infer/infer-names.ts';

/** The states of a record in which the contract allows an operation on it. */
export interface AllowedStates {
  /** The field that holds the state. */
  readonly field: string;
  readonly values: readonly string[];
  /** The other values of the field: in these states, the operation is to be refused. */
  readonly others: readonly string[];
}

/** The record that an operation acts on. */
interface StatefulRecord {
  readonly record: Schema;
  readonly collectionPath: string;
}

/**
 * The states in which an operation on a record is allowed, as its description states in one of the
 * usual sentences: `Only drafts can be deleted`, `Only invoices in draft status can be deleted`,
 * `An index can only be deleted if it is in a READY or ERROR state`, `Sent invoices cannot be
 * deleted`, `A draft becomes sent. In any other status it is refused`. No keyword of OpenAPI states
 * that. Undefined if no sentence is certain.
 */
export function allowedStates(
  operation: Operation,
  { record, collectionPath }: StatefulRecord,
): AllowedStates | undefined {
  const { description = '' } = operation;
  const state = stateField(record);
  if (state === undefined || description === '') return undefined;
  const text = description.replaceAll(/[`'"*“”]/g, '').replaceAll(/\s+/g, ' ');
  const words = phrasesFor(state.values, singularOf(lastWord(collectionPath)));
  const sentences = sentencesOf(text);
  for (const [index, sentence] of sentences.entries()) {
    const found = readSentence(sentence, sentences[index + 1] ?? '', words);
    if (found === undefined || !isAbout(operation, found.about)) continue;
    const named = state.values.filter((value) => found.list.test(value));
    const others = state.values.filter((value) => !named.includes(value));
    if (named.length === 0 || others.length === 0) continue;
    const [values, rest] = found.isForbidden ? [others, named] : [named, others];
    return { field: state.field, values, others: rest };
  }
  return undefined;
}

/**
 * Whether the description of an operation says that it brings a record into a state: `The status
 * becomes cancelled`, `A draft becomes sent`.
 */
export function setsState(
  { method, description = '' }: Pick<Operation, 'method' | 'description'>,
  record: Schema,
  value: string,
): boolean {
  if (method === 'GET' || stateField(record)?.values.includes(value) !== true) return false;
  const quoted = `[\`'"]*${stateWords(value)}[\`'"]*`;
  return new RegExp(`\\b(becomes?|is set to|changes to) ${quoted}(?![\\w-])`, 'i').test(
    description,
  );
}

/** The only field of a record that holds its state, as a text of few. */
export function stateField(
  record: Schema,
): { readonly field: string; readonly values: readonly string[] } | undefined {
  const fields = [...record.flatten().properties].flatMap(([field, place]) => {
    const { enum: listed = [] } = record.flatten(place.node, place.pointer).node;
    const values = listed.filter((value) => typeof value === 'string');
    return values.length > 1 && /(^|[a-z_-])(status|state|phase|stage)$/i.test(field)
      ? [{ field, values }]
      : [];
  });
  return fields.length === 1 ? fields[0] : undefined;
}

/** What a sentence says: the states that it names, and the words about what is done. */
interface Reading {
  readonly list: { test(value: string): boolean };
  readonly about: string;
  readonly isForbidden: boolean;
}

interface Phrases {
  readonly patterns: readonly SentencePattern[];
  readonly becomes: RegExp;
}

/** The groups of the pattern are the states, and the words about what is done. */
interface SentencePattern {
  readonly pattern: RegExp;
  readonly isForbidden?: true;
}

/** The words of a state: `in_progress` is `in progress` in prose. */
function stateWords(value: string): string {
  return wordsOf(value).join('[\\s_-]?');
}

function phrasesFor(values: readonly string[], noun: string): Phrases {
  const one = `(?:${values
    .map(stateWords)
    .toSorted((left, right) => right.length - left.length)
    .join('|')})s?`;
  const states = `(${one}(?:(?:,? or |,? and |, )${one})*)`;
  const thing = `(?:${noun}|record|resource|item|object)s?`;
  const article = '(?:an? |the |those |all )?';
  const inState = `(?:currently |still |in |with |either |an? |the |status )*${states}`;
  const may = '(?:can|may|must|could|will|are|is|takes?|accepts?|allows?)';
  const of = (source: string, flags = 'i'): RegExp => new RegExp(source, flags);
  const its = `(?:it|they|${article}${thing}|(?:its|the) (?:status|state)(?: of the ${thing})?)`;
  const end = '(?!(?: status| state)?,? or\\b)';
  return {
    patterns: [
      // Only sent invoices can be paid. Only drafts can be deleted. Only a sent one takes payments.
      { pattern: of(`^only ${article}${states}(?: ${thing}| ones?)? (${may} .+)$`) },
      // Only invoices in draft status can be deleted.
      {
        pattern: of(
          `^only ${article}${thing} (?:(?:that|which) (?:is|are) )?${inState}(?: status| state)?` +
            ` (${may} .+)$`,
        ),
      },
      // An index can only be deleted if it is in a READY or ERROR state.
      {
        pattern: of(
          `(?=.*\\bonly\\b)${thing} (?:can|may)(?: only)? be (?<about>\\w+)(?: only)? ` +
            `(?:if|when|while) ${its} (?:is |are )${inState}${end}`,
        ),
      },
      // You can only delete an invoice that is in the draft state.
      {
        pattern: of(
          `\\b(?:can|may) only (?<about>\\w+) ${article}${thing} (?:that|which) (?:is|are) ` +
            `${inState}${end}`,
        ),
      },
      // If the invoice is not in the draft state, this API returns an error.
      {
        pattern: of(
          `^if (?:the |an? )?(?:specified |given )?${thing} is not ${inState}` +
            '(?: status| state)?, .*\\b(?<about>error|refused|rejected|fails?)\\b',
        ),
      },
      ...forbidding({ states, thing, article }),
    ],
    becomes: of(`^${article}${states}(?: ${thing})?(?: [^.]*)? (becomes?) `),
  };
}

/** `Sent invoices cannot be deleted`, `A cancelled booking is refused with 409`. */
function forbidding(words: {
  readonly states: string;
  readonly thing: string;
  readonly article: string;
}): SentencePattern[] {
  const { states, thing, article } = words;
  const not = "(?:cannot|can not|can't|may not|must not)";
  return [`(${not} be .+)$`, '(?:is|are) (?<about>refused|rejected)\\b'].map((end) => ({
    pattern: new RegExp(`^${article}${states} ${thing} ${end}`, 'i'),
    isForbidden: true,
  }));
}

const refusesOthers =
  /^(in any other (status|state)|otherwise)\b.*\b(refused|rejected|error|fails?|4\d\d)\b/i;

function readSentence(sentence: string, next: string, phrases: Phrases): Reading | undefined {
  const { patterns, becomes } = phrases;
  if (/\b(unless|except)\b/i.test(sentence)) return undefined;
  const change = refusesOthers.test(next) ? becomes.exec(sentence) : null;
  if (change !== null) return reading(change[1] ?? '', '', false);
  for (const { pattern, isForbidden } of patterns) {
    const found = pattern.exec(sentence);
    if (found === null) continue;
    const about = found.groups?.['about'] ?? found[2] ?? '';
    return reading(found.slice(1).find((group) => group !== about) ?? '', about, isForbidden);
  }
  return undefined;
}

/** A state is matched as a whole word of the list that a sentence names. */
function reading(list: string, about: string, isForbidden = false): Reading {
  const test = (value: string): boolean =>
    new RegExp(`(^|[^\\w-])${stateWords(value)}s?($|[^\\w-])`, 'i').test(list);
  return { list: { test }, about, isForbidden };
}

const usualVerbs: Readonly<Record<string, string>> = {
  PUT: 'replace update change edit modify amend alter',
  PATCH: 'update change edit modify amend alter',
  DELETE: 'delete remove cancel discard',
};

/**
 * Whether a phrase is about what an operation does: `can be deleted` of DELETE, `can be sent` of
 * `POST …/send`. The description of one operation may mention another.
 */
function isAbout({ method, path, summary = '', id, responses }: Operation, about: string): boolean {
  if (!documentsRefusal({ responses }, ['403', '409', '412', '423'])) return false;
  if (about === '' || /^(error|refused|rejected|fails?)$/i.test(about)) return true;
  const own = wordsOf(`${usualVerbs[method] ?? ''} ${lastWord(path)} ${summary} ${id}`);
  const noun = singularOf(lastWord(path.replace(/\/[^/]*$/, '')));
  return wordsOf(about)
    .filter((word) => !auxiliaries.has(word))
    .some((word) => own.some((other) => isSameVerb(word, other) && singularOf(other) !== noun));
}

const auxiliaries = new Set(['can', 'may', 'must', 'could', 'will', 'are', 'is', 'be', 'not']);

/** Whether two words have one stem: `deleted` and `delete`, `paid` and `pay`. */
function isSameVerb(left: string, right: string): boolean {
  const size = Math.min(left.length, right.length) > 3 ? 4 : 2;
  return (
    left.slice(0, size) === right.slice(0, size) || (left.startsWith('sen') && right === 'send')
  );
}
