import type { HeaderSpec } from '../model.ts';
import type { ParameterForm } from './parameter-form.ts';
import { defined } from '../../json/defined.ts';

/**
 * What it takes to read or write a header of a response: it is written as a parameter in a header
 * is (OpenAPI 3.1, section 4.8.21).
 */
export function headerForm({ name, style, explode, schema, mediaType }: HeaderSpec): ParameterForm {
  return {
    name,
    in: 'header',
    style,
    explode,
    allowReserved: false,
    allowEmptyValue: false,
    schema,
    ...defined({ mediaType }),
  };
}
