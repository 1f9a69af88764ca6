import { styleText } from 'node:util';
import type { RunningMock } from '../library/start-mock.ts';
import { sampleRequests } from './sample-requests.ts';
import type { ServeOptions } from './serve.ts';

/** What the banner tells of. */
export interface BannerFacts {
  readonly mock: RunningMock;
  readonly prismUrl?: string;
  readonly options: ServeOptions;
  readonly color: boolean;
}

/** What a person needs to know once the mock is up: where it is, which key it knows, and three commands to paste. */
export function writeBanner(facts: BannerFacts): string {
  const { mock, prismUrl } = facts;
  const bold = (text: string): string => (facts.color ? styleText('bold', text, { validateStream: false }) : text);
  const taken = mock.requestedPort !== 0 && mock.port !== mock.requestedPort ? `  (port ${String(mock.requestedPort)} is taken)` : '';
  const rows = [
    ['mock', `${bold(mock.url)}${taken}`],
    ...otherServers(mock).map((row) => ['', row]),
    ...(prismUrl === undefined ? [] : [['prism', bold(prismUrl)]]),
    ['key', keyLine(facts)],
    ['records', recordLine(mock)],
    ...(mock.prepared.scenarios.length === 0 ? [] : [['scenarios', `${scenarioNames(facts)}  (one request: -H 'Prefer: scenario=NAME')`]]),
    ['control', `${mock.origin}/__vouch/  token ${mock.controlToken}`],
  ];
  const table = rows.map(([name, text]) => `  ${(name ?? '').padEnd(9)} ${text ?? ''}`);
  const samples = sampleRequests(mock).map((line) => `  ${line}`);
  const title = `${mock.contract.title} ${mock.contract.version}`;
  return ['', `${bold(title)}, served by vouch from ${mock.contract.file}`, '', ...table, '', 'Try:', ...samples, '', 'Stop with Ctrl-C.', ''].join('\n');
}

function otherServers(mock: RunningMock): string[] {
  const own = mock.contract.operations.filter(({ ownServers }) => ownServers);
  return own.map((operation) => `${mock.origin}${operation.servers[0]?.basePath ?? ''}${operation.path}  (${operation.method}, a server of its own in the contract)`);
}

function keyLine({ mock, options }: BannerFacts): string {
  if (options.auth === 'off') return 'none needed (--auth off)';
  return options.auth === 'any' ? 'any well-formed credential (--auth any)' : mock.keys.join(', ');
}

function recordLine({ contract, prepared }: RunningMock): string {
  const counts = contract.resources.map(({ name }) => `${String(prepared.fixtures.get(name)?.length ?? 0)} ${name}`);
  return counts.length === 0 ? 'none: no operation keeps records' : counts.join(', ');
}

function scenarioNames({ mock, options }: BannerFacts): string {
  return mock.prepared.scenarios.map(({ name }) => (name === options.scenario ? `${name} (on)` : name)).join(', ');
}
