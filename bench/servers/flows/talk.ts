import { counts, has, inOrder, isEmpty, isThere, lacks, matches, not } from './claims.ts';
import type { Flow, Step } from './step.ts';

const ok = { ok: true };
const refused = (error: string) => ({ ok: false, error });
const pages = { at: 'response_metadata next_cursor', as: 'cursor' };
const info = 'GET /api/channels.info?channel={plans}';
const history = 'GET /api/channels.history?channel={plans}';
const form = 'application/x-www-form-urlencoded';
const uuid = '6a1f3c52-0b1e-4f6e-9a77-2f4f9d6f1c22';

const people: Step[] = [
  {
    does: 'asks whose token it is',
    send: 'GET /api/auth.test',
    sees: ok,
    keeps: { me: 'user_id' },
  },
  {
    does: 'lists users, with itself',
    send: 'GET /api/users.list',
    sees: { ...ok, 'members * id': has('{me}') },
  },
  {
    does: 'pages through the users to the end',
    send: 'GET /api/users.list?limit=1',
    next: pages,
    sees: { 'pages * members * id': has('{me}') },
    keeps: { someone: 'pages 0 members 0 id', other: 'pages 1 members 0 id' },
  },
];

const channels: Step[] = [
  {
    does: 'creates a channel',
    send: 'POST /api/channels.create',
    json: { name: 'flow-plans', topic: 'What comes next' },
    sees: {
      ...ok,
      'channel name': 'flow-plans',
      'channel is_private': false,
      'channel is_member': true,
      'channel creator': '{me}',
      'channel topic value': 'What comes next',
    },
    keeps: { plans: 'channel id', created: 'channel created' },
  },
  {
    does: 'reads the channel',
    send: info,
    sees: { ...ok, 'channel name': 'flow-plans', 'channel created': '{created}' },
  },
  {
    does: 'sees the number of members with the flag only',
    send: info,
    sees: { 'channel num_members': isEmpty },
  },
  {
    does: 'sees one member, itself, with the flag',
    send: `${info}&include_num_members=true`,
    sees: { 'channel num_members': 1 },
  },
  {
    does: 'is refused the name a second time',
    send: 'POST /api/channels.create',
    json: { name: 'flow-plans' },
    sees: refused('name_taken'),
  },
  {
    does: 'is refused a name against the pattern',
    send: 'POST /api/channels.create',
    json: { name: 'No Spaces' },
    sees: refused('invalid_name'),
  },
  {
    does: 'is refused a channel without a name',
    send: 'POST /api/channels.create',
    json: {},
    sees: { ...refused('invalid_arguments') },
  },
  {
    does: 'is refused a topic that is too long, with its pointer',
    send: 'POST /api/channels.create',
    json: { name: 'flow-long', topic: 'x'.repeat(251) },
    sees: {
      ...refused('invalid_arguments'),
      'response_metadata messages 0': matches(/\[json-pointer:\/topic\]/),
    },
  },
  {
    does: 'creates a channel by a form',
    send: 'POST /api/channels.create',
    bytes: 'name=flow-second',
    type: form,
    sees: { ...ok, 'channel name': 'flow-second' },
    keeps: { second: 'channel id' },
  },
  {
    does: 'creates a private channel',
    send: 'POST /api/channels.create',
    json: { name: 'flow-secret', is_private: true },
    sees: { ...ok, 'channel is_private': true },
    keeps: { secret: 'channel id' },
  },
  {
    does: 'lists public channels, unless told otherwise',
    send: 'GET /api/channels.list?limit=200',
    sees: {
      ...ok,
      'channels * id': inOrder('{plans}', '{second}'),
      'channels * name': lacks('flow-secret'),
    },
  },
  {
    does: 'lists private channels',
    send: 'GET /api/channels.list?types=private_channel&limit=200',
    sees: { ...ok, 'channels * id': has('{secret}'), 'channels * name': lacks('flow-plans') },
  },
  {
    does: 'lists both types',
    send: 'GET /api/channels.list?types=public_channel,private_channel&limit=200',
    sees: { 'channels * id': inOrder('{plans}', '{second}', '{secret}') },
  },
  {
    does: 'pages through the channels to the end',
    send: 'GET /api/channels.list?limit=1',
    next: pages,
    sees: { 'pages * channels * id': inOrder('{plans}', '{second}') },
  },
  {
    does: 'is refused a limit above the maximum',
    send: 'GET /api/channels.list?limit=201',
    sees: refused('invalid_limit'),
  },
  {
    does: 'is refused a cursor that is none',
    send: 'GET /api/channels.list?cursor=no-cursor',
    sees: refused('invalid_cursor'),
  },
  {
    does: 'does not find a channel that is not there',
    send: 'GET /api/channels.info?channel=C0NOSUCH',
    sees: refused('channel_not_found'),
  },
  {
    does: 'renames the channel',
    send: 'POST /api/channels.rename',
    json: { channel: '{plans}', name: 'flow-ideas' },
    sees: { ...ok, 'channel name': 'flow-ideas', 'channel previous_names -1': 'flow-plans' },
  },
  {
    does: 'reads the new name',
    send: info,
    sees: { 'channel name': 'flow-ideas', 'channel previous_names': ['flow-plans'] },
  },
  {
    does: 'is refused the name of another channel',
    send: 'POST /api/channels.rename',
    json: { channel: '{plans}', name: 'flow-second' },
    sees: refused('name_taken'),
  },
  {
    does: 'sets the topic',
    send: 'POST /api/channels.setTopic',
    json: { channel: '{plans}', topic: 'Less' },
    sees: { ...ok, 'channel topic value': 'Less' },
  },
  { does: 'reads the new topic', send: info, sees: { 'channel topic value': 'Less' } },
  {
    does: 'invites another user',
    send: 'POST /api/channels.invite',
    json: { channel: '{plans}', users: '{other}' },
    sees: { ...ok, 'channel id': '{plans}' },
  },
  {
    does: 'lists the members',
    send: 'GET /api/channels.members?channel={plans}',
    sees: { ...ok, members: ['{me}', '{other}'] },
  },
  {
    does: 'sees two members',
    send: `${info}&include_num_members=true`,
    sees: { 'channel num_members': 2 },
  },
  {
    does: 'is refused to invite a member',
    send: 'POST /api/channels.invite',
    json: { channel: '{plans}', users: '{other}' },
    sees: refused('already_in_channel'),
  },
  {
    does: 'is refused to invite a user that is not there',
    send: 'POST /api/channels.invite',
    json: { channel: '{plans}', users: 'U0NOSUCH' },
    sees: refused('user_not_found'),
  },
];

const messages: Step[] = [
  {
    does: 'posts a message',
    send: 'POST /api/chat.postMessage',
    json: { channel: '{plans}', text: 'First' },
    sees: { ...ok, channel: '{plans}', 'message text': 'First', 'message user': '{me}' },
    keeps: { first: 'ts' },
  },
  {
    does: 'posts a second message with a client_msg_id',
    send: 'POST /api/chat.postMessage',
    json: { channel: '{plans}', text: 'Second', client_msg_id: uuid },
    sees: { ...ok, ts: not('{first}') },
    keeps: { later: 'ts' },
  },
  {
    does: 'repeats the client_msg_id and gets the same message',
    send: 'POST /api/chat.postMessage',
    json: { channel: '{plans}', text: 'Second', client_msg_id: uuid },
    sees: { ...ok, ts: '{later}' },
  },
  {
    does: 'reads the history, newest first',
    send: history,
    sees: { ...ok, 'messages * ts': ['{later}', '{first}'], has_more: false },
  },
  {
    does: 'reads the history from a time on, without the message at it',
    send: `${history}&oldest={first}`,
    sees: { 'messages * ts': ['{later}'] },
  },
  {
    does: 'reads the history from a time on, inclusive',
    send: `${history}&oldest={first}&inclusive=true`,
    sees: { 'messages * ts': ['{later}', '{first}'] },
  },
  {
    does: 'reads the history before a time',
    send: `${history}&latest={later}`,
    sees: { 'messages * ts': ['{first}'] },
  },
  {
    does: 'sees that there is more on the first page',
    send: `${history}&limit=1`,
    sees: {
      has_more: true,
      'messages * ts': ['{later}'],
      'response_metadata next_cursor': isThere,
    },
  },
  {
    does: 'pages through the history to the end',
    send: `${history}&limit=1`,
    next: pages,
    sees: { pages: counts(2), 'pages * messages * ts': ['{later}', '{first}'] },
  },
  {
    does: 'is refused a message without text',
    send: 'POST /api/chat.postMessage',
    json: { channel: '{plans}', text: '' },
    sees: refused('no_text'),
  },
  {
    does: 'is refused a message in a channel that is not there',
    send: 'POST /api/chat.postMessage',
    json: { channel: 'C0NOSUCH', text: 'Hello' },
    sees: refused('channel_not_found'),
  },
  {
    does: 'replies to a message',
    send: 'POST /api/chat.postMessage',
    json: { channel: '{plans}', text: 'A reply', thread_ts: '{first}' },
    sees: { ...ok, 'message thread_ts': '{first}' },
    keeps: { reply: 'ts' },
  },
  {
    does: 'does not see the reply in the history',
    send: history,
    sees: { 'messages * ts': ['{later}', '{first}'], 'messages 1 reply_count': 1 },
  },
  {
    does: 'reads the thread, oldest first',
    send: 'GET /api/channels.replies?channel={plans}&ts={first}',
    sees: { ...ok, 'messages * ts': ['{first}', '{reply}'], 'messages 0 latest_reply': '{reply}' },
  },
  {
    does: 'is refused a reply to a message that is not there',
    send: 'POST /api/chat.postMessage',
    json: { channel: '{plans}', text: 'Lost', thread_ts: '1000000000.000001' },
    sees: refused('thread_not_found'),
  },
  {
    does: 'changes the text of a message',
    send: 'POST /api/chat.update',
    json: { channel: '{plans}', ts: '{later}', text: 'Second, mended' },
    sees: { ...ok, ts: '{later}', 'message text': 'Second, mended', 'message edited user': '{me}' },
  },
  {
    does: 'reads the changed text',
    send: history,
    sees: { 'messages * text': ['Second, mended', 'First'] },
  },
  {
    does: 'is refused to change a message that is not there',
    send: 'POST /api/chat.update',
    json: { channel: '{plans}', ts: '1000000000.000001', text: 'Lost' },
    sees: refused('message_not_found'),
  },
  {
    does: 'adds a reaction',
    send: 'POST /api/reactions.add',
    json: { channel: '{plans}', timestamp: '{first}', name: 'thumbsup' },
    sees: ok,
  },
  {
    does: 'sees the reaction at the message',
    send: history,
    sees: { 'messages 1 reactions': [{ name: 'thumbsup', users: ['{me}'], count: 1 }] },
  },
  {
    does: 'is refused the same reaction again',
    send: 'POST /api/reactions.add',
    json: { channel: '{plans}', timestamp: '{first}', name: 'thumbsup' },
    sees: refused('already_reacted'),
  },
  {
    does: 'takes the reaction back',
    send: 'POST /api/reactions.remove',
    json: { channel: '{plans}', timestamp: '{first}', name: 'thumbsup' },
    sees: ok,
  },
  {
    does: 'is refused to take it back again',
    send: 'POST /api/reactions.remove',
    json: { channel: '{plans}', timestamp: '{first}', name: 'thumbsup' },
    sees: refused('no_reaction'),
  },
  {
    does: 'deletes a message',
    send: 'POST /api/chat.delete',
    json: { channel: '{plans}', ts: '{first}' },
    sees: { ...ok, ts: '{first}' },
  },
  {
    does: 'does not see it in the history',
    send: history,
    sees: { 'messages * ts': ['{later}'] },
  },
  {
    does: 'does not find its thread',
    send: 'GET /api/channels.replies?channel={plans}&ts={first}',
    sees: refused('thread_not_found'),
  },
  {
    does: 'is refused to delete it again',
    send: 'POST /api/chat.delete',
    json: { channel: '{plans}', ts: '{first}' },
    sees: refused('message_not_found'),
  },
];

const archive: Step[] = [
  {
    does: 'archives the channel',
    send: 'POST /api/channels.archive',
    json: { channel: '{plans}' },
    sees: ok,
  },
  { does: 'reads that it is archived', send: info, sees: { ...ok, 'channel is_archived': true } },
  {
    does: 'is refused to archive it again',
    send: 'POST /api/channels.archive',
    json: { channel: '{plans}' },
    sees: refused('already_archived'),
  },
  {
    does: 'is refused a message in it',
    send: 'POST /api/chat.postMessage',
    json: { channel: '{plans}', text: 'Too late' },
    sees: refused('is_archived'),
  },
  {
    does: 'is refused to rename it',
    send: 'POST /api/channels.rename',
    json: { channel: '{plans}', name: 'flow-late' },
    sees: refused('is_archived'),
  },
  {
    does: 'lists channels without the archived ones',
    send: 'GET /api/channels.list?exclude_archived=true&limit=200',
    sees: { ...ok, 'channels * id': has('{second}'), 'channels * name': lacks('flow-ideas') },
  },
  {
    does: 'lists it otherwise',
    send: 'GET /api/channels.list?limit=200',
    sees: { 'channels * id': has('{plans}', '{second}') },
  },
  {
    does: 'is refused its name, which stays taken',
    send: 'POST /api/channels.create',
    json: { name: 'flow-ideas' },
    sees: refused('name_taken'),
  },
  {
    does: 'brings it back',
    send: 'POST /api/channels.unarchive',
    json: { channel: '{plans}' },
    sees: ok,
  },
  { does: 'reads that it is back', send: info, sees: { ...ok, 'channel name': 'flow-ideas' } },
  {
    does: 'is refused to bring back what is not archived',
    send: 'POST /api/channels.unarchive',
    json: { channel: '{plans}' },
    sees: refused('not_archived'),
  },
  {
    does: 'posts in it again',
    send: 'POST /api/chat.postMessage',
    json: { channel: '{plans}', text: 'Back' },
    sees: { ...ok, 'message text': 'Back' },
  },
];

/** Channels, messages, threads and reactions. */
export const talk: Flow = {
  name: 'talk',
  steps: [...people, ...channels, ...messages, ...archive],
};
