import { isJsonMediaType } from '../../http/media-type.ts';
import { parseJson } from '../../json/parse-json.ts';
import { joinPointer } from '../../json/pointer.ts';
import type { Cursor } from './cursor.ts';
import type {
  Example,
  HeaderSpec,
  Link,
  MediaTypeSpec,
  ParameterStyle,
  RequestBody,
  ResponseSpec,
} from '../model.ts';
import { readEncoding } from './read-encoding.ts';
import type { SchemaFactory } from '../schema/schema-factory.ts';
import { defined } from '../../json/defined.ts';

/**
 * The examples of a parameter, header or media type: `examples` by name, or the one `example`
 * (OpenAPI 3.1, section 4.8.19). What is only shown as it is sent (OpenAPI 3.2, section 4.19) is
 * taken for a media type, whose values are JSON or else text.
 */
export function readExamples(owner: Cursor, mediaType?: string): Example[] {
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
  return owner.entries('content').map(([mediaType, cursor]) => {
    const schema = cursor.raw('schema');
    const itemSchema = cursor.raw('itemSchema');
    const encoding = readEncoding(cursor);
    return {
      mediaType,
      ...(schema === undefined ? {} : { schema: schemas.at(schema) }),
      ...(itemSchema === undefined ? {} : { itemSchema: schemas.at(itemSchema) }),
      ...defined({ encoding }),
      examples: readExamples(cursor, mediaType),
      pointer: cursor.pointer,
    };
  });
}

/** The request body of an operation, or undefined where it declares none. */
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
    return [
      {
        name,
        required: cursor.flag('required'),
        style: headerStyles.find((known) => known === cursor.string('style')) ?? 'simple',
        explode: cursor.flag('explode'),
        ...(content === undefined ? {} : { mediaType: content[0] }),
        schema: schemas.at(schema),
        examples: readExamples(owner),
        pointer: cursor.pointer,
      },
    ];
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
      ...defined({ operationId }),
      parameters: new Map(Object.entries(cursor.child('parameters')?.object ?? {})),
      pointer: joinPointer(cursor.pointer),
    };
  });
}
