import { wordsIn } from '../words-in.ts';
import { randomBytes } from 'node:crypto';
import { baseUrlOf, readBaseUrl } from '../check/model/base-url.ts';
import type { CheckOptions } from '../check/engine/check-target.ts';
import { findingOverlay, gapOverlay } from '../check/reading/overlay-action.ts';
import type { ObservedGap, RunEvent } from '../check/model/event.ts';
import type { Finding } from '../check/model/finding.ts';
import { addHeaders } from '../check/request/shared-fields.ts';
import { placeCredential, type TokenOf } from '../check/secrets/credential.ts';
import type { SecretHeaderValue } from '../check/secrets/run-credentials.ts';
import { giveMockKey, readRunHeaders, tokensByScheme } from '../check/secrets/run-credentials.ts';
import type { RunHeader } from '../check/secrets/secrets.ts';
import type { TargetConfig } from '../config/config.ts';
import type { Contract, Operation } from '../contract/model.ts';
import { formatPlace, usage } from '../errors.ts';
import { defined, pick } from '../json/value.ts';
import { mountedPaths } from '../mock/route/mounted-paths.ts';
import type {
  CheckAccess,
  CheckFinding,
  CheckNews,
  CheckStart,
  ConsoleServices,
  OtherAddress,
  OtherService,
  ScenarioFile,
  ScenarioFiles,
} from '../server/console/console-services.ts';
import { readVersion } from './package-files.ts';
import type { PreparedMock, PreparedDocument } from './build-mock.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { SealedFolder } from '../files/sealed-folder.ts';
import { validateScenario } from '../mock/scenarios/judge/check-scenarios.ts';
import type { Scenario } from '../mock/scenarios/scenario.ts';

/**
 * The services that the console can use besides the mock: Prism, the targets of the configuration,
 * and checks.
 */
export function makeConsoleServices(
  current: () => PreparedMock,
  prismUrl: () => string | undefined = () => undefined,
): ConsoleServices {
  const reports = new Map<string, string>();
  return {
    scenarioFiles: new ScenarioFolders(() => current().documents),
    others: () => [
      ...prismService(prismUrl(), current()),
      ...Object.entries(current().config.targets).map(([name, target]) =>
        targetService(name, target, current().contract),
      ),
    ],
    checkAccess: () => checkAccess(current()),
    check: (start, signal) => checkNews(start, current(), { signal, reports }),
    report: (id) => reports.get(id),
  };
}

/** Prism accepts any credential, so it gets the first key of the mock. */
function prismService(url: string | undefined, { keys, documents }: PreparedMock): OtherService[] {
  if (url === undefined) return [];
  const { origin } = new URL(url);
  const baseOf = (operation: Operation): string =>
    mountedPaths({ operations: [operation], servers: [] }, documents[0]?.base)[0]?.[0].slice(
      0,
      -operation.path.length,
    ) ?? '';
  const addressOf = (operation: Operation | undefined): OtherAddress => ({
    url: operation === undefined ? url : `${origin}${baseOf(operation)}`,
    ...carry(operation, keys[0], []),
  });
  return [{ name: 'prism', kind: 'prism', url, addressOf }];
}

function targetService(name: string, target: TargetConfig, contract: Contract): OtherService {
  return {
    name,
    kind: 'target',
    url: target.url,
    addressOf: (operation) => addressOn(name, target, { contract, operation }),
  };
}

function addressOn(
  name: string,
  target: TargetConfig,
  {
    contract,
    operation,
  }: { readonly contract: Contract; readonly operation: Operation | undefined },
): OtherAddress | undefined {
  const url = readBaseUrl(target.url, `The URL of the target ${name}`);
  const base =
    operation === undefined
      ? { ok: true as const, url }
      : baseUrlOf({ url, servers: target.servers ?? {} }, operation);
  if (!base.ok) return undefined;
  const access = readAccess(target, contract);
  const tokens = tokensByScheme(contract, access);
  return {
    url: base.url.replace(/\/+$/, ''),
    ...carry(operation, (scheme) => tokens[scheme.name], readRunHeaders(access.headers)),
  };
}

/** The credential of a request to an operation, and the headers of the target. */
function carry(
  operation: Operation | undefined,
  token: string | TokenOf | undefined,
  headers: readonly RunHeader[],
): Pick<OtherAddress, 'headers' | 'query'> {
  if (operation === undefined)
    return { headers: headers.map(({ name, value }) => [name, value]), query: [] };
  const credential = placeCredential(operation, token);
  const added = addHeaders(operation, headers, { choice: 'given', credential });
  const cookies = [...credential.cookies, ...added.cookies].map((pair) => pair.join('='));
  const cookie = cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const];
  return { headers: [...credential.headers, ...added.headers, ...cookie], query: credential.query };
}

type Access = Pick<CheckOptions, 'token' | 'tokenSource' | 'tokens' | 'headers'>;

/**
 * The credentials and headers of a target. Secrets come only from environment variables; unset
 * variables are left out, because the console can send requests without them.
 */
function readAccess({ auth, headers = {} }: TargetConfig, { securitySchemes }: Contract): Access {
  const read = (word: string): string | undefined =>
    process.env[word.replace(/^env:/, '')]?.trim() || undefined;
  const set = Object.entries(headers).filter(
    ([, text]) => !text.startsWith('env:') || read(text) !== undefined,
  );
  const given = set.map(
    ([name, text]) =>
      [name, text.startsWith('env:') ? secretHeader(text, read(text)) : text] as const,
  );
  const named =
    typeof auth === 'object'
      ? Object.entries(auth).filter(([scheme]) => securitySchemes.has(scheme))
      : [];
  const tokens = named.flatMap(([scheme, word]) =>
    read(word) === undefined ? [] : [[scheme, read(word) ?? ''] as const],
  );
  const isTaken = named.some(([, word]) => word === 'env:VOUCH_TOKEN');
  const variable = typeof auth === 'string' ? auth.replace(/^env:/, '') : 'VOUCH_TOKEN';
  const token = isTaken ? undefined : read(variable);
  return {
    ...(token === undefined
      ? {}
      : { token, tokenSource: { variable, named: typeof auth === 'string' } }),
    tokens: Object.fromEntries(tokens),
    headers: Object.fromEntries(given),
  };
}

function secretHeader(word: string, value = ''): SecretHeaderValue {
  return { value, variable: word.replace(/^env:/, '') };
}

/**
 * The credentials of a check of a base URL on this machine: VOUCH_TOKEN, otherwise the key of the
 * mock; for the mock itself, always its key.
 */
function localAccess(contract: Contract, key: string | undefined, itself: boolean): Access {
  const token = itself ? undefined : process.env['VOUCH_TOKEN'];
  if (token !== undefined) return { token };
  return key === undefined ? {} : giveMockKey(contract, key);
}

/** A contract without credentials is checked without one. */
function checkAccess({ contract, keys }: PreparedMock): CheckAccess {
  const needsOne = contract.operations.some(({ security }) => security.flat().length > 0);
  const [key = null] = needsOne ? keys : [];
  const { tokens = {} } = key === null ? {} : giveMockKey(contract, key);
  return {
    key,
    fromEnvironment: needsOne && process.env['VOUCH_TOKEN'] !== undefined,
    schemes: Object.keys(tokens),
  };
}

const maxFindings = 500;
const maxReports = 3;

/** The abort signal of a check, and the store of its report. */
interface CheckContext {
  readonly signal: AbortSignal;
  /** The last reports by id. */
  readonly reports: Map<string, string>;
}

/** Loaded on demand: most mocks never run a check. */
async function* checkNews(
  start: CheckStart,
  { contract, config, keys }: PreparedMock,
  { signal, reports }: CheckContext,
): AsyncGenerator<CheckNews> {
  const { runCheck } = await import('../check/engine/check-target.ts');
  const { html } = await import('../report/html.ts');
  const target = start.target === undefined ? undefined : config.targets[start.target];
  const url = target?.url ?? start.url;
  if (url === undefined) throw usage('There is nothing to check.');
  const access =
    target === undefined
      ? localAccess(contract, keys[0], start.itself === true)
      : readAccess(target, contract);
  const limits = { ...config.check, ...target };
  const events = runCheck({
    url,
    contract,
    mode: start.mode,
    signal,
    version: readVersion(),
    ...access,
    ...(target?.servers === undefined ? {} : { servers: target.servers }),
    ...pick(limits, wordsIn('rate maxRequests examples')),
    ...defined({ skips: limits.skip, severities: limits.checks }),
  });
  yield* toNews(events, html.begin(), (text) => keepReport(reports, text));
}

/** Keeps the last reports. Returns the id of this one: 144 random bits. */
function keepReport(reports: Map<string, string>, text: string): string {
  const id = randomBytes(18).toString('base64url');
  reports.set(id, text);
  const [oldest] = reports.keys();
  if (reports.size > maxReports && oldest !== undefined) reports.delete(oldest);
  return id;
}

async function* toNews(
  events: AsyncIterable<RunEvent>,
  write: (event: RunEvent) => string,
  keep: (report: string) => string,
): AsyncGenerator<CheckNews> {
  const { whereOf } = await import('../report/finding-title.ts');
  let done = 0;
  let findings = 0;
  let report = '';
  let title = '';
  for await (const event of events) {
    report += write(event);
    if (event.type === 'run-started') title = event.run.contract.title;
    if (event.type === 'plan-made') yield { type: 'planned', requests: event.requests };
    else if (event.type === 'exchange-recorded' && (done += 1) % 10 === 0)
      yield { type: 'progress', done };
    else if (event.type === 'finding-reported' && (findings += 1) <= maxFindings)
      yield { type: 'finding', finding: showFinding(event.finding, title, whereOf(event.finding)) };
    else if (event.type === 'gap-observed') yield* showGap(event, title);
    else if (event.type === 'run-finished')
      yield {
        type: 'finished',
        ...pick(event.summary, wordsIn('verdict reason requests')),
        report: keep(report),
      };
  }
}

/** A gap that a change of the document closes. */
function showGap(observed: ObservedGap, title: string): CheckNews[] {
  const overlay = gapOverlay(observed, title);
  if (overlay === undefined) return [];
  const { id, message } = observed.gap;
  return [{ type: 'gap', gap: { id, message, observed: observed.observed, overlay } }];
}

function showFinding(finding: Finding, title: string, where: string): CheckFinding {
  return {
    ...pick(finding, wordsIn('id check severity')),
    operation: where,
    ...pick(finding, wordsIn('message expected actual')),
    place: formatPlace(finding.place),
    ...pick(finding, wordsIn('frame curl')),
    overlay: findingOverlay(finding, title) ?? null,
  };
}

/** The scenario folders of the served contracts. */
export class ScenarioFolders implements ScenarioFiles {
  readonly #documents: () => readonly PreparedDocument[];

  constructor(documents: () => readonly PreparedDocument[]) {
    this.#documents = documents;
  }

  folder(): string | undefined {
    const [first] = this.#folders();
    return first === undefined ? undefined : shown(first);
  }

  read(name: string): ScenarioFile | undefined {
    for (const folder of this.#folders())
      for (const extension of ['.yaml', '.yml']) {
        const path = join(folder, name + extension);
        if (existsSync(path)) return { file: shown(path), yaml: readFileSync(path, 'utf8') };
      }
    return undefined;
  }

  write(scenario: Scenario, yaml: string): string {
    const { name } = scenario;
    const folders = this.#folders();
    const json = folders
      .map((folder) => join(folder, `${name}.json`))
      .find((path) => existsSync(path));
    if (json !== undefined)
      throw usage(`${shown(json)} has this scenario as JSON.`, {
        hint: 'Edit that file, or choose another name.',
      });
    const known = folders.flatMap((folder) =>
      [`${name}.yaml`, `${name}.yml`].map((file) => ({ folder, file })),
    );
    const place = known.find(({ folder, file }) => existsSync(join(folder, file))) ?? {
      folder: this.#folderFor(scenario),
      file: `${name}.yaml`,
    };
    const sealed = new SealedFolder(place.folder);
    try {
      sealed.writeFile(place.file, yaml);
    } finally {
      sealed.close();
    }
    return shown(join(place.folder, place.file));
  }

  #folders(): readonly string[] {
    return this.#documents().flatMap(({ scenarioFolder }) => scenarioFolder ?? []);
  }

  /** The folder of the first contract that the scenario fits. */
  #folderFor(scenario: Scenario): string {
    const fitting = this.#documents().find(
      ({ contract, scenarioFolder }) =>
        scenarioFolder !== undefined && validateScenario(scenario, contract).length === 0,
    );
    const folder = fitting?.scenarioFolder ?? this.#folders()[0];
    if (folder !== undefined) return folder;
    throw usage('The mock has no folder for scenarios.', {
      hint: 'Name one in vouch.config.yaml: mock.scenarios.',
    });
  }
}

function shown(path: string): string {
  return relative(process.cwd(), path) || path;
}
