import { plainForm } from '../parameter/parameter-form.ts';
import { wordsIn } from '../../words-in.ts';
import { isJsonMediaType, matchesMediaRange, parseMediaType } from '../../http/media-type.ts';
import { parseJson } from '../../json/parse-json.ts';
import { joinPointer } from '../../json/pointer.ts';
import { plainName } from '../infer/infer-names.ts';
import type {
  Example,
  HeaderSpec,
  Link,
  MediaTypeSpec,
  MemberEncoding,
  Parameter,
  ParameterPlace,
  ParameterStyle,
  RequestBody,
  ResponseSpec,
  Schema,
} from '../model.ts';
import { readTemplate } from '../path-template.ts';
import { factsKeyword, readStatedFacts } from '../words/stated-facts.ts';
import type { SchemaFactory } from '../schema/schema-factory.ts';
import { Cursor } from './cursor.ts';
import { spreadObject } from './spread-object.ts';

/**
 * The examples of a parameter, header or media type: `examples` by name, or the one `example`
 * (OpenAPI 3.1, section 4.8.19). An example that is only given in serialised form (OpenAPI 3.2,
 * section 4.19) is used for a media type, whose values are JSON or text.
 */
function readExamples(owner: Cursor, mediaType?: string): Example[] {
  const single = owner.raw('example');
  const named = owner.entries('examples').flatMap(([name, cursor]) => {
    const value =
      cursor.raw('dataValue') ?? cursor.raw('value') ?? readSerialized(cursor, mediaType);
    return value === undefined ? [] : [{ name, value: value.value, pointer: value.pointer }];
  });
  return single === undefined
    ? named
    : [{ name: 'example', value: single.value, pointer: single.pointer }, ...named];
}

function readSerialized(
  example: Cursor,
  mediaType: string | undefined,
): Pick<Cursor, 'value' | 'pointer'> | undefined {
  const written = example.raw('serializedValue');
  if (written === undefined || typeof written.value !== 'string' || mediaType === undefined)
    return undefined;
  if (!isJsonMediaType(mediaType)) return written;
  const reading = parseJson(written.value);
  return reading.ok ? { value: reading.value, pointer: written.pointer } : undefined;
}

/** The entries of a `content` map, in the order of the document. */
function readContent(owner: Cursor, schemas: SchemaFactory): MediaTypeSpec[] {
  const entries = owner.entries('content');
  const names = entries.map(([name]) => name);
  return entries.map(([name, cursor]) => {
    const written = cursor.raw('schema');
    const schema = written && schemas.at(written);
    const itemSchema = cursor.raw('itemSchema');
    const encoding = readEncoding(cursor);
    const isJson = isJsonRange(name) && !names.some(isJsonMediaType) && isStructured(schema);
    const mediaType = isJson ? 'application/json' : name;
    return {
      mediaType,
      ...(isJson ? { range: name } : {}),
      schema,
      itemSchema: itemSchema && schemas.at(itemSchema),
      encoding,
      examples: readExamples(cursor, mediaType),
      pointer: cursor.pointer,
    };
  });
}

/** Whether JSON is in a range of media types (OpenAPI 3.0.3, section 4.7.14). */
function isJsonRange(mediaType: string): boolean {
  return mediaType.endsWith('/*') && matchesMediaRange('application/json', mediaType);
}

/** Whether values of a schema are objects, lists or numbers, and none a text or a file. */
function isStructured(schema: Schema | undefined): boolean {
  const types = schema?.flatten().types ?? [];
  return types.some((type) => type !== 'null') && types.every((type) => structuredTypes.has(type));
}

const structuredTypes: ReadonlySet<string> = new Set([
  'object',
  'array',
  'integer',
  'number',
  'boolean',
  'null',
]);

/** The request body of an operation, or undefined if it declares none. */
export function readRequestBody(
  operation: Cursor,
  schemas: SchemaFactory,
): RequestBody | undefined {
  const body = operation.child('requestBody');
  return (
    body && {
      required: body.flag('required'),
      content: readContent(body, schemas),
      pointer: body.pointer,
    }
  );
}

/**
 * The responses of an operation, in the order of the document; status ranges are written in upper
 * case.
 */
export function readResponses(operation: Cursor, schemas: SchemaFactory): ResponseSpec[] {
  const declared = operation.entries('responses').filter(([status]) => !status.startsWith('x-'));
  return declared.map(([status, cursor]) => ({
    status: status === 'default' ? status : status.toUpperCase(),
    description: cursor.string('description') ?? '',
    headers: readHeaders(cursor, schemas),
    content: readContent(cursor, schemas),
    links: readLinks(cursor),
    pointer: cursor.pointer,
  }));
}

/**
 * `Content-Type` is described by `content`, so a header of that name is ignored (OpenAPI 3.1,
 * section 4.8.17).
 */
function readHeaders(response: Cursor, schemas: SchemaFactory): HeaderSpec[] {
  const declared = response
    .entries('headers')
    .filter(([name]) => name.toLowerCase() !== 'content-type');
  return declared.flatMap(([name, cursor]) => {
    const [content] = cursor.entries('content');
    const owner = content?.[1] ?? cursor;
    const schema = owner.raw('schema');
    if (schema === undefined) return [];
    return {
      name,
      required: cursor.flag('required'),
      style: headerStyles.find((known) => known === cursor.string('style')) ?? 'simple',
      explode: cursor.flag('explode'),
      mediaType: content?.[0],
      description: cursor.string('description'),
      schema: schemas.at(schema),
      examples: readExamples(owner),
      pointer: cursor.pointer,
    };
  });
}

const headerStyles: readonly ParameterStyle[] = [
  'simple',
  'spaceDelimited',
  'pipeDelimited',
  'tabDelimited',
];

function readLinks(response: Cursor): Link[] {
  return response.entries('links').map(([name, cursor]) => {
    const operationId = cursor.string('operationId');
    return {
      name,
      operationId,
      parameters: new Map(Object.entries(cursor.child('parameters')?.object ?? {})),
      pointer: joinPointer(cursor.pointer),
    };
  });
}

/**
 * The styles that a member of a form may have: those of a query (OpenAPI 3.1, section 4.8.12.2).
 */
const memberStyles: readonly ParameterStyle[] = [
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'tabDelimited',
  'deepObject',
];

/**
 * The `encoding` map of a media type (OpenAPI 3.1, section 4.8.15), or undefined if it has none.
 */
function readEncoding(mediaType: Cursor): ReadonlyMap<string, MemberEncoding> | undefined {
  const entries = mediaType.entries('encoding');
  return entries.length === 0
    ? undefined
    : new Map(entries.map(([name, cursor]) => [name, readMember(cursor)]));
}

function readMember(cursor: Cursor): MemberEncoding {
  const contentType = cursor.string('contentType');
  const style = memberStyles.find((known) => known === cursor.string('style'));
  return { contentType, style, explode: cursor.raw('explode') && cursor.flag('explode') };
}

const places: readonly ParameterPlace[] = ['path', 'query', 'header', 'cookie'];
const parameterStyles: readonly ParameterStyle[] = wordsIn(
  'form simple label matrix spaceDelimited pipeDelimited tabDelimited deepObject',
);
const defaultStyles: Readonly<Record<ParameterPlace, ParameterStyle>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};

/**
 * Headers that OpenAPI describes elsewhere; parameters of these names are ignored (OpenAPI 3.1,
 * section 4.8.12.1).
 */
const describedElsewhere = new Set(['accept', 'content-type', 'authorization']);

/** The place of an operation; without a path for one that the service sends. */
interface ParameterOwner {
  readonly path?: string;
  readonly item: Cursor;
  readonly cursor: Cursor;
}

/**
 * The parameters of an operation: its own, and those of its path item that it does not override. An
 * undeclared name in the path is a text parameter; a declared path parameter whose name is not in
 * the path is left out (OpenAPI 3.1, section 4.8.12).
 */
export function readParameters(
  { path, item, cursor: operation }: ParameterOwner,
  schemas: SchemaFactory,
): Parameter[] {
  const byKey = new Map<string, Parameter>();
  for (const cursor of [...item.items('parameters'), ...operation.items('parameters')]) {
    const parameter = readParameter(cursor, schemas);
    if (parameter !== undefined) byKey.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  const declared = [...byKey.values()].flatMap((parameter) =>
    spreadObject(parameter).filter((own) => own === parameter || !byKey.has(`query ${own.name}`)),
  );
  return path === undefined ? declared : fitPath(declared, path, operation, schemas);
}

function fitPath(
  declared: Parameter[],
  path: string,
  operation: Cursor,
  schemas: SchemaFactory,
): Parameter[] {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const isNamed = ({ in: location, name }: Parameter): boolean =>
    location !== 'path' || names.includes(name);
  const open = namesInSegments(path).filter(
    (name) => !declared.some((parameter) => parameter.in === 'path' && parameter.name === name),
  );
  if (open.length === 0 && declared.every(isNamed)) return declared;
  const unnamed = declared.filter((parameter) => !isNamed(parameter));
  const added = open.map((name) => {
    const meant = unnamed.find((parameter) => plainName(parameter.name) === plainName(name));
    return meant === undefined ? undeclared(name, operation, schemas) : { ...meant, name };
  });
  return [...declared.filter(isNamed), ...added];
}

/** The names in a path, without those in a query after it. */
function namesInSegments(path: string): string[] {
  return readTemplate(path).segments.flatMap((segment) =>
    [...segment.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name),
  );
}

function undeclared(name: string, operation: Cursor, schemas: SchemaFactory): Parameter {
  const pointer = joinPointer(operation.pointer, 'parameters', `{${name}}`);
  const form = plainForm(name, 'path', schemas.at({ value: { type: 'string' }, pointer }));
  return { ...form, required: true, deprecated: false, examples: [], pointer: operation.pointer };
}

function readParameter(cursor: Cursor, schemas: SchemaFactory): Parameter | undefined {
  const name = cursor.string('name');
  const wholeQuery = cursor.string('in') === 'querystring';
  const location = wholeQuery ? 'query' : places.find((known) => known === cursor.string('in'));
  if (name === undefined || location === undefined) return undefined;
  if (location === 'header' && describedElsewhere.has(name.toLowerCase())) return undefined;
  const [content] = cursor.entries('content');
  const style =
    parameterStyles.find((known) => known === cursor.string('style')) ?? defaultStyles[location];
  const owner = content?.[1] ?? cursor;
  return {
    name,
    in: location,
    required: location === 'path' || cursor.flag('required'),
    deprecated: cursor.flag('deprecated'),
    style,
    explode: cursor.raw('explode') === undefined ? style === 'form' : cursor.flag('explode'),
    allowReserved: cursor.flag('allowReserved'),
    allowEmptyValue: cursor.flag('allowEmptyValue'),
    // A parameter without a schema accepts any value.
    schema: schemas.at(owner.raw('schema') ?? new Cursor(cursor.tree, true, cursor.pointer)),
    ...(wholeQuery ? { wholeQuery } : {}),
    ...(content === undefined || isForm(wholeQuery, content[0]) ? {} : { mediaType: content[0] }),
    examples: readExamples(owner),
    description: cursor.string('description'),
    facts: readStatedFacts(cursor.object[factsKeyword]),
    pointer: cursor.pointer,
  };
}

/**
 * A whole query that is a form (OpenAPI 3.2, section 4.12.2) is equivalent to an exploded object of
 * the style `form`: names and values.
 */
function isForm(wholeQuery: boolean, mediaType: string): boolean {
  return wholeQuery && parseMediaType(mediaType)?.essence === 'application/x-www-form-urlencoded';
}
