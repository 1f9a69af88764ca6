import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonObject } from '../../json/value.ts';
import type { ParameterStyle } from '../model.ts';
import { kept, type SwaggerDocument, type Written } from './swagger-document.ts';
import { defined } from '../../json/defined.ts';

/**
 * A parameter in the form of OpenAPI 3.0, or undefined for one that is part of the body. The
 * parameter itself is its schema.
 */
export function convertParameter(
  source: SwaggerDocument,
  { value, pointer }: Written,
): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const place = value['in'];
  if (place === 'body' || place === 'formData') return undefined;
  const example = value['x-example'];
  return source.at(pointer, {
    ...kept(value, ['name', 'in', 'description', 'required', 'allowEmptyValue']),
    ...layoutOf(value, place === 'query' ? 'form' : 'simple'),
    ...defined({ example }),
    schema: source.at(pointer, value),
  });
}

const styles: Readonly<Record<string, ParameterStyle>> = {
  ssv: 'spaceDelimited',
  tsv: 'tabDelimited',
  pipes: 'pipeDelimited',
};

/**
 * How the items of a list are told apart: `collectionFormat`, by commas where nothing else is said.
 */
export function layoutOf(
  parameter: JsonObject,
  usual: ParameterStyle,
): { readonly style: ParameterStyle; readonly explode: boolean } {
  const format: JsonValue | undefined = parameter['collectionFormat'];
  if (format === 'multi') return { style: usual, explode: true };
  return {
    style: (typeof format === 'string' ? styles[format] : undefined) ?? usual,
    explode: false,
  };
}
