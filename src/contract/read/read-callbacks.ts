import { isJsonObject } from '../../json/value.ts';
import type { Cursor } from './cursor.ts';
import { methods, type Callback, type OutgoingOperation } from '../model.ts';
import { readRequestBody, readResponses } from './read-content.ts';
import { readParameters } from './read-parameters.ts';
import type { SchemaFactory } from '../schema/schema-factory.ts';
import { defined } from '../../json/defined.ts';

/**
 * The callbacks of an operation, in the order of the document (OpenAPI 3.1, section 4.8.18): one
 * for each name, URL and method.
 */
export function readCallbacks(operation: Cursor, schemas: SchemaFactory): Callback[] {
  return operation.entries('callbacks').flatMap(([name, callback]) => {
    const urls = Object.keys(callback.object).filter(
      (key) => !key.startsWith('x-') && key !== '$ref',
    );
    return urls.flatMap((url) => {
      const item = callback.child(url);
      return item === undefined
        ? []
        : readOutgoing(name, item, schemas).map((outgoing) => ({ ...outgoing, url }));
    });
  });
}

/**
 * The webhooks of a document (OpenAPI 3.1, section 4.8.1), and those that a 3.0 document declares
 * as `x-webhooks`.
 */
export function readWebhooks(root: Cursor, schemas: SchemaFactory): OutgoingOperation[] {
  const declared = [...root.entries('webhooks'), ...root.entries('x-webhooks')];
  return declared.flatMap(([name, item]) => readOutgoing(name, item, schemas));
}

function readOutgoing(name: string, item: Cursor, schemas: SchemaFactory): OutgoingOperation[] {
  return methods.flatMap((method) => {
    const cursor = item.child(method.toLowerCase());
    if (cursor === undefined || !isJsonObject(cursor.value)) return [];
    const summary = cursor.string('summary');
    const body = readRequestBody(cursor, schemas);
    return [
      {
        name,
        method,
        ...defined({ summary }),
        parameters: readParameters(item, cursor, schemas),
        ...defined({ requestBody: body }),
        responses: readResponses(cursor, schemas),
        pointer: cursor.pointer,
      },
    ];
  });
}
