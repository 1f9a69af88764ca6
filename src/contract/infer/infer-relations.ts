import { explainRelations, type SharedSet } from './explain-relations.ts';
import { explainFacts } from '../words/explain-facts.ts';
import { factIn, fieldTexts } from '../words/facts.ts';
import type {
  ForeignKey,
  Identifier,
  Operation,
  Parent,
  Resource,
  ResourceSettings,
  Schema,
} from '../model.ts';
import { saysOnly } from '../words/read-references.ts';
import { addressedBy } from './address-members.ts';
import { groupsOf, layoutOf } from './record-view.ts';
import { lazy } from '../lazy.ts';
import { objectKeys } from './object-references.ts';
import { objectMembers } from '../schema/object-members.ts';
import { recordPlace } from './conventions/envelope-styles.ts';
import { referredWords, plainName, singularOf } from './infer-names.ts';
import { inferCopies, inferCounts, inferLinks } from './infer-shown-twice.ts';
import type { ResourceReading } from './infer-resource.ts';
import {
  collectionPathOf,
  lastParameter,
  lastWord,
  pathKey,
  wholeParameters,
} from './conventions/path-styles.ts';
import {
  ownName,
  hasKnownRecords,
  listsOrMakes,
  isSameSchema,
  recordFields,
  type RecordField,
} from './record-fields.ts';
import { pathKeyOf } from './path-key.ts';

/** Access to other resources while one is inferred. */
export interface OtherResources {
  /** The resource of that name. */
  named(name: string): Resource | undefined;
  /** The resource whose items have this path, regardless of parameter names. */
  ofItems(itemKey: string): Resource | undefined;
  /** The resource whose collection has this path. */
  ofCollection(key: string): Resource | undefined;
  /** The top-level resources whose last path word is the plural of a word: `owner`. */
  called(singular: string): readonly Resource[];
  /** The same of those below other records. */
  calledBelow(singular: string): readonly Resource[];
  /** The resource whose records an operation reads. */
  readBy(operationId: string): Resource | undefined;
  readonly operations: readonly Operation[];
  readonly resources: readonly Resource[];
}

interface Relating {
  readonly name: string;
  readonly settings: ResourceSettings;
  readonly others: OtherResources;
}

/** A resource with its relations to others, each read on first access. */
export function relate(reading: ResourceReading, { name, settings, others }: Relating): Resource {
  const record = reading.kind === 'singleton' ? undefined : reading.record;
  const { collectionPath } = reading;
  const parents = lazy(
    () => inferParents(collectionPath, record, others, settings),
    // `/apis/{owner}/{api}` and `/domains/{owner}/{domain}` look for the owner in each other.
    () =>
      wholeParameters(collectionPath).map(({ name: parameter, segment }) => ({
        parameter,
        segment,
      })),
  );
  const foreignKeys = lazy(() => inferForeignKeys(reading, others, settings));
  const shared = lazy(() => sharedSet({ ...reading, parents: parents() }, others));
  const counts = lazy(() => inferCounts(resource, others));
  const copies = lazy(() => inferCopies(resource, others));
  const links = lazy(() => inferLinks(resource, others));
  const isFed = lazy(() =>
    others.resources.some(
      (other) =>
        other !== resource && other.collection === resource.collection && listsOrMakes(other),
    ),
  );
  const why = lazy(() => [
    ...reading.why,
    ...explainRelations(resource, shared(), others.resources),
    ...explainFacts(resource, others.operations),
  ]);
  const resource: Resource = {
    ...reading,
    name,
    get collection() {
      return shared()?.resource.collection ?? name;
    },
    get sharing() {
      return shared()?.sharing;
    },
    get shows() {
      return shared()?.resource;
    },
    get isFed() {
      return isFed();
    },
    get parents() {
      return parents();
    },
    get foreignKeys() {
      return foreignKeys();
    },
    get counts() {
      return counts();
    },
    get copies() {
      return copies();
    },
    get links() {
      return links();
    },
    get why() {
      return why();
    },
  };
  return resource;
}

/** What the parameters of a collection's path identify, and the record fields that hold them. */
function inferParents(
  collectionPath: string,
  record: Schema | undefined,
  others: OtherResources,
  settings: Pick<ResourceSettings, 'parent'> = {},
): Parent[] {
  const segments = collectionPath.split('/');
  const above = new Set<Resource>();
  return wholeParameters(collectionPath).map(({ name, segment }) => {
    const itemPath = segments.slice(0, segment + 2).join('/');
    const resource =
      settings.parent === false
        ? undefined
        : (others.ofItems(pathKey(itemPath)) ?? namedByParameter(name, others, above));
    if (resource !== undefined) above.add(resource);
    const word = lastWord(resource?.collectionPath ?? collectionPathOf(itemPath));
    const field =
      record &&
      (namedField(record, settings.parent) ??
        parentField(record, {
          parameter: name,
          word,
          identifier: resource && keyName(resource),
          isPart: segments.slice(segment + 2).every((text) => /^\{[^{}]+\}$/.test(text)),
        }));
    return { parameter: name, segment, resource, field };
  });
}

/**
 * The resource that a parameter names where no path before it does: `{host}` of `/queues/{host}` is
 * one of `/hosts/{host}`, and `{queue}` of `/bindings/{host}/{queue}` one of
 * `/queues/{host}/{name}`, which stands below one of those `above`.
 */
function namedByParameter(
  name: string,
  others: OtherResources,
  above: ReadonlySet<Resource>,
): Resource | undefined {
  const ended = /^(.+?)[-_]?(?:id|uuid|key|code|slug|name|number|ref)$/i.exec(name)?.[1];
  const word = singularOf(ended ?? name);
  const listed = others.called(word);
  const [found, ...more] = listed.filter(
    ({ itemPath }) => itemPath !== undefined && lastParameter(itemPath) === name,
  );
  if (found !== undefined && more.length === 0) return found;
  // Nothing but such paths names the records of a list: `{baseId}` where there are bases.
  const isTelling = referredWords(name).length > 0;
  if (isTelling && listed.length === 1 && listed[0]?.itemPath === undefined) return listed[0];
  const [beside, ...rest] = others.calledBelow(word).filter(({ itemPath, parents }) => {
    const known = parents.filter(({ resource }) => resource && above.has(resource));
    return itemPath !== undefined && known.length === parents.length;
  });
  return rest.length === 0 ? beside : undefined;
}

/** The name of what paths have for the records of a resource: `code` for `attributes.code`. */
function keyName(resource: Resource): string {
  const { record, identifier } = resource;
  return ownName(record, pathKeyOf(resource) ?? identifier.field);
}

function namedField(record: Schema, field: string | false | undefined): string | undefined {
  return typeof field === 'string' && recordFields(record).some(({ name }) => name === field)
    ? field
    : undefined;
}

/** A parameter before those of an item, and the word before it. */
interface ParentName {
  readonly parameter: string;
  readonly word: string;
  /** The field that identifies the records before it. */
  readonly identifier: string | undefined;
  /** Whether it is a part of the item's name: `{from}` of `/rates/{from}/{to}`. */
  readonly isPart: boolean;
}

/**
 * `ownerId`, `owner_id` or `owner.id` under `/owners/{ownerId}` or `/owners/{id}`; `siteName` under
 * `/sites/{siteName}`; `from` under `/rates/{from}/{to}`; otherwise the one that is said to be it.
 */
function parentField(record: Schema, parent: ParentName): string | undefined {
  const { parameter, word, identifier = 'id', isPart } = parent;
  const one = singularOf(word);
  const own = plainName(parameter);
  // A parameter such as `title` may have the name of a field with another meaning.
  const isTelling =
    isPart || own === one || own === `${one}name` || /.(id|uuid|key|code|slug|number)$/.test(own);
  const names = [
    ...(isTelling ? [own] : []),
    `${one}${plainName(identifier)}`,
    `${one}id`,
    `${one}uuid`,
    `${one}key`,
    `${one}code`,
    `${one}slug`,
  ];
  const fields = recordFields(record).filter(({ many }) => !many);
  const named = names.flatMap((name) => fields.find(({ plain }) => plain === name) ?? [])[0];
  return (named ?? fields.find(({ flat }) => saysOnly(flat, own)))?.name;
}

/**
 * The fields that refer to records of other resources: by their names, or by a link of the
 * contract.
 */
function inferForeignKeys(
  resource: Pick<Resource, 'record' | 'operations' | 'identifier'>,
  others: OtherResources,
  settings: Pick<ResourceSettings, 'foreignKeys'> = {},
): ForeignKey[] {
  if (settings.foreignKeys === false) return [];
  const linked = linkedFields(resource.operations, others);
  const configured = settings.foreignKeys ?? {};
  const types = layoutOf(resource.record)?.relations?.types ?? {};
  // A relationship says the type of the records that it names.
  const typed = (name: string): Resource | undefined => {
    const [target, ...more] = others.called(singularOf(types[name] ?? ''));
    return more.length === 0 ? target : undefined;
  };
  const fields = recordFields(resource.record).flatMap((field): ForeignKey[] => {
    const { name, many } = field;
    const setting = Object.hasOwn(configured, name) ? configured[name] : undefined;
    if (setting === false) return [];
    if (setting === undefined && name === resource.identifier.field) return [];
    const target =
      setting === undefined
        ? (linked.get(name) ?? typed(name) ?? addressedRecord(field, others))
        : others.named(setting);
    const named =
      target === undefined && setting === undefined
        ? recordByName(field, others)
        : target && { resource: target, by: target.identifier.field };
    return named !== undefined && hasKnownRecords(named.resource) && canName(field, named)
      ? [{ field: name, ...named, many }]
      : [];
  });
  const objects = objectKeys(resource, others.resources).filter(
    (key) => configured[key.field] !== false && fields.every(({ field }) => field !== key.field),
  );
  return [...fields, ...objects, ...linkedRecords(resource.record, others)];
}

/**
 * The resource whose records a field addresses by their full names (Google AIP-122): it has the
 * pattern of their identifier.
 */
function addressedRecord({ flat }: RecordField, others: OtherResources): Resource | undefined {
  if (flat.node.pattern === undefined) return undefined;
  const target = addressedBy(flat.node, others.resources)?.resource;
  const own = target === undefined ? [] : recordFields(target.record);
  const identifier = own.find(({ name }) => name === target?.identifier.field);
  return identifier?.flat.node.pattern === flat.node.pattern ? target : undefined;
}

/**
 * The records that the relationships of a record name, where it keeps its fields in a group
 * (JSON:API 1.1, section 7.2.2.2).
 */
function linkedRecords(record: Schema, others: OtherResources): ForeignKey[] {
  const relations = layoutOf(record) === undefined ? groupsOf(record)?.relations : undefined;
  const { properties } = record.flatten();
  const located = properties.get(relations?.member ?? '');
  const members = located && record.part(located).flatten().properties;
  return Object.entries(relations?.types ?? {}).flatMap(([name, type]): ForeignKey[] => {
    const [target, ...more] = others.called(singularOf(type));
    const place = members?.get(name);
    const data = place && record.part(place).flatten().properties.get('data');
    const field = `${relations?.member ?? ''}.${name}.data.id`;
    if (data === undefined || target === undefined || more.length > 0) return [];
    const many = record.part(data).flatten().types.includes('array');
    const by = target.identifier.field;
    return hasKnownRecords(target) ? [{ field, resource: target, by, many }] : [];
  });
}

/** Whether a field can hold the values by which it names records. */
function canName(field: RecordField, { resource, by }: Named): boolean {
  const { identifier, record } = resource;
  if (by === identifier.field) return canIdentify(field, identifier);
  const key = recordFields(record).find(({ name }) => name === by);
  return key?.types.some((type) => field.types.includes(type)) === true;
}

/**
 * Whether a field can hold identifiers of a type and format. Different formats are different kinds
 * of text: a `uuid` field never holds an `email`.
 */
function canIdentify({ flat, types, many }: RecordField, identifier: Identifier): boolean {
  if (!fits(types, identifier)) return false;
  if (many || !types.includes('string')) return true;
  const formats = [flat.node.format, identifier.format];
  return formats.includes(undefined) || formats[0] === formats[1];
}

type Named = Pick<ForeignKey, 'resource' | 'by'>;

/**
 * `ownerId`, `owner_ids` and `owner.id` refer to an owner, if exactly one top-level resource has
 * owners, and none is made below another record.
 */
function recordByName({ own, flat }: RecordField, others: OtherResources): Named | undefined {
  const told = factIn(fieldTexts(flat), 'identifies-record')?.value?.toLowerCase();
  const [word = told, last] = referredWords(own);
  const called = [word, last].map((one) => (one ? others.called(singularOf(one)) : []));
  const [found, ...more] =
    word === undefined
      ? namedBy(own, others)
      : (called.find((resources) => resources.length > 0) ?? []).map((resource) => ({
          resource,
          by: resource.identifier.field,
        }));
  const isCertain =
    found !== undefined && more.length === 0 && !isMadeElsewhere(found.resource, others);
  return isCertain ? found : undefined;
}

/** Whether nothing makes records of a resource, and another one of its name makes some. */
function isMadeElsewhere(
  { operations, namedCreate, collection, collectionPath }: Resource,
  { resources }: OtherResources,
): boolean {
  if (operations.create !== undefined || namedCreate !== undefined) return false;
  const wordOf = (path: string): string => singularOf(lastWord(path));
  return resources.some(
    (other) =>
      other.operations.create !== undefined &&
      other.collection !== collection &&
      wordOf(other.collectionPath) === wordOf(collectionPath),
  );
}

/**
 * `siteName` and `SiteName` name a site where a name, or a `siteName`, identifies sites, alone or
 * among others.
 */
function namedBy(field: string, others: OtherResources): readonly Named[] {
  const [, word, last] =
    /^([A-Za-z][A-Za-z0-9]*?)_?([A-Z][a-z0-9]*|(?<=_)[a-z0-9]+)$/.exec(field) ?? [];
  if (word === undefined || last === undefined) return [];
  return others.called(singularOf(word)).flatMap((resource) => {
    const { field: key, others: also = [] } = resource.identifier;
    const by = [key, ...also].find((one) => {
      const own = plainName(ownName(resource.record, one));
      return own === plainName(last) || own === plainName(field);
    });
    return by === undefined ? [] : [{ resource, by }];
  });
}

function fits(types: readonly string[], { type }: Identifier): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

/**
 * Fields that a link of the contract passes to an operation which reads one record (OpenAPI 3.1,
 * section 4.8.20).
 */
function linkedFields(
  operations: Resource['operations'],
  others: OtherResources,
): ReadonlyMap<string, Resource> {
  const links = Object.values(operations).flatMap((operation: Operation) =>
    operation.responses.flatMap((response) => response.links),
  );
  const fields = links.flatMap((link) =>
    [...link.parameters].flatMap(([parameter, expression]) => {
      const text = typeof expression === 'string' ? expression : '';
      const field = /^\$response\.body#\/([^/]+)$/.exec(text)?.[1];
      const target =
        field === undefined || link.operationId === undefined
          ? undefined
          : others.readBy(link.operationId);
      const isIts =
        target?.parents.length === 0 &&
        target.identifier.parameter === parameter.replace(/^path\./, '');
      return field === undefined || target === undefined || !isIts
        ? []
        : [[field, target] as const];
    }),
  );
  return new Map(fields);
}

/**
 * The resource of which another is a view, because both have the same records: a flat one with a
 * field for every parent of the nested one; the one under whose path a list without items exists,
 * such as `/things/findByStatus`, or a read by another key, such as `/things/by-slug/{slug}`; or a
 * flat one that is the only reader of what is created below a parent or elsewhere (`POST
 * /users/{user}/things`, `POST /me/things`, `GET /things/{id}`). Undefined if there is none.
 */
function sharedSet(
  resource: Pick<
    Resource,
    'kind' | 'collectionPath' | 'itemPath' | 'record' | 'identifier' | 'parents' | 'operations'
  >,
  others: OtherResources,
): SharedSet | undefined {
  const { kind, parents, collectionPath, itemPath, record, identifier, operations } = resource;
  if (kind === 'singleton') return undefined;
  const certain = (found: Resource | undefined): SharedSet | undefined =>
    found && { resource: found, sharing: 'certain' };
  const hasSameRecords = (other: Resource): boolean =>
    other.kind === 'collection' && isSameSchema(other.record, record);
  const isSame = (other: Resource): boolean =>
    hasSameRecords(other) && other.identifier.field === identifier.field;
  const flat = others
    .called(singularOf(lastWord(collectionPath)))
    .filter((other) => other.collectionPath !== collectionPath);
  if (parents.length > 0 && parents.every(({ field }) => field !== undefined))
    return certain(flat.find(isSame));
  const isMade = parents.length > 0 || operations.create !== undefined;
  const reader =
    isMade && itemPath === undefined ? flat.find((other) => readsWhat(other, resource)) : undefined;
  if (reader !== undefined) return { resource: reader, sharing: 'assumed' };
  if (parents.length > 0 || operations.create !== undefined) return undefined;
  const above = others.ofCollection(collectionPath.slice(0, collectionPath.lastIndexOf('/')));
  if (above === undefined) return undefined;
  if (itemPath === undefined) return isSame(above) ? certain(above) : undefined;
  const isBySecondKey =
    operations.list === undefined && above.identifier.field !== identifier.field;
  return isBySecondKey && hasSameRecords(above) ? certain(above) : undefined;
}

/**
 * Whether a flat resource reads what a nested one creates or lists: it has item paths and the same
 * records, of which a list may show fewer fields.
 */
function readsWhat(
  flat: Resource,
  { record, identifier, operations }: Pick<Resource, 'record' | 'identifier' | 'operations'>,
): boolean {
  if (flat.itemPath === undefined || flat.operations.read === undefined) return false;
  if (identifier.field === '' || flat.identifier.field !== identifier.field) return false;
  const made = operations.create && recordPlace(operations.create, flat.record)?.schema;
  if ([record, made].some((form) => form !== undefined && isSameSchema(form, flat.record)))
    return true;
  const known = objectMembers(flat.record).properties;
  const names = [...objectMembers(record).properties.keys()];
  const shared = names.filter((name) => known.has(name)).length;
  return shared >= 3 && shared * 10 >= names.length * 8;
}
