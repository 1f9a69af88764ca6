import { isWholeIn, sortBy, type Json, type QueryRule } from '../serving/requests.ts';
import { FilterReader, type Types } from './filter.ts';
import { etagOf, fail, productsOf, reviewsOf, rowsOf } from './store.ts';
import type { Row, Service, SetName } from './store.ts';

/** System query options by their names without $. */
export type Options = Readonly<Record<string, string>>;

interface Navigation {
  readonly target: SetName;
  readonly of: (service: Service, row: Row) => Row | null | readonly Row[];
}

interface EntitySet {
  readonly types: Types;
  readonly navigations: Readonly<Record<string, Navigation>>;
}

export const categoryOf = (service: Service, { CategoryCode }: Row): Row | null =>
  service.sets.Categories.get(String(CategoryCode)) ?? null;

const sets: Readonly<Record<SetName, EntitySet>> = {
  Products: {
    types: {
      ID: 'number',
      Name: 'text',
      Sku: 'text',
      Price: 'number',
      Stock: 'number',
      Status: 'text',
      Tags: 'list',
      ReleaseDate: 'date',
      CategoryCode: 'text',
      CreatedAt: 'time',
      ModifiedAt: 'time',
    },
    navigations: {
      Category: { target: 'Categories', of: categoryOf },
      Reviews: {
        target: 'Reviews',
        of: (service, row) =>
          service.has('reviews-of-all-expanded')
            ? rowsOf(service, 'Reviews')
            : reviewsOf(service, row),
      },
    },
  },
  Reviews: {
    types: { ID: 'number', ProductID: 'number', CreatedAt: 'time', Rating: 'number', Text: 'text' },
    navigations: {},
  },
  Categories: {
    types: { Code: 'text', Name: 'text' },
    navigations: { Products: { target: 'Products', of: productsOf } },
  },
};

/** The parts of a text between separators that are not in parentheses or quotes. */
function split(text: string, separator: string): string[] {
  const parts = [''];
  let [depth, isQuoted] = [0, false];
  for (const letter of text) {
    if (letter === "'") isQuoted = !isQuoted;
    if (!isQuoted) depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
    const isEnd = letter === separator && depth === 0 && !isQuoted;
    if (isEnd) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}

export interface Expanded {
  readonly name: string;
  readonly options: Options;
}

export function readExpand(service: Service, text: string | undefined, set: SetName): Expanded[] {
  const { has } = service;
  if (text === undefined || has('expand-ignored')) return [];
  const wrong = (): never => fail(service, 400, 'The $expand is invalid.', '$expand');
  const all = split(text, ',').flatMap((part): Expanded[] => {
    const [, name = '', inner] = /^(\w+)(?:\((.*)\))?$/s.exec(part) ?? [];
    const navigation = sets[set].navigations[name];
    if (navigation === undefined) return has('unknown-expand-accepted') ? [] : wrong();
    const options: Record<string, string> = {};
    for (const option of inner === undefined ? [] : split(inner, ';')) {
      const [, key = '', value = ''] = /^\$(filter|orderby|select|top)=(.*)$/s.exec(option) ?? [];
      if (key === '' || Object.hasOwn(options, key)) return wrong();
      if (key === 'top' && !isWholeIn(0, 1_000_000)(value)) return wrong();
      options[key] = value;
    }
    checkOptions(service, navigation.target, options, '$expand');
    return [{ name, options }];
  });
  if (new Set(all.map(({ name }) => name)).size < all.length) return wrong();
  return has('expand-first-only') ? all.slice(0, 1) : all;
}

/** Refuses options that the entity set cannot have. */
export function checkOptions(
  service: Service,
  set: SetName,
  options: Options,
  target?: string,
): void {
  readFilter(service, set, options['filter'], target);
  readOrder(service, set, options['orderby'], target);
  readSelect(service, set, options['select'], target);
}

function readFilter(service: Service, set: SetName, text: string | undefined, target = '$filter') {
  const { has } = service;
  if (text === undefined || has('filter-ignored')) return () => true;
  const path = set === 'Products' ? { 'Category/Name': 'text' as const } : {};
  try {
    return new FilterReader(text, { ...sets[set].types, ...path }, has).read();
  } catch (error) {
    if (has('filter-syntax-500') || !(error instanceof SyntaxError)) throw error;
    return fail(service, 400, error.message, target);
  }
}

function readOrder(service: Service, set: SetName, text: string | undefined, target = '$orderby') {
  const { has } = service;
  if (text === undefined) return [];
  const orders = text.split(',').map((part) => {
    const [, name = '', direction] = /^\s*(\w+)(?:\s+(asc|desc))?\s*$/.exec(part) ?? [];
    const type = sets[set].types[name];
    if ((type === undefined || type === 'list') && !has('unknown-order-accepted'))
      return fail(service, 400, `${part} is no order.`, target);
    const sign = direction === 'desc' && !has('desc-ignored') ? -1 : 1;
    const valueOf = (row: Row): unknown => {
      const value = row[name] ?? null;
      if (value === null && has('nulls-last')) return '\uFFFF';
      if (type === 'number' && has('numbers-sorted-as-text')) return String(value);
      return type === 'time' ? Date.parse(String(value)) : value;
    };
    return { valueOf, sign };
  });
  if (has('orderby-ignored')) return [];
  return has('second-order-ignored') ? orders.slice(0, 1) : orders;
}

function readSelect(
  service: Service,
  set: SetName,
  text: string | undefined,
  target = '$select',
): readonly string[] | undefined {
  const { has } = service;
  if (text === undefined || has('select-ignored')) return undefined;
  const { types, navigations } = sets[set];
  const names = text.split(',').map((name) => name.trim());
  const isKnown = (name: string): boolean =>
    name === '*' || Object.hasOwn(types, name) || Object.hasOwn(navigations, name);
  if (!names.every(isKnown) && !has('unknown-select-accepted'))
    return fail(service, 400, 'The $select has an unknown property.', target);
  if (names.includes('*')) return undefined;
  return has('select-adds-name') ? [...names, 'Name'] : names;
}

/** The rows that $filter lets through, in the order of $orderby. */
export function choose(
  service: Service,
  set: SetName,
  rows: readonly Row[],
  options: Options,
): Row[] {
  const { has } = service;
  const test = readFilter(service, set, options['filter']);
  const wider = (row: Row): Row => {
    const category = has('category-path-empty') ? null : categoryOf(service, row);
    return set === 'Products' ? { ...row, 'Category/Name': category?.['Name'] ?? null } : row;
  };
  const key = set === 'Categories' ? 'Code' : 'ID';
  const byKey = sortBy(rows, [{ valueOf: (row) => row[key], sign: 1 }]);
  return sortBy(
    byKey.filter((row) => test(wider(row))),
    readOrder(service, set, options['orderby']),
  );
}

/** An entity as responses have it, with the selected properties and what is expanded. */
export function show(service: Service, set: SetName, row: Row, options: Options): Json {
  const { has, varies } = service;
  const select = readSelect(service, set, options['select']);
  const expanded = readExpand(service, options['expand'], set);
  const isChosen = (name: string): boolean => select === undefined || select.includes(name);
  const key = set === 'Categories' ? `'${String(row['Code'])}'` : String(row['ID']);
  const address = { '@odata.id': `${set}(${key})`, '@odata.editLink': `${set}(${key})` };
  const etag = has('etag-differs-in-body') ? '"0"' : etagOf(service, row);
  const isLost = select !== undefined && has('select-drops-expanded');
  const parts = isLost ? [] : expanded.map((one) => [one.name, expand(service, set, row, one)]);
  return {
    ...(set === 'Products' ? { '@odata.etag': etag } : {}),
    ...(varies('more-annotations') ? address : {}),
    ...Object.fromEntries(Object.entries(row).filter(([name]) => isChosen(name))),
    ...(Object.fromEntries(parts.filter(([, value]) => value !== undefined)) as Json),
  };
}

function expand(service: Service, set: SetName, row: Row, { name, options }: Expanded): unknown {
  const { has } = service;
  const { target, of } = sets[set].navigations[name] ?? {};
  const found = of?.(service, row) ?? null;
  if (target === undefined || found === null) return has('expanded-null-absent') ? undefined : null;
  const { filter, select, top, ...others } = options;
  const kept = {
    ...others,
    ...(filter === undefined || has('expand-filter-ignored') ? {} : { filter }),
    ...(select === undefined || has('expand-select-ignored') ? {} : { select }),
  };
  if (!Array.isArray(found)) return show(service, target, found as Row, kept);
  const rows = choose(service, target, found as readonly Row[], kept);
  const isAll = top === undefined || has('expand-top-ignored');
  return rows
    .slice(0, isAll ? undefined : Number(top))
    .map((one) => show(service, target, one, kept));
}

const any: QueryRule = () => true;
const number = isWholeIn(0, 1_000_000);

/** What each query option may be. */
export const rules: Readonly<Record<string, QueryRule>> = {
  $filter: any,
  $orderby: any,
  $select: any,
  $expand: any,
  $skiptoken: any,
  $top: number,
  $skip: number,
  $count: (value) => ['true', 'false'].includes(value),
};
