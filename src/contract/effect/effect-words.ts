import { wordsOf } from '../infer/infer-names.ts';
import type { Operation } from '../model.ts';

/** The words of an operation which show that it does more than its method and path say. */
export interface EffectWords {
  /**
   * `destroys`: removes or overwrites data (delete, purge, reset, restore). `switches`: changes the
   * whole service unless a record is named (stop, reload, disable). `changes`: changes a record
   * (update, cancel). `creates`: makes something (add, register); reported for safe methods only.
   * `many`: does one of these to several records at once (bulk, batch, all).
   */
  readonly kind: 'destroys' | 'switches' | 'changes' | 'creates' | 'many';
  /** The words and where they are: `its path says "reset"`. */
  readonly why: string;
  /** Whether one of them is always a verb: `delete`, `purge`. */
  readonly isStrong?: true;
}

const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

const destroying = list(`
  delete remove purge clear reset flush truncate drop wipe prune evict expire erase destroy empty
  revoke invalidate restore import rollback revert deletion removal cleanup compact compaction
  uninstall unregister deregister
`);
const switching = list(`
  shutdown stop restart reload reboot pause record recording recordings enable disable halt kill
  terminate suspend drain failover logout signout
`);
const changing = list(`
  update modify edit patch replace set put rename move upsert overwrite promote demote transfer
  assign unassign approve reject cancel archive unarchive close reopen merge rotate activate
  increment decrement grant deny claim acquire release consume attach detach link unlink
  associate disassociate apply capture refund void deactivate block unblock ban unban lock unlock
  publish unpublish
`);
const creating = list('create add insert register make send submit save upload trigger execute');
/** Verbs of operations that only read, although they use POST: `POST /things/search`. */
const reading = list(`
  search query find filter count lookup list get read validate verify preview estimate calculate
  compute evaluate paginate aggregate
`);

const many = list('bulk batch mass all multiple everything');

/** Verbs at the start of a name whose objects follow: `createRecord`, `getStop`. */
const harmless = list(`
  get list find search query read fetch show view describe retrieve count check is has can test
  validate verify preview estimate calculate compute export download lookup browse resolve render
  create add post new make register insert submit send start begin open generate issue request
`);

/** Words that are always verbs: one of them counts at any position. */
const strong = new RegExp(
  '^(bulk|batch|mass|multi|force|factory|hard|soft)?' +
    '(delete|remove|purge|truncate|wipe|erase|destroy|flush|reset|shutdown)' +
    '(all|range|many|batch|bulk|everything|by[a-z]*)?$',
);

/** Words that are nouns or adjectives at least as often as verbs. */
const oftenNouns = list(`
  record recording recordings import imports restore drop drops stop stops clear empty set put
  block lock close start all batch records updates open patch merge transfer upload rollback
`);

/** The effect that the words of an operation show; undefined if they show no special one. */
export function findEffectWords(operation: Operation): EffectWords | undefined {
  const { id, method, path, summary, tags } = operation;
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const found = [
    ...segments.map((text) => readName(text, `its path says "${text}"`)),
    ...(id.includes(' ') ? [] : [readId(id)]),
    ...(summary === undefined ? [] : [readSummary(summary)]),
    ...tags.map((tag) => readTag(tag)),
  ];
  const isSafe = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  return worst(isSafe ? [...found.filter(isVerb), readSafe(operation)] : found);
}

const ranks: readonly EffectWords['kind'][] = [
  'many',
  'destroys',
  'switches',
  'changes',
  'creates',
];

function worst(found: readonly (EffectWords | undefined)[]): EffectWords | undefined {
  return ranks.flatMap((kind) => found.find((said) => said?.kind === kind) ?? [])[0];
}

/**
 * Names of reads use most of these words as nouns (`/imports`, `/stop/{id}`); strong words are
 * verbs.
 */
function isVerb(said: EffectWords | undefined): boolean {
  return said?.isStrong === true;
}

/** A safe method whose name, or whose last path segment, says that it changes something. */
function readSafe({ id, path }: Operation): EffectWords | undefined {
  const [first = ''] = id.includes(' ') ? [] : wordsOf(id);
  const last =
    path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? '';
  const [head = '', ...rest] = wordsOf(last);
  // `GET /stop` stops something; `GET /stop/{id}` and `GET /import-status` show something.
  const isCommand = rest.length === 0 && path.endsWith(`/${last}`);
  const inName = oftenNouns.has(first) ? undefined : kindOfVerb(first, `its operationId is ${id}`);
  if (harmless.has(first) && !creating.has(first)) return undefined;
  const inPath = isCommand || !oftenNouns.has(head) ? head : '';
  return inName ?? kindOfVerb(inPath, `its path says "${last}"`);
}

function kindOfVerb(word: string, why: string): EffectWords | undefined {
  if (destroying.has(word)) return { kind: 'destroys', why };
  if (switching.has(word) && !/^recordings?$/.test(word)) return { kind: 'switches', why };
  if (changing.has(word)) return { kind: 'changes', why };
  return creating.has(word) ? { kind: 'creates', why } : undefined;
}

/** A segment of a path or an operationId. */
function readName(name: string, why: string): EffectWords | undefined {
  const words = wordsOf(name);
  const [first = ''] = words;
  const isBulk = words.some((word) => many.has(word));
  if (words.some((word) => strong.test(word))) {
    return { kind: isBulk ? 'many' : 'destroys', why, isStrong: true };
  }
  // The object follows a harmless verb, unless another verb follows: `getAndReset`.
  const verbs = harmless.has(first) ? verbsAfterConjunction(words) : words;
  const kind = worstKind(verbs);
  if (kind === undefined) return undefined;
  return { kind: isBulk ? 'many' : kind, why };
}

function verbsAfterConjunction(words: readonly string[]): readonly string[] {
  return words.filter((_word, index) => ['and', 'or'].includes(words[index - 1] ?? ''));
}

function worstKind(words: readonly string[]): 'destroys' | 'switches' | 'changes' | undefined {
  if (words.some((word) => destroying.has(word))) return 'destroys';
  if (words.some((word) => switching.has(word))) return 'switches';
  // A changing word is a verb at either end: `updateThing`, `orders.cancel`, not `dataset`.
  const ends = words.filter((word) => !many.has(word));
  return [ends[0], ends.at(-1)].some((word) => changing.has(word ?? '')) ? 'changes' : undefined;
}

/** A single word, such as `put` or `set`, is only a name. */
function readId(id: string): EffectWords | undefined {
  const said = readName(id, `its operationId is ${id}`);
  return said?.kind === 'changes' && wordsOf(id).length === 1 ? undefined : said;
}

/** The verb at the start of a summary: `Deletes all stubs`, `Bulk delete`. */
function readSummary(summary: string): EffectWords | undefined {
  const words = wordsOf(summary).slice(0, 3);
  const start = words.find((word) => !many.has(word)) ?? '';
  if (oftenNouns.has(start)) return undefined;
  const verb = baseForms(start).find((form) => destroying.has(form) || switching.has(form));
  if (verb === undefined) return undefined;
  const why = `its summary begins with "${summary.split(/\s+/).slice(0, 3).join(' ')}"`;
  const isBulk = words.some((word) => many.has(word));
  const kind = isBulk ? 'many' : destroying.has(verb) ? 'destroys' : 'switches';
  return { kind, why, ...(strong.test(verb) ? { isStrong: true } : {}) };
}

/** `deletes`, `flushes` and `deleting` are `delete` and `flush`. */
function baseForms(word: string): string[] {
  const stem = word.replace(/ing$/, '');
  const gerund = word.endsWith('ing') ? [stem, `${stem}e`, stem.replace(/(.)\1$/, '$1')] : [];
  return [word, word.replace(/s$/, ''), word.replace(/es$/, ''), ...gerund];
}

function readTag(tag: string): EffectWords | undefined {
  const said = wordsOf(tag).find((word) => destroying.has(word));
  return said !== undefined && wordsOf(tag).length <= 2
    ? { kind: 'destroys', why: `its tag is ${tag}` }
    : undefined;
}

/**
 * Whether an operation says that it only reads: in its operationId, otherwise in its last path
 * segment.
 */
export function saysRead({ id, path }: Operation): boolean {
  const [first = ''] = id.includes(' ') ? [] : wordsOf(id);
  if (reading.has(first)) return true;
  const last = wordsOf(path.split('/').findLast((segment) => segment !== '') ?? '');
  return last.length === 1 && reading.has(last[0] ?? '');
}

/** Whether an operation says that it creates something: `createThing`, `Add a thing`. */
export function saysCreate({ id, summary = '' }: Operation): boolean {
  const names = [...(id.includes(' ') ? [] : [id]), summary];
  return names.some((name) => making.has(wordsOf(name)[0] ?? ''));
}

const making = list('create creates creating add adds adding new register registers make makes');

/** Whether a name says that several records are meant, without an action on them. */
export function saysMany(name: string): boolean {
  return wordsOf(name).some((word) => many.has(word));
}
