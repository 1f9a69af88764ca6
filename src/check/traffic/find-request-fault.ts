import { decodeParameter } from '../../contract/parameter/decode-parameter.ts';
import type { WireParameters } from '../../contract/parameter/parameter-form.ts';
import type { Operation, Parameter } from '../../contract/model.ts';
import { selectMediaType } from '../../contract/select-response.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import { headerValue, type HttpRequest } from '../../http/message.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { RequestPart } from '../case.ts';

/** The first rule of the contract that a request breaks. */
export interface RequestFault {
  readonly at: Pointer;
  /** A clause: `limit must be at most 100, but is 500`. */
  readonly rule: string;
  readonly part: RequestPart;
  readonly subject: string;
}

/** What a request breaks, read from the wire; undefined where it keeps the contract. */
export function findRequestFault(operation: Operation, request: HttpRequest, path: ReadonlyMap<string, string>): RequestFault | undefined {
  const mark = request.target.indexOf('?');
  const wire: WireParameters = { path, rawQuery: mark === -1 ? '' : request.target.slice(mark + 1), headers: request.headers };
  for (const parameter of operation.parameters) {
    const rule = brokenBy(parameter, wire);
    if (rule !== undefined) return { at: parameter.pointer, rule: `${parameter.name} ${rule}`, part: parameter.in, subject: parameter.name };
  }
  const rule = brokenBody(operation, request);
  return rule === undefined ? undefined : { at: operation.requestBody?.pointer ?? operation.pointer, rule, part: 'body', subject: 'the body' };
}

function brokenBy(parameter: Parameter, wire: WireParameters): string | undefined {
  const reading = decodeParameter(parameter, wire);
  if (reading.kind === 'absent') return parameter.required ? 'is missing' : undefined;
  if (reading.kind === 'unreadable') return reading.message;
  return parameter.schema.validate(reading.value, 'request')[0]?.message;
}

function brokenBody({ requestBody }: Operation, { body, headers }: HttpRequest): string | undefined {
  if (requestBody === undefined) return undefined;
  if (body.length === 0) return requestBody.required ? 'the body is missing' : undefined;
  const type = headerValue(headers, 'content-type') ?? '';
  const media = selectMediaType(requestBody.content, type);
  if (media === undefined) return requestBody.content.length === 0 ? undefined : `the body is ${type === '' ? 'of no media type' : type}`;
  if (!isJsonMediaType(media.mediaType)) return undefined;
  const reading = parseJson(body);
  if (!reading.ok) return `the body is not JSON: ${reading.problem.message}`;
  const [issue] = media.schema?.validate(reading.value, 'request') ?? [];
  return issue === undefined ? undefined : `${issue.at === '' ? 'the body' : `the value at ${issue.at} of the body`} ${issue.message}`;
}
