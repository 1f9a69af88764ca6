import { relationTo } from '../../plan/story.ts';
import { draftCase, draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { requestOf } from '../../plan/draft.ts';
import { makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { plainName, singularOf } from '../../../contract/infer/infer-names.ts';
import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { successSchema } from '../../../contract/infer/conventions/envelope-styles.ts';
import { check } from '../check.ts';
import { otherThanLinked } from './as-linked.ts';
import { planAffordances } from './plan-affordances.ts';
import { wrongShown } from './shown-links.ts';

/** Links of a record in HAL lead where they say, and agree with what its state allows. */
export const linksHold = check({
  id: 'links-hold',
  basis: 'inferred',
  severity: 'error',
  harm: 'results',
  rule:
    'Links of a record lead to what they name, and it embeds what belongs to it. Where its links ' +
    'show which operations its state allows, one with a link is accepted, one without refused.',
  reason:
    'A client in HAL offers its user what the links offer: a link too many is a button that ' +
    'fails, and an operation that is accepted without one is a rule that nobody keeps.',
  example: [
    '> GET /orders/7',
    '< {"status": "paid", "_links": {"self": {"href": "/orders/7"}}}',
    '> POST /orders/7/cancel   (refused with 409 for other orders without the link `cancel`)',
    '< 200 OK',
  ],
  confirm: 'again',
  plan: [
    { at: 'values', all: planEntryLinks },
    { at: 'stories', all: planAffordances },
  ],
  mutants: [async () => (await import('./hal-link-mutants.ts')).halLinkMutants],
  relations: { 'as-linked': otherThanLinked },
  inspect: wrongShown,
});

/**
 * The links of answers that are no records, such as an entry point in HAL: those that the contract
 * requires and whose relation names a collection are followed.
 */
function planEntryLinks(context: PlanContext): Sequence[] {
  return context.drafts.flatMap((entry) => {
    const { operation, names, role } = entry;
    if (operation.method !== 'GET' || names.length > 0 || role !== undefined) return [];
    const title = 'a plain request, to see its links';
    const cases = requiredLinks(operation).flatMap((relation) => {
      const list = context.contract.resources.find(
        ({ collectionPath, parents, operations }) =>
          parents.length === 0 &&
          operations.list !== undefined &&
          singularOf(plainName(lastWord(collectionPath))) === singularOf(plainName(relation)),
      )?.operations.list;
      const draft = draftOf(context, list);
      if (draft === undefined) return [];
      const expression = `$response.body#${joinPointer('/_links', relation, 'href')}`;
      return [
        makeCase({
          title: `the link ${relation} is followed`,
          phase: 'sequence',
          operation: draft.operation,
          request: {
            ...requestOf(draft, 'known'),
            address: { step: title, operation: operation.id, expression },
          },
          intent: relationTo(draft, { rule: 'leads', of: [title], field: relation }),
          optional: true,
        }),
      ];
    });
    const first = draftCase(entry, { title, record: 'known' });
    return cases.length === 0 ? [] : [makeSequence(first, ...cases)];
  });
}

/** The relations that the `_links` of an answer must have. */
function requiredLinks(operation: Parameters<typeof successSchema>[0]): string[] {
  const schema = successSchema(operation);
  const place = schema?.flatten().properties.get('_links');
  if (schema === undefined || place === undefined) return [];
  return [...schema.flatten(place).required];
}
