import { isJsonObject, type JsonValue } from '../../json/value.ts';
import type { Operation, Parameter, Resource } from '../model.ts';
import { namesField, operationTexts, parameterTexts } from '../words/facts.ts';
import { objectMembers } from '../schema/object-members.ts';
import { wordsOf } from './infer-names.ts';
import { oncePerResource } from './record-fields.ts';

/** A boolean parameter that leaves records out by a boolean field of theirs. */
export interface Flag {
  readonly parameter: Parameter;
  readonly field: string;
  /** The value of the field that no record has where the parameter is true. */
  readonly hides: boolean;
}

/** A parameter that takes a list of kinds, and by which field a record tells its kind. */
export interface Kinds {
  readonly parameter: Parameter;
  readonly values: readonly string[];
  /** The kinds that are listed where the parameter is left out. */
  readonly usual?: readonly string[] | undefined;
  /** The boolean field, and its value for each kind that it tells. */
  readonly told?: { readonly field: string; readonly by: ReadonlyMap<string, boolean> } | undefined;
}

/** A boolean parameter that adds a field to each record: `include_num_members`. */
export interface Added {
  readonly operation: Operation;
  readonly parameter: Parameter;
  readonly field: string;
}

const adding = new Set(['include', 'with', 'show']);

/**
 * The boolean parameters of the list and of the read that add a number, or a flag, which records
 * need not have: a word before the name of that field, in a text that names both.
 */
export const addedOf = oncePerResource(({ operations: { list, read }, record }): Added[] => {
  const optional = [...objectMembers(record).properties].filter(([name, place]) => {
    const { types } = record.flatten(place);
    const isPlain = types.every((type) => ['integer', 'number', 'boolean'].includes(type));
    return isPlain && types.length > 0 && !record.flatten().required.has(name);
  });
  return [list, read].flatMap((operation) =>
    (operation?.parameters ?? []).flatMap((parameter): Added[] => {
      const [word = '', ...rest] = wordsOf(parameter.name);
      const { types } = parameter.schema.flatten();
      const field = optional.find(([name]) => wordsOf(name).join(' ') === rest.join(' '))?.[0];
      const isFlag = types.join() === 'boolean' && parameter.in === 'query';
      if (operation === undefined || field === undefined || !isFlag || !adding.has(word)) return [];
      const texts = [...operationTexts(operation), ...parameterTexts(parameter)];
      const isStated = namesField(texts, field) && namesField(texts, parameter.name);
      return isStated ? [{ operation, parameter, field }] : [];
    }),
  );
});

/** The parameters of a list that nothing else explains. */
function openParameters({ operations, list }: Resource): Parameter[] {
  if (list === undefined) return [];
  const { filters, ranges, expressions = [], search, sort, limit, paging } = list;
  const placed = new Set<Parameter | undefined>([
    ...[...filters, ...ranges, ...expressions, ...paging].map(({ parameter }) => parameter),
    ...ranges.map(({ inclusive }) => inclusive),
    search,
    sort?.by,
    sort?.direction,
    limit?.parameter,
  ]);
  return (operations.list?.parameters ?? []).filter(
    (one) => one.in === 'query' && !one.required && !placed.has(one),
  );
}

const copulas = new Set(['is', 'has', 'was', 'are']);

function toldFields({ record }: Resource): { readonly name: string; readonly stem: string }[] {
  return [...objectMembers(record).properties].flatMap(([name, place]) => {
    const { types } = record.flatten(place);
    const words = wordsOf(name);
    const stem = (copulas.has(words[0] ?? '') ? words.slice(1) : words).join(' ');
    return types.includes('boolean') && types.length <= 2 && stem !== '' ? [{ name, stem }] : [];
  });
}

/** Words that say which records a flag leaves out: those of which the field is true, or false. */
const hiding: Readonly<Record<string, boolean>> = {
  exclude: true,
  hide: true,
  without: true,
  only: false,
};

/**
 * The boolean parameters whose name is such a word beside what a boolean field says:
 * `exclude_archived` of records with `is_archived`, `archived_only`.
 */
export const flagsOf = oncePerResource((resource): readonly Flag[] =>
  openParameters(resource).flatMap((parameter) => {
    const { types } = parameter.schema.flatten();
    const words = wordsOf(parameter.name);
    const isBehind = words.at(-1) === 'only';
    const [word = '', ...rest] = isBehind ? ['only', ...words.slice(0, -1)] : words;
    const hides = Object.hasOwn(hiding, word) ? hiding[word] : undefined;
    const field = toldFields(resource).find((one) => one.stem === rest.join(' '));
    return types.join() === 'boolean' && field !== undefined && hides !== undefined
      ? [{ parameter, field: field.name, hides }]
      : [];
  }),
);

/**
 * The parameters that take several values of an enumeration, each a kind of records; one of the
 * values has in it what a boolean field says: `private_channel` of records with `is_private`.
 */
export const kindsOf = oncePerResource((resource): readonly Kinds[] =>
  openParameters(resource).flatMap((parameter) => {
    const flat = parameter.schema.flatten();
    const { items } = flat;
    if (!flat.types.includes('array') || items === undefined) return [];
    const listed = parameter.schema.flatten(items).node.enum;
    const values = (listed ?? []).filter((value) => typeof value === 'string');
    if (values.length < 2 || values.length !== listed?.length) return [];
    return { parameter, values, usual: textsIn(flat.node.default), told: toldBy(resource, values) };
  }),
);

function isSaidBy(value: string, stem: string): boolean {
  return ` ${wordsOf(value).join(' ')} `.includes(` ${stem} `);
}

function textsIn(value: JsonValue | undefined): readonly string[] | undefined {
  if (!Array.isArray(value) || isJsonObject(value)) return undefined;
  const texts = value.filter((one) => typeof one === 'string');
  return texts.length === value.length && texts.length > 0 ? texts : undefined;
}

/**
 * The field that tells one of the kinds: that kind has its words, and beside them those that all
 * kinds have, as `channel` in `public_channel` and `private_channel`.
 */
function toldBy(resource: Resource, values: readonly string[]): Kinds['told'] {
  const found = toldFields(resource).flatMap(({ name, stem }) => {
    const [own, ...more] = values.filter((value) => isSaidBy(value, stem));
    if (own === undefined || more.length > 0) return [];
    const noun = wordsOf(own).filter((word) => !stem.split(' ').includes(word));
    const isShared = values.every((value) => noun.every((word) => wordsOf(value).includes(word)));
    return isShared && (noun.length > 0 || values.length === 2) ? [{ name, own }] : [];
  });
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return undefined;
  const by = new Map([[only.own, true]]);
  // Of two kinds, the other one is what the field denies.
  const [other] = values.filter((value) => value !== only.own);
  if (values.length === 2 && other !== undefined) by.set(other, false);
  return { field: only.name, by };
}
