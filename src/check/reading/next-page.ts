import { createHash } from 'node:crypto';
import { cursorOf } from '../../contract/infer/infer-list-parameters.ts';
import type { Parameter, Resource } from '../../contract/model.ts';
import { describesPage, namesNextPage } from '../../contract/protocols/pages.ts';
import { headerValues } from '../../http/message.ts';
import { valueAt } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, memberOf } from '../../json/value.ts';
import type { CheckInput } from '../model/knowledge.ts';
import type { Source } from '../model/request-template.ts';
import { roleOf, type Step, hasSuccess } from '../model/step.ts';
import { inFormOf } from './identifiers.ts';
import { jsonOf } from './read-answer.ts';
import { looksLike } from '../../words-in.ts';

/**
 * Names of parameters that take the identifier of the last record, if the list returns no cursor.
 */
const identifierNames = /^(starting_?after|start_?after|after)$/i;

/**
 * The value of a parameter for the next page, from the list's last page: from `Link` with the
 * relation `next` (RFC 8288), from a URL or a cursor in the body, or from the identifier of the
 * last record. Undefined if there is no next page.
 */
export function nextArgument(
  resource: Resource,
  name: string,
  earlier: readonly Step[],
): JsonValue | undefined {
  const step = earlier.findLast(
    (candidate) => candidate.case.operation === resource.operations.list && hasSuccess(candidate),
  );
  const parameter = step?.case.operation.parameters.find(
    (candidate) => candidate.in === 'query' && candidate.name === name,
  );
  if (step === undefined || parameter === undefined || namesNone(step)) return undefined;
  const named = [namedPage(step), inBody(step)].flatMap((page) =>
    page === undefined ? [] : (namedValue(page, parameter) ?? []),
  )[0];
  return named ?? (identifierNames.test(name) ? lastIdentifier(resource, step) : undefined);
}

/**
 * What a source of the kind `next` gives; undefined if there is no next page. Without the name of a
 * parameter it is the address of that page, if the list names one.
 */
export function nextOf(
  resource: Resource | undefined,
  { parameter, altered }: Extract<Source, { kind: 'next' }>,
  earlier: readonly Step[],
): JsonValue | undefined {
  const list = resource?.operations.list;
  const last = earlier.findLast((step) => step.case.operation === list && hasSuccess(step));
  if (parameter === '') return last && namedPage(last)?.address;
  const next = resource && nextArgument(resource, parameter, earlier);
  return altered === true ? otherToken(next) : next;
}

/** A token of fewer letters and digits may be a position, which any value is. */
const fewestLetters = 6;

/**
 * A token with other letters and digits in the same places, which no list gave: undefined for a
 * number, which may be a position.
 */
function otherToken(token: JsonValue | undefined): JsonValue | undefined {
  if (typeof token !== 'string' || /^[\d.:-]*$/.test(token)) return undefined;
  if (token.replaceAll(/[^A-Za-z0-9]/g, '').length < fewestLetters) return undefined;
  return inFormOf(token, createHash('sha256').update(token).digest('hex'));
}

/** Whether the response of a list says that there is a next page. */
export function leadsOn({ contract }: Pick<CheckInput, 'contract'>, step: Step): boolean {
  return roleOf(contract, step.case.operation)?.action === 'list' && namesMore(step);
}

/** The same for a response that is known to be a list. */
export function namesMore(step: Step): boolean {
  const body = jsonOf(step.answer);
  return (
    linkNext(step) !== undefined ||
    headerNext(step) !== undefined ||
    (isJsonObject(body) &&
      ((nextIn(body, step) !== undefined && !saysNoMore(body)) || saysMore(body)))
  );
}

/** Whether the body of a list has a member for the next page, and it is empty. */
export function namesNone(step: Step): boolean {
  const body = jsonOf(step.answer);
  return (
    !namesMore(step) &&
    isJsonObject(body) &&
    (saysNoMore(body) || membersNamed(body, step).some((value) => value === null || value === ''))
  );
}

/** Whether a list says that there are more records, and names no next page. */
export function namesNoneOfMore(step: Step): boolean {
  const body = jsonOf(step.answer);
  return isJsonObject(body) && saysMore(body) && namedPage(step) === undefined;
}

/** The next page in a response: as a URL, relative or not, or as the value of a parameter. */
export interface NamedPage {
  readonly by: 'Link' | 'body' | 'header';
  readonly address?: string;
  readonly value?: JsonValue;
}

/** The next page according to `Link`, the body, or a header with its number. */
export function namedPage(step: Step): NamedPage | undefined {
  const link = linkNext(step);
  const value = headerNext(step);
  if (link !== undefined) return { by: 'Link', address: link };
  return inBody(step) ?? (value === undefined ? undefined : { by: 'header', value });
}

const nextHeaders = looksLike(/^x-next(?:-page)?(?:-token|-cursor)?$/i);

/** The value of `X-Next-Page`, which is empty on a last page. */
function headerNext({ exchange }: Step): JsonValue | undefined {
  const found = exchange.response?.headers.find(([name]) => nextHeaders(name))?.[1].trim();
  if (found === undefined || found === '' || found === '0') return undefined;
  return /^\d{1,15}$/.test(found) ? Number(found) : found;
}

function inBody(step: Step): NamedPage | undefined {
  const body = jsonOf(step.answer);
  const next = isJsonObject(body) && !saysNoMore(body) ? nextIn(body, step) : undefined;
  if (typeof next === 'string' && isAddress(next)) return { by: 'body', address: next };
  return next === undefined || typeof next === 'object' || typeof next === 'boolean'
    ? undefined
    : { by: 'body', value: next };
}

/** The value of a parameter on the next page; undefined if its URL does not have it. */
export function namedValue(
  { address, value }: NamedPage,
  parameter: Parameter,
): JsonValue | undefined {
  return address === undefined ? value : fromAddress(address, parameter);
}

function saysMore(body: JsonObject): boolean {
  return says(body, true);
}

/** Some lists return a cursor on the last page too, for polling new records later. */
function saysNoMore(body: JsonObject): boolean {
  return says(body, false) && !says(body, true);
}

function says(body: JsonObject, more: boolean): boolean {
  return partsOf(body).some((part) =>
    Object.entries(part).some(
      ([name, value]) =>
        (value === more && /^(has_?more|has_?next(_?page)?|more)$/i.test(name)) ||
        (value === !more && /^(is_?)?last(_?page)?$/i.test(name)),
    ),
  );
}

/** The target of `Link: <…>; rel="next"`. */
function linkNext({ exchange }: Step): string | undefined {
  const links = headerValues(exchange.response?.headers ?? [], 'link').flatMap((value) =>
    value.split(/,\s*(?=<)/),
  );
  return links.flatMap((link) => {
    const [, target, rest = ''] = /^\s*<([^>]*)>(.*)$/s.exec(link) ?? [];
    return target !== undefined && /;\s*rel\s*=\s*"?(?:[^"]*\s)?next(?=[\s";]|$)/i.test(rest)
      ? [target]
      : [];
  })[0];
}

function partsOf(body: JsonObject): JsonObject[] {
  return [
    body,
    ...Object.entries(body).flatMap(([name, value]) => {
      if (!describesPage(name)) return [];
      // A list of links is read as their addresses by their relations (RFC 8288).
      const links = isJsonArray(value) ? value.filter(isJsonObject) : [];
      const part = Object.fromEntries(
        links.map(({ rel, relation, href, url }) => [String(rel ?? relation), href ?? url ?? null]),
      );
      return partsOf(isJsonObject(value) ? value : part);
    }),
  ];
}

function membersNamed(body: JsonObject, { case: { operation } }: Step): (JsonValue | undefined)[] {
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  const cursor = cursorOf(query, operation)?.name;
  const named = partsOf(body)
    .flatMap((part) => Object.entries(part))
    .filter(([name]) => namesNextPage(name) || name === cursor);
  // The next page as an object: its address, or the value of its cursor.
  const inside = (value: JsonObject): JsonValue | undefined =>
    Object.values(value).find((one) => typeof one === 'string' && isAddress(one)) ??
    value[cursor ?? 'href'];
  return named.map(([, value]) => (isJsonObject(value) ? inside(value) : value));
}

function nextIn(body: JsonObject, step: Step): JsonValue | undefined {
  const named = membersNamed(body, step).filter(
    (value) => value !== undefined && value !== null && value !== '' && value !== false,
  );
  // An address says more than the number beside it: `next_page`, `links.next`.
  return named.find((value) => typeof value === 'string' && isAddress(value)) ?? named[0];
}

const isAddress = looksLike(/^(https?:\/)?\/|^\?/);

/** The value of a parameter in a URL, converted to the parameter's type. */
function fromAddress(
  address: string | undefined,
  { name, schema }: Parameter,
): JsonValue | undefined {
  if (address === undefined || !URL.canParse(address, 'http://base.invalid/')) return undefined;
  const text = new URL(address, 'http://base.invalid/').searchParams.get(name);
  if (text === null || text === '') return undefined;
  const { types } = schema.flatten();
  return (types.includes('integer') || types.includes('number')) && /^\d{1,15}$/.test(text)
    ? Number(text)
    : text;
}

function lastIdentifier(resource: Resource, step: Step): JsonValue | undefined {
  const records =
    resource.list === undefined ? undefined : valueAt(jsonOf(step.answer), resource.list.records);
  // Array.isArray does not narrow a readonly array out of a union.
  const last = Array.isArray(records) ? (records as readonly JsonValue[]).at(-1) : undefined;
  const identifier = memberOf(last, resource.identifier.field);
  return typeof identifier === 'string' ||
    typeof identifier === 'number' ||
    typeof identifier === 'bigint'
    ? identifier
    : undefined;
}
