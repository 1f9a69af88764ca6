import { parseMediaType } from '../../http/media-type.ts';
import type { Contract, Operation, Resource } from '../model.ts';
import { successResponses } from '../select-response.ts';

/** The records of a resource as CSV: a row for each. */
export interface RecordTable {
  readonly resource: Resource;
  /** The names of columns, where the contract shows the first line; otherwise empty. */
  readonly columns: readonly string[];
}

/**
 * The resource whose records a GET answers as CSV, at the path of their list or one word below it:
 * `/things.csv`, `/things/export`; undefined if it answers something else.
 */
export function tableOf(
  contract: Pick<Contract, 'resources'>,
  operation: Operation,
): RecordTable | undefined {
  if (operation.method !== 'GET' || !answersOnly(operation, 'text/csv')) return undefined;
  const base = operation.path.replace(/\.csv$|\/[^/{}.]+$/, '');
  const resource = contract.resources.find(
    ({ kind, collectionPath }) => kind === 'collection' && collectionPath === base,
  );
  return resource && { resource, columns: columnsOf(operation) };
}

/** Whether each success of an operation has one media type, and no other. */
function answersOnly(operation: Operation, expected: string): boolean {
  const content = successResponses(operation).flatMap((response) => response.content);
  return (
    content.length > 0 &&
    content.every(({ mediaType }) => parseMediaType(mediaType)?.essence === expected)
  );
}

/** The names of columns in the first line of an example. */
function columnsOf(operation: Operation): string[] {
  const [example] = successResponses(operation)
    .flatMap(({ content }) => content.flatMap(({ examples }) => examples))
    .map(({ value }) => value);
  const first = typeof example === 'string' ? example.split(/\r?\n/)[0] : undefined;
  return first?.includes(',') === true ? first.split(',').map((name) => name.trim()) : [];
}
