import type { Contract, Operation } from '../../contract/model.ts';
import { type HttpResponse, withHeader, withoutHeader } from '../../http/message.ts';
import { defined } from '../../json/defined.ts';
import type { Mutation, Mutator } from '../mutation.ts';
import { editAnswers } from '../edit-service.ts';
import { refusalEdits } from './message/refusal-edits.ts';
import { labelEdits, statusEdits, wholeBodyEdits } from './message/success-edits.ts';

const mostOfKind = 3;
const edits = [...wholeBodyEdits, ...labelEdits, ...statusEdits, ...refusalEdits];

/** What is wrong with whole answers: body, label, status. */
export const messageMutators: readonly Mutator[] = [
  ...edits.map(({ id, family, rule, words, caughtBy, where, edit }): Mutator => ({
    id,
    family,
    rule,
    ...defined({ caughtBy }),
    find: (contract) =>
      where(contract)
        .slice(0, mostOfKind)
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
    rule: 'An answer lacks a header that the contract requires.',
    find: (contract) =>
      headerPlaces(contract)
        .filter(({ required }) => required)
        .slice(0, mostOfKind)
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
    rule: 'A header of an answer does not keep its schema.',
    find: (contract) =>
      headerPlaces(contract)
        .filter(({ isText }) => !isText)
        .slice(0, mostOfKind)
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
