import { dateTime, fields, flag, text, whole } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { remove, toSecond, type Link } from './store.ts';
import * as tree from './tree.ts';

type Call = api.Call;

const visibilities = ['public', 'team_only', 'password'];
const given = { requested_visibility: api.tagged(visibilities), link_password: text(4, 100) };
const settings = fields({ ...given, expires: dateTime, allow_download: flag }, []);

function showLink(link: Link, call: Call): Json {
  const { url, item, visibility, expires, account, allow_download } = link;
  const { name, path_lower } = api.show(item, call);
  const isOwn = account === call.account;
  return {
    ...{ '.tag': item.kind, url, name },
    ...(isOwn ? { path_lower } : {}),
    ...(expires === undefined ? {} : { expires: api.time(expires, call.service) }),
    link_permissions: {
      ...{ allow_download, can_revoke: isOwn },
      ...{ resolved_visibility: { '.tag': visibility } },
    },
  };
}

const answer = (link: Link, call: Call): Answer => api.done(showLink(link, call));

const isOver = (expires?: number): boolean => expires !== undefined && expires <= Date.now();

/** What a link has by its settings and by what it had; refuses what does not fit. */
function apply(call: Call, wanted: Json, before: Partial<Link>): Omit<Link, keyof Kept> {
  const { requested_visibility: asked, link_password, expires: until } = wanted;
  const refuse = (): never => api.fail('settings_error', 'invalid_settings');
  const old = before.visibility ?? 'public';
  const visibility = asked === undefined ? old : api.tagOf(asked);
  const password = visibility === 'password' ? (link_password ?? before.password) : link_password;
  if ((visibility === 'password') !== (password !== undefined)) refuse();
  const expires = until === undefined ? before.expires : toSecond(Date.parse(String(until)));
  const isPast = until !== undefined && isOver(expires);
  if (isPast && !call.service.has('past-expiry-accepted')) refuse();
  const allow_download = (wanted['allow_download'] ?? before.allow_download ?? true) === true;
  return { visibility, password: password as string | undefined, expires, allow_download };
}

type Kept = Pick<Link, 'url' | 'account' | 'item'>;

const newLink = fields({ path: api.anyPath, settings }, ['path']);

export function createLink(call: Call): Answer {
  const { path, settings: wanted = {} } = api.readBody(call, newLink);
  const { service, account } = call;
  const item = tree.lookUp(call, path, 'path');
  const isThere = service.links.some((one) => one.item === item && one.account === account);
  if (isThere && !service.has('second-link-made')) api.fail('shared_link_already_exists');
  return answer(addLink(call, item, apply(call, wanted as Json, {})), call);
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

/** The link with an address, if it leads anywhere; of others only if that is enough. */
function findLink({ service, account }: Call, address: unknown, isOwnOnly: boolean): Link {
  const { has, links } = service;
  const isIts = (one: Link): boolean =>
    one.url === address && (api.isAlive(one) || has('links-survive-deletion'));
  const link = links.find(isIts) ?? api.fail('shared_link_not_found');
  const isOthers = isOwnOnly && link.account !== account && !has('link-of-others-changed');
  return isOthers ? api.fail('shared_link_access_denied') : link;
}

const changed = fields({ url, settings, remove_expiration: flag }, ['url', 'settings']);

export function modifyLink(call: Call): Answer {
  const body = api.readBody(call, changed);
  const { has } = call.service;
  const link = findLink(call, body['url'], true);
  const before = has('settings-left-out-reset') ? {} : link;
  Object.assign(link, apply(call, body['settings'] as Json, before));
  if (body['remove_expiration'] === true) link.expires = undefined;
  return answer(link, call);
}

const reading = fields({ url, link_password: text(1, 100) }, ['url']);

export function getLink(call: Call): Answer {
  const { url: address, link_password } = api.readBody(call, reading);
  const { has } = call.service;
  const link = findLink(call, address, false);
  const { visibility, password, account } = link;
  if (isOver(link.expires) && !has('expired-link-works')) api.fail('shared_link_not_found');
  const isOwn = account === call.account;
  const isWrong = visibility === 'password' && link_password !== password;
  const isForeign = visibility === 'team_only' && account.team !== call.account.team;
  if (isWrong && !isOwn && !has('link-password-not-asked')) api.fail('shared_link_access_denied');
  if (isForeign && !has('team-link-for-everybody')) api.fail('shared_link_access_denied');
  return answer(link, call);
}

const range = { limit: whole(1, 200), cursor: text(1, 2000) };
const listing = fields({ path: api.anyPath, direct_only: flag, ...range }, []);

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
    .filter((one) => one.account === account && api.isAlive(one) && isFor(one))
    .toReversed();
  return api.pageOf(call, { kind: 'links', rows, limit: Number(limit) }, (found, later) => ({
    links: found.filter((one) => api.isAlive(one)).map((one) => showLink(one, later)),
  }));
}

export function revokeLink(call: Call): Answer {
  const { url: address } = api.readBody(call, fields({ url }, ['url']));
  remove(call.service.links, findLink(call, address, true));
  return api.nothing;
}
