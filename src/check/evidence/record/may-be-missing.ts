import type { Parameter } from '../../../contract/model.ts';
import { shownValues } from '../../../contract/model/operation.ts';
import { isSuccess } from '../../../http/status.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { roleOf } from '../../model/step.ts';

/**
 * Whether there need not be what a valid request asks for, so that 404 or 410 is an honest answer:
 * a record that somebody else may have removed, one that only the document names, one that the run
 * itself put below another, one that a create only promised with 202, or what may belong to a
 * record and need not, such as an address that nobody gave.
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
 * Whether a value is one of the document's examples: what those name need not be there on this
 * target. Of an enumeration, all are.
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
 * Whether the path names a record of the run's whose create may say 202: it will be there at some
 * time (RFC 9110, section 15.3.3).
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
 * What stands below a record and is neither a list nor made by asking for it, unless the sequence
 * itself put it there.
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
      isSuccess(step.exchange.response?.status ?? 0),
  );
}

/**
 * Whether a body, here or in an earlier step, names another record to stand below than the path
 * does: the record is not found where it was, then.
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
