import { fields, oneOf, pick, text, whole } from '../serving/fields.ts';
import { refuse, type Answer } from '../serving/serve.ts';
import { writeMoment, zones } from './moments.ts';
import type { Site } from './office.ts';
import {
  bodyOf,
  includesDeleted,
  insist,
  pageOf,
  requireMatch,
  respond,
  respondUnlessKnown,
  type Admitted,
} from './request.ts';

const rule = fields(
  {
    title: text(1, 60),
    country: text(2, 2, /^[A-Z]{2}$/),
    timeZone: oneOf(zones),
    floors: whole(1, 200),
  },
  ['title'],
);

function showSite(site: Site, { service, base }: Admitted): object {
  const { has, rooms } = service;
  const { surplus, deletedAt, ...shown } = site;
  const count = [...rooms.values()].filter(
    (room) =>
      room.siteName === site.name &&
      (room.deletedAt === undefined || has('room-count-with-deleted')),
  ).length;
  const href = `${base}/sites/${site.name}`;
  return {
    ...shown,
    roomCount: count + surplus,
    href,
    roomsHref: `${href}/${has('rooms-href-broken') ? 'room' : 'rooms'}`,
    ...(deletedAt === undefined ? {} : { deletedAt: writeMoment(deletedAt, service) }),
  };
}

export function listSites(admitted: Admitted): Answer {
  const { incoming, service } = admitted;
  const { has } = service;
  const withDeleted = includesDeleted(incoming) && !has('deleted-never-listed');
  const all = [...service.sites.values()];
  const found = all.filter(
    ({ deletedAt }) => deletedAt === undefined || withDeleted || has('deleted-listed'),
  );
  if (!has('sites-by-creation')) found.sort((a, b) => (a.name < b.name ? -1 : 1));
  const answer = pageOf(admitted, found, (site) => showSite(site, admitted));
  const { items } = answer.json as { items: object[] };
  return has('list-is-bare') ? { ...answer, json: items } : answer;
}

/** The site of the path, also a deleted one if the request includes those. */
export function findSite({ incoming, service }: Admitted, withDeleted = false): Site {
  const site = service.sites.get(incoming.params['siteName'] ?? '');
  if (site === undefined || (site.deletedAt !== undefined && !withDeleted))
    return refuse(404, 'There is no such site.');
  return site;
}

export function getSite(admitted: Admitted): Answer {
  const { incoming, service } = admitted;
  const { has } = service;
  const isHead = incoming.method === 'HEAD';
  if (isHead && has('head-always-200') && !service.sites.has(incoming.params['siteName'] ?? ''))
    return { status: 200, headers: { ETag: '"none"' } };
  const site = findSite(admitted, includesDeleted(incoming));
  const answer = respondUnlessKnown(admitted, showSite(site, admitted));
  return isHead && has('head-without-etag') ? { ...answer, headers: {} } : answer;
}

export function putSite(admitted: Admitted): Answer {
  const { incoming, service } = admitted;
  const { has, sites } = service;
  const name = incoming.params['siteName'] ?? '';
  if (!/^[a-z][a-z0-9-]{0,29}$/.test(name) && !has('any-site-name-accepted'))
    return refuse(400, 'siteName is invalid.');
  const known = sites.get(name);
  const isNew = known === undefined || known.deletedAt !== undefined;
  const view = known === undefined || isNew ? undefined : showSite(known, admitted);
  if (!has('put-if-match-ignored')) requireMatch(admitted, view);
  const body = bodyOf(admitted);
  insist(rule(body, 'body'));
  const site: Site = {
    country: 'DE',
    timeZone: has('zone-default-utc') ? 'UTC' : 'Europe/Berlin',
    floors: has('replace-keeps-floors') && !isNew ? (known?.floors ?? 1) : 1,
    ...(pick(body, ['title', 'country', 'timeZone', 'floors']) as { title: string }),
    name,
    surplus: known?.surplus ?? 0,
  };
  if (has('put-does-not-restore') && known?.deletedAt !== undefined)
    sites.set(name, { ...site, deletedAt: known.deletedAt });
  else if (isNew || !has('put-lost')) sites.set(name, site);
  const status = isNew
    ? has('put-new-answers-200')
      ? 200
      : 201
    : has('put-old-answers-201')
      ? 201
      : 200;
  return respond(admitted, showSite(site, admitted), status);
}

export function deleteSite(admitted: Admitted): Answer {
  const { has, rooms } = admitted.service;
  const site = findSite(admitted);
  const isUsed = [...rooms.values()].some(
    (room) => room.siteName === site.name && room.deletedAt === undefined,
  );
  if (isUsed && !has('site-with-rooms-deleted')) return refuse(409, 'The site has rooms.');
  site.deletedAt = Date.now();
  return { status: 204 };
}
