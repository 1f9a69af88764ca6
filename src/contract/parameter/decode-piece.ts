import { decodePercent, decodeQueryPercent } from '../../http/percent.ts';
import type { ParameterForm } from './parameter-form.ts';

/**
 * A piece of a parameter as it is meant; undefined where its percent-escapes are broken. In a query
 * `+` is a space; headers are never percent-encoded (OpenAPI 3.1.2, section 4.8.12.2.2).
 */
export function decodePiece(form: ParameterForm, text: string): string | undefined {
  if (form.in === 'header') return text;
  return form.in === 'query' ? decodeQueryPercent(text) : decodePercent(text);
}
