import type { Schema, SchemaIssue } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../json/value.ts';
import { suggestWord } from '../../../nearest-word.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { describeIssue } from '../../errors/describe-issue.ts';
import type { AnswerPlan } from '../../model/operation-plan.ts';
import { applyPatch } from '../patch-answer.ts';
import type { ScenarioFault } from '../scenario-fault.ts';
import { judgeMembers } from './judge-members.ts';

/**
 * What keeps a patch from ever being one: an answer that is no JSON, or steps that are none (RFC
 * 6902, section 4).
 */
export function judgePatchForm(
  patch: JsonObject | JsonArray,
  { contents, status }: AnswerPlan,
): ScenarioFault[] {
  const [content] = contents;
  if (content !== undefined && content.form !== 'json')
    return [
      {
        pointer: '/patch',
        message: `The ${String(status)} is ${content.mediaType}, which cannot be patched.`,
        hint: 'Write a body of your own.',
      },
    ];
  return isJsonArray(patch)
    ? patch.flatMap((step, index) => judgeStep(step, joinPointer('/patch', index)))
    : [];
}

const needed: Readonly<Record<string, readonly string[]>> = {
  add: ['path', 'value'],
  replace: ['path', 'value'],
  test: ['path', 'value'],
  remove: ['path'],
  move: ['path', 'from'],
  copy: ['path', 'from'],
};

function judgeStep(step: JsonValue, pointer: string): ScenarioFault[] {
  if (!isJsonObject(step))
    return [
      {
        pointer,
        message: 'A step of a patch must be an object.',
        hint: 'Write one such as { op: replace, path: /name, value: x }.',
      },
    ];
  const op = String(step['op']);
  const members = Object.hasOwn(needed, op) ? needed[op] : undefined;
  if (members === undefined)
    return [
      {
        pointer: joinPointer(pointer, 'op'),
        message: `${op} is no step of a patch.`,
        hint: suggestWord(op, Object.keys(needed)),
      },
    ];
  const missing = members
    .filter((name) => !Object.hasOwn(step, name))
    .map((name) => ({ pointer, message: `The step ${op} must have the member ${name}.` }));
  const path = step['path'];
  const isPointer = path === undefined || (typeof path === 'string' && /^(\/|$)/.test(path));
  return isPointer
    ? missing
    : [
        ...missing,
        {
          pointer: joinPointer(pointer, 'path'),
          message: 'The path of a step must be a JSON Pointer.',
          hint: `Begin with a slash: /${String(path)}`,
        },
      ];
}

/**
 * What the contract has against a patch: it is tried on the contract's examples and on a made
 * value, and must come out right on one of them. The answers that it will change are judged again
 * when they are given.
 */
export function judgePatch(
  patch: JsonObject | JsonArray,
  { contents }: AnswerPlan,
  about: string,
): ScenarioFault[] {
  const [content] = contents;
  if (content === undefined) return [];
  const { schema } = content;
  if (schema === undefined) return [];
  const made = plainValue(schema, { seed: 'patch', direction: 'response', required: 'all' });
  const values = [
    ...content.examples.map(({ value }) => value),
    ...(made.ok ? [made.value] : []),
  ].filter((value) => schema.validate(value, 'response').length === 0);
  const verdicts = values.map((value) => tryOn(value, patch, { schema, about }));
  return verdicts.some((faults) => faults.length === 0) ? [] : (verdicts[0] ?? []);
}

function tryOn(
  value: JsonValue,
  patch: JsonObject | JsonArray,
  { schema, about }: { readonly schema: Schema; readonly about: string },
): ScenarioFault[] {
  const patched = applyPatch(value, patch);
  // The steps of a patch may be meant for records that no example has; whether they apply is seen
  // then.
  if (!patched.ok) return [];
  const [issue] = schema.validate(patched.value, 'response');
  if (issue !== undefined)
    return [
      {
        pointer: placeOf(issue, patch),
        message: `${about}, patched: ${describeIssue(issue, patched.value, { place: 'body', name: '' }).message}`,
      },
    ];
  return isJsonArray(patch) ? [] : judgeMembers(schema, patch, { pointer: '/patch', about });
}

/** Where a merge patch writes the place that is wrong. */
function placeOf({ at }: SchemaIssue, patch: JsonObject | JsonArray): string {
  return isJsonArray(patch) ? '/patch' : `/patch${at}`;
}
