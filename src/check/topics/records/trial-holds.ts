import type { Parameter, Resource } from '../../../contract/model.ts';
import { trialsOf } from '../../../contract/protocols/trial.ts';
import { isSuccess } from '../../../http/message.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import { showValue } from '../../model/step.ts';
import type { Source } from '../../model/request-template.ts';
import { chosenKey, keyParameter, valued } from '../../plan/listing.ts';
import type { Draft } from '../../plan/draft.ts';
import { draftOf, exoticAt, type PlanContext } from '../../plan/plan-context.ts';
import { shownField } from '../../plan/shown-field.ts';
import { readerOf, relationTo, Story } from '../../plan/story.ts';
import type { Related, RelationFaults } from '../../reading/related.ts';
import { isMarkedAsGone } from '../../reading/removed-record.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { check } from '../check.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import { withoutQuery } from '../../mutants/list-place.ts';
import type { Mutator } from '../../mutants/mutant.ts';

/** A change that is only to be validated stores nothing. */
export const trialHolds = check({
  id: 'trial-holds',
  basis: 'inferred',
  harm: 'data',
  rule: 'A change with validate_only=true is answered, and nothing is stored (AIP-163).',
  reason: 'A client asks whether a change is valid; a service that makes it changes real data.',
  example: [
    '> DELETE /items/7?validate_only=true',
    '< 200 OK',
    '> GET /items/7',
    '< 404 Not Found',
  ],
  plan: [{ at: 'stories', resource: planTrials }],
  covers: ['status-documented'],
  mutants: [() => trialMutants],
  relations: { 'not-stored': isStored, 'as-before': isChanged },
});

/** The record of a create that was only to be validated can be read. */
function isStored({ subject, resource, of, status }: Related): RelationFaults {
  const [, tried] = of;
  const record = resource && shownRecord(resource, subject.answer);
  if (tried === undefined || (isSuccess(status) && record === undefined)) return undefined;
  if (!isSuccess(status)) return [];
  return {
    message: `${tried.case.operation.id} stored a record that was only to be validated.`,
    expected: '404, because nothing is stored',
    actual: String(status),
    cause: 'trial stored',
  };
}

/** A change or a deletion that was only to be validated was made. */
function isChanged({ subject, resource, of, status }: Related): RelationFaults {
  const [before, tried] = of;
  if (resource === undefined || before === undefined || tried === undefined) return undefined;
  const { id, method } = tried.case.operation;
  const [former, latter] = [before, subject].map((step) => shownRecord(resource, step.answer));
  const sent = tried.sent.body;
  const isMarked =
    former !== undefined &&
    latter !== undefined &&
    !isMarkedAsGone(former) &&
    isMarkedAsGone(latter);
  if (method === 'DELETE' && (status === 404 || status === 410 || isMarked))
    return {
      message: `${id} deleted a record although it was only to be validated.`,
      expected: 'the record, as before',
      actual: isMarked ? 'it is marked as deleted' : String(status),
      cause: 'trial deleted',
    };
  if (!isSuccess(status) || former === undefined || latter === undefined) return undefined;
  if (!isJsonObject(sent)) return [];
  const name = Object.keys(sent).find(
    (one) =>
      !equalJson(former[one] ?? null, sent[one] ?? null) &&
      equalJson(latter[one] ?? null, sent[one] ?? null),
  );
  if (name === undefined) return [];
  return {
    message: `${id} changed the ${name} of a record although it was only to be validated.`,
    expected: `${name} is ${showValue(former[name])}, as before`,
    actual: `${name} is ${showValue(latter[name])}`,
    cause: 'trial changed',
  };
}

/** Changes that are only to be validated, and a read after each (AIP-163). */
function planTrials(context: PlanContext, resource: Resource): Sequence[] {
  return trialsOf(resource).flatMap(({ operation, parameter }) => {
    const draft = draftOf(context, operation);
    if (draft === undefined || readerOf(context, resource) === undefined) return [];
    const isCreate = operation === resource.operations.create;
    return isCreate
      ? trialCreate(context, { resource, draft, parameter })
      : trialChange(context, { resource, draft, parameter });
  });
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

const mutant = mutantsOf('state');

/** Mutations of changes that are only to be validated (AIP-163). */
const trialMutants: readonly Mutator[] = [
  mutant('makes-trials', {
    rule: 'A change that is only to be validated is made.',
    where: ({ resources }) => resources.flatMap((resource) => [...trialsOf(resource)]),
    says: 'makes what is only to be validated',
    request: (request, { parameter }) => withoutQuery(request, [parameter.name]),
  }),
];
