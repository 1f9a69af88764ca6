import {
  longRunningOf,
  type LongRunning,
  promise,
} from '../../../contract/protocols/long-running.ts';
import { secondsOf } from '../../../contract/words/read-job.ts';
import { joinPointer } from '../../../json/pointer.ts';
import type { Sequence } from '../../model/case.ts';
import { draftOf, exoticAt, type PlanContext, unlessAip } from '../../plan/plan-context.ts';
import { relationTo, Story } from '../../plan/story.ts';

/**
 * A long-running operation on new records, which is read by its name until it is done, and once
 * more (AIP-151).
 */
export function planPromises(context: PlanContext): Sequence[] {
  return longRunningOf(context.contract).flatMap((running) => storyOf(context, running));
}

/** The time that a service has where no text says how long it takes, in seconds. */
const usualSeconds = 5;

function storyOf(context: PlanContext, { start, read, parameter }: LongRunning): Sequence[] {
  const [begin, look] = [draftOf(context, start), draftOf(context, read)];
  if (begin === undefined || look === undefined) return [];
  const story = new Story(context, `the result of ${start.id}`);
  const of = story.makeNamed(begin);
  if (of.length < begin.names.length) return [];
  const [begun, done] = [`${start.id} begins`, 'a read of the operation until it is done'];
  story.step(begin, { title: begun, of, intent: exoticAt(start.pointer) });
  const stated = secondsOf(start) ?? secondsOf(read);
  const named = {
    parameter,
    source: {
      kind: 'link',
      operation: start.id,
      expression: `$response.body#${joinPointer('', promise.name)}`,
      step: begun,
      of: context.contract.inference.pathOf(read),
    },
  } as const;
  story.step(look, {
    title: done,
    extra: [named],
    more: {
      polling: {
        at: joinPointer('', promise.done),
        // Proto3 leaves out what is false.
        values: ['false', 'null'],
        seconds: stated ?? usualSeconds,
      },
    },
    intent: relationTo(look, { rule: 'has-result', of: [begun], ...unlessAip(context) }),
  });
  story.step(look, {
    title: 'a read of the operation after its time',
    extra: [named],
    intent: relationTo(look, {
      rule: 'is-done',
      of: [done],
      field: promise.done,
      ...(stated === undefined ? { doubtful: true } : {}),
    }),
  });
  return story.sequences();
}
