import type { Contract, Operation } from '../../contract/model.ts';
import { withHeader, withoutHeader, type HttpResponse } from '../../http/message.ts';
import { isJsonObject } from '../../json/value.ts';
import type { Deviation, Family, Operator } from '../deviation.ts';
import { editAnswers, readJson, withBytes, withJson, type Target } from '../edit-answer.ts';
import { refusalBodies, successBodies } from '../places.ts';

const mostOfKind = 3;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What is wrong with an answer as a whole. */
interface MessageEdit {
  readonly id: string;
  readonly family: Family;
  readonly rule: string;
  readonly caughtBy?: Operator['caughtBy'];
  /** After the operation: `answers with a body that breaks off`. */
  readonly words: string;
  where(contract: Contract): readonly (Target & { readonly operation: Operation })[];
  edit(response: HttpResponse, operation: Operation): HttpResponse | undefined;
}

type Place = Target & { readonly operation: Operation };
const whereBodies = (contract: Contract): Place[] => successBodies(contract).map(({ operation }) => ({ operation }));
const whereRefused = (contract: Contract): Place[] => refusalBodies(contract).map(({ operation, status }) => ({ operation, status: Number(status) }));
const whereAny = ({ operations }: Contract): Place[] => operations.filter(({ responses }) => responses.some(({ status }) => status.startsWith('2'))).map((operation) => ({ operation }));
const reads = (contract: Contract): Place[] => whereAny(contract).filter(({ operation }) => operation.method === 'GET');
const hasBody = ({ body }: HttpResponse): boolean => body.length > 0;
const documents = ({ responses }: Operation, status: number): boolean => responses.some((response) => [String(status), `${String(status)[0] ?? ''}XX`, ...(status < 500 ? ['default'] : [])].includes(response.status));
const whereUndocumented = (status: number) => (contract: Contract): Place[] => whereAny(contract).filter(({ operation }) => !documents(operation, status));

const edits: readonly MessageEdit[] = [
  { id: 'empty-body', family: 'body', rule: 'An answer has no body where the contract documents one.', words: 'answers without a body', where: whereBodies, edit: (response) => (hasBody(response) ? withBytes(response, new Uint8Array()) : undefined) },
  { id: 'truncated-json', family: 'body', rule: 'The JSON of an answer breaks off in the middle.', words: 'answers with JSON that breaks off', where: whereBodies, edit: (response) => (hasBody(response) ? withBytes(response, response.body.slice(0, Math.ceil(response.body.length / 2))) : undefined) },
  { id: 'not-a-number', family: 'body', rule: 'An answer holds NaN, which JSON does not have.', words: 'answers with NaN in its JSON', where: whereBodies, edit: (response) => (readJson(response) === undefined ? undefined : withBytes(response, encode('{"value":NaN}'))) },
  { id: 'double-encoded', family: 'body', rule: 'The JSON of an answer is a text that holds JSON.', words: 'answers with JSON inside a text', where: whereBodies, edit: (response) => (hasBody(response) ? withJson(response, new TextDecoder().decode(response.body)) : undefined) },
  { id: 'invalid-utf8', family: 'body', rule: 'An answer holds bytes that are not UTF-8.', words: 'answers with bytes that are not UTF-8', where: whereBodies, edit: (response) => (hasBody(response) ? withBytes(response, Uint8Array.from([...response.body.slice(0, -1), 0xff, 0xfe, ...response.body.slice(-1)])) : undefined) },
  { id: 'wrapped', family: 'body', rule: 'An answer wraps its body into an envelope that the contract does not have.', words: 'answers inside an envelope of its own', where: whereBodies, edit: (response) => { const value = readJson(response); return value === undefined ? undefined : withJson(response, { ok: true, result: value }); } },
  { id: 'list-for-object', family: 'body', rule: 'An answer wraps an object into a list.', words: 'answers with a list of one', where: whereBodies, edit: (response) => { const value = readJson(response); return isJsonObject(value) ? withJson(response, [value]) : undefined; } },
  { id: 'html-page', family: 'header', rule: 'An answer is a page of HTML.', words: 'answers with a page of HTML', where: whereBodies, edit: (response) => withBytes({ ...response, headers: withHeader(response.headers, 'Content-Type', 'text/html') }, encode('<!doctype html><title>Welcome</title>')) },
  { id: 'wrong-media-type', family: 'header', rule: 'An answer says that its JSON is plain text.', words: 'answers with JSON labelled text/plain', where: whereBodies, edit: (response) => ({ ...response, headers: withHeader(response.headers, 'Content-Type', 'text/plain') }) },
  { id: 'no-media-type', family: 'header', rule: 'An answer does not say what its body is.', words: 'answers without Content-Type', where: whereBodies, edit: (response) => (hasBody(response) ? { ...response, headers: withoutHeader(response.headers, 'content-type') } : undefined) },
  { id: 'lying-encoding', family: 'transport', rule: 'An answer says that its body is gzip, and it is not.', words: 'answers with a Content-Encoding that lies', where: whereBodies, edit: (response) => ({ ...response, headers: withHeader(response.headers, 'Content-Encoding', 'gzip') }) },
  { id: 'undocumented-success', family: 'status', rule: 'A success has a status that the contract does not name.', words: 'answers 203', where: whereUndocumented(203), edit: (response) => ({ ...response, status: 203 }) },
  { id: 'accepted-for-done', family: 'status', rule: 'A success is answered 202 where the contract says otherwise.', words: 'answers 202', where: whereUndocumented(202), edit: (response) => ({ ...response, status: 202 }) },
  { id: 'server-error', family: 'status', rule: 'An operation answers 500.', words: 'answers 500', where: reads, edit: (response) => ({ ...response, status: 500 }) },
  { id: 'redirects', family: 'status', rule: 'An operation sends its clients elsewhere.', words: 'answers 302', where: whereUndocumented(302), edit: (response) => ({ ...response, status: 302, headers: withHeader(response.headers, 'Location', 'https://login.example/') }) },
  { id: 'says-gone', family: 'status', rule: 'An operation answers 410 to a valid request.', words: 'answers 410', where: (contract) => whereUndocumented(410)(contract).filter(({ operation }) => operation.method === 'GET'), edit: (response) => ({ ...response, status: 410 }) },
  { id: 'error-in-success', family: 'status', rule: 'An operation answers 200 with an error in the body.', words: 'answers 200 with an error', where: whereBodies, edit: (response) => withJson(response, { error: { code: 500, message: 'Something went wrong.' } }) },
  { id: 'error-without-field', family: 'refusal', rule: 'A refusal lacks a field that its schema requires.', words: 'refuses with an error that lacks a field', where: (contract) => refusalBodies(contract).filter(({ fields }) => fields.some(({ required, way }) => required && way.length === 1)).map(({ operation, status }) => ({ operation, status: Number(status) })), edit: (response, operation) => { const value = readJson(response); const schema = operation.responses.find(({ status }) => status === String(response.status))?.content[0]?.schema; const [name] = [...(schema?.flatten().required ?? [])]; return isJsonObject(value) && name !== undefined ? withJson(response, Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))) : undefined; } },
  { id: 'error-as-text', family: 'refusal', rule: 'A refusal is plain text where the contract documents an error schema.', words: 'refuses with plain text', where: whereRefused, edit: (response) => withBytes({ ...response, headers: withHeader(response.headers, 'Content-Type', 'text/plain') }, encode('Bad request')) },
  { id: 'error-as-page', family: 'refusal', rule: 'A refusal is a page of HTML.', words: 'refuses with a page of HTML', where: whereRefused, edit: (response) => withBytes({ ...response, headers: withHeader(response.headers, 'Content-Type', 'text/html') }, encode('<h1>Bad request</h1>')) },
  { id: 'empty-error', family: 'refusal', rule: 'A refusal has no body where the contract documents one.', words: 'refuses without a body', where: whereRefused, edit: (response) => withBytes(response, new Uint8Array()) },
  { id: 'error-of-another-status', family: 'refusal', rule: 'The status in an error’s body is not that of the answer.', words: 'refuses with another status in the body', where: (contract) => refusalBodies(contract).filter(({ fields }) => fields.some(({ way }) => way.length === 1 && /^(status|statusCode)$/.test(way[0] ?? ''))).map(({ operation, status }) => ({ operation, status: Number(status) })), edit: (response) => { const value = readJson(response); const name = isJsonObject(value) ? Object.keys(value).find((key) => /^(status|statusCode)$/.test(key) && typeof value[key] === 'number') : undefined; return isJsonObject(value) && name !== undefined ? withJson(response, { ...value, [name]: 500 }) : undefined; } },
  { id: 'other-refusal', family: 'refusal', rule: 'An invalid request is refused with a status other than the documented one.', words: 'refuses with 409 instead of 400', where: (contract) => whereRefused(contract).filter(({ operation, status }) => status === 400 && !documents(operation, 409)), edit: (response) => ({ ...response, status: 409 }) },
  { id: 'error-500-for-400', family: 'refusal', rule: 'An invalid request is answered 500.', words: 'answers 500 to what is invalid', where: (contract) => whereRefused(contract).filter(({ status }) => status === 400), edit: (response) => ({ ...response, status: 500 }) },
  { id: 'missing-is-400', family: 'refusal', rule: 'A record that is not there is answered 400.', words: 'answers 400 for a record that is not there', where: (contract) => whereRefused(contract).filter(({ operation, status }) => status === 404 && operation.responses.some((response) => response.status === '400')), edit: (response) => ({ ...response, status: 400 }) },
  { id: 'missing-is-empty', family: 'refusal', rule: 'A record that is not there is answered 200 with nothing.', words: 'answers 200 for a record that is not there', where: (contract) => whereRefused(contract).filter(({ operation, status }) => status === 404 && operation.method === 'GET'), edit: (response) => withJson({ ...response, status: 200, headers: withHeader(response.headers, 'Content-Type', 'application/json') }, null) },
];

/** What is wrong with whole answers: body, label, status. */
export const messageOperators: readonly Operator[] = [
  ...edits.map(({ id, family, rule, words, caughtBy, where, edit }): Operator => ({
    id,
    family,
    rule,
    ...(caughtBy === undefined ? {} : { caughtBy }),
    find: (contract) => where(contract).slice(0, mostOfKind).map(({ operation, ...target }): Deviation => ({
      operator: id,
      title: `${operation.id} ${words}`,
      operation: operation.id,
      plant: (service, fired) => editAnswers(service, fired, { operation, ...target }, (response) => edit(response, operation)),
    })),
  })),
  { id: 'drops-header', family: 'header', rule: 'An answer lacks a header that the contract requires.', find: (contract) => headerPlaces(contract).filter(({ required }) => required).slice(0, mostOfKind).map((place) => headerDeviation('drops-header', place, `answers without the header ${place.name}`, (response) => ({ ...response, headers: withoutHeader(response.headers, place.name) }))) },
  { id: 'breaks-header', family: 'header', rule: 'A header of an answer does not keep its schema.', find: (contract) => headerPlaces(contract).filter(({ isText }) => !isText).slice(0, mostOfKind).map((place) => headerDeviation('breaks-header', place, `answers with a header ${place.name} that is no number`, (response) => ({ ...response, headers: withHeader(response.headers, place.name, 'many') }))) },
];

interface HeaderPlace {
  readonly operation: Operation;
  readonly name: string;
  readonly required: boolean;
  readonly isText: boolean;
}

function headerPlaces({ operations }: Contract): HeaderPlace[] {
  return operations.flatMap((operation) => operation.responses.filter(({ status }) => status.startsWith('2')).flatMap(({ headers }) => headers.map(({ name, required, schema }) => ({ operation, name, required, isText: schema.flatten().types.includes('string') }))));
}

function headerDeviation(operator: string, { operation }: HeaderPlace, words: string, edit: (response: HttpResponse) => HttpResponse): Deviation {
  return { operator, title: `${operation.id} ${words}`, operation: operation.id, plant: (service, fired) => editAnswers(service, fired, { operation }, edit) };
}
