import { isJsonMediaType, parseMediaType } from '../http/media-type.ts';
import {
  headerValue,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
} from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import { parseJson } from '../json/parse-json.ts';

/** A request in the form that Prism's core takes, but for the type of its method. */
export interface PrismInput {
  readonly method: string;
  readonly url: {
    readonly path: string;
    readonly query: Record<string, string | string[]>;
    readonly baseUrl?: string;
  };
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

/**
 * Reads a request for Prism, or says why Prism is not asked: a body that cannot be read. The target
 * starts with a slash.
 */
export function readInput(request: HttpRequest): PrismInput | HttpResponse {
  const { pathname, searchParams } = new URL(`http://prism.invalid${request.target}`);
  const body = readBody(request);
  if ('refusal' in body) return body.refusal;
  const baseUrl = searchParams.get('__server');
  return {
    method: request.method.toLowerCase(),
    url: { path: pathname, query: readQuery(searchParams), ...(baseUrl !== null && { baseUrl }) },
    headers: readHeaders(request.headers),
    body: body.value,
  };
}

/** A repeated parameter becomes an array, as in Prism's own server. */
function readQuery(query: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

function readHeaders(headers: HeaderList): Record<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    const earlier = joined.get(name.toLowerCase());
    joined.set(name.toLowerCase(), earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return Object.fromEntries(joined);
}

type ReadBody = { readonly value: unknown } | { readonly refusal: HttpResponse };

function readBody({ headers, body }: HttpRequest): ReadBody {
  const mediaType = headerValue(headers, 'content-type');
  const encoding = headerValue(headers, 'content-encoding') ?? 'identity';
  if (body.length === 0) return { value: null };
  if (encoding.toLowerCase() !== 'identity') {
    return refuse(415, `This server reads bodies as they are, not as ${encoding}.`);
  }
  if (mediaType !== undefined && parseMediaType(mediaType) === undefined) {
    return refuse(415, `The Content-Type "${mediaType}" is not a media type.`);
  }
  return mediaType !== undefined && isJsonMediaType(mediaType)
    ? readJson(body)
    : { value: new TextDecoder().decode(body) };
}

/**
 * Refuses what the mock refuses too: names given twice, deep nesting (which overflows Prism's
 * stack), broken UTF-8.
 */
function readJson(body: Uint8Array): ReadBody {
  const reading = parseJson(body);
  if (!reading.ok)
    return refuse(400, `The body is not JSON that can be read: ${reading.problem.message}.`);
  // Parsed again, because Prism cannot take the bigints of an exact reading.
  const value: unknown = JSON.parse(new TextDecoder().decode(body));
  return { value };
}

function refuse(status: number, detail: string): ReadBody {
  return { refusal: problemResponse(status, detail) };
}
