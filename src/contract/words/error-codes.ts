import type { Operation } from '../model/operation.ts';
import { plainName, singularOf, wordsOf } from '../infer/infer-names.ts';
import type { Pointer } from '../../json/pointer.ts';
import { type Fact, factsIn, operationTexts, statusTexts, type ToldText } from './facts.ts';

/** The code of an error that an operation documents: `name_taken`, `ORDER_NOT_PAID`. */
export interface ErrorCode {
  readonly code: string;
  /** Where it is written. */
  readonly pointer: Pointer;
}

const form = /\b(?:[a-z]+(?:_[a-z]+)+|[A-Z]+(?:_[A-Z]+)+)\b/g;

/** The codes of errors in the texts of an operation, in their order. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  return operationTexts(operation).flatMap(codesIn);
}

export function codesIn(told: ToldText): ErrorCode[] {
  return told.kind === 'stated'
    ? []
    : [...told.text.matchAll(form)]
        // `is_active` with a value is a member.
        .filter(
          ([code], at, all) => !hasValue(told.text.slice((all[at]?.index ?? 0) + code.length)),
        )
        .map(([code]) => ({ code, pointer: told.pointer }));
}

/** Whether a text begins with a value, behind the name of a member. */
function hasValue(text: string): boolean {
  return /^`? ?(?:(?:is|to|=) )?(?:true|false)\b/.test(text);
}

export function factOfCode({ code, pointer }: ErrorCode, fact: Fact['fact']): Fact {
  return { fact, value: code, pointer, sentence: code, groups: {} };
}

const taken =
  /^(?:(?<before>\w+?)_(?:(?:is_)?(?:already_)?(?:taken|exists|in_use|used)|not_unique|conflict)|(?:duplicate|existing)_(?<behind>\w+))$/i;

/** The code with which a value is refused that another record has: `name_taken`. */
export function takenCode(operation: Operation, field: string): ErrorCode | undefined {
  return errorCodesOf(operation).find(({ code }) => {
    const { before, behind } = taken.exec(code)?.groups ?? {};
    return plainName(before ?? behind ?? '') === plainName(field);
  });
}

const unknown = [
  /^(?<noun>\w+?)_(?:(?:was_|is_)?not_found|(?:does_)?not_exist|(?:is_)?unknown)$/i,
  /^(?:unknown|no_such)_(?<noun>\w+)$/i,
];

/**
 * The code with which a member is refused that names no record: `user_not_found` for `users`, and
 * `thread_not_found` for `thread_ts`, where `ts` is the identifier.
 */
export function unknownCode(
  operation: Operation,
  field: string,
  identifier = 'id',
): ErrorCode | undefined {
  const named = nounOf(field, identifier);
  return errorCodesOf(operation).find(({ code }) =>
    unknown.some((pattern) => {
      const noun = pattern.exec(code)?.groups?.['noun'];
      return named !== '' && noun !== undefined && nounOf(noun) === named;
    }),
  );
}

/** All codes of that kind that an operation documents. */
export function unknownCodes(operation: Operation): ErrorCode[] {
  return errorCodesOf(operation).filter(({ code }) => unknown.some((one) => one.test(code)));
}

/** The noun in the name of a reference: `user` of `users`, `userId` and `user_ids`. */
function nounOf(name: string, identifier = 'id'): string {
  const words = wordsOf(name);
  const ends = ['id', 'ids', identifier.toLowerCase()];
  const own = ends.includes(words.at(-1) ?? '') ? words.slice(0, -1) : words;
  return own.length === 0 ? '' : singularOf(own.join(''));
}

/** The code with which an operation is refused that has been done: `already_reacted`. */
export function doneCode(operation: Operation): ErrorCode | undefined {
  return errorCodesOf(operation).find(({ code }) => /^already_(?!exists)/i.test(code));
}

/**
 * The same where no code says it: the status whose description does, with the verb at the end of
 * the path: `304: You are subscribed already`. Nouns are in sentences about other actions, too.
 */
export function doneStatus(operation: Operation): ErrorCode | undefined {
  if (operation.requestBody !== undefined) return undefined;
  const last = operation.path.split('/').findLast((segment) => segment !== '') ?? '';
  const stem = (wordsOf(last.replaceAll(/\{[^{}]*\}/g, ''))[0] ?? '').replace(/e$/, '');
  const isOfVerb = (sentence: string): boolean =>
    stem.length > 3 && wordsOf(sentence).some((word) => word.startsWith(stem));
  const refusals = operation.responses.filter(({ status }) => /^(?:304|4\d\d)$/.test(status));
  return refusals.flatMap(({ status }) => {
    const facts = factsIn(statusTexts(operation, status), 'done-already');
    const fact = facts.find(({ sentence }) => isOfVerb(sentence));
    return fact === undefined ? [] : { code: status, pointer: fact.pointer };
  })[0];
}

/** The code with which an operation is refused that finds nothing to undo: `no_reaction`. */
export function nothingCode(operation: Operation): ErrorCode | undefined {
  return errorCodesOf(operation).find(({ code }) => /^no_/i.test(code));
}
