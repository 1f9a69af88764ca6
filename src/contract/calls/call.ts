import { looksLike, wordsIn } from '../../words-in.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { plainPath } from '../infer/conventions/path-styles.ts';
import { actionOfWord } from '../infer/conventions/verb-styles.ts';
import { plainName, singularOf, wordsOf } from '../infer/infer-names.ts';
import { isList } from '../infer/record-fields.ts';
import type { LocatedNode, Operation, Schema } from '../model.ts';
import { bodySchema } from '../model/operation.ts';
import { objectMembers } from '../schema/object-members.ts';
import { isReading } from '../words/effect-words.ts';

/** An operation whose path names what it does: `POST /channels.rename`, `/part/removeByIds`. */
export interface Call {
  readonly operation: Operation;
  /** The path of what it is about, without the verb: `/channels`, `/part`. */
  readonly noun: string;
  readonly verb: string;
  /** What the verb does to a record; undefined of a verb that may do anything to one. */
  readonly does: Doing | undefined;
  readonly asked: readonly Asked[];
}

/** A text, a number, or a list of such, by which a request says what it is about. */
export interface Asked {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  /** Where it stands in the body. */
  readonly at?: Pointer;
  readonly required: boolean;
  /** Whether it is a list of such values. */
  readonly many: boolean;
  readonly schema: Schema;
}

/**
 * The calls of a document: operations with a verb in the last word of their path. A noun in the
 * word behind a dot, such as `permissions.createRole`, counts where calls list or read such
 * records, and make or remove them.
 */
export function readCalls(operations: readonly Operation[]): Call[] {
  const parts = operations.flatMap((one) => readCall(one, partName));
  const kinds = [...Map.groupBy(parts, ({ noun }) => nounKey(noun)).values()].filter((calls) =>
    [['shows'], ['makes', 'removes']].every((some) =>
      calls.some(({ does = '' }) => some.includes(does)),
    ),
  );
  const own = new Map(kinds.flat().map((call) => [call.operation, call]));
  return operations.flatMap((one) => own.get(one) ?? readCall(one));
}

/** Paths that have a verb behind a dot, the only one that needs no list of words. */
export const dotted = /^(.*\/[^/{}]+)\.([A-Za-z_]+)$/;

function readCall(operation: Operation, nameOf = callName): Call[] {
  const [, above = '', last = '', tail = ''] =
    /^(.*)\/([^/{}]+)(\/\{[^{}/]+\})?$/.exec(plainPath(operation.path)) ?? [];
  const name = last === '' ? undefined : nameOf(above, last);
  if (name === undefined) return [];
  // What a GET is called says what it shows: `GET /cards/set`.
  const does = operation.method === 'GET' && name.does !== 'shows' ? undefined : name.does;
  return [{ operation, ...name, does, asked: askedBy(operation, tail.slice(2, -1)) }];
}

type Name = Pick<Call, 'noun' | 'verb' | 'does'>;

function callName(above: string, last: string): Name | undefined {
  const [, noun, said] = dotted.exec(`${above}/${last}`) ?? [];
  if (noun === undefined || said === undefined) return wordName(above, last);
  const named = partName(above, last);
  // `apps.createApp` creates an app. `setTopic` sets a part of a record, and does not change it as
  // `update` does.
  const verb = named?.noun === noun ? named.verb : said;
  return { noun, verb, does: doingOf(plainName(verb)) };
}

/** What a verb with a noun behind a dot is about: the noun before the dot, or one of its own. */
function partName(above: string, last: string): Name | undefined {
  const [, noun = '', said = ''] = dotted.exec(`${above}/${last}`) ?? [];
  const [verb = '', ...rest] = wordsOf(said);
  const own = rest.length === 0 ? undefined : nounOf(noun, rest);
  return own === undefined ? undefined : { noun: own, verb, does: doingOf(verb) };
}

/** `/part/query`, `/part/removeByIds`, `/api/getPartList`, `/parts.PartService/CreatePart`. */
function wordName(above: string, last: string): Name | undefined {
  const said = wordsOf(last);
  const words = isSeveral(said[0] ?? '') ? said.slice(1) : said;
  const by = words.indexOf('by');
  const plain = by > 0 ? words.slice(0, by) : words;
  const [first = '', ...behind] = plain;
  const end = behind.at(-1);
  const [verb, rest] =
    doingOf(first) === undefined && end !== undefined && ending.has(end)
      ? [end, plain.slice(0, -1)]
      : [first, behind];
  const noun = nounOf(above, rest);
  return noun === undefined ? undefined : { noun, verb, does: doingOf(verb) };
}

/** What the words beside a verb are about: the path above it, or something of their own. */
function nounOf(above: string, rest: readonly string[]): string | undefined {
  const words = rest.filter((word) => !isDecoration(word));
  const holder = above.slice(above.lastIndexOf('/') + 1);
  const isNamed = /[A-Za-z]{2}/.test(holder) && !holder.endsWith('}');
  if (words.length === 0) return isNamed && !isBase(holder) ? above : undefined;
  const own = singularOf(words.join(''));
  return isNamed && singularOf(holder) === own ? above : `${above}/${words.join('_')}`;
}

/** `/v2/list` lists nothing of `v2`. */
const isBase = looksLike(/^(v\d+(\.\d+)*|api|apis|rest|rpc)$/i);

/** The values by which a request says what it is about; `tail` is the parameter behind the verb. */
function askedBy(operation: Operation, tail: string): Asked[] {
  const parameters = operation.parameters.flatMap(({ in: location, name, required, schema }) => {
    const place = location === 'path' && name === tail ? 'path' : location;
    if (place !== 'query' && (place !== 'path' || name !== tail)) return [];
    const many = scalarForm(schema, schema);
    return many === undefined ? [] : [{ name, in: place, required, many, schema } as const];
  });
  const body = bodySchema(operation);
  if (body === undefined) return parameters;
  const { properties, required } = objectMembers(body);
  const members = [...properties].flatMap(([name, place]): Asked[] => {
    const many = scalarForm(body, place);
    const at = joinPointer('', name);
    const schema = body.part(place);
    return many === undefined
      ? []
      : [{ name, in: 'body', at, required: required.has(name), many, schema }];
  });
  return [...parameters, ...members];
}

/** Whether a value is a list of texts or numbers; undefined if it is neither such nor a list. */
function scalarForm(schema: Schema, place: LocatedNode): boolean | undefined {
  const flat = schema.flatten(place);
  const isScalar = (types: readonly string[]): boolean =>
    types.length <= 2 && (types.includes('string') || types.includes('integer'));
  if (isScalar(flat.types)) return false;
  const { items } = flat.node;
  if (!isList(flat) || items === undefined) return undefined;
  const inner = schema.flatten({ node: items, pointer: flat.pointerOf('items') });
  return isScalar(inner.types) ? true : undefined;
}

/** The comparable form of what a call is about: its path, with the noun in the singular. */
export function nounKey(noun: string): string {
  const at = noun.lastIndexOf('/') + 1;
  return noun.slice(0, at).replaceAll(/\{[^{}]*\}/g, '{}') + singularOf(noun.slice(at));
}

/** Whether two values name the same: `ids` and `id`, `partId` and `id` of a part. */
export function namesSame(left: Pick<Asked, 'name'>, right: string, noun: string): boolean {
  return keyName(left.name, noun) === keyName(right, noun);
}

/** The name of a value without what it is about, in the singular: `id` of `partIds`. */
export function keyName(name: string, noun: string): string {
  const own = singularOf(noun.slice(noun.lastIndexOf('/') + 1));
  const plain = singularOf(plainName(name).replace(/list$/, 's'));
  const bare = plain.startsWith(own) && plain.length > own.length ? plain.slice(own.length) : plain;
  return bare === own ? 'id' : bare;
}

/** What a call does to records. `saves`: makes one, or changes the one that it names. */
type Doing = 'shows' | 'makes' | 'saves' | 'changes' | 'removes';

const actions = {
  create: 'makes',
  replace: 'changes',
  update: 'changes',
  delete: 'removes',
} as const;

/**
 * What a verb in the name of a call does; undefined of other words. Takes lower case. Only verbs
 * of the closed list of those that read show something, since a run sends such calls for any
 * record: not `index`, `load` or `select`.
 */
function doingOf(word: string): Doing | undefined {
  if (isReading(word) || showing.has(word)) return 'shows';
  if (/^(save|upsert|store)$/.test(word)) return 'saves';
  if (/^(erase|drop)$/.test(word)) return 'removes';
  const action = actionOfWord(word);
  return action === undefined || action === 'list' || action === 'read'
    ? undefined
    : actions[action];
}

/** Words that name what is shown where a verb stands: `/part/detail`. */
const showing: ReadonlySet<string> = new Set(
  wordsIn('detail details getall info listall page paged'),
);

/** Verbs that stand behind a noun too: `partDelete`, `userList`, but not `cardSet`. */
const ending: ReadonlySet<string> = new Set(
  'add create delete detail details edit get info list page query remove save search update'.split(
    ' ',
  ),
);

/** Words beside a verb that say how many are meant, or by what: `getPartList`, `deleteOne`. */
const isDecoration = looksLike(
  /^(all|batch|bulk|by|detail|details|id|ids|info|list|many|multiple|one|page|paged)$/,
);

/** Whether a word before a verb says that it is done to several. */
const isSeveral = looksLike(/^(batch|bulk|mass|multi)$/);
