import { contentForm } from '../../contract/content/content-form.ts';
import { selectMediaType } from '../../contract/select-response.ts';
import type { AnswerContent, AnswerPlan } from '../model/operation-plan.ts';
import { planContents } from '../plan/plan-answer.ts';

/**
 * How a scripted body is written: in the media type that it names, else in the one that the
 * contract has first. Undefined where neither says anything.
 */
export function scriptedContent(
  plan: AnswerPlan,
  type: string | undefined,
): AnswerContent | undefined {
  if (type === undefined) return plan.contents[0];
  return (
    documentedContent(plan, type) ?? {
      mediaType: type,
      form: contentForm(type),
      schema: undefined,
      examples: [],
    }
  );
}

/** What the contract says of a media type in an answer; undefined where it does not have it. */
export function documentedContent(
  { response }: AnswerPlan,
  type: string,
): AnswerContent | undefined {
  const spec = selectMediaType(response?.content ?? [], type);
  const [content] = spec === undefined ? [] : planContents({ ...spec, mediaType: type });
  // The type is sent as it was written.
  return content === undefined ? undefined : { ...content, mediaType: type };
}
