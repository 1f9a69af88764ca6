import type { Parameter, Resource } from '../../../contract/model.ts';
import { trialsOf } from '../../../contract/protocols/trial.ts';
import type { Sequence } from '../../model/case.ts';
import type { Source } from '../../model/request-template.ts';
import type { Draft } from '../../plan/draft.ts';
import { valued } from '../../plan/listing.ts';
import { draftOf, exoticAt, type PlanContext } from '../../plan/plan-context.ts';
import { chosenKey, keyParameter } from '../../plan/chosen-key.ts';
import { shownField } from '../../plan/shown-field.ts';
import { readerOf, relationTo, Story } from '../../plan/story.ts';

/** Changes that are only to be validated, and a read after each (AIP-163). */
export function planTrials(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) =>
    trialsOf(resource).flatMap(({ operation, parameter }) => {
      const draft = draftOf(context, operation);
      if (draft === undefined || readerOf(context, resource) === undefined) return [];
      const isCreate = operation === resource.operations.create;
      return isCreate
        ? trialCreate(context, { resource, draft, parameter })
        : trialChange(context, { resource, draft, parameter });
    }),
  );
}

const tried = 'a create that is only to be validated';

interface Tried {
  readonly resource: Resource;
  readonly draft: Draft;
  readonly parameter: Parameter;
}

/** A record that is created, one that only would be, and the read of that one. */
function trialCreate(context: PlanContext, { resource, draft, parameter }: Tried): Sequence[] {
  const read = readerOf(context, resource);
  const identifier = read?.identifier;
  const source = nameOfTried(resource, draft);
  if (read === undefined || identifier === undefined || source === undefined) return [];
  const story = new Story(context, `the trial ${draft.operation.id}`);
  const made = story.make(resource);
  story.step(draft, {
    title: tried,
    of: [made],
    extra: [...valued(parameter, true), ...chosenKey(context, resource, draft, tried)],
    intent: exoticAt(parameter.pointer),
  });
  story.step(read, {
    title: 'a read of what is only to be validated',
    of: [made],
    extra: [{ parameter: identifier, source }],
    intent: relationTo(draft, { rule: 'not-stored', of: [made.title, tried] }),
    optional: true,
  });
  return story.sequences();
}

/** What the record of a trial is called: by the request, otherwise by the answer. */
function nameOfTried(resource: Resource, { operation }: Draft): Source | undefined {
  const key = keyParameter(resource, operation);
  const { field } = resource.identifier;
  if (key === undefined && field === '') return undefined;
  const expression =
    key === undefined ? shownField(operation, resource, field) : `$request.query.${key.name}`;
  return { kind: 'link', operation: operation.id, expression, step: tried };
}

function trialChange(context: PlanContext, { resource, draft, parameter }: Tried): Sequence[] {
  const { operation } = draft;
  const story = new Story(context, `the trial ${operation.id}`);
  const made = story.make(resource);
  const before = 'the record is read before a change that is only to be validated';
  const title = `a ${operation.method} that is only to be validated`;
  story.read(made, before);
  story.step(draft, {
    title,
    of: [made],
    extra: valued(parameter, true),
    intent: exoticAt(parameter.pointer),
  });
  story.read(made, `the record is read after ${title}`, {
    intent: relationTo(draft, { rule: 'as-before', of: [before, title] }),
  });
  return story.sequences();
}
