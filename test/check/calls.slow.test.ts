import { describe, expect, test } from 'vitest';
import { checkTarget } from '../../src/check/engine/check-target.ts';
import { openEnvelopes } from '../../src/contract/infer/open-envelopes.ts';
import { separate } from '../../src/check/engine/judge/evidence.ts';
import { alarms, findingsOf, inProcess, sendTo } from './fixture/inline-service.ts';
import { noticeEach } from './fixture/notice-each.ts';
import { calls, type CallQuirk } from './fixture/calls.ts';

async function alarmsOf(quirks: readonly CallQuirk[]): Promise<string[]> {
  const { contract, service } = calls(...quirks);
  // So many bugs at once break the same stories: what is told with another one is noticed too.
  return alarms((await findingsOf(contract, service)).flatMap(separate));
}

describe('a service whose paths are calls, with refusals in a 200', () => {
  test('that keeps its contract raises no alarm', async () => {
    expect(await alarmsOf([])).toEqual([]);
  });

  noticeEach<CallQuirk>(
    'that %s is noticed',
    [
      [
        ['stores no topic', /states-hold.*topic/],
        ['stores no rename', /states-hold.*name/],
        ['archives nothing', /states-hold.*archived/],
        ['keeps deleted messages', /deleted-is-gone/],
        ['accepts long names', /invalid-refused.*name/],
        ['takes a name twice', /unique-is-kept channels.create/],
        ['renames to a taken name', /unique-is-kept channels.rename/],
        ['invites a member again', /states-hold channels.invite.*already_in_channel/],
        ['replies to messages of other channels', /parent-holds chat.post.*below another parent/],
        ['posts a retry', /created-once chat.post.*same client_token.*two records/],
        ['invites who is unknown', /parent-holds channels.invite.*and an unknown one/],
        ['pins what is pinned', /states-hold pins.add.*already_pinned/],
        ['unpins what is not pinned', /states-hold pins.remove.*no_pin/],
        ['stores no edit', /states-hold chat.update.*the next list shows/],
        ['takes any cursor', /token-holds channels.list.*no list gave/],
        ['pins in other channels', /parent-holds pins.add.*below another parent/],
        ['counts one member', /shown-twice-agrees channels.info.*num_members is 1 instead of 2/],
        [
          'counts no second reply',
          /shown-twice-agrees channels.history.*reply_count is 1 instead of 2/,
        ],
        ['shows the replies of all', /parent-holds channels.replies.*belongs to another one/],
        ['lists replies in the history', /parent-holds channels.history.*says to leave out/],
      ],
      [
        [
          'loses the topic of a new channel',
          /created-is-returned channels.create.*as its topic.value/,
        ],
        ['keeps deleted channels', /deleted-is-gone/],
        ['knows a token in all channels', /created-once chat.post.*below another parent/],
        ['invites those before one who is unknown', /parent-holds channels.invite.*half done/],
        ['edits in other channels', /parent-holds chat.update.*below another parent/],
        ['posts to archived channels', /states-hold chat.post.*archived is true.*is_archived/],
        ['deletes in other channels', /parent-holds chat.delete.*below another parent/],
        ['forgets former names', /states-hold channels.rename.*previous_names does not show it/],
        [
          'shows the first reply as the latest',
          /shown-twice-agrees.*latest_reply .* was added last/,
        ],
      ],
      [
        ['invites the first only', /parent-holds channels.invite.*does not show "U4" after it/],
        [
          'counts deleted replies',
          /shown-twice-agrees channels.history.*reply_count is 2 instead of 1/,
        ],
        ['keeps the replies of deleted messages', /parent-holds chat.update.*can still be changed/],
      ],
      [['refuses with 400', /^error status-documented .*400.*such an answer with 200 alone\.$/]],
    ],
    alarmsOf,
  );

  test('is reached in every operation, and named as its document names it', async () => {
    const { contract, service } = calls();
    const { summary } = await checkTarget({
      url: inProcess,
      contract,
      seed: 'calls',
      mode: 'read-write',
      send: sendTo(service),
    });
    const { operations } = summary;
    expect(operations.filter(({ requests }) => requests === 0)).toEqual([]);
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toContain(
      'POST /channels.rename',
    );
  });
});

test('a call is on the path that an ordinary service would have', () => {
  const { operations } = openEnvelopes(calls().contract);
  const forms = operations.map(({ id, method, path }) => `${id}: ${method} ${path}`);
  expect(forms).toEqual([
    'channels.create: POST /channels',
    'users.list: GET /users',
    'channels.invite: POST /channels/{channel}/invite',
    'pins.add: POST /channels/{channel}/history/{ts}/pins.add',
    'pins.remove: POST /channels/{channel}/history/{ts}/pins.remove',
    'chat.update: PATCH /channels/{channel}/history/{ts}',
    'channels.info: GET /channels/{channel}',
    'channels.list: GET /channels',
    'channels.rename: POST /channels/{channel}/rename',
    'channels.setTopic: POST /channels/{channel}/setTopic',
    'channels.archive: POST /channels/{channel}/archive',
    'channels.delete: DELETE /channels/{channel}',
    'channels.members: GET /channels/{channel}/members',
    'channels.history: GET /channels/{channel}/history',
    'channels.replies: GET /channels/{channel}/history/{ts}/replies',
    'chat.post: POST /channels/{channel}/history',
    'chat.delete: DELETE /channels/{channel}/history/{ts}',
  ]);
});
