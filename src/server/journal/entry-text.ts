import type { HeaderList, HttpRequest } from '../../http/message.ts';

/**
 * What no method, target, or header field that came over the wire can hold (RFC 9110, section 5.5).
 */
const end = '\n';

/** Method, target and header fields of a request as one text. */
export function joinHead({
  method,
  target,
  headers,
}: Pick<HttpRequest, 'method' | 'target' | 'headers'>): string {
  return method + end + target + end + joinFields(headers);
}

/**
 * Header fields as one text. A line end, which an answer of a scenario may hold, becomes a space,
 * as it does when it is sent.
 */
export function joinFields(headers: HeaderList): string {
  let text = '';
  for (const [name, value] of headers)
    text += name + end + (value.includes(end) ? value.replaceAll(end, ' ') : value) + end;
  return text;
}

/** The parts of a text that `joinHead` made. */
export function splitHead(text: string): Pick<HttpRequest, 'method' | 'target' | 'headers'> {
  const [method = '', target = ''] = text.split(end, 2);
  return {
    method,
    target,
    headers: splitFields(text.slice(method.length + target.length + 2 * end.length)),
  };
}

/** The fields of a text that `joinFields` made. */
export function splitFields(text: string): HeaderList {
  const parts = text.split(end);
  return Array.from({ length: Math.floor(parts.length / 2) }, (_, index): [string, string] => [
    parts[2 * index] ?? '',
    parts[2 * index + 1] ?? '',
  ]);
}
