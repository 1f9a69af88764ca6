import type { Method, Operation, Schema } from '../model.ts';
import { recordPlace } from '../infer/conventions/envelope-styles.ts';
import { lastWord, pathKey, plainPath } from '../infer/conventions/path-styles.ts';
import { inferList } from '../infer/infer-list.ts';
import { plainName, singularOf } from '../infer/infer-names.ts';
import { describesSame } from '../infer/record-fields.ts';
import { verbalityOf } from '../words/verbality.ts';
import { type Asked, type Call, dotted, keyName, namesSame, nounKey } from './call.ts';

/** The ordinary path and method of a call, and the values of the request that its path holds. */
export interface Form {
  readonly path: string;
  readonly method: Method;
  /** By the names of the parameters of the path. */
  readonly named: ReadonlyMap<string, Asked>;
  /** Whether the members of its body say which records of a list are asked for. */
  readonly lists?: true;
  /** A member by which it would change a record, and which it leaves out to make one. */
  readonly without?: string | undefined;
}

/** The calls about one kind of record, and the value by which each of those names it. */
interface Kind {
  readonly noun: string;
  readonly calls: readonly Call[];
  /** The name of the value that names a record, where most calls ask for it. */
  readonly key: string;
  /** The call that reads one record; undefined if only a list shows them. */
  readonly reader: Call | undefined;
  readonly lister: Call | undefined;
  readonly record: Schema;
  /** The path of the collection, where a call of another noun lists the records. */
  readonly collection?: string;
}

/** What a document says of its calls besides themselves. */
export interface Surroundings {
  readonly operations: readonly Operation[];
  /** The ids of the operations that only read. */
  readonly readers: ReadonlySet<string>;
}

/** The ordinary form of each call that others of its kind explain. */
export function formsOf(
  calls: readonly Call[],
  surroundings: Surroundings,
): ReadonlyMap<Operation, Form> {
  const groups = [...Map.groupBy(calls, ({ noun }) => nounKey(noun)).values()];
  const plain = plainForms(calls, surroundings);
  const kinds = groups.flatMap((group) => readKind(group, surroundings));
  const forms = formsIn(kinds, { around: kinds, plain });
  const others = groups
    .filter((group) => kinds.every((kind) => kind.calls !== group))
    .map((group) => group.filter(isDotted));
  const parts = others.flatMap((group) => readParts(group, forms));
  const items = [...parts, ...kinds];
  for (const [operation, form] of formsIn(parts, { around: kinds, plain }))
    forms.set(operation, form);
  const readings = kinds
    .flatMap((kind) => kind.calls)
    .filter((call) => isDotted(call) && surroundings.readers.has(call.operation.id));
  for (const call of readings) {
    const form = actionOn(call, parts, forms);
    if (form !== undefined) forms.set(call.operation, form);
  }
  for (const call of others.flat()) {
    if (forms.has(call.operation)) continue;
    const form = actionOn(call, items, forms) ?? listAlone(call, surroundings);
    if (form !== undefined) forms.set(call.operation, form);
  }
  return forms;
}

function isDotted({ operation }: Call): boolean {
  return dotted.test(plainPath(operation.path));
}

/** What operations without a verb do, by method and path: no call stands for the same. */
function plainForms(calls: readonly Call[], { operations }: Surroundings): ReadonlySet<string> {
  const said = new Set(
    calls.flatMap((call) => (call.does === undefined && !isDotted(call) ? [] : [call.operation])),
  );
  return new Set(operations.filter((one) => !said.has(one)).map(formKey));
}

function formKey({ method, path }: Pick<Form, 'method' | 'path'>): string {
  return `${method} ${pathKey(path)}`;
}

/**
 * The kind of record that calls are about: a call lists or reads it, and those that read, change or
 * remove one ask for a value that lists and creates do not ask for.
 */
function readKind(calls: readonly Call[], { readers }: Surroundings): Kind[] {
  const noun = calls[0]?.noun ?? '';
  const does = new Set(calls.flatMap((call) => call.does ?? []));
  if (calls.length < 2 || (does.size < 2 && !calls.every(isDotted))) return [];
  const shown = calls.filter(
    (call) => call.does === 'shows' || (isDotted(call) && readers.has(call.operation.id)),
  );
  const reader = shown.find((call) => neededBy(call).length > 0 && recordOf(call) !== undefined);
  const read = reader && recordOf(reader);
  const lister = shown.find((call) => {
    const { operation, does: own } = call;
    if (call === reader) return false;
    const listed = inferList(operation)?.record;
    // `apis.listKeys` lists something else than `apis.getApi` reads.
    const isOwn = own === 'shows' || read === undefined;
    return listed !== undefined && (isOwn || describesSame(listed, read));
  });
  const record = read ?? (lister && inferList(lister.operation)?.record);
  const makers = calls.filter(({ does: own }) => own === 'makes' || own === 'saves');
  const open = [lister, ...makers].flatMap((call) => (call === undefined ? [] : neededBy(call)));
  const askers = [
    reader,
    ...calls.filter((call) => call.does === 'removes'),
    ...calls.filter((call) => call.does === 'changes'),
  ];
  const key = askers.flatMap((call) => {
    const needed = call === undefined ? [] : neededBy(call);
    const rest = needed.filter((one) => !open.some(({ name }) => namesSame(one, name, noun)));
    // The name of a new record may be chosen: `domains.create` and `domains.get` ask for `domain`.
    const left = rest.length > 0 ? rest : needed.filter((one) => isKey(one, noun));
    const [only, ...others] = left.length > 1 ? left.filter((one) => isKey(one, noun)) : left;
    return only === undefined || others.length > 0 ? [] : [only];
  });
  const name = (key.find(({ many }) => !many) ?? key[0])?.name;
  if (record === undefined || name === undefined) return [];
  return [{ noun: (lister ?? reader)?.noun ?? noun, calls, key: name, reader, lister, record }];
}

/** The values that a call needs: those that are required, or a key where nothing says what is. */
function neededBy({ asked, noun, does }: Call): readonly Asked[] {
  const required = asked.filter((one) => one.required);
  if (required.length > 0 || does === 'makes' || does === 'saves') return required;
  const keys = asked.filter((one) => isKey(one, noun));
  return keys.length === 1 ? keys : asked.length === 1 && does !== 'shows' ? asked : [];
}

function isKey({ name }: Asked, noun: string): boolean {
  return /^(id|uuid|guid|key)$/.test(keyName(name, noun));
}

/** The record that a call shows: it is no list, or it has what the call names it by. */
function recordOf(call: Call): Schema | undefined {
  const shown = recordPlace(call.operation)?.schema;
  const names = shown?.flatten().properties;
  const isNamed = neededBy(call).some(({ name }) => names?.has(name) === true);
  return isNamed || inferList(call.operation) === undefined ? shown : undefined;
}

/** The value by which a call names a record of a kind. */
function keyIn(call: Call, { key, noun, lister, reader }: Kind): Asked | undefined {
  const isNaming = call.does === 'makes' && reader?.does === 'shows' && isMore(call, reader);
  if (call === lister || isNaming) return undefined;
  const isMaking = call.does === 'makes' || call.does === 'saves';
  const fitting = call.asked.filter((one) => namesSame(one, key, noun));
  return fitting.find(({ required }) => required) ?? (isMaking ? undefined : fitting[0]);
}

function formsIn(
  kinds: readonly Kind[],
  { around, plain }: { readonly around: readonly Kind[]; readonly plain: ReadonlySet<string> },
): Map<Operation, Form> {
  const forms = new Map<Operation, Form>();
  for (const kind of kinds) {
    const used = new Set(plain);
    for (const call of kind.calls) {
      const form = formOf(call, kind, around);
      const key = form && formKey(form);
      if (form === undefined || key === undefined || used.has(key)) continue;
      used.add(key);
      forms.set(call.operation, form);
    }
  }
  return forms;
}

function formOf(call: Call, kind: Kind, kinds: readonly Kind[]): Form | undefined {
  const { noun, lister } = kind;
  const above = kinds.find(
    (other) =>
      other !== kind &&
      holderIn(call, other) !== undefined &&
      holderIn(lister ?? call, other) !== undefined,
  );
  const holder = above && holderIn(call, above);
  const named = new Map(holder && [[holder.name, holder]]);
  const collection =
    kind.collection ??
    (above === undefined || holder === undefined
      ? noun
      : `${above.noun}/{${holder.name}}/${lastWord(noun)}`);
  const key = keyIn(call, kind);
  if (key === undefined) return formOfMany(call, kind, { path: collection, named });
  const name = key.many && key.in !== 'path' ? kind.key : key.name;
  const path = `${collection}/{${name}}`;
  return formOfOne(call, kind, { path, named: new Map([...named, [name, key]]) });
}

/** The form of a call about one record, whose path names it. */
function formOfOne(
  call: Call,
  { reader }: Kind,
  item: Pick<Form, 'path' | 'named'>,
): Form | undefined {
  const { method } = call.operation;
  if (call === reader) return { ...item, method: 'GET' };
  if (call.does === 'removes') return { ...item, method: 'DELETE' };
  if (call.does === 'changes') return { ...item, method: method === 'PUT' ? 'PUT' : 'PATCH' };
  const acts = call.does !== undefined || isDotted(call) || isDeed(call);
  return acts ? { ...item, path: `${item.path}/${call.verb}`, method } : undefined;
}

/** The form of a call about no record that is there: a list, or a create. */
function formOfMany(
  call: Call,
  { lister, record, key, noun }: Kind,
  all: Pick<Form, 'path' | 'named'>,
): Form | undefined {
  const { operation, does, asked } = call;
  if (does === undefined && !isDotted(call)) return undefined;
  if (call === lister) return { ...all, method: 'GET', lists: true };
  if (does !== 'makes' && inferList(operation) !== undefined)
    return operation.method === 'GET' ? { ...all, method: 'GET' } : undefined;
  if (operation.method !== 'POST' || !makesRecords(call, record)) return undefined;
  const own = does === 'saves' ? asked.find((one) => namesSame(one, key, noun)) : undefined;
  return { ...all, method: 'POST', without: own?.name };
}

/** Whether a call makes records: by its name, or as it answers with one. */
function makesRecords({ operation, does }: Call, record: Schema): boolean {
  if (does === 'makes' || does === 'saves') return true;
  const made = recordPlace(operation, record)?.schema;
  return made !== undefined && describesSame(made, record);
}

/** Whether a word of no list is the verb of a call: `POST /boat/launch`, not `GET /boat/size`. */
function isDeed({ operation: { method }, verb }: Call): boolean {
  return method === 'POST' && verbalityOf(verb) > 0;
}

/** The value by which a call must say which record of another kind it is about. */
function holderIn(call: Call, { key, noun }: Kind): Asked | undefined {
  const own = singularOf(lastWord(noun));
  return call.asked.find(({ name, required, many }) => {
    const isOwn = name === key && plainName(key) !== 'id';
    const isCalled = namesSame({ name }, key, noun) && plainName(name).startsWith(own);
    return required && !many && (isOwn || isCalled);
  });
}

/** Whether a call needs all that another does, and more: it makes what that one reads. */
function isMore(call: Call, reader: Call): boolean {
  const needed = neededBy(reader);
  return neededBy(call).length > needed.length && needed.every((one) => needs(call, one));
}

/**
 * The record that calls make, change and delete, while a call of another noun lists it: what the
 * deletion asks for, and the create does not, names it.
 */
function readParts(calls: readonly Call[], forms: ReadonlyMap<Operation, Form>): Kind[] {
  const remover = calls.find(({ does }) => does === 'removes');
  if (remover === undefined) return [];
  for (const [operation, { path, method }] of forms) {
    const record = method === 'GET' ? inferList(operation)?.record : undefined;
    const creator = record && calls.find((call) => makesSuch(call, record, remover));
    if (record === undefined || creator === undefined) continue;
    const [key, ...more] = neededBy(remover).filter((one) => !needs(creator, one));
    if (key === undefined || more.length > 0) continue;
    const { noun } = creator;
    const none = { reader: undefined, lister: undefined };
    return [{ noun, calls, key: key.name, ...none, record, collection: path }];
  }
  return [];
}

/** Whether a call makes records. A change asks for all that a deletion asks for. */
function makesSuch(call: Call, record: Schema, remover: Call): boolean {
  const isChange = neededBy(remover).every((one) => needs(call, one));
  const made = isChange ? undefined : recordPlace(call.operation, record)?.schema;
  return call.operation.method === 'POST' && made !== undefined && describesSame(made, record);
}

function needs(call: Call, { name }: Asked): boolean {
  return neededBy(call).some((one) => one.name === name);
}

/**
 * A call that names a record of another noun, and so acts on it, such as `reactions.add` on a
 * message, or reads what belongs to it, such as `channels.replies`.
 */
function actionOn(
  call: Call,
  kinds: readonly Kind[],
  forms: ReadonlyMap<Operation, Form>,
): Form | undefined {
  const { operation, noun, verb } = call;
  for (const { calls } of kinds) {
    const remover = calls.find((one) => forms.get(one.operation)?.method === 'DELETE');
    const form = remover && forms.get(remover.operation);
    if (form === undefined || form.named.size === 0) continue;
    const found = [...form.named].map(([name, asked]) => [name, sameIn(call, asked)] as const);
    const named = new Map(found.flatMap(([, own]) => (own === undefined ? [] : [[own.name, own]])));
    if (named.size < form.named.size) continue;
    const path = found.reduce(
      (whole, [name, own]) => whole.replace(`{${name}}`, `{${own?.name ?? name}}`),
      form.path,
    );
    const act = operation.method === 'GET' ? verb : `${lastWord(noun)}.${verb}`;
    return { path: `${path}/${act}`, method: operation.method, named };
  }
  return undefined;
}

/** A list whose records no other call is about: `users.list` is the list of `/users`. */
function listAlone(call: Call, { readers }: Surroundings): Form | undefined {
  const { operation, noun } = call;
  const isList = readers.has(operation.id) && inferList(operation) !== undefined;
  return isList && neededBy(call).length === 0 && operation.method === 'GET'
    ? { path: noun, method: 'GET', named: new Map() }
    : undefined;
}

/** The value of a call that means the same as one of another: by its name, or by its schema. */
function sameIn(call: Call, { name, schema }: Asked): Asked | undefined {
  const needed = neededBy(call).filter(({ many }) => !many);
  const target = schema.follow(schema).pointer;
  return (
    needed.find((own) => own.name === name) ??
    needed.find(
      (own) => target.includes('/schemas/') && own.schema.follow(own.schema).pointer === target,
    )
  );
}
