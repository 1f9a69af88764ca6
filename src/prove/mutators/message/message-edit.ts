import type { Contract, Operation } from '../../../contract/model.ts';
import type { HttpResponse } from '../../../http/message.ts';
import type { Family, Mutator } from '../../mutation.ts';
import type { Target } from '../../edit-service.ts';
import { refusalBodies, successBodies } from '../../places.ts';

/** A mutation of a complete response. */
export interface MessageEdit {
  readonly id: string;
  readonly family: Family;
  readonly rule: string;
  readonly caughtBy?: Mutator['caughtBy'];
  /** Follows the operation: `answers with a body that breaks off`. */
  readonly words: string;
  where(contract: Contract): readonly Place[];
  edit(response: HttpResponse, operation: Operation): HttpResponse | undefined;
}

/** Where a response can be changed. */
export type Place = Target & { readonly operation: Operation };

/** Where a success has a documented JSON body. */
export const whereBodies = (contract: Contract): Place[] =>
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
export const reads = (contract: Contract): Place[] =>
  whereAny(contract).filter(({ operation }) => operation.method === 'GET');

/** Whether a response has a body. */
export const hasBody = ({ body }: HttpResponse): boolean => body.length > 0;

/** Whether an operation documents a status, exactly or by a range. */
export const documents = ({ responses }: Operation, status: number): boolean =>
  responses.some((response) =>
    [String(status), `${String(status)[0] ?? ''}XX`, ...(status < 500 ? ['default'] : [])].includes(
      response.status,
    ),
  );

/** Every operation with a documented success that does not document this status. */
export const whereUndocumented =
  (status: number) =>
  (contract: Contract): Place[] =>
    whereAny(contract).filter(({ operation }) => !documents(operation, status));

/** A text as bytes. */
export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
