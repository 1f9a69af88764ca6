import { joinPointer } from '../../json/pointer.ts';
import { withoutMembers } from '../../json/value.ts';
import type {
  EffectReading,
  LocatedNode,
  MediaTypeSpec,
  Method,
  Operation,
  Parameter,
  ResponseSpec,
  Schema,
  SchemaNode,
} from '../model.ts';
import { bodySchema } from '../model/operation.ts';
import { writeReference } from '../read/cursor.ts';
import { recordPlace, successSchema } from './conventions/envelope-styles.ts';
import { lastWord, plainPath } from './conventions/path-styles.ts';
import { actionOfWord } from './conventions/verb-styles.ts';
import { envelopeOf } from './envelope-members.ts';
import { inferList } from './infer-list.ts';
import { describesSame } from './record-fields.ts';

/**
 * The operations of a service whose paths are calls, such as `POST /channels.rename`, each on the
 * path and with the method that an ordinary service would have: PATCH on `/channels/{channel}`. The
 * value that names the record stands in the query or the body of a call; it becomes the path
 * parameter. Operations that are no calls stay as they are.
 */
export function openCalls(
  operations: readonly Operation[],
  effects: ReadonlyMap<Operation, EffectReading>,
): readonly Operation[] {
  const verdict = verdictOf(operations);
  const readers = new Set(
    operations.flatMap((one) => (effects.get(one)?.effect === 'reads' ? one.id : [])),
  );
  const envelope = verdict === undefined ? envelopeOf(operations) : [];
  const told = operations.map((operation) =>
    envelope.length === 0
      ? withVerdict(operation, verdict)
      : changedOperation(operation, { envelope }),
  );
  const groups = [...Map.groupBy(told.flatMap(readCall), ({ noun }) => noun).values()];
  const read = groups.flatMap((calls) => readGroup(calls, readers));
  const forms = formsIn(read);
  const others = groups.filter((calls) => read.every((group) => group.calls !== calls));
  const parts = others.flatMap((calls) => readParts(calls, forms));
  for (const [operation, form] of formsIn(parts, read)) forms.set(operation, form);
  for (const call of read.flatMap(({ calls }) => calls)) {
    const form = readers.has(call.operation.id) ? actionOn(call, parts, forms) : undefined;
    if (form !== undefined) forms.set(call.operation, form);
  }
  const items = [...parts, ...read];
  for (const call of others.flat())
    if (!forms.has(call.operation)) {
      const form = actionOn(call, items, forms) ?? listAlone(call, readers);
      if (form !== undefined) forms.set(call.operation, form);
    }
  return told.map((operation) => {
    const form = forms.get(operation);
    return form === undefined ? operation : openCall(operation, form);
  });
}

/** The form of each call that a group explains. */
function formsIn(
  groups: readonly CallGroup[],
  around: readonly CallGroup[] = groups,
): Map<Operation, Form> {
  return new Map(
    groups.flatMap((group) =>
      group.calls.flatMap((call) => {
        const form = formOf(call, group, around);
        return form === undefined ? [] : [[call.operation, form] as const];
      }),
    ),
  );
}

/** Whether operations may be calls, or have refusals to tell from their successes. */
export function mayBeCalls(operations: readonly Operation[]): boolean {
  return (
    operations.filter(({ path }) => callPath.test(plainPath(path))).length > 1 ||
    verdictOf(operations) !== undefined
  );
}

/** The operation with its refusals told from its successes, where one status carries both. */
function withVerdict(operation: Operation, verdict: string | undefined): Operation {
  if (verdict === undefined) return operation;
  const responses = operation.responses.flatMap((one) => judged(one, verdict));
  return changedOperation(operation, { verdict, responses });
}

/** An operation with some of its parts changed. */
export function changedOperation(operation: Operation, parts: Partial<Operation>): Operation {
  // Callbacks are read on first access: copying descriptors keeps them lazy.
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(operation),
      ...Object.getOwnPropertyDescriptors(parts),
    },
  ) as Operation;
}

/** A call: what it is about, and what it does: `/channels.rename`. */
interface Call {
  readonly operation: Operation;
  readonly noun: string;
  readonly verb: string;
  /** The values that a request must have, apart from objects and lists. */
  readonly asked: ReadonlySet<string>;
}

const callPath = /^(.*\/[^/{}]+)\.([A-Za-z_]+)$/;

function readCall(operation: Operation): Call[] {
  const { path, method } = operation;
  const [, noun, verb] = callPath.exec(plainPath(path)) ?? [];
  if (noun === undefined || verb === undefined || (method !== 'GET' && method !== 'POST'))
    return [];
  return [{ operation, noun, verb, asked: new Set(askedBy(operation).keys()) }];
}

/** The required scalars of a request, by name: parameters of the query, and members of the body. */
function askedBy(operation: Operation): Map<string, 'query' | 'body'> {
  const asked = new Map<string, 'query' | 'body'>();
  for (const { in: location, name, required, schema } of operation.parameters)
    if (location === 'query' && required && isScalar(schema, schema)) asked.set(name, 'query');
  const body = bodySchema(operation);
  const flat = body?.flatten();
  for (const name of flat?.required ?? []) {
    const place = flat?.properties.get(name);
    if (body !== undefined && place !== undefined && isScalar(body, place)) asked.set(name, 'body');
  }
  return asked;
}

function isScalar(schema: Schema, { node, pointer }: LocatedNode): boolean {
  const { types } = schema.flatten(node, pointer);
  return types.length <= 2 && (types.includes('string') || types.includes('integer'));
}

/** The calls about one kind of record, and the value by which each of those names it. */
interface CallGroup {
  readonly noun: string;
  readonly calls: readonly Call[];
  readonly identifier: string;
  /** The call that reads one record; undefined if only a list shows them. */
  readonly reader: Call | undefined;
  readonly schema: Schema;
  /** The path of the collection, where another call lists the records. */
  readonly collection?: string;
}

/**
 * The record that the calls of a noun are about: the one that a call reads by a value which neither
 * its list nor its creates ask for.
 */
function readGroup(calls: readonly Call[], readers: ReadonlySet<string>): CallGroup[] {
  const isRead = ({ operation }: Call): boolean => readers.has(operation.id);
  const lister = calls.find((call) => isRead(call) && inferList(call.operation) !== undefined);
  const reader = calls.find(
    (call) =>
      call !== lister && isRead(call) && call.asked.size > 0 && recordOf(call) !== undefined,
  );
  const schema = reader && recordOf(reader);
  const open = new Set(reader?.asked);
  for (const name of lister?.asked ?? []) open.delete(name);
  const [identifier, ...others] = open;
  if (reader === undefined || schema === undefined || identifier === undefined) return [];
  if (others.length > 0 || calls.length < 2) return [];
  return [{ noun: reader.noun, calls, identifier, reader, schema }];
}

/**
 * The record that calls make, change and delete, while a call of another noun lists it: what the
 * deletion asks for, and the create does not, names it.
 */
function readParts(calls: readonly Call[], forms: ReadonlyMap<Operation, Form>): CallGroup[] {
  const remover = calls.find(({ verb }) => actionOfWord(verb) === 'delete');
  if (remover === undefined) return [];
  for (const [operation, { path, method }] of forms) {
    const schema = method === 'GET' ? inferList(operation)?.record : undefined;
    const creator =
      schema &&
      calls.find((call) => {
        // A change asks for all that a deletion asks for, and a create does not.
        const isChange = [...remover.asked].every((name) => call.asked.has(name));
        const made = isChange ? undefined : recordPlace(call.operation, schema)?.schema;
        return (
          call.operation.method === 'POST' && made !== undefined && describesSame(made, schema)
        );
      });
    if (schema === undefined || creator === undefined) continue;
    const [identifier, ...more] = [...remover.asked].filter((name) => !creator.asked.has(name));
    if (identifier !== undefined && more.length === 0)
      return [
        { noun: creator.noun, calls, identifier, reader: undefined, schema, collection: path },
      ];
  }
  return [];
}

/**
 * A call that names a record of another noun, and so acts on it, such as `reactions.add` on a
 * message, or reads what belongs to it, such as `channels.replies`.
 */
function actionOn(
  { operation, noun, verb, asked }: Call,
  groups: readonly CallGroup[],
  forms: ReadonlyMap<Operation, Form>,
): Form | undefined {
  const word = lastWord(noun);
  for (const { calls } of groups) {
    const remover = calls.find((call) => forms.get(call.operation)?.method === 'DELETE');
    const form = remover && forms.get(remover.operation);
    if (remover === undefined || form === undefined) continue;
    const named = form.named.map((name) => sameIn(operation, remover.operation, name) ?? '');
    if (named.length === 0 || !named.every((name) => asked.has(name))) continue;
    const path = form.named.reduce(
      (whole, name, index) => whole.replace(`{${name}}`, `{${named[index] ?? name}}`),
      form.path,
    );
    const act = operation.method === 'GET' ? verb : `${word}.${verb}`;
    return { path: `${path}/${act}`, method: operation.method, named };
  }
  return undefined;
}

/** A list whose records no other call is about: `users.list` is the list of `/users`. */
function listAlone(
  { operation, noun, asked }: Call,
  readers: ReadonlySet<string>,
): Form | undefined {
  const isList = readers.has(operation.id) && inferList(operation) !== undefined;
  return isList && asked.size === 0 && operation.method === 'GET'
    ? { path: noun, method: 'GET', named: [] }
    : undefined;
}

/** The value of a call that means the same as one of another: by its name, or by its schema. */
function sameIn(operation: Operation, other: Operation, name: string): string | undefined {
  const own = placesOf(operation);
  if (own.has(name)) return name;
  const expected = placesOf(other).get(name);
  return [...own].find(
    ([, target]) => target === expected && target?.includes('/schemas/') === true,
  )?.[0];
}

/** Where the schema of each asked value is written. */
function placesOf(operation: Operation): Map<string, string | undefined> {
  const body = bodySchema(operation);
  const flat = body?.flatten();
  return new Map(
    [...askedBy(operation)].map(([name, location]) => {
      const inBody = location === 'body' ? flat?.properties.get(name) : undefined;
      const own = operation.parameters.find(
        (one) => one.in === 'query' && one.name === name,
      )?.schema;
      const target =
        inBody === undefined
          ? own?.follow(own.node, own.pointer).pointer
          : body?.follow(inBody.node, inBody.pointer).pointer;
      return [name, target] as const;
    }),
  );
}

function recordOf({ operation }: Call): Schema | undefined {
  return inferList(operation) === undefined ? recordPlace(operation)?.schema : undefined;
}

/** The ordinary path and method of a call, and the values of the request that its path holds. */
interface Form {
  readonly path: string;
  readonly method: Method;
  readonly named: readonly string[];
}

function formOf(
  { operation, verb, asked }: Call,
  group: CallGroup,
  groups: readonly CallGroup[],
): Form | undefined {
  const { noun, identifier } = group;
  const above = groups.find((other) => other !== group && asked.has(other.identifier));
  const named = above === undefined ? [] : [above.identifier];
  const collection =
    group.collection ??
    (above === undefined ? noun : `${above.noun}/{${above.identifier}}/${lastWord(noun)}`);
  const item = `${collection}/{${identifier}}`;
  if (asked.has(identifier)) {
    const onItem = { path: item, named: [...named, identifier] };
    const action = actionOfWord(verb);
    if (operation === group.reader?.operation) return { ...onItem, method: 'GET' };
    if (action === 'delete') return { ...onItem, method: 'DELETE' };
    if (action === 'update') return { ...onItem, method: 'PATCH' };
    return { ...onItem, path: `${item}/${verb}`, method: operation.method };
  }
  if (inferList(operation) !== undefined && operation.method === 'GET')
    return { path: collection, method: 'GET', named };
  const made = recordPlace(operation, group.schema)?.schema;
  const isCreate =
    operation.method === 'POST' && made !== undefined && describesSame(made, group.schema);
  return isCreate ? { path: collection, method: 'POST', named } : undefined;
}

function openCall(operation: Operation, { path, method, named }: Form): Operation {
  const asked = askedBy(operation);
  const body = bodySchema(operation);
  const carried = named.flatMap((name): Parameter[] => {
    const own = operation.parameters.find((one) => one.in === 'query' && one.name === name);
    const place = body?.flatten().properties.get(name);
    const schema = own?.schema ?? (place && body?.part(place));
    if (schema === undefined) return [];
    return [
      {
        name,
        in: 'path',
        carried: asked.get(name) ?? 'query',
        required: true,
        deprecated: false,
        style: 'simple',
        explode: false,
        allowReserved: false,
        allowEmptyValue: false,
        examples: own?.examples ?? [],
        schema,
        pointer: own?.pointer ?? schema.pointer,
      },
    ];
  });
  return changedOperation(operation, {
    path,
    method,
    wire: { path: operation.path, method: operation.method },
    parameters: [
      ...carried,
      ...operation.parameters.filter((one) => one.in !== 'query' || !named.includes(one.name)),
    ],
    requestBody: withoutNamed(operation, named),
  });
}

/** The body without the members that the path holds; none if nothing is left. */
function withoutNamed(
  { requestBody }: Operation,
  named: readonly string[],
): Operation['requestBody'] {
  if (requestBody === undefined) return undefined;
  const content = requestBody.content.flatMap((media): MediaTypeSpec[] => {
    const { schema } = media;
    const flat = schema?.flatten();
    if (
      schema === undefined ||
      flat === undefined ||
      !named.some((name) => flat.properties.has(name))
    )
      return [media];
    const left = [...flat.properties].filter(([name]) => !named.includes(name));
    if (left.length === 0) return [];
    const node = {
      ...flat.node,
      properties: Object.fromEntries(
        left.map(([name, { pointer }]): [string, SchemaNode] => [
          name,
          { $ref: writeReference(pointer) },
        ]),
      ),
      required: [...flat.required].filter((name) => !named.includes(name)),
      'x-vouch-view': true,
    };
    const pointer = joinPointer(schema.pointer, 'x-vouch-call');
    const examples = media.examples.map((example) => ({
      ...example,
      value: withoutMembers(example.value, ...named),
    }));
    return [{ ...media, schema: schema.part({ node, pointer }), examples }];
  });
  return content.length === 0 ? undefined : { ...requestBody, content };
}

/**
 * The member of every success that says whether the call succeeded: `ok`, beside an `error`.
 * Undefined if the answers have none.
 */
function verdictOf(operations: readonly Operation[]): string | undefined {
  let shared: readonly string[] | undefined;
  let count = 0;
  for (const operation of operations) {
    const schema = successSchema(operation);
    if (schema === undefined) continue;
    const names = requiredBooleans(schema);
    shared = shared === undefined ? names : shared.filter((name) => names.includes(name));
    // Of a long document, the first answers are enough.
    if (shared.length === 0) return undefined;
    count += 1;
  }
  return count > 1 ? shared?.[0] : undefined;
}

function requiredBooleans(schema: Schema): string[] {
  const forms = formsOf(schema);
  const named = forms.map((form) => {
    const { properties, required } = form.flatten();
    return [...properties].flatMap(([name, place]) =>
      required.has(name) && form.flatten(place.node, place.pointer).types.join() === 'boolean'
        ? [name]
        : [],
    );
  });
  const [first = [], ...others] = named;
  return first.filter((name) => others.every((names) => names.includes(name)));
}

/** The alternatives of a body, or the body itself. */
function formsOf(schema: Schema): Schema[] {
  const { node, pointer } = schema.flatten();
  const keyword = node.oneOf === undefined ? 'anyOf' : 'oneOf';
  const branches = node[keyword];
  if (!Array.isArray(branches)) return [schema];
  return (branches as readonly SchemaNode[]).map((branch, index) =>
    schema.part(schema.follow(branch, joinPointer(pointer, keyword, index))),
  );
}

/** A response as two: the success, and the refusal that the same status carries. */
function judged(response: ResponseSpec, verdict: string): ResponseSpec[] {
  if (!response.status.startsWith('2')) return [response];
  const formOfEach = (isRefusal: boolean) => (media: MediaTypeSpec) =>
    (media.schema === undefined ? [] : formsOf(media.schema)).find(
      (form) => saysNo(form, verdict) === isRefusal,
    );
  const split = (isRefusal: boolean): MediaTypeSpec[] =>
    response.content.map((media) => {
      const schema = formOfEach(isRefusal)(media);
      return schema === undefined ? media : { ...media, schema };
    });
  const isShown = response.content.some((media) => formOfEach(true)(media) !== undefined);
  const refusal = { ...response, status: '4XX', content: split(true), links: [] };
  return [
    { ...response, content: split(false) },
    isShown ? { ...refusal, sentAs: response.status } : refusal,
  ];
}

/** Whether a form of an answer is that of a refusal: its verdict can only be false. */
function saysNo(form: Schema, verdict: string): boolean {
  const place = form.flatten().properties.get(verdict);
  if (place === undefined) return false;
  const { node } = form.flatten(place.node, place.pointer);
  return node.const === false || (node.enum?.length === 1 && node.enum[0] === false);
}
