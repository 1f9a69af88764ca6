import { plainName, singularOf, wordsOf } from '../infer/infer-names.ts';
import { plainPath } from '../infer/conventions/path-styles.ts';
import { contentForm } from '../../http/media-type.ts';
import type { LocatedNode, Operation, Schema } from '../model.ts';
import {
  actingVerb,
  firstWordsAbout,
  isActing,
  isParticiple,
  isReading,
  methodWords,
  namesAnotherVerb,
  saysAs,
  saysReading,
} from '../words/effect-words.ts';
import { verbalityOf } from '../words/verbality.ts';

/** Whether a request with a safe method only reads; `why` is a clause. */
export interface SafeReading {
  readonly reads: boolean;
  readonly why: string;
  /** The verb by which it acts. */
  readonly verb?: string;
}

/**
 * Tells which operations with a safe method do more than read. RFC 9110, section 9.2.1, promises
 * that they only read, and that holds unless the document shows the opposite: by its explanation,
 * or by the verb in a name, which weighs more where most names of the document begin with a verb.
 */
export class SafeMethods {
  readonly #nouns: ReadonlySet<string>;
  /** Whether most paths end with a verb and its object. */
  readonly hasVerbalPaths: boolean;
  /** Whether most paths end with a verb, with its object or behind it. */
  readonly #hasVerbsAtEnd: boolean;
  /** Whether most operationIds begin with a verb. */
  readonly #hasVerbalIds: boolean;

  constructor(operations: readonly Operation[]) {
    const ids = operations.flatMap(({ id }) => (id.includes(' ') ? [] : [methodWords(id)]));
    const ends = operations.map(({ path }) => endOf(path));
    this.#hasVerbalIds = mostOf(ids, isVerbal);
    this.hasVerbalPaths = mostOf(ends, ({ words }) => isVerbal(words));
    this.#hasVerbsAtEnd = mostOf(
      ends,
      ({ words, isAlone }) => isVerbal(words) || (!isAlone && words.length === 1 && isVerb(words)),
    );
    this.#nouns = nounsOf(operations);
  }

  /** Whether an operation with a safe method only reads. */
  read(operation: Operation): SafeReading {
    const { id, path, method } = operation;
    const end = endOf(path);
    const name = id.includes(' ') ? [] : withoutPath(methodWords(id), end.words);
    const is = `it is ${method === 'OPTIONS' ? 'an' : 'a'} ${method}`;
    if (this.#saysRead(name)) return { reads: true, why: `${is}, and its operationId is ${id}` };
    if (this.#saysRead(end.words) && !saysAs(operation, end.word))
      return { reads: true, why: `${is}, and its path says "${end.word}"` };
    const verb = actingVerb(operation, {
      names: [name[0], end.words[0]],
      end: end.words.at(-1) ?? '',
      showsData: whatIsShown(operation) === 'data',
    });
    if (verb !== undefined)
      return { reads: false, why: `${is}, but its explanation says "${verb}"`, verb };
    const { where, text } = firstWordsAbout(operation);
    if (saysReading(text) && !isActing(name[0] ?? '') && !this.#hasVerbsAtEnd)
      return { reads: true, why: `${is}, and its ${where} begins with "${text[0] ?? ''}"` };
    return this.#readCommand(operation, name, end) ?? { reads: true, why: is };
  }

  /** The command that a name of an operation is, if it is one. */
  #readCommand(
    operation: Operation,
    name: readonly string[],
    end: PathEnd,
  ): SafeReading | undefined {
    const { id, method } = operation;
    const is = `it is ${method === 'OPTIONS' ? 'an' : 'a'} ${method}, but`;
    const [idVerb = ''] = name;
    const [pathVerb = ''] = end.words;
    // `ask` on `/things` may be any verb: the path says what is shown.
    const isOfThings = !isActing(idVerb) && this.#isNoun(pathVerb);
    if (!isOfThings && this.#acts(name, operation, this.#hasVerbalIds))
      return { reads: false, why: `${is} its operationId is ${id}`, verb: idVerb };
    // `/user/mute` beside `/user/find` is a verb with its object before it.
    const words = end.isAlone || !this.#hasVerbsAtEnd ? end.words : [...end.words, ''];
    if (!isNamedByParameter(end) && this.#acts(words, operation, this.#hasVerbsAtEnd))
      return { reads: false, why: `${is} its path says "${end.word}"`, verb: pathVerb };
    const done = [name, wordsOf(operation.summary ?? '')].find((told) => isDoneTo(told, end));
    return done && { reads: false, why: `${is} it is called "${done.join(' ')}"`, verb: pathVerb };
  }

  /** Whether a name begins with a reading verb, or ends with one behind a noun: `pads.list`. */
  #saysRead(words: readonly string[]): boolean {
    const [first = '', ...rest] = words;
    if (namesAnotherVerb(words)) return false;
    if (isReading(first)) return !isPhrasal(words);
    const last = rest.at(-1) ?? '';
    // Generators put the method behind a path: `ordersIdShipGet`.
    return last !== 'get' && isReading(last) && (isPlural(first) || !isVerb([first]));
  }

  /**
   * Whether a name is a command. `hasVerbs`: where most names of the document begin with a verb, so
   * does this one unless its first word is known as a noun.
   */
  #acts(named: readonly string[], operation: Operation, hasVerbs: boolean): boolean {
    // `log-out` is `logout`.
    const joined = named.length === 2 && named[1] !== '' ? named.join('') : '';
    const words = isActing(joined) ? [joined] : named;
    const [first = ''] = words;
    if (this.#isNoun(first)) return false;
    const told = {
      first,
      isKnown: isActing(first),
      often: verbalityOf(first),
      shown: whatIsShown(operation),
      isAsked: operation.parameters.some(({ in: location }) => location === 'query'),
      hasVerbs,
      isBehindRecords: isBehindRecords(operation.path),
    };
    if (isReading(first)) return namesAnotherVerb(words) || (isPhrasal(words) && !mayBeNouns(told));
    return words.length === 1 ? isCommand(told) : this.#isCompoundCommand(words, told);
  }

  #isCompoundCommand(words: readonly string[], told: Told): boolean {
    const { first, isKnown, often, shown, hasVerbs } = told;
    if (isActingVerb(told)) return true;
    if (hasVerbs && (isKnown || often > 0)) return true;
    const isUnknown = hasVerbs && this.hasVerbalPaths && first.length > 2;
    if ((isKnown || often > 1 || isUnknown) && !mayBeNouns(told)) return true;
    return shown !== 'data' && isAlwaysVerb(words.at(-1) ?? '');
  }

  /** Whether the form of a word, or its use in the contract, shows that it is no command. */
  #isNoun(word: string): boolean {
    const one = singularOf(word);
    const isUsed = !isActing(one) && this.#nouns.has(one);
    return word.length < 2 || isPlural(word) || isParticiple(word) || isUsed;
  }
}

/** The name in an operationId that a generator has made of it, the path and the method. */
function withoutPath(name: readonly string[], end: readonly string[]): readonly string[] {
  if (name.at(-1) !== 'get') return name;
  const before = name.slice(0, -1);
  const isRepeated = end.join(' ') === before.slice(-end.length).join(' ');
  return isRepeated && before.length > end.length ? before.slice(0, -end.length) : before;
}

/** `/stop/{stopId}` names a stop. */
function isNamedByParameter({ parameter, words: [first = ''] }: PathEnd): boolean {
  return parameter !== undefined && wordsOf(parameter).includes(first);
}

/** Whether the first word of a name is a verb at least as often as anything else. */
function isVerb([first = '']: readonly string[]): boolean {
  return isReading(first) || isActing(first) || verbalityOf(first) >= 2;
}

/** Whether words do what a path ends with to what it names: `shipOrder`, `/orders/{id}/ship`. */
function isDoneTo([verb = '', object = '', ...rest]: readonly string[], end: PathEnd): boolean {
  if (rest.length > 0 || verb !== end.words.join(' ') || verbalityOf(verb) === 0) return false;
  return !isPlural(object) && end.before.includes(object);
}

interface Told {
  readonly first: string;
  readonly isKnown: boolean;
  /** How often the first word is a verb, from 0 to 3. */
  readonly often: number;
  readonly shown: 'data' | 'little' | 'nothing';
  readonly isAsked: boolean;
  readonly hasVerbs: boolean;
  /** Whether the path has records before it: `/coupons/redeem`. */
  readonly isBehindRecords: boolean;
}

/** Whether a word is known to act, and to be no noun; dictionaries lack `logout`. */
function isActingVerb({ isKnown, often }: Told): boolean {
  return isKnown && (often === 3 || often === 0);
}

/** What shows data and is told nothing may be named by two nouns: `build-info`, `call-logs`. */
function mayBeNouns({ shown, isAsked }: Told): boolean {
  return shown === 'data' && !isAsked;
}

function isBehindRecords(path: string): boolean {
  const before =
    plainPath(path)
      .split('/')
      .filter((segment) => segment !== '')
      .at(-2) ?? '';
  return isPlural(before);
}

/** Whether a name of one word is a command. */
function isCommand(told: Told): boolean {
  const { first, isKnown, often, shown, isAsked, hasVerbs, isBehindRecords: isDone } = told;
  if (isActingVerb(told)) return true;
  if (shown === 'nothing' && isKnown) return true;
  // What is asked for by a value, behind records, may be done to the one that it names.
  if (shown === 'data') return (hasVerbs || isDone) && isAsked && isAlwaysVerb(first);
  return isAlwaysVerb(first) || (hasVerbs && often === 2);
}

/** Whether a word commands wherever it stands; of what acts, some are nouns more often. */
function isAlwaysVerb(word: string): boolean {
  const often = verbalityOf(word);
  return often === 3 || (isActing(word) && often !== 1);
}

/** `checkIn` and `checkOut` are other verbs than `check`. */
function isPhrasal([, ...rest]: readonly string[]): boolean {
  return /^(in|out)$/.test(rest.join(' '));
}

/** Members by which an action says that it was done, and no more. */
const acknowledging: ReadonlySet<string> = new Set(
  'ok success status message code error result done'.split(' '),
);

/** What the successes of an operation show: a list, a file, an address, data; or less. */
function whatIsShown({ responses }: Operation): 'data' | 'little' | 'nothing' {
  const content = responses.flatMap((response) =>
    response.status.startsWith('2') ? response.content : [],
  );
  const showsData = content.some(({ mediaType, schema }) => {
    const form = contentForm(mediaType);
    if (form !== 'json' && form !== 'xml') return form !== 'text';
    if (schema === undefined) return false;
    const { node, types, properties } = schema.flatten();
    const isList = types.every((type) => type === 'array' || type === 'null');
    const isOpen = typeof node.additionalProperties === 'object';
    const members = [...properties.keys()].filter((name) => !acknowledging.has(plainName(name)));
    return isList || isOpen || 'oneOf' in node || 'anyOf' in node || members.length > 0;
  });
  const showsAddress = responses.some(({ headers }) =>
    headers.some(({ name }) => name.toLowerCase() === 'location'),
  );
  if (showsData || showsAddress) return 'data';
  return content.length === 0 ? 'nothing' : 'little';
}

function mostOf<Item>(items: readonly Item[], matches: (item: Item) => boolean): boolean {
  return items.filter(matches).length * 2 > items.length;
}

/** Whether a name is a verb with its object, or an object with its verb. */
function isVerbal(words: readonly string[]): boolean {
  if (words.length < 2) return false;
  return (
    isVerb(words) || [words[0], words.at(-1)].some((word = '') => isReading(word) || isActing(word))
  );
}

interface PathEnd {
  /** The last segment that is not a parameter. */
  readonly word: string;
  /** Its words: those of its method, where it has one. */
  readonly words: readonly string[];
  /** The parameter behind it. */
  readonly parameter: string | undefined;
  /** The words of the segments before it, each in the singular. */
  readonly before: readonly string[];
  /** Whether the path has no other segment. */
  readonly isAlone: boolean;
}

function endOf(path: string): PathEnd {
  const segments = plainPath(path)
    .split('/')
    .filter((segment) => segment !== '');
  const at = segments.findLastIndex((segment) => !segment.startsWith('{'));
  const word = segments[at] ?? '';
  const parameter = segments[at + 1]?.slice(1, -1);
  const named = segments.slice(0, Math.max(0, at)).filter((segment) => !segment.startsWith('{'));
  const before = named.flatMap(wordsOf).map(singularOf);
  return { word, words: methodWords(word), parameter, before, isAlone: segments.length === 1 };
}

function isPlural(word: string): boolean {
  return singularOf(word) !== word;
}

/**
 * The words that a contract uses as names of things: tags, parameters, members of bodies, schemas
 * with one word as their name, and segments in the middle of a path.
 */
function nounsOf(operations: readonly Operation[]): ReadonlySet<string> {
  const names = operations.flatMap((operation) => [
    ...operation.tags,
    ...operation.parameters.map(({ name }) => name),
    ...segmentsBefore(operation.path),
    ...operation.responses.flatMap(({ content }) =>
      content.flatMap(({ schema }) => (schema === undefined ? [] : namesIn(schema))),
    ),
  ]);
  return new Set(names.flatMap(wordsOf).map(singularOf));
}

function segmentsBefore(path: string): string[] {
  const segments = plainPath(path).split('/');
  return segments.filter((segment, index) => {
    const next = segments[index + 1];
    return !segment.startsWith('{') && next !== undefined && !next.startsWith('{');
  });
}

const deepest = 3;

/** The names in a schema: its own, and those of the members of its objects. */
function namesIn(schema: Schema, place: LocatedNode = schema, depth = 0): string[] {
  const { items, pointer, properties, types } = schema.flatten(place);
  // A boolean member is often named like a command: `archive: true`.
  if (depth > deepest || types.every((type) => type === 'boolean')) return [];
  const own = /\/(?:schemas|definitions)\/([A-Z]?[a-z]+)$/.exec(pointer)?.[1];
  return [
    ...(own === undefined ? [] : [own]),
    ...(items ? namesIn(schema, items, depth + 1) : []),
    ...[...properties].flatMap(([name, member]) => {
      const isFlag = schema.flatten(member).types.join() === 'boolean';
      return isFlag ? [] : [name, ...namesIn(schema, member, depth + 1)];
    }),
  ];
}
