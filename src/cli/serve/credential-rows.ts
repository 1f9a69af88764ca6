import { shellQuote } from '../../check/reproduction/shell-quote.ts';
import type { RunningMock } from '../../library/start-mock.ts';
import type { AuthenticationMode } from '../../mock/model/assumption.ts';
import { tokenPrefix } from '../../mock/tokens/token-verdict.ts';
import { trustWords } from './trust-words.ts';

/**
 * The rows of the banner that tell how to be let in: the keys, where to get a token, and what is
 * not judged.
 */
export function credentialRows(mock: RunningMock, auth: AuthenticationMode): string[][] {
  if (auth === 'off') return [['key', 'none needed (--auth off)']];
  if (mock.prepared.mock.options.contract.operations.every(({ security }) => security.length === 0))
    return [['key', 'none needed: the contract asks for none']];
  return [
    ['key', auth === 'any' ? 'any well-formed credential (--auth any)' : describeKeys(mock)],
    ...tokenRows(mock),
    ...unjudgedRows(mock),
  ];
}

function describeKeys({ keys, prepared }: RunningMock): string {
  const limited = new Map(
    prepared.mock.options.keys.flatMap((key) =>
      typeof key === 'string' || key.scopes === undefined ? [] : [[key.key, key.scopes] as const],
    ),
  );
  return keys
    .map((key) => (limited.has(key) ? `${key} (${limited.get(key)?.join(' ') ?? ''})` : key))
    .join(', ');
}

/** Where the contract speaks of tokens: a command that gets one. */
function tokenRows(mock: RunningMock): string[][] {
  const { contract, prepared, origin } = mock;
  const wanted = [...contract.securitySchemes.values()].some(
    (scheme) => scheme.kind === 'bearer' && scheme.source !== 'http',
  );
  if (!wanted || prepared.mock.tokens === undefined) return [];
  const { clients } = prepared.mock.options.tokens?.settings ?? {};
  const client = clients?.find(({ secret }) => secret !== undefined);
  const endpoint = `${origin}${tokenPrefix}/token`;
  if (clients !== undefined && client === undefined) return [['tokens', endpoint]];
  const shown =
    client === undefined
      ? ''
      : ` -u ${shellQuote(`${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret ?? '')}`)}`;
  return [
    [
      'tokens',
      `curl${['', ...trustWords(mock)].join(' ')}${shown} -d grant_type=client_credentials ${endpoint}`,
    ],
  ];
}

/** Schemes that operations ask for and the mock cannot judge. */
function unjudgedRows({ contract }: RunningMock): string[][] {
  const asked = contract.operations.flatMap(({ security }) =>
    security.flat().map(({ scheme }) => scheme),
  );
  const names = asked.flatMap((scheme) => {
    if (scheme.kind === 'mutualTLS') return [`${scheme.name} (client certificates)`];
    return scheme.kind === 'unsupported' ? [`${scheme.name} (${scheme.type})`] : [];
  });
  return names.length === 0 ? [] : [['', `not judged here: ${[...new Set(names)].join(', ')}`]];
}
