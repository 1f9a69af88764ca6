import { stringifyJson } from '../../json/stringify-json.ts';
import { mediaOf, type Case } from '../model/case.ts';

/**
 * Everything in a request that breaks its contract, one word for each: what is made simpler has to
 * break the same rules and no other, so that an invalid request stays invalid for that one reason
 * and a valid one stays valid.
 */
export function faultsOf(tried: Case): string {
  return [...parameterFaults(tried), ...bodyFaults(tried)].sort().join('\n');
}

function parameterFaults({ operation, request }: Case): string[] {
  const given = new Set(request.arguments.map(({ parameter }) => parameter));
  const missing = operation.parameters
    .filter((parameter) => parameter.required && !given.has(parameter))
    .map(({ name }) => `${name} is missing`);
  const broken = request.arguments.flatMap(({ parameter, source }) => {
    if (source.kind === 'text' || source.kind === 'raw')
      return [`${parameter.name} is ${source.text}`];
    if (source.kind !== 'value') return [];
    return parameter.schema
      .validate(source.value, 'request')
      .map(({ pointer }) => `${parameter.name} breaks ${pointer}`);
  });
  return [...missing, ...broken];
}

function bodyFaults(tried: Case): string[] {
  const { body } = tried.request;
  if (body === undefined) return tried.operation.requestBody?.required === true ? ['no body'] : [];
  if (body.kind === 'bytes')
    return [`bytes ${body.mediaType ?? ''} ${Buffer.from(body.bytes).toString('base64')}`];
  const schema = mediaOf(tried)?.schema;
  if (schema === undefined) return [`body ${stringifyJson(body.value)}`];
  return schema
    .validate(body.value, 'request')
    .map(({ pointer, property }) => `body breaks ${pointer} ${property ?? ''}`);
}
