import { randomUUID } from 'node:crypto';
import type { Client } from '../serving/client.ts';
import type { DefectName, defects } from './defects.ts';
import {
  archived,
  five,
  info,
  lacks,
  listed,
  messageAt,
  open,
  pages,
  read,
  say,
  second,
  texts,
  unique,
  write,
  type ChannelView,
  type Query,
  type Show,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const nowhere = { channel: 'C0NOWHERE' };
const missing = (client: Client) => read(client, 'channels.info', nowhere);

/** Whether a method accepts such arguments with these for a new channel. */
const accepts = (name: string, json: object, error: string): Show => {
  return async (client) =>
    lacks(write(client, name, { channel: await open(client), ...json }), error);
};

/** Whether a call of a method for an archived channel is accepted. */
const takesArchived = (name: string, json: object, error = 'is_archived'): Show => {
  return async (client) =>
    lacks(write(client, name, { channel: await archived(client), ...json }), error);
};

const answers: Of<'answers'> = {
  'refusals-are-400': async (client) => (await missing(client)).status !== 200,
  'unknown-channel-ok': async (client) => (await missing(client)).body.ok !== false,
  'unknown-channel-500': async (client) => (await missing(client)).status >= 500,
  'ok-missing': async (client) => (await read(client, 'channels.list', {})).body.ok !== true,
  'error-is-sentence': (client) => lacks(missing(client), 'channel_not_found'),
  'error-elsewhere': async (client) => {
    const { body } = await write(client, 'channels.create', { name: 'Capitals' });
    return body.response_metadata?.messages?.some((text) => text.includes('/name')) !== true;
  },
  'no-token-needed': (client) =>
    lacks(read(client, 'channels.list', {}, { as: 'anonymous' }), 'not_authed'),
  'any-token-accepted': (client) =>
    lacks(read(client, 'channels.list', {}, { as: 'wrong' }), 'invalid_auth'),
};

/** A new channel, as it is read after this call. */
async function after(client: Client, name: string, json: object): Promise<ChannelView> {
  const channel = await open(client);
  await write(client, name, { channel, ...json });
  return info(client, channel);
}

/** The message that was changed to `new`, as it is read. */
async function edited(client: Client) {
  const channel = await open(client);
  const ts = await say(client, channel, 'old');
  await write(client, 'chat.update', { channel, ts, text: 'new' });
  return messageAt(client, channel, ts);
}

const writes: Of<'writes'> = {
  'channel-not-stored': async (client) => (await info(client, await open(client))) === undefined,
  'private-ignored': async (client) =>
    !(await info(client, await open(client, { is_private: true }))).is_private,
  'topic-of-new-lost': async (client) =>
    (await info(client, await open(client, { topic: 'Now' }))).topic.value !== 'Now',
  'topic-not-stored': async (client) =>
    (await after(client, 'channels.setTopic', { topic: 'Now' })).topic.value !== 'Now',
  'topic-escaped': async (client) =>
    (await after(client, 'channels.setTopic', { topic: 'A & B' })).topic.value !== 'A & B',
  'rename-not-stored': async (client) => {
    const name = unique();
    return (await after(client, 'channels.rename', { name })).name !== name;
  },
  'previous-name-lost': async (client) =>
    (await after(client, 'channels.rename', { name: unique() })).previous_names?.length !== 1,
  'updated-frozen': async (client) => {
    const channel = await open(client);
    const { updated } = await info(client, channel);
    await write(client, 'channels.setTopic', { channel, topic: 'Now' });
    return (await info(client, channel)).updated <= updated;
  },
  'message-not-stored': async (client) => {
    const channel = await open(client);
    return (await messageAt(client, channel, await say(client, channel, 'A'))) === undefined;
  },
  'text-trimmed': async (client) => {
    const channel = await open(client);
    return (await messageAt(client, channel, await say(client, channel, ' A ')))?.text !== ' A ';
  },
  'edit-not-stored': async (client) => (await edited(client))?.text !== 'new',
  'edit-changes-ts': async (client) => (await edited(client)) === undefined,
  'edited-missing': async (client) => (await edited(client))?.edited === undefined,
  'repeat-posts-again': async (client) => {
    const channel = await open(client);
    const more = { client_msg_id: randomUUID() };
    return (await say(client, channel, 'A', more)) !== (await say(client, channel, 'A', more));
  },
  'repeat-across-channels': async (client) => {
    const more = { client_msg_id: randomUUID() };
    await say(client, await open(client), 'A', more);
    const channel = await open(client);
    await say(client, channel, 'A', more);
    return (await texts(client, 'channels.history', { channel })) !== 'A';
  },
  'message-not-deleted': async (client) => {
    const { channel, all } = await five(client);
    await write(client, 'chat.delete', { channel, ts: all[0] });
    return (await texts(client, 'channels.history', { channel })) !== '5432';
  },
};

/** Whether a call finds a message of another channel. */
const findsElsewhere = (name: string, json: object, error: string, member = 'ts'): Show => {
  return async (client) => {
    const ts = await say(client, await open(client), 'A');
    const channel = await open(client);
    return lacks(write(client, name, { channel, ...json, [member]: ts }), error);
  };
};

const pairs: Of<'pairs'> = {
  'edits-in-other-channel': findsElsewhere('chat.update', { text: 'B' }, 'message_not_found'),
  'deletes-in-other-channel': findsElsewhere('chat.delete', {}, 'message_not_found'),
  'reacts-in-other-channel': findsElsewhere(
    'reactions.add',
    { name: 'tada' },
    'message_not_found',
    'timestamp',
  ),
  'replies-to-other-channel': findsElsewhere(
    'chat.postMessage',
    { text: 'B' },
    'thread_not_found',
    'thread_ts',
  ),
};

/** Whether the history of five messages is not this one; `$1` to `$5` are their ts. */
const history = (query: Query, wanted: string): Show => {
  return async (client) => {
    const { channel, all } = await five(client);
    const entries = Object.entries(query).map(([name, value]) => [
      name,
      value.startsWith('$') ? (all[Number(value[1]) - 1] ?? '') : value,
    ]);
    const given = { channel, ...(Object.fromEntries(entries) as Query) };
    return (await texts(client, 'channels.history', given)) !== wanted;
  };
};

const refuses = (query: Query, error: string): Show => {
  return (client) => lacks(read(client, 'channels.list', query), error);
};

/** Channels by their place among all that the query lists; -1 is not listed. */
async function placesOf(client: Client, ids: readonly string[], query: Query): Promise<number[]> {
  const all = await listed(client, { limit: '200', ...query });
  return ids.map((id) => all.indexOf(id));
}

/** The ids of the members that were invited, in this order, on all pages. */
async function membersOf(client: Client, users: string, limit = '2'): Promise<string> {
  const channel = await open(client);
  await write(client, 'channels.invite', { channel, users });
  const all = await pages(client, 'channels.members', { channel, limit });
  return all.flatMap(({ members = [] }) => members).join();
}

const invited = 'U0GUS,U0EVE,U0CLEO,U0BO';

const paging: Of<'paging'> = {
  'cursor-ignored': async (client) => {
    const ids = [await open(client), await open(client), await open(client)];
    const found = await listed(client, { limit: '2' });
    return new Set(found).size < found.length || !ids.every((id) => found.includes(id));
  },
  'history-overlaps': history({ limit: '2' }, '54321'),
  'history-skips': history({ limit: '2' }, '54321'),
  'member-lost': async (client) => (await membersOf(client, invited)) !== `U0ANA,${invited}`,
  'cursor-on-last-page': async (client) => {
    const { channel } = await five(client);
    const { body } = await read(client, 'channels.history', { channel });
    return (body.response_metadata?.next_cursor ?? '') !== '';
  },
  'any-cursor-accepted': refuses({ cursor: 'bm93aGVyZQ==' }, 'invalid_cursor'),
  'has-more-always': async (client) => {
    const { channel } = await five(client);
    return (await read(client, 'channels.history', { channel })).body.has_more !== false;
  },
  'limit-ignored': async (client) => {
    const { channel } = await five(client);
    const { body } = await read(client, 'channels.history', { channel, limit: '3' });
    return body.messages?.length !== 3;
  },
  'zero-limit-accepted': refuses({ limit: '0' }, 'invalid_limit'),
  'large-limit-lowered': refuses({ limit: '201' }, 'invalid_limit'),
  'oldest-on-first-page': history({ limit: '2', oldest: '$2' }, '543'),
  'archived-on-later-pages': async (client) => {
    const ids = [await open(client), await archived(client), await open(client)];
    const found = await listed(client, { limit: '1', exclude_archived: 'true' });
    return found.includes(ids[1] ?? '');
  },
};

/** A message with the replies `b` and `c`. */
async function thread(client: Client) {
  const channel = await open(client);
  const ts = await say(client, channel, 'a');
  const replies = [
    await say(client, channel, 'b', { thread_ts: ts }),
    await say(client, channel, 'c', { thread_ts: ts }),
  ];
  return { channel, ts, replies };
}

async function threadIsOther(client: Client): Promise<boolean> {
  const { channel, ts } = await thread(client);
  const other = await say(client, channel, 'x');
  await say(client, channel, 'y', { thread_ts: other });
  return (await texts(client, 'channels.replies', { channel, ts, limit: '2' })) !== 'abc';
}

const order: Of<'order'> = {
  'history-oldest-first': history({}, '54321'),
  'replies-newest-first': threadIsOther,
  'channels-by-name': async (client) => {
    const ids = [
      await open(client, { name: `z${unique()}` }),
      await open(client, { name: `a${unique()}` }),
    ];
    const [first = 0, later = 0] = await placesOf(client, ids, {});
    return first > later;
  },
  'members-by-id': async (client) => (await membersOf(client, invited, '9')) !== `U0ANA,${invited}`,
};

/** Whether a public and a private channel are listed otherwise. */
const types = (query: Query, wanted: readonly boolean[]): Show => {
  return async (client) => {
    const ids = [await open(client), await open(client, { is_private: true })];
    const places = await placesOf(client, ids, query);
    return places.some((place, at) => place >= 0 !== wanted[at]);
  };
};

const filters: Of<'filters'> = {
  'exclude-archived-ignored': async (client) => {
    const [place] = await placesOf(client, [await archived(client)], { exclude_archived: 'true' });
    return place !== -1;
  },
  'types-ignored': types({ types: 'private_channel' }, [false, true]),
  'types-first-only': types({ types: 'private_channel,public_channel' }, [true, true]),
  'types-default-all': types({}, [true, false]),
  'unknown-type-accepted': refuses({ types: 'mpim' }, 'invalid_types'),
  'oldest-ignored': history({ oldest: '$2' }, '543'),
  'latest-ignored': history({ latest: '$4' }, '321'),
  'always-inclusive': history({ oldest: '$2', latest: '$4' }, '3'),
  'inclusive-ignored': history({ oldest: '$2', latest: '$4', inclusive: 'true' }, '432'),
  'replies-in-history': async (client) => {
    const { channel } = await thread(client);
    return (await texts(client, 'channels.history', { channel })) !== 'a';
  },
  'num-members-ignored': async (client) =>
    (await info(client, await open(client))).num_members !== 1,
};

const states: Of<'states'> = {
  'archive-not-stored': async (client) => !(await info(client, await archived(client))).is_archived,
  'archived-again': takesArchived('channels.archive', {}, 'already_archived'),
  'unarchive-not-stored': async (client) => {
    const channel = await archived(client);
    await write(client, 'channels.unarchive', { channel });
    return (await info(client, channel)).is_archived;
  },
  'unarchive-of-live': accepts('channels.unarchive', {}, 'not_archived'),
  'archived-takes-messages': takesArchived('chat.postMessage', { text: 'A' }),
  'archived-renamed': takesArchived('channels.rename', { name: unique() }),
  'archived-invites': takesArchived('channels.invite', { users: 'U0BO' }),
};

/** Whether the name of a channel can be given to another one. */
const takesName = (opened: (client: Client) => Promise<string>): Show => {
  return async (client) => {
    const { name } = await info(client, await opened(client));
    return lacks(write(client, 'channels.create', { name }), 'name_taken');
  };
};

/** Reacts to a new message of the first user by these users. */
async function react(client: Client, as: readonly string[]) {
  const channel = await open(client);
  await write(client, 'channels.invite', { channel, users: 'U0BO' });
  const timestamp = await say(client, channel, 'A');
  const json = { channel, timestamp, name: 'tada' };
  for (const one of as) await write(client, 'reactions.add', json, { as: one });
  const reactions = async () => (await messageAt(client, channel, timestamp))?.reactions ?? [];
  return { json, reactions };
}

const uniqueness: Of<'uniqueness'> = {
  'name-twice': takesName((client) => open(client)),
  'name-of-archived-free': takesName(archived),
  'rename-to-taken': async (client) => {
    const { name } = await info(client, await open(client));
    return accepts('channels.rename', { name }, 'name_taken')(client);
  },
  'reacted-twice': async (client) => {
    const { json } = await react(client, ['first']);
    return lacks(write(client, 'reactions.add', json), 'already_reacted');
  },
  'invited-twice': accepts('channels.invite', { users: 'U0ANA' }, 'already_in_channel'),
};

const members: Of<'members'> = {
  'creator-no-member': async (client) => !(await info(client, await open(client))).is_member,
  'count-not-raised': async (client) =>
    (await after(client, 'channels.invite', { users: 'U0BO,U0EVE' })).num_members !== 3,
  'invite-half-done': async (client) => (await membersOf(client, 'U0BO,U0NOBODY')) !== 'U0ANA',
  'unknown-user-invited': accepts('channels.invite', { users: 'U0NOBODY' }, 'user_not_found'),
  'invite-first-only': async (client) => (await membersOf(client, invited)) !== `U0ANA,${invited}`,
  'outsider-posts': async (client) => {
    const json = { channel: await open(client), text: 'A' };
    return lacks(write(client, 'chat.postMessage', json, second), 'not_in_channel');
  },
  'private-listed': async (client) => {
    const id = await open(client, { is_private: true });
    const query = { types: 'private_channel', limit: '200' };
    const { body } = await read(client, 'channels.list', query, second);
    return body.channels?.some((one) => one.id === id) === true;
  },
  'private-read': async (client) => {
    const channel = await open(client, { is_private: true });
    return lacks(read(client, 'channels.history', { channel }, second), 'channel_not_found');
  },
  'others-text-changed': async (client) => {
    const { channel, all } = await five(client);
    const json = { channel, ts: all[0], text: 'B' };
    return lacks(write(client, 'chat.update', json, second), 'cant_update_message');
  },
  'others-text-deleted': async (client) => {
    const { channel, all } = await five(client);
    const json = { channel, ts: all[0] };
    return lacks(write(client, 'chat.delete', json, second), 'cant_delete_message');
  },
};

/** The message that started a thread of two replies, as it is read after this. */
async function parent(client: Client, act?: (channel: string, reply: string) => Promise<unknown>) {
  const { channel, ts, replies } = await thread(client);
  await act?.(channel, replies[0] ?? '');
  return { message: await messageAt(client, channel, ts), replies };
}

const threads: Of<'threads'> = {
  'unknown-thread-accepted': accepts(
    'chat.postMessage',
    { text: 'A', thread_ts: '1000000000.000100' },
    'thread_not_found',
  ),
  'reply-to-reply': async (client) => {
    const { channel, replies } = await thread(client);
    const json = { channel, text: 'd', thread_ts: replies[0] };
    return lacks(write(client, 'chat.postMessage', json), 'thread_not_found');
  },
  'reply-count-not-raised': async (client) => (await parent(client)).message?.reply_count !== 2,
  'reply-count-not-lowered': async (client) => {
    const { message } = await parent(client, (channel, ts) =>
      write(client, 'chat.delete', { channel, ts }),
    );
    return message?.reply_count !== 1;
  },
  'latest-reply-first': async (client) => {
    const { message, replies } = await parent(client);
    return message?.latest_reply !== replies[1];
  },
  'replies-of-all': threadIsOther,
  'replies-outlive-parent': async (client) => {
    const { channel, ts, replies } = await thread(client);
    await write(client, 'chat.delete', { channel, ts });
    const json = { channel, ts: replies[0], text: 'B' };
    return lacks(write(client, 'chat.update', json), 'message_not_found');
  },
  'thread-without-parent': threadIsOther,
};

const reactions: Of<'reactions'> = {
  'reaction-not-stored': async (client) =>
    (await (await react(client, ['first'])).reactions()).length !== 1,
  'reaction-count-one': async (client) =>
    (await (await react(client, ['first', 'second'])).reactions())[0]?.count !== 2,
  'reaction-replaces': async (client) =>
    (await (await react(client, ['first', 'second'])).reactions())[0]?.users.length !== 2,
  'remove-takes-all': async (client) => {
    const { json, reactions: left } = await react(client, ['first', 'second']);
    await write(client, 'reactions.remove', json);
    return (await left())[0]?.users.join() !== 'U0BO';
  },
  'remove-of-none': async (client) => {
    const { json } = await react(client, ['second']);
    return lacks(write(client, 'reactions.remove', json), 'no_reaction');
  },
};

const posts = (json: object, error: string): Show => accepts('chat.postMessage', json, error);

const validation: Of<'validation'> = {
  'capitals-in-name': accepts('channels.create', { name: 'Room' }, 'invalid_name'),
  'long-name-accepted': accepts('channels.create', { name: 'a'.repeat(81) }, 'invalid_name'),
  'empty-text-accepted': posts({ text: '' }, 'no_text'),
  'long-text-accepted': posts({ text: 'a'.repeat(4001) }, 'msg_too_long'),
  'number-as-text': posts({ text: 7 }, 'invalid_arguments'),
  'missing-text-500': posts({}, 'invalid_arguments'),
  'any-ts-accepted': posts({ text: 'A', thread_ts: 'yesterday' }, 'invalid_ts'),
  'topic-too-long': accepts('channels.setTopic', { topic: 'a'.repeat(251) }, 'invalid_arguments'),
};

/** For each defect: whether it shows to a client that reads the document. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...answers,
  ...writes,
  ...pairs,
  ...paging,
  ...order,
  ...filters,
  ...states,
  ...uniqueness,
  ...members,
  ...threads,
  ...reactions,
  ...validation,
};
