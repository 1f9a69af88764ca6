import type { FaultAt } from '../../../contract/locate.ts';
import { type BoundedPattern, makeBoundedPattern } from '../../../contract/pattern/safe-pattern.ts';
import { VouchError } from '../../../errors.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue, mapMembers } from '../../../json/value.ts';
import { parseClock } from '../../control/clock.ts';
import {
  type Condition,
  parameterGroups,
  type Scenario,
  type ScenarioMatch,
  type ScenarioRecords,
  type ScenarioRule,
} from '../scenario.ts';
import { parseAnswer } from './parse-answer.ts';
import { Members } from './read-members.ts';

const namePattern = /^[^\s",;=]+$/;

/**
 * Parses a scenario file. Refuses unknown members with the nearest known name. Throws a VouchError
 * ('scenario-invalid') with the location; `fault` can make it, with the line of the file.
 */
export function parseScenario(
  name: string,
  value: JsonValue,
  fault: FaultAt = scenarioError(name),
): Scenario {
  // A name with one of these characters could not be used in the header Prefer.
  if (!namePattern.test(name))
    throw fault(
      '',
      `A scenario cannot be called ${JSON.stringify(name)}.`,
      'Give its file a name without spaces, commas, semicolons, quotes and equals signs.',
    );
  const members = new Members(
    value,
    '',
    ['$schema', 'description', 'clock', 'state', 'rules'],
    fault,
  );
  const rules = (members.list('rules') ?? []).map((rule, index) =>
    parseRule(rule, joinPointer('', 'rules', index), fault),
  );
  const clock = members.text('clock');
  if (clock !== undefined && parseClock(clock) === undefined)
    members.refuse(
      'clock',
      `clock must be a date such as 2030-12-06 or a timestamp with its zone, not ${clock}.`,
    );
  const state = parseState(members, fault);
  return {
    name,
    description: members.required('description', members.text('description')),
    ...(clock === undefined ? {} : { clock }),
    ...(state === undefined ? {} : { state }),
    rules,
    fault,
  };
}

/** Makes the errors of a scenario without a file. */
export function scenarioError(name: string): FaultAt {
  return (pointer, message, hint) =>
    new VouchError(
      'scenario-invalid',
      `Scenario ${name}, ${pointer === '' ? 'top level' : pointer}: ${message}`,
      hint === undefined ? {} : { hint },
    );
}

function parseState(
  members: Members,
  fault: FaultAt,
): { readonly [resource: string]: ScenarioRecords } | undefined {
  const state = members.object('state');
  if (state === undefined) return undefined;
  return mapMembers(state, (written, resource) =>
    parseRecords(written, joinPointer('', 'state', resource), fault),
  );
}

/** A list replaces the fixtures; `add` adds records to them. */
function parseRecords(written: JsonValue, pointer: Pointer, fault: FaultAt): ScenarioRecords {
  if (isJsonArray(written)) return { kind: 'replace', records: written };
  const way = 'Write a list of records, or add: with a list below it.';
  if (!isJsonObject(written))
    throw fault(pointer, 'The records of a resource must be a list.', way);
  const members = new Members(written, pointer, ['add'], (at, message) => fault(at, message, way));
  return { kind: 'add', records: members.required('add', members.list('add')) };
}

const endings = ['last', 'repeat', 'pass'] as const;

function parseRule(value: JsonValue, pointer: Pointer, fault: FaultAt): ScenarioRule {
  const members = new Members(
    value,
    pointer,
    ['operation', 'tag', 'match', 'answers', 'then'],
    fault,
  );
  const [operations, tags] = [readWords(members, 'operation'), readWords(members, 'tag')];
  if (operations.length > 0 && tags.length > 0)
    members.refuse(
      'tag',
      'A rule is about operations or about a tag, not both.',
      'Write two rules.',
    );
  if (tags.length === 0) members.required('operation', operations[0]);
  const answers = members.required('answers', members.list('answers'));
  if (answers.length === 0) members.refuse('answers', 'A rule needs one answer or more.');
  return {
    operations,
    tags,
    ...(members.has('match')
      ? { match: parseMatch(members.value('match'), joinPointer(pointer, 'match'), fault) }
      : {}),
    answers: answers.map((answer, index) =>
      parseAnswer(answer, joinPointer(pointer, 'answers', index), fault),
    ),
    then: readEnding(members),
  };
}

function readWords(members: Members, key: string): readonly string[] {
  const value = members.value(key);
  if (value === undefined) return [];
  const list = isJsonArray(value) ? value : [value];
  const texts = list.filter((word) => typeof word === 'string');
  if (texts.length === list.length && texts.length > 0) return texts;
  return members.refuse(key, `${key} must be a text, or a list of texts.`);
}

function readEnding(members: Members): ScenarioRule['then'] {
  const written = members.text('then');
  if (written === undefined) return 'last';
  return (
    endings.find((ending) => ending === written) ??
    members.refuse('then', 'then must be last, repeat or pass.')
  );
}

const matchMembers = [
  ...parameterGroups,
  'headers',
  'body',
  'bodyAt',
  'session',
  'probability',
] as const;

/** Parses the conditions of a rule. Throws the error of `fault` for an invalid location. */
function parseMatch(value: JsonValue | undefined, pointer: Pointer, fault: FaultAt): ScenarioMatch {
  const members = new Members(value, pointer, matchMembers, fault);
  const conditions = (key: string): { readonly [name: string]: Condition } =>
    parseConditions(members, key, fault);
  const body = members.value('body');
  const session = members.value('session');
  return {
    parameters: parameterGroups.flatMap((group) =>
      Object.entries(conditions(group)).map(([name, condition]) => ({ group, name, condition })),
    ),
    headers: checkNames(members, conditions('headers')),
    ...(body === undefined ? {} : { body }),
    bodyAt: checkPointers(members, conditions('bodyAt')),
    ...(session === undefined
      ? {}
      : { session: parseCondition(session, joinPointer(pointer, 'session'), fault) }),
    probability: readProbability(members),
  };
}

function parseConditions(
  members: Members,
  key: string,
  fault: FaultAt,
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

/** A plain value is compared for equality; an object names the comparison. */
function parseCondition(written: JsonValue, pointer: Pointer, fault: FaultAt): Condition {
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

function readPattern(members: Members): BoundedPattern {
  const source = members.text('pattern') ?? '';
  try {
    new RegExp(source, 'u');
    return makeBoundedPattern(source);
  } catch (cause) {
    const reason =
      cause instanceof Error ? cause.message.replace(/^.*?: (?=[^:]*$)/, '') : String(cause);
    return members.refuse('pattern', `${source} is not a regular expression: ${reason}.`);
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
