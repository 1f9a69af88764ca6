import { readJson } from '../../../http/media-type.ts';
import { echoedFields } from '../../reading/echoed-fields.ts';
import type { Contract, Parameter } from '../../../contract/model.ts';
import { bodyTagOf } from '../../../contract/protocols/body-tag.ts';
import type { HttpRequest, HttpResponse } from '../../../http/message.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import {
  editParts,
  isJsonArray,
  isJsonObject,
  mapMembers,
  membersWhere,
} from '../../../json/value.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { dropHeader, editAnswers, withJson } from '../../mutants/edit-service.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import type { Mutator, Plant, Service } from '../../mutants/mutant.ts';
import { bodyOf, editFieldsShown, fieldsIn, openMedia } from '../../mutants/open-bodies.ts';
import { hasFreeText, isFreeText } from '../../mutants/free-text.ts';
import { sendableMembers, whyUnseen } from '../../mutants/places.ts';
import {
  type ActionPlace,
  actions,
  isInvalid,
  losing,
  readFirst,
  recordAt,
  shownActions,
  soundLike,
  storing,
  succeeded,
} from '../../mutants/state-edits.ts';
import { isKeyParameter } from '../../../contract/protocols/chosen-name.ts';
import { idempotencyKey } from '../../../contract/model/operation.ts';
import { queryOf, withoutQuery, withQuery } from '../../mutants/list-place.ts';

const mutant = mutantsOf('state');

const creates = (contract: Contract): ActionPlace[] => shownActions(contract, 'create');
const changes = (contract: Contract): ActionPlace[] => shownActions(contract, 'replace', 'update');

/** Creates that are lost, or stored otherwise. */
export const storeMutants: readonly Mutator[] = [
  mutant('loses-create', {
    rule: 'A create succeeds, and nothing is stored.',
    where: creates,
    says: 'keeps nothing',
    plant: losing,
  }),
  mutant('keeps-refused', {
    rule: 'A refused create stores a record.',
    where: (contract) =>
      actions(contract, 'create').filter(({ resource }) => resource.operations.list !== undefined),
    says: 'stores a record when it refuses',
    act: (place) => (service, fired) => {
      let last: HttpRequest | undefined;
      return async (request) => {
        const reply = await service.respond(request);
        if (succeeded(reply.response)) last = request;
        else if (isInvalid(reply.response)) {
          const sound = last ?? soundLike(request, place);
          if (sound !== undefined) {
            const named = namedLike(sound, request, place);
            await leaveBehind(service, { sound: named, refused: request }, fired);
          }
        }
        return reply;
      };
    },
  }),
  mutant('reads-another', {
    rule: 'A read returns another record.',
    where: (contract) => actions(contract, 'read'),
    says: 'gives another record',
    act: () => keepingFirst(() => ''),
  }),
  mutant('reads-stale', {
    rule: 'A read always returns the first state of the record.',
    where: (contract) =>
      actions(contract, 'read').filter(
        ({ resource: { operations } }) =>
          operations.replace !== undefined || operations.update !== undefined,
      ),
    says: 'always returns the first state',
    act: () => keepingFirst(({ target }) => target),
  }),
  mutant('upper-case', {
    rule: 'A create stores texts in upper case, as servers that normalise texts do: a warning.',
    killedBy: 'warning',
    where: creates,
    hidden: (place) => whyNoText(place, 'text a', 'a text in lower case'),
    says: 'writes texts in upper case',
    act: () =>
      storing((body) =>
        eachText(body, (each) => (/^[a-z]+$/.test(each) ? each : each.toUpperCase())),
      ),
  }),
  mutant('cuts-text', {
    rule: 'A create truncates texts.',
    where: creates,
    hidden: (place) => whyNoText(place, 'long text ', 'a long text'),
    says: 'cuts texts to 20 characters',
    act: () => storing((body) => eachText(body, (each) => [...each].slice(0, 20).join(''))),
  }),
  mutant('loses-unicode', {
    rule: 'A create loses non-ASCII characters.',
    where: creates,
    hidden: (place) => whyNoText(place, 'é', 'a text beyond ASCII'),
    says: 'replaces non-ASCII characters with ?',
    act: () =>
      storing((body) => eachText(body, (each) => each.replaceAll(/[^\u0000-\u007f]/gu, '?'))),
  }),
  mutant('loses-emoji', {
    rule: 'A create loses characters of four bytes.',
    where: creates,
    hidden: (place) => whyNoText(place, '\u{1f600}', 'a text with characters of four bytes'),
    says: 'loses characters of four bytes',
    act: () =>
      storing((body) => eachText(body, (each) => each.replaceAll(/[\u{10000}-\u{10ffff}]/gu, ''))),
  }),
  mutant('trims-text', {
    rule: 'A create trims texts, as many conforming servers do: a note.',
    killedBy: 'note',
    where: creates,
    hidden: (place) => whyNoText(place, ' a ', 'a text with blanks around it'),
    says: 'trims texts',
    act: () => storing((body) => eachText(body, (each) => each.trim())),
  }),
  mutant('escapes-html', {
    rule: 'A create stores texts as HTML.',
    where: creates,
    hidden: (place) => whyNoText(place, 'a<b', 'a text with <'),
    says: 'writes &lt; for <',
    act: () =>
      storing((body) =>
        eachText(body, (each) => each.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
      ),
  }),
  mutant('rounds-integers', {
    rule: 'Integers beyond 2^53 are rounded when they are stored.',
    where: (contract) => shownActions(contract, 'create', 'replace', 'update'),
    says: 'rounds large integers',
    hidden: (place) =>
      takesOne(place, [9_007_199_254_740_993n])
        ? undefined
        : 'no field of the body may be an integer beyond 2^53',
    act: () => storing((body) => (holdsLarge(body) ? (rounded(body) as JsonObject) : undefined)),
  }),
];

/** Answers to a create that are not what was sent. */
export const answerMutants: readonly Mutator[] = [
  mutant('drops-optional', {
    rule: 'A create forgets an optional field.',
    where: creates,
    says: (place) => `forgets ${optionalOf(place)[0] ?? 'nothing'}`,
    hidden: (place) =>
      optionalOf(place).length > 0 ? undefined : 'clients have to send every field of the body',
    act: (place) =>
      storing((body) => {
        const dropped = optionalOf(place).find((name) => Object.hasOwn(body, name));
        return dropped === undefined ? undefined : membersWhere(body, (name) => name !== dropped);
      }),
  }),
  mutant('drops-false', {
    rule:
      'A create drops false, 0 and empty texts; a missing field may just be hidden, so this ' +
      'can only be a warning.',
    killedBy: 'warning',
    where: creates,
    says: 'drops false, 0 and empty texts',
    hidden: (place) =>
      takesOne(place, [false, 0, ''], 'optional')
        ? undefined
        : 'no optional field of the body may be false, 0 or empty',
    act: () =>
      storing((body) => {
        const kept = membersWhere(body, (_name, value) => !isNothing(value));
        return Object.keys(kept).length === Object.keys(body).length ? undefined : kept;
      }),
  }),
  mutant('keeps-true', {
    rule: 'A change to false, 0 or an empty text is ignored.',
    where: changes,
    says: 'ignores false, 0 and empty texts',
    hidden: (place) =>
      takesOne(place, [false, 0, '']) ? undefined : 'no field of the body may be false, 0 or empty',
    act: ({ fields }) =>
      storing(async (body, request, service) => {
        // Invalid requests are refused as before.
        if (fields?.validate(body, 'request').length !== 0) return undefined;
        const kept = membersWhere((await recordAt(service, request)) ?? {}, (name, value) => {
          const given = body[name];
          return given !== undefined && isNothing(given) && given !== value;
        });
        return Object.keys(kept).length === 0 ? undefined : { ...body, ...kept };
      }),
  }),
  mutant('echoes-another', {
    rule: 'A POST outside of every resource returns a text that differs from the request.',
    where: (contract) =>
      contract.operations.flatMap((operation) => {
        const schema = operation.requestBody?.content[0]?.schema;
        const [field] = schema === undefined ? [] : echoedFields(contract, operation, schema);
        return field === undefined ? [] : [{ operation, field }];
      }),
    says: ({ field }) => `returns a ${field} that differs from the request`,
    body: (body, { field }) =>
      isJsonObject(body) && typeof body[field] === 'string'
        ? { ...body, [field]: 'Some other text' }
        : undefined,
  }),
  mutant('answers-other-values', {
    rule: 'A create returns values that differ from the stored ones.',
    where: creates,
    says: 'returns values that differ from the request',
    hidden: ({ resource }) =>
      hasFreeText(resource) ? undefined : 'no field of a record may be any text',
    body: (body, place) => editFieldsShown(body, place, (fields) => eachFree(fields, place)),
  }),
];

/** Changes that are lost, or done by halves. */
export const changeMutants: readonly Mutator[] = [
  mutant('loses-change', {
    rule: 'A replacement or an update reports success, and nothing has changed.',
    where: changes,
    says: 'changes nothing',
    plant: losing,
  }),
  mutant('answers-before', {
    rule: 'A replacement or an update is stored, and returns the old record.',
    where: changes,
    says: 'answers the record as it was',
    act: () => answeringBefore,
  }),
  mutant('replaces-by-parts', {
    rule: 'A replacement leaves one field unchanged.',
    where: (contract) =>
      actions(contract, 'replace').filter(({ resource }) => resource.operations.read !== undefined),
    says: 'leaves one field unchanged',
    act: () =>
      storing(async (body, request, service) => {
        const record = (await recordAt(service, request)) ?? {};
        const name = Object.keys(body).find(
          (key) => record[key] !== undefined && record[key] !== body[key],
        );
        return name === undefined ? undefined : { ...body, [name]: record[name] ?? null };
      }),
  }),
];

/** Deletions that are lost. */
export const deletionMutants: readonly Mutator[] = [
  mutant('loses-delete', {
    rule: 'A deletion reports success, and the record still exists.',
    where: (contract) => shownActions(contract, 'delete'),
    says: 'deletes nothing',
    plant: losing,
  }),
];

/** Creates that happen twice. */
export const onceMutants: readonly Mutator[] = [
  mutant('creates-twice', {
    rule: 'A create makes two records.',
    where: creates,
    says: 'makes two records',
    hidden: hiddenBy,
    act: (place) => (service, fired) => async (request) => {
      const reply = await service.respond(request);
      if (!succeeded(reply.response)) return reply;
      if (succeeded((await service.respond(againAs(request, place))).response)) fired();
      return reply;
    },
  }),
];

/** A list with few records and without paging may not show the additional record. */
function hiddenBy({ resource: { operations, list } }: ActionPlace): string | undefined {
  if (operations.list === undefined || list === undefined)
    return 'the contract has no list that would hold the second record';
  return whyUnseen(operations.list, list, 'the second one could be requested');
}

/** Returns the first successful response for ever: to all requests, or to those with one key. */
function keepingFirst(keyOf: (request: HttpRequest) => string): Plant {
  const first = new Map<string, HttpResponse>();
  return (service, fired) =>
    editAnswers(service, fired, {}, (response, request) => {
      const known = first.get(keyOf(request)) ?? response;
      first.set(keyOf(request), known);
      return Buffer.from(known.body).equals(Buffer.from(response.body)) ? undefined : known;
    });
}

/** Applies the request, and returns the previous record. */
const answeringBefore: Plant = (service, fired) => async (request) => {
  const before = await readFirst(service, request);
  const reply = await service.respond(request);
  const [old, now] = [before, reply.response].map((response) => response && readJson(response));
  if (reply.response === undefined || !succeeded(reply.response)) return reply;
  if (old === undefined || now === undefined || equalJson(old, now)) return reply;
  fired();
  return { ...reply, response: withJson(reply.response, old) };
};

/** Whether a value is false, 0 or an empty text. */
function isNothing(value: JsonValue): boolean {
  return value === false || value === 0 || value === '';
}

/** Whether a field of the body may have one of some values: any field, or only optional ones. */
function takesOne(
  { fields: schema, resource }: ActionPlace,
  values: readonly JsonValue[],
  which: 'any' | 'optional' = 'any',
): boolean {
  if (schema === undefined) return false;
  const { required } = schema.flatten();
  // A client takes a tag from a response, and never makes one up.
  const tag = bodyTagOf(resource)?.field;
  return sendableMembers(schema).some(
    ([name, located]) =>
      name !== resource.identifier.field &&
      name !== tag &&
      (which === 'any' || !required.has(name)) &&
      values.some((value) => schema.part(located).accepts(value, 'request')),
  );
}

function eachFree(body: JsonObject, { resource, fields }: ActionPlace): JsonObject | undefined {
  const sendable = fields?.flatten().properties;
  const name = Object.keys(body).find(
    (key) =>
      key !== resource.identifier.field &&
      sendable?.has(key) === true &&
      typeof body[key] === 'string' &&
      isFreeText(resource, key),
  );
  return name === undefined ? undefined : { ...body, [name]: `${String(body[name])} (new)` };
}

/** Changes every unconstrained text of a body. */
function eachText(body: JsonObject, edit: (text: string) => string): JsonObject | undefined {
  const changed = mapMembers(body, (value) => (typeof value === 'string' ? edit(value) : value));
  return Object.keys(changed).some((name) => changed[name] !== body[name]) ? changed : undefined;
}

/** A value with its large integers rounded to doubles. */
function rounded(value: JsonValue): JsonValue {
  return typeof value === 'bigint' ? BigInt(Number(value)) : editParts(value, rounded);
}

/** Whether a value contains an integer that a double cannot hold. */
function holdsLarge(value: JsonValue): boolean {
  if (typeof value === 'bigint') return BigInt(Number(value)) !== value;
  if (isJsonArray(value)) return value.some(holdsLarge);
  return isJsonObject(value) && Object.values(value).some(holdsLarge);
}

/** Optional members of a request that a service may forget to store. */
function optionalOf({ fields: schema }: ActionPlace): string[] {
  const required = schema?.flatten().required;
  return schema === undefined
    ? []
    : sendableMembers(schema)
        .map(([name]) => name)
        .filter((name) => required?.has(name) === false);
}

/** Why texts of a kind are never sent: no member of the body may be one, at any usual length. */
function whyNoText(place: ActionPlace, sample: string, what: string): string | undefined {
  const samples = [1, 2, 12, 40].map((count) => sample.repeat(count));
  return takesOne(place, samples) ? undefined : `no field of the body may be ${what}`;
}

/** A valid record with the texts of the refused one that are valid in it. */
async function leaveBehind(
  service: Service,
  { sound, refused }: { readonly sound: HttpRequest; readonly refused: HttpRequest },
  fired: () => void,
): Promise<void> {
  const operation = service.operationOf(sound);
  const media = operation && openMedia(service.contract, operation);
  const [base, expected] = [sound, refused].map((request) => fieldsIn(media, readJson(request)));
  if (base === undefined) return;
  const texts = membersWhere(
    expected ?? {},
    (name, value) => typeof value === 'string' && typeof base[name] === 'string',
  );
  const reply = await service.respond(withJson(sound, bodyOf(media, { ...base, ...texts })));
  if (succeeded(reply.response)) fired();
}

/** The parameter with which a create names the new record; undefined if it has none. */
function nameOf({ resource, operation }: ActionPlace): Parameter | undefined {
  return operation.parameters.find((parameter) => isKeyParameter(resource, parameter));
}

/** A create with the name that another request gives its record, if it gives one. */
function namedLike(request: HttpRequest, other: HttpRequest, place: ActionPlace): HttpRequest {
  const { name = '' } = nameOf(place) ?? {};
  const given = queryOf(other, name);
  return given === undefined ? request : withQuery(request, name, encodeURIComponent(given));
}

/** A create once more, as that of another record: without its key, and with a name of its own. */
function againAs(request: HttpRequest, place: ActionPlace): HttpRequest {
  const { in: location, name: key = '' } = idempotencyKey(place.operation) ?? {};
  const bare =
    location === 'header' ? dropHeader(request, key) : (withoutQuery(request, [key]) ?? request);
  const { name = '' } = nameOf(place) ?? {};
  const given = queryOf(bare, name);
  return given === undefined ? bare : withQuery(bare, name, `${encodeURIComponent(given)}-2`);
}
