import { lastWord, wholeParameters } from '../../../contract/infer/conventions/path-styles.ts';
import { singularOf } from '../../../contract/infer/infer-names.ts';
import type { Resource, Schema } from '../../../contract/model.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import type { ValidRequest } from '../../model/behaviour.ts';
import { preparePath } from '../../../contract/path-template.ts';
import { removalOf } from '../../plan/plan-operations.ts';
import { oncePerPlan } from '../find-record.ts';
import { fieldsOf, type SchemaField } from '../record-fields.ts';
import { absoluteUrl } from './envelope.ts';

/**
 * The path of a record with the base path of the request, if the contract has an operation that
 * reads it; otherwise undefined.
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
const itemPathOf = oncePerPlan(({ parentSegments, resources }, resource) => {
  const shown = readableAs(resource, resources());
  const { read } = shown?.operations ?? {};
  if (shown?.itemPath === undefined || read === undefined) return undefined;
  const { identifier, itemPath } = shown;
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
function readableAs(resource: Resource, resources: readonly Resource[]): Resource | undefined {
  return resource.operations.read === undefined
    ? resources.find(
        ({ collection, operations, parents }) =>
          collection === resource.collection &&
          operations.read !== undefined &&
          parents.length === 0,
      )
    : resource;
}

/** Names of members that link to the object in which they are. */
const selfNames = /^(href|self|selfhref|selflink|selfurl|selfuri|resourceuri|resourceurl|apiurl)$/;
/** The same, if nothing shows that they link to something else. */
const openNames = /^(url|uri|link|location)$/;

/**
 * The link of a record in a field: to itself, or to what an operation shows below it. Undefined if
 * the field is none, or links to something else.
 */
export function selfLink(
  field: SchemaField,
  find: () => string | undefined,
  { request, resource }: { readonly request: ValidRequest; readonly resource: Resource },
): JsonValue | undefined {
  const { normalised, flat } = field;
  const isText = flat.types.includes('string') && flat.node.enum === undefined;
  const part = resource.links.find(({ field: own, to }) => own === field.name && to === 'part');
  const whole = part === undefined ? undefined : find();
  if (part !== undefined && whole !== undefined)
    return writeUrl(field, `${whole}/${lastWord(part.operation.path)}`, request);
  const isLink = isText
    ? selfNames.test(normalised) ||
      (openNames.test(normalised) && isOwn(field, lastWord(resource.collectionPath)))
    : /^links?$/.test(normalised) && flat.types.includes('object');
  const url = isLink ? find() : undefined;
  if (url === undefined) return undefined;
  return isText ? writeUrl(field, url, request) : nestedLink(field, url, request);
}

/** `_links: { self: { href } }` of HAL, and `links: { self }` of JSON:API. */
function nestedLink(
  { schema }: SchemaField,
  url: string,
  request: ValidRequest,
): JsonObject | undefined {
  const self = [...fieldsOf(schema).values()].find(({ normalised }) => normalised === 'self');
  if (self === undefined) return undefined;
  if (self.flat.types.includes('string')) return { [self.name]: writeUrl(self, url, request) };
  const href = [...fieldsOf(self.schema).values()].find(({ normalised }) => normalised === 'href');
  return href && { [self.name]: { [href.name]: writeUrl(href, url, request) } };
}

function isOwn({ flat: { node } }: SchemaField, word: string): boolean {
  const shown = [...(node.examples ?? []), node['example'], node.default].filter(
    (value) => typeof value === 'string',
  );
  return shown.every((text) => text.includes(`/${word}`));
}

function writeUrl({ flat: { node } }: SchemaField, url: string, { request }: ValidRequest): string {
  const [shown] = [...(node.examples ?? []), node['example']];
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
  given: { readonly request: ValidRequest; readonly resource: Resource },
): JsonObject {
  const { request, resource } = given;
  const noun = singularOf(lastWord(resource.collectionPath));
  const find = (): string | undefined =>
    id === undefined ? undefined : itemUrl(request, resource, String(id));
  return Object.fromEntries(
    [...fieldsOf(schema).values()].flatMap((field): (readonly [string, JsonValue])[] => {
      const link = selfLink(field, find, given);
      if (link !== undefined) return [[field.name, link]];
      const isId = id !== undefined && field.normalised === `${noun}id`;
      return isId ? [[field.name, field.flat.types.includes('string') ? String(id) : id]] : [];
    }),
  );
}
