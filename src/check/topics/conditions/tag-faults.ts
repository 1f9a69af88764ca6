import type { HeaderSpec, Operation } from '../../../contract/model.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { roleOf, type Step } from '../../model/step.ts';
import type { Violation } from '../../model/violation.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { isDone, isWeak, tagOf } from '../../reading/visible-change.ts';

/** A read of a record with a strong tag: what it shows is what the tag stands for. */
interface TaggedRead {
  readonly subject: CheckInput;
  readonly tag: string;
}

/**
 * What the tag of a read says that the steps before it contradict: the same one stood for other
 * content, or the answer to the last change had another one for the same content (RFC 9110,
 * sections 8.8 and 8.8.1).
 */
export function contradictedTag(subject: CheckInput): Violation[] {
  const tag = tagOf(subject);
  const isRead = roleOf(subject.contract, subject.operation)?.action === 'read';
  const isWhole = isRead && subject.exchange.response?.status === 200;
  if (tag === undefined || isWeak(tag) || !isWhole || subject.earlier.length === 0) return [];
  return [...sameForOther({ subject, tag }), ...otherForSame({ subject, tag })].slice(0, 1);
}

/** A tag that the record had before a change which its content shows. */
function sameForOther({ subject, tag }: TaggedRead): Violation[] {
  const { earlier } = subject;
  const before = earlier.findLastIndex(
    (step) =>
      step.case.operation === subject.operation &&
      isOfSameTarget(step, subject) &&
      step.exchange.response?.status === 200,
  );
  const former = earlier[before];
  const isChanged = earlier.slice(before + 1).some(changes);
  if (former === undefined || !isChanged || tagOf(former) !== tag) return [];
  if (equalJson(jsonOf(former.answer) ?? null, jsonOf(subject.answer) ?? null)) return [];
  return [
    {
      at: placeOf(subject.operation),
      message: `The ETag of a record stayed ${tag} when the record was changed.`,
      expected: 'another ETag',
      actual: tag,
      cause: 'tag stays',
      basis: 'protocol',
    },
  ];
}

/** Another tag than that of the answer to the change before, whose content is the same. */
function otherForSame({ subject, tag }: TaggedRead): Violation[] {
  const change = subject.earlier.findLast(changes);
  const told = change && tagOf(change);
  if (change === undefined || told === undefined || isWeak(told) || told === tag) return [];
  const shown = jsonOf(change.answer);
  const isSame = shown !== undefined && equalJson(shown, jsonOf(subject.answer) ?? null);
  if (!isSame || !isOfSameTarget(change, subject)) return [];
  return [
    {
      at: placeOf(subject.operation),
      message:
        `The answer to ${change.case.operation.id} has the ETag ${told}; the next read, which ` +
        `shows the same, has ${tag}.`,
      expected: tag,
      actual: told,
      cause: 'tag of an answer',
      basis: 'protocol',
    },
  ];
}

function placeOf(operation: Operation): Pointer {
  return tagHeader(operation)?.pointer ?? joinPointer(operation.pointer, 'responses');
}

/** The header in which an operation documents the tag of what it shows. */
export function tagHeader({ responses }: Operation): HeaderSpec | undefined {
  return responses
    .filter(({ status }) => status.startsWith('2'))
    .flatMap(({ headers }) => headers)
    .find(({ name }) => name.toLowerCase() === 'etag');
}

function changes(step: Step): boolean {
  return isDone(step) && !['GET', 'HEAD', 'OPTIONS'].includes(step.exchange.request.method);
}

function isOfSameTarget(one: Step, other: Step): boolean {
  return one.exchange.request.target === other.exchange.request.target;
}
