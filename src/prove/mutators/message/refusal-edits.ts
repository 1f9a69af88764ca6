import { withHeader } from '../../../http/message.ts';
import { isJsonObject } from '../../../json/value.ts';
import { readJson, withBytes, withJson } from '../../edit-service.ts';
import { refusalBodies } from '../../places.ts';
import { whereRefused, documents, encode, type MessageEdit } from './message-edit.ts';

/** Refusals that are wrong. */
export const refusalEdits: readonly MessageEdit[] = [
  {
    id: 'error-without-field',
    family: 'refusal',
    rule: 'A refusal lacks a field that its schema requires.',
    words: 'refuses with an error that lacks a field',
    where: (contract) =>
      refusalBodies(contract)
        .filter(({ fields }) => fields.some(({ required, way }) => required && way.length === 1))
        .map(({ operation, status }) => ({ operation, status: Number(status) })),
    edit: (response, operation) => {
      const value = readJson(response);
      const schema = operation.responses.find(({ status }) => status === String(response.status))
        ?.content[0]?.schema;
      const [name] = [...(schema?.flatten().required ?? [])];
      return isJsonObject(value) && name !== undefined
        ? withJson(
            response,
            Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)),
          )
        : undefined;
    },
  },
  {
    id: 'error-as-text',
    family: 'refusal',
    rule: 'A refusal is plain text where the contract documents an error schema.',
    words: 'refuses with plain text',
    where: whereRefused,
    edit: (response) =>
      withBytes(
        { ...response, headers: withHeader(response.headers, 'Content-Type', 'text/plain') },
        encode('Bad request'),
      ),
  },
  {
    id: 'error-as-page',
    family: 'refusal',
    rule: 'A refusal is a page of HTML.',
    words: 'refuses with a page of HTML',
    where: whereRefused,
    edit: (response) =>
      withBytes(
        { ...response, headers: withHeader(response.headers, 'Content-Type', 'text/html') },
        encode('<h1>Bad request</h1>'),
      ),
  },
  {
    id: 'empty-error',
    family: 'refusal',
    rule: 'A refusal has no body where the contract documents one.',
    words: 'refuses without a body',
    where: whereRefused,
    edit: (response) => withBytes(response, new Uint8Array()),
  },
  {
    id: 'error-of-another-status',
    family: 'refusal',
    rule: 'The status in an error’s body is not that of the answer.',
    words: 'refuses with another status in the body',
    where: (contract) =>
      refusalBodies(contract)
        .filter(({ fields }) =>
          fields.some(({ way }) => way.length === 1 && /^(status|statusCode)$/.test(way[0] ?? '')),
        )
        .map(({ operation, status }) => ({ operation, status: Number(status) })),
    edit: (response) => {
      const value = readJson(response);
      const name = isJsonObject(value)
        ? Object.keys(value).find(
            (key) => /^(status|statusCode)$/.test(key) && typeof value[key] === 'number',
          )
        : undefined;
      return isJsonObject(value) && name !== undefined
        ? withJson(response, { ...value, [name]: 500 })
        : undefined;
    },
  },
  {
    id: 'other-refusal',
    family: 'refusal',
    rule: 'An invalid request is refused with a status other than the documented one.',
    words: 'refuses with 409 instead of 400',
    where: (contract) =>
      whereRefused(contract).filter(
        ({ operation, status }) => status === 400 && !documents(operation, 409),
      ),
    edit: (response) => ({ ...response, status: 409 }),
  },
  {
    id: 'error-500-for-400',
    family: 'refusal',
    rule: 'An invalid request is answered 500.',
    words: 'answers 500 to what is invalid',
    where: (contract) => whereRefused(contract).filter(({ status }) => status === 400),
    edit: (response) => ({ ...response, status: 500 }),
  },
  {
    id: 'missing-is-400',
    family: 'refusal',
    rule: 'A record that is not there is answered 400.',
    words: 'answers 400 for a record that is not there',
    where: (contract) =>
      whereRefused(contract).filter(
        ({ operation, status }) =>
          status === 404 && operation.responses.some((response) => response.status === '400'),
      ),
    edit: (response) => ({ ...response, status: 400 }),
  },
  {
    id: 'missing-is-empty',
    family: 'refusal',
    rule: 'A record that is not there is answered 200 with nothing.',
    words: 'answers 200 for a record that is not there',
    where: (contract) =>
      whereRefused(contract).filter(
        ({ operation, status }) => status === 404 && operation.method === 'GET',
      ),
    edit: (response) =>
      withJson(
        {
          ...response,
          status: 200,
          headers: withHeader(response.headers, 'Content-Type', 'application/json'),
        },
        null,
      ),
  },
];
