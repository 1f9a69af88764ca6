import { isLink } from '../../../contract/infer/conventions/envelope-styles.ts';
import { isDigits } from '../../../contract/infer/record-fields.ts';
import type { ListShape, Paging, Schema } from '../../../contract/model.ts';
import { shownBy } from '../../../contract/schema/shown-values.ts';
import { originOf } from '../../../http/host.ts';
import type { HttpRequest } from '../../../http/message.ts';
import { encodePercent } from '../../../http/target.ts';
import { splitPointer } from '../../../json/pointer.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../../json/value.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { firstDefined } from '../../answer/generate-body.ts';
import { makeCursor } from '../read-query.ts';
import { fieldsOf, type SchemaField } from '../record-fields.ts';
import { alternatives, namePattern } from '../../../contract/infer/infer-names.ts';

/** What an envelope and its links depend on. */
export type PageShape = Pick<ListShape, 'records' | 'paging'> & Partial<Pick<ListShape, 'sort'>>;

/** The facts about a list that its envelope can contain. */
export interface ListFacts {
  readonly items: JsonArray | JsonObject;
  readonly page: ListPage;
  /** The request, from which links to other pages are made. */
  readonly request: HttpRequest;
  readonly shape: PageShape;
  /**
   * Whether a value must be valid in its field; if the correct value is not, any valid value is
   * used.
   */
  readonly careful?: boolean;
}

const totals = alternatives(
  'total totalcount totalitems totalresults totalrecords totalelements totalnumber itemcount',
  'totalsize totalresources totalentries totalrows resultcount count numfound hits filteredcount',
  'numbermatched',
);
/** Of these, what is beside a total is the number on the page. */
const parts = /^(item|result)?count$/;

/**
 * The values of an envelope's members by name; the first pattern that matches the normalised name
 * applies.
 */
const roles: readonly (readonly [
  names: RegExp,
  type: string,
  memberValue: (facts: ListFacts, field: SchemaField) => JsonValue | undefined,
])[] = [
  [namePattern(`^(${totals})$`), 'integer', ({ page }) => page.total],
  // OData counts where it is asked to.
  [/^odatacount$/, 'integer', ({ page, request }) => countIf(request, page)],
  [
    /^(totalpages|pagecount|lastpage|pages)$/,
    'integer',
    ({ page }) =>
      page.size === undefined || page.size === 0
        ? 1
        : Math.max(1, Math.ceil(page.total / page.size)),
  ],
  [/^(limit|pagesize|perpage|size|take|top)$/, 'integer', ({ page }) => page.size ?? page.count],
  [/^(offset|skip|startindex|start|from)$/, 'integer', ({ page }) => page.offset],
  [/^(page|pagenumber|currentpage|number)$/, 'integer', pageNumber],
  [/^(returned|numberreturned|numberofelements|itemsonpage)$/, 'integer', ({ page }) => page.count],
  [
    /^(hasmore|hasnext|hasnextpage|more|truncated|istruncated)$/,
    'boolean',
    ({ page }) => nextOffset(page) !== undefined,
  ],
  [/^(hasprevious|hasprev|haspreviouspage)$/, 'boolean', ({ page }) => page.offset > 0],
  [/^(last|islast|lastpagereached)$/, 'boolean', ({ page }) => nextOffset(page) === undefined],
  [/^(first|isfirst)$/, 'boolean', ({ page }) => page.offset === 0],
  [/^(empty|isempty)$/, 'boolean', ({ page }) => page.count === 0],
  [/^(paged|ispaged)$/, 'boolean', () => true],
  [/^(unpaged|isunpaged)$/, 'boolean', () => false],
  [/^(sorted|issorted)$/, 'boolean', isSorted],
  [/^(unsorted|isunsorted)$/, 'boolean', (facts) => !isSorted(facts)],
  [
    /^(nextcursor|cursor|nextpagetoken|nexttoken|after|continuationtoken|endcursor)$/,
    'string',
    cursorOf,
  ],
  [
    /^(nextcursor|cursor|nextpagetoken|nexttoken|after|continuationtoken|endcursor)$/,
    'null',
    () => null,
  ],
  [
    /^odatanextlink$/,
    'string',
    ({ page, request }) => page.next && absoluteUrl(page.next, request),
  ],
  [/^(next|prev|previous|first)page(number)?$/, 'integer', numberOfOther],
  [/^(next|prev|previous|first|last|self)(page|link|url|uri|href|pageurl)?$/, 'string', linkOf],
  [/^(next|prev|previous|first|last)(page|link|url|uri|href|pageurl)?$/, 'null', () => null],
];

/** Whether a member of an envelope tells something about its pages. */
export function describesPages({ normalised }: SchemaField): boolean {
  return roles.some(([names]) => names.test(normalised));
}

function countIf({ target }: HttpRequest, { total }: ListPage): number | undefined {
  return pairsOf(target).some((pair) => /^(%24|\$)count=true$/i.test(pair)) ? total : undefined;
}

function isSorted({ request, shape: { sort } }: ListFacts): boolean {
  return sort !== undefined && isAsked(request.target, sort.by.name);
}

/** Page numbers start where those of the contract start. */
function pageNumber({ page, shape }: ListFacts): number {
  const first = shape.paging.find(({ kind }) => kind === 'page')?.first ?? 1;
  return page.size === undefined || page.size === 0
    ? first
    : Math.floor(page.offset / page.size) + first;
}

/** The number of another page, if pages are requested by number and there is such a page. */
function numberOfOther(facts: ListFacts, { normalised }: SchemaField): number | undefined {
  const { page, shape } = facts;
  const numbered = shape.paging.find(({ kind }) => kind === 'page');
  if (numbered === undefined) return undefined;
  if (normalised.startsWith('next'))
    return nextOffset(page) === undefined ? undefined : pageNumber(facts) + 1;
  if (normalised.startsWith('prev')) return page.offset > 0 ? pageNumber(facts) - 1 : undefined;
  return numbered.first ?? 1;
}

/** The last page has no cursor; a required text is then empty. */
function cursorOf({ page }: ListFacts, { required, flat }: SchemaField): string | undefined {
  const next = nextOffset(page);
  if (next !== undefined) return makeCursor(next, page.mark);
  return required && !flat.types.includes('null') ? '' : undefined;
}

/** A link to another page, if the schema declares the text as one. */
function linkOf({ page, request, shape }: ListFacts, field: SchemaField): string | undefined {
  const relation = /^(next|prev|first|last|self)/.exec(field.normalised)?.[1] as
    PageRelation | undefined;
  const kind = linkKind(field);
  if (relation === undefined || kind === undefined) return undefined;
  // A plain `next` is the cursor if pages are requested by cursor.
  if (
    relation === 'next' &&
    kind === 'absolute' &&
    field.flat.node.format === undefined &&
    shape.paging[0]?.kind === 'cursor'
  )
    return cursorOf({ items: [], page, request, shape }, field);
  const url = pageUrl(relation, page, { request, shape });
  // Without such a page, a required text is empty.
  if (url === undefined)
    return field.required &&
      !field.flat.types.includes('null') &&
      field.flat.node.format === undefined
      ? ''
      : undefined;
  return kind === 'absolute' ? absoluteUrl(url, request) : url;
}

function linkKind({ flat }: SchemaField): 'absolute' | 'relative' | undefined {
  const { format } = flat.node;
  if (format === 'uri-reference') return 'relative';
  if (format === 'uri' || format === 'url') return 'absolute';
  const example = shownBy(flat.node).find((shown) => typeof shown === 'string');
  if (example !== undefined)
    return /^https?:/.test(example) ? 'absolute' : example.startsWith('/') ? 'relative' : undefined;
  return format === undefined && flat.node.enum === undefined ? 'absolute' : undefined;
}

/** What an object tells about a page, if it tells nothing else; a page that is not there is left out. */
export function describePage(schema: Schema, facts: ListFacts): JsonObject | undefined {
  const fields = [...fieldsOf(schema).values()];
  if (fields.length < 2 || !fields.every(describesPages)) return undefined;
  const members = fields.flatMap((field) => {
    const value = memberValue(field, facts);
    return value === undefined ? [] : [[field.name, value] as const];
  });
  const described = Object.fromEntries(members);
  return schema.accepts(described, 'response') ? described : undefined;
}

/**
 * Formats a list as the contract declares it: a bare array, or an envelope with its other members
 * filled in.
 */
export function wrapList(schema: Schema, facts: ListFacts, seed: () => string): JsonValue {
  return fillAt(schema, splitPointer(facts.shape.records), { facts, seed });
}

function fillAt(schema: Schema, [name, ...rest]: readonly string[], filling: Filling): JsonValue {
  return name === undefined ? filling.facts.items : fillObject(schema, filling, { name, rest });
}

interface Filling {
  readonly facts: ListFacts;
  readonly seed: () => string;
}

/** The member that contains the records. */
interface Way {
  readonly name: string;
  readonly rest: readonly string[];
}

function fillObject(schema: Schema, filling: Filling, way?: Way): JsonObject {
  const fields = [...fieldsOf(schema).values()].filter(({ writeOnly }) => !writeOnly);
  return Object.fromEntries(
    fields.flatMap((field) => {
      // An optional empty list is left out if the schema does not allow it to be empty.
      if (
        field.name === way?.name &&
        way.rest.length === 0 &&
        !field.required &&
        Array.isArray(filling.facts.items) &&
        filling.facts.items.length === 0 &&
        field.schema.validate(filling.facts.items, 'response').length > 0
      )
        return [];
      const value =
        field.name === way?.name
          ? fillAt(field.schema, way.rest, filling)
          : firstDefined<JsonValue>(
              () => memberValue(field, filling.facts, fields),
              () => nest(field, filling),
              () => listLinks(field, filling),
              () => make(field, filling.seed),
            );
      return value === undefined ? [] : [[field.name, value] as const];
    }),
  );
}

function memberValue(
  field: SchemaField,
  facts: ListFacts,
  siblings: readonly SchemaField[] = [],
): JsonValue | undefined {
  const { normalised, flat } = field;
  const isPart =
    parts.test(normalised) && siblings.some((other) => other.normalised.startsWith('total'));
  for (const [names, type, say] of roles) {
    const isText = type === 'integer' && flat.types.includes('string') && isDigits(flat);
    const isNumber = type === 'integer' && flat.types.includes('number');
    if (!names.test(normalised) || !(flat.types.includes(type) || isNumber || isText)) continue;
    const said = isPart ? facts.page.count : say(facts, field);
    const value = isText && said !== undefined ? String(said) : said;
    if (
      value !== undefined &&
      !(facts.careful === true && field.schema.validate(value, 'response').length > 0)
    )
      return value;
  }
  return undefined;
}

/**
 * Fills in nested objects such as `meta`, `pagination` and `links`; `next: { href }` is a nested
 * link.
 */
function nest(field: SchemaField, filling: Filling): JsonObject | undefined {
  const fields = [...fieldsOf(field.schema).values()];
  const href = fields.find(({ normalised }) => normalised === 'href');
  if (href !== undefined) return nestLink(field, href, filling);
  const knows = fields.some(
    (inner) =>
      memberValue(inner, filling.facts) !== undefined || fieldsOf(inner.schema).has('href'),
  );
  if (!knows) return undefined;
  // An order is empty if it has no keys, whatever the page holds.
  const isOrder = fields.some(({ normalised }) => normalised === 'sorted');
  const filled = fillObject(field.schema, isOrder ? ofOrder(filling) : filling);
  return field.name === '_links' ? withNextLink(filled, field, filling) : filled;
}

function ofOrder({ facts, seed }: Filling): Filling {
  return { seed, facts: { ...facts, page: { ...facts.page, count: isSorted(facts) ? 1 : 0 } } };
}

/** HAL reserves `_links`, in which a page links to the next one by its registered relation. */
function withNextLink(links: JsonObject, { schema }: SchemaField, { facts }: Filling): JsonObject {
  const { page, request, shape } = facts;
  const href = page.next ?? pageUrl('next', page, { request, shape });
  if (href === undefined || Object.hasOwn(links, 'next')) return links;
  const linked = { ...links, next: { href } };
  return schema.accepts(linked, 'response') ? linked : links;
}

function nestLink(
  { normalised, name }: SchemaField,
  href: SchemaField,
  { facts }: Filling,
): JsonObject | undefined {
  const link = linkOf(facts, { ...href, normalised: `${normalised}href`, name });
  return link === undefined ? undefined : { [href.name]: link };
}

/** A list of links to this page and its neighbours, each with its relation (RFC 8288). */
function listLinks(
  { schema, flat }: SchemaField,
  { facts: { page, request, shape } }: Filling,
): JsonArray | undefined {
  const item = flat.items && schema.part(schema.follow(flat.items));
  const href = item && isLink(item) ? fieldsOf(item).get('href') : undefined;
  if (href === undefined) return undefined;
  const links = (['self', 'next', 'prev'] as const).flatMap((rel) => {
    const url = pageUrl(rel, page, { request, shape });
    const isRelative = linkKind(href) === 'relative';
    return url === undefined ? [] : [{ href: isRelative ? url : absoluteUrl(url, request), rel }];
  });
  return schema.accepts(links, 'response') ? links : undefined;
}

function make({ required, schema, name }: SchemaField, seed: () => string): JsonValue | undefined {
  if (!required) return undefined;
  const made = plainValue(schema, {
    seed: `${seed()} ${name}`,
    direction: 'response',
    required: 'only',
  });
  return made.ok ? made.value : undefined;
}

/**
 * A page of a list: its start, its maximum size (undefined: unlimited), its number of records, and
 * the total.
 */
export interface ListPage {
  readonly offset: number;
  readonly size: number | undefined;
  readonly count: number;
  readonly total: number;
  /** The target of the next page, where the service alone decides about pages. */
  readonly next?: string | undefined;
  /** What its cursors are marked with. */
  readonly mark?: string | undefined;
}

/** The relation of a link to another page (RFC 8288, section 3.3; RFC 5988). */
export type PageRelation = 'first' | 'prev' | 'next' | 'last' | 'self';

/** The start of the next page; undefined for the last one. */
function nextOffset({ offset, count, total }: ListPage): number | undefined {
  const end = offset + count;
  return count > 0 && end < total ? end : undefined;
}

/** The URL of another page; undefined if it does not exist. Other query parameters stay. */
export function pageUrl(
  relation: PageRelation,
  page: ListPage,
  { request, shape }: { readonly request: HttpRequest; readonly shape: PageShape },
): string | undefined {
  if (relation === 'self') return request.target;
  const offset = offsetOf(relation, page);
  const paging =
    shape.paging.find(({ parameter }) => isAsked(request.target, parameter.name)) ??
    shape.paging.find(({ kind }) => kind === 'page') ??
    shape.paging[0];
  if (offset === undefined || paging === undefined) return undefined;
  return withPair(request.target, paging.parameter.name, valueOf(paging, offset, page.size));
}

/** The absolute URL, if the request has a Host header. */
export function absoluteUrl(target: string, request: HttpRequest): string {
  const origin = originOf(request);
  return origin !== undefined && /^https?:\/\/[A-Za-z0-9.:[\]_-]+$/.test(origin)
    ? origin + target
    : target;
}

/** The header `Link` of a page (RFC 8288); undefined for a single page. */
export function linkHeader(
  page: ListPage,
  source: { readonly request: HttpRequest; readonly shape: PageShape },
): string | undefined {
  const relations = (['prev', 'next', 'first', 'last'] as const).filter((relation) =>
    relation === 'first'
      ? page.offset > 0
      : relation === 'last'
        ? nextOffset(page) !== undefined
        : true,
  );
  const links = relations.flatMap((relation) => {
    const url = pageUrl(relation, page, source);
    return url === undefined ? [] : [`<${absoluteUrl(url, source.request)}>; rel="${relation}"`];
  });
  return links.length === 0 ? undefined : links.join(', ');
}

function offsetOf(relation: Exclude<PageRelation, 'self'>, page: ListPage): number | undefined {
  const { offset, size, total } = page;
  if (size === undefined || size === 0) return relation === 'first' ? 0 : undefined;
  if (relation === 'first') return 0;
  if (relation === 'next') return nextOffset(page);
  const last = total === 0 ? 0 : Math.floor((total - 1) / size) * size;
  if (relation === 'last') return last;
  return offset > 0 ? (offset >= total ? last : Math.max(0, offset - size)) : undefined;
}

function valueOf(
  { kind, first }: Paging,
  offset: number,
  size: number | undefined,
): string | undefined {
  if (kind === 'page') return String(Math.floor(offset / (size || 1)) + first);
  if (kind === 'offset') return String(offset);
  return offset === 0 ? undefined : makeCursor(offset);
}

function isAsked(target: string, name: string): boolean {
  return pairsOf(target).some((pair) => nameOf(pair) === name);
}

/** A target with one query parameter set, or removed if it has no value. */
export function withPair(target: string, name: string, value: string | undefined): string {
  const others = pairsOf(target).filter((pair) => nameOf(pair) !== name);
  const pairs =
    value === undefined ? others : [...others, `${encodePercent(name)}=${encodePercent(value)}`];
  const path = target.split('?', 1)[0] ?? '';
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function pairsOf(target: string): string[] {
  const start = target.indexOf('?');
  return start === -1
    ? []
    : target
        .slice(start + 1)
        .split('&')
        .filter((pair) => pair !== '');
}

function nameOf(pair: string): string {
  const written = pair.split('=', 1)[0] ?? '';
  try {
    return decodeURIComponent(written.replaceAll('+', ' '));
  } catch {
    return written;
  }
}
