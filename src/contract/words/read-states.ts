import { lastWord } from '../infer/conventions/path-styles.ts';
import { singularOf, wordsOf } from '../infer/infer-names.ts';
import { documentsRefusal, type Operation } from '../model/operation.ts';
import type { LocatedNode, Schema } from '../model/schema.ts';
import type { Contract } from '../model.ts';
import {
  contractTexts,
  type Fact,
  factsIn,
  fieldTexts,
  operationTexts,
  refusalName,
  statusTexts,
  type ToldText,
} from './facts.ts';
import { codesIn, errorCodesOf, factOfCode } from './error-codes.ts';
import { mentions } from './mentions.ts';
import { isStateName } from './names.ts';
import { plainText, sentencesOf } from './text.ts';

/** The states of a record in which the contract allows an operation on it. */
export interface AllowedStates {
  /** The field that holds the state. */
  readonly field: string;
  readonly values: readonly string[];
  /** The other values of the field: in these states, the operation is to be refused. */
  readonly others: readonly string[];
  /** What the record must have besides: `lines` of `A draft that has lines`. */
  readonly needs?: string | undefined;
  /** What it must not have: `payments` of `A sent invoice without payments`. */
  readonly lacks?: string | undefined;
  readonly fact: Fact;
}

/** The record that an operation acts on. */
export interface StatefulRecord {
  readonly record: Schema;
  readonly collectionPath: string;
}

/**
 * The states in which an operation on a record is allowed, as its description states: `Only pending
 * top-ups can be canceled`, `It can be canceled when it is in requires_input status`. No keyword of
 * OpenAPI states that. Undefined if no sentence is certain.
 */
export function allowedStates(
  operation: Operation,
  stateful: StatefulRecord,
): AllowedStates | undefined {
  // Planners ask for the states of an operation again and again.
  const bySet = stateful.record.derive(newMemory);
  const known = bySet.get(stateful.collectionPath) ?? new Map<Operation, Found>();
  bySet.set(stateful.collectionPath, known);
  const before = known.get(operation);
  if (before !== undefined) return before.allowed;
  const allowed = readAllowed(operation, stateful);
  known.set(operation, { allowed });
  return allowed;
}

interface Found {
  readonly allowed: AllowedStates | undefined;
}

const newMemory = (): Map<string, Map<Operation, Found>> => new Map();

function readAllowed(
  operation: Operation,
  { record, collectionPath }: StatefulRecord,
): AllowedStates | undefined {
  const { description = '' } = operation;
  const fields = stateFields(record);
  if (!documentsRefusal(operation, refusals) && !ofOthers.test(description)) return undefined;
  const noun = lastWord(collectionPath);
  const told = plainTexts(operation);
  for (const fact of [...factsIn(told, 'allowed-states'), ...factsIn(told, 'acts-on-states')]) {
    if (!isAbout(operation, fact.groups['about'] ?? '')) continue;
    for (const { field, values } of fields) {
      const named = statesIn(fact.value ?? '', values, noun);
      const others = values.filter((value) => !named.includes(value));
      if (named.length > 0 && others.length > 0)
        return { field, values: named, others, ...besideState(fact), fact };
    }
  }
  return (
    neverInStates(operation, fields, noun) ??
    refusedStates(operation, fields, noun) ??
    refusedByCode(operation, [...fields, ...flagFields(record)], noun)
  );
}

/** The same from what the operation never does: `A retired vehicle is not changed`. */
function neverInStates(
  operation: Operation,
  fields: readonly StateField[],
  noun: string,
): AllowedStates | undefined {
  const facts = factsIn(plainTexts(operation), 'never-in-states').filter(({ groups }) =>
    isAbout(operation, groups['about'] ?? ''),
  );
  return outsideStates(facts, fields, (told, values) => statesIn(told, values, noun));
}

/** The states besides those that one of some facts names. */
function outsideStates(
  facts: readonly Fact[],
  fields: readonly StateField[],
  namedIn: (told: string, values: readonly string[]) => readonly string[],
): AllowedStates | undefined {
  for (const fact of facts) {
    for (const { field, values } of fields) {
      const others = namedIn(fact.value ?? '', values);
      const allowed = values.filter((value) => !others.includes(value));
      if (others.length > 0 && allowed.length > 0) return { field, values: allowed, others, fact };
    }
  }
  return undefined;
}

function besideState({ groups }: Fact): Pick<AllowedStates, 'needs' | 'lacks'> {
  return { needs: groups['needs'], lacks: groups['lacks'] };
}

/** The same from the code of an error: `already_archived`, `ORDER_NOT_PAID`. */
function refusedByCode(
  operation: Operation,
  fields: readonly StateField[],
  noun: string,
): AllowedStates | undefined {
  for (const documented of errorCodesOf(operation)) {
    const found = stateInCode(documented.code, fields, noun);
    if (found === undefined) continue;
    const { field, named, others, isNegated } = found;
    const fact = factOfCode(documented, 'refused-states');
    return isNegated
      ? { field, values: [named], others, fact }
      : { field, values: others, others: [named], fact };
  }
  return undefined;
}

/** A state in which the API as a whole refuses operations on a record, by the code of an error. */
export interface ClosedState {
  readonly code: string;
  readonly field: string;
  readonly value: string;
  /** Whether the sentence with the code is about all operations: `All other calls …`. */
  readonly isForAll: boolean;
  readonly fact: Fact;
}

/** The states that codes in the description of the API name: `is_archived`, `order_closed`. */
export function closedStates(
  contract: Pick<Contract, 'description'>,
  { record, collectionPath }: StatefulRecord,
): ClosedState[] {
  const fields = [...stateFields(record), ...flagFields(record)];
  const noun = lastWord(collectionPath);
  return contractTexts(contract).flatMap((told) =>
    codesIn(told).flatMap((documented): ClosedState[] => {
      const { code } = documented;
      const found = stateInCode(code, fields, noun) ?? stateOfNoun(code, fields, noun);
      if (found === undefined) return [];
      const { field, named, others, isNegated } = found;
      const [value, ...more] = isNegated ? others : [named];
      if (value === undefined || more.length > 0) return [];
      const isForAll = told.kind !== 'stated' && saysAll(told.text, code);
      return [{ code, field, value, isForAll, fact: factOfCode(documented, 'refused-states') }];
    }),
  );
}

function saysAll(text: string, code: string): boolean {
  const around = sentencesOf(text).filter((sentence) => sentence.includes(code));
  return around.some((sentence) => allOperations.test(sentence));
}

/** `All other calls`, `any write operation`, `no further changes`. */
const allOperations = new RegExp(
  '\\b(?:all|any|every|each|no) (?:\\w+ ){0,2}' +
    '(?:call|method|request|operation|change|write|modification|endpoint|action|update)s?\\b',
  'i',
);

/** A code of the noun and the state alone: `order_closed`. */
function stateOfNoun(
  code: string,
  fields: readonly StateField[],
  noun: string,
): StateInCode | undefined {
  const [first = '', ...state] = code.toLowerCase().split('_');
  return singularOf(first) === singularOf(noun)
    ? stateInCode(['is', ...state].join('_'), fields, noun)
    : undefined;
}

interface StateInCode {
  readonly field: string;
  readonly named: string;
  readonly others: readonly string[];
  readonly isNegated: boolean;
}

function stateInCode(
  code: string,
  fields: readonly StateField[],
  noun: string,
): StateInCode | undefined {
  const words = code.toLowerCase().split('_');
  const at = singularOf(words[0] ?? '') === singularOf(noun) ? 1 : 0;
  const [how = '', ...state] = words.slice(at);
  if (!['not', 'already', 'is'].includes(how)) return undefined;
  for (const { field, values, word } of fields) {
    const named = values.find((value) => wordsOf(word ?? value).join() === state.join());
    const others = values.filter((value) => value !== named);
    if (named !== undefined) return { field, named, others, isNegated: how === 'not' };
  }
  return undefined;
}

/**
 * The states in which alone a record may be named by a member of a body, as the member says, or
 * the operation of such records: `must be active`, `The product offerings must be Active`, `409 if
 * the order is completed`, which a new record is not.
 */
export function statesToBeNamed(
  operation: Operation,
  member: LocatedNode,
  { record, collectionPath }: StatefulRecord,
): Pick<AllowedStates, 'field' | 'values' | 'others'> | undefined {
  const noun = lastWord(collectionPath);
  const told = factsIn(operationTexts(operation), 'must-be-in-state').filter(({ groups }) =>
    [noun, singularOf(noun)].some((one) => mentions(groups['about'] ?? '', one)),
  );
  const all = [...factsIn(fieldTexts(member), 'must-be-in-state'), ...told];
  for (const { field, values, word } of [...stateFields(record), ...flagFields(record)]) {
    const isSaid = (one: string): boolean => all.some(({ value = '' }) => mentions(value, one));
    const named =
      word === undefined ? values.filter(isSaid) : values.slice(0, Number(isSaid(word)));
    const others = values.filter((value) => !named.includes(value));
    if (named.length > 0 && others.length > 0) return { field, values: named, others };
  }
  return refusedStates(operation, stateFields(record), noun);
}

/** The flags of a record, such as `is_archived`, as states. */
function flagFields(record: Schema): StateField[] {
  return [...record.flatten().properties].flatMap(([field, place]) => {
    const { types, node } = record.flatten(place);
    const isFlag = types.includes('boolean') && types.length <= 2;
    const isDigit = node.enum?.map(String).toSorted().join() === '0,1';
    const word = wordsOf(field).join('_').replace(/^is_/, '');
    const values = isFlag ? ['true', 'false'] : ['1', '0'];
    return isFlag || isDigit ? [{ field, values, word }] : [];
  });
}

/** The same from what is said of a refusal: `409 if the order is shipped`. */
function refusedStates(
  operation: Operation,
  fields: readonly StateField[],
  noun: string,
): AllowedStates | undefined {
  const coded = statusTexts(operation, preconditionStatus).filter(
    (one) => one.kind !== 'stated' && one.text.includes('FAILED_PRECONDITION'),
  );
  const told = [...refusals.flatMap((status) => statusTexts(operation, status)), ...coded];
  return outsideStates(factsIn(told.map(inPlainText), 'refused-states'), fields, (text, values) =>
    statesOfConditions(text, values, noun),
  );
}

/**
 * The states in which one of the conditions of a refusal holds: `if it is no draft any more, or has
 * another version`, `unless both are open or pending`. A condition that says more than states tells
 * nothing.
 */
function statesOfConditions(told: string, values: readonly string[], noun: string): string[] {
  const conditions = told.split(/(?:,? (?:or|and)|,)? (?=(?:if|when|while|unless|until|once) )/i);
  return conditions.flatMap((condition) => {
    const isTurned = /^(?:unless|until) /i.test(condition);
    const words = condition.replace(/^(?:if|when|while|because|since|once|unless|until) /i, '');
    // `while one of its projects is active` is about the projects.
    if (/\b(?:any|each|one|some) of (?:its|their)\b|\bits \w+s are\b/i.test(words)) return [];
    const parts = [words, ...words.split(isTurned ? /,? and |, / : /, (?:or )?/)];
    for (const part of parts) {
      const named = statesIn(
        part.replaceAll(/\b(?:no longer|not|no|any ?more)\b/gi, ''),
        values,
        noun,
      );
      const isOthers = /\b(?:no longer|not|no)\b/i.test(part) !== isTurned;
      if (named.length > 0) return values.filter((value) => named.includes(value) !== isOthers);
    }
    return [];
  });
}

/** Statuses for an operation in a state that does not allow it, besides those of invalid input. */
const refusals = ['403', '405', '409', '412', '423'];

/** A refusal of other states with the status of any: `One in another state is a 422.` */
const ofOthers = /other stat(?:e|us)\b.*\b4\d\d\b/;

/** The status of FAILED_PRECONDITION, which also refuses what is invalid (Google AIP-193). */
const preconditionStatus = '400';

/** Whether an operation says that it brings a record into a state: `Marks a note as void`. */
export function setsState(operation: Operation, record: Schema, value: string): boolean {
  const isState = stateFields(record).some(({ values }) => values.includes(value));
  if (operation.method === 'GET' || !isState) return false;
  const words = wordsOf(value).join('[\\s_-]?');
  const begins = new RegExp(
    `^(?:an? |the )?${words}(?=$|[.,;:)]|\\s+(?:status|state|and|by)\\b)`,
    'i',
  );
  const facts = factsIn(plainTexts(operation), 'sets-state');
  return facts.some((fact) => begins.test(fact.value ?? ''));
}

/** The state into which an operation says that it brings a record: `The status becomes cancelled`. */
export function stateSetBy(
  operation: Operation,
  record: Schema,
): { readonly field: string; readonly value: string } | undefined {
  const [found, ...more] = stateFields(record).flatMap(({ field, values }) =>
    values
      .filter((value) => setsState(operation, record, value))
      .map((value) => ({ field, value })),
  );
  return more.length === 0 ? found : undefined;
}

/**
 * The member of a body, with its word, that brings a record into a state: `state_event` with
 * `close` for `closed`, and `reopen` for `opened`.
 */
export function verbInto(
  body: Schema,
  state: string,
): Readonly<Record<string, string>> | undefined {
  const stemOf = (word: string): string =>
    word
      .toLowerCase()
      .replace(/^re/, '')
      .replace(/(?:at)?(?:ed|e|ing)?$/, '');
  for (const [name, place] of body.flatten().properties) {
    if (!/event|action|transition|command/i.test(name)) continue;
    const words = (body.flatten(place).node.enum ?? []).filter((word) => typeof word === 'string');
    const verb = words.find((word) => {
      const [short = '', long = ''] = [word, state]
        .map(stemOf)
        .toSorted((a, b) => a.length - b.length);
      return short.length > 3 && long.startsWith(short);
    });
    if (verb !== undefined) return { [name]: verb };
  }
  return undefined;
}

/** The field of a record that has a state among its values. */
export function stateFieldOf(record: Schema, state: string): string | undefined {
  return stateFields(record).find(({ values }) => values.includes(state))?.field;
}

/** Whether the description of an operation mentions a state as it is written. */
export function mentionsState({ description = '' }: Operation, state: string): boolean {
  return description.includes(state);
}

interface StateField {
  readonly field: string;
  readonly values: readonly string[];
  /** The word that a flag stands for: its first value, `true`, is what the word says. */
  readonly word?: string;
}

/** A state of a record, and the field that holds it. */
export interface NamedState {
  readonly field: string;
  readonly value: string;
}

/** The only state of a record that a sentence names. */
export function stateNamedIn(sentence: string, record: Schema): NamedState | undefined {
  const [found, ...more] = stateFields(record).flatMap(({ field, values }) =>
    values.filter((value) => mentions(sentence, value)).map((value) => ({ field, value })),
  );
  return more.length === 0 ? found : undefined;
}

/** The fields of a record that hold its state, as a text of few. */
export function stateFieldsOf(record: Schema): readonly Omit<StateField, 'word'>[] {
  return stateFields(record);
}

function stateFields(record: Schema): StateField[] {
  return [...record.flatten().properties].flatMap(([field, place]) => {
    const { enum: listed = [] } = record.flatten(place).node;
    const values = listed.filter((value) => typeof value === 'string');
    return values.length > 1 && isStateName(field) ? [{ field, values }] : [];
  });
}

function plainTexts(operation: Operation): ToldText[] {
  return operationTexts(operation).map(inPlainText);
}

export function inPlainText(told: ToldText): ToldText {
  return told.kind === 'stated' ? told : { ...told, text: plainText(told.text) };
}

/** Words beside the states that leave no record out: `it is in one of these statuses, is refused`. */
const around = new Set(
  (
    'a an the all those these this one ones of it they its their is are in with that which ' +
    'either both each still already currently following status statuses state states or and ' +
    'record object resource item refused rejected'
  ).split(' '),
);

/** The states that a phrase names; none if it says anything else of the record. */
function statesIn(phrase: string, values: readonly string[], noun: string): readonly string[] {
  const byLength = values
    .map((value) => ({ value, words: wordsOf(value) }))
    .toSorted((left, right) => right.words.length - left.words.length);
  const isNoun = (words: readonly string[]): boolean =>
    singularOf(words.join('')) === singularOf(noun);
  // How it is refused is said beside: `A sent one is 409`, `FAILED_PRECONDITION (400)`.
  const words = wordsOf(phrase.replaceAll(refusalName, ' '));
  const named = new Set<string>();
  for (let at = 0; at < words.length;) {
    const state = byLength.find((one) => isSame(words.slice(at, at + one.words.length), one.words));
    if (state !== undefined) {
      named.add(state.value);
      at += state.words.length;
      continue;
    }
    const size = [1, 2].find((length) => isNoun(words.slice(at, at + length)));
    if (size === undefined && !around.has(words[at] ?? '')) return [];
    at += size ?? 1;
  }
  return values.filter((value) => named.has(value));
}

/** Whether words are those of a state, the last of which may be plural: `drafts`. */
function isSame(words: readonly string[], state: readonly string[]): boolean {
  const [text, expected] = [words.join(' '), state.join(' ')];
  return text === expected || text === `${expected}s`;
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
function isAbout({ method, path, summary = '', id }: Operation, about: string): boolean {
  if (about === '') return true;
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

/** The state in which a record has none of what a noun names: `A draft has no reviews (409).` */
export function stateWithout(
  operation: Operation,
  { record, collectionPath }: StatefulRecord,
  noun: string,
): { readonly field: string; readonly value: string } | undefined {
  const holder = singularOf(lastWord(collectionPath));
  for (const told of statusTexts(operation, '409').map(inPlainText)) {
    if (told.kind === 'stated') continue;
    const [, value = '', whole = holder, part = ''] = hasNone.exec(told.text) ?? [];
    const field = stateFieldOf(record, value.toLowerCase());
    const isOfHolder = singularOf(part) === noun && singularOf(whole.toLowerCase()) === holder;
    if (field !== undefined && isOfHolder) return { field, value: value.toLowerCase() };
  }
  return undefined;
}

const hasNone =
  /^(?:an?|the|each|every) ([\w-]+)(?: ([\w-]+))? (?:has|have|takes?|gets?) no (\w+)/i;
