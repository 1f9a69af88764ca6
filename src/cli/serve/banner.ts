import { styleText } from 'node:util';
import { shellQuote } from '../../http/curl.ts';
import { isLoopbackHost } from '../../http/host.ts';
import type { RunningMock } from '../../library/start-mock.ts';
import type { AuthenticationMode } from '../../mock/model/reply.ts';
import { basePathsOf } from '../../mock/route/mounted-paths.ts';
import { tokenPrefix } from '../../mock/tokens/token-verdict.ts';
import { breakCommand, hangText } from '../../text/wrap-text.ts';
import { curlTlsFlags, sampleRequests } from './sample-requests.ts';
import type { ServeOptions } from './serve-options.ts';

/** The values in the banner. */
export interface BannerFacts {
  readonly mock: RunningMock;
  /** The line about records, from `recordLine`. */
  readonly records: string;
  readonly prismUrl?: string | undefined;
  readonly options: ServeOptions;
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Whether the output is a terminal: long commands are then wrapped with a backslash. */
  readonly isTerminal?: boolean;
  /** Whether the mock reads keys. */
  readonly hasKeys?: boolean;
}

/** The banner of a running mock: its URLs, a valid key, and three sample commands. */
export function writeBanner(facts: BannerFacts): string {
  const { mock, prismUrl } = facts;
  const bold = (text: string): string =>
    facts.color ? styleText('bold', text, { validateStream: false }) : text;
  const taken =
    mock.requestedPort !== 0 && mock.port !== mock.requestedPort
      ? ` (port ${String(mock.requestedPort)} is in use)`
      : '';
  const rows = [
    ['mock', `${bold(mock.url)}${taken}`],
    ...otherDocuments(mock).map((row) => ['', row]),
    ...otherServers(mock).map((row) => ['', row]),
    ...(prismUrl === undefined ? [] : [['prism', bold(prismUrl)]]),
    ...credentialRows(mock, facts.options.auth),
    ...switchRows(mock),
    ['records', facts.records],
    ...(mock.prepared.storePlace === undefined
      ? []
      : [['', `stored in ${mock.prepared.storePlace}`]]),
    ...(mock.prepared.scenarios.length === 0
      ? []
      : [
          ['scenarios', scenarioNames(facts)],
          ['', "for one request: -H 'Prefer: scenario=NAME'"],
        ]),
    ...handlerRows(mock),
    ['console', bold(consoleLink(mock))],
    ['', `token ${mock.controlToken}`],
    ...tlsRows(mock),
    ...openRows(facts.options.host),
  ];
  const table = rows.flatMap(([name = '', text = '']) =>
    writeRow(`  ${name.padEnd(9)} `, text, facts.width),
  );
  const samples = sampleRequests(mock)
    .flatMap((line) => (facts.isTerminal === true ? breakCommand(line, facts.width - 2) : [line]))
    .map((line) => `  ${line}`);
  const title = `${mock.contract.title} ${mock.contract.version}`;
  return [
    '',
    `${bold(title)}, served by vouch from ${mock.contract.file}`,
    '',
    ...table,
    ...(samples.length === 0 ? [] : ['', 'Try:', ...samples]),
    '',
    facts.hasKeys === true
      ? `Stop with Ctrl-C or ${bold('q')}; ${bold('h')} shows all keys.`
      : 'Stop with Ctrl-C.',
    '',
  ].join('\n');
}

/** Formats a row, wrapped if needed; commands are not wrapped. */
function writeRow(prefix: string, text: string, width: number): string[] {
  return text.startsWith('curl ') ? [prefix + text] : hangText(prefix, text, width);
}

/** A warning if other machines can reach the mock. */
function openRows(host: string): string[][] {
  if (isLoopbackHost(host)) return [];
  return [
    [
      'warning',
      `with --host ${host}, every machine that can reach this one can change records and scenarios`,
    ],
  ];
}

/** The operations that handlers answer. */
function handlerRows({ prepared }: RunningMock): string[][] {
  const names = prepared.documents.flatMap(({ handlers = {} }) => Object.keys(handlers));
  return names.length === 0 ? [] : [['handlers', names.join(', ')]];
}

/** What the mock does otherwise than usual. */
function switchRows({ prepared }: RunningMock): string[][] {
  const { dynamic, validate = 'on' } = prepared.mock.options;
  return [
    ...(dynamic === undefined
      ? []
      : [['answers', 'generated for each request, without examples and records (dynamic)']]),
    ...(validate === 'on'
      ? []
      : [
          [
            'invalid',
            `requests are answered too${validate === 'warn' ? ', with a warning' : ''} ` +
              `(validate: ${validate})`,
          ],
        ]),
  ];
}

/** How a client trusts the certificate. */
function tlsRows({ tls }: RunningMock): string[][] {
  if (tls === undefined) return [];
  const made =
    tls.caFile === undefined
      ? 'certificate generated at startup; --tls-ca FILE writes the CA for clients to trust'
      : `certificate generated at startup; clients must trust the CA in ${tls.caFile}`;
  return [
    ['tls', tls.authority === undefined ? 'the given certificate' : made],
    ['', `SHA-256 ${tls.fingerprint}`],
  ];
}

/** The other documents, each with its base URL. */
function otherDocuments({ prepared, urls }: RunningMock): string[] {
  return prepared.documents
    .slice(1)
    .map(
      ({ name, contract }) =>
        `${urls[name] ?? ''} (${contract.title} ${contract.version}, from ${contract.file})`,
    );
}

function otherServers(mock: RunningMock): string[] {
  const own = mock.contract.operations.filter(({ ownServers }) => ownServers);
  return own.map((operation) => {
    const [base = ''] = basePathsOf(operation, mock.prepared.documents[0]?.base);
    const url = `${mock.origin}${base}${operation.path}`;
    return `${url} (${operation.method}, its own server in the contract)`;
  });
}

function scenarioNames({ mock, options }: BannerFacts): string {
  return mock.prepared.scenarios
    .map(({ name }) => (options.scenario?.includes(name) === true ? `${name} (on)` : name))
    .join(', ');
}

/** The rows on credentials: known keys, the token endpoint, and schemes that are not verified. */
export function credentialRows(mock: RunningMock, auth: AuthenticationMode): string[][] {
  if (auth === 'off') return [['key', 'none needed (--auth off)']];
  if (mock.prepared.mock.options.contract.operations.every(({ security }) => security.length === 0))
    return [['key', 'none needed: the contract requires no credentials']];
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

/** A command that gets a token, if the contract uses OAuth. */
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
  const user = [client?.id, client?.secret].map((text = '') => encodeURIComponent(text)).join(':');
  const shown = client === undefined ? '' : ` -u ${shellQuote(user)}`;
  return [
    [
      'tokens',
      `curl${['', ...curlTlsFlags(mock)].join(' ')}${shown} -d ` +
        `grant_type=client_credentials ${endpoint}`,
    ],
  ];
}

/** Security schemes that operations require and the mock cannot verify. */
function unjudgedRows({ contract }: RunningMock): string[][] {
  const asked = contract.operations.flatMap(({ security }) =>
    security.flat().map(({ scheme }) => scheme),
  );
  const names = asked.flatMap((scheme) => {
    if (scheme.kind === 'mutualTLS') return [`${scheme.name} (client certificates)`];
    return scheme.kind === 'unsupported' ? [`${scheme.name} (${scheme.type})`] : [];
  });
  return names.length === 0
    ? []
    : [['', `not verified by the mock: ${[...new Set(names)].join(', ')}`]];
}

/**
 * The URL of the console with the token in its fragment: browsers do not send fragments, and the
 * page removes it at once. Only for a terminal.
 */
function consoleLink({
  controlUrl,
  controlToken,
}: Pick<RunningMock, 'controlUrl' | 'controlToken'>): string {
  return `${controlUrl}/#${controlToken}`;
}

/**
 * The URL of the console without the token, for command lines that other users can see. The page
 * asks for the token.
 */
export function consoleUrl({ controlUrl }: Pick<RunningMock, 'controlUrl'>): string {
  return `${controlUrl}/`;
}
