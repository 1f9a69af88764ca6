import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { Members, type PointFault } from './read-members.ts';
import {
  parameterGroups,
  type Condition,
  type ParameterCondition,
  type ParameterGroup,
  type ScenarioMatch,
} from '../scenario.ts';

const matchMembers = [
  ...parameterGroups,
  'headers',
  'body',
  'bodyAt',
  'session',
  'probability',
] as const;

/** Reads what a rule wants of a request. Throws what `fault` makes for a place that is wrong. */
export function parseMatch(
  value: JsonValue | undefined,
  pointer: Pointer,
  fault: PointFault,
): ScenarioMatch {
  const members = new Members(value, pointer, matchMembers, fault);
  const conditions = (key: string): { readonly [name: string]: Condition } =>
    parseConditions(members, key, fault);
  const body = members.value('body');
  const session = members.value('session');
  return {
    parameters: parameterGroups.flatMap((group) => inGroup(group, conditions(group))),
    headers: checkNames(members, conditions('headers')),
    ...(body === undefined ? {} : { body }),
    bodyAt: checkPointers(members, conditions('bodyAt')),
    ...(session === undefined
      ? {}
      : { session: parseCondition(session, joinPointer(pointer, 'session'), fault) }),
    probability: readProbability(members),
  };
}

function inGroup(
  group: ParameterGroup,
  conditions: { readonly [name: string]: Condition },
): ParameterCondition[] {
  return Object.entries(conditions).map(([name, condition]) => ({ group, name, condition }));
}

function parseConditions(
  members: Members,
  key: string,
  fault: PointFault,
): { readonly [name: string]: Condition } {
  const entries = Object.entries(members.object(key) ?? {});
  return Object.fromEntries(
    entries.map(([name, written]) => [
      name,
      parseCondition(written, joinPointer(members.pointer, key, name), fault),
    ]),
  );
}

const words = ['equal', 'oneOf', 'pattern', 'present', 'absent'] as const;

/** A value is compared as it is; an object says in a word how. */
function parseCondition(written: JsonValue, pointer: Pointer, fault: PointFault): Condition {
  if (!isJsonObject(written)) return { kind: 'equal', values: [written] };
  const members = new Members(written, pointer, words, fault);
  const [word, ...more] = Object.keys(written);
  if (word === undefined || more.length > 0)
    throw fault(
      pointer,
      `A condition has one word, not ${String(more.length + (word === undefined ? 0 : 1))}.`,
      `Write one of: ${words.join(', ')}.`,
    );
  return readCondition(word, members);
}

function readCondition(word: string, members: Members): Condition {
  if (word === 'present' || word === 'absent')
    return members.flag(word) === true
      ? { kind: word }
      : members.refuse(word, `${word} must be true, or be left out.`);
  if (word === 'pattern') return { kind: 'pattern', pattern: readPattern(members) };
  if (word === 'oneOf') return { kind: 'equal', values: readChoices(members) };
  return { kind: 'equal', values: [members.value(word) ?? null] };
}

function readChoices(members: Members): readonly JsonValue[] {
  const choices = members.list('oneOf') ?? [];
  return isJsonArray(choices) && choices.length > 0
    ? choices
    : members.refuse('oneOf', 'oneOf needs one value or more.');
}

function readPattern(members: Members): RegExp {
  const source = members.text('pattern') ?? '';
  try {
    return new RegExp(source, 'u');
  } catch (cause) {
    return members.refuse(
      'pattern',
      `${source} is no regular expression: ` +
        `${cause instanceof Error ? cause.message.replace(/^.*?: (?=[^:]*$)/, '') : String(cause)}.`,
    );
  }
}

const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function checkNames(
  members: Members,
  conditions: { readonly [name: string]: Condition },
): { readonly [name: string]: Condition } {
  for (const name of Object.keys(conditions))
    if (!fieldName.test(name)) members.refuse('headers', `${name} cannot be the name of a header.`);
  return conditions;
}

function checkPointers(
  members: Members,
  conditions: { readonly [name: string]: Condition },
): { readonly [name: string]: Condition } {
  for (const name of Object.keys(conditions)) {
    if (!/^(\/([^~]|~[01])*)?$/.test(name))
      members.refuse(
        'bodyAt',
        `${name} is no JSON Pointer.`,
        `Begin with a slash: /${name.replaceAll('.', '/')}`,
      );
  }
  return conditions;
}

/** A share of the requests: `0.3`, or `30%`. */
function readProbability(members: Members): number {
  const written = members.value('probability');
  if (written === undefined) return 1;
  const percent =
    typeof written === 'string' ? /^(\d+(?:\.\d+)?)\s?%$/.exec(written)?.[1] : undefined;
  const share = percent === undefined ? written : Number(percent) / 100;
  if (typeof share === 'number' && share > 0 && share <= 1) return share;
  return members.refuse(
    'probability',
    'probability must be above 0 and up to 1, such as 0.3, or a share such as 30%.',
  );
}
