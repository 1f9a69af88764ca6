import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { convertBody, convertForm } from './convert-body.ts';
import { convertParameter } from './convert-parameter.ts';
import { convertResponses } from './convert-responses.ts';
import { kept, textsOf, type SwaggerDocument, type Written } from './swagger-document.ts';
import { defined } from '../../json/defined.ts';

/** An operation of Swagger 2.0 and the path item that it belongs to. */
export interface OperationPlace {
  readonly item: JsonObject;
  readonly itemPointer: Pointer;
  readonly operation: JsonObject;
  readonly pointer: Pointer;
}

/**
 * An operation in the form of OpenAPI 3.0: the parameters of its path item are its own, body and
 * form fields its request body.
 */
export function convertOperation(source: SwaggerDocument, place: OperationPlace): JsonObject {
  const { operation, pointer } = place;
  const parameters = gatherParameters(source, place);
  const consumes = mediaTypes(operation['consumes'], source.document['consumes']);
  const produces = mediaTypes(operation['produces'], source.document['produces']);
  const body = parameters.find(({ value }) => isIn(value, 'body'));
  const fields = parameters.filter(({ value }) => isIn(value, 'formData'));
  const request =
    body === undefined
      ? convertForm(source, fields, { consumes, pointer })
      : convertBody(source, body, consumes);
  return source.at(pointer, {
    ...kept(operation, [
      'operationId',
      'tags',
      'summary',
      'description',
      'deprecated',
      'security',
      'externalDocs',
    ]),
    parameters: parameters.flatMap((parameter) => convertParameter(source, parameter) ?? []),
    ...defined({ requestBody: request }),
    responses: convertResponses(
      source,
      { value: operation['responses'] ?? {}, pointer: joinPointer(pointer, 'responses') },
      produces,
    ),
  });
}

/** The parameters of the operation, and those of its path item that it does not override. */
function gatherParameters(
  source: SwaggerDocument,
  { item, itemPointer, operation, pointer }: OperationPlace,
): Written[] {
  const byKey = new Map<string, Written>();
  for (const [owner, at] of [
    [item, itemPointer],
    [operation, pointer],
  ] as const) {
    const written = owner['parameters'];
    if (!Array.isArray(written)) continue;
    for (const [index, value] of written.entries()) {
      // `Array.isArray` makes the items of a JSON array unknown.
      const parameter = source.follow(value as JsonValue, joinPointer(at, 'parameters', index));
      if (!isJsonObject(parameter.value)) continue;
      const place = String(parameter.value['in']);
      // There is one body, whatever it is called.
      byKey.set(
        place === 'body' ? place : `${place} ${String(parameter.value['name'])}`,
        parameter,
      );
    }
  }
  return [...byKey.values()];
}

function isIn(value: JsonValue, place: string): boolean {
  return isJsonObject(value) && value['in'] === place;
}

/** An operation's own list counts even where it is empty. */
function mediaTypes(own: JsonValue | undefined, shared: JsonValue | undefined): readonly string[] {
  return textsOf(own === undefined ? shared : own) ?? [];
}
