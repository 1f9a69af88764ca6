import { echoedFields } from '../../reading/echoed-fields.ts';
import type { Operation, Resource } from '../../../contract/model.ts';
import { type HttpRequest, type HttpResponse, withHeader } from '../../../http/message.ts';
import { defined, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { type Mutation, forOperation, type Mutator, type Service } from '../../mutants/mutant.ts';
import { editBodies, readJson, withJson } from '../../mutants/edit-service.ts';
import { whyUnseen } from '../../mutants/places.ts';
import {
  type ActionPlace,
  actions,
  answeringBefore,
  eachText,
  forActions,
  holdsLarge,
  losing,
  mangling,
  maxOfKind,
  optionalOf,
  rounded,
  succeeded,
} from '../../mutants/state-edits.ts';

/** Creates that are lost, or stored otherwise. */
export const storeMutants: readonly Mutator[] = [
  forActions('loses-create', 'A create succeeds, and nothing is stored.', ['create'], (place) =>
    losing('loses-create', place, 'keeps nothing'),
  ),
  {
    id: 'keeps-refused',
    family: 'state',
    rule: 'A refused create stores a record.',
    find: (contract) =>
      actions(contract, 'create')
        .filter(({ resource }) => resource.operations.list !== undefined)
        .slice(0, maxOfKind)
        .map((place) =>
          forOperation(
            'keeps-refused',
            place,
            'stores a record when it refuses',
            (service, fired) => {
              let sound: HttpRequest | undefined;
              return async (request) => {
                const reply = await service.respond(request);
                if (succeeded(reply.response)) sound = request;
                else if (sound !== undefined && reply.response?.status === 400)
                  await leaveBehind(service, { sound, refused: request }, fired);
                return reply;
              };
            },
          ),
        ),
  },
  {
    id: 'reads-another',
    family: 'state',
    rule: 'A read returns another record.',
    find: (contract) =>
      actions(contract, 'read')
        .slice(0, maxOfKind)
        .map((place) =>
          forOperation('reads-another', place, 'gives another record', (service, fired) => {
            let other: HttpResponse | undefined;
            return async (request) => {
              const reply = await service.respond(request);
              const { response } = reply;
              if (response === undefined || !succeeded(response)) return reply;
              if (other === undefined) {
                other = response;
                return reply;
              }
              if (Buffer.from(other.body).equals(Buffer.from(response.body))) return reply;
              fired();
              return { ...reply, response: other };
            };
          }),
        ),
  },
  {
    id: 'reads-stale',
    family: 'state',
    rule: 'A read always returns the first state of the record.',
    find: (contract) =>
      actions(contract, 'read')
        .filter(
          ({ resource: { operations } }) =>
            operations.replace !== undefined || operations.update !== undefined,
        )
        .slice(0, maxOfKind)
        .map((place) =>
          forOperation('reads-stale', place, 'always returns the first state', (service, fired) => {
            const first = new Map<string, HttpResponse>();
            return async (request) => {
              const reply = await service.respond(request);
              const { response } = reply;
              const known = first.get(request.target);
              if (response?.status !== 200) return reply;
              if (known === undefined) first.set(request.target, response);
              else if (!Buffer.from(known.body).equals(Buffer.from(response.body))) fired();
              return { ...reply, response: known ?? response };
            };
          }),
        ),
  },
  {
    ...forActions(
      'upper-case',
      'A create stores texts in upper case, as servers that normalise texts do: a warning.',
      ['create'],
      (place) =>
        forOperation(
          'upper-case',
          place,
          'writes texts in upper case',
          mangling((body) =>
            eachText(body, (text) => (/^[a-z]+$/.test(text) ? text : text.toUpperCase())),
          ),
        ),
    ),
    killedBy: 'warning',
  },
  forActions('cuts-text', 'A create truncates texts.', ['create'], (place) =>
    forOperation(
      'cuts-text',
      place,
      'cuts texts to 20 characters',
      mangling((body) => eachText(body, (text) => [...text].slice(0, 20).join(''))),
    ),
  ),
  forActions('loses-unicode', 'A create loses non-ASCII characters.', ['create'], (place) =>
    forOperation(
      'loses-unicode',
      place,
      'replaces non-ASCII characters with ?',
      mangling((body) => eachText(body, (text) => text.replaceAll(/[^\u0000-\u007f]/gu, '?'))),
    ),
  ),
  forActions('loses-emoji', 'A create loses characters of four bytes.', ['create'], (place) =>
    forOperation(
      'loses-emoji',
      place,
      'loses characters of four bytes',
      mangling((body) => eachText(body, (text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, ''))),
    ),
  ),
  {
    ...forActions(
      'trims-text',
      'A create trims texts, as many conforming servers do: a note.',
      ['create'],
      (place) => ({
        ...forOperation(
          'trims-text',
          place,
          'trims texts',
          mangling((body) => eachText(body, (text) => text.trim())),
        ),
      }),
    ),
    killedBy: 'note',
  },
  forActions('escapes-html', 'A create stores texts as HTML.', ['create'], (place) =>
    forOperation(
      'escapes-html',
      place,
      'writes &lt; for <',
      mangling((body) =>
        eachText(body, (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
      ),
    ),
  ),
  forActions(
    'rounds-integers',
    'Integers beyond 2^53 are rounded when they are stored.',
    ['create', 'replace', 'update'],
    (place) => ({
      ...(takesOne(place, [9_007_199_254_740_993n])
        ? {}
        : { hidden: 'no field of the body may be an integer beyond 2^53' }),
      ...forOperation(
        'rounds-integers',
        place,
        'rounds large integers',
        mangling((body) => (holdsLarge(body) ? (rounded(body) as JsonObject) : undefined)),
      ),
    }),
  ),
];

/** Answers to a create that are not what was sent. */
export const answerMutants: readonly Mutator[] = [
  forActions('drops-optional', 'A create forgets an optional field.', ['create'], (place) =>
    forOperation(
      'drops-optional',
      place,
      `forgets ${optionalOf(place)[0] ?? 'nothing'}`,
      mangling((body) => {
        const [name] = optionalOf(place).filter((candidate) => Object.hasOwn(body, candidate));
        return name === undefined
          ? undefined
          : Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
      }),
    ),
  ),
  {
    ...forActions(
      'drops-false',
      'A create drops false, 0 and empty texts; a missing field may just be hidden, so this ' +
        'can only be a warning.',
      ['create'],
      (place) => ({
        ...(takesOne(place, [false, 0, ''], 'optional')
          ? {}
          : { hidden: 'no optional field of the body may be false, 0 or empty' }),
        ...forOperation(
          'drops-false',
          place,
          'drops false, 0 and empty texts',
          mangling(withoutNothing),
        ),
      }),
    ),
    killedBy: 'warning',
  },
  forActions(
    'keeps-true',
    'A change to false, 0 or an empty text is ignored.',
    ['replace', 'update'],
    (place) =>
      forOperation(
        'keeps-true',
        place,
        'ignores false, 0 and empty texts',
        (service, fired) => async (request) => {
          const [record, body] = [await readRecord(service, request, place), readJson(request)];
          const kept = isJsonObject(body) ? withoutNothing(body) : undefined;
          // Invalid requests are refused as before.
          const invalid =
            body === undefined ||
            place.operation.requestBody?.content[0]?.schema?.validate(body, 'request').length !== 0;
          if (record === undefined || !isJsonObject(body) || kept === undefined || invalid)
            return service.respond(request);
          const stays = Object.fromEntries(
            Object.entries(record).filter(
              ([name]) => Object.hasOwn(body, name) && !Object.hasOwn(kept, name),
            ),
          );
          const reply = await service.respond(withJson(request, { ...body, ...stays }));
          if (!succeeded(reply.response)) return service.respond(request);
          if (Object.keys(stays).some((name) => stays[name] !== body[name])) fired();
          return reply;
        },
      ),
  ),
  {
    id: 'echoes-another',
    family: 'state',
    rule: 'A POST outside of every resource returns a text that differs from the request.',
    find: (contract) =>
      contract.operations
        .flatMap((operation) => {
          const schema = operation.requestBody?.content[0]?.schema;
          const [field] = schema === undefined ? [] : echoedFields(contract, operation, schema);
          return field === undefined ? [] : [echoingAnother({ operation }, field)];
        })
        .slice(0, maxOfKind),
  },
  forActions(
    'answers-other-values',
    'A create returns values that differ from the stored ones.',
    ['create'],
    (place) =>
      forOperation(
        'answers-other-values',
        place,
        'returns values that differ from the request',
        (service, fired) => (request) =>
          editBodies(service, fired, { operation: place.operation }, (body) =>
            isJsonObject(body) ? eachFree(body, place) : undefined,
          )(request),
      ),
  ),
];

/** Changes that are lost, or done by halves. */
export const changeMutants: readonly Mutator[] = [
  forActions(
    'loses-change',
    'A replacement or an update reports success, and nothing has changed.',
    ['replace', 'update'],
    (place) => losing('loses-change', place, 'changes nothing'),
  ),
  forActions(
    'answers-before',
    'A replacement or an update is stored, and returns the old record.',
    ['replace', 'update'],
    (place) =>
      forOperation('answers-before', place, 'answers the record as it was', answeringBefore),
  ),
  {
    id: 'replaces-by-parts',
    family: 'state',
    rule: 'A replacement leaves one field unchanged.',
    find: (contract) =>
      actions(contract, 'replace')
        .filter(({ resource }) => resource.operations.read !== undefined)
        .slice(0, maxOfKind)
        .map((place) =>
          forOperation(
            'replaces-by-parts',
            place,
            'leaves one field unchanged',
            (service, fired) => async (request) => {
              const [record, body] = [await readRecord(service, request, place), readJson(request)];
              const name =
                isJsonObject(record) && isJsonObject(body)
                  ? Object.keys(body).find(
                      (key) => record[key] !== undefined && record[key] !== body[key],
                    )
                  : undefined;
              if (!isJsonObject(record) || !isJsonObject(body) || name === undefined)
                return service.respond(request);
              const reply = await service.respond(
                withJson(request, { ...body, [name]: record[name] ?? null }),
              );
              if (!succeeded(reply.response)) return service.respond(request);
              fired();
              return reply;
            },
          ),
        ),
  },
];

/** Deletions that are lost. */
export const deletionMutants: readonly Mutator[] = [
  forActions(
    'loses-delete',
    'A deletion reports success, and the record still exists.',
    ['delete'],
    (place) => losing('loses-delete', place, 'deletes nothing'),
  ),
];

/** Creates that happen twice. */
export const onceMutants: readonly Mutator[] = [
  forActions('creates-twice', 'A create makes two records.', ['create'], (place) => ({
    ...hiddenBy(place),
    ...forOperation(
      'creates-twice',
      place,
      'makes two records',
      (service, fired) => async (request) => {
        const reply = await service.respond(request);
        if (succeeded(reply.response) && succeeded((await service.respond(request)).response))
          fired();
        return reply;
      },
    ),
  })),
];

/** A list with few records and without paging may not show the additional record. */
function hiddenBy({ resource: { operations, list } }: ActionPlace): Pick<Mutation, 'hidden'> {
  if (operations.list === undefined || list === undefined)
    return { hidden: 'the contract has no list that would hold the second record' };
  return defined({
    hidden: whyUnseen(operations.list, list, 'the second one could be requested'),
  });
}

/** The record before a change, from a read of the same path. */
async function readRecord(
  service: Service,
  request: HttpRequest,
  {
    resource: {
      operations: { read },
    },
  }: ActionPlace,
): Promise<JsonObject | undefined> {
  const before =
    read === undefined
      ? undefined
      : await service.respond({
          ...request,
          method: read.method,
          body: new Uint8Array(),
          headers: request.headers.filter(([name]) => !/^content-/i.test(name)),
        });
  const record = before?.response === undefined ? undefined : readJson(before.response);
  return isJsonObject(record) ? record : undefined;
}

/** A body without false, 0 and empty texts; undefined if it has none. */
function withoutNothing(body: JsonObject): JsonObject | undefined {
  const kept = Object.entries(body).filter(
    ([, value]) => value !== false && value !== 0 && value !== '',
  );
  return kept.length === Object.keys(body).length ? undefined : Object.fromEntries(kept);
}

function echoingAnother(place: { readonly operation: Operation }, field: string): Mutation {
  return forOperation(
    'echoes-another',
    place,
    `returns a ${field} that differs from the request`,
    (service, fired) =>
      editBodies(service, fired, place, (body) =>
        isJsonObject(body) && typeof body[field] === 'string'
          ? { ...body, [field]: 'Some other text' }
          : undefined,
      ),
  );
}

/** Whether a field of the body may have one of some values: any field, or only optional ones. */
function takesOne(
  { operation }: ActionPlace,
  values: readonly JsonValue[],
  which: 'any' | 'optional' = 'any',
): boolean {
  const schema = operation.requestBody?.content[0]?.schema;
  if (schema === undefined) return false;
  const { properties, required } = schema.flatten();
  return [...properties].some(
    ([name, located]) =>
      (which === 'any' || !required.has(name)) &&
      values.some((value) => schema.part(located).accepts(value, 'request')),
  );
}

function eachFree(body: JsonObject, { resource, operation }: ActionPlace): JsonObject | undefined {
  const sendable = operation.requestBody?.content[0]?.schema?.flatten().properties;
  const name = Object.keys(body).find(
    (key) =>
      key !== resource.identifier.field &&
      sendable?.has(key) === true &&
      typeof body[key] === 'string' &&
      resource.record.flatten().node.properties !== undefined &&
      isPlain(body[key], resource, key),
  );
  return name === undefined ? undefined : { ...body, [name]: `${String(body[name])} (new)` };
}

function isPlain(_value: JsonValue | undefined, { record }: Resource, key: string): boolean {
  const located = record.flatten().properties.get(key);
  if (located === undefined) return false;
  const { node } = record.flatten(located.node, located.pointer);
  return (
    node.enum === undefined &&
    node.format === undefined &&
    node.pattern === undefined &&
    node.maxLength === undefined
  );
}

/** A valid record with the texts of the refused one that are valid in it. */
async function leaveBehind(
  service: Service,
  { sound, refused }: { readonly sound: HttpRequest; readonly refused: HttpRequest },
  fired: () => void,
): Promise<void> {
  const [base, wanted] = [readJson(sound), readJson(refused)];
  if (!isJsonObject(base)) return;
  const texts = isJsonObject(wanted)
    ? Object.fromEntries(
        Object.entries(wanted).filter(
          ([name, value]) => typeof value === 'string' && typeof base[name] === 'string',
        ),
      )
    : {};
  const reply = await service.respond(
    withJson(
      { ...sound, headers: withHeader(sound.headers, 'Content-Type', 'application/json') },
      { ...base, ...texts },
    ),
  );
  if (succeeded(reply.response)) fired();
}
