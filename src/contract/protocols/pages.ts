import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { speaks, speaksJsonApi, successSchema } from '../infer/conventions/envelope-styles.ts';
import { plainName } from '../infer/infer-names.ts';
import { oncePerResource } from '../infer/record-fields.ts';
import type { Contract, LocatedNode, Operation, Parameter, Resource, Schema } from '../model.ts';
import { shownValues } from '../model/operation.ts';
import { factIn, fieldTexts, textsAround, type Fact } from '../words/facts.ts';
import { isOnlyFrom } from '../words/read-faulty.ts';
import type { FactName } from '../words/phrases/index.ts';
import type { Protocol, Told } from './protocol.ts';

/** The page sizes that a client chooses: by a parameter of the query, or by a preference. */
export interface PageSize {
  readonly parameter: Parameter;
  /** `preference`: `Prefer: maxpagesize=5`, which a service may ignore. */
  readonly by: 'number' | 'preference';
}

/** How the pages of a list lead to each other. */
export interface Pages extends Told {
  readonly style: 'AIP' | 'OData' | 'JSON:API' | 'HAL' | 'plain';
  /** Where the body names the next page: `/next_page_token`, `/links/next`. */
  readonly next?: NextPlace | undefined;
  /** Where it links to the first and to the last page. */
  readonly first?: Pointer | undefined;
  readonly last?: Pointer | undefined;
  /** The parameter that takes the token which leads to a page. */
  readonly token?: Parameter | undefined;
  /** Whether only a page gives the token: `Only from an @odata.nextLink.` */
  readonly isIssued: boolean;
  readonly size?: PageSize | undefined;
  /** The parameter that bounds all pages together: `$top`. */
  readonly bound?: Parameter | undefined;
  /** The boolean parameter that asks for the number of all records, and where it is shown. */
  readonly count?: { readonly parameter: Parameter; readonly at: Pointer } | undefined;
  /** What a size, or a bound, of 0 means. */
  readonly zero?: 'default' | 'none' | undefined;
  /** Whether a page names a next one exactly while there are more records. */
  readonly isExact: boolean;
}

/** A member of a page that names the next one, by its address or by a token. */
export interface NextPlace {
  readonly at: Pointer;
  readonly by: 'address' | 'token';
}

/**
 * Pages that name the next one in the body: `next_page_token` (AIP-158), `@odata.nextLink` (OData
 * 4.01, protocol, section 11.2.6.7), `links.next` (JSON:API 1.1, section 7.7), `_links.next` (HAL),
 * or a member of such a name.
 */
export const pages: Protocol<Pages> = {
  read(resource, contract) {
    const { list } = resource.operations;
    return list && readPages(contract, resource, list);
  },
};

/** Ends of names of envelope members that describe the page: `response_metadata`, `_links`. */
const wrappers =
  'meta metadata paging pagination page pages pageinfo link links cursor cursors'.split(' ');

/** Whether a member of an envelope describes the page. */
export function describesPage(name: string): boolean {
  const plain = plainName(name);
  return wrappers.some((end) => plain.endsWith(end));
}

const nextNames = new Set(
  (
    'after continuation continuationtoken continue cursor endcursor marker next ' +
    'nextcursor nextlink nextmarker nextpage nextpagetoken nexttoken'
  ).split(' '),
);

/** Whether a member names the next page; it may have a namespace: `@odata.nextLink`. */
export function namesNextPage(name: string): boolean {
  return nextNames.has(plainName(name.replace(/^.*[.:@]/, '')));
}

function readPages(contract: Contract, resource: Resource, list: Operation): Pages | undefined {
  const shape = resource.list;
  const schema = successSchema(list);
  const members = pageMembers(resource);
  if (shape === undefined || schema === undefined) return undefined;
  const found = members.filter(({ name }) => namesNextPage(name));
  const named = found.find((one) => addressOrToken(schema, one) === 'address') ?? found[0];
  const style = styleOf(list, named?.name);
  const stated = pageFact(contract, resource, 'next-until-end');
  const isPaged = shape.limit !== undefined && shape.paging.length > 0;
  const open = style === 'HAL' && stated !== undefined && isPaged ? halNext : undefined;
  const next = named === undefined ? open : { at: named.at, by: addressOrToken(schema, named) };
  const token = tokenOf(list, resource, style);
  const isOData = style === 'OData';
  const bound = isOData ? shape.limit?.parameter : undefined;
  const size = isOData
    ? preferenceOf(list)
    : shape.limit && { parameter: shape.limit.parameter, by: 'number' as const };
  const ends = { first: at(members, 'first'), last: at(members, 'last') };
  const count = countOf(list, members);
  if ([next, token, count, stated].every((one) => one === undefined)) return undefined;
  const isExact = stated !== undefined || style === 'AIP';
  return {
    style,
    next,
    ...ends,
    token,
    isIssued: isOnlyFrom(token, named?.name),
    size,
    bound,
    count,
    zero: style === 'AIP' ? 'default' : isOData ? 'none' : undefined,
    isExact,
    says: saysOf(list, next, style),
  };
}

function saysOf(list: Operation, next: NextPlace | undefined, style: Pages['style']): string {
  const where = next === undefined ? '' : ` names the next page at ${next.at}`;
  const how = style === 'plain' ? '' : ` (${style})`;
  return next === undefined ? `${list.id} has pages${how}.` : `A page of ${list.id}${where}${how}.`;
}

/** What a contract states of the pages of a list: its texts, and those of its members. */
function pageFact(contract: Contract, resource: Resource, name: FactName): Fact | undefined {
  const { list } = resource.operations;
  if (list === undefined) return undefined;
  const schema = successSchema(list);
  const told = pageMembers(resource).flatMap(({ place }) =>
    schema === undefined ? [] : fieldTexts(schema.flatten(place)),
  );
  return factIn([...textsAround(contract, list), ...told], name);
}

/** A member of a page beside its records. */
export interface PageMember {
  readonly name: string;
  readonly at: Pointer;
  readonly place: LocatedNode;
}

/** The members of a page beside its records, and those of the objects that describe the page. */
const pageMembers = oncePerResource(({ operations: { list }, list: shape }): PageMember[] => {
  const schema = list && successSchema(list);
  if (schema === undefined || shape === undefined || shape.records === '') return [];
  return pageMembersIn(schema);
});

/** The same of a page by its schema. */
export function pageMembersIn(schema: Schema): PageMember[] {
  return membersIn(schema, { node: schema.node, pointer: schema.pointer, at: '' }, 0);
}

const deepest = 2;

function membersIn(
  schema: Schema,
  { at: above, ...whole }: LocatedNode & { readonly at: Pointer },
  depth: number,
): PageMember[] {
  return [...schema.flatten(whole).properties].flatMap(([name, place]) => {
    const own = joinPointer(above, name);
    const inner =
      describesPage(name) && depth < deepest
        ? membersIn(schema, { ...place, at: own }, depth + 1)
        : [];
    // HAL has an object with the address: `_links.next.href`.
    const href = schema.flatten(place).properties.get('href');
    const link = href === undefined ? own : joinPointer(own, 'href');
    return [{ name, at: link, place: href ?? place }, ...inner];
  });
}

function at(members: readonly PageMember[], expected: string): Pointer | undefined {
  return members.find(({ name, at: own }) => name === expected && isLinked(own))?.at;
}

function isLinked(own: Pointer): boolean {
  return /links\//i.test(own);
}

function addressOrToken(schema: Schema, { name, at: own, place }: PageMember): NextPlace['by'] {
  const { format } = schema.flatten(place).node;
  const isUri = typeof format === 'string' && /^(uri|iri|url)/.test(format);
  return isUri || isLinked(own) || /link$/i.test(name) ? 'address' : 'token';
}

/** Whether a page size of 0 is the default size (AIP-158). */
export const zeroIsDefault = oncePerResource((resource: Resource): boolean => {
  const { list } = resource.operations;
  const next = pageMembers(resource).find(({ name }) => namesNextPage(name));
  return list !== undefined && zeroIsDefaultFor(list, next?.name);
});

/** The same for the operation of a list, with the member that names the next page. */
export function zeroIsDefaultFor(list: Operation, next: string | undefined): boolean {
  return styleOf(list, next) === 'AIP';
}

/** The link relations of HAL may be undeclared members of `_links`. */
const halNext: NextPlace = { at: '/_links/next/href', by: 'address' };

function styleOf(list: Operation, next: string | undefined): Pages['style'] {
  if (speaksJsonApi(list)) return 'JSON:API';
  if (speaks(list, 'application/hal+json')) return 'HAL';
  const names = new Set(list.parameters.map(({ name }) => name));
  if (next === '@odata.nextLink' || ['$top', '$skip'].every((name) => names.has(name)))
    return 'OData';
  const plain = new Set([...names].map(plainName));
  const isAip = plain.has('pagetoken') && plain.has('pagesize') && next !== undefined;
  return isAip && plainName(next) === 'nextpagetoken' ? 'AIP' : 'plain';
}

function tokenOf(
  list: Operation,
  { list: shape }: Resource,
  style: Pages['style'],
): Parameter | undefined {
  const cursor = shape?.paging.find(({ kind }) => kind === 'cursor')?.parameter;
  const skip = list.parameters.find(({ name }) => name === '$skiptoken');
  return style === 'OData' ? skip : cursor;
}

/** `Prefer: odata.maxpagesize=5` (OData 4.01, section 8.2.8.5), where the contract shows it. */
function preferenceOf(list: Operation): PageSize | undefined {
  const parameter = list.parameters.find(
    ({ in: location, name }) => location === 'header' && name.toLowerCase() === 'prefer',
  );
  const isShown =
    parameter !== undefined &&
    shownValues(parameter).some((value) => /(^|[^a-z])maxpagesize=/.test(String(value)));
  return isShown ? { parameter, by: 'preference' } : undefined;
}

const countNames = new Set(['odatacount', 'count', 'total', 'totalcount']);

function countOf(list: Operation, members: readonly PageMember[]): Pages['count'] {
  const parameter = list.parameters.find(
    ({ in: location, name, schema }) =>
      location === 'query' && name === '$count' && schema.flatten().types.includes('boolean'),
  );
  const shown = members.find(({ name }) => countNames.has(plainName(name)));
  return parameter === undefined || shown === undefined ? undefined : { parameter, at: shown.at };
}
