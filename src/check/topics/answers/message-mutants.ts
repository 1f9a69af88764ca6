import type { Contract, Operation, Parameter } from '../../../contract/model.ts';
import { emptyBody, type HttpResponse } from '../../../http/message.ts';
import { dropHeader, setHeader, withBytes, withJson } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import {
  dropAt,
  editAt,
  type FieldPlace,
  refusalBodies,
  successBodies,
} from '../../mutants/places.ts';
import { readJson } from '../../../http/media-type.ts';
import { isJsonObject } from '../../../json/value.ts';

const refusalMutant = mutantsOf('refusal');
const headerMutant = mutantsOf('header');

/** Where a refusal has a documented JSON object, and its first member that fits. */
function refusedFields(
  contract: Contract,
  fits: (field: FieldPlace) => boolean,
): (Place & { readonly field: FieldPlace })[] {
  return refusalBodies(contract).flatMap(({ operation, status, fields }) => {
    const field = fields.find((each) => each.way.length === 1 && fits(each));
    return field === undefined ? [] : [{ operation, status: Number(status), field }];
  });
}

/** Whether requests name a record by their path; without one, 404 has another meaning. */
const namesRecord = ({ path }: Operation): boolean => path.includes('{');

/** Why no request gets a 400: the operation takes nothing that its schemas could refuse. */
function whyNeverInvalid({ operation, status }: Place): string | undefined {
  const { id, parameters, requestBody } = operation;
  const isFree = requestBody === undefined && parameters.every(takesAnyText);
  return isFree && status === 400 ? `no request of ${id} violates its schemas` : undefined;
}

function takesAnyText({ in: location, schema }: Parameter): boolean {
  const { node, types } = schema.flatten();
  const isNarrow = ['enum', 'const', 'format', 'pattern', 'maxLength'].some((keyword) =>
    Object.hasOwn(node, keyword),
  );
  return location === 'path' && types.includes('string') && !isNarrow;
}

/** Why a 400 may be right: an identifier may have a form that the contract does not state. */
function whyMalformed({ operation: { id, parameters } }: Place): string | undefined {
  const name = parameters.findLast(({ in: location }) => location === 'path');
  return name !== undefined && takesAnyText(name)
    ? `${id} documents 400 too, and no form of its ${name.name}`
    : undefined;
}

interface HeaderPlace extends Place {
  readonly name: string;
  readonly required: boolean;
  readonly isText: boolean;
}

function headerPlaces({ operations }: Contract): HeaderPlace[] {
  return operations.flatMap((operation) =>
    operation.responses
      .filter(({ status }) => status.startsWith('2'))
      .flatMap(({ headers }) =>
        headers.map(({ name, required, schema }) => ({
          operation,
          name,
          required,
          isText: schema.flatten().types.includes('string'),
        })),
      ),
  );
}

const statusMutant = mutantsOf('status');
const bodyMutant = mutantsOf('body');
const transportMutant = mutantsOf('transport');

/** Where a success has a documented JSON body. */
const whereBodies = (contract: Contract): Place[] =>
  successBodies(contract).map(({ operation }) => ({ operation }));

/** Where a refusal has a documented JSON body. */
const whereRefused = (contract: Contract): Place[] =>
  refusalBodies(contract).map(({ operation, status }) => ({ operation, status: Number(status) }));

/**
 * Whether a success may lack every documented member, and have others: then another body is no
 * error by its schema.
 */
function isOpen({ operation }: Place): boolean {
  return operation.responses
    .filter(({ status }) => status.startsWith('2'))
    .flatMap(({ content }) => content.flatMap(({ schema }) => schema ?? []))
    .every((schema) => schema.validate({ ok: true }, 'response').length === 0);
}

/** Every operation with a documented success. */
const whereAny = ({ operations }: Contract): Place[] =>
  operations
    .filter(({ responses }) => responses.some(({ status }) => status.startsWith('2')))
    .map((operation) => ({ operation }));

/** Every read with a documented success. */
const reads = (contract: Contract): Place[] =>
  whereAny(contract).filter(({ operation }) => operation.method === 'GET');

/** Whether a response has a body. */
const hasBody = ({ body }: HttpResponse): boolean => body.length > 0;

/** Whether an operation documents a status, exactly or by a range. */
const documents = ({ responses }: Operation, status: number): boolean =>
  responses.some((response) =>
    [String(status), `${String(status)[0] ?? ''}XX`, ...(status < 500 ? ['default'] : [])].includes(
      response.status,
    ),
  );

/** Every operation with a documented success that does not document this status. */
const whereUndocumented =
  (status: number) =>
  (contract: Contract): Place[] =>
    whereAny(contract).filter(({ operation }) => !documents(operation, status));

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The response with a text of some media type instead of its body. */
const withText = (response: HttpResponse, type: string, text: string): HttpResponse =>
  withBytes(setHeader(response, 'Content-Type', type), encode(text));

/** Mutations of complete responses: body, label, status, refusals, headers. */
export const messageMutators: readonly Mutator[] = [
  bodyMutant('empty-body', {
    rule: 'A response has no body where the contract documents one.',
    where: whereBodies,
    says: 'answers without a body',
    answer: (response) => (hasBody(response) ? withBytes(response, emptyBody) : undefined),
  }),
  bodyMutant('truncated-json', {
    rule: 'The JSON of a response is truncated.',
    where: whereBodies,
    says: 'answers with truncated JSON',
    answer: (response) =>
      hasBody(response)
        ? withBytes(response, response.body.slice(0, Math.ceil(response.body.length / 2)))
        : undefined,
  }),
  bodyMutant('not-a-number', {
    rule: 'A response has NaN, which JSON does not have.',
    where: whereBodies,
    says: 'answers with NaN in its JSON',
    answer: (response) =>
      readJson(response) === undefined ? undefined : withBytes(response, encode('{"value":NaN}')),
  }),
  bodyMutant('double-encoded', {
    rule: 'The JSON of a response is a text that contains JSON.',
    where: whereBodies,
    says: 'answers with JSON inside a text',
    answer: (response) =>
      hasBody(response) ? withJson(response, new TextDecoder().decode(response.body)) : undefined,
  }),
  bodyMutant('invalid-utf8', {
    rule: 'A response has bytes that are not UTF-8.',
    where: whereBodies,
    says: 'answers with bytes that are not UTF-8',
    answer: (response) =>
      hasBody(response)
        ? withBytes(
            response,
            Uint8Array.of(...response.body.slice(0, -1), 0xff, 0xfe, ...response.body.slice(-1)),
          )
        : undefined,
  }),
  bodyMutant('wrapped', {
    rule: 'A response wraps its body in an undocumented envelope.',
    where: whereBodies,
    warns: isOpen,
    says: 'wraps its response in an undocumented envelope',
    body: (value) => ({ ok: true, result: value }),
  }),
  bodyMutant('list-for-object', {
    rule: 'A response wraps an object in a list.',
    where: (contract) =>
      successBodies(contract)
        .filter(({ schema }) => !schema.flatten().types.includes('array'))
        .map(({ operation }) => ({ operation })),
    says: 'answers with a list of one',
    body: (value) => (isJsonObject(value) ? [value] : undefined),
  }),
  headerMutant('html-page', {
    rule: 'A response is a page of HTML.',
    where: whereBodies,
    says: 'answers with a page of HTML',
    answer: (response) => withText(response, 'text/html', '<!doctype html><title>Welcome</title>'),
  }),
  headerMutant('wrong-media-type', {
    rule: 'A JSON response has the Content-Type text/plain.',
    where: whereBodies,
    says: 'answers with JSON labelled text/plain',
    answer: (response) => setHeader(response, 'Content-Type', 'text/plain'),
  }),
  headerMutant('no-media-type', {
    rule: 'A response has no Content-Type.',
    where: whereBodies,
    says: 'answers without Content-Type',
    answer: (response) => (hasBody(response) ? dropHeader(response, 'content-type') : undefined),
  }),
  transportMutant('lying-encoding', {
    rule: 'A response has Content-Encoding gzip, and its body is not compressed.',
    where: whereBodies,
    says: 'returns a wrong Content-Encoding',
    answer: (response) => setHeader(response, 'Content-Encoding', 'gzip'),
  }),
  statusMutant('undocumented-success', {
    rule: 'A success has a status that the contract does not name.',
    where: whereUndocumented(203),
    says: 'answers 203',
    answer: (response) => ({ ...response, status: 203 }),
  }),
  statusMutant('accepted-for-done', {
    rule: 'A success returns 202, which the contract does not document.',
    where: whereUndocumented(202),
    says: 'answers 202',
    answer: (response) => ({ ...response, status: 202 }),
  }),
  statusMutant('server-error', {
    rule: 'An operation answers 500.',
    where: reads,
    says: 'answers 500',
    answer: (response) => ({ ...response, status: 500 }),
  }),
  statusMutant('redirects', {
    rule: 'An operation returns a redirect.',
    where: whereUndocumented(302),
    says: 'answers 302',
    answer: (response) =>
      setHeader({ ...response, status: 302 }, 'Location', 'https://login.example/'),
  }),
  statusMutant('says-gone', {
    rule: 'An operation answers 410 to a valid request.',
    where: (contract) =>
      whereUndocumented(410)(contract).filter(({ operation }) => operation.method === 'GET'),
    says: 'answers 410',
    answer: (response) => ({ ...response, status: 410 }),
  }),
  statusMutant('error-in-success', {
    rule: 'An operation answers 200 with an error in the body.',
    where: whereBodies,
    warns: isOpen,
    says: 'answers 200 with an error',
    answer: (response) =>
      withJson(response, { error: { code: 500, message: 'Something went wrong.' } }),
  }),
  refusalMutant('error-without-field', {
    rule: 'A refusal lacks a field that its schema requires.',
    where: (contract) => refusedFields(contract, ({ required }) => required),
    hidden: whyNeverInvalid,
    says: 'refuses with an error that lacks a field',
    body: (value, { field }) => dropAt(value, field.way),
  }),
  refusalMutant('error-as-text', {
    rule: 'A refusal is plain text where the contract documents an error schema.',
    where: whereRefused,
    hidden: whyNeverInvalid,
    says: 'refuses with plain text',
    answer: (response) => withText(response, 'text/plain', 'Bad request'),
  }),
  refusalMutant('error-as-page', {
    rule: 'A refusal is a page of HTML.',
    where: whereRefused,
    hidden: whyNeverInvalid,
    says: 'refuses with a page of HTML',
    answer: (response) => withText(response, 'text/html', '<h1>Bad request</h1>'),
  }),
  refusalMutant('empty-error', {
    rule: 'A refusal has no body where the contract documents one.',
    where: whereRefused,
    hidden: whyNeverInvalid,
    says: 'refuses without a body',
    answer: (response) => withBytes(response, emptyBody),
  }),
  refusalMutant('error-of-another-status', {
    rule: 'The status in the body of an error differs from that of the response.',
    where: (contract) =>
      refusedFields(contract, ({ way }) => /^(status|statusCode)$/.test(way[0] ?? '')),
    hidden: whyNeverInvalid,
    says: 'refuses with another status in the body',
    body: (value, { field }) =>
      editAt(value, field.way, (found) => (typeof found === 'number' ? 500 : undefined)),
  }),
  refusalMutant('other-refusal', {
    rule: 'An invalid request is refused with a status other than the documented one.',
    where: (contract) =>
      whereRefused(contract).filter(
        ({ operation, status }) => status === 400 && !documents(operation, 409),
      ),
    hidden: whyNeverInvalid,
    says: 'refuses with 409 instead of 400',
    answer: (response) => ({ ...response, status: 409 }),
  }),
  refusalMutant('error-500-for-400', {
    rule: 'An invalid request gets 500.',
    where: (contract) => whereRefused(contract).filter(({ status }) => status === 400),
    hidden: whyNeverInvalid,
    says: 'returns 500 for an invalid request',
    answer: (response) => ({ ...response, status: 500 }),
  }),
  refusalMutant('missing-is-400', {
    rule: 'A request for a missing record gets 400.',
    where: (contract) =>
      whereRefused(contract).filter(
        ({ operation, status }) =>
          status === 404 &&
          namesRecord(operation) &&
          operation.responses.some((response) => response.status === '400'),
      ),
    hidden: whyMalformed,
    says: 'answers 400 for a missing record',
    answer: (response) => ({ ...response, status: 400 }),
  }),
  refusalMutant('missing-is-empty', {
    rule: 'A request for a missing record gets 200 without a body.',
    where: (contract) =>
      whereRefused(contract).filter(
        ({ operation, status }) => status === 404 && operation.method === 'GET',
      ),
    says: 'answers 200 for a missing record',
    answer: (response) => withText({ ...response, status: 200 }, 'application/json', 'null'),
  }),
  headerMutant('drops-header', {
    rule: 'A response lacks a header that the contract requires.',
    where: (contract) => headerPlaces(contract).filter(({ required }) => required),
    says: ({ name }) => `answers without the header ${name}`,
    answer: (response, { name }) => dropHeader(response, name),
  }),
  headerMutant('breaks-header', {
    rule: 'A response header violates its schema.',
    where: (contract) => headerPlaces(contract).filter(({ isText }) => !isText),
    says: ({ name }) => `answers with a header ${name} that is no number`,
    answer: (response, { name }) => setHeader(response, name, 'many'),
  }),
];
