import type { Operation, Parameter, SchemaIssue } from '../../contract/model.ts';
import { isNeeded } from '../../contract/model/operation.ts';
import { decodeParameter } from '../../contract/parameter/decode-parameter.ts';
import type { WireParameters } from '../../contract/parameter/parameter-form.ts';
import { selectMediaType } from '../../contract/select-response.ts';
import { headerValue, type HttpRequest } from '../../http/message.ts';
import { splitTarget } from '../../http/target.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import type { RequestPart } from '../model/case.ts';
import type { Sent } from '../model/step.ts';
import { decodeContent } from './decode-content.ts';
import { readBody, readPath } from './read-body.ts';

/** The first rule of the contract that a request violates. */
export interface RequestFault {
  readonly at: Pointer;
  /** A clause: `limit must be at most 100, but is 500`. */
  readonly rule: string;
  readonly part: RequestPart;
  readonly subject: string;
}

/**
 * Whether a request conforms to the contract as it is sent, below the path of its base URL. An
 * invalid value may become valid when it is encoded, and the other way round; then the response
 * proves nothing.
 */
export function isValidOnWire(
  operation: Operation,
  request: HttpRequest,
  basePath: string,
): boolean {
  const path = readPath(operation.path, splitTarget(request.target).path.slice(basePath.length));
  return path !== undefined && findRequestFault(operation, request, path) === undefined;
}

/**
 * The violation of a request: each parameter is read back from its text, the body from its bytes.
 * Undefined if the request conforms.
 */
export function findRequestFault(
  operation: Operation,
  request: HttpRequest,
  path: ReadonlyMap<string, string>,
): RequestFault | undefined {
  const wire: WireParameters = {
    path,
    rawQuery: splitTarget(request.target).rawQuery,
    headers: request.headers,
  };
  for (const parameter of operation.parameters) {
    const rule = brokenParameter(parameter, wire);
    if (rule !== undefined)
      return {
        at: parameter.pointer,
        rule: `${parameter.name} ${rule}`,
        part: parameter.in,
        subject: parameter.name,
      };
  }
  const rule = brokenBody(operation, request);
  return rule === undefined
    ? undefined
    : {
        at: operation.requestBody?.pointer ?? operation.pointer,
        rule,
        part: 'body',
        subject: 'the body',
      };
}

function brokenParameter(parameter: Parameter, wire: WireParameters): string | undefined {
  const reading = decodeParameter(parameter, wire);
  if (reading.kind === 'absent') return isNeeded(parameter) ? 'is missing' : undefined;
  if (reading.kind === 'unreadable') return reading.message;
  return judged(parameter.schema.validate(reading.value, 'request'))[0]?.message;
}

/** A value that is too expensive to validate counts as valid. */
function judged(issues: readonly SchemaIssue[]): readonly SchemaIssue[] {
  return issues.filter(({ unjudged }) => unjudged !== true);
}

function brokenBody(
  { requestBody }: Operation,
  { body, headers }: HttpRequest,
): string | undefined {
  if (requestBody === undefined) return undefined;
  if (body.length === 0) return requestBody.required ? 'the body is missing' : undefined;
  const type = headerValue(headers, 'content-type') ?? '';
  const media = selectMediaType(requestBody.content, type);
  if (media === undefined)
    return requestBody.content.length === 0
      ? undefined
      : `the body is ${type === '' ? 'of no media type' : type}`;
  const plain = decodeContent({ headers, body });
  if (!plain.ok) return 'the body is not in its Content-Encoding';
  const reading = readBody(plain.bytes, type, media);
  if (reading.kind === 'broken') return `the body ${reading.reason}`;
  const [issue] =
    reading.kind === 'value' ? judged(media.schema?.validate(reading.value, 'request') ?? []) : [];
  return (
    issue &&
    `${issue.at === '' ? 'the body' : `the value at ${issue.at} of the body`} ${issue.message}`
  );
}

/** The value of a parameter in a request; undefined if the request does not have it. */
export function argumentNamed(
  { arguments: given }: Sent,
  name: string | undefined,
): JsonValue | undefined {
  for (const parameter of given.keys()) if (parameter.name === name) return given.get(parameter);
  return undefined;
}
