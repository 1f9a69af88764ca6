import type { Operation, Schema } from '../../../contract/model.ts';
import { joinPointer, splitPointer, type Pointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { suggestWord } from '../../../nearest-word.ts';
import { describeIssue } from '../../errors/describe-issue.ts';
import { fieldsOf, isOpen } from '../../records/schema-fields.ts';
import { judgeEach, slipOf, type Concerned, type ScenarioFault } from '../scenario-fault.ts';
import type { Condition, ScenarioMatch } from '../scenario.ts';

type Complaint = Omit<ScenarioFault, 'pointer'> & { readonly at: Pointer };

/** What a match wants of the body and no body of the contract could hold. */
export function judgeBodyMatch(
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

/** A request has one of several bodies: it is enough that one of them can be meant. */
function judgeIn(
  { id, requestBody }: Operation,
  pointer: Pointer,
  judge: (schema: Schema) => readonly Complaint[],
): ScenarioFault[] {
  if (requestBody === undefined)
    return [
      {
        pointer,
        message: `${id} takes no body, so that it would never match.`,
        hint: 'Leave out what the body must hold.',
      },
    ];
  const verdicts = requestBody.content.map(({ schema }) =>
    schema === undefined ? [] : judge(schema),
  );
  if (verdicts.length === 0 || verdicts.some((complaints) => complaints.length === 0)) return [];
  return (verdicts[0] ?? []).map(({ at, message, hint }) => ({
    pointer: pointer + at,
    message: `The body of ${id}: ${message}, so that it would never match.`,
    ...(hint === undefined ? {} : { hint }),
  }));
}

function judgePart(schema: Schema, wanted: JsonValue, at: Pointer): readonly Complaint[] {
  if (hasBranches(schema)) return [];
  if (isJsonObject(wanted))
    return Object.entries(wanted).flatMap(([name, member]) =>
      judgeMember(schema, name, {
        at,
        then: (part) => judgePart(part, member, joinPointer(at, name)),
      }),
    );
  if (!isJsonArray(wanted)) return judgeValue(schema, wanted, at);
  const items = itemsOf(schema);
  return items === undefined
    ? []
    : wanted.flatMap((item, index) => judgePart(items, item, joinPointer(at, index)));
}

/** A condition and the place that it is about, as the scenario names it. */
interface Wanted {
  readonly condition: Condition;
  readonly at: Pointer;
}

function judgePlace(
  schema: Schema,
  [token, ...rest]: readonly string[],
  wanted: Wanted,
): readonly Complaint[] {
  if (hasBranches(schema)) return [];
  if (token === undefined) return judgeChoices(schema, wanted);
  const items = /^\d+$/.test(token) ? itemsOf(schema) : undefined;
  if (items !== undefined) return judgePlace(items, rest, wanted);
  return judgeMember(schema, token, { at: '', then: (part) => judgePlace(part, rest, wanted) });
}

function judgeChoices(schema: Schema, { condition, at }: Wanted): readonly Complaint[] {
  if (condition.kind !== 'equal') return [];
  return condition.values.flatMap((value) =>
    typeof value === 'object' ? [] : judgeValue(schema, value, at),
  );
}

interface Step {
  readonly at: Pointer;
  readonly then: (part: Schema) => readonly Complaint[];
}

/**
 * A member that the contract does not name may come all the same, where the object is open and the
 * name is no slip of the pen.
 */
function judgeMember(schema: Schema, name: string, { at, then }: Step): readonly Complaint[] {
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
  const { message } = describeIssue(issue, value, { place: 'body', name });
  return [
    {
      at,
      message: message.replace(/\.$/, ''),
      hint: 'Write a value that the contract allows. To answer requests that break the contract, use bodyAt with pattern.',
    },
  ];
}

function itemsOf(schema: Schema): Schema | undefined {
  const { node, pointer } = schema.flatten();
  return node.items === undefined
    ? undefined
    : schema.part({ node: node.items, pointer: joinPointer(pointer, 'items') });
}

/** What holds in one branch need not hold in another. */
function hasBranches(schema: Schema): boolean {
  const { oneOf, anyOf } = schema.flatten().node;
  return oneOf !== undefined || anyOf !== undefined;
}
