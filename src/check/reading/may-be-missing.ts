import type { Parameter } from '../../contract/model.ts';
import { shownValues } from '../../contract/model/operation.ts';
import { equalJson } from '../../json/equal-json.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import type { CheckInput } from '../model/knowledge.ts';
import { roleOf, hasSuccess } from '../model/step.ts';

/**
 * Whether a valid request may get 404 or 410: another client may have removed the record, only the
 * document names it, the run itself moved it below another one, its create only promised it with
 * 202, or it is an optional part of a record, such as an address.
 */
export function mayBeMissing(subject: CheckInput): boolean {
  const { arguments: given } = subject.case.request;
  return (
    given.some(
      ({ source, parameter }) =>
        parameter.in === 'path' &&
        (source.kind === 'known' ||
          (source.kind === 'value' && isOnlyShown(parameter, source.value))),
    ) ||
    isPartOfRecord(subject) ||
    contradictsPath(subject) ||
    isPromised(subject)
  );
}

/**
 * Whether a value is one of the document's examples: those records need not exist on this target.
 * The values of an enumeration do.
 */
function isOnlyShown(parameter: Parameter, value: JsonValue): boolean {
  const { node } = parameter.schema.flatten();
  return (
    node.enum === undefined &&
    node.const === undefined &&
    shownValues(parameter).some((shown) => equalJson(shown, value))
  );
}

/**
 * Whether the path names a record of the run whose create may return 202: it will exist later (RFC
 * 9110, section 15.3.3).
 */
function isPromised({ contract, case: { request } }: CheckInput): boolean {
  const made = request.arguments.flatMap(({ source, parameter }) =>
    parameter.in === 'path' && (source.kind === 'own' || source.kind === 'created')
      ? [parameter.name]
      : [],
  );
  return contract.resources.some(
    ({ identifier, operations }) =>
      made.includes(identifier.parameter ?? '') &&
      operations.create?.responses.some(({ status }) => status === '202') === true,
  );
}

/**
 * Something below a record that is neither a list nor created by the request, unless the sequence
 * itself created it.
 */
function isPartOfRecord({ contract, operation, earlier }: CheckInput): boolean {
  const { method, path } = operation;
  const action = roleOf(contract, operation)?.action;
  if (
    !['GET', 'HEAD', 'PATCH', 'DELETE'].includes(method) ||
    !/\}\/[^{}]+$/.test(path) ||
    action === 'list'
  )
    return false;
  return !earlier.some(
    (step) =>
      step.case.operation.path === path &&
      ['PUT', 'POST', 'PATCH'].includes(step.case.operation.method) &&
      hasSuccess(step),
  );
}

/**
 * Whether a body, here or in an earlier step, names another parent than the path: then the record
 * is not found at its old path.
 */
export function contradictsPath({ contract, operation, earlier, sent }: CheckInput): boolean {
  const own = roleOf(contract, operation)?.resource.identifier.parameter;
  const bodies = [...earlier, { sent }].flatMap((step) =>
    isJsonObject(step.sent.body) ? [step.sent.body] : [],
  );
  return operation.parameters.some((parameter) => {
    const asked =
      parameter.in === 'path' && parameter.name !== own ? sent.arguments.get(parameter) : undefined;
    return (
      asked !== undefined &&
      bodies.some(
        (body) =>
          Object.hasOwn(body, parameter.name) && String(body[parameter.name]) !== String(asked),
      )
    );
  });
}
