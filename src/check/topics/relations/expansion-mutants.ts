import type { Contract } from '../../../contract/model.ts';
import type { Expanded, Expansion } from '../../../contract/protocols/expansion.ts';
import { readExpand, writeExpand } from '../../../contract/protocols/expansion.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import type { HttpRequest } from '../../../http/message.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import { queryOf, withoutQuery, withQuery } from '../../mutants/list-place.ts';
import type { Mutator } from '../../mutants/mutant.ts';

const mutant = mutantsOf('state');

function expansions(contract: Contract): Expansion[] {
  return contract.resources.flatMap(
    (resource) => protocolsOf(contract, resource).expansions?.of ?? [],
  );
}

/** The request with another expansion; undefined if the edit leaves it as it is. */
function expanding(
  request: HttpRequest,
  { parameter: { name } }: Expansion,
  edit: (expanded: readonly Expanded[]) => readonly Expanded[],
): HttpRequest | undefined {
  const text = queryOf(request, name);
  const expanded = text === undefined ? undefined : readExpand(text);
  const other = expanded && writeExpand(edit(expanded));
  if (other === undefined || other === text) return undefined;
  const bare = withoutQuery(request, [name]) ?? request;
  return withQuery(bare, encodeURIComponent(name), encodeURIComponent(other));
}

/** Mutations of requests that expand members. */
export const expansionMutants: readonly Mutator[] = [
  mutant('ignores-expansion', {
    rule: 'A response has no members with further records, though the request asks for them.',
    where: expansions,
    says: 'expands nothing',
    request: (request, { parameter }) => withoutQuery(request, [parameter.name]),
  }),
  mutant('expands-first', {
    rule: 'A response expands only the first of the members that the request names.',
    where: (contract) => expansions(contract).filter(({ navigations }) => navigations.length > 1),
    says: 'expands only the first member',
    request: (request, place) => expanding(request, place, (expanded) => expanded.slice(0, 1)),
  }),
  mutant('ignores-expand-options', {
    rule: 'A response ignores the options behind the name of an expanded member.',
    where: (contract) =>
      expansions(contract).filter(({ navigations }) => navigations.some(({ many }) => many)),
    says: 'ignores the options of expanded members',
    request: (request, place) =>
      expanding(request, place, (expanded) => expanded.map(({ name }) => ({ name }))),
  }),
];
