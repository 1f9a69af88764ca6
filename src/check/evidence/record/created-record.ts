import type { Operation, Resource } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/status.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { roleOf, type Step } from '../../model/step.ts';
import { createdIdentifier } from './created-identifier.ts';

/** A record that an earlier step of a sequence created. */
export interface CreatedEarlier {
  readonly resource: Resource;
  readonly step: Step;
  readonly identifier: JsonValue;
}

/**
 * The record that the sequence created last, unless a later step replaced, updated or deleted it.
 */
export function unchangedCreated(subject: CheckInput): CreatedEarlier | undefined {
  const created = createdEarlier(subject);
  if (created === undefined) return undefined;
  const { replace, update, delete: remove } = created.resource.operations;
  return subject.earlier.some((step) => [replace, update, remove].includes(step.case.operation))
    ? undefined
    : created;
}

function createdEarlier({ contract, operation, earlier }: CheckInput): CreatedEarlier | undefined {
  if (earlier.length === 0) return undefined;
  const resource = roleOf(contract, operation)?.resource;
  if (resource === undefined) return undefined;
  const step = earlier.findLast(
    (candidate) =>
      candidate.case.operation === resource.operations.create &&
      isSuccess(candidate.exchange.response?.status ?? 0),
  );
  const identifier = step && createdIdentifier(resource, step.answer, step.exchange.response);
  return step === undefined || identifier === undefined
    ? undefined
    : { resource, step, identifier };
}

/**
 * Whether a list is asked for only to find a new record: its parameters have cases of their own,
 * which tell more when they are refused.
 */
export function isLookup(subject: CheckInput): boolean {
  return (
    roleOf(subject.contract, subject.operation)?.action === 'list' &&
    createdEarlier(subject) !== undefined
  );
}

/**
 * The names of what a path says already: a body that says something else of it is free to be
 * overruled, or refused.
 */
export function namesInPath(...operations: readonly Operation[]): string[] {
  return operations.flatMap(({ parameters }) =>
    parameters.flatMap((parameter) => (parameter.in === 'path' ? parameter.name : [])),
  );
}

/**
 * Whether another create got the identifier of the record too: then nothing else that is seen of it
 * proves anything.
 */
export function wasCreatedTwice(subject: CheckInput): boolean {
  const created = createdEarlier(subject);
  const creators =
    created &&
    subject.knowledge.creators.get(`${created.resource.name} ${String(created.identifier)}`);
  return (creators?.length ?? 0) > 1;
}
