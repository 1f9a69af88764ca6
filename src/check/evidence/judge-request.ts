import { decodeParameter } from '../../contract/parameter/decode-parameter.ts';
import type { WireParameters } from '../../contract/parameter/parameter-form.ts';
import type { Operation, Parameter } from '../../contract/model.ts';
import { selectMediaType } from '../../contract/select-response.ts';
import { headerValue, type HttpRequest } from '../../http/message.ts';
import { brokenOnWire } from './read-body.ts';

/**
 * Whether a request keeps the contract as it stands on the wire: each parameter read back from its text, the body from its
 * bytes. What was meant to be invalid may have become valid on the way, and the other way round; then nothing is proven.
 */
export function isValidOnWire(operation: Operation, request: HttpRequest, basePath: string): boolean {
  const [path = '', rawQuery = ''] = splitTarget(request.target);
  const values = readPath(operation.path, path.slice(basePath.length));
  if (values === undefined) return false;
  const wire: WireParameters = { path: values, rawQuery, headers: request.headers };
  return operation.parameters.every((parameter) => isValidParameter(parameter, wire)) && isValidBody(operation, request);
}

function splitTarget(target: string): string[] {
  const mark = target.indexOf('?');
  return mark === -1 ? [target] : [target.slice(0, mark), target.slice(mark + 1)];
}

/** The values of a path template, still percent-encoded; undefined where the path is another one. */
function readPath(template: string, path: string): Map<string, string> | undefined {
  const names = [...template.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
  const source = template.split(/\{[^{}]+\}/).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('([^/]*)');
  const match = new RegExp(`^${source}$`).exec(path);
  return match === null ? undefined : new Map(names.map((name, index) => [name, match[index + 1] ?? '']));
}

function isValidParameter(parameter: Parameter, wire: WireParameters): boolean {
  const reading = decodeParameter(parameter, wire);
  if (reading.kind === 'absent') return !parameter.required;
  return reading.kind === 'value' && parameter.schema.validate(reading.value, 'request').length === 0;
}

function isValidBody({ requestBody }: Operation, { body, headers }: HttpRequest): boolean {
  if (requestBody === undefined) return true;
  if (body.length === 0) return !requestBody.required;
  const media = selectMediaType(requestBody.content, headerValue(headers, 'content-type') ?? '');
  if (media === undefined) return false;
  const broken = brokenOnWire(body, headerValue(headers, 'content-type') ?? '', media);
  return broken === 'unread' || broken.length === 0;
}
