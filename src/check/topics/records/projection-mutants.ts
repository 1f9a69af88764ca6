import type { Contract } from '../../../contract/model.ts';
import { type Projection, readProjection } from '../../../contract/protocols/projection.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import { queryOf, withoutQuery, withQuery } from '../../mutants/list-place.ts';
import type { Mutator } from '../../mutants/mutant.ts';

const mutant = mutantsOf('state');

function projections(contract: Contract): Projection[] {
  return contract.resources.flatMap(
    (resource) => protocolsOf(contract, resource).projections?.of ?? [],
  );
}

/** The name under which a request writes a projection: `fields[things]`. */
function nameOf({ parameter, member }: Projection): string {
  return member === undefined ? parameter.name : `${parameter.name}[${member}]`;
}

/** Mutations of responses that show some fields of their records. */
export const projectionMutants: readonly Mutator[] = [
  mutant('ignores-projection', {
    rule: 'A response shows all fields, also where the request asks for some.',
    where: projections,
    says: 'ignores which fields are asked for',
    request: (request, place) => withoutQuery(request, [nameOf(place)]),
  }),
  mutant('projects-first', {
    rule: 'A response shows only the first of the fields that the request asks for.',
    where: (contract) => projections(contract).filter(({ fields }) => fields.length > 1),
    says: 'shows only the first of the fields that are asked for',
    request: (request, place) => {
      const name = nameOf(place);
      const text = queryOf(request, name);
      const asked = readProjection({ ...place }, text);
      const first = asked.slice(0, place.identifier === undefined ? 1 : 2);
      return text === undefined || first.length === asked.length
        ? undefined
        : withQuery(
            withoutQuery(request, [name]) ?? request,
            encodeURIComponent(name),
            first.join(','),
          );
    },
  }),
];
