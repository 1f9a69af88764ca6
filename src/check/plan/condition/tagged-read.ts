import { documents } from '../../../contract/select-response.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { type Case, makeCase } from '../../model/case.ts';
import type { Phase } from '../../model/phase.ts';
import { type Draft, type RecordKind, requestOf } from '../draft.ts';
import { conditionHeader } from '../draft/condition-header.ts';
import { tagArgument } from './tag-argument.ts';

/**
 * Which record is read, with which of the ETags that it was read with before, and what that has to
 * lead to.
 */
export interface TaggedRead {
  readonly title: string;
  readonly phase: Phase;
  readonly record: RecordKind;
  readonly which: 'first' | 'last';
  readonly wanted: 'unchanged' | 'changed';
}

/**
 * A read whose If-None-Match is an ETag that it was answered with earlier in the sequence;
 * undefined where it documents no 304, or takes no such field.
 */
export function taggedRead(
  read: Draft,
  { title, phase, record, which, wanted }: TaggedRead,
): Case | undefined {
  const { operation } = read;
  const parameter = documents(operation, '304')
    ? conditionHeader(operation, 'If-None-Match')
    : undefined;
  if (parameter === undefined) return undefined;
  return makeCase({
    title,
    phase,
    operation,
    request: requestOf(read, record, { extra: [tagArgument(parameter, operation, which)] }),
    intent: { kind: 'condition', at: joinPointer(operation.pointer, 'responses', '304'), wanted },
    optional: true,
  });
}
