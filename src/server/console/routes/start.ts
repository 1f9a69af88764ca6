import type { Operation } from '../../../contract/model.ts';
import { originOf } from '../../../http/host.ts';
import { headerValue, type HttpRequest } from '../../../http/message.ts';
import { exampleRequest } from '../../../mock/control/example-request.ts';
import { defaultSession } from '../../../mock/request/request-context.ts';
import { basePathsOf } from '../../../mock/route/mounted-paths.ts';
import { demoKey, isKnownKey } from '../../../mock/security/credentials.ts';
import { usage } from '../../../errors.ts';
import { browserModes, hasLogin } from '../../browsers.ts';
import type { ControlCall, ControlParts, ControlRoute } from '../../control/control-parts.ts';
import { done, json, readFields } from '../../control/fields.ts';
import { count, exactly, list, orNull, shows, text } from '../../control/control-schemas.ts';
import type { StartFacts, StartResource } from '../console-api.ts';
import { existingNames } from '../existing-values.ts';
import { composeRequest, writeRequest } from '../send-try.ts';
import { keyPlaceholder, writeSamples } from '../write-samples.ts';

const mode = { enum: [...browserModes] };
/** To count records is to generate them. */
const maxCounted = 20;

/** What the start page reads and does, without a token: it changes what its own browser sees. */
export const startRoutes: readonly ControlRoute[] = [
  {
    id: 'getStart',
    method: 'GET',
    path: '/start',
    summary: 'Where the mock is, a first request, its records, and how it treats this browser',
    open: true,
    answers: {
      200: shows('The facts of the start page', {
        title: text,
        version: text,
        bases: list(text),
        secured: { type: 'boolean' },
        key: orNull(text),
        console: { type: 'boolean' },
        first: orNull(exactly({ operation: text, curl: text, javascript: text })),
        resources: list(exactly({ name: text, path: text, count: orNull(count) })),
        more: count,
        session: orNull(text),
        mode,
      }),
    },
    answer: async ({ parts, request }) => json(await startFacts(parts, request)),
  },
  {
    id: 'chooseMode',
    method: 'PUT',
    path: '/browser',
    summary:
      'Answers requests with the User-Agent of this one in its own session: as usual, slowly, ' +
      'without records, with 500, or as if logged out',
    open: true,
    body: { ...exactly({ mode }) },
    answers: { 204: 'The mode is on' },
    answer: async (call) => {
      const given = readFields(call.request.body, ['mode']).text('mode');
      const chosen = browserModes.find((each) => each === given);
      if (chosen === undefined) throw usage(`mode must be one of ${browserModes.join(', ')}.`);
      return changing(call, ({ browsers, mock }) => browsers.choose(mock, call.request, chosen));
    },
  },
  {
    id: 'resetBrowser',
    method: 'POST',
    path: '/browser/reset',
    summary: 'The first records and the usual answers, for requests with this User-Agent',
    open: true,
    answers: { 204: 'The session of this browser is as at the start' },
    answer: (call) => changing(call, ({ browsers, mock }) => browsers.reset(mock, call.request)),
  },
  {
    id: 'leaveSession',
    method: 'DELETE',
    path: '/browser',
    summary: 'Lets requests with this User-Agent share the records of all again',
    open: true,
    answers: { 204: 'The session of this browser is forgotten' },
    answer: (call) => changing(call, ({ browsers, mock }) => browsers.leave(mock, call.request)),
  },
];

async function changing(
  { parts, request }: ControlCall,
  change: (parts: ControlParts) => Promise<void>,
): Promise<ReturnType<typeof done>> {
  if ((headerValue(request.headers, 'User-Agent') ?? '') === '')
    throw usage('The request has no User-Agent, by which a browser is known.', {
      hint: 'Programs choose a session by the header Vouch-Session.',
    });
  await change(parts);
  return done();
}

async function startFacts(parts: ControlParts, request: HttpRequest): Promise<StartFacts> {
  const { mock, browsers, services } = parts;
  const { contract, mounting, keys, authentication } = mock.options;
  const origin = (services.mockOrigin?.() ?? originOf(request) ?? '').toLowerCase();
  const browser = browsers.of(request);
  const session = browser?.session ?? defaultSession;
  const bases = contract.operations
    .filter(({ ownServers }) => !ownServers)
    .flatMap((each) => basePathsOf(each, mounting?.base));
  const own = mock.records.kinds
    .filter(({ name, collection }) => name === collection)
    .toSorted((one, other) => one.parents.length - other.parents.length);
  const key = isKnownKey(demoKey, keys) ? demoKey : null;
  const secured = hasLogin(mock.options);
  return {
    title: contract.title,
    version: contract.version,
    bases: [...new Set(bases)].map((base) => origin + base),
    secured,
    key: secured && authentication === 'known' ? key : null,
    console: parts.login.admits(request),
    first: await firstRequest(parts, origin, session, key),
    resources: await Promise.all(
      own.slice(0, maxCounted).map((kind) => countRecords(mock, kind, session)),
    ),
    more: Math.max(0, own.length - maxCounted),
    session: browser?.session ?? null,
    mode: browser?.mode ?? 'usual',
  };
}

async function countRecords(
  { records }: ControlParts['mock'],
  { name, path }: { readonly name: string; readonly path: string },
  session: string,
): Promise<StartResource> {
  const page = await records.list({ session, resource: name }, { offset: 0, limit: 0 });
  return { name, path, count: page?.total ?? null };
}

/** A request that shows something: a list, otherwise the first one that only reads. */
async function firstRequest(
  { mock }: ControlParts,
  origin: string,
  session: string,
  key: string | null,
): Promise<StartFacts['first']> {
  const { contract, seed } = mock.options;
  const operation = firstOperation(contract);
  if (operation === undefined) return null;
  const existing = await existingNames(operation, mock, session);
  const example = exampleRequest(operation, seed, existing);
  const request = composeRequest({
    operation,
    parameters: example.parameters
      .filter(({ parameter }) => parameter.required)
      .map(({ parameter, value }) => ({
        in: parameter.in,
        name: parameter.name,
        value,
      })),
    headers: [],
    body: example.body?.text,
    mediaType: example.body?.mediaType,
  });
  const shown = key ?? keyPlaceholder;
  const { curl, javascript } = writeSamples(
    writeRequest(mock, { operation, request, key: shown }),
    origin,
    shown,
  );
  return { operation: operation.id, curl, javascript };
}

function firstOperation({
  resources,
  operations,
}: ControlParts['mock']['options']['contract']): Operation | undefined {
  const lists = resources.flatMap(({ parents, operations: { list: listing } }) =>
    parents.length === 0 && listing !== undefined ? [listing] : [],
  );
  const reads = operations.filter(({ method }) => method === 'GET');
  return lists[0] ?? reads.find(({ path }) => !path.includes('{')) ?? reads[0] ?? operations[0];
}
