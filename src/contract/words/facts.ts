import { joinPointer, type Pointer } from '../../json/pointer.ts';
import type { Contract } from '../model.ts';
import type { HeaderSpec, Operation, Parameter, ResponseSpec } from '../model/operation.ts';
import type { LocatedNode } from '../model/schema.ts';
import { factsKeyword, readStatedFacts, type StatedFacts } from './stated-facts.ts';
import { mentions } from './mentions.ts';
import { sentencesOf } from './text.ts';
import { matchesOf, type Match, type TextKind } from './phrase.ts';
import { type FactName, phrases } from './phrases/index.ts';

/** What a sentence of a contract states, with the place and the sentence. */
export interface Fact {
  readonly fact: FactName;
  /** What the sentence names: the noun within which something is unique, a number of seconds. */
  readonly value?: string | undefined;
  /** The place of the text. */
  readonly pointer: Pointer;
  readonly sentence: string;
  readonly groups: Match['groups'];
}

/** A text of a contract, or what its owner states beside it. */
export type ToldText =
  | { readonly kind: TextKind; readonly text: string; readonly pointer: Pointer }
  | { readonly kind: 'stated'; readonly facts: StatedFacts; readonly pointer: Pointer };

export function operationTexts({
  pointer,
  summary,
  description,
  extensions,
}: Pick<Operation, 'pointer' | 'summary' | 'description' | 'extensions'>): ToldText[] {
  return [
    ...stated(readStatedFacts(extensions[factsKeyword]), pointer),
    ...textOf('operation', description, joinPointer(pointer, 'description')),
    ...textOf('operation', summary, joinPointer(pointer, 'summary')),
  ];
}

/** The sentences of the API's description that are about something, as if they stood elsewhere. */
export function generalTexts(
  { general = '' }: Pick<Operation, 'general'>,
  kind: 'operation' | 'parameter',
  isAbout: (sentence: string) => boolean,
): ToldText[] {
  // What stands behind a semicolon is about the same.
  return general
    .split(/(?<=[.!?])\s+|\n{2,}/)
    .filter(isAbout)
    .map((text) => ({ kind, text, pointer: '/info/description' }));
}

export function parameterTexts(parameter: Parameter): ToldText[] {
  const { pointer, description, ofFamily, facts } = parameter;
  return [
    ...stated(facts, pointer),
    ...textOf('parameter', description, joinPointer(pointer, 'description')),
    ...textOf('parameter', ofFamily, '/info/description'),
  ];
}

export function responseTexts({ pointer, description }: ResponseSpec): ToldText[] {
  return textOf('response', description, joinPointer(pointer, 'description'));
}

/**
 * What a contract says of one response: its description, and what the operation says of its status:
 * `The code of another category is 409, an unknown one 404.`
 */
export function statusTexts(operation: Operation, status: string): ToldText[] {
  const response = operation.responses.find((one) => one.status === status);
  return response === undefined
    ? []
    : [...responseTexts(response), ...clausesOn(status, operationTexts(operation))];
}

/** The clauses of texts that name a status, as what is said of it. */
export function clausesOn(status: string, texts: readonly ToldText[]): ToldText[] {
  const about = new RegExp(`\\b(?:${[status, ...(codesOf[status] ?? [])].join('|')})\\b`);
  return texts.flatMap((told): ToldText[] => {
    const clauses = told.kind === 'stated' ? [] : sentencesOf(told.text).flatMap(clausesByStatus);
    return clauses
      .filter((text) => about.test(text))
      .map((text) => ({ kind: 'response', text, pointer: told.pointer }));
  });
}

/** The codes of errors that have a status (Google AIP-193, google.rpc.Code). */
const codesOf: Readonly<Record<string, readonly string[]>> = {
  400: ['INVALID_ARGUMENT', 'FAILED_PRECONDITION', 'OUT_OF_RANGE'],
  403: ['PERMISSION_DENIED'],
  404: ['NOT_FOUND'],
  409: ['ALREADY_EXISTS', 'ABORTED'],
};

/** A status of a refusal, or the code of one. */
export const refusalName = new RegExp(
  `\\b(?:4\\d\\d|${Object.values(codesOf).flat().join('|')})\\b`,
  'g',
);

/** A sentence that names several statuses is cut at its commas. */
function clausesByStatus(sentence: string): string[] {
  const named = sentence.match(/\b[45]\d\d\b/g) ?? [];
  return named.length > 1 ? sentence.split(/,\s+/) : [sentence];
}

/** The description of the API, which holds for all of its operations. */
export function contractTexts({ description }: Pick<Contract, 'description'>): ToldText[] {
  return textOf('contract', description, '/info/description');
}

/** The description of a schema, with its `$ref`s and `allOf` resolved: see `Schema.flatten`. */
export function fieldTexts({ node, pointer }: LocatedNode): ToldText[] {
  if (typeof node !== 'object') return [];
  return [
    ...stated(readStatedFacts(node[factsKeyword]), pointer),
    ...textOf('field', node.description, joinPointer(pointer, 'description')),
  ];
}

function textOf(kind: TextKind, text: string | undefined, pointer: Pointer): ToldText[] {
  return typeof text === 'string' && text !== '' ? [{ kind, text, pointer }] : [];
}

function stated(facts: StatedFacts | undefined, pointer: Pointer): ToldText[] {
  return facts === undefined
    ? []
    : [{ kind: 'stated', facts, pointer: joinPointer(pointer, factsKeyword) }];
}

/**
 * All sentences of texts that state a fact. What the owner states comes first; what the owner
 * denies, no sentence states.
 */
export function factsIn(texts: readonly ToldText[], fact: FactName): Fact[] {
  const owned = texts.flatMap((one): Fact[] => {
    const given = one.kind === 'stated' ? one.facts[fact] : undefined;
    return given === undefined || given === false ? [] : [ownedFact(fact, given, one.pointer)];
  });
  const isDenied = texts.some((one) => one.kind === 'stated' && one.facts[fact] === false);
  return isDenied ? [] : [...owned, ...texts.flatMap((one) => readText(one, fact))];
}

function ownedFact(fact: FactName, given: true | string, pointer: Pointer): Fact {
  const value = given === true ? undefined : given;
  return { fact, value, pointer, sentence: `${fact}: ${String(given)}`, groups: {} };
}

function readText(told: ToldText, fact: FactName): Fact[] {
  if (told.kind === 'stated' || !phrases[fact].in.includes(told.kind)) return [];
  const { text, pointer } = told;
  return matchesOf(phrases[fact], text).map(({ sentence, groups }) => ({
    fact,
    value: groups['value'],
    pointer,
    sentence,
    groups,
  }));
}

/** The first sentence of texts that states a fact. */
export function factIn(texts: readonly ToldText[], fact: FactName): Fact | undefined {
  return factsIn(texts, fact)[0];
}

/** What an operation says, together with the API and with its responses and parameters. */
export function textsAround(
  contract: Pick<Contract, 'description'>,
  operation: Operation,
): readonly ToldText[] {
  return [
    ...contractTexts(contract),
    ...operationTexts(operation),
    ...operation.responses.flatMap(responseTexts),
    ...operation.parameters.flatMap(parameterTexts),
  ];
}

export function operationSays(operation: Operation, fact: FactName): boolean {
  return factIn(operationTexts(operation), fact) !== undefined;
}

/** Whether the description of a schema states a fact; its `$ref`s are resolved: `flatten`. */
export function fieldSays(field: LocatedNode, fact: FactName): boolean {
  return factIn(fieldTexts(field), fact) !== undefined;
}

/** Whether the description of a header, or of its schema, states a fact. */
export function headerSays({ schema, description, pointer }: HeaderSpec, fact: FactName): boolean {
  const own = textOf('field', description, joinPointer(pointer, 'description'));
  return factIn([...own, ...fieldTexts(schema.flatten())], fact) !== undefined;
}

/** Whether the description of a field names a refusal: `The code of a category; else 400.` */
export function namesRefusal(field: LocatedNode): boolean {
  return descriptionOf(field).search(refusalName) !== -1;
}

/** Whether texts mention a field as it is written: `ownerId`. */
export function namesField(texts: readonly ToldText[], field: string): boolean {
  return texts.some((told) => told.kind !== 'stated' && told.text.includes(field));
}

/** Whether a text names a field, as it is written or by its words. */
export function namesAny(texts: readonly ToldText[], field: string): boolean {
  return texts.some((told) => told.kind !== 'stated' && mentions(told.text, field));
}

/** The description of a schema as it is, for those who look for names in it. */
export function descriptionOf({ node }: LocatedNode): string {
  return typeof node === 'object' ? (node.description ?? '') : '';
}
