import { sentForm } from '../../../contract/model/operation.ts';
import type { Operation, Parameter } from '../../../contract/model.ts';
import { documents } from '../../../contract/select-response.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { type Case, makeSequence, type Sequence } from '../../model/case.ts';
import type { Phase } from '../../model/phase.ts';
import type { Argument } from '../../model/request-template.ts';
import { conditionHeader, type ImpliedHeaders } from '../../plan/plan-cache.ts';
import type { Draft, RecordKind } from '../../plan/draft.ts';
import { draftCase, type PlanContext } from '../../plan/plan-context.ts';

/** Every read that documents 304, twice: the second time with the ETag of the first response. */
export function planConditionalReads({ drafts, cache }: PlanContext): Sequence[] {
  const phase = 'boundary';
  return drafts
    .filter(({ operation }) => sentForm(operation).method === 'GET')
    .flatMap((draft): Sequence[] => {
      const tagged = taggedRead(draft, cache.impliedHeaders, {
        title: 'If-None-Match is the ETag that the answer just had',
        phase,
        record: 'known',
        which: 'last',
        expected: 'unchanged',
      });
      if (tagged === undefined) return [];
      const title = 'a plain request, to see the ETag';
      return [makeSequence(draftCase(draft, { title, phase, record: 'known' }), tagged)];
    });
}

/** Which record is read, with which of its earlier ETags, and the expected outcome. */
export interface TaggedRead {
  readonly title: string;
  readonly phase: Phase;
  readonly record: RecordKind;
  readonly which: 'first' | 'last';
  readonly expected: 'unchanged' | 'changed';
}

/**
 * A read whose If-None-Match is an ETag of an earlier response to it in the sequence; undefined if
 * the operation documents no 304, or does not take the header.
 */
export function taggedRead(
  read: Draft,
  implied: ImpliedHeaders,
  { title, phase, record, which, expected }: TaggedRead,
): Case | undefined {
  const { operation } = read;
  const parameter = documents(operation, '304')
    ? conditionHeader(operation, 'If-None-Match', implied)
    : undefined;
  if (parameter === undefined) return undefined;
  return draftCase(read, {
    title,
    phase,
    record,
    extra: [tagArgument(parameter, operation, which)],
    intent: {
      kind: 'condition',
      at: joinPointer(operation.pointer, 'responses', '304'),
      wanted: expected,
    },
    optional: true,
  });
}

/** The ETag of the last response to a read, or of the first one, which may be stale by now. */
export function tagArgument(
  parameter: Parameter,
  read: Operation,
  which: 'last' | 'first',
): Argument {
  return {
    parameter,
    source: {
      kind: 'link',
      operation: read.id,
      expression: '$response.header.ETag',
      ...(which === 'first' ? { first: true } : {}),
    },
  };
}
