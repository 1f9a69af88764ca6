import { isJsonMediaType } from '../../http/media-type.ts';
import { joinPointer } from '../../json/pointer.ts';
import type {
  Contract,
  MediaTypeSpec,
  Operation,
  ResourceOverrides,
  Schema,
  SchemaNode,
} from '../model.ts';
import { bodySchema } from '../model/operation.ts';
import { successResponses } from '../select-response.ts';
import { isAnyObject } from './conventions/envelope-styles.ts';
import { lastParameter, lastWord } from './conventions/path-styles.ts';
import { plainName, singularOf, wordsOf } from './infer-names.ts';
import { changedOperation } from '../calls/changed-operation.ts';
import { groupByCollection, type PathGroup } from './operation-paths.ts';
import { overrideResources, withOperations } from './override-resources.ts';

/**
 * The contract as a mock reads it where answers are left open, such as `schema: {}` of FastAPI for
 * a function without a return type: they show the record that the bodies of requests describe, with
 * an identifier. What answers are validated against stays as the document says. A check does not
 * read a contract so: a service may answer anything there. The same contract if nothing is open.
 */
export function fillOpenAnswers(contract: Contract): Contract {
  const { operations } = contract;
  if (!operations.some(leavesOpen)) return contract;
  const shown = new Map(
    [...groupByCollection(operations).values()].flatMap((group) => shownIn(group)),
  );
  if (shown.size === 0) return contract;
  const filled = operations.map((operation) => {
    const schema = shown.get(operation);
    return schema === undefined ? operation : showing(operation, schema);
  });
  return withOperations(contract, filled);
}

type Shown = readonly [Operation, Schema];

/**
 * The contract with the resources of a configuration. Settings for one say that there are records,
 * also where the document leaves answers open. Throws what `overrideResources` throws.
 */
export function withResources(contract: Contract, overrides: ResourceOverrides): Contract {
  const isSet = Object.values(overrides).some((settings) => settings !== false);
  return overrideResources(isSet ? fillOpenAnswers(contract) : contract, overrides);
}

/** What the open answers of a group show: a list and its records, or one record alone. */
function shownIn(group: PathGroup): Shown[] {
  const { collection, items, collectionPath, paths } = group;
  if (![...collection, ...items].some(leavesOpen)) return [];
  const on = (operations: readonly Operation[], ...methods: readonly string[]): Operation[] =>
    operations.filter((operation) => methods.includes(paths.of(operation).method));
  const makers = on(collection, 'POST');
  const word = lastWord(collectionPath);
  const isMany = items.length > 0 || (makers.length > 0 && singularOf(word) !== word);
  const place = isMany ? items : collection;
  const writers = [...(isMany ? makers : []), ...on(place, 'PUT', 'PATCH')];
  const body = writers
    .map(bodySchema)
    .find((schema) => schema !== undefined && schema.flatten().properties.size > 0);
  if (body === undefined) return [];
  const record = isMany ? identified(body, group) : body;
  const single = [...writers, ...on(place, 'GET')];
  return [
    ...(isMany ? on(collection, 'GET').flatMap((one) => openAs('list', one, listOf(record))) : []),
    ...single.flatMap((one) => openAs('record', one, record)),
  ];
}

function listOf(record: Schema): Schema {
  const pointer = joinPointer(record.pointer, 'x-vouch-list');
  return record.part({ node: { type: 'array', items: record.node }, pointer });
}

function openAs(what: 'list' | 'record', operation: Operation, schema: Schema): Shown[] {
  const content = openContent(operation);
  if (content === undefined) return [];
  const { schema: declared } = content;
  const isFit =
    declared === undefined ||
    saysNothing(declared.node) ||
    (what === 'list' ? isAnyList(declared) : isAnyObject(declared));
  return isFit ? [[operation, schema]] : [];
}

/** The content of an operation's success, if the document leaves open what stands in it. */
function openContent(operation: Operation): MediaTypeSpec | undefined {
  const content = jsonContent(operation);
  if (content === undefined || content.examples.length > 0) return undefined;
  const { schema } = content;
  const isOpen =
    schema === undefined || saysNothing(schema.node) || isAnyList(schema) || isAnyObject(schema);
  return isOpen ? content : undefined;
}

/** Whether a document says that an operation answers with JSON, and not with what. */
function leavesOpen(operation: Operation): boolean {
  const isDeclared = successResponses(operation).some(({ content }) => content.length > 0);
  return isDeclared && openContent(operation) !== undefined;
}

/** The JSON of an operation's success. A GET beside such shows something, if none is documented. */
function jsonContent(operation: Operation): MediaTypeSpec | undefined {
  const responses = successResponses(operation);
  const contents = responses.flatMap(({ content }) => content);
  const [first] = responses;
  if (operation.method === 'GET' && contents.length === 0 && first !== undefined)
    return { mediaType: 'application/json', examples: [], pointer: first.pointer };
  return contents.find(({ mediaType }) => isJsonMediaType(mediaType));
}

const annotations = /^(?:title|description|deprecated|x-.*)$/;

function saysNothing(node: SchemaNode): boolean {
  return typeof node === 'boolean' ? node : Object.keys(node).every((key) => annotations.test(key));
}

function isAnyList(schema: Schema): boolean {
  const { items, types } = schema.flatten();
  if (types.length !== 1 || types[0] !== 'array') return false;
  if (items === undefined || saysNothing(items.node)) return true;
  return isAnyObject(schema.part(schema.follow(items)));
}

/** The record that a body describes, with the identifier that its path names. */
function identified(body: Schema, { itemPath, items }: PathGroup): Schema {
  const { properties, required, pointer } = body.flatten();
  const name = itemPath === undefined ? undefined : lastParameter(itemPath);
  const known = new Set(['id', plainName(name ?? '')]);
  if ([...properties.keys()].some((one) => known.has(plainName(one)))) return body;
  const parameter = items
    .flatMap(({ parameters }) => parameters)
    .find((one) => one.in === 'path' && one.name === name);
  const node: SchemaNode = {
    type: 'object',
    properties: Object.fromEntries([
      [identifierName(name), parameter?.schema.node ?? { type: 'integer' }],
      ...[...properties].map(([one, place]) => [one, place.node] as const),
    ]),
    required: [identifierName(name), ...required],
  };
  return body.part({ node, pointer: joinPointer(pointer, 'x-vouch-record') });
}

/** `item_id` carries the member `id`, `slug` itself. */
function identifierName(parameter = 'id'): string {
  return wordsOf(parameter).at(-1) === 'id' ? 'id' : parameter;
}

/** The operation whose success shows a record or a list of such. */
function showing(operation: Operation, records: Schema): Operation {
  const open = openContent(operation);
  if (open === undefined) return operation;
  const [first] = successResponses(operation);
  const filled = { ...open, records };
  const responses = operation.responses.map((response) => {
    const content = response.content.map((media) => (media === open ? filled : media));
    const isBare = response === first && response.content.length === 0;
    return { ...response, content: isBare ? [filled] : content };
  });
  return changedOperation(operation, { responses });
}
