import type { Pointer } from '../../json/pointer.ts';
import { defined } from '../../json/value.ts';
import type { Case, RelationRule } from '../model/case.ts';
import type { Argument } from '../model/request-template.ts';
import type { Draft } from './draft.ts';
import { draftCase } from './plan-context.ts';

/** A plain request with some arguments, compared with earlier steps by their titles. */
export interface ComparedRequest {
  readonly title: string;
  readonly query: readonly Argument[];
  readonly of: readonly Pick<Case, 'title'>[];
  readonly rule: RelationRule;
  readonly at?: Pointer | undefined;
  readonly field?: string | undefined;
  readonly by?: number | undefined;
  readonly doubtful?: true | undefined;
}

/** A request of a known record, or of a list, that is compared with earlier steps. */
export function askCompared(
  draft: Draft,
  { title, query, of, ...relation }: ComparedRequest,
): Case {
  const titles = of.map((step) => step.title);
  return draftCase(draft, {
    title,
    record: 'known',
    extra: query,
    relation: { ...defined(relation), of: titles, rule: relation.rule },
  });
}
