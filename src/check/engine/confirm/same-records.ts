import { isSafe } from '../../plan/draft.ts';
import type { Case } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import type { Step } from '../../model/step.ts';

/**
 * The cases of a sequence of reads, about the very records that the run read: by now any known
 * record may be another one. Undefined where they are the same anyway, or something is changed.
 */
export function ofSameRecords(
  cases: readonly Case[],
  steps: readonly Step[],
): readonly Case[] | undefined {
  if (!cases.every(({ operation }) => isSafe(operation))) return undefined;
  const pinned = cases.map((testCase, index) => withSent(testCase, steps[index]));
  return pinned.every((testCase, index) => testCase === cases[index]) ? undefined : pinned;
}

function withSent(testCase: Case, step: Step | undefined): Case {
  const given = testCase.request.arguments;
  const sent = given.map((argument): Argument => {
    const value = step?.sent.arguments.get(argument.parameter);
    return argument.source.kind === 'known' && value !== undefined
      ? { parameter: argument.parameter, source: { kind: 'value', value } }
      : argument;
  });
  return sent.every((argument, index) => argument === given[index])
    ? testCase
    : { ...testCase, request: { ...testCase.request, arguments: sent } };
}
