import type { ParameterForm } from './parameter-form.ts';

/**
 * What stands between the items of a list, as it is read: a space, a tab and a pipe must be sent
 * percent-encoded in a URL, and often are not. Only in a query do OpenAPI 3's styles have other
 * delimiters than a comma; Swagger 2.0 has them in paths and headers too.
 */
export function readDelimiter({ style, in: place }: ParameterForm): string | RegExp {
  if (style === 'spaceDelimited')
    return place === 'query' ? /%20|\+/ : place === 'header' ? / +/ : '%20';
  if (style === 'tabDelimited') return place === 'header' ? '\t' : /%09/;
  if (style === 'pipeDelimited') return place === 'header' ? '|' : /\||%7c/i;
  return ',';
}

/** The same as it is written. RFC 3986 allows neither a space nor a pipe in a URL as it stands. */
export function writtenDelimiter({ style, in: place }: ParameterForm): string {
  const isHeader = place === 'header';
  if (style === 'spaceDelimited') return isHeader ? ' ' : '%20';
  if (style === 'tabDelimited') return isHeader ? '\t' : '%09';
  if (style === 'pipeDelimited') return isHeader ? '|' : '%7C';
  return ',';
}
