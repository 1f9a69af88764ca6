import { unspecifiedMembers } from '../../../contract/protocols/unspecified.ts';
import { followsAip } from '../../../contract/words/standards.ts';
import { bodySchema } from '../../../contract/model/operation.ts';
import { readJson } from '../../../http/media-type.ts';
import { isJsonObject } from '../../../json/value.ts';
import { withJson } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Contract } from '../../../contract/model.ts';
import type { Mutator } from '../../mutants/mutant.ts';

const mutant = mutantsOf('validation');

interface NonePlace extends Place {
  readonly name: string;
  readonly none: string;
  /** Another value, with which the service takes the request. */
  readonly other: string;
}

function required(contract: Contract): NonePlace[] {
  if (!followsAip(contract)) return [];
  return contract.resources.flatMap(({ operations: { create: operation } }) => {
    const schema = operation && bodySchema(operation);
    if (operation === undefined || schema === undefined) return [];
    return unspecifiedMembers(schema).map(({ name, value, other }) => ({
      operation,
      name,
      none: value,
      other,
    }));
  });
}

/** Mutations of values that stand for none (AIP-126). */
export const unspecifiedMutants: readonly Mutator[] = [
  mutant('takes-unspecified', {
    rule: 'A create takes the value that stands for none in a required member.',
    where: required,
    says: ({ none }) => `takes ${none}, where a value is required`,
    request: (request, { name, none, other }) => {
      const body = readJson(request);
      return isJsonObject(body ?? null) && isJsonObject(body) && body[name] === none
        ? withJson(request, { ...body, [name]: other })
        : undefined;
    },
  }),
];
