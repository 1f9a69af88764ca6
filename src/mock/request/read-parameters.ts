import type { ParameterPlace } from '../../contract/model.ts';
import { decodeParameter } from '../../contract/parameter/decode-parameter.ts';
import { WorkBudget } from '../../contract/schema/work-meter.ts';
import type { HeaderList } from '../../http/message.ts';
import { describeIssues, nameParameter } from '../errors/describe-issue.ts';
import { joinSentences } from '../errors/visible-text.ts';
import { type Fault, type FaultIssue, makeFault } from '../model/fault.ts';
import type {
  ParameterValues,
  ReadParameter,
  RequestParameters,
  RoutedRequest,
} from '../model/request.ts';

/**
 * Reads every parameter that the operation declares; others are ignored. Values and faults are made
 * when they are first asked for.
 */
export function readParameters(
  { plan, target, rawPath }: Pick<RoutedRequest, 'plan' | 'target' | 'rawPath'>,
  headers: HeaderList,
): RequestParameters {
  const wire = { path: rawPath, rawQuery: target.rawQuery, headers };
  return new LazyParameters(
    plan.operation.parameters.map((parameter) => ({
      parameter,
      reading: decodeParameter(parameter, wire),
    })),
  );
}

class LazyParameters implements RequestParameters {
  readonly all: readonly ReadParameter[];
  #values: ParameterValues | undefined;
  /** Null where there is none. */
  #fault: Fault | null | undefined;

  constructor(all: readonly ReadParameter[]) {
    this.all = all;
  }

  get values(): ParameterValues {
    return (this.#values ??= valuesOf(this.all));
  }

  get fault(): Fault | undefined {
    if (this.#fault === undefined) this.#fault = judgeParameters(this.all) ?? null;
    return this.#fault ?? undefined;
  }
}

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
function judgeParameters(parameters: readonly ReadParameter[]): Fault | undefined {
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
