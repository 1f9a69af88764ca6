import { periodOf } from '../../../contract/words/periods.ts';
import { isJsonObject } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { eachMade, creatorDraft, Story } from '../../plan/story.ts';

const hour = 3_600_000;
const year = 364 * 24 * hour;

/** A period written with an offset from UTC: the answer has the same moments (RFC 3339). */
export function planOffsets(context: PlanContext): Sequence[] {
  return eachMade(context).flatMap((resource) => {
    const { body } = creatorDraft(context, resource) ?? {};
    const names = body?.schema && periodOf(body.schema);
    const value = body?.value;
    if (
      names === undefined ||
      !isJsonObject(value) ||
      !names.every((name) => isMoment(value[name]))
    )
      return [];
    const later = names.map((name) => [name, inAnotherZone(String(value[name]))] as const);
    const story = new Story(context, `${resource.name} with an offset`);
    const made = story.make(resource, { fixed: Object.fromEntries(later) });
    story.read(made, 'a read of the record with an offset');
    return story.sequences();
  });
}

function isMoment(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value);
}

/** A moment one year later, written two hours ahead of UTC. */
function inAnotherZone(moment: string): string {
  const later = new Date(Date.parse(moment) + year + 2 * hour);
  return `${later.toISOString().slice(0, 19)}+02:00`;
}
