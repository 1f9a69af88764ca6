import { successSchema } from '../../../contract/infer/conventions/envelope-styles.ts';
import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { plainName, singularOf } from '../../../contract/infer/infer-names.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import { requestOf } from '../../plan/draft.ts';
import { draftCase, draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { relationTo } from '../../plan/story.ts';

/**
 * The links of answers that are no records, such as an entry point in HAL: those that the contract
 * requires and whose relation names a collection are followed.
 */
export function planEntryLinks(context: PlanContext): Sequence[] {
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
  return [...schema.flatten(place.node, place.pointer).required];
}
