import { metadataOf, pageOf, type Call } from './call.ts';
import { findChannel, findLive } from './channels.ts';
import { fail, type Message, type Service } from './store.ts';
import type { DefectName } from './defects.ts';

type Json = Readonly<Record<string, unknown>>;

/** The replies to a message, oldest first. */
function repliesTo({ has, messages }: Service, { channel, ts }: Message): Message[] {
  return messages.filter(
    (one) =>
      one.channel === channel &&
      (one.thread_ts === ts || (has('replies-of-all') && one.thread_ts !== undefined)),
  );
}

function show(service: Service, message: Message): Json {
  const { has } = service;
  const { ts, user, text, thread_ts, edited, reactions } = message;
  const replies = repliesTo(service, message);
  const latest = has('latest-reply-first') ? replies[0] : replies.at(-1);
  const gone = has('reply-count-not-lowered') ? (service.lost.get(ts) ?? 0) : 0;
  const count = has('reply-count-not-raised') ? 1 : replies.length + gone;
  const isParent = thread_ts === undefined && replies.length + gone > 0;
  const shown = [...reactions].map(([name, users]) => {
    return { name, users, count: has('reaction-count-one') ? 1 : users.length };
  });
  return {
    type: 'message',
    ts,
    user,
    text,
    ...(thread_ts === undefined ? {} : { thread_ts }),
    ...(isParent ? { thread_ts: ts, reply_count: count } : {}),
    ...(isParent && latest !== undefined ? { latest_reply: latest.ts } : {}),
    ...(edited === undefined || has('edited-missing') ? {} : { edited }),
    ...(shown.length === 0 ? {} : { reactions: shown }),
  };
}

export function readHistory(call: Call): Json {
  const { service, given } = call;
  const { has } = service;
  const channel = findChannel(call);
  const { oldest, latest } = given as { oldest?: string; latest?: string };
  const isInclusive =
    has('always-inclusive') || (given['inclusive'] === true && !has('inclusive-ignored'));
  const isAtEnd = (ts: string): boolean => isInclusive && (ts === oldest || ts === latest);
  const isLater = given['cursor'] !== undefined && has('oldest-on-first-page');
  const from = isLater || has('oldest-ignored') ? '' : (oldest ?? '');
  const to = latest === undefined || has('latest-ignored') ? 'end' : latest;
  const found = service.messages
    .filter(({ channel: id, thread_ts }) => id === channel.id && isTop(thread_ts, service))
    .filter(({ ts }) => (ts > from && ts < to) || isAtEnd(ts));
  if (!has('history-oldest-first')) found.reverse();
  const steps = { from: has('history-overlaps') ? -1 : has('history-skips') ? 1 : 0 };
  return pageOfMessages(call, found, steps);
}

const isTop = (thread: string | undefined, { has }: Service): boolean =>
  thread === undefined || has('replies-in-history');

function pageOfMessages(
  call: Call,
  found: readonly Message[],
  steps: { from?: number } = {},
): Json {
  const { service } = call;
  const { page, next_cursor } = pageOf(call, found, ({ ts }) => ts, steps);
  return {
    messages: page.map((message) => show(service, message)),
    has_more: next_cursor !== '' || service.has('has-more-always'),
    ...metadataOf(service, next_cursor),
  };
}

/** A message by the pair of its channel and ts; with the defect, by its ts. */
function findMessage({ service }: Call, [channel, ts]: [string, unknown], unless?: DefectName) {
  const isAnywhere = unless !== undefined && service.has(unless);
  return service.messages.find((one) => one.ts === ts && (one.channel === channel || isAnywhere));
}

export function readThread(call: Call): Json {
  const { service, given } = call;
  const { has } = service;
  const { id } = findChannel(call);
  const parent = findMessage(call, [id, given['ts']]);
  if (parent === undefined || parent.thread_ts !== undefined)
    return fail(service, 'thread_not_found');
  const replies = repliesTo(service, parent);
  if (has('replies-newest-first')) replies.reverse();
  return pageOfMessages(call, has('thread-without-parent') ? replies : [parent, ...replies]);
}

export function postMessage(call: Call): Json {
  const { service, user, given } = call;
  const { has, messages } = service;
  const { id, members } = findLive(call, has('archived-takes-messages'));
  if (!members.includes(user) && !has('outsider-posts')) return fail(service, 'not_in_channel');
  const { thread_ts, client_msg_id: key } = given as { thread_ts?: string; client_msg_id?: string };
  const before = messages.find(
    (one) =>
      key !== undefined &&
      one.client_msg_id?.toLowerCase() === key.toLowerCase() &&
      one.user === user &&
      (one.channel === id || has('repeat-across-channels')),
  );
  if (before !== undefined && !has('repeat-posts-again')) return answer(service, before);
  const parent = findMessage(call, [id, thread_ts], 'replies-to-other-channel');
  const isReplied =
    parent !== undefined && (parent.thread_ts === undefined || has('reply-to-reply'));
  if (thread_ts !== undefined && !isReplied && !has('unknown-thread-accepted'))
    return fail(service, 'thread_not_found');
  const text = String(given['text']);
  const message: Message = {
    channel: id,
    ts: service.nextTs(),
    user,
    text: has('text-trimmed') ? text.trim() : text,
    thread_ts,
    client_msg_id: key,
    reactions: new Map(),
  };
  if (!has('message-not-stored')) messages.push(message);
  return answer(service, message);
}

function answer(service: Service, message: Message): Json {
  return { channel: message.channel, ts: message.ts, message: show(service, message) };
}

export function updateMessage(call: Call): Json {
  const { service, user, given } = call;
  const { has } = service;
  const { id } = findLive(call);
  const message = findMessage(call, [id, given['ts']], 'edits-in-other-channel');
  if (message === undefined) return fail(service, 'message_not_found');
  if (message.user !== user && !has('others-text-changed'))
    return fail(service, 'cant_update_message');
  const after = {
    ...message,
    text: String(given['text']),
    ts: has('edit-changes-ts') ? service.nextTs() : message.ts,
    edited: { user, ts: service.nextTs() },
  };
  if (!has('edit-not-stored'))
    service.messages = service.messages.map((one) => (one === message ? after : one));
  return answer(service, after);
}

export function deleteMessage(call: Call): Json {
  const { service, user, given } = call;
  const { has, lost } = service;
  const { id } = findLive(call);
  const message = findMessage(call, [id, given['ts']], 'deletes-in-other-channel');
  if (message === undefined) return fail(service, 'message_not_found');
  if (message.user !== user && !has('others-text-deleted'))
    return fail(service, 'cant_delete_message');
  const { ts, thread_ts, channel } = message;
  const isGone = (one: Message): boolean =>
    one === message ||
    (one.channel === channel && one.thread_ts === ts && !has('replies-outlive-parent'));
  if (thread_ts !== undefined) lost.set(thread_ts, (lost.get(thread_ts) ?? 0) + 1);
  if (!has('message-not-deleted'))
    service.messages = service.messages.filter((one) => !isGone(one));
  return { channel: id, ts };
}

/** The message to react to, and who has the reaction. */
function findReaction(call: Call): { message: Message; name: string; users: readonly string[] } {
  const { service, user, given } = call;
  const { id, members } = findLive(call);
  if (!members.includes(user)) return fail(service, 'not_in_channel');
  const message = findMessage(call, [id, given['timestamp']], 'reacts-in-other-channel');
  if (message === undefined) return fail(service, 'message_not_found');
  const name = String(given['name']);
  return { message, name, users: message.reactions.get(name) ?? [] };
}

export function addReaction(call: Call): Json {
  const { service, user } = call;
  const { has } = service;
  const { message, name, users } = findReaction(call);
  if (users.includes(user) && !has('reacted-twice')) return fail(service, 'already_reacted');
  const before = has('reaction-replaces') ? [] : users;
  if (!has('reaction-not-stored')) message.reactions.set(name, [...before, user]);
  return {};
}

export function removeReaction(call: Call): Json {
  const { service, user } = call;
  const { has } = service;
  const { message, name, users } = findReaction(call);
  if (!users.includes(user) && !has('remove-of-none')) return fail(service, 'no_reaction');
  const rest = has('remove-takes-all') ? [] : users.filter((one) => one !== user);
  if (rest.length === 0) message.reactions.delete(name);
  else message.reactions.set(name, rest);
  return {};
}
