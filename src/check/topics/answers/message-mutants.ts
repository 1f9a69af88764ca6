import type { Contract, Operation } from '../../../contract/model.ts';
import { type HttpResponse, withHeader, withoutHeader } from '../../../http/message.ts';
import { isJsonObject } from '../../../json/value.ts';
import { editAnswers, readJson, withBytes, withJson } from '../../mutants/edit-service.ts';
import type { Mutation, Mutator } from '../../mutants/mutant.ts';
import { refusalBodies } from '../../mutants/places.ts';
import {
  documents,
  encode,
  labelEdits,
  type MessageEdit,
  statusEdits,
  whereRefused,
  wholeBodyEdits,
} from './success-edits.ts';

/** Incorrect refusals. */
const refusalEdits: readonly MessageEdit[] = [
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
    rule: 'The status in the body of an error differs from that of the response.',
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
    rule: 'An invalid request gets 500.',
    words: 'returns 500 for an invalid request',
    where: (contract) => whereRefused(contract).filter(({ status }) => status === 400),
    edit: (response) => ({ ...response, status: 500 }),
  },
  {
    id: 'missing-is-400',
    family: 'refusal',
    rule: 'A request for a missing record gets 400.',
    words: 'answers 400 for a missing record',
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
    rule: 'A request for a missing record gets 200 without a body.',
    words: 'answers 200 for a missing record',
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

const maxOfKind = 3;
const edits = [...wholeBodyEdits, ...labelEdits, ...statusEdits, ...refusalEdits];

/** Mutations of complete responses: body, label, status. */
export const messageMutators: readonly Mutator[] = [
  ...edits.map(({ id, family, rule, words, killedBy, where, edit }): Mutator => ({
    id,
    family,
    rule,
    killedBy,
    find: (contract) =>
      where(contract)
        .slice(0, maxOfKind)
        .map(({ operation, ...target }): Mutation => ({
          mutator: id,
          title: `${operation.id} ${words}`,
          operation: operation.id,
          plant: (service, fired) =>
            editAnswers(service, fired, { operation, ...target }, (response) =>
              edit(response, operation),
            ),
        })),
  })),
  {
    id: 'drops-header',
    family: 'header',
    rule: 'A response lacks a header that the contract requires.',
    find: (contract) =>
      headerPlaces(contract)
        .filter(({ required }) => required)
        .slice(0, maxOfKind)
        .map((place) =>
          headerMutation(
            'drops-header',
            place,
            `answers without the header ${place.name}`,
            (response) => ({ ...response, headers: withoutHeader(response.headers, place.name) }),
          ),
        ),
  },
  {
    id: 'breaks-header',
    family: 'header',
    rule: 'A response header violates its schema.',
    find: (contract) =>
      headerPlaces(contract)
        .filter(({ isText }) => !isText)
        .slice(0, maxOfKind)
        .map((place) =>
          headerMutation(
            'breaks-header',
            place,
            `answers with a header ${place.name} that is no number`,
            (response) => ({
              ...response,
              headers: withHeader(response.headers, place.name, 'many'),
            }),
          ),
        ),
  },
];

interface HeaderPlace {
  readonly operation: Operation;
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

function headerMutation(
  mutator: string,
  { operation }: HeaderPlace,
  words: string,
  edit: (response: HttpResponse) => HttpResponse,
): Mutation {
  return {
    mutator,
    title: `${operation.id} ${words}`,
    operation: operation.id,
    plant: (service, fired) => editAnswers(service, fired, { operation }, edit),
  };
}
