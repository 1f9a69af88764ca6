import { joinPointer } from '../json/pointer.ts';
import type { Cursor } from './cursor.ts';
import type { Example, HeaderSpec, Link, MediaTypeSpec, RequestBody, ResponseSpec } from './model.ts';
import type { SchemaFactory } from './schema.ts';

/** The examples of a parameter, header or media type: `examples` by name, or the one `example` (OpenAPI 3.1, section 4.8.19). */
export function readExamples(owner: Cursor): Example[] {
  const single = owner.raw('example');
  const named = owner.entries('examples').flatMap(([name, cursor]) => {
    const value = cursor.raw('value') ?? cursor.raw('dataValue');
    return value === undefined ? [] : [{ name, value: value.value, pointer: value.pointer }];
  });
  return single === undefined ? named : [{ name: 'example', value: single.value, pointer: single.pointer }, ...named];
}

/** The entries of a `content` map, in the order of the document. */
export function readContent(owner: Cursor, schemas: SchemaFactory): MediaTypeSpec[] {
  return owner.entries('content').map(([mediaType, cursor]) => {
    const schema = cursor.raw('schema');
    return {
      mediaType,
      ...(schema === undefined ? {} : { schema: schemas.at(schema) }),
      examples: readExamples(cursor),
      pointer: cursor.pointer,
    };
  });
}

/** The request body of an operation, or undefined where it declares none. */
export function readRequestBody(operation: Cursor, schemas: SchemaFactory): RequestBody | undefined {
  const body = operation.child('requestBody');
  return body && { required: body.flag('required'), content: readContent(body, schemas), pointer: body.pointer };
}

/** The responses of an operation, in the order of the document; status ranges are written in upper case. */
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

/** `Content-Type` is described by `content`, so a header of that name is ignored (OpenAPI 3.1, section 4.8.17). */
function readHeaders(response: Cursor, schemas: SchemaFactory): HeaderSpec[] {
  const declared = response.entries('headers').filter(([name]) => name.toLowerCase() !== 'content-type');
  return declared.flatMap(([name, cursor]) => {
    const schema = cursor.raw('schema') ?? cursor.entries('content')[0]?.[1].raw('schema');
    if (schema === undefined) return [];
    return [{ name, required: cursor.flag('required'), explode: cursor.flag('explode'), schema: schemas.at(schema), examples: readExamples(cursor), pointer: cursor.pointer }];
  });
}

function readLinks(response: Cursor): Link[] {
  return response.entries('links').map(([name, cursor]) => {
    const operationId = cursor.string('operationId');
    return {
      name,
      ...(operationId === undefined ? {} : { operationId }),
      parameters: new Map(Object.entries(cursor.child('parameters')?.object ?? {})),
      pointer: joinPointer(cursor.pointer),
    };
  });
}
