import { dateTime, fields, flag, text, whole } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { remove, toSecond, type Link } from './store.ts';
import * as tree from './tree.ts';

type Call = api.Call;

const visibilities = ['public', 'team_only', 'password'];
const settings = fields(
  {
    ...{ requested_visibility: api.tagged(visibilities), link_password: text(4, 100) },
    ...{ expires: dateTime, allow_download: flag },
  },
  [],
);

const secondOf = (given: unknown): number => toSecond(Date.parse(String(given)));

const isExpired = ({ expires }: Link): boolean => expires !== undefined && expires <= Date.now();

function showLink(link: Link, call: Call): Json {
  const { url, item, visibility, expires, account, allow_download } = link;
  const { name, path_lower } = api.show(item, call);
  const isOwn = account === call.account;
  return {
    ...{ '.tag': item.kind, url, name },
    ...(isOwn ? { path_lower } : {}),
    ...(expires === undefined ? {} : { expires: api.time(expires, call.service) }),
    link_permissions: {
      resolved_visibility: { '.tag': visibility },
      ...{ allow_download, can_revoke: isOwn },
    },
  };
}

const answer = (link: Link, call: Call): Answer => ({ status: 200, json: showLink(link, call) });

/** What a link has by its settings and by what it had; refuses what does not fit. */
function apply(call: Call, given: Json, before: Partial<Link>): Omit<Link, keyof Kept> {
  const { requested_visibility: wanted, link_password, expires: until } = given;
  const refuse = (): never => api.fail('settings_error', 'invalid_settings');
  const old = before.visibility ?? 'public';
  const visibility = wanted === undefined ? old : api.tagOf(wanted);
  const password = visibility === 'password' ? (link_password ?? before.password) : link_password;
  if ((visibility === 'password') !== (password !== undefined)) refuse();
  const expires = until === undefined ? before.expires : secondOf(until);
  const isPast = until !== undefined && expires !== undefined && expires <= Date.now();
  if (isPast && !call.service.has('past-expiry-accepted')) refuse();
  const allow_download = (given['allow_download'] ?? before.allow_download ?? true) === true;
  return { visibility, password: password as string | undefined, expires, allow_download };
}

type Kept = Pick<Link, 'url' | 'account' | 'item'>;

const newLink = fields({ path: api.anyPath, settings }, ['path']);

export function createLink(call: Call): Answer {
  const { path, settings: given = {} } = api.readBody(call, newLink);
  const { service, account } = call;
  const item = tree.lookUp(call, path, 'path');
  const isThere = service.links.some((one) => one.item === item && one.account === account);
  if (isThere && !service.has('second-link-made')) api.fail('shared_link_already_exists');
  const link = addLink(call, item, apply(call, given as Json, {}));
  return answer(link, call);
}

export function addLink(
  { service, account }: Pick<Call, 'service' | 'account'>,
  item: Link['item'],
  rest: Omit<Link, keyof Kept>,
): Link {
  const url = `https://links.loftbay.example/s/${service.newId('')}`;
  const link: Link = { url, account, item, ...rest };
  service.links.push(link);
  return link;
}

const url = text(1, 500);

/** The link with an address, if it leads anywhere. */
function findLink({ service }: Call, given: unknown): Link {
  const isIts = (one: Link): boolean =>
    one.url === given && (api.isAlive(one) || service.has('links-survive-deletion'));
  return service.links.find(isIts) ?? api.fail('shared_link_not_found');
}

/** A link that the account made. */
function ownLink(call: Call, given: unknown): Link {
  const link = findLink(call, given);
  const isOwn = link.account === call.account;
  if (!isOwn && !call.service.has('link-of-others-changed')) api.fail('shared_link_access_denied');
  return link;
}

const changed = fields({ url, settings, remove_expiration: flag }, ['url', 'settings']);

export function modifyLink(call: Call): Answer {
  const body = api.readBody(call, changed);
  const { has } = call.service;
  const link = ownLink(call, body['url']);
  const before: Partial<Link> = has('settings-left-out-reset') ? {} : link;
  const after = apply(call, body['settings'] as Json, before);
  Object.assign(link, after);
  if (body['remove_expiration'] === true) link.expires = undefined;
  return answer(link, call);
}

const reading = fields({ url, link_password: text(1, 100) }, ['url']);

export function getLink(call: Call): Answer {
  const { url: given, link_password } = api.readBody(call, reading);
  const { has } = call.service;
  const link = findLink(call, given);
  const { visibility, password, account } = link;
  if (isExpired(link) && !has('expired-link-works')) api.fail('shared_link_not_found');
  const isOwn = account === call.account;
  const isWrong = visibility === 'password' && link_password !== password;
  const isForeign = visibility === 'team_only' && account.team !== call.account.team;
  if (isWrong && !isOwn && !has('link-password-not-asked')) api.fail('shared_link_access_denied');
  if (isForeign && !has('team-link-for-everybody')) api.fail('shared_link_access_denied');
  return answer(link, call);
}

const listing = fields(
  {
    ...{ path: api.anyPath, direct_only: flag, cursor: text(1, 2000) },
    limit: whole(1, 200),
  },
  [],
);

export function listLinks(call: Call): Answer {
  const { path, direct_only: isDirect, cursor, limit = 50 } = api.readBody(call, listing);
  const { service, account } = call;
  const { has } = service;
  if (cursor !== undefined) return api.goOn(call, 'links', cursor);
  const item = path === undefined ? undefined : tree.lookUp(call, path, 'path');
  const isFor = (one: Link): boolean => {
    if (item === undefined || one.item === item) return true;
    const isAbove = one.item.home === item.home && tree.isIn(item.key, one.item.key);
    return isAbove && (isDirect !== true || has('direct-only-ignored'));
  };
  const rows = service.links
    .filter((one) => one.account === account)
    .filter((one) => api.isAlive(one) && isFor(one))
    .toReversed();
  return api.pageOf(call, { kind: 'links', rows, limit: Number(limit) }, (found, later) => ({
    links: found.filter((one) => api.isAlive(one)).map((one) => showLink(one, later)),
  }));
}

export function revokeLink(call: Call): Answer {
  const { url: given } = api.readBody(call, fields({ url }, ['url']));
  const link = ownLink(call, given);
  remove(call.service.links, link);
  return { status: 200, json: null };
}
