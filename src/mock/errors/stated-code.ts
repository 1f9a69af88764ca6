import { lastWord } from '../../contract/infer/conventions/path-styles.ts';
import { recordPlace } from '../../contract/infer/conventions/envelope-styles.ts';
import type { Contract, Operation, Resource } from '../../contract/model.ts';
import {
  argumentCode,
  type ArgumentProblem,
  isStatedCode,
} from '../../contract/words/argument-codes.ts';
import { unknownCode, unknownCodes } from '../../contract/words/error-codes.ts';
import { splitPointer } from '../../json/pointer.ts';
import type { Fault } from '../model/fault.ts';

/**
 * The code that the contract states for a fault of a call, whose refusals differ in their codes
 * alone. Undefined where a status tells refusals from successes, or if no text has one.
 */
export function statedCode(
  fault: Fault,
  operation: Operation | undefined,
  contract: Pick<Contract, 'description'>,
): string | undefined {
  if (operation?.verdict === undefined) return undefined;
  if (isStatedCode(contract, operation, fault.code)) return fault.code;
  const { cause, issues, missing } = fault;
  const [issue] = issues;
  if (cause === 'not-found') return missing && missingCode(operation, missing);
  if (cause === 'reference') return issue && unknownCode(operation, issue.name)?.code;
  if (!ofArguments.has(cause)) return undefined;
  const name = issue?.name.split(/[.[]/)[0] ?? '';
  return argumentCode(contract, operation, { name, problem: problemOf(issue?.rule ?? 'type') });
}

const ofArguments: ReadonlySet<Fault['cause']> = new Set([
  'path-value',
  'parameter-value',
  'body-missing',
  'body-unreadable',
  'body-value',
  'media-type',
]);

function problemOf(rule: string): ArgumentProblem {
  if (rule === 'required') return 'missing';
  if (/^min|^exclusiveMinimum$/.test(rule)) return 'short';
  if (/^max|^exclusiveMaximum$/.test(rule)) return 'long';
  return rule === 'type' ? 'type' : 'other';
}

/**
 * The code for a record that is not there: by a name of its resource; otherwise the only one that
 * no resource above it explains.
 */
function missingCode(operation: Operation, resource: Resource): string | undefined {
  const own = nounsOf(resource).flatMap((noun) => unknownCode(operation, noun)?.code ?? [])[0];
  if (own !== undefined) return own;
  const above = resource.parents.flatMap((parent) =>
    parent.resource === undefined ? [] : nounsOf(parent.resource),
  );
  const explained = above.map((noun) => unknownCode(operation, noun)?.code);
  const [left, ...others] = unknownCodes(operation).filter(({ code }) => !explained.includes(code));
  return others.length === 0 ? left?.code : undefined;
}

/** What the records of a resource are called: in its path, and where responses show them. */
function nounsOf({ collectionPath, operations, record, list }: Resource): string[] {
  const { create, read, update } = operations;
  const shown = [create, read, update].flatMap((operation) => {
    const place = operation && recordPlace(operation, record)?.at;
    return place === undefined ? [] : splitPointer(place).slice(-1);
  });
  return [lastWord(collectionPath), ...shown, ...splitPointer(list?.records ?? '').slice(-1)];
}
