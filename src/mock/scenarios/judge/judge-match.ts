import { schemaOfItems } from '../../../contract/schema/object-members.ts';
import type { Operation, Parameter, Schema } from '../../../contract/model.ts';
import { joinPointer, type Pointer, splitPointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { suggestWord } from '../../../errors.ts';
import { describeIssue } from '../../errors/describe-issue.ts';
import { fieldsOf, isOpen } from '../../records/record-fields.ts';
import { concernsParameter, holds } from '../match-rule.ts';
import type { Concerned, ScenarioFault } from '../scenario-fault.ts';
import { faultAt, judgeEach, oneFault, slipOf } from '../scenario-fault.ts';
import type { Condition, ParameterCondition, ScenarioMatch } from '../scenario.ts';

/** The conditions of a match that no request of the contract can satisfy. */
export function judgeMatch(
  match: ScenarioMatch | undefined,
  concerned: Concerned,
  pointer: Pointer,
): readonly ScenarioFault[] {
  if (match === undefined) return [];
  return [
    ...match.parameters.flatMap((expected) => judgeParameter(expected, concerned, pointer)),
    ...Object.entries(match.headers).flatMap(([name, condition]) =>
      judgeHeader({ name, condition }, concerned, pointer),
    ),
    ...judgeBodyMatch(match, concerned, pointer),
  ];
}

function judgeParameter(
  expected: ParameterCondition,
  concerned: Concerned,
  pointer: Pointer,
): readonly ScenarioFault[] {
  const path = [expected.group, expected.name];
  // The condition that a parameter is absent is satisfied by an operation without that parameter.
  const mayLack = { ...concerned, named: concerned.named && expected.condition.kind !== 'absent' };
  return judgeEach(mayLack, (operation) => {
    const declared = operation.parameters.filter((parameter) =>
      concernsParameter(expected, parameter),
    );
    if (declared.length === 0)
      return [faultAt(pointer, path, unknownParameter(expected, operation))];
    const complaints = declared.map((parameter) => judgeCondition(expected.condition, parameter));
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
  'Write a value that the contract allows. To answer requests that break ' +
  'the contract, use pattern.';

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

/** Why no valid value of a parameter satisfies a condition; undefined if one can. */
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
        location: parameter.in,
        name: parameter.name,
      }).message.replace(/\.$/, '');
  }
  return values.length === 0 ? `${name} cannot be one of none` : undefined;
}

/** The possible meanings of a value: `4711` is a number or a text, `true` a boolean or a text. */
function spellings(value: JsonValue): readonly JsonValue[] {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return [value, String(value)];
  if (typeof value !== 'string') return [value];
  const number = /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(value) ? [Number(value)] : [];
  return [value, ...number, ...(value === 'true' ? [true] : value === 'false' ? [false] : [])];
}

/** Requests may have undeclared headers; declared ones have a schema. */
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
      : oneFault(
          joinPointer(pointer, 'headers', name),
          `${complaint}, so that it would never match.`,
          outOfContract,
        );
  });
}

type Complaint = Omit<ScenarioFault, 'pointer'> & { readonly at: Pointer };

/** The conditions on the body that no valid body satisfies. */
function judgeBodyMatch(
  { body, bodyAt }: ScenarioMatch,
  concerned: Concerned,
  pointer: Pointer,
): readonly ScenarioFault[] {
  const places = Object.entries(bodyAt);
  return judgeEach(concerned, (operation) => [
    ...(body === undefined
      ? []
      : judgeIn(operation, joinPointer(pointer, 'body'), (schema) => judgePart(schema, body, ''))),
    ...places.flatMap(([at, condition]) =>
      judgeIn(operation, joinPointer(pointer, 'bodyAt', at), (schema) =>
        judgePlace(schema, splitPointer(at), { condition, at }).map((complaint) => ({
          ...complaint,
          at: '',
        })),
      ),
    ),
  ]);
}

/** A request has one of several bodies: one that can satisfy the conditions is enough. */
function judgeIn(
  { id, requestBody }: Operation,
  pointer: Pointer,
  judge: (schema: Schema) => readonly Complaint[],
): ScenarioFault[] {
  if (requestBody === undefined)
    return oneFault(
      pointer,
      `${id} takes no body, so that it would never match.`,
      'Leave out what the body must hold.',
    );
  const verdicts = requestBody.content.map(({ schema }) =>
    schema === undefined ? [] : judge(schema),
  );
  if (verdicts.length === 0 || verdicts.some((complaints) => complaints.length === 0)) return [];
  return (verdicts[0] ?? []).map(({ at, message, hint }) => ({
    pointer: pointer + at,
    message: `The body of ${id}: ${message}, so that it would never match.`,
    hint,
  }));
}

function judgePart(schema: Schema, expected: JsonValue, at: Pointer): readonly Complaint[] {
  if (hasBranches(schema)) return [];
  if (isJsonObject(expected))
    return Object.entries(expected).flatMap(([name, member]) =>
      judgeMember(schema, name, at, (part) => judgePart(part, member, joinPointer(at, name))),
    );
  if (!isJsonArray(expected)) return judgeValue(schema, expected, at);
  const items = schemaOfItems(schema);
  return items === undefined
    ? []
    : expected.flatMap((item, index) => judgePart(items, item, joinPointer(at, index)));
}

/** A condition and its location in the scenario. */
interface Wanted {
  readonly condition: Condition;
  readonly at: Pointer;
}

function judgePlace(
  schema: Schema,
  [token, ...rest]: readonly string[],
  expected: Wanted,
): readonly Complaint[] {
  if (hasBranches(schema)) return [];
  if (token === undefined) return judgeChoices(schema, expected);
  const items = /^\d+$/.test(token) ? schemaOfItems(schema) : undefined;
  if (items !== undefined) return judgePlace(items, rest, expected);
  return judgeMember(schema, token, '', (part) => judgePlace(part, rest, expected));
}

function judgeChoices(schema: Schema, { condition, at }: Wanted): readonly Complaint[] {
  if (condition.kind !== 'equal') return [];
  return condition.values.flatMap((value) =>
    typeof value === 'object' ? [] : judgeValue(schema, value, at),
  );
}

/**
 * An undeclared member is possible in an open object, unless its name is probably a misspelling.
 */
function judgeMember(
  schema: Schema,
  name: string,
  at: Pointer,
  then: (part: Schema) => readonly Complaint[],
): readonly Complaint[] {
  const fields = fieldsOf(schema);
  const field = fields.get(name);
  if (field !== undefined) return then(field.schema);
  const known = [...fields.keys()];
  if (known.length === 0 || (isOpen(schema) && slipOf(name, known) === undefined)) return [];
  return [
    {
      at: joinPointer(at, name),
      message: `the contract names no member ${name} there`,
      hint: suggestWord(name, known),
    },
  ];
}

function judgeValue(schema: Schema, value: JsonValue, at: Pointer): readonly Complaint[] {
  const [issue] = schema.validate(value, 'request');
  if (issue === undefined) return [];
  const name = splitPointer(at).join('.');
  const { message } = describeIssue(issue, value, { location: 'body', name });
  return [
    {
      at,
      message: message.replace(/\.$/, ''),
      hint:
        'Write a value that the contract allows. To answer requests that break ' +
        'the contract, use bodyAt with pattern.',
    },
  ];
}

/** A violation in one branch may not be one in another. */
function hasBranches(schema: Schema): boolean {
  const { oneOf, anyOf } = schema.flatten().node;
  return oneOf !== undefined || anyOf !== undefined;
}
