import { pathToFileURL } from 'node:url';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { PrismProgram } from './child-messages.ts';
import { readPreferences, type Preferences } from './prefer.ts';
import { readInput, type PrismInput } from './prism-input.ts';
import { writeAnswer, writeError, type PrismHttp } from './write-answer.ts';

type PrismCore = typeof import('@stoplight/prism-core');
type Instance = ReturnType<PrismHttp['createInstance']>;
type Request = Parameters<Instance['request']>[0];
type Config = NonNullable<Parameters<Instance['request']>[2]>;
type Operations = Awaited<ReturnType<PrismHttp['getHttpOperationsFromSpec']>>;

/**
 * Answers one request as Prism would. Never rejects: what Prism throws becomes an answer, of status
 * 500 unless Prism says another.
 */
export type Answer = (request: HttpRequest) => Promise<HttpResponse>;

/** Loads Prism's core and the document. Rejects where Prism cannot read the document. */
export async function loadPrism({ packages, document }: PrismProgram): Promise<Answer> {
  const http = await importDefault<PrismHttp>(packages.http);
  const core = await importDefault<PrismCore>(packages.core);
  const operations = await loadOperations(http, document);
  const instance = http.createInstance(configure({}), {
    logger: core.createLogger('PRISM', { level: 'silent' }),
  });
  return async (request) => {
    try {
      return await ask({ http, instance, operations }, request);
    } catch (error) {
      return writeError(http, error);
    }
  };
}

/**
 * Prism is CommonJS: its exports are the default export. The type is that of the package which was
 * resolved.
 */
async function importDefault<Package>(file: string): Promise<Package> {
  const module = (await import(pathToFileURL(file).href)) as { readonly default: Package };
  return module.default;
}

async function loadOperations(http: PrismHttp, document: string): Promise<Operations> {
  const operations = await http.getHttpOperationsFromSpec(JSON.parse(document));
  // Prism would send a callback to whatever address a request names; nothing may leave this
  // machine.
  return operations.map(({ callbacks: _, ...operation }) => operation);
}

/**
 * Prism's own defaults for `prism mock`. A new value each time, because Prism writes into `mock`.
 */
function configure({ dynamic = false, ...preferences }: Preferences): Config {
  return {
    isProxy: false,
    checkSecurity: true,
    validateRequest: true,
    validateResponse: true,
    errors: false,
    upstreamProxy: undefined,
    mock: { dynamic, ...preferences },
  };
}

interface Loaded {
  readonly http: PrismHttp;
  readonly instance: Instance;
  readonly operations: Operations;
}

async function ask(
  { http, instance, operations }: Loaded,
  request: HttpRequest,
): Promise<HttpResponse> {
  const input = readInput(request);
  if ('status' in input) return input;
  const query = new URLSearchParams(request.target.split('?').slice(1).join('?'));
  const preferences = readPreferences(input.headers['prefer'], query);
  if ('unreadable' in preferences) {
    return writeError(
      http,
      http.ProblemJsonError.fromTemplate(http.UNPROCESSABLE_ENTITY, preferences.unreadable),
    );
  }
  const result = await instance.request(
    asPrismRequest(input),
    operations,
    configure(preferences),
  )();
  return result._tag === 'Right' ? writeAnswer(result.right) : writeError(http, result.left);
}

/**
 * Prism types the method as those it knows, yet looks any method up and answers 405 to the others.
 */
function asPrismRequest(input: PrismInput): Request {
  return input as Request;
}
