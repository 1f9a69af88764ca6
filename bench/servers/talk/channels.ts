import { metadataOf, pageOf, type Call } from './call.ts';
import { fail, type Channel, type Service } from './store.ts';

type Json = Readonly<Record<string, unknown>>;

function show({ service, user }: Call, channel: Channel, withCount = false): Json {
  const { has } = service;
  const { topic, members } = channel;
  return {
    id: channel.id,
    name: channel.name,
    is_private: channel.isPrivate,
    is_archived: channel.isArchived,
    is_member: members.includes(user),
    creator: channel.creator,
    created: Math.floor(channel.created / 1000),
    updated: has('updated-frozen') ? channel.created : channel.updated,
    topic: { ...topic, last_set: Math.floor(topic.last_set / 1000) },
    previous_names: channel.previousNames,
    ...(withCount ? { num_members: has('count-not-raised') ? 1 : members.length } : {}),
  };
}

/** The channel of the call, as far as the caller may see it. */
export function findChannel({ service, user, given }: Call): Channel {
  const { has } = service;
  const channel = service.channels.get(String(given['channel']));
  if (channel === undefined && has('unknown-channel-500'))
    throw new TypeError("Cannot read properties of undefined (reading 'name')");
  const isHidden = channel?.isPrivate === true && !channel.members.includes(user);
  if (channel === undefined || (isHidden && !has('private-read')))
    return fail(service, 'channel_not_found');
  return channel;
}

/** The channel of a call that changes it. */
export function findLive(call: Call, unless = false): Channel {
  const channel = findChannel(call);
  return channel.isArchived && !unless ? fail(call.service, 'is_archived') : channel;
}

export function testAuth({ service, user }: Call): Json {
  return { user_id: user, user: service.users.get(user) ?? '' };
}

export function listUsers(call: Call): Json {
  const { users } = call.service;
  const all = [...users].map(([id, name], at) => ({ id, name, at: String(at + 1) }));
  const { page, next_cursor } = pageOf(call, all, ({ at }) => at);
  const members = page.map(({ id, name }) => ({ id, name }));
  return { members, ...metadataOf(call.service, next_cursor) };
}

function requireFreeName({ service }: Call, name: string, self?: Channel): void {
  const { has, channels } = service;
  const isTaken = [...channels.values()].some(
    (one) => one !== self && one.name === name && !(one.isArchived && has('name-of-archived-free')),
  );
  if (isTaken && !has(self === undefined ? 'name-twice' : 'rename-to-taken'))
    fail(service, 'name_taken');
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function topicOf({ service, user, given }: Call, time: number): Channel['topic'] {
  const topic = String(given['topic'] ?? '').slice(0, 250);
  return {
    value: service.has('topic-escaped') ? escaped(topic) : topic,
    creator: user,
    last_set: time,
  };
}

export function createChannel(call: Call): Json {
  const { service, user, given } = call;
  const { has } = service;
  const name = String(given['name']);
  requireFreeName(call, name);
  const time = Date.now();
  const topic = topicOf(call, time);
  const channel: Channel = {
    ...service.nextChannel(),
    name,
    isPrivate: given['is_private'] === true && !has('private-ignored'),
    isArchived: false,
    creator: user,
    created: time,
    updated: time,
    topic: has('topic-of-new-lost') ? { ...topic, value: '' } : topic,
    previousNames: [],
    members: has('creator-no-member') ? [] : [user],
  };
  if (!has('channel-not-stored')) service.channels.set(channel.id, channel);
  return { channel: show(call, channel) };
}

export function getChannel(call: Call): Json {
  const { has, channels } = call.service;
  if (has('unknown-channel-ok') && !channels.has(String(call.given['channel']))) return {};
  const withCount = call.given['include_num_members'] === true && !has('num-members-ignored');
  return { channel: show(call, findChannel(call), withCount) };
}

export function listChannels(call: Call): Json {
  const { service, user, given } = call;
  const { has } = service;
  const { types = 'public_channel' } = given as { types?: string };
  const isAll = has('types-ignored') || (given['types'] === undefined && has('types-default-all'));
  const listed = has('types-first-only') ? types.split(',').slice(0, 1) : types.split(',');
  const isMeant = ({ isPrivate }: Channel): boolean =>
    isAll || listed.includes(isPrivate ? 'private_channel' : 'public_channel');
  const isSeen = ({ isPrivate, members }: Channel): boolean =>
    !isPrivate || members.includes(user) || has('private-listed');
  const isLater = given['cursor'] !== undefined && has('archived-on-later-pages');
  const isLive = ({ isArchived }: Channel): boolean =>
    given['exclude_archived'] !== true || !isArchived || isLater || has('exclude-archived-ignored');
  const found = [...service.channels.values()].filter(
    (one) => isMeant(one) && isSeen(one) && isLive(one),
  );
  if (has('channels-by-name')) found.sort((a, b) => (a.name < b.name ? -1 : 1));
  const steps = { isFixed: has('cursor-ignored') };
  const { page, next_cursor } = pageOf(call, found, ({ place }) => String(place), steps);
  const channels = page.map((channel) => show(call, channel));
  const answer = { channels, ...metadataOf(service, next_cursor) };
  return has('ok-missing') ? { ...answer, ok: undefined } : answer;
}

/** Makes a change that moves `updated`; with the defect, in the response only. */
function change(call: Call, channel: Channel, changes: Partial<Channel>, isLost = false): Json {
  const after = { ...channel, ...changes, updated: Math.max(Date.now(), channel.updated + 1) };
  if (!isLost) call.service.channels.set(channel.id, after);
  return { channel: show(call, after) };
}

export function renameChannel(call: Call): Json {
  const { has } = call.service;
  const channel = findLive(call, has('archived-renamed'));
  const name = String(call.given['name']);
  requireFreeName(call, name, channel);
  const before = [...channel.previousNames, ...(has('previous-name-lost') ? [] : [channel.name])];
  return change(call, channel, { name, previousNames: before }, has('rename-not-stored'));
}

export function setTopic(call: Call): Json {
  const channel = findLive(call);
  const isLost = call.service.has('topic-not-stored');
  return change(call, channel, { topic: topicOf(call, Date.now()) }, isLost);
}

export function archiveChannel(call: Call): Json {
  const { service } = call;
  const channel = findChannel(call);
  if (channel.isArchived && !service.has('archived-again'))
    return fail(service, 'already_archived');
  change(call, channel, { isArchived: true }, service.has('archive-not-stored'));
  return {};
}

export function unarchiveChannel(call: Call): Json {
  const { service } = call;
  const channel = findChannel(call);
  if (!channel.isArchived && !service.has('unarchive-of-live'))
    return fail(service, 'not_archived');
  change(call, channel, { isArchived: false }, service.has('unarchive-not-stored'));
  return {};
}

/** Why a user cannot be invited. */
function faultIn({ has, users }: Service, user: string, members: readonly string[]) {
  if (!users.has(user) && !has('unknown-user-invited')) return 'user_not_found';
  return members.includes(user) && !has('invited-twice') ? 'already_in_channel' : undefined;
}

export function inviteUsers(call: Call): Json {
  const { service, given } = call;
  const { has } = service;
  const channel = findLive(call, has('archived-invites'));
  const asked = [...new Set(String(given['users']).split(','))];
  const wanted = has('invite-first-only') ? asked.slice(0, 1) : asked;
  const members = [...channel.members];
  for (const user of wanted) {
    const fault = faultIn(service, user, channel.members);
    if (fault !== undefined) {
      if (has('invite-half-done')) change(call, channel, { members });
      return fail(service, fault);
    }
    members.push(user);
  }
  return change(call, channel, { members });
}

export function listMembers(call: Call): Json {
  const { service } = call;
  const { has } = service;
  const { members } = findChannel(call);
  const all = (has('members-by-id') ? members.toSorted() : members).map((id, at) => ({ id, at }));
  const steps = { from: has('member-lost') ? 1 : 0 };
  const { page, next_cursor } = pageOf(call, all, ({ at }) => String(at + 1), steps);
  return { members: page.map(({ id }) => id), ...metadataOf(service, next_cursor) };
}
