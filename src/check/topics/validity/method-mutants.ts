import type { Operation } from '../../../contract/model.ts';
import { isJsonMediaType } from '../../../http/media-type.ts';
import { editRequests, readJson } from '../../mutants/edit-service.ts';
import { parseJson } from '../../../json/parse-json.ts';
import { withHeader } from '../../../http/message.ts';
import type { Mutation, Mutator } from '../../mutants/mutant.ts';
import { collections } from '../../mutants/places.ts';

const maxOfKind = 3;

/** Methods and media types that the contract does not have. */
export const methodMutants: readonly Mutator[] = [
  {
    id: 'answers-any-method',
    family: 'validation',
    rule: 'An undeclared method is treated like GET.',
    find: (contract) =>
      collections(contract)
        .flatMap(({ operations }) => operations.list ?? [])
        .slice(0, maxOfKind)
        .map((list) => anyMethod('answers-any-method', list)),
  },
  {
    id: 'takes-any-media-type',
    family: 'validation',
    rule: 'A body of another media type is accepted, although the contract documents 415.',
    find: ({ operations }) =>
      operations
        .filter(({ responses }) => responses.some(({ status }) => status === '415'))
        .flatMap((operation) => {
          const declared = operation.requestBody?.content.find(({ mediaType }) =>
            isJsonMediaType(mediaType),
          );
          return declared === undefined || operation.requestBody?.content.length !== 1
            ? []
            : [anyMediaType('takes-any-media-type', operation, declared.mediaType)];
        })
        .slice(0, maxOfKind),
  },
];
/** Handles an undeclared method like GET. */
export function anyMethod(mutator: string, list: Operation): Mutation {
  return {
    mutator,
    title: `${list.id} answers any method`,
    operation: list.id,
    plant: (service, fired) => (request) => {
      const asGet = { ...request, method: 'GET' };
      if (
        request.method === 'HEAD' ||
        service.operationOf(request) !== undefined ||
        service.operationOf(asGet) !== list
      )
        return service.respond(request);
      fired();
      return service.respond(asGet);
    },
  };
}
/** Parses every body as JSON, regardless of its media type. */
export function anyMediaType(mutator: string, operation: Operation, mediaType: string): Mutation {
  return {
    mutator,
    title: `${operation.id} reads any body as JSON`,
    operation: operation.id,
    plant: (service, fired) =>
      editRequests(service, fired, operation, (request) =>
        readJson(request) === undefined && parseJson(request.body).ok
          ? { ...request, headers: withHeader(request.headers, 'Content-Type', mediaType) }
          : undefined,
      ),
  };
}
