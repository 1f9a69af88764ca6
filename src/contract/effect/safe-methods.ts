import { wordsOf, singularOf } from '../infer/infer-names.ts';
import { plainPath } from '../infer/conventions/path-styles.ts';
import { contentForm } from '../../http/media-type.ts';
import type { LocatedNode, Operation, Schema } from '../model.ts';
import {
  determiners,
  everyone,
  firstWordsAbout,
  isActing,
  isParticiple,
  isReading,
  methodWords,
  namesAnotherVerb,
  saysReading,
} from '../words/effect-words.ts';
import { describingNouns, onlyNouns } from '../words/no-verbs.ts';

/** Whether a request with a safe method only reads; `why` is a clause. */
export interface SafeReading {
  readonly reads: boolean;
  readonly why: string;
  /** The word that is not known to read. */
  readonly verb?: string;
}

/**
 * Tells which operations with a safe method only read (RFC 9110, section 9.2.1, promises it, and
 * services break the promise). A verb of the closed list of reading verbs shows it, in the
 * operationId, the path or the summary; so does a path of nouns, which the contract itself or the
 * dictionary shows to be nouns. Everything else is not known to read.
 */
export class SafeMethods {
  readonly #nouns: ReadonlySet<string>;
  /** Whether most paths end with a verb: then every operation needs a known one. */
  readonly hasVerbalPaths: boolean;
  /** Whether most operationIds begin with a verb: then an unknown first word is one. */
  readonly #hasVerbalIds: boolean;

  constructor(operations: readonly Operation[]) {
    const ids = operations.flatMap(({ id }) => (id.includes(' ') ? [] : [methodWords(id)]));
    this.#hasVerbalIds = mostOf(ids, isVerbal);
    this.hasVerbalPaths = mostOf(
      operations.map(({ path }) => endOf(path).words),
      isVerbal,
    );
    this.#nouns = nounsOf(operations);
  }

  /** Whether an operation with a safe method only reads. */
  read(operation: Operation): SafeReading {
    const named: Named = {
      operation,
      name: operation.id.includes(' ') ? [] : methodWords(operation.id),
      end: endOf(operation.path),
    };
    const is = `it is ${operation.method === 'OPTIONS' ? 'an' : 'a'} ${operation.method}`;
    const evidence = this.#findVerb(named) ?? (this.hasVerbalPaths ? undefined : this.#find(named));
    return evidence === undefined
      ? this.#unknown(named, is)
      : { reads: true, why: `${is}${evidence}` };
  }

  /** The reading verb in a name of an operation. */
  #findVerb({ operation: { id }, name, end }: Named): string | undefined {
    if (this.#saysRead(name)) return `, and its operationId is ${id}`;
    if (this.#saysRead(end.words)) return `, and its path says "${end.word}"`;
    return end.word === '' ? ' on a path without a word' : undefined;
  }

  /** What else shows that an operation reads, unless its operationId says otherwise. */
  #find({ operation, name, end }: Named): string | undefined {
    const [first = ''] = name;
    const { where, text } = firstWordsAbout(operation);
    const isNoun = this.#isNounAtEnd(end);
    const isCommand = !isNoun && isActing(end.words[0] ?? '');
    const isShown = saysReading(text) || (this.#isNaming(text) && !isCommand);
    if (isShown && !isActing(first)) return `, and its ${where} begins with "${text[0] ?? ''}"`;
    if (this.#isVerb(name)) return undefined;
    if (isNoun) return ' on a path that names what it shows';
    return showsFile(operation) && !isCommand ? ' that shows a file or a stream' : undefined;
  }

  #unknown({ operation: { id }, name, end }: Named, is: string): SafeReading {
    const isInId = this.#isVerb(name);
    const verb = (isInId ? name[0] : end.words[0]) ?? '';
    const where = isInId ? `its operationId is ${id}` : `its path says "${end.word}"`;
    const doubt = isActing(verb) ? '' : `, and nothing shows that "${verb}" only reads`;
    return { reads: false, why: `${is}, but ${where}${doubt}`, verb };
  }

  /** Whether the first word of an operationId is a verb that is not known to read. */
  #isVerb(name: readonly string[]): boolean {
    const [first] = name;
    if (first === undefined || this.#isNoun(first) || name.every(isNoVerb)) return false;
    return isActing(first) || this.#hasVerbalIds;
  }

  /** Whether a name begins with a reading verb, or ends with one behind a noun: `pads.list`. */
  #saysRead(words: readonly string[]): boolean {
    const [first = '', ...rest] = words;
    if (namesAnotherVerb(words)) return false;
    // `checkIn` and `checkOut` are other verbs than `check`.
    if (isReading(first)) return !/^(in|out)$/.test(rest.join(' '));
    const last = rest.at(-1) ?? '';
    // Generators put the method behind a path: `ordersIdShipGet`.
    return last !== 'get' && isReading(last) && isPlural(first);
  }

  /** Whether a sentence only names something: `Insight into expenses`, but not `Book a room`. */
  #isNaming(words: readonly string[]): boolean {
    const [first = '', second = ''] = words;
    // The third person of a verb looks like a plural: `Sets text`.
    return !namesAnotherVerb(words) && this.#isUsed(first) && !determiners.has(second);
  }

  #isNounAtEnd({ word, parameter, words, isAlone }: PathEnd): boolean {
    const [first = ''] = words;
    if (parameter !== undefined && wordsOf(parameter).includes(first)) return true;
    if (this.#isNoun(first)) return true;
    // Letters beyond English are in no word of `words`.
    if (first === '' || /[^ -~]/.test(word)) return false;
    // Behind another segment, what describes may be a command: `/fan/high`.
    return words.every(isAlone ? isNoVerb : isOnlyNoun);
  }

  /** Whether the form of a word, or its use in the contract, shows that it is no command. */
  #isNoun(word: string): boolean {
    return word.length === 1 || isPlural(word) || isParticiple(word) || this.#isUsed(word);
  }

  /** Whether the contract uses a word as the name of a thing. */
  #isUsed(word: string): boolean {
    const one = singularOf(word);
    return !isActing(one) && (everyone.has(word) || this.#nouns.has(one));
  }
}

/** Whether no dictionary has a word as a verb, or as the name of something that is done. */
function isNoVerb(word: string): boolean {
  return isOnlyNoun(word) || (!isActing(word) && describingNouns.has(word));
}

function isOnlyNoun(word: string): boolean {
  return !isActing(word) && onlyNouns.has(word);
}

/** Whether the only successes of an operation are files or streams: an action answers with data. */
function showsFile({ responses }: Operation): boolean {
  const types = responses
    .filter(({ status }) => status.startsWith('2'))
    .flatMap(({ content }) => content.map(({ mediaType }) => contentForm(mediaType)));
  return types.length > 0 && !types.some((form) => ['json', 'xml', 'text'].includes(form));
}

function mostOf<Item>(items: readonly Item[], matches: (item: Item) => boolean): boolean {
  return items.filter(matches).length * 2 > items.length;
}

/** Whether a name is a verb with its object, or an object with its verb. */
function isVerbal(words: readonly string[]): boolean {
  if (words.length < 2) return false;
  return [words[0], words.at(-1)].some((word = '') => isReading(word) || isActing(word));
}

/** The names of an operation: the words of its operationId, and the end of its path. */
interface Named {
  readonly operation: Operation;
  readonly name: readonly string[];
  readonly end: PathEnd;
}

interface PathEnd {
  /** The last segment that is not a parameter. */
  readonly word: string;
  /** Its words: those of its method, where it has one. */
  readonly words: readonly string[];
  /** The parameter behind it. */
  readonly parameter: string | undefined;
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
  return { word, words: methodWords(word), parameter, isAlone: segments.length === 1 };
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
  const { node, pointer, properties, types } = schema.flatten(place.node, place.pointer);
  // A boolean member is often named like a command: `archive: true`.
  if (depth > deepest || types.every((type) => type === 'boolean')) return [];
  const own = /\/(?:schemas|definitions)\/([A-Z]?[a-z]+)$/.exec(pointer)?.[1];
  const items = node.items === undefined ? [] : [{ node: node.items, pointer: `${pointer}/items` }];
  return [
    ...(own === undefined ? [] : [own]),
    ...items.flatMap((item) => namesIn(schema, item, depth + 1)),
    ...[...properties].flatMap(([name, member]) => {
      const isFlag = schema.flatten(member.node, member.pointer).types.join() === 'boolean';
      return isFlag ? [] : [name, ...namesIn(schema, member, depth + 1)];
    }),
  ];
}
