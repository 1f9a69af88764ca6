import { styleText } from 'node:util';
import { shellQuote } from '../../http/curl.ts';
import { isLoopbackHost } from '../../http/host.ts';
import type { RunningMock } from '../../library/start-mock.ts';
import type { AuthenticationMode } from '../../mock/model/reply.ts';
import { basePathsOf } from '../../mock/route/mounted-paths.ts';
import { tokenPrefix } from '../../mock/tokens/token-verdict.ts';
import { hasStartPage } from '../../server/console/welcome.ts';
import { cleanLine } from '../../text/safe-text.ts';
import { hangText } from '../../text/wrap-text.ts';
import type { ServeOptions } from './serve-options.ts';

export interface BannerFacts {
  readonly mock: RunningMock;
  readonly prismUrl?: string | undefined;
  readonly options: ServeOptions;
  /** Opens the console once. */
  readonly consoleLink: string;
  /** Opens the start page, and lets the browser use the console, once. */
  readonly startLink: string;
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Whether the mock reads keys. */
  readonly hasKeys?: boolean;
}

/** The banner of a running mock: where it is, then the key, its pages and how to stop it. */
export function writeBanner(facts: BannerFacts): string {
  const { mock, prismUrl, options } = facts;
  const styled = (style: 'bold' | 'green', text: string): string =>
    facts.color ? styleText(style, text, { validateStream: false }) : text;
  const taken =
    mock.requestedPort !== 0 && mock.port !== mock.requestedPort
      ? ` (port ${String(mock.requestedPort)} is in use)`
      : '';
  const rows = [
    ...[...otherDocuments(mock), ...otherServers(mock)].map((row) => ['also', row]),
    ...(prismUrl === undefined ? [] : [['prism', prismUrl]]),
    ...credentialRows(mock, options.auth),
    ...switchRows(mock),
    ...(options.scenario === undefined ? [] : [['scenario', options.scenario.join(', ')]]),
    ...(mock.prepared.storePlace === undefined ? [] : [['records', mock.prepared.storePlace]]),
    ...handlerRows(mock),
    ...startRows(facts),
    ['console', facts.consoleLink],
    ['token', `${mock.controlToken} (for the control API)`],
    ['contract', contractText(facts)],
    ...tlsRows(mock),
    ...openRows(options.host),
  ];
  const table = rows.flatMap(([name = '', text = '']) =>
    writeRow(`  ${name.padEnd(9)} `, text, facts.width),
  );
  return [
    styled('green', `Mocking ${cleanLine(mock.contract.title)} at ${mock.url}`) + taken,
    '',
    ...table,
    '',
    facts.hasKeys === true
      ? `Stop with Ctrl-C or ${styled('bold', 'q')}; ${styled('bold', 'h')} shows all keys.`
      : 'Stop with Ctrl-C.',
    '',
  ].join('\n');
}

/** The start page, unless the contract has an operation there, or the pages another port. */
function startRows({ mock, startLink }: BannerFacts): string[][] {
  const { origin, controlUrl, prepared } = mock;
  const isServed = controlUrl.startsWith(`${origin}/`) && hasStartPage(prepared.mock);
  return isServed ? [['start', `${startLink} (a first request; slow, empty, error 500)`]] : [];
}

function contractText({ mock: { contract }, options }: BannerFacts): string {
  return options.demo === true
    ? 'the bundled example; to serve yours: vouch openapi.yaml'
    : contract.file;
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
    return `${url} (${operation.method}, its own server)`;
  });
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

/** The curl flags that trust the generated certificate; empty for a given certificate. */
export function curlTlsFlags({ tls }: Pick<RunningMock, 'tls'>): string[] {
  if (tls?.authority === undefined) return [];
  return tls.caFile === undefined ? ['-k'] : [`--cacert ${shellQuote(tls.caFile)}`];
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
