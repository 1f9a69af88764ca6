import type { Parameter, ParameterPlace } from '../../contract/model.ts';
import { WorkBudget } from '../../contract/schema/work-meter.ts';
import { decodeParameter } from '../../contract/parameter/decode-parameter.ts';
import type { ParameterReading } from '../../contract/parameter/parameter-form.ts';
import type { HttpRequest } from '../../http/message.ts';
import type { JsonValue } from '../../json/value.ts';
import { describeIssues, nameParameter } from '../errors/describe-issue.ts';
import { makeFault, type Fault, type FaultIssue } from '../errors/fault.ts';
import { joinSentences } from '../errors/visible-text.ts';
import type { Arrival } from '../arrival/find-operation.ts';

/** A parameter of the operation, and what the request holds of it. */
export interface ReadParameter {
  readonly parameter: Parameter;
  readonly reading: ParameterReading;
}

/** Reads every parameter that the operation declares; others are ignored. Judges nothing. */
export function readParameters(
  { plan, target, rawPath }: Arrival,
  { headers }: HttpRequest,
): ReadParameter[] {
  const wire = { path: rawPath, rawQuery: target.rawQuery, headers };
  return plan.operation.parameters.map((parameter) => ({
    parameter,
    reading: decodeParameter(parameter, wire),
  }));
}

/** Values of parameters by place and name: `query limit`. */
export type ParameterValues = ReadonlyMap<string, JsonValue>;

/** The key of a parameter among the values. */
export function parameterKey({
  in: place,
  name,
}: {
  readonly in: ParameterPlace;
  readonly name: string;
}): string {
  return `${place} ${name}`;
}

/** The values that are there and can be read, whether they keep their schema or not. */
export function valuesOf(parameters: readonly ReadParameter[]): ParameterValues {
  return new Map(
    parameters.flatMap(({ parameter, reading }) =>
      reading.kind === 'value' ? [[parameterKey(parameter), reading.value] as const] : [],
    ),
  );
}

/**
 * Why parameters are refused, all of them at once; a path that cannot exist comes before the rest.
 * Undefined where none is.
 */
export function judgeParameters(parameters: readonly ReadParameter[]): Fault | undefined {
  const budget = new WorkBudget();
  const issues = parameters.flatMap((read) => judgeParameter(read, budget));
  if (issues.length === 0) return undefined;
  const inPath = issues.filter(({ place }) => place === 'path');
  const told = inPath.length > 0 ? inPath : issues;
  const code = told.every(({ rule }) => rule === 'required')
    ? 'missing_parameter'
    : 'invalid_value';
  return makeFault(
    inPath.length > 0 ? 'path-value' : 'parameter-value',
    code,
    joinSentences(told.map(({ message }) => message)),
    { issues: told },
  );
}

function judgeParameter({ parameter, reading }: ReadParameter, budget: WorkBudget): FaultIssue[] {
  const place = { place: parameter.in, name: parameter.name };
  if (reading.kind === 'absent') {
    return parameter.required
      ? [{ ...place, rule: 'required', message: `${nameParameter(place)} is required.` }]
      : [];
  }
  if (reading.kind === 'unreadable')
    return [{ ...place, rule: 'type', message: `${nameParameter(place)} ${reading.message}.` }];
  return [
    ...describeIssues(
      parameter.schema.validate(reading.value, 'request', budget),
      reading.value,
      place,
    ).told,
  ];
}
