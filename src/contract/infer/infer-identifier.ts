import type { FlatSchema, LocatedNode, Operation, Parameter, Schema, Resource } from '../model.ts';
import { shownValues } from '../model/operation.ts';
import { shownBy } from '../schema/shown-values.ts';
import { addressText } from './address-members.ts';
import { objectMembers } from '../schema/object-members.ts';
import { type IdentifierNames, identifierStyles } from './conventions/identifier-styles.ts';
import { plainName, singularOf, wordsOf } from './infer-names.ts';
import { readAddress } from './read-address.ts';
import { groupsOf } from './record-view.ts';
import { carriedField } from '../words/argument-codes.ts';

/** The identifier of a record, and a sentence that says how it was found. */
export type IdentifierReading = Pick<Resource, 'identifier' | 'conventions' | 'why'>;

/** The evidence for an identifier, besides the record. */
export interface IdentifierSource {
  /** An operation on an item's path; undefined if the contract has none. */
  readonly item?: Operation | undefined;
  /** The path parameter that names the record. */
  readonly parameter?: string | undefined;
  /** The path of one record: `/things/{thing}`. */
  readonly itemPath?: string | undefined;
  /** The last word of the collection's path: `things`. */
  readonly word?: string;
  /** The field that the configuration names. */
  readonly field?: string | undefined;
  /** Whether an operation creates records: then they are identified, even if no field shows how. */
  readonly isMade?: boolean;
  /** Whether records are made without a body: the service alone names them. */
  readonly isNamedByService?: boolean;
}

/** A field that may identify a record, and the convention by which it was found. */
interface Candidate {
  readonly field: string;
  readonly convention: string;
}

/**
 * Finds the field that identifies a record: the first that a convention names and whose values the
 * path can carry. If no field matches and records are created, it is a member that the contract
 * does not describe, or one that no response shows.
 */
export function inferIdentifier(
  record: Schema,
  source: IdentifierSource,
): IdentifierReading | undefined {
  const { item, parameter, word = '', field: named } = source;
  const { properties, common } = objectMembers(record);
  const scalars = [...properties]
    .filter(([name, place]) => common.has(name) && scalarType(record, place) !== undefined)
    .map(([name]) => name);
  const candidates =
    named === undefined
      ? findCandidates(scalars, { parameter, word }).filter(
          ({ field }) => !isOtherKind(field, record, { ...source, item, parameter }),
        )
      : findField(scalars, named).map((field) => ({ field, convention: '' }));
  const expected = parameterType(item, parameter);
  const usual = candidates.find(({ convention }) => convention === 'identifier.usual');
  const grouped = usual && groupedField(record, { parameter, word }, expected);
  const best = choose(candidates, expected, { record, parameter });
  const likely =
    toldInstead(best, scalars, source) ?? best ?? (grouped === undefined ? undefined : usual);
  const chosen = named === undefined ? settleGuess(likely, scalars, record, source) : likely;
  if (chosen === undefined)
    return named === undefined ? inferUndeclared(record, source, expected) : undefined;
  const property = properties.get(chosen.field);
  const { format } = flattenAt(record, property).node;
  const others = [
    ...candidates
      .filter(({ field, convention }) => field !== chosen.field && shared.has(convention))
      .map(({ field }) => field),
    ...(chosen === usual && grouped !== undefined ? [grouped] : []),
  ];
  return {
    identifier: {
      field: chosen.field,
      ...(others.length === 0 ? {} : { others }),
      parameter,
      type: scalarType(record, property) ?? 'string',
      format,
    },
    conventions: named === undefined ? [chosen.convention] : [],
    why: [
      `Records are identified by ${chosen.field}: ${reason(named, parameter)}.`,
      ...(others.length === 0
        ? []
        : [`The path parameter ${parameter ?? ''} may hold ${others.join(' or ')} instead.`]),
    ],
  };
}

function reason(named: string | undefined, parameter: string | undefined): string {
  if (named !== undefined) return 'the configuration says so';
  return parameter === undefined
    ? 'its name is usual for an identifier'
    : `the path parameter ${parameter} carries it`;
}

function findField(fields: readonly string[], name: string): string[] {
  const found =
    fields.find((field) => field === name) ??
    fields.find((field) => plainName(field) === plainName(name));
  return found === undefined ? [] : [found];
}

function findCandidates(fields: readonly string[], known: IdentifierNames): Candidate[] {
  const found = identifierStyles.flatMap((style) =>
    style
      .names(known)
      .flatMap((name) => findField(fields, name))
      .map((field) => ({ field, convention: style.id })),
  );
  return found.filter(
    ({ field }, index) => found.findIndex((other) => other.field === field) === index,
  );
}

/** The field that the description of the path parameter names instead of the usual one. */
function toldInstead(
  best: Candidate | undefined,
  fields: readonly string[],
  { item, parameter, word = '' }: IdentifierSource,
): Candidate | undefined {
  const own = best?.convention === 'identifier.usual' ? parameterNamed(item, parameter) : undefined;
  const field = own && carriedField(own, { noun: singularOf(word), fields });
  return field === undefined ? undefined : { field, convention: 'identifier.told' };
}

/** Conventions that take a name which people use for the identifier. */
const guesses = new Set(['identifier.called', 'identifier.address']);

/**
 * A guess, as the address that a record shows of itself settles it: `/users/ann` beside
 * `login: ann` names the login. Where no member shows the end of the address, and the guess shows
 * something else, the address identifies the record.
 */
function settleGuess(
  guess: Candidate | undefined,
  scalars: readonly string[],
  record: Schema,
  source: IdentifierSource,
): Candidate | undefined {
  if (guess !== undefined && !guesses.has(guess.convention)) return guess;
  const address = ownAddress(record, source);
  if (address === undefined) return guess;
  const { properties } = objectMembers(record);
  const shown = (field: string): string[] =>
    shownBy(flattenAt(record, properties.get(field)).node).map(String);
  const convention = 'identifier.own-address';
  const named = scalars.find((field) => shown(field).includes(address.id));
  if (named !== undefined) return { field: named, convention };
  const isRefuted = guess === undefined || shown(guess.field).length > 0;
  return isRefuted ? { field: address.field, convention } : guess;
}

/** A member that holds the address of its own record, and the last part of what it shows. */
interface OwnAddress {
  readonly field: string;
  readonly text: string;
  readonly id: string;
}

/**
 * The member that holds the address of its own record, such as `/things/a`: its example or pattern
 * is an address of the item's path. Of several, it is the shortest whose example names the record
 * as the example of the parameter does.
 */
function ownAddress(
  record: Schema,
  { itemPath, item, parameter }: IdentifierSource,
): OwnAddress | undefined {
  if (itemPath === undefined) return undefined;
  const found = [...objectMembers(record).properties].flatMap(([field, place]): OwnAddress[] => {
    const text = addressText(flattenAt(record, place).node);
    const [id] = (text === undefined ? undefined : readAddress(itemPath, text))?.values() ?? [];
    return text === undefined || id === undefined ? [] : [{ field, text, id }];
  });
  if (found.length < 2) return found[0];
  const own = parameterNamed(item, parameter);
  const examples = (own === undefined ? [] : shownValues(own)).map(String);
  return found
    .filter(({ id }) => examples.includes(id))
    .toSorted((one, other) => one.text.length - other.text.length)[0];
}

/** Conventions in which one parameter may hold several fields of a record. */
const shared = new Set(['identifier.either', 'identifier.called']);

/**
 * The field that a parameter names, if the record keeps it in a group and nothing else says what
 * the parameter carries: `attributes.code` for `/currencies/{code}`.
 */
function groupedField(
  record: Schema,
  known: IdentifierNames,
  expected: 'integer' | 'string' | undefined,
): string | undefined {
  const group = groupsOf(record)?.group;
  const place = group === undefined ? undefined : objectMembers(record).properties.get(group);
  if (group === undefined || place === undefined || known.parameter === undefined) return undefined;
  const { properties } = record.flatten(place);
  const fields = [...properties.keys()];
  const called = findCandidates(fields, known).filter(({ convention }) => calling.has(convention));
  const found = [...findField(fields, known.parameter), ...called.map(({ field }) => field)].find(
    (field) => {
      const type = scalarType(record, properties.get(field));
      return type !== undefined && (expected === undefined || type === expected);
    },
  );
  return found && `${group}.${found}`;
}

/** Conventions in which the parameter has the name of the field in its own. */
const calling = new Set([
  'identifier.same-name',
  'identifier.without-noun',
  'identifier.name-ending',
]);

/**
 * The first candidate, unless its type cannot be the parameter's: then a later one that matches, or
 * none.
 */
function choose(
  candidates: readonly Candidate[],
  expected: 'integer' | 'string' | undefined,
  { record, parameter }: { readonly record: Schema; readonly parameter: string | undefined },
): Candidate | undefined {
  const [first] = candidates;
  if (expected === undefined || first === undefined || first.field === parameter) return first;
  const { properties } = objectMembers(record);
  const isIdentifier = parameter !== undefined && /(id|uuid|sid|token|key|arn)$/i.test(parameter);
  // `petId` is the `id`, even if a path parameter is loosely typed.
  if (isIdentifier && /^_?(id|gid|sid|uuid|guid)$/.test(first.field.toLowerCase())) return first;
  return (
    candidates.find(({ field }) => scalarType(record, properties.get(field)) === expected) ??
    (isIdentifier ? first : undefined)
  );
}

/**
 * The identifier of records without a known identifying field, if an item's path shows that there
 * is one: an undeclared member, if the schema allows one.
 */
function inferUndeclared(
  record: Schema,
  { parameter, isMade = false }: IdentifierSource,
  expected: 'integer' | 'string' | undefined,
): IdentifierReading | undefined {
  if (parameter === undefined || !isMade) return undefined;
  const { properties, node } = record.flatten();
  const last = wordsOf(parameter).at(-1) ?? '';
  const name = /^(id|uuid|guid|gid|sid|key|slug|code|name|token)$/.test(last) ? last : 'id';
  const isOpen =
    node.additionalProperties !== false &&
    node['unevaluatedProperties'] !== false &&
    !properties.has(name);
  return {
    identifier: { field: isOpen ? name : '', parameter, type: expected ?? 'string' },
    conventions: [isOpen ? 'identifier.undeclared' : 'identifier.hidden'],
    why: [
      isOpen
        ? `Records are identified by ${name}, which the contract does not describe: ` +
          `the path parameter ${parameter} must carry something, and the record may have it.`
        : `No field identifies records: only paths and links hold what ${parameter} carries.`,
    ],
  };
}

/**
 * Whether a field cannot be what a path parameter carries, although their types match: `{user_id}`
 * is not the `name` of a user, unless the service names users itself, a parameter with UUID format
 * is not a `slug`, unless it is called so, and one with a pattern is not a field with another
 * pattern.
 */
function isOtherKind(
  field: string,
  record: Schema,
  { item, parameter = '', isNamedByService = false }: IdentifierSource,
): boolean {
  const isId = /id$/i.test(field);
  if (isId || plainName(field) === plainName(parameter)) return false;
  if (/(^|[^a-z])id$|[a-z]Id$|uuid$|guid$/.test(parameter) && plainName(field) === 'name')
    return !isNamedByService;
  const { format, pattern } = parameterSchema(item, parameter)?.flatten().node ?? {};
  const place = objectMembers(record).properties.get(field);
  const { node } = flattenAt(record, place);
  const isCalledSo = plainName(parameter).endsWith(plainName(field));
  // Two patterns describe two kinds of texts.
  return (
    (format === 'uuid' && node.format !== 'uuid' && !isCalledSo) ||
    (pattern !== undefined && node.pattern !== undefined && node.pattern !== pattern)
  );
}

function parameterSchema(
  item: Operation | undefined,
  parameter: string | undefined,
): Schema | undefined {
  return parameterNamed(item, parameter)?.schema;
}

function parameterNamed(
  item: Operation | undefined,
  parameter: string | undefined,
): Parameter | undefined {
  return item?.parameters.find(({ in: where, name }) => where === 'path' && name === parameter);
}

function parameterType(
  item: Operation | undefined,
  parameter: string | undefined,
): 'integer' | 'string' | undefined {
  const schema = parameterSchema(item, parameter);
  return schema && typeOf(schema.flatten());
}

function flattenAt(record: Schema, property: LocatedNode | undefined): FlatSchema {
  return property === undefined
    ? record.flatten({ node: true, pointer: '' })
    : record.flatten(property);
}

function scalarType(
  record: Schema,
  property: LocatedNode | undefined,
): 'integer' | 'string' | undefined {
  return property === undefined ? undefined : typeOf(flattenAt(record, property));
}

function typeOf({ types }: FlatSchema): 'integer' | 'string' | undefined {
  if (types.length > 2) return undefined;
  if (types.includes('integer') || types.includes('number')) return 'integer';
  return types.includes('string') ? 'string' : undefined;
}
