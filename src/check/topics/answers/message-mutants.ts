import type { Contract, Operation, Parameter } from '../../../contract/model.ts';
import { emptyBody } from '../../../http/message.ts';
import { dropHeader, setHeader, withBytes } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { dropAt, editAt, type FieldPlace, refusalBodies } from '../../mutants/places.ts';
import {
  documents,
  labelMutants,
  statusMutants,
  whereRefused,
  wholeBodyMutants,
  withText,
} from './success-mutants.ts';

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

/** Incorrect refusals. */
const refusalMutants: readonly Mutator[] = [
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
];

/** Mutations of complete responses: body, label, status. */
export const messageMutators: readonly Mutator[] = [
  ...wholeBodyMutants,
  ...labelMutants,
  ...statusMutants,
  ...refusalMutants,
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
