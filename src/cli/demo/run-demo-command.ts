import type { Contract } from '../../contract/model.ts';
import { VouchError } from '../../errors.ts';
import type { Finding } from '../../check/model/finding.ts';
import { checkTarget } from '../../check/engine/check-target.ts';
import { type RunningMock, startMock } from '../../library/start-mock.ts';
import { demoKey } from '../../mock/security/credentials.ts';
import { bySeverity } from '../../report/run-record.ts';
import { findingBlock } from '../../report/pretty/finding-block.ts';
import { verdictLine } from '../../report/verdict.ts';
import { makeTextStyle } from '../../text/text-style.ts';
import { breakCommand, wrapText } from '../../text/wrap-text.ts';
import { type Io, wantsColor } from '../io.ts';
import {
  type IncomingMessage,
  type ServerResponse,
  createServer,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

const seed = 'demo';

/**
 * Shows what vouch does, in six steps: a contract, its mock, a service that does not keep it, the
 * finding, the fix, and the proof of it. Between the steps it waits for Enter on a terminal; `q`
 * and Ctrl-C end it.
 */
export async function runDemoCommand(io: Io): Promise<void> {
  const mock = await startMock({ demo: true, config: false });
  const filter = filterIn(mock.contract);
  const hasty = await startHasty(mock, filter.parameter);
  try {
    for (const step of [serve, look, build, find, fix, finish]) {
      await step({ io, mock, hasty, filter });
      if (step !== finish && !(await wantsMore(io))) return;
    }
  } finally {
    hasty.close();
    await mock.close();
  }
}

interface Stage {
  readonly io: Io;
  readonly mock: RunningMock;
  readonly hasty: HastyService;
  readonly filter: Filtered;
}

/** A list, and the filter that the service of the demo forgets. */
interface Filtered {
  readonly path: string;
  readonly parameter: string;
  readonly field: string;
  readonly value: string;
  readonly limit: string;
}

/** The first filter of a list by one of some values. */
function filterIn({ resources }: Contract): Filtered {
  for (const { list, collectionPath } of resources)
    for (const { parameter, field } of list?.filters ?? []) {
      const values = parameter.schema.flatten().node.enum ?? [];
      const limit = list?.limit?.parameter.name;
      if (values.length > 0 && limit !== undefined)
        return {
          path: collectionPath,
          parameter: parameter.name,
          field,
          value: String(values.at(-1)),
          limit,
        };
    }
  throw new VouchError('internal', 'The bundled contract has no list with a filter.');
}

/** Prints a heading and prose, wrapped at the terminal. */
function tell(io: Io, heading: string, ...prose: readonly string[]): void {
  const style = makeTextStyle(wantsColor(io, 'out'));
  const lines = prose.flatMap((text) => ['', ...wrapText(text, io.width)]);
  io.out(`${['', style.bold(heading), ...lines].join('\n')}\n`);
}

function show(io: Io, lines: readonly string[]): void {
  io.out(`\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n`);
}

async function serve({ io, mock }: Stage): Promise<void> {
  tell(
    io,
    '1  A contract is served',
    `${mock.contract.title} is an OpenAPI document. vouch serves it as it stands, with ` +
      'records that it keeps: nothing was written for it.',
  );
  show(io, [`$ ${io.program ?? 'vouch'} mock --demo`, `  ${mock.url}`]);
}

async function look({ io, mock, filter }: Stage): Promise<void> {
  const url = mock.url + targetOf(filter);
  const records = await ask(url);
  tell(io, '2  A frontend is built on it today');
  show(io, [...curlOf(url, io), ...records]);
}

async function build({ io, hasty, filter }: Stage): Promise<void> {
  const url = hasty.url + targetOf(filter);
  const records = await ask(url);
  tell(
    io,
    '3  A team builds the service',
    'It answers each request, every body fits its schema, and its own tests pass.',
  );
  show(io, [...curlOf(url, io), ...records]);
}

async function find(stage: Stage): Promise<void> {
  const { io, hasty } = stage;
  tell(io, '4  The check knows better');
  show(io, [`$ ${io.program ?? 'vouch'} check ${hasty.url}`]);
  const { summary, findings } = await check(stage);
  const [worst] = bySeverity(findings);
  show(io, [
    ...(worst === undefined ? [] : [...blockOf(worst, io), '']),
    ...wrapText(verdictLine(summary), io.width - 2),
  ]);
}

async function fix({ io, hasty, filter: { field, parameter } }: Stage): Promise<void> {
  hasty.fix();
  tell(io, '5  The service is fixed');
  show(io, [
    '- rows = all()',
    `+ rows = all().filter((row) => row.${field} === query.${parameter})`,
  ]);
}

async function finish(stage: Stage): Promise<void> {
  const { io, hasty } = stage;
  const program = io.program ?? 'vouch';
  const { summary } = await check(stage);
  tell(io, '6  The check passes');
  show(io, [`$ ${program} check ${hasty.url}`, ...wrapText(verdictLine(summary), io.width - 2)]);
  tell(io, 'With your own contract');
  show(io, [`${program} mock openapi.yaml`, `${program} check URL openapi.yaml`]);
}

function check({ mock, hasty }: Stage): ReturnType<typeof checkTarget> {
  return checkTarget({ url: hasty.url, contract: mock.contract, token: demoKey, seed });
}

/** Two records of the list that have the value. */
function targetOf({ path, parameter, value, limit }: Filtered): string {
  return `${path}?${parameter}=${encodeURIComponent(value)}&${limit}=2`;
}

function curlOf(url: string, { width }: Io): string[] {
  return breakCommand(`$ curl -H 'Authorization: Bearer ${demoKey}' '${url}'`, width - 2);
}

async function ask(url: string): Promise<string[]> {
  const response = await fetch(url, { headers: { Authorization: `Bearer ${demoKey}` } });
  const records = (await response.json()) as readonly unknown[];
  return records.map((record) => JSON.stringify(record));
}

/** A finding as the report shows it; the demo leaves nothing that could be replayed. */
function blockOf({ replay: _, ...finding }: Finding, io: Io): string[] {
  return findingBlock(finding, {
    style: makeTextStyle(wantsColor(io, 'out')),
    width: io.width - 2,
    terminal: io.isTTY.out,
    ...(io.program === undefined ? {} : { program: io.program }),
  });
}

/** Waits for Enter where there is a keyboard; false if the reader has seen enough. */
async function wantsMore({ keyboard, out, signal }: Io): Promise<boolean> {
  if (signal.aborted) return false;
  if (keyboard === undefined) return true;
  out('\n  Enter for the next step, q to end. ');
  const key = await new Promise<string>((resolve) => {
    const stop = keyboard.listen((pressed) => {
      if (pressed !== 'enter' && pressed !== 'q') return;
      stop();
      resolve(pressed);
    });
    signal.addEventListener('abort', () => {
      stop();
      resolve('q');
    });
  });
  out('\n');
  return key === 'enter';
}

/** A service of the demo: what a team built by the contract, with one mistake. */
interface HastyService {
  readonly url: string;
  /** Corrects the mistake. */
  fix(): void;
  close(): void;
}

/**
 * Starts a service that answers as the mock does, but forgets a parameter of the query until it is
 * fixed. It listens on a free port of this machine.
 */
async function startHasty(
  mock: { readonly url: string },
  forgotten: string,
): Promise<HastyService> {
  let isFixed = false;
  const base = new URL(mock.url);
  const server = createServer((request, response) => {
    const target = new URL(request.url ?? '/', base);
    if (!isFixed) target.searchParams.delete(forgotten);
    pass(request, response, target);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}${base.pathname}`,
    fix: () => {
      isFixed = true;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function pass(request: IncomingMessage, response: ServerResponse, target: URL): void {
  const { method, headers } = request;
  const passed = send(target, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  request.pipe(passed);
}
