import { isJsonMediaType, readJson } from '../../../http/media-type.ts';
import { parseJson } from '../../../json/parse-json.ts';
import { setHeader } from '../../mutants/edit-service.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { collections } from '../../mutants/places.ts';

const mutant = mutantsOf('validation');

/** Methods and media types that the contract does not have. */
export const methodMutants: readonly Mutator[] = [
  mutant('answers-any-method', {
    rule: 'An undeclared method is treated like GET.',
    where: (contract) =>
      collections(contract).flatMap(({ operations: { list } }) =>
        list === undefined ? [] : [{ operation: list }],
      ),
    says: 'answers any method',
    plant:
      ({ operation }) =>
      (service, fired) =>
      (request) => {
        const asGet = { ...request, method: 'GET' };
        if (
          request.method === 'HEAD' ||
          service.operationOf(request) !== undefined ||
          service.operationOf(asGet) !== operation
        )
          return service.respond(request);
        fired();
        return service.respond(asGet);
      },
  }),
  mutant('takes-any-media-type', {
    rule: 'A body of another media type is accepted, although the contract documents 415.',
    where: ({ operations }) =>
      operations
        .filter(({ responses }) => responses.some(({ status }) => status === '415'))
        .flatMap((operation) => {
          const [only, ...others] = operation.requestBody?.content ?? [];
          return only === undefined ||
            others.length > 0 ||
            only.range !== undefined ||
            !isJsonMediaType(only.mediaType)
            ? []
            : [{ operation, mediaType: only.mediaType }];
        }),
    says: 'reads any body as JSON',
    request: (request, { mediaType }) =>
      readJson(request) === undefined && parseJson(request.body).ok
        ? setHeader(request, 'Content-Type', mediaType)
        : undefined,
  }),
];
