import type { Pages } from '../../../contract/protocols/pages.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { faultTold } from '../../../contract/words/read-faulty.ts';
import type { Contract, Parameter } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/message.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import type { ListPlace } from '../../mutants/list-place.ts';
import { inLists, ofRecords, queryOf, withoutQuery } from '../../mutants/list-place.ts';
import type { Mutator } from '../../mutants/mutant.ts';

const mutant = mutantsOf('list');

/** The lists that refuse tokens which they did not give, with their parameter. */
const guarded = (contract: Contract) =>
  inLists(contract, ({ resource, operation }): { readonly token: Parameter }[] => {
    const { style, token, isIssued } = protocolsOf(contract, resource).pages ?? {};
    const isGuarded =
      token !== undefined &&
      (style === 'AIP' || isIssued === true || faultTold(contract, operation, token) !== undefined);
    return isGuarded ? [{ token }] : [];
  });

interface ZeroPlace extends ListPlace {
  readonly size: Parameter;
}

/** The lists for which a size, or a bound, of 0 has a meaning, with its parameter. */
const zeroes = (contract: Contract, zero: Pages['zero']): ZeroPlace[] =>
  inLists(contract, ({ resource }) => {
    const { pages } = protocolsOf(contract, resource);
    const size = zero === 'default' ? pages?.size?.parameter : pages?.bound;
    return pages?.zero === zero && size !== undefined ? [{ size }] : [];
  });

/** Mutations of lists that are given tokens, and sizes of 0. */
export const tokenMutants: readonly Mutator[] = [
  mutant('takes-any-token', {
    rule: 'A token that no list gave is the first page.',
    where: guarded,
    says: 'takes a token that no list gave for the first page',
    status: 'any',
    answer: async (response, { token }, { request, service }) => {
      if (isSuccess(response.status) || queryOf(request, token.name) === undefined)
        return undefined;
      const first = withoutQuery(request, [token.name]);
      return first && (await service.respond(first)).response;
    },
  }),
  mutant('size-zero-is-none', {
    rule: 'A page size of 0 is an empty page.',
    where: (contract) => zeroes(contract, 'default'),
    says: 'shows no records where the page size is 0',
    body: ofRecords<ZeroPlace>((_records, { size }, { request }) =>
      queryOf(request, size.name) === '0' ? [] : undefined,
    ),
  }),
  mutant('bound-zero-is-all', {
    rule: 'A bound of 0 is no bound.',
    where: (contract) => zeroes(contract, 'none'),
    says: 'shows all records where none are asked for',
    request: (request, { size }) =>
      queryOf(request, size.name) === '0' ? withoutQuery(request, [size.name]) : undefined,
  }),
];
