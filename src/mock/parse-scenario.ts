import { VouchError } from '../errors.ts';
import { joinPointer, type Pointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { parseClock } from './parse-clock.ts';
import { parseDelay } from './parse-delay.ts';
import { Members, type PointFault } from './read-members.ts';
import type { Scenario, ScenarioAnswer, ScenarioMatch, ScenarioRule } from './scenario.ts';

/**
 * Reads a scenario as its file says it. Strict: a member that is not known is refused with the nearest right one. Throws a
 * VouchError ('scenario-invalid') that names the place; `fault` may make it, with the line of the file.
 */
export function parseScenario(name: string, value: JsonValue, fault: PointFault = defaultFault(name)): Scenario {
  const members = new Members(value, '', ['$schema', 'description', 'clock', 'rules'], fault);
  const rules = (members.list('rules') ?? []).map((rule, index) => parseRule(rule, joinPointer('', 'rules', index), fault));
  const clock = members.text('clock');
  if (clock !== undefined && parseClock(clock) === undefined) members.refuse('clock', `clock must be a date such as 2030-12-06 or a timestamp with its zone, not ${clock}.`);
  return { name, description: members.required('description', members.text('description')), ...(clock === undefined ? {} : { clock }), rules };
}

function defaultFault(name: string): PointFault {
  return (pointer, message, hint) => new VouchError('scenario-invalid', `Scenario ${name}, ${pointer === '' ? 'top level' : pointer}: ${message}`, hint === undefined ? {} : { hint });
}

function parseRule(value: JsonValue, pointer: Pointer, fault: PointFault): ScenarioRule {
  const members = new Members(value, pointer, ['operation', 'match', 'answers'], fault);
  const answers = members.required('answers', members.list('answers'));
  if (answers.length === 0) members.refuse('answers', 'A rule needs one answer or more.');
  return {
    operation: members.required('operation', members.text('operation')),
    ...(members.has('match') ? { match: parseMatch(members.value('match'), joinPointer(pointer, 'match'), fault) } : {}),
    answers: answers.map((answer, index) => parseAnswer(answer, joinPointer(pointer, 'answers', index), fault)),
  };
}

function parseMatch(value: JsonValue | undefined, pointer: Pointer, fault: PointFault): ScenarioMatch {
  const members = new Members(value, pointer, ['parameters', 'headers', 'body'], fault);
  const parameters = members.object('parameters');
  const headers = parseHeaders(members);
  const body = members.object('body');
  return { ...(parameters === undefined ? {} : { parameters }), ...(headers === undefined ? {} : { headers }), ...(body === undefined ? {} : { body }) };
}

const answerMembers = ['pass', 'status', 'headers', 'body', 'delay', 'times', 'offContract'] as const;

function parseAnswer(value: JsonValue, pointer: Pointer, fault: PointFault): ScenarioAnswer {
  const members = new Members(value, pointer, answerMembers, fault);
  const pass = members.flag('pass') ?? false;
  const status = members.integer('status', { minimum: 200, maximum: 599 });
  const headers = parseHeaders(members);
  const body = members.value('body');
  refuseContradiction(members, { pass, status, body });
  return {
    ...(pass ? { pass } : {}),
    ...(status === undefined ? {} : { status }),
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
    delayMs: readDelay(members),
    times: members.integer('times', { minimum: 1, maximum: 1_000_000 }) ?? 1,
    offContract: members.flag('offContract') ?? false,
  };
}

function refuseContradiction(members: Members, { pass, status, body }: { pass: boolean; status: number | undefined; body: JsonValue | undefined }): void {
  if (pass && status !== undefined) members.refuse('status', 'An answer that passes has the status that the mock gives it.', 'Leave out pass, or status.');
  if (pass && body !== undefined) members.refuse('body', 'An answer that passes has the body that the mock gives it.', 'Leave out pass, or body.');
  if (!pass && status === undefined && body === undefined) members.refuse('status', 'An answer needs a status or a body, or else pass: true.');
}

function readDelay(members: Members): number {
  const written = members.value('delay');
  if (written === undefined) return 0;
  return parseDelay(written) ?? members.refuse('delay', 'delay must be such as 200ms, 2s or a number of milliseconds, and ten minutes at most.');
}

/** What a field value may hold (RFC 9110, section 5.5); Node writes no character beyond Latin-1. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function parseHeaders(members: Members): { readonly [name: string]: string } | undefined {
  const headers: JsonObject | undefined = members.object('headers');
  if (headers === undefined) return undefined;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => {
    const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
    if (!fieldName.test(name)) return members.refuse('headers', `${name} cannot be the name of a header.`);
    if (typeof text !== 'string' || !fieldValue.test(text)) return members.refuse('headers', `The header ${name} must be a text of Latin-1 characters, without a line break.`);
    return [name, text];
  }));
}
