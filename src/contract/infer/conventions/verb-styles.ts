import type { Operation } from '../../model/operation.ts';
import type { ResourceAction } from '../../model/resource.ts';
import { plainName, singularOf, wordsOf } from '../infer-names.ts';
import { type Convention, plainPath } from './path-styles.ts';

/** A path that contains a verb, split into its parts. */
export interface VerbReading {
  /** The path of the collection, or of an item, without the verb. */
  readonly path: string;
  readonly verb: string;
}

/** A way of writing a verb into a path. */
export interface VerbStyle extends Convention {
  /** The path without its verb; undefined if it does not use this style. Takes plain paths. */
  split(path: string): VerbReading | undefined;
}

/** The verbs of each action in comparable form: lower case, letters only. */
const verbs: Readonly<Record<ResourceAction, readonly string[]>> = {
  list: ['list', 'listall', 'getall', 'all', 'index'],
  read: ['get', 'read', 'show', 'view', 'fetch', 'retrieve', 'info', 'details', 'describe'],
  create: ['create', 'add', 'insert', 'register', 'new'],
  replace: ['replace', 'put'],
  update: ['update', 'edit', 'modify', 'change', 'patch', 'set'],
  delete: ['delete', 'remove', 'destroy', 'del'],
};

const actionOfVerb: ReadonlyMap<string, ResourceAction> = new Map(
  // `Object.entries` loses the type of the keys.
  (Object.entries(verbs) as [ResourceAction, readonly string[]][]).flatMap(([action, words]) =>
    words.map((word) => [word, action] as const),
  ),
);

/** What a verb in the name of a call does to a record; undefined if it is in no list. */
export function actionOfWord(verb: string): ResourceAction | undefined {
  return actionOfVerb.get(plainName(verb));
}

/** The positions of verbs in paths. */
export const verbStyles: readonly VerbStyle[] = [
  {
    id: 'verb.segment',
    reason: 'A verb between the collection and the identifier, or at the end, says what is done.',
    examples: ['/things/get/{id}', '/things/list', '/things/{id}/delete'],
    split(path) {
      const before = /^(.*\/[^/{}]+)\/([^/{}]+)(\/\{[^{}]+\})$/.exec(path);
      if (before !== null && isVerb(before[2]) && isNoun(lastOf(before[1])))
        return { path: `${before[1] ?? ''}${before[3] ?? ''}`, verb: before[2] ?? '' };
      const behind = /^(.*\/(?:[^/{}]+|\{[^{}]+\}))\/([^/{}]+)$/.exec(path);
      return behind !== null && isVerb(behind[2]) && isNoun(lastOf(behind[1]))
        ? { path: behind[1] ?? '', verb: behind[2] ?? '' }
        : undefined;
    },
  },
  {
    id: 'verb.dotted',
    reason: 'A verb behind a dot is a method of the collection: Slack and other RPC services.',
    examples: ['/things.list', '/things.info', '/rpc/things.create'],
    split(path) {
      const [, collection, verb] = /^(.*\/[^/{}.]+(?:\.[^/{}.]+)*)\.([A-Za-z_]+)$/.exec(path) ?? [];
      return collection !== undefined && isVerb(verb)
        ? { path: collection, verb: verb ?? '' }
        : undefined;
    },
  },
  {
    id: 'verb.compound',
    reason: 'A verb and a noun in one word name the action and the kind of record.',
    examples: ['/create_thing', '/getThing/{id}', '/list-things'],
    split(path) {
      const [, before, name = '', item = ''] = /^(.*\/)([^/{}]+)(\/\{[^{}]+\})?$/.exec(path) ?? [];
      const [verb = '', ...noun] = wordsOf(name);
      return before !== undefined && noun.length > 0 && isVerb(verb)
        ? { path: `${before}${noun.join('_')}${item}`, verb }
        : undefined;
    },
  },
];

function isVerb(word: string | undefined): boolean {
  return word !== undefined && actionOfVerb.has(plainName(word));
}

/** `/v2/list` lists nothing of `v2`. */
function isNoun(segment: string): boolean {
  return !/^(v?\d+(\.\d+)*|api|rest|rpc)$/i.test(segment) && !isVerb(segment);
}

function lastOf(path: string | undefined): string {
  return path?.split('/').at(-1) ?? '';
}

/** What an operation with a verb in its path does, and the plain path on which it does it. */
export interface VerbOperation {
  readonly path: string;
  readonly action: ResourceAction;
  readonly convention: string;
}

interface Candidate extends VerbOperation {
  readonly operation: Operation;
  /** The collection, with the noun in the singular: `/get_thing` and `/list_things` share one. */
  readonly noun: string;
}

/**
 * The operations that a verb in the path describes, by operation. One verb is not enough evidence:
 * there must be two actions on one noun, or the noun must be a path of the contract. A path with
 * several methods is not a verb, nor is one that has an ordinary equivalent.
 */
export function readVerbs(operations: readonly Operation[]): ReadonlyMap<Operation, VerbOperation> {
  const methods = Map.groupBy(operations, ({ path }) => plainPath(path));
  const alone = operations.filter(({ path }) => methods.get(plainPath(path))?.length === 1);
  const candidates = alone.flatMap(readCandidate);
  const byNoun = Map.groupBy(candidates, ({ noun }) => noun);
  const plain = new Set(
    [...methods.keys()].filter((path) => candidates.every((one) => !isOf(one, path))),
  );
  return new Map(
    [...byNoun.values()].flatMap((group) => {
      const isKnown = group.some(({ path }) => plain.has(path) || plain.has(collectionOf(path)));
      const actions = new Set(group.map(({ action }) => action));
      if (actions.size < 2 && !isKnown) return [];
      const collection = nameCollection(group, plain);
      return group
        .filter((candidate) => !isTaken(candidate, methods))
        .map(
          ({ operation, path, action, convention }) =>
            [
              operation,
              { path: path.replace(collectionOf(path), collection), action, convention },
            ] as const,
        );
    }),
  );
}

function isOf({ operation }: Candidate, path: string): boolean {
  return plainPath(operation.path) === path;
}

function readCandidate(operation: Operation): Candidate[] {
  const path = plainPath(operation.path);
  for (const style of verbStyles) {
    const found = style.split(path);
    if (found === undefined) continue;
    const action = actionOf(found, operation);
    if (action === undefined) return [];
    const collection = collectionOf(found.path);
    const before = collection.slice(0, collection.lastIndexOf('/') + 1);
    const noun = before + singularOf(lastOf(collection));
    return [{ operation, path: found.path, action, convention: style.id, noun }];
  }
  return [];
}

function collectionOf(path: string): string {
  return path.replace(/\/\{[^{}/]+\}$/, '') || path;
}

/** The methods that request an action with a verb. RPC services use POST for everything. */
const methodsOf: Readonly<Record<ResourceAction, readonly string[]>> = {
  list: ['GET', 'POST'],
  read: ['GET', 'POST'],
  create: ['POST', 'PUT'],
  replace: ['POST', 'PUT'],
  update: ['POST', 'PUT', 'PATCH'],
  delete: ['DELETE', 'POST'],
};

function actionOf({ path, verb }: VerbReading, operation: Operation): ResourceAction | undefined {
  const said = actionOfVerb.get(plainName(verb));
  if (said === undefined || !methodsOf[said].includes(operation.method)) return undefined;
  const isItem = collectionOf(path) !== path;
  if (isItem) return said === 'list' || said === 'create' ? undefined : said;
  // `/get_things` is a list if the noun is plural and no parameter names one record.
  const isPlural = singularOf(lastOf(path)) !== plainName(lastOf(path));
  return said === 'read' && isPlural && !namesOne(operation) ? 'list' : said;
}

function namesOne({ parameters, requestBody }: Operation): boolean {
  const names = [
    ...parameters.flatMap((parameter) => (parameter.in === 'query' ? parameter.name : [])),
    ...(requestBody?.content ?? []).flatMap(({ schema }) => [
      ...(schema?.flatten().properties.keys() ?? []),
    ]),
  ];
  return names.some((name) => /^(id|uuid|key|slug|name)$|([a-z_]id|Id|ID)$/.test(name));
}

/** The path of the collection as most of its operations write it, in the plural if one does. */
function nameCollection(group: readonly Candidate[], plain: ReadonlySet<string>): string {
  const names = [...new Set(group.map(({ path }) => collectionOf(path)))];
  return (
    names.find((name) => plain.has(name)) ??
    names.find((name) => singularOf(lastOf(name)) !== plainName(lastOf(name))) ??
    names[0] ??
    ''
  );
}

const ordinary: Readonly<Record<ResourceAction, readonly string[]>> = {
  list: ['GET'],
  read: ['GET'],
  create: ['POST'],
  replace: ['PUT'],
  update: ['PATCH', 'PUT'],
  delete: ['DELETE'],
};

/** Whether an ordinary path and method do the same: `POST /things/{id}/delete` beside DELETE. */
function isTaken(
  { path, action }: Candidate,
  methods: ReadonlyMap<string, readonly Operation[]>,
): boolean {
  return (methods.get(path) ?? []).some(({ method }) => ordinary[action].includes(method));
}
