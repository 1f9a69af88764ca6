import { randomUUID } from 'node:crypto';
import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import { listen, Refused, type Answer, type Handler, type Routes } from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import { postBatch } from './batches.ts';
import { fail, type Call } from './call.ts';
import * as campaigns from './campaigns.ts';
import * as parts from './fields-and-segments.ts';
import * as lists from './lists.ts';
import * as members from './members.ts';
import { fill } from './seeds.ts';
import { keys, openMailing, type Service } from './store.ts';

type Operation = (call: Call) => Answer;

/** Starts the marketing service on loopback. */
export function startMailing(how: Start = {}): Promise<ServerUnderTest> {
  const service = openMailing(how);
  fill(service);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && (service.varies as (name: string) => boolean)(manner);
  return listen(routesOf(service), { port: how.port, isWritten });
}

/** The account whose key is the password; refuses with 401 without one. */
function accountOf(authorization: string | undefined, { has }: Service): string {
  const [, code] = /^Basic +(\S+)$/i.exec(authorization ?? '') ?? [];
  const [, key] = /^[^:]*:(.*)$/.exec(Buffer.from(code ?? '', 'base64').toString()) ?? [];
  const found = Object.entries(keys).find((each) => each[1] === key);
  const any = key !== undefined && has('any-key-accepted') ? 'harbour' : undefined;
  return found?.[0] ?? any ?? fail(401, 'The API key is missing or not valid.');
}

/** A refusal as a problem document of this request. */
function problemOf({ status, json }: Answer, { has, varies }: Service, id: string): Answer {
  const words = varies('other-words') ? { detail: 'Nope.' } : {};
  const instance = has('instance-differs') ? randomUUID() : id;
  const problem: Record<string, unknown> = { ...(json as object), ...words, instance };
  if (varies('other-words') && problem['errors'] !== undefined)
    problem['errors'] = [{ field: '', message: 'This will not do.' }];
  const type = has('problem-as-json') ? 'application/json' : 'application/problem+json';
  const isOpen = status !== 401 || has('challenge-missing');
  const challenge = { 'WWW-Authenticate': 'Basic realm="Postbird"' };
  const headers = { 'Content-Type': type, ...(isOpen ? {} : challenge) };
  return { status, json: problem, headers };
}

function routesOf(service: Service): Routes {
  const on =
    (operation: Operation): Handler =>
    (incoming) => {
      const id = randomUUID();
      campaigns.sendDue(service);
      let answer: Answer;
      try {
        const account = accountOf(incoming.headers.authorization, service);
        answer = operation({ incoming, service, account });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        answer = problemOf(error.answer, service, id);
      }
      return { ...answer, headers: { ...answer.headers, 'X-Request-Id': id } };
    };
  const list = '/3.0/lists/{list_id}';
  const member = `${list}/members/{subscriber_hash}`;
  const campaign = '/3.0/campaigns/{campaign_id}';
  const table: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
    '/3.0/lists': { GET: lists.getLists, POST: lists.postLists },
    [list]: {
      ...{ GET: lists.getList, PATCH: lists.patchList },
      ...{ DELETE: lists.deleteList, POST: postBatch },
    },
    [`${list}/members`]: { GET: members.getMembers, POST: members.postMembers },
    [member]: {
      ...{ GET: members.getMember, PUT: members.putMember },
      ...{ PATCH: members.patchMember, DELETE: members.archiveMember },
    },
    [`${member}/tags`]: { POST: members.postTags },
    [`${list}/merge-fields`]: { GET: parts.getMergeFields, POST: parts.postMergeFields },
    [`${list}/merge-fields/{merge_id}`]: { DELETE: parts.deleteMergeField },
    [`${list}/segments`]: { GET: parts.getSegments, POST: parts.postSegments },
    [`${list}/segments/{segment_id}/members`]: { GET: parts.getSegmentMembers },
    '/3.0/campaigns': { GET: campaigns.getCampaigns, POST: campaigns.postCampaigns },
    [campaign]: {
      ...{ GET: campaigns.getCampaign, PATCH: campaigns.patchCampaign },
      DELETE: campaigns.deleteCampaign,
    },
    [`${campaign}/actions/schedule`]: { POST: campaigns.scheduleCampaign },
    [`${campaign}/actions/unschedule`]: { POST: campaigns.unscheduleCampaign },
    [`${campaign}/actions/send`]: { POST: campaigns.sendCampaign },
    [`${campaign}/actions/replicate`]: { POST: campaigns.replicateCampaign },
  };
  const routes = Object.entries(table).map(([path, methods]) => {
    const handlers = Object.entries(methods).map(([name, operation]) => [name, on(operation)]);
    return [path, Object.fromEntries(handlers)] as const;
  });
  return Object.fromEntries(routes);
}
