import { lastWord } from '../infer/conventions/path-styles.ts';
import { plainName, singularOf, wordsOf } from '../infer/infer-names.ts';
import type { Operation } from '../model/operation.ts';
import type { Schema } from '../model/schema.ts';
import { factOfCode, takenCode } from './error-codes.ts';
import type { Fact, ToldText } from './facts.ts';
import { clausesOn, factIn, factsIn, fieldTexts, operationTexts, statusTexts } from './facts.ts';
import { mentions } from './mentions.ts';

/** A field of a body that no two records may share. */
export interface UniqueField {
  readonly name: string;
  /** Whether a text in another case counts as the same. */
  readonly ignoresCase: boolean;
  /** The noun within which it is unique: `site` of `unique within the site`. */
  readonly within?: string | undefined;
  /** Whether it is unique among all records, whatever they are below: `No two seats have …`. */
  readonly isGlobal?: true;
  readonly fact: Fact;
}

/**
 * The fields of a request body that descriptions call unique, where the operation documents 409 for
 * a record that is in the way: `The email of a customer is unique`, or, of the 409, `Another
 * customer has this email`. No keyword of JSON Schema states that. A number is one of them only as
 * the `identifier` that a client chooses: `409 if all seats are taken` says nothing of `seats`.
 */
export function uniqueFields(
  operation: Operation,
  schema: Schema,
  identifier?: string,
): UniqueField[] {
  const isConflict = operation.responses.some(({ status }) => status === '409');
  if (!isConflict && operation.verdict !== undefined) return uniqueByCode(operation, schema);
  const around = operationTexts(operation);
  const conflict = isConflict ? eachIf(statusTexts(operation, '409')) : takenClauses(around);
  const unique = isConflict ? factsIn(around, 'unique') : [];
  const told = [...unique, ...factsIn(conflict, 'value-taken')];
  const all = [...around, ...conflict];
  const { properties } = schema.flatten();
  return [...properties].flatMap(([name, place]) => {
    const flat = schema.flatten(place);
    const { node, types } = flat;
    const isKey = types.includes('string') || name === identifier;
    if (node.readOnly === true || !isKey || node.enum !== undefined) return [];
    const own = fieldTexts(flat);
    const isAbout = ({ sentence }: Fact): boolean => tells(sentence, name, [...properties.keys()]);
    const clauses = isConflict ? clausesOn('409', own) : takenClauses(own);
    const taken = factsIn(clauses, 'value-taken');
    const stated = isConflict ? factsIn(own, 'unique') : [];
    const about = [...stated, ...taken, ...told.filter(isAbout)];
    const returned = [...factsIn(own, 'upserts'), ...factsIn(around, 'upserts').filter(isAbout)];
    const others = factsIn(own, 'identifies').filter((named) => namesOther(named, name, operation));
    const [fact] = about.filter(
      ({ sentence }) => !others.some((other) => other.sentence === sentence),
    );
    if (fact === undefined || returned.length > 0) return [];
    const [within] = about.flatMap(({ value }) => value ?? []);
    const sentences = new Set(about.map(({ sentence }) => sentence));
    const ignoresCase =
      factIn(own, 'ignores-case') !== undefined ||
      factsIn(all, 'ignores-case').some(({ sentence }) => sentences.has(sentence));
    const isGlobal =
      within === undefined && about.some(({ groups }) => groups['all'] !== undefined);
    return [{ name, ignoresCase, fact, within, ...(isGlobal ? { isGlobal } : {}) }];
  });
}

/**
 * Whether a sentence names a field, or no field and, alone, the last word that only this one has:
 * `An address that the list has already`, of `email_address`.
 */
function tells(sentence: string, name: string, all: readonly string[]): boolean {
  if (mentions(sentence, name)) return true;
  const last = wordsOf(name).at(-1) ?? name;
  const isOnly = all.every((other) => other === name || !plainName(other).endsWith(last));
  const alone = new RegExp(`\\b(?:an?|the|this|that|same|such|its|their|one) ${last}\\b`, 'i');
  return isOnly && alone.test(sentence) && !all.some((other) => mentions(sentence, other));
}

/** Where a 409 is not documented: `400 if another project has the path`. */
function takenClauses(texts: readonly ToldText[]): ToldText[] {
  const isClear = /\banother|unique|taken|one of this|has already|already (?:ex|has|us)/i;
  return eachIf(['400', '422'].flatMap((status) => clausesOn(status, texts))).filter(
    (told) => told.kind !== 'stated' && isClear.test(told.text),
  );
}

/** Each condition of a clause alone: `if another one has the code, or if start is after end`. */
function eachIf(texts: readonly ToldText[]): ToldText[] {
  return texts.flatMap((told): ToldText[] =>
    told.kind === 'stated'
      ? [told]
      : told.text.split(/,? or (?=if |when )/).map((text) => ({ ...told, text })),
  );
}

/** The texts of a record that the service sets, and that descriptions call unique. */
export function uniqueOfService(record: Schema): string[] {
  return [...record.flatten().properties].flatMap(([name, place]) => {
    const flat = record.flatten(place);
    const isOwn = flat.node.readOnly === true && flat.types.includes('string');
    return isOwn && factIn(fieldTexts(flat), 'unique') !== undefined ? [name] : [];
  });
}

/**
 * Whether a field identifies another kind of record: `roomId` of a tab is `A unique identifier for
 * the room`, and many tabs may have it.
 */
function namesOther({ value = '' }: Fact, field: string, { path }: Operation): boolean {
  const noun = wordsOf(field).slice(0, -1).join('');
  return noun !== singularOf(lastWord(path)) && noun === singularOf(value.toLowerCase());
}

/** The same from the code of an error, where one status carries all refusals: `name_taken`. */
function uniqueByCode(operation: Operation, schema: Schema): UniqueField[] {
  if (operation.verdict === undefined) return [];
  return [...schema.flatten().properties].flatMap(([name, place]) => {
    const { node, types } = schema.flatten(place);
    const code = takenCode(operation, name);
    if (code === undefined || node.readOnly === true || !types.includes('string')) return [];
    return [{ name, ignoresCase: false, fact: factOfCode(code, 'unique') }];
  });
}

/**
 * The fields that no two records may share, by the description of an operation that changes a
 * record, or by that of the one that creates them: only where it documents 409 too.
 */
export function uniqueInChange(
  operation: Operation,
  schema: Schema,
  create: Operation | undefined,
): UniqueField[] {
  const own = uniqueFields(operation, schema);
  const has = (one: Operation, wanted: string): boolean =>
    one.responses.some(({ status }) => status === wanted);
  if (create === undefined || create === operation) return own;
  const statuses = has(create, '409') ? ['409'] : ['400', '422'];
  const isRefused = statuses.some((status) => has(create, status) && has(operation, status));
  if (operation.verdict === undefined && !isRefused) return own;
  const names = schema.flatten().properties;
  const made = create.requestBody?.content.find((entry) => entry.schema !== undefined)?.schema;
  const others = made === undefined ? [] : uniqueFields(create, made);
  const isNew = ({ name }: UniqueField): boolean =>
    names.has(name) && own.every((field) => field.name !== name);
  const asMade = own.map((field) => joined(field, others));
  return [...asMade, ...others.filter(isNew)];
}

/** What both operations say of a field. */
function joined(field: UniqueField, others: readonly UniqueField[]): UniqueField {
  const made = others.find(({ name }) => name === field.name);
  const ignoresCase = field.ignoresCase || made?.ignoresCase === true;
  return { ...field, ignoresCase, within: field.within ?? made?.within };
}

/** Whether a member of a body tells a status: `unique in the account (422)`. */
export function tellsStatus(schema: Schema, field: string, status: string): boolean {
  const place = schema.flatten().properties.get(field);
  return place !== undefined && clausesOn(status, fieldTexts(schema.flatten(place))).length > 0;
}
