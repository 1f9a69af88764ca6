/** Conforming ways to write a response that every service may have. */
export const manners = {
  gzip: 'bodies are compressed where the client accepts gzip',
  chunked: 'bodies come in chunks, without Content-Length',
  slow: 'every response takes 50 ms more',
  'header-names-lower': 'names of headers are in lower case',
  'header-names-upper': 'names of headers are in upper case',
  'keys-reversed': 'the members of objects come in another order',
  pretty: 'JSON is indented',
  escaped: 'JSON has letters beyond ASCII as \\u escapes',
  'integers-with-fraction': 'whole numbers are written as 3.0',
  'extra-headers': 'each response has headers of a proxy, and a cookie',
  'closes-connections': 'the connection closes after each response',
  'early-hints': 'a 103 precedes each response',
  charset: 'JSON has a charset parameter, in capitals and quotes',
  'type-in-capitals': 'the media type of JSON is written Application/JSON',
  'more-fields': 'objects have fields that the document does not name',
} as const;

export type Manner = keyof typeof manners;

/** Whether the service writes in this manner. */
export type IsWritten = (manner: Manner) => boolean;

interface RawJson {
  rawJSON(text: string): unknown;
}

/** JSON text of a value; bigints are numbers with all their digits. */
export function writeJson(value: unknown, isWritten: IsWritten): string {
  const raw = JSON as unknown as RawJson;
  const replace = (_key: string, part: unknown): unknown => {
    if (typeof part === 'bigint') return raw.rawJSON(String(part));
    if (isWritten('integers-with-fraction') && Number.isInteger(part))
      return raw.rawJSON(`${String(part)}.0`);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    if ('rawJSON' in part) return part;
    return isWritten('keys-reversed') ? Object.fromEntries(Object.entries(part).reverse()) : part;
  };
  const whole = isWritten('more-fields') ? markOnce(value) : value;
  const text = JSON.stringify(whole, replace, isWritten('pretty') ? 2 : undefined);
  if (!isWritten('escaped')) return text;
  return text.replaceAll(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The value with one more field in each of its objects. */
function markOnce(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(markOnce);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, markOnce(part)]);
  return Object.fromEntries([...entries, ['revision', 'r7']]);
}
