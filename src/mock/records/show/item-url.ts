import { isContentName } from '../../../contract/infer/conventions/envelope-styles.ts';
import { lastWord, wholeParameters } from '../../../contract/infer/conventions/path-styles.ts';
import { singularOf } from '../../../contract/infer/infer-names.ts';
import { filesOf, type RecordFile } from '../../../contract/infer/record-files.ts';
import type { Resource, Schema } from '../../../contract/model.ts';
import { shownBy } from '../../../contract/schema/shown-values.ts';
import { isJsonObject, type JsonObject, type JsonValue, objectOf } from '../../../json/value.ts';
import type { Concern, OperationPlan, ValidRequest } from '../../model/request.ts';
import type { Reply } from '../../model/reply.ts';
import { preparePath } from '../../../contract/path-template.ts';
import { removalOf } from '../../plan/plan-operations.ts';
import { oncePerPlan, textOf } from '../find-record.ts';
import { fieldsOf, isSameSchema, type SchemaField } from '../record-fields.ts';
import { absoluteUrl } from './envelope.ts';

/**
 * The path of a record with the base path of the request, if the contract has an operation there
 * that is not removed; otherwise undefined.
 */
export function itemUrl(
  { plan, basePath, path, now }: ValidRequest,
  resource: Resource,
  id: string,
): string | undefined {
  const item = itemPathOf(plan, resource);
  if (item === undefined || (item.removedAt !== undefined && now >= item.removedAt))
    return undefined;
  const filled = item.fill((name) =>
    name === item.carrier ? id : (path.get(item.ownNames.get(name) ?? name) ?? path.get(name)),
  );
  return filled === undefined ? undefined : basePath + filled;
}

/**
 * How to fill the path that reads a record of a resource, and how the plan's own path names its
 * parameters: paths of one resource can name a parameter differently, so its position decides.
 */
const itemPathOf = oncePerPlan(({ parentSegments, contract }, resource) => {
  const shown = readableAs(resource, contract.resources);
  const { identifier, itemPath, operations } = shown;
  const read = operations.read ?? operations.delete;
  if (itemPath === undefined || read === undefined) return undefined;
  const ownNames = wholeParameters(itemPath).flatMap(({ name, segment }) => {
    const own = parentSegments.find(([, position]) => position === segment)?.[0];
    return own === undefined ? [] : [[name, own] as const];
  });
  return {
    removedAt: removalOf(read),
    fill: preparePath(read.path),
    ownNames: new Map(ownNames),
    carrier: identifier.parameter ?? identifier.field,
  };
});

/** The resource that reads the records of one: itself, or one that shows them by a path alone. */
function readableAs(resource: Resource, resources: readonly Resource[]): Resource {
  return resource.operations.read === undefined
    ? (resources.find(
        ({ collection, operations, parents }) =>
          collection === resource.collection &&
          operations.read !== undefined &&
          parents.length === 0,
      ) ?? resource)
    : resource;
}

/** Names of members that link to the object in which they are. */
export const selfNames =
  /^(href|self|selfhref|selflink|selfurl|selfuri|resourceuri|resourceurl|apiurl)$/;
/** The same, if nothing shows that they link to something else. */
export const openNames = /^(url|uri|link|location)$/;

/** The path of a record that a request made; undefined if it made none. */
export function urlOfNew(
  { status, body = null, state = body }: Reply,
  { request, resource }: Concern,
): string | undefined {
  const id = isJsonObject(state) && status === 201 ? state[resource.identifier.field] : undefined;
  return id === undefined ? undefined : itemUrl(request, resource, textOf(id));
}

/** The files of the records of an operation, which are missing until they are uploaded. */
export function filesIn({ role, contract }: OperationPlan): readonly RecordFile[] {
  return role === undefined ? [] : filesOf(role.resource, contract);
}

/**
 * The link of a record in a field: to itself, or to what an operation shows below it; null to a
 * file that nobody has uploaded. Undefined if the field is none, or links to something else.
 */
export function selfLink(
  field: SchemaField,
  find: () => string | undefined,
  { request, resource }: Concern,
): JsonValue | undefined {
  const { normalised, flat } = field;
  const isText = flat.types.includes('string') && flat.node.enum === undefined;
  const part = resource.links.find(({ field: own, to }) => own === field.name && to === 'part');
  const isOfFile = request.plan
    .derive(filesIn)
    .some(({ download }) => download === part?.operation);
  if (isOfFile && flat.types.includes('null')) return null;
  const whole = part === undefined ? undefined : find();
  if (part !== undefined && whole !== undefined)
    return writeUrl(field, `${whole}/${lastWord(part.operation.path)}`, request);
  const isLink = isText
    ? selfNames.test(normalised) ||
      (openNames.test(normalised) &&
        (isOwn(field, lastWord(resource.collectionPath)) ||
          isOfAll(field, request.plan.contract.resources)))
    : /^links?$/.test(normalised) && flat.types.includes('object');
  const url = isLink ? find() : undefined;
  if (url === undefined) return undefined;
  return isText
    ? writeUrl(field, url, request)
    : nestedLinks(
        field,
        { ...addressesBeside(field, url, { request, resource }), self: url },
        request,
      );
}

/** `_links: { self: { href } }` of HAL, and `links: { self }` of JSON:API. */
function nestedLinks(
  { schema }: SchemaField,
  addresses: Readonly<Record<string, string>>,
  request: ValidRequest,
): JsonObject | undefined {
  const self = [...fieldsOf(schema).values()].find(({ normalised }) => normalised === 'self');
  if (self === undefined) return undefined;
  const isText = self.flat.types.includes('string');
  const href = [...fieldsOf(self.schema).values()].find(({ normalised }) => normalised === 'href');
  const links = Object.entries(addresses).flatMap(([relation, url]): [string, JsonValue][] => {
    const name = relation === 'self' ? self.name : relation;
    if (isText) return [[name, writeUrl(self, url, request)]];
    return href === undefined ? [] : [[name, { [href.name]: writeUrl(href, url, request) }]];
  });
  return links.length === 0 ? undefined : Object.fromEntries(links);
}

/**
 * Where the other links of a record in HAL lead (draft-kelly-json-hal, section 4.1.1): to its
 * parent by the word for it, and to what the request names by an address under the link's name.
 */
function addressesBeside(
  { schema, flat }: SchemaField,
  url: string,
  { request: { basePath, body }, resource }: Concern,
): Readonly<Record<string, string>> {
  const known = new Set([...fieldsOf(schema).keys(), ...flat.required]);
  const parent = resource.parents.at(-1)?.resource;
  const depth = [basePath, parent?.itemPath ?? ''].join('').split('/').length;
  const above = parent?.itemPath === undefined ? undefined : url.split('/').slice(0, depth);
  const word = parent && singularOf(lastWord(parent.collectionPath));
  const sent = Object.entries(objectOf(body));
  const all = [
    ...(word === undefined || above === undefined ? [] : [[word, above.join('/')] as const]),
    ...sent.flatMap(([name, text]) =>
      typeof text === 'string' && /^(https?:\/)?\/./.test(text) ? [[name, text] as const] : [],
    ),
  ];
  return Object.fromEntries(all.filter(([relation]) => known.has(relation)));
}

/**
 * Whether the example of an address is that of any record: the document writes the schema once, and
 * the records of several resources have a field of this name with it.
 */
export function isOfAll({ name, schema }: SchemaField, resources: readonly Resource[]): boolean {
  const alike = resources.filter((one) => {
    const other = fieldsOf(one.record).get(name);
    return other !== undefined && isSameSchema(other.schema, schema);
  });
  return new Set(alike.map(({ collection }) => collection)).size > 1;
}

function isOwn({ flat: { node } }: SchemaField, word: string): boolean {
  const shown = [...shownBy(node), node.default].filter((value) => typeof value === 'string');
  return shown.every((text) => text.includes(`/${word}`));
}

function writeUrl({ flat: { node } }: SchemaField, url: string, { request }: ValidRequest): string {
  const [shown] = shownBy(node);
  const isAbsolute =
    node.format === 'uri' ||
    node.format === 'url' ||
    (typeof shown === 'string' && /^https?:/.test(shown));
  return isAbsolute ? absoluteUrl(url, request) : url;
}

/**
 * Members of a response that identify the created record without showing it: a link, or its
 * identifier under the noun (`thingId`).
 */
export function namingMembers(
  schema: Schema,
  id: JsonValue | undefined,
  given: Concern,
): JsonObject {
  const { request, resource } = given;
  const noun = singularOf(lastWord(resource.collectionPath));
  const find = (): string | undefined =>
    id === undefined ? undefined : itemUrl(request, resource, String(id));
  return Object.fromEntries(
    [...fieldsOf(schema).values()].flatMap((field): (readonly [string, JsonValue])[] => {
      const link = selfLink(field, find, given);
      if (link !== undefined) return [[field.name, link]];
      // Content that is no object is what the record is called: `{ "code": 0, "data": 7 }`.
      const isContent = isContentName(field.name) && field.schema.accepts(id ?? null, 'response');
      const isId = id !== undefined && (field.normalised === `${noun}id` || isContent);
      return isId ? [[field.name, field.flat.types.includes('string') ? String(id) : id]] : [];
    }),
  );
}
