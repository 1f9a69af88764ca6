import { plainName, singularOf, wordsOf } from '../infer/infer-names.ts';
import type { Operation } from '../model.ts';
import { verbalityOf } from './verbality.ts';

/** The words of an operation which show that it does more than its method and path say. */
export interface EffectWords {
  /**
   * `destroys`: removes or overwrites data (delete, purge, reset, restore). `switches`: changes the
   * whole service unless a record is named (stop, reload, disable). `changes`: changes a record
   * (update, cancel). `many`: does one of these to several records at once (bulk, batch, all).
   */
  readonly kind: 'destroys' | 'switches' | 'changes' | 'many';
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
/** Of the whole service, unless a record is named. */
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
/** The closed list of verbs by which an action takes back what another one did to a record. */
const undoing = list('abort cancel revoke undo void withdraw');
const creating = list('create add insert register make send submit save upload trigger execute');

/**
 * The closed list of verbs that only read, with any method. A verb that is missing here is not
 * known to read, whatever it may be.
 */
const reading = list(`
  aggregate browse calculate check compare compute count describe diff display download estimate
  evaluate exists explain export fetch filter find get has inspect is list lookup peek ping preview
  query read render retrieve search see show validate view
`);

const many = list('bulk batch mass all multiple everything');

/** Verbs that begin something new; like reading verbs, they have their object behind them. */
const beginning = list(`
  add begin create generate insert issue make new open post register request send start submit test
  verify
`);

/** Words that are always verbs: one of them counts at any position. */
const strong = new RegExp(
  '^(bulk|batch|mass|multi|force|factory|hard|soft)?' +
    '(delete|remove|purge|truncate|wipe|erase|destroy|flush|reset|shutdown)' +
    '(all|range|many|batch|bulk|everything|by[a-z]*)?$',
);

/** Words at the start of a summary that are nouns or adjectives at least as often as verbs. */
const oftenNouns = list(`
  record recording recordings import imports restore drop drops stop stops clear empty set put
  block lock close start all batch records updates open patch merge transfer upload rollback
`);

/** The effect that the words of an operation show; undefined if they show no special one. */
export function findEffectWords(operation: Operation): EffectWords | undefined {
  return worst(wordsFound(operation));
}

/** The same for words that are verbs wherever they stand: `delete`, `purge`. */
export function findStrongWords(operation: Operation): EffectWords | undefined {
  return worst(wordsFound(operation).filter((said) => said?.isStrong));
}

function wordsFound({ id, path, summary, tags }: Operation): readonly (EffectWords | undefined)[] {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  return [
    ...segments.map((text) => readName(text, `its path says "${text}"`)),
    ...(id.includes(' ') ? [] : [readId(id)]),
    ...(summary === undefined ? [] : [readSummary(summary)]),
    ...tags.map((tag) => readTag(tag)),
  ];
}

const ranks: readonly EffectWords['kind'][] = ['many', 'destroys', 'switches', 'changes'];

function worst(found: readonly (EffectWords | undefined)[]): EffectWords | undefined {
  return ranks.flatMap((kind) => found.find((said) => said?.kind === kind) ?? [])[0];
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
  const isHarmless = reading.has(first) || beginning.has(first);
  const verbs = isHarmless ? verbsAfterConjunction(words) : words;
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
  const verb = verbForms(start).find((form) => destroying.has(form) || switching.has(form));
  if (verb === undefined) return undefined;
  const why = `its summary begins with "${summary.split(/\s+/).slice(0, 3).join(' ')}"`;
  const isBulk = words.some((word) => many.has(word));
  const kind = isBulk ? 'many' : destroying.has(verb) ? 'destroys' : 'switches';
  return { kind, why, ...(strong.test(verb) ? { isStrong: true } : {}) };
}

/** `deletes`, `flushes` and `deleting` are `delete` and `flush`. */
export function verbForms(word: string): string[] {
  const stem = word.replace(/ing$/, '');
  const gerund = word.endsWith('ing') ? [stem, `${stem}e`, stem.replace(/(.)\1$/, '$1')] : [];
  return [
    word,
    word.replace(/s$/, ''),
    word.replace(/es$/, ''),
    word.replace(/ies$/, 'y'),
    ...gerund,
  ];
}

function readTag(tag: string): EffectWords | undefined {
  const said = wordsOf(tag).find((word) => destroying.has(word));
  return said !== undefined && wordsOf(tag).length <= 2
    ? { kind: 'destroys', why: `its tag is ${tag}` }
    : undefined;
}

export function isReading(verb: string): boolean {
  return reading.has(verb);
}

/** Whether a word is known as a verb that does more than read. */
export function isActing(word: string): boolean {
  const lists = [destroying, switching, changing, creating];
  return strong.test(word) || lists.some((words) => words.has(word));
}

/** Whether a verb that does more than read follows behind a conjunction: `getAndReset`. */
export function namesAnotherVerb(words: readonly string[]): boolean {
  return verbsAfterConjunction(words).some((word) => verbForms(word).some(isActing));
}

const reaching = list(`
  send resend notify remind invite announce broadcast dispatch deliver mail email schedule
`);

/**
 * Whether an operation reaches others than the record on which it acts, such as whom that is sent
 * to: it stands behind the record, under a verb.
 */
export function reachesOut({
  id,
  path,
  method,
}: Pick<Operation, 'id' | 'path' | 'method'>): boolean {
  const segment = path.split('/').findLast((one) => one !== '') ?? '';
  const last = segment.replaceAll(/\{[^{}]*\}/g, '');
  if (method === 'GET' || last === '' || !path.includes('{')) return false;
  return [methodWords(last)[0], id.includes(' ') ? undefined : methodWords(id)[0]].some(
    (word) => word !== undefined && reaching.has(word),
  );
}

/** The effect of an acting verb on a service: a safe method hides how much it touches. */
export function effectOfVerb(verb: string): 'sweeps' | 'acts' {
  return destroying.has(verb) || switching.has(verb) ? 'sweeps' : 'acts';
}

/**
 * Whether a POST says that it only reads: at the start of its operationId, of the last segment of
 * its path, or of its summary, which may repeat the name: `HashKV computes the hash of all keys`.
 */
export function saysRead({ id, path, summary = '' }: Operation): boolean {
  const name = id.includes(' ') ? [] : methodWords(id);
  if (isReading(name[0] ?? '')) return !namesAnotherVerb(name);
  const last = methodWords(path.split('/').findLast((segment) => segment !== '') ?? '');
  if (isReading(last[0] ?? '')) return !namesAnotherVerb(last);
  const [subject = '', verb = '', ...rest] = (/^[^.]*/.exec(summary)?.[0] ?? '').split(/\s+/);
  const isNamed = plainName(subject) !== '' && plainName(subject) === last.join('');
  const isShown = isNamed && verbForms(verb.toLowerCase()).some(isReading);
  return isShown && !namesAnotherVerb(rest.flatMap(wordsOf));
}

/**
 * The words of a name, or of the method behind a dot or a colon: `apis.listKeys`, `users:list`.
 * Without the word that says it is done to several: `batchGet` reads as `get` does.
 */
export function methodWords(name: string): string[] {
  const behind = wordsOf(name.replace(/^.*[.:](?=[^.:]*[A-Za-z]{2})/, ''));
  return withoutSeveral(behind.length === 0 ? wordsOf(name) : behind);
}

function withoutSeveral(words: string[]): string[] {
  const [first = '', second] = words;
  return second !== undefined && several.has(first) ? words.slice(1) : words;
}

const several = list('bulk batch multi');

/** Whether a verb makes something new. */
export function isMaking(verb: string): boolean {
  return making.has(verb);
}

/** Whether an operation says that it creates something: `createThing`, `Add a thing`. */
export function saysCreate(operation: Operation): boolean {
  return toldWords(operation).some(([first = '']) => making.has(first));
}

/** Whether an operation says that it creates something, and nothing else: not `create or update`. */
export function saysOnlyCreate(operation: Operation): boolean {
  return saysCreate(operation) && !toldWords(operation).some(namesAnotherVerb);
}

/** Whether an operation says that it changes something: `updateThings`, `Update some things`. */
export function saysChange(operation: Operation): boolean {
  return toldWords(operation).some(([first = '']) =>
    verbForms(first).some((form) => changing.has(form)),
  );
}

/** The words of the operationId and those of the summary, each from its verb on. */
function toldWords({ id, summary = '' }: Operation): readonly (readonly string[])[] {
  return [id.includes(' ') ? [] : methodWords(id), withoutSeveral(wordsOf(summary))];
}

const making = list(
  'create creates creating add adds adding new register registers make makes insert inserts',
);

/** What a path without a record says about the service as a whole: `/cluster/member/add`. */
export function findWholeService(path: string): string | undefined {
  return path
    .split('/')
    .flatMap(wordsOf)
    .find((word) => wholeService.has(singularOf(word)) || word.startsWith('maintenance'));
}

const wholeService = list('alarm cluster failover maintenance member mode node system');

/** Whether a name says that several records are meant, without an action on them. */
export function saysMany(name: string): boolean {
  return wordsOf(name).some((word) => many.has(word));
}

/** The words of the first sentence about an operation. */
export function firstWordsAbout({ summary, description = '' }: Operation): {
  readonly where: 'summary' | 'description';
  readonly text: readonly string[];
} {
  return summary === undefined
    ? { where: 'description', text: firstSentence(description) }
    : { where: 'summary', text: firstSentence(summary) };
}

/** Whether a sentence says that something is shown: `Returns a page of things`. */
export function saysReading(words: readonly string[]): boolean {
  const [first = ''] = words;
  const isShown = verbForms(first).some((form) => isReading(form) || form === 'return');
  return isShown && !namesAnotherVerb(words);
}

/** The words of the first sentence of a text, without an article at its start. */
function firstSentence(text: string): string[] {
  const words = wordsOf(/^[^.]*/.exec(text)?.[0] ?? '');
  return ['a', 'an', 'the'].includes(words[0] ?? '') ? words.slice(1) : words;
}

/**
 * The verb by which an explanation says that an operation does more than read, in its first
 * sentence: one that is known to act (`Sets the text`), one that reads and then acts (`Returns and
 * removes a task`), an imperative with its object (`Rebuild the index`), or a verb in `names`.
 * Data that is called as the path is, is shown: `Load all orders`.
 */
export function actingVerb(
  { summary = '', description = '' }: Operation,
  place: Place,
): string | undefined {
  for (const words of [summary, description].map(firstSentence)) {
    const [first = '', second = '', third = ''] = words;
    if (saysReading(words)) return undefined;
    if (saysReading(words.slice(0, 1)))
      return /^(and|or)$/.test(second) && verbForms(third).some(isActing) ? third : undefined;
    if (isCommand(words, place)) return first;
  }
  return undefined;
}

/** Where a sentence stands that may be a command. */
interface Place {
  /** Words with which names of the operation begin. */
  readonly names: readonly (string | undefined)[];
  /** The last word of its path. */
  readonly end: string;
  readonly showsData: boolean;
}

function isCommand(words: readonly string[], { names, end, showsData }: Place): boolean {
  const [first = '', second = ''] = words;
  if (words.length < 2 || first.endsWith('ing')) return false;
  const forms = verbForms(first);
  const often = Math.max(...forms.map(verbalityOf));
  // A title without an article may be two nouns, and answers with data then: `Set details`.
  const hasObject = determiners.has(second) || (often > 0 && !showsData && isSwitch(words));
  const isVerb = hasObject || often === 3 || (often === 2 && !showsData);
  if (isVerb && forms.some(isActing)) return true;
  const isNamed = forms.some((form) => names.includes(form));
  const isShown = showsData && singularOf(end) !== end && words.includes(end);
  return hasObject && (isNamed || (often > 0 && !isShown && !saysWhatIsRead(words.slice(2))));
}

/** `Turn relay on`, `Switch off light`, but not `Light, on or off`. */
function isSwitch(words: readonly string[]): boolean {
  const [at = 0, ...others] = words.flatMap((word, index) =>
    /^(on|off)$/.test(word) ? index : [],
  );
  return others.length === 0 && words.length > 2 && (at === 1 || at === words.length - 1);
}

/** Whether words name what is read, and not what something becomes: `as read`. */
function saysWhatIsRead(words: readonly string[]): boolean {
  return words.some((word, index) => isReading(word) && words[index - 1] !== 'as');
}

/** Whether a word says what something becomes: `read` in `Mark all messages as read`. */
export function saysAs({ id, summary = '', description = '' }: Operation, word: string): boolean {
  return [methodWords(id), ...[summary, description].map(firstSentence)].some((words) =>
    words.some((each, index) => each === word && words[index - 1] === 'as'),
  );
}

/** What stands between a verb and its object. */
export const determiners: ReadonlySet<string> = new Set(
  'a all an any each every one the this'.split(' '),
);

/** `deleted`, `unread` and `pending` describe something; the base form of a verb commands. */
export function isParticiple(word: string): boolean {
  return /\d/.test(word) || /^\w{4,}(?<!e)ed$/.test(word) || /^\w{4,}ing$/.test(word);
}

/** Whether an operation takes back what others did to a record: its path ends in such a verb. */
export function undoes({ path }: Pick<Operation, 'path'>): boolean {
  return undoing.has(plainName(path.split(/[/:]/).at(-1) ?? ''));
}
