import { plainName, singularOf, wordsOf } from './infer-names.ts';
import { objectMembers } from '../schema/object-members.ts';
import { isLowerBound } from '../model/resource.ts';
import type { Filter, FlatSchema, Parameter, RangeFilter, Schema } from '../model.ts';
import { namesAny, parameterTexts } from '../words/facts.ts';
import { codeIn } from '../words/argument-codes.ts';
import type { BoundedMoment } from '../words/read-range.ts';
import {
  addsFields,
  boundedMoment,
  boundOf,
  isDividedByCommas,
  sideOf,
} from '../words/read-range.ts';
import { isList, recordFields, scalarTypes, type RecordField } from './record-fields.ts';

/**
 * The parameters with the name of a record field and a matching type: `status`, `tag` of `tags`,
 * `owner.name`, `filter[status]`.
 */
export function inferFilters(query: readonly Parameter[], record: Schema): Filter[] {
  const fields = recordFields(record);
  return query.flatMap((parameter) => {
    const flat = parameter.schema.flatten();
    if (flat.properties.size > 0) return memberFilters(parameter, fields);
    // A boolean may add fields to each record and select nothing: `?dnssec=true`.
    if (
      flat.types.includes('boolean') &&
      (/^(include|expand|with|embed|show)([-_A-Z]|$)/.test(parameter.name) || addsFields(parameter))
    )
      return [];
    if (sidedMoment(parameter, fields) !== undefined) return [];
    const isDivided = isDividedByCommas(parameter);
    const own = scalarTypes(parameter.schema, flat);
    const types = isDivided ? [...own, 'integer'] : own;
    const wanted = { fields, types, many: isList(flat) || isDivided };
    const field = findField(bare(parameter.name), wanted) ?? toldEntry(parameter, wanted);
    // A record has one of the values; of a list in a record, all of them may be meant.
    const joined = isDivided && field?.many === false ? { isJoined: true as const } : {};
    return field === undefined
      ? []
      : [{ parameter, field: field.name, ...wordsForAny(flat, field), ...joined }];
  });
}

/**
 * The member of the objects in a list that a parameter has the name of, where its description says
 * what these are: `account`, "only vouchers with a row on this account", of `VoucherRows`.
 */
function toldEntry(parameter: Parameter, { fields, types }: Wanted): RecordField | undefined {
  const texts = parameterTexts(parameter);
  const [field, ...others] = fields.filter((one) => {
    const [list = '', member] = one.name.split('.');
    const noun = singularOf(wordsOf(list).at(-1) ?? list);
    const isSame = member !== undefined && plainName(member) === plainName(parameter.name);
    return (
      isSame && one.many && one.types.some((type) => types.includes(type)) && namesAny(texts, noun)
    );
  });
  return others.length > 0 ? undefined : field;
}

/** Words of a filter that no record has and that select all records: `state=all`. */
function wordsForAny({ node }: FlatSchema, field: RecordField): Pick<Filter, 'any'> {
  const kept = field.flat.node.enum;
  const any = (node.enum ?? []).filter(
    (value) =>
      typeof value === 'string' &&
      /^(all|any|both|every|everything|\*)$/i.test(value) &&
      kept?.includes(value) !== true,
  );
  return any.length === 0 ? {} : { any };
}

interface Wanted {
  readonly fields: readonly RecordField[];
  readonly types: readonly string[];
  /** Whether the parameter takes several values. */
  readonly many: boolean;
}

function findField(name: string, { fields, types, many }: Wanted): RecordField | undefined {
  const fitting = fields.filter((field) => field.types.some((type) => types.includes(type)));
  const plain = plainName(name);
  return (
    // JSON:API-like records have `id` and `type` at the top, and the rest in `attributes`.
    fitting.find((field) => field.name === `attributes.${name}`) ??
    fitting.find((field) => field.own !== field.name && field.plain === plain) ??
    fitting.find((field) => field.name === name) ??
    fitting.find((field) => field.plain === plain) ??
    // `tag=a` selects records whose `tags` contain it, and `ids=1,2` those whose `id` is one of
    // them.
    fitting.find((field) => field.many && singularOf(field.name) === plain) ??
    (many ? fitting.find((field) => !field.many && field.plain === singularOf(name)) : undefined) ??
    nestedReference(name, fitting)
  );
}

/**
 * The one member of an inner object that names a record by the name of the parameter: `list_id` of
 * `recipients.list_id`, and `assignee_id` of `assignees[].id`.
 */
function nestedReference(name: string, fitting: readonly RecordField[]): RecordField | undefined {
  const plain = plainName(name);
  const [field, ...others] = fitting.filter((one) => {
    const [group = '', member] = one.name.split('.');
    return (
      member !== undefined &&
      [member, singularOf(group) + member].some((each) => plainName(each) === plain)
    );
  });
  return others.length > 0 || !/.id$/.test(plain) ? undefined : field;
}

/** `filter[status]` and `filter.status` refer to the field `status`. */
function bare(name: string): string {
  return (
    /^(?:filters?|where)(?:\[([^\]]+)\]|\.(.+))$/i
      .exec(name)
      ?.slice(1)
      .find((part) => part !== undefined) ?? name
  );
}

/** The members of one object parameter, such as `filter` in the style `deepObject`. */
function memberFilters(parameter: Parameter, fields: readonly RecordField[]): Filter[] {
  if (!/^(filters?|where)$/i.test(parameter.name)) return [];
  return [...parameter.schema.flatten().properties].flatMap(([member, place]) => {
    const flat = parameter.schema.flatten(place);
    const field = findField(member, {
      fields,
      types: scalarTypes(parameter.schema, flat),
      many: isList(flat),
    });
    return field === undefined
      ? []
      : [{ parameter, field: field.name, member, ...wordsForAny(flat, field) }];
  });
}

/** Words that make a parameter a bound, before or after the field name. */
const bounding: Readonly<Record<string, RangeFilter['op']>> = {
  min: 'gte',
  minimum: 'gte',
  gte: 'gte',
  ge: 'gte',
  from: 'gte',
  since: 'gte',
  start: 'gte',
  least: 'gte',
  max: 'lte',
  maximum: 'lte',
  lte: 'lte',
  le: 'lte',
  to: 'lte',
  until: 'lte',
  end: 'lte',
  gt: 'gt',
  after: 'gt',
  above: 'gt',
  over: 'gt',
  lt: 'lt',
  before: 'lt',
  below: 'lt',
  under: 'lt',
};
/** Words that include the bound by their meaning: nothing is smaller than a minimum. */
const inclusiveWords = new Set('min minimum least gte ge max maximum most lte le'.split(' '));
/** Operators, not words: nothing is greater than itself. */
const exclusiveWords = new Set(['gt', 'lt']);
const momentWords = new Set(['after', 'before', 'since', 'until']);

/** The parameters that bound a record field: `min_price`, `price[gte]`, `createdAfter`. */
export function inferRanges(query: readonly Parameter[], record: Schema): RangeFilter[] {
  const fields = recordFields(record).filter(({ many }) => !many);
  const inclusive = query.find(
    ({ name, schema }) =>
      plainName(name) === 'inclusive' && schema.flatten().types.join() === 'boolean',
  );
  return query.flatMap((parameter) => {
    const words = wordsOf(bare(parameter.name));
    const [first = '', last = ''] = [words[0], words.at(-1)];
    const found =
      rangeOf(parameter, last, { words: words.slice(0, -1), fields }) ??
      rangeOf(parameter, first, { words: words.slice(1), fields }) ??
      describedRange(parameter, fields) ??
      sidedMoment(parameter, fields) ??
      codedRange(parameter, fields) ??
      alikeRange(parameter, record) ??
      onlyDay(parameter, fields) ??
      spanAround(parameter, fields) ??
      [];
    return found.map((range) => ({
      ...withBound(parameter, range, words),
      ...(inclusive === undefined ? {} : { inclusive }),
    }));
  });
}

const ends: Readonly<Record<string, RangeFilter['op']>> = {
  oldest: 'gte',
  earliest: 'gte',
  newest: 'lte',
  latest: 'lte',
};

/**
 * The two bounds of a day or a moment without a field of its own: it is within the span that each
 * record has, `FromDate` to `ToDate`.
 */
function spanAround(
  { name, schema }: Parameter,
  fields: readonly RecordField[],
): NamedRange[] | undefined {
  const { format } = schema.flatten().node;
  const isMoment = format === 'date' || format === 'date-time';
  if (!isMoment || !/^(?:date|day|on|at|asof)$/.test(plainName(name))) return undefined;
  const named = (names: RegExp): RecordField[] =>
    fields.filter(({ plain, flat }) => names.test(plain) && flat.node.format === format);
  const [start, ...earlier] = named(/^(?:valid)?(?:from|start|begin)/);
  const [end, ...later] = named(/^(?:valid)?(?:to|end|until)/);
  return start === undefined || end === undefined || earlier.length + later.length > 0
    ? undefined
    : [
        { field: start.name, op: 'lte' },
        { field: end.name, op: 'gte' },
      ];
}

/** The field of which parameters bound the oldest and the latest value. */
export function spanField(query: readonly Parameter[], record: Schema): string | undefined {
  return query.flatMap((parameter) => alikeRange(parameter, record) ?? [])[0]?.field;
}

/**
 * The end of a span, `oldest` or `latest`, of the one field that has the schema of the parameter:
 * written once, and referenced by both.
 */
function alikeRange(parameter: Parameter, record: Schema): NamedRange[] | undefined {
  const op = ends[plainName(parameter.name)];
  const field = fieldLike(parameter, record);
  return op === undefined || field === undefined ? undefined : [{ field, op }];
}

/** The one field of a record that has the schema of a parameter; a required one before others. */
function fieldLike({ schema }: Parameter, record: Schema): string | undefined {
  const own = schema.follow(schema).pointer;
  if (!own.startsWith('/components/')) return undefined;
  const alike = [...objectMembers(record).properties].filter(
    ([, place]) => record.follow(place).pointer === own,
  );
  const required = record.flatten().required;
  const always = alike.filter(([name]) => required.has(name));
  const [[field] = [], ...others] = always.length > 0 ? always : alike;
  return others.length > 0 ? undefined : field;
}

/** A field that a parameter bounds, by the words of its name or description. */
type NamedRange = Pick<RangeFilter, 'field' | 'op'>;

/** `created at or before this moment` includes the bound, whatever the word in the name. */
function withBound(
  parameter: Parameter,
  { field, op }: NamedRange,
  words: readonly string[],
): RangeFilter {
  const said = boundOf(parameter, op);
  const isOut = words.some((word) => exclusiveWords.has(word)) ? 'excluded' : 'unknown';
  const named = words.some((word) => inclusiveWords.has(word)) ? 'included' : isOut;
  const bound = said === 'unknown' ? named : said;
  const described = isLowerBound({ op }) ? 'gte' : 'lte';
  return { parameter, field, op: bound === 'included' ? described : op, bound };
}

function rangeOf(
  parameter: Parameter,
  word: string,
  { words, fields }: { readonly words: readonly string[]; readonly fields: readonly RecordField[] },
): NamedRange[] | undefined {
  const op = Object.hasOwn(bounding, word) ? bounding[word] : undefined;
  const name = words.join('');
  if (op === undefined || name === '') return undefined;
  const types = scalarTypes(parameter.schema, parameter.schema.flatten());
  const field = fields.find(
    (candidate) =>
      isNamed(candidate, name) &&
      (isOrdered(candidate, word) || (isNumber(candidate) && sideOf(parameter) !== undefined)) &&
      fits(candidate, types),
  );
  // `since_id`, "with a greater id", is no moment that the range may begin at.
  const isStrict = field !== undefined && momentWords.has(word) && !isOrdered(field, word);
  const strict = isLowerBound({ op }) ? 'gt' : 'lt';
  return field && [{ field: field.name, op: isStrict ? strict : op }];
}

const sides: Readonly<Record<BoundedMoment['side'], RangeFilter['op']>> = {
  after: 'gt',
  since: 'gte',
  from: 'gte',
  later: 'gte',
  before: 'lt',
  until: 'lte',
  earlier: 'lte',
};

/**
 * A moment that bounds the field which a description names by its verb: `Only bookings that end
 * after this moment`, `incidents started before this timestamp`.
 */
function describedRange(
  parameter: Parameter,
  fields: readonly RecordField[],
): NamedRange[] | undefined {
  const { node: own } = parameter.schema.flatten();
  const isMoment = own.format === 'date-time' || own.format === 'date';
  const moment = isMoment ? boundedMoment(parameter) : undefined;
  if (moment === undefined) return undefined;
  const { stem, side } = moment;
  const fitting = fields.filter(
    ({ plain, name, flat: { node } }) =>
      !name.includes('.') &&
      (/^date(?:-time)?$/.test(node.format ?? '') || isMomentPattern(node.pattern)) &&
      plain.startsWith(stem.slice(0, plain.length)),
  );
  const [field] = fitting;
  return field === undefined || fitting.length > 1
    ? undefined
    : [{ field: field.name, op: sides[side] }];
}

/** Whether a pattern is that of a day and a time: `^\d{4}-\d\d-\d\d \d\d:\d\d$`. */
function isMomentPattern(pattern = ''): boolean {
  return /^\^(?:\\d|\[0-9\])\{4\}-.+:/.test(pattern);
}

/** A day that bounds the only day of a record: `toDate`, "this day and earlier ones". */
function onlyDay(parameter: Parameter, fields: readonly RecordField[]): NamedRange[] | undefined {
  const days = fields.filter(
    ({ flat, name }) => flat.node.format === 'date' && !name.includes('.'),
  );
  const [field] = days;
  const isBound = /^(?:from|to|since|until)(?:date|day)?$/.test(plainName(parameter.name));
  const op = isBound && parameter.schema.flatten().node.format === 'date' && sideOf(parameter);
  return field === undefined || days.length > 1 || !op ? undefined : [{ field: field.name, op }];
}

/** A moment with the name of the field that it bounds: `modified`, "at this moment or later". */
function sidedMoment(
  parameter: Parameter,
  fields: readonly RecordField[],
): NamedRange[] | undefined {
  const isMoment = ({ format }: FlatSchema['node']): boolean =>
    format === 'date-time' || format === 'date';
  if (!isMoment(parameter.schema.flatten().node)) return undefined;
  const plain = plainName(parameter.name);
  const field = fields.find((one) => one.plain === plain && isMoment(one.flat.node));
  const op = field && sideOf(parameter);
  return field === undefined || op === undefined ? undefined : [{ field: field.name, op }];
}

/** A bound whose description marks the field as code: "only with this `spent_date` or a later one". */
function codedRange(
  parameter: Parameter,
  fields: readonly RecordField[],
): NamedRange[] | undefined {
  const op = sideOf(parameter);
  const types = scalarTypes(parameter.schema, parameter.schema.flatten());
  const marked = op === undefined ? [] : codeIn(parameter);
  const [field, ...others] = fields.filter(
    (one) => marked.includes(one.own) && isOrdered(one, '') && fits(one, types),
  );
  return op === undefined || field === undefined || others.length > 0
    ? undefined
    : [{ field: field.name, op }];
}

/** `created` is the common short name of `createdAt` and `creation_date`. */
function isNamed({ plain }: RecordField, name: string): boolean {
  return (
    plain === name ||
    ['at', 'on', 'date', 'time'].some((ending) => plain === name + ending) ||
    plain === name.replace(/(at|on|date|time)$/, '')
  );
}

/** Numbers and dates have a meaningful order; before and after apply to dates only. */
function isOrdered({ types, flat, plain }: RecordField, word: string): boolean {
  const isDate =
    flat.node.format === 'date' ||
    flat.node.format === 'date-time' ||
    (types.includes('string') && flat.node.enum === undefined && /(at|on|date|time)$/.test(plain));
  return isDate || (isNumber({ types, flat }) && !momentWords.has(word));
}

function isNumber({ types, flat }: Pick<RecordField, 'types' | 'flat'>): boolean {
  return (
    types.includes('integer') || types.includes('number') || isDecimalPattern(flat.node.pattern)
  );
}

/** Whether a pattern is that of decimals which are written as text: `^[0-9]+\.[0-9]{2}$`. */
function isDecimalPattern(pattern: string | undefined): boolean {
  return (
    pattern !== undefined && /^\^[\\dD0-9[\](){}|?+*,.-]*\\\.[\\d0-9[\](){}?+*,-]*\$$/.test(pattern)
  );
}

function fits({ types }: RecordField, asked: readonly string[]): boolean {
  const isNumeric = (type: string): boolean => type === 'integer' || type === 'number';
  return types.some((type) => asked.includes(type) || (isNumeric(type) && asked.some(isNumeric)));
}
