import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import { listen, Refused, type Answer, type Handler, type Routes } from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import * as account from './account.ts';
import { fail, type Call } from './call.ts';
import { copyFlag, patchFlag } from './changes.ts';
import { evaluate } from './evaluate.ts';
import * as flags from './flags.ts';
import * as projects from './projects.ts';
import { fill } from './seeds.ts';
import * as segments from './segments.ts';
import { openFlags, type Service, type Token } from './store.ts';

/** Who can call an operation, and what it does. */
interface Operation {
  readonly role: string;
  readonly run: (call: Call) => Answer;
}

type Run = Operation['run'];

const read = (run: Run): Operation => ({ role: 'reader', run });
const write = (run: Run): Operation => ({ role: 'writer', run });
const manage = (run: Run): Operation => ({ role: 'admin', run });

/** Starts an API for feature flags with two accounts on loopback. */
export function startFlags(how: Start = {}): Promise<ServerUnderTest> {
  const service = openFlags(how);
  fill(service);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && (service.varies as (name: string) => boolean)(manner);
  return listen(routesOf(service), { port: how.port, isWritten });
}

/** The token of a request; refuses with 401 without one. */
function tokenOf(given: string | undefined, { has, tokens }: Service): Token {
  const [first] = tokens;
  const found = tokens.find(
    (one) => one.token === given && (!one.isRevoked || has('revoked-token-works')),
  );
  if (given !== undefined && has('any-token-accepted') && first !== undefined)
    return found ?? first;
  return found ?? fail(401, 'The access token is not valid.');
}

const table: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  projects: { GET: read(projects.listProjects), POST: write(projects.createProject) },
  'projects/{projectKey}': {
    ...{ GET: read(projects.getProject), DELETE: write(projects.deleteProject) },
  },
  'projects/{projectKey}/environments': {
    ...{ GET: read(projects.listEnvironments), POST: write(projects.createEnvironment) },
  },
  'projects/{projectKey}/environments/{environmentKey}': {
    DELETE: write(projects.deleteEnvironment),
  },
  'projects/{projectKey}/environments/{environmentKey}/evaluate': { POST: read(evaluate) },
  'flags/{projectKey}': { GET: read(flags.listFlags), POST: write(flags.createFlag) },
  'flags/{projectKey}/{featureFlagKey}': {
    ...{ GET: read(flags.getFlag), PATCH: write(patchFlag), DELETE: write(flags.deleteFlag) },
  },
  'flags/{projectKey}/{featureFlagKey}/copy': { POST: write(copyFlag) },
  'segments/{projectKey}/{environmentKey}': {
    ...{ GET: read(segments.listSegments), POST: write(segments.createSegment) },
  },
  'segments/{projectKey}/{environmentKey}/{segmentKey}': {
    ...{ GET: read(segments.getSegment), PATCH: write(segments.patchSegment) },
    DELETE: write(segments.deleteSegment),
  },
  members: { GET: read(account.listMembers), POST: manage(account.inviteMembers) },
  'members/{id}': { PATCH: manage(account.patchMember) },
  webhooks: { GET: read(account.listWebhooks), POST: manage(account.createWebhook) },
  tokens: { GET: read(account.listTokens), POST: manage(account.createToken) },
  'tokens/{id}': { DELETE: manage(account.deleteToken) },
  auditlog: { GET: read(account.listEntries) },
};

function routesOf(service: Service): Routes {
  const on =
    ({ role, run }: Operation): Handler =>
    (incoming) => {
      try {
        const token = tokenOf(incoming.headers.authorization, service);
        const isLax = run === patchFlag && service.has('reader-changes-flags');
        const level = (name: string): number => account.roles.indexOf(name);
        if (level(token.role) < level(role) && !isLax)
          fail(403, 'The role of the token does not allow this.');
        return run({ incoming, service, token });
      } catch (error) {
        if (!(error instanceof Refused) || !service.varies('other-words')) throw error;
        const { status, json } = error.answer;
        return { status, json: { ...(json as object), message: 'This will not do.' } };
      }
    };
  const routes = Object.entries(table).map(([path, methods]) => {
    const handlers = Object.entries(methods).map(([name, operation]) => [name, on(operation)]);
    return [`/api/v2/${path}`, Object.fromEntries(handlers)] as const;
  });
  return Object.fromEntries(routes);
}
