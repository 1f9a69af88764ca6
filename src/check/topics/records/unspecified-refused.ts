import { unspecifiedMembers } from '../../../contract/protocols/unspecified.ts';
import { followsAip } from '../../../contract/words/standards.ts';
import type { Resource, Contract } from '../../../contract/model.ts';
import type { Sequence } from '../../model/case.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { creatorDraft, Story } from '../../plan/story.ts';
import { documentsRefusal, bodySchema } from '../../../contract/model/operation.ts';
import { notRefused } from '../../reading/related.ts';
import { check } from '../check.ts';
import { isJsonObject } from '../../../json/value.ts';
import { editJson } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';

/** A create whose required member has the value that stands for none is refused. */
export const unspecifiedRefused = check({
  id: 'unspecified-refused',
  basis: 'contract',
  harm: 'data',
  rule:
    'To an API that follows the AIPs, the first value of an enumeration, such as ' +
    'KIND_UNSPECIFIED, stands for none: a create that requires the member is refused with it ' +
    '(AIP-126, AIP-203).',
  reason: 'A record without a kind breaks every client that handles each of the kinds.',
  example: ['> POST /items', '> {"kind": "KIND_UNSPECIFIED"}', '< 200 OK'],
  plan: [{ at: 'stories', made: storyOf }],
  mutants: [() => unspecifiedMutants],
  relations: { unspecified: notRefused },
});

/** A create as it should be, and the same with each value that stands for none. */
function storyOf(context: PlanContext, resource: Resource): Sequence[] {
  if (!followsAip(context.contract)) return [];
  const draft = creatorDraft(context, resource);
  const schema = draft?.body.schema;
  if (draft === undefined || schema === undefined || !documentsRefusal(draft.operation)) return [];
  const story = new Story(context, `what stands for none in ${draft.operation.id}`);
  const of = story.makeNamed(draft);
  const made = story.make(resource, { of });
  for (const { name, value, pointer } of unspecifiedMembers(schema))
    story.make(resource, {
      of,
      fixed: { [name]: value },
      title: `a create whose ${name}, which is required, is ${value}`,
      relation: { rule: 'unspecified', of: [made.title], field: name, at: pointer },
    });
  return story.sequences();
}

const mutant = mutantsOf('validation');

interface NonePlace extends Place {
  readonly name: string;
  readonly none: string;
  /** Another value, with which the service takes the request. */
  readonly other: string;
}

function required(contract: Contract): NonePlace[] {
  if (!followsAip(contract)) return [];
  return contract.resources.flatMap(({ operations: { create: operation } }) => {
    const schema = operation && bodySchema(operation);
    if (operation === undefined || schema === undefined) return [];
    return unspecifiedMembers(schema).map(({ name, value, other }) => ({
      operation,
      name,
      none: value,
      other,
    }));
  });
}

/** Mutations of values that stand for none (AIP-126). */
const unspecifiedMutants: readonly Mutator[] = [
  mutant('takes-unspecified', {
    rule: 'A create takes the value that stands for none in a required member.',
    where: required,
    says: ({ none }) => `takes ${none}, where a value is required`,
    request: (request, { name, none, other }) =>
      editJson(request, (body) =>
        isJsonObject(body) && body[name] === none ? { ...body, [name]: other } : undefined,
      ),
  }),
];
