import type { Contract, Operation } from '../../../contract/model.ts';
import { withHeader, withoutHeader, type HttpResponse } from '../../../http/message.ts';
import { isJsonObject } from '../../../json/value.ts';
import { readJson, withBytes, withJson, type Target } from '../../mutants/edit-service.ts';
import type { Family, Mutator } from '../../mutants/mutant.ts';
import { successBodies, refusalBodies } from '../../mutants/places.ts';

/** A mutation of a complete response. */
export interface MessageEdit {
  readonly id: string;
  readonly family: Family;
  readonly rule: string;
  readonly killedBy?: Mutator['killedBy'];
  /** Follows the operation: `answers with a body that breaks off`. */
  readonly words: string;
  where(contract: Contract): readonly Place[];
  edit(response: HttpResponse, operation: Operation): HttpResponse | undefined;
}

/** Where a response can be changed. */
export type Place = Target & { readonly operation: Operation };

/** Where a success has a documented JSON body. */
const whereBodies = (contract: Contract): Place[] =>
  successBodies(contract).map(({ operation }) => ({ operation }));

/** Where a refusal has a documented JSON body. */
export const whereRefused = (contract: Contract): Place[] =>
  refusalBodies(contract).map(({ operation, status }) => ({ operation, status: Number(status) }));

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
export const documents = ({ responses }: Operation, status: number): boolean =>
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

/** A text as bytes. */
export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Successes with the wrong status. */
export const statusEdits: readonly MessageEdit[] = [
  {
    id: 'undocumented-success',
    family: 'status',
    rule: 'A success has a status that the contract does not name.',
    words: 'answers 203',
    where: whereUndocumented(203),
    edit: (response) => ({ ...response, status: 203 }),
  },
  {
    id: 'accepted-for-done',
    family: 'status',
    rule: 'A success returns 202, which the contract does not document.',
    words: 'answers 202',
    where: whereUndocumented(202),
    edit: (response) => ({ ...response, status: 202 }),
  },
  {
    id: 'server-error',
    family: 'status',
    rule: 'An operation answers 500.',
    words: 'answers 500',
    where: reads,
    edit: (response) => ({ ...response, status: 500 }),
  },
  {
    id: 'redirects',
    family: 'status',
    rule: 'An operation returns a redirect.',
    words: 'answers 302',
    where: whereUndocumented(302),
    edit: (response) => ({
      ...response,
      status: 302,
      headers: withHeader(response.headers, 'Location', 'https://login.example/'),
    }),
  },
  {
    id: 'says-gone',
    family: 'status',
    rule: 'An operation answers 410 to a valid request.',
    words: 'answers 410',
    where: (contract) =>
      whereUndocumented(410)(contract).filter(({ operation }) => operation.method === 'GET'),
    edit: (response) => ({ ...response, status: 410 }),
  },
  {
    id: 'error-in-success',
    family: 'status',
    rule: 'An operation answers 200 with an error in the body.',
    words: 'answers 200 with an error',
    where: whereBodies,
    edit: (response) =>
      withJson(response, { error: { code: 500, message: 'Something went wrong.' } }),
  },
];

/** Bodies that are invalid as a whole. */
export const wholeBodyEdits: readonly MessageEdit[] = [
  {
    id: 'empty-body',
    family: 'body',
    rule: 'A response has no body where the contract documents one.',
    words: 'answers without a body',
    where: whereBodies,
    edit: (response) => (hasBody(response) ? withBytes(response, new Uint8Array()) : undefined),
  },
  {
    id: 'truncated-json',
    family: 'body',
    rule: 'The JSON of a response is truncated.',
    words: 'answers with truncated JSON',
    where: whereBodies,
    edit: (response) =>
      hasBody(response)
        ? withBytes(response, response.body.slice(0, Math.ceil(response.body.length / 2)))
        : undefined,
  },
  {
    id: 'not-a-number',
    family: 'body',
    rule: 'A response has NaN, which JSON does not have.',
    words: 'answers with NaN in its JSON',
    where: whereBodies,
    edit: (response) =>
      readJson(response) === undefined ? undefined : withBytes(response, encode('{"value":NaN}')),
  },
  {
    id: 'double-encoded',
    family: 'body',
    rule: 'The JSON of a response is a text that contains JSON.',
    words: 'answers with JSON inside a text',
    where: whereBodies,
    edit: (response) =>
      hasBody(response) ? withJson(response, new TextDecoder().decode(response.body)) : undefined,
  },
  {
    id: 'invalid-utf8',
    family: 'body',
    rule: 'A response has bytes that are not UTF-8.',
    words: 'answers with bytes that are not UTF-8',
    where: whereBodies,
    edit: (response) =>
      hasBody(response)
        ? withBytes(
            response,
            Uint8Array.from([
              ...response.body.slice(0, -1),
              0xff,
              0xfe,
              ...response.body.slice(-1),
            ]),
          )
        : undefined,
  },
  {
    id: 'wrapped',
    family: 'body',
    rule: 'A response wraps its body in an undocumented envelope.',
    words: 'wraps its response in an undocumented envelope',
    where: whereBodies,
    edit: (response) => {
      const value = readJson(response);
      return value === undefined ? undefined : withJson(response, { ok: true, result: value });
    },
  },
  {
    id: 'list-for-object',
    family: 'body',
    rule: 'A response wraps an object in a list.',
    words: 'answers with a list of one',
    where: (contract) =>
      successBodies(contract)
        .filter(({ schema }) => !schema.flatten().types.includes('array'))
        .map(({ operation }) => ({ operation })),
    edit: (response) => {
      const value = readJson(response);
      return isJsonObject(value) ? withJson(response, [value]) : undefined;
    },
  },
];

/** Bodies that do not match their headers. */
export const labelEdits: readonly MessageEdit[] = [
  {
    id: 'html-page',
    family: 'header',
    rule: 'A response is a page of HTML.',
    words: 'answers with a page of HTML',
    where: whereBodies,
    edit: (response) =>
      withBytes(
        { ...response, headers: withHeader(response.headers, 'Content-Type', 'text/html') },
        encode('<!doctype html><title>Welcome</title>'),
      ),
  },
  {
    id: 'wrong-media-type',
    family: 'header',
    rule: 'A JSON response has the Content-Type text/plain.',
    words: 'answers with JSON labelled text/plain',
    where: whereBodies,
    edit: (response) => ({
      ...response,
      headers: withHeader(response.headers, 'Content-Type', 'text/plain'),
    }),
  },
  {
    id: 'no-media-type',
    family: 'header',
    rule: 'A response has no Content-Type.',
    words: 'answers without Content-Type',
    where: whereBodies,
    edit: (response) =>
      hasBody(response)
        ? { ...response, headers: withoutHeader(response.headers, 'content-type') }
        : undefined,
  },
  {
    id: 'lying-encoding',
    family: 'transport',
    rule: 'A response has Content-Encoding gzip, and its body is not compressed.',
    words: 'returns a wrong Content-Encoding',
    where: whereBodies,
    edit: (response) => ({
      ...response,
      headers: withHeader(response.headers, 'Content-Encoding', 'gzip'),
    }),
  },
];
