import type { ConsoleApp } from './app.tsx';
import { isMembers, type Members } from './record-form.tsx';
import { listIn, withMember } from './scenario-form.tsx';

const example = { description: 'An answer comes two seconds late.', delay: '2s' };

/** A scenario that any contract allows. */
export function exampleScenario({ facts }: Pick<ConsoleApp, 'facts'>): Members {
  const [first] = facts.operations;
  const { description, delay } = example;
  return {
    description,
    rules: [{ operation: first?.id ?? '*', answers: [{ pass: true, delay }] }],
  };
}

/**
 * The scenario without the description and the delay of the example, each only if nobody changed
 * it; undefined while its first answer is of the kind that the example has.
 */
export function leaveExample(scenario: Members): Members | undefined {
  const [rule, ...rules] = listIn(scenario, 'rules');
  if (!isMembers(rule)) return undefined;
  const [answer, ...answers] = listIn(rule, 'answers');
  if (!isMembers(answer) || isOrdinary(answer)) return undefined;
  const { description } = scenario;
  const first = answer['delay'] === example.delay ? withMember(answer, 'delay', undefined) : answer;
  return {
    ...scenario,
    description: description === example.description ? '' : description,
    rules: [{ ...rule, answers: [first, ...answers] }, ...rules],
  };
}

/** Whether it is the answer of the mock, which arrives whole. */
function isOrdinary({ pass, fault }: Members): boolean {
  return pass === true && fault === undefined;
}
