import type { Expression, FlatSchema, Operation, Parameter, Schema, Sort } from '../model.ts';
import { shownValues } from '../model/operation.ts';
import { filterLanguage, filterLanguages, orderLanguages } from '../query-languages/index.ts';
import { leavesOf } from '../query-languages/conditions.ts';
import type {
  Comparison,
  FilterLanguage,
  Operator,
  OrderLanguage,
  OrderStandard,
} from '../query-languages/language.ts';
import { orderStandards, signOrder, wordOrder } from '../query-languages/orders.ts';
import { ordersBySigns } from '../words/read-list.ts';
import { codeIn, languageNamed } from '../words/read-code.ts';
import { speaksJsonApi } from './conventions/envelope-styles.ts';
import { plainName } from './infer-names.ts';
import { type RecordField, recordFields } from './record-fields.ts';

/**
 * The parameters that take expressions over the fields of a record, each with its language: by its
 * name where a standard fixes that, by a text that the contract shows for it, by the standard that
 * its description names, or by the other parameters of the query.
 */
export function inferExpressions(
  candidates: readonly Parameter[],
  query: readonly Parameter[],
  record: Schema,
): Expression[] {
  const fields = recordFields(record);
  return candidates.filter(isFreeText).flatMap((parameter) => {
    const shown = shownTexts(parameter);
    const language =
      fixedLanguage(parameter) ??
      shownLanguage(shown, fields) ??
      besideLanguage(parameter, { query, fields });
    if (language === undefined || fields.length === 0) return [];
    const lists = new Set(fields.flatMap(({ name, many }) => (many ? [name] : [])));
    const compared = fieldsOf(language, { shown, fields });
    return {
      parameter,
      language,
      fields: compared.filter((name) => !lists.has(name)),
      lists: compared.filter((name) => lists.has(name)),
      parts: partsOf(language, shown),
    };
  });
}

/** A parameter whose schema says nothing of its value but that it is a text. */
function isFreeText({ schema }: Parameter): boolean {
  const { node, types } = schema.flatten();
  return (
    types.includes('string') &&
    types.length <= 2 &&
    node.enum === undefined &&
    node.const === undefined &&
    node.format === undefined
  );
}

/** OData 4.01, Part 2: URL Conventions, section 5.1: names of query options begin with a dollar. */
function fixedLanguage({ name }: Parameter): FilterLanguage | undefined {
  return name === '$filter' ? filterLanguage('odata-filter') : undefined;
}

function shownTexts(parameter: Parameter): string[] {
  return [
    ...shownValues(parameter).flatMap((value) => {
      const words = [value].flat().filter((word) => typeof word === 'string');
      return words.length === 0 ? [] : [words.join(',')];
    }),
    ...codeIn(parameter),
  ];
}

/** The language that understands the most of some texts, each with fields of the record. */
function shownLanguage(
  shown: readonly string[],
  fields: readonly RecordField[],
): FilterLanguage | undefined {
  const [best] = filterLanguages
    .map((language) => ({ language, count: comparedIn(language, { shown, fields }).length }))
    .filter(({ count }) => count > 0)
    .toSorted((left, right) => right.count - left.count);
  return best?.language;
}

/** The operators for parts of texts that a language defines, or that texts of it show. */
function partsOf({ parts, read, distinct }: FilterLanguage, shown: readonly string[]): Operator[] {
  const used = shown.flatMap((text) => {
    const condition = distinct.test(text) ? read(text) : undefined;
    return condition === undefined ? [] : leavesOf(condition).map(({ op }) => op);
  });
  const all = new Set<Operator>(['contains', 'starts', 'ends']);
  return [...all].filter((op) => parts.includes(op) || used.includes(op));
}

interface Shown {
  readonly shown: readonly string[];
  readonly fields: readonly RecordField[];
}

/** The fields of a record that understood texts compare. */
function comparedIn({ read, distinct }: FilterLanguage, { shown, fields }: Shown): string[] {
  const isKnown = ({ field, op }: Comparison): boolean =>
    fields.some(({ name, many }) => name === field && many === (op === 'has'));
  return shown.flatMap((text) => {
    const condition = distinct.test(text) ? read(text) : undefined;
    const compared = condition === undefined ? [] : leavesOf(condition);
    return compared.every(isKnown) ? compared.map(({ field }) => field) : [];
  });
}

/**
 * The language whose standard a description names, or AIP-160 of a `filter` beside `order_by` or
 * `page_token` (AIP-132, AIP-158), unless it has an example in another language.
 */
function besideLanguage(
  parameter: Parameter,
  { query, fields }: { readonly query: readonly Parameter[]; readonly fields: Shown['fields'] },
): FilterLanguage | undefined {
  const name = plainName(parameter.name);
  const named = filterNames.test(name) ? languageNamed(parameter) : undefined;
  if (named !== undefined) return filterLanguage(named);
  const isField = fields.some(({ plain }) => plain === 'filter');
  const isAmong = query.some((other) => /^(order_?by|page_?token)$/i.test(other.name));
  const isShown = shownValues(parameter).length > 0;
  return name === 'filter' && isAmong && !isField && !isShown
    ? filterLanguage('aip-160')
    : undefined;
}

const filterNames = /^(q|query|search|where|rsql|fiql|criteria|conditions?|.*filters?)$/;

/**
 * The fields that expressions may compare, those of understood texts first. Where the description
 * marks fields as code, no others.
 */
function fieldsOf(language: FilterLanguage, { shown, fields }: Shown): string[] {
  const names = fields.map(({ name }) => name);
  const compared = comparedIn(language, { shown, fields });
  const marked = names.filter((name) => shown.includes(name));
  return [...new Set([...compared, ...(marked.length > 0 ? marked : names)])];
}

/** The parameters of an operation that may show which style it follows. */
type Style = Pick<Operation, 'parameters' | 'responses' | 'general'>;

/**
 * The language of an order: OData's by its name, that of a text with a descending field, or that
 * of the style which the operation shows. Undefined if the contract lists the words.
 */
export function inferOrderLanguage(
  { by, direction, fields, told }: Omit<Sort, 'language' | 'shown' | 'standard'>,
  operation: Style,
): Pick<Sort, 'language' | 'shown' | 'standard'> {
  const { types } = by.schema.flatten();
  const style = styleOf(by, operation);
  if (listsWords(by))
    // What the contract lists is not refused, whatever fields its records have.
    return style === undefined ? {} : { standard: { ...style.standard, refusesUnknown: false } };
  const standard = style && { standard: style.standard };
  if (direction !== undefined || !isTextOrList(by, types)) return { ...standard };
  const language = style?.language;
  const names = new Set(fields.values());
  const [shown] = orderLanguages.flatMap((one) => {
    const orders = shownTexts(by).flatMap((text) => {
      // An order may write the name in small letters: `-createdat`.
      const keys = (one.read(text) ?? []).map(({ field, ...key }) => ({
        ...key,
        field: names.has(field) ? field : (fields.get(plainName(field)) ?? ''),
      }));
      return keys.every(({ field }) => field !== '') ? keys : [];
    });
    const descends = orders.some(({ descending }) => descending);
    return descends ? [{ language: one, shown: orders.map(({ field }) => field) }] : [];
  });
  if (shown === undefined && language === undefined && ordersBySigns(operation, by))
    return { language: signOrder, shown: told };
  return {
    ...(shown === undefined || shown.language === language ? { language } : shown),
    ...standard,
  };
}

/** Whether the contract lists the values of a parameter, or those of its items. */
function listsWords({ schema }: Parameter): boolean {
  return (schema.flatten().node.enum ?? itemsOf(schema)?.node.enum) !== undefined;
}

function isTextOrList({ schema }: Parameter, types: readonly string[]): boolean {
  return (types.includes('array') ? itemsOf(schema)?.types : types)?.includes('string') === true;
}

function itemsOf(schema: Schema): FlatSchema | undefined {
  const { items } = schema.flatten();
  return items && schema.flatten(items);
}

/** A language of orders, and the standard by which it is known. */
interface OrderStyle {
  readonly language: OrderLanguage;
  readonly standard: OrderStandard;
}

/**
 * `$orderby` of OData, `order_by` beside `filter` or `page_token` (AIP-132), and `sort` of
 * JSON:API, by its media type or its families of parameters (`page[number]`, `fields[type]`;
 * JSON:API 1.1, section 8).
 */
function styleOf(by: Parameter, { parameters, responses }: Style): OrderStyle | undefined {
  if (by.name === '$orderby') return { language: wordOrder, standard: orderStandards.odata };
  const names = parameters.map(({ name }) => name);
  if (/^order_?by$/i.test(by.name))
    return names.some((name) => /^(filter|page_?token)$/i.test(name))
      ? { language: wordOrder, standard: orderStandards.aip }
      : undefined;
  const isJsonApi =
    names.some((name) => /^(page|fields)\[\w*\]$/.test(name)) || speaksJsonApi({ responses });
  return by.name === 'sort' && isJsonApi
    ? { language: signOrder, standard: orderStandards.jsonApi }
    : undefined;
}
