import { methods, type Contract, type Operation } from '../../contract/model.ts';
import { nameOperation } from './finding.ts';
import { nearestWord, suggestId, suggestWord, usage, type VouchError } from '../../errors.ts';

type Matches = (operation: Operation) => boolean;

/**
 * The ids of the operations that match selectors, in the order of the contract: an operation's id,
 * `tag:pets`, a path (`/pets/{petId}`, `/pets/*` for one segment, `/pets/**` for it and all below),
 * a method (`GET`), or both (`GET /pets/**`). Throws a VouchError for a selector that matches none,
 * with the nearest one that does.
 */
export function chooseOperations({ operations }: Contract, selectors: readonly string[]): string[] {
  const chosen = new Set<Operation>();
  for (const selector of selectors) {
    const found = operations.filter(readSelector(selector, operations));
    if (found.length === 0) throw nothingMeant(selector, operations);
    for (const operation of found) chosen.add(operation);
  }
  return operations.filter((operation) => chosen.has(operation)).map(({ id }) => id);
}

function readSelector(selector: string, operations: readonly Operation[]): Matches {
  // An id comes first, even if it looks like another selector: operations without an id get `GET
  // /pets`.
  if (operations.some(({ id }) => id === selector)) return ({ id }) => id === selector;
  if (selector.startsWith('tag:'))
    return ({ tags }) => tags.includes(selector.slice('tag:'.length));
  const [, method, path] = /^(?:([A-Za-z]+)(?: +|$))?(\/.*)?$/.exec(selector) ?? [];
  if (path !== undefined) {
    const pattern = readPath(path);
    return (operation) =>
      pattern.test(nameOperation(operation).path) &&
      (method === undefined || nameOperation(operation).method === method.toUpperCase());
  }
  return (operation) =>
    method !== undefined &&
    isMethod(method) &&
    nameOperation(operation).method === method.toUpperCase();
}

function isMethod(word: string): boolean {
  return (methods as readonly string[]).includes(word.toUpperCase());
}

/** `*` matches one segment or a part of it, `/**` at the end any number of segments, or none. */
function readPath(path: string): RegExp {
  const below = path.endsWith('/**');
  const written = (below ? path.slice(0, -'/**'.length) : path)
    .split('**')
    .map((part) => part.split('*').map(escape).join('[^/]*'));
  return new RegExp(`^${written.join('.*')}${below ? '(?:/.*)?' : ''}$`);
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function nothingMeant(selector: string, operations: readonly Operation[]): VouchError {
  if (selector.startsWith('tag:')) {
    const tags = [...new Set(operations.flatMap((operation) => operation.tags))].map(
      (tag) => `tag:${tag}`,
    );
    return usage(`No operation has the tag ${selector.slice('tag:'.length)}.`, {
      hint: suggestWord(selector, tags),
    });
  }
  if (selector.includes('/'))
    return usage(`No operation is at ${selector}.`, { hint: suggestPath(selector, operations) });
  if (isMethod(selector))
    return usage(`No operation of the contract is a ${selector.toUpperCase()}.`, {
      hint: suggestWord(selector, [...new Set(operations.map(({ method }) => method))]),
    });
  const words = [
    ...operations.map(({ id }) => id),
    ...methods,
    ...new Set(operations.flatMap(({ tags }) => tags.map((tag) => `tag:${tag}`))),
  ];
  const other =
    'Name an operation by its id, a tag (tag:users), a path (/users/**) or a method (GET).';
  const nearest =
    nearestWord(selector, words) ??
    operations.flatMap(({ tags }) => tags).find((tag) => tag === selector);
  const meant = nearest === selector ? `tag:${selector}` : nearest;
  return usage(`There is no operation ${selector}.`, {
    hint:
      meant === undefined
        ? operations.length > 20
          ? other
          : suggestId(selector, operations)
        : `Did you mean ${meant}?`,
  });
}

function suggestPath(selector: string, operations: readonly Operation[]): string {
  const path = selector.slice(selector.indexOf('/'));
  const nearest = nearestWord(
    path.replaceAll(/\/?\*+$/g, ''),
    operations.map((operation) => operation.path),
  );
  return nearest === undefined
    ? 'Write a path as the contract has it, such as /users/{userId}, or /users/** ' +
        'for it and all below.'
    : `Did you mean ${nearest}?`;
}
