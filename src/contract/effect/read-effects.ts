import { suggestWord, VouchError } from '../../errors.ts';
import { joinPointer } from '../../json/pointer.ts';
import { plainName, singularOf } from '../infer/infer-names.ts';
import {
  collectionPathOf,
  lastParameter,
  lastWord,
  pathKey,
} from '../infer/conventions/path-styles.ts';
import { isLogin } from '../infer/infer-logins.ts';
import { recordSchema } from '../infer/infer-resource.ts';
import type { Effect, EffectReading } from '../model/operation.ts';
import { bodySchema, effectNamed, effects } from '../model/operation.ts';
import type { Inference, Operation, Placement, Contract } from '../model.ts';
import {
  effectOfVerb,
  type EffectWords,
  findEffectWords,
  findStrongWords,
  findWholeService,
  saysCreate,
  saysMany,
  saysRead,
} from '../words/effect-words.ts';
import { whyParameterActs } from '../words/acting-parameters.ts';
import { findOwnCredential } from '../words/own-credential.ts';
import { SafeMethods } from './safe-methods.ts';

/** The part of a contract from which effects are read. */
export type EffectSource = Pick<Contract, 'operations' | 'inference' | 'locate'>;

/**
 * Reads the effect of every operation from method, path, words and resources; `x-vouch-effect`
 * overrides it. Throws a VouchError ('contract-invalid') if that is not an effect.
 */
export function readEffects(source: EffectSource): ReadonlyMap<Operation, EffectReading> {
  const paths = new PathIndex(source.operations, source.inference);
  const safe = new SafeMethods(source.operations);
  return new Map(
    source.operations.map((operation) => [
      operation,
      saidByContract(operation, source) ?? infer(operation, { ...source, paths, safe }),
    ]),
  );
}

function saidByContract(operation: Operation, { locate }: EffectSource): EffectReading | undefined {
  const said = operation.extensions['x-vouch-effect'];
  if (said === undefined) return undefined;
  const effect = typeof said === 'string' ? effectNamed(said) : undefined;
  if (effect !== undefined) {
    return { operation, effect, source: 'contract', why: 'x-vouch-effect says so' };
  }
  throw new VouchError(
    'contract-invalid',
    `${operation.id} has an x-vouch-effect that is not one.`,
    {
      hint: typeof said === 'string' ? suggestWord(said, effects) : `Use ${effects.join(', ')}.`,
      place: locate(joinPointer(operation.pointer, 'x-vouch-effect')),
    },
  );
}

/** What the paths of a contract show about each other. */
class PathIndex {
  readonly #collections: ReadonlySet<string>;
  readonly #byPath: ReadonlyMap<string, readonly Operation[]>;
  readonly #inference: Inference;

  constructor(operations: readonly Operation[], inference: Inference) {
    const items = operations.filter(({ path }) => lastParameter(path) !== undefined);
    this.#collections = new Set(items.map(({ path }) => pathKey(collectionPathOf(path))));
    this.#byPath = Map.groupBy(operations, ({ path }) => pathKey(path));
    this.#inference = inference;
  }

  /** Whether a path leads to several records: it has items, or its GET lists records. */
  isCollection(path: string): boolean {
    const read = this.readOf(path);
    const placement = read && this.#inference.placementOf(read);
    const lists = placement?.kind === 'resource' && placement.action === 'list';
    return lists || this.#collections.has(pathKey(path));
  }

  /** The GET on a path. */
  readOf(path: string): Operation | undefined {
    return this.#byPath.get(pathKey(path))?.find(({ method }) => method === 'GET');
  }

  has(path: string): boolean {
    return this.#byPath.has(pathKey(path));
  }
}

interface Context extends EffectSource {
  readonly paths: PathIndex;
  readonly safe: SafeMethods;
}

type Inferred = readonly [effect: Effect, why: string];

function infer(operation: Operation, context: Context): EffectReading {
  const [effect, why] = inferredEffect(operation, context);
  const reading: EffectReading = { operation, effect, source: 'inferred', why };
  if (effect !== 'reads' || operation.method === 'POST') return reading;
  const acting = operation.parameters.flatMap((parameter) => {
    const clause = parameter.in === 'query' ? whyParameterActs(parameter) : undefined;
    return clause === undefined ? [] : [{ parameter, clause }];
  });
  const required = acting.find(({ parameter }) => parameter.required);
  if (required !== undefined) return { ...reading, effect: 'acts', why: required.clause };
  return acting.length === 0
    ? reading
    : { ...reading, acting: new Map(acting.map((each) => [each.parameter.name, each.clause])) };
}

function inferredEffect(operation: Operation, context: Context): Inferred {
  const words = findEffectWords(operation);
  switch (operation.method) {
    case 'GET':
    case 'HEAD':
    case 'OPTIONS':
      return ofSafe(operation, context.safe);
    case 'TRACE':
      return ['reads', 'it is a TRACE'];
    case 'QUERY':
      return ofQuery(operation);
    default:
      // What stands below a record touches that record, and no other.
      return words?.kind === 'many' && namedBy(operation.path) !== 'record before'
        ? ['sweeps', words.why]
        : ofUnsafe(operation, words, context);
  }
}

function ofUnsafe(
  operation: Operation,
  words: EffectWords | undefined,
  context: Context,
): Inferred {
  const credential = isOfCaller(operation, context) ? findOwnCredential(operation) : undefined;
  if (credential !== undefined) return ['sweeps', `${credential}, and it may be the caller’s own`];
  switch (operation.method) {
    case 'DELETE':
      return ofDelete(operation, context);
    case 'PUT':
    case 'PATCH':
      return ofChange(operation, words, context);
    default:
      return ofPost(operation, words, context);
  }
}

/** Whether an operation may concern its caller: it names no record, and makes none to delete. */
function isOfCaller(operation: Operation, { inference, paths }: Context): boolean {
  if (namedBy(operation.path) !== 'no record') return false;
  const placement = inference.placementOf(operation);
  if (placement?.kind === 'resource' && placement.resource.operations.delete !== undefined)
    return false;
  return !isLogin(operation, (path) => paths.isCollection(path));
}

function ofSafe(operation: Operation, safe: SafeMethods): Inferred {
  const strong = findStrongWords(operation);
  if (strong !== undefined) return ['sweeps', `it is a ${operation.method}, but ${strong.why}`];
  const { reads, why, verb = '' } = safe.read(operation);
  return [reads ? 'reads' : effectOfVerb(verb), why];
}

/** A QUERY is safe by its definition (draft-ietf-httpbis-safe-method-w-body, section 2). */
function ofQuery(operation: Operation): Inferred {
  const strong = findStrongWords(operation);
  return strong === undefined
    ? ['reads', 'it is a QUERY']
    : ['sweeps', `it is a QUERY, but ${strong.why}`];
}

/** What a path names: its last segment a record, an earlier one a record to act on, or none. */
function namedBy(path: string): 'item' | 'record before' | 'no record' {
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.at(-1)?.includes('{') === true) return 'item';
  return segments.some((segment) => segment.includes('{')) ? 'record before' : 'no record';
}

function ofDelete({ path, wire }: Operation, { paths }: Context): Inferred {
  const word = lastWord(path);
  // The query names the record: a service that overlooks it removes every one.
  if (wire?.method === 'DELETE' && !wire.path.includes('{'))
    return ['sweeps', 'it is a DELETE on a collection'];
  switch (namedBy(path)) {
    case 'item':
      // `/things/by-owner/{owner}` names an owner, and deletes that owner's things.
      if (/^by([-_A-Z]|$)|(By|_by|-by)[A-Z_-]/.test(word))
        return ['sweeps', `its path says "${word}"`];
      return ['deletes one', 'it is a DELETE on the path of one record'];
    case 'record before':
      return ['acts on one', 'it is a DELETE on something below one record'];
    case 'no record':
      return paths.isCollection(path)
        ? ['sweeps', 'it is a DELETE on a collection']
        : ['sweeps', 'it is a DELETE on a path that names no record'];
  }
}

function ofChange(
  operation: Operation,
  words: EffectWords | undefined,
  context: Context,
): Inferred {
  const { method, path } = operation;
  switch (namedBy(path)) {
    case 'item':
      return ['changes one', `it is a ${method} on the path of one record`];
    case 'record before':
      return ['acts on one', `it is a ${method} on something below one record`];
    case 'no record':
      if (words?.kind === 'destroys' || words?.kind === 'switches') return ['sweeps', words.why];
      if (isReplaceByBody(context.inference.placementOf(operation), path)) {
        return ['changes one', `it is a ${method} that names the record in its body`];
      }
      return context.paths.isCollection(path)
        ? ['sweeps', `it is a ${method} on a collection`]
        : ['changes one', `it is a ${method} on a path that has one record`];
  }
}

function isReplaceByBody(placement: Placement | undefined, path: string): boolean {
  return (
    placement?.kind === 'resource' &&
    placement.resource.byValue.some(
      ({ operation, action }) => action === 'replace' && operation.path === path,
    )
  );
}

function ofPost(operation: Operation, words: EffectWords | undefined, context: Context): Inferred {
  const { path } = operation;
  const placement = context.inference.placementOf(operation);
  const role = placement?.kind === 'resource' ? placement.action : undefined;
  switch (namedBy(path)) {
    case 'item':
      if (placement?.kind === 'named-create')
        return ['creates one', 'it is a POST on the path of a record that it creates'];
      if (role === 'update') return ['changes one', 'it is a POST on the path of one record'];
      if (words?.kind === 'destroys')
        return ['deletes one', `${words.why}, and it names one record`];
      return ['acts on one', 'it is a POST on the path of one record'];
    case 'record before':
      return ofPostBelow(operation, { words, role }, context);
    case 'no record':
      return ofPostAlone(operation, { words, placement }, context);
  }
}

interface Said {
  readonly words: EffectWords | undefined;
}

/** `/things/{id}/cancel` acts on a thing; `/things/{id}/parts` creates a part. */
function ofPostBelow(
  operation: Operation,
  { words, role }: Said & { readonly role: string | undefined },
  { paths }: Context,
): Inferred {
  const { path } = operation;
  if (role === 'create') return ['creates one', 'it is a POST on a collection below one record'];
  if (looksThrough(operation, paths))
    return ['reads', 'it is a POST, and its name says that it only looks'];
  if (words?.kind === 'destroys' || words?.kind === 'switches' || words?.kind === 'many')
    return ['acts on one', `${words.why}, and it names one record`];
  return paths.isCollection(path)
    ? ['creates one', 'it is a POST on a collection below one record']
    : ['acts on one', 'it is a POST on a path below one record'];
}

function ofPostAlone(
  operation: Operation,
  { words, placement }: Said & { readonly placement: Placement | undefined },
  context: Context,
): Inferred {
  if (words?.kind === 'destroys') return ['sweeps', words.why];
  return ofPlacedCreate(placement) ?? ofUnplacedPost(operation, words, context);
}

function ofPlacedCreate(placement: Placement | undefined): Inferred | undefined {
  if (placement?.kind === 'bulk' && placement.action.does === 'create')
    return ['creates one', 'it adds several records'];
  if (placement?.kind === 'bulk' && placement.action.does === 'update')
    return ['sweeps', 'it changes the records that its body names'];
  if (placement?.kind === 'resource' && placement.action === 'create')
    return ['creates one', 'it is a POST on a collection'];
  return undefined;
}

function ofUnplacedPost(
  operation: Operation,
  words: EffectWords | undefined,
  { paths, safe }: Context,
): Inferred {
  const { path } = operation;
  if (words?.kind === 'switches') return ['sweeps', words.why];
  if (isStartOfPair(path, paths)) return ['sweeps', 'its path has a counterpart that stops it'];
  if (saysMany(lastWord(path))) return ['sweeps', `its path says "${lastWord(path)}"`];
  if (words?.kind === 'changes' && !saysCreate(operation) && !looksThrough(operation, paths)) {
    return ['changes one', `${words.why}, and its path names no record`];
  }
  if (isSetting(path, paths)) {
    return ['changes one', 'it is a POST on a path whose GET shows one record'];
  }
  if (saysRead(operation)) return ['reads', 'it is a POST, and its name says that it only looks'];
  const whole = findWholeService(path);
  if (whole !== undefined) return ['sweeps', `its path says "${whole}", and names no record`];
  if (saysCreate(operation))
    return ['creates one', 'it is a POST, and its name says that it creates'];
  return ofUnknownPost(operation, { paths, safe });
}

/** Whether a POST only looks through a collection, whose name has a verb: `/block_types/filter`. */
function looksThrough(operation: Operation, paths: PathIndex): boolean {
  const above = operation.path.replace(/\/[^/]+\/?$/, '');
  return (
    saysRead(operation) &&
    paths.isCollection(above) &&
    findEffectWords({ ...operation, path: `/${lastWord(operation.path)}` }) === undefined
  );
}

/** A POST whose words show nothing. */
function ofUnknownPost(
  operation: Operation,
  { paths, safe }: Pick<Context, 'paths' | 'safe'>,
): Inferred {
  const { path } = operation;
  const read = paths.readOf(path);
  if (read !== undefined && !paths.isCollection(path) && asksTheSame(operation, read))
    return ['reads', 'it is a POST with the parameters of the GET on its path'];
  return safe.hasVerbalPaths
    ? ['sweeps', `nothing shows what "${lastWord(path)}" does, and it names no record`]
    : ['acts', 'it is a POST that names no record'];
}

/** Whether a POST takes the same values as a GET: as parameters, or as members of a form. */
function asksTheSame(post: Operation, get: Operation): boolean {
  const wanted = namesOf(get);
  const given = namesOf(post);
  return (
    wanted.size > 0 && wanted.size === given.size && [...wanted].every((name) => given.has(name))
  );
}

/** The names of the query parameters and of the members of the body of an operation. */
function namesOf(operation: Operation): ReadonlySet<string> {
  const asked = operation.parameters.filter(({ in: location }) => location === 'query');
  const members = bodySchema(operation)?.flatten().properties.keys() ?? [];
  return new Set([...asked.map(({ name }) => name), ...members]);
}

/** Whether a path has one record for the whole service, such as `/settings`, and not a list. */
function isSetting(path: string, paths: PathIndex): boolean {
  const read = paths.readOf(path);
  if (read === undefined || paths.isCollection(path) || recordSchema(read) === undefined)
    return false;
  const word = lastWord(path);
  return settingWords.test(word) || !isPlural(word.replace(/\.[a-z]+$/, ''));
}

const settingWords =
  /(settings|preferences|options|properties|permissions|limits|defaults|features)$/i;

function isPlural(word: string): boolean {
  return singularOf(word) !== plainName(word);
}

/** `/recorder/start` beside `/recorder/stop` switches something for the whole service. */
function isStartOfPair(path: string, paths: PathIndex): boolean {
  const pairs = {
    start: ['stop', 'end', 'pause'],
    resume: ['pause', 'suspend', 'stop'],
    begin: ['end'],
  };
  const own = Object.entries(pairs).find(([word]) => path.endsWith(`/${word}`));
  if (own === undefined) return false;
  const [word, others] = own;
  return others.some((other) => paths.has(path.slice(0, -word.length) + other));
}
