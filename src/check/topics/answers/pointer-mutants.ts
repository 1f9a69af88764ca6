import { bodySchema } from '../../../contract/model/operation.ts';
import type { Contract } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { defined, isJsonArray, isJsonObject } from '../../../json/value.ts';
import { editBodies } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { refusalBodies } from '../../mutants/places.ts';

const mutant = mutantsOf('refusal');

interface PointingPlace extends Place {
  /** The members of the request to which an error may point. */
  readonly names: readonly string[];
}

/** Operations with several members in their body whose errors point into it. */
function pointing(contract: Contract): PointingPlace[] {
  return refusalBodies(contract).flatMap(({ operation, status, fields }) => {
    const names = [...(bodySchema(operation)?.flatten().properties.keys() ?? [])];
    const points = fields.some(({ way: [list, item, ...rest] }) => {
      const own = rest.join('.');
      return list === 'errors' && item === '*' && ['pointer', 'source.pointer'].includes(own);
    });
    const isInvalid = status === '400' || status === '422';
    return isInvalid && points && names.length > 1
      ? [{ operation, status: Number(status), names }]
      : [];
  });
}

/** Mutations of the places that errors name. */
export const pointerMutants: readonly Mutator[] = [
  mutant('points-elsewhere', {
    rule: 'An error points to another member of the request than the invalid one.',
    where: pointing,
    says: 'points to another member than the invalid one',
    act:
      ({ operation, names, status }) =>
      (service, fired) =>
        editBodies(service, fired, { operation, ...defined({ status }) }, (body) =>
          pointedElsewhere(body, names),
        ),
  }),
];

/** A refusal whose first error points to another member; undefined if none points to one. */
function pointedElsewhere(body: JsonValue, names: readonly string[]): JsonValue | undefined {
  const errors = isJsonObject(body) ? body['errors'] : undefined;
  if (!isJsonObject(body) || errors === undefined || !isJsonArray(errors)) return undefined;
  const moved = errors.map((error) => (isJsonObject(error) ? withOther(error, names) : error));
  return moved.some((error, at) => error !== errors[at]) ? { ...body, errors: moved } : undefined;
}

function withOther(error: JsonObject, names: readonly string[]): JsonObject {
  const { source, pointer } = error;
  const isSource = source !== undefined && isJsonObject(source);
  const own = isSource ? source['pointer'] : pointer;
  if (typeof own !== 'string' || own === '') return error;
  const [, first] = own.split('/');
  const other = names.find((name) => name !== first);
  const elsewhere = joinPointer('', other ?? '');
  return isSource
    ? { ...error, source: { ...source, pointer: `${own}-elsewhere` } }
    : { ...error, pointer: elsewhere };
}
