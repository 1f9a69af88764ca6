import type { Contract, Operation } from '../../contract/model.ts';
import { matchesMediaRange } from '../../http/media-type.ts';
import { readTemplate } from '../../contract/path-template.ts';

/**
 * The operation whose requests are the same as those of another one after it: documents write a
 * fragment behind a path to have it twice, and a fragment is never sent (RFC 9110, section 7.1).
 * Nobody can say which of both an answer belongs to.
 */
export function sameRequestAs(contract: Contract, operation: Operation): Operation | undefined {
  const known = firsts.get(contract) ?? findFirsts(contract);
  firsts.set(contract, known);
  return known.get(operation);
}

const firsts = new WeakMap<Contract, ReadonlyMap<Operation, Operation>>();

function findFirsts({ operations }: Contract): Map<Operation, Operation> {
  const groups = Map.groupBy(operations, wireKey);
  return new Map(
    [...groups.values()]
      .filter((group) => group.length > 1)
      .flatMap((group) =>
        group.flatMap((operation, index) => {
          const first = isMarked(operation)
            ? undefined
            : group
                .slice(0, index)
                .find((earlier) => !isMarked(earlier) && sharesBody(earlier, operation));
          return first === undefined ? [] : [[operation, first] as const];
        }),
      ),
  );
}

/** What of a request line does not depend on values. */
function wireKey({ method, path, servers, ownServers }: Operation): string {
  const sent = path.split('#', 1)[0] ?? '';
  return [
    method,
    ownServers ? (servers[0]?.url ?? '') : '',
    sent.replaceAll(/\{[^{}]*\}/g, '{}'),
  ].join(' ');
}

/** Whether what stands behind the path is sent too, because parameters of these names carry it. */
function isMarked({ path, parameters }: Operation): boolean {
  const { conditions } = readTemplate(
    path.slice(path.indexOf('#') === -1 ? path.length : path.indexOf('#')),
  );
  return (
    conditions.length > 0 &&
    conditions.every(({ name }) =>
      parameters.some(
        (parameter) => parameter.required && parameter.name.toLowerCase() === name.toLowerCase(),
      ),
    )
  );
}

/** Whether one body could be meant for both. */
function sharesBody({ requestBody: left }: Operation, { requestBody: right }: Operation): boolean {
  if (left === undefined || right === undefined) return left === right;
  return left.content.some(({ mediaType }) =>
    right.content.some(
      (other) =>
        matchesMediaRange(mediaType, other.mediaType) ||
        matchesMediaRange(other.mediaType, mediaType),
    ),
  );
}
