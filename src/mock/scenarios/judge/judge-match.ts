import type { Operation, Parameter } from '../../../contract/model.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import type { JsonValue } from '../../../json/value.ts';
import { suggestWord } from '../../../nearest-word.ts';
import { describeIssue } from '../../errors/describe-issue.ts';
import { holds } from '../condition.ts';
import { judgeBodyMatch } from './judge-body-match.ts';
import { concernsParameter } from '../match-rule.ts';
import { faultAt, judgeEach, type Concerned, type ScenarioFault } from '../scenario-fault.ts';
import type { Condition, ParameterCondition, ScenarioMatch } from '../scenario.ts';

/** What in a match no request of the contract could ever keep. */
export function judgeMatch(
  match: ScenarioMatch | undefined,
  concerned: Concerned,
  pointer: Pointer,
): readonly ScenarioFault[] {
  if (match === undefined) return [];
  return [
    ...match.parameters.flatMap((wanted) => judgeParameter(wanted, concerned, pointer)),
    ...Object.entries(match.headers).flatMap(([name, condition]) =>
      judgeHeader({ name, condition }, concerned, pointer),
    ),
    ...judgeBodyMatch(match, concerned, pointer),
  ];
}

function judgeParameter(
  wanted: ParameterCondition,
  concerned: Concerned,
  pointer: Pointer,
): readonly ScenarioFault[] {
  const path = [wanted.group, wanted.name];
  // Who asks that a parameter is absent is right for an operation that does not have it, but not
  // for none that has it.
  const mayLack = { ...concerned, named: concerned.named && wanted.condition.kind !== 'absent' };
  return judgeEach(mayLack, (operation) => {
    const declared = operation.parameters.filter((parameter) =>
      concernsParameter(wanted, parameter),
    );
    if (declared.length === 0) return [faultAt(pointer, path, unknownParameter(wanted, operation))];
    const complaints = declared.map((parameter) => judgeCondition(wanted.condition, parameter));
    return complaints.includes(undefined)
      ? []
      : [
          faultAt(pointer, path, {
            message: `${complaints[0] ?? ''}, so that it would never match.`,
            hint: outOfContract,
          }),
        ];
  });
}

const outOfContract =
  'Write a value that the contract allows. To answer requests that break the contract, use pattern.';

function unknownParameter(
  { group, name }: ParameterCondition,
  { id, parameters }: Operation,
): Omit<ScenarioFault, 'pointer'> {
  const known = parameters
    .filter((parameter) => concernsParameter({ group, name: parameter.name }, parameter))
    .map((parameter) => parameter.name);
  const place = { parameters: '', path: 'path ', query: 'query ', cookies: 'cookie ' }[group];
  return {
    message: `${id} has no ${place}parameter ${name}, so that it would never match.`,
    hint: suggestWord(name, known),
  };
}

/** Why no valid value of a parameter is what a condition wants; undefined where one may be. */
function judgeCondition(condition: Condition, parameter: Parameter): string | undefined {
  const name = `\`${parameter.name}\` in the ${parameter.in}`;
  if (condition.kind === 'absent')
    return parameter.in === 'path' ? `${name} is in every request` : undefined;
  if (condition.kind === 'equal') return judgeValues(condition.values, parameter, name);
  const choices = parameter.schema.flatten().node.enum;
  if (
    condition.kind !== 'pattern' ||
    choices === undefined ||
    choices.some((choice) => holds(condition, choice))
  )
    return undefined;
  return `No value of ${name} matches the pattern ${condition.pattern.source}`;
}

function judgeValues(
  values: readonly JsonValue[],
  parameter: Parameter,
  name: string,
): string | undefined {
  for (const value of values) {
    const issues = spellings(value).map(
      (spelling) => parameter.schema.validate(spelling, 'request')[0],
    );
    const [issue] = issues;
    if (issue !== undefined && !issues.includes(undefined))
      return describeIssue(issue, value, {
        place: parameter.in,
        name: parameter.name,
      }).message.replace(/\.$/, '');
  }
  return values.length === 0 ? `${name} cannot be one of none` : undefined;
}

/** The values that a person may mean: `4711` is a number and a text, `true` a truth and a text. */
function spellings(value: JsonValue): readonly JsonValue[] {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return [value, String(value)];
  if (typeof value !== 'string') return [value];
  const number = /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(value) ? [Number(value)] : [];
  return [value, ...number, ...(value === 'true' ? [true] : value === 'false' ? [false] : [])];
}

/**
 * Requests may carry headers that no contract names; of those that it names, it says what they
 * hold.
 */
function judgeHeader(
  { name, condition }: { readonly name: string; readonly condition: Condition },
  concerned: Concerned,
  pointer: Pointer,
): readonly ScenarioFault[] {
  return judgeEach(concerned, ({ parameters }) => {
    const declared = parameters.find(
      (parameter) =>
        parameter.in === 'header' && parameter.name.toLowerCase() === name.toLowerCase(),
    );
    const complaint = declared && judgeCondition(condition, declared);
    return complaint === undefined
      ? []
      : [
          {
            pointer: joinPointer(pointer, 'headers', name),
            message: `${complaint}, so that it would never match.`,
            hint: outOfContract,
          },
        ];
  });
}
