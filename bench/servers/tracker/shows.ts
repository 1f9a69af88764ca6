import { isOther, type Show } from '../serving/showing.ts';
import type { DefectName, defects } from './defects.ts';
import { base, Place, second, third, type View } from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

/** Looks into a new project, of which the second user is a member if a level is given. */
const within =
  (look: (place: Place) => Promise<boolean>, level?: number): Show =>
  async (client) =>
    look(await Place.open(client, level));

const titlesOf = (found: readonly View[]): string => found.map(({ title }) => title).join('');

const three = [
  { title: 'a', labels: 'x,y', description: 'Needle', due_date: '2027-02-01' },
  { title: 'b', labels: 'x' },
  { title: 'c Needle', due_date: '2027-01-01' },
];

const finds = (query: string, titles: string): Show =>
  within(async (place) => {
    await place.issues(...three);
    return titlesOf(await place.list(`/issues?${query}`)) !== titles;
  });

const filters: Of<'filters'> = {
  'labels-any-of-several': finds('labels=x,y', 'a'),
  'labels-none-as-name': finds('labels=None', 'c Needle'),
  'not-labels-needs-all': finds('not[labels]=x,y', 'c Needle'),
  'search-in-ignored': finds('search=needle&in=title', 'c Needle'),
  'iids-last-only': finds('iids[]=1&iids[]=2&sort=asc', 'ab'),
  'updated-before-ignored': within(async (place) => {
    const [first] = await place.issues(...three);
    const found = await place.list(`/issues?updated_before=${first?.updated_at ?? ''}`);
    return titlesOf(found) !== 'a';
  }),
};

const order: Of<'order'> = {
  'due-date-nulls-first': finds('order_by=due_date&sort=asc', 'c Needleab'),
  'updated-order-by-creation': within(async (place) => {
    await place.issues(...three);
    await place.put({ description: 'Changed' });
    return titlesOf(await place.list('/issues?order_by=updated_at')) !== 'ac Needleb';
  }),
};

const header = (query: string, name: string, test: (value: string | null) => boolean): Show =>
  within(async (place) => {
    await place.issues(...three);
    return test((await place.ask('GET', `/issues?${query}`)).headers.get(name));
  });

const pages: Of<'pages'> = {
  'second-page-repeats-one': finds('sort=asc&per_page=2&page=2', 'c Needle'),
  'total-of-page': header('per_page=1', 'X-Total', (total) => total !== '3'),
  'next-page-on-last': header('per_page=2&page=2', 'X-Next-Page', (next) => next !== ''),
  'link-loses-filters': header(
    'state=opened&per_page=1',
    'Link',
    (link) => link?.includes('state=opened') !== true,
  ),
};

const secret = { confidential: true };
const guest = { as: 'second' };

/** Whether a request about a new issue gets another status; of the second user, if with a level. */
const isRefused = (
  status: number,
  send: string,
  {
    level,
    json,
    headers = {},
  }: { level?: number; json?: object; headers?: Record<string, string> },
): Show =>
  within(async (place) => {
    await place.issues({});
    const [method = '', path = ''] = send.split(' ');
    const as = level === undefined ? 'first' : 'second';
    return isOther(place.ask(method, `/issues/1${path}`, json, { as, headers }), status);
  }, level);

/** Whether the second user, a Guest, finds any of these in a project with two issues. */
const guestFinds = (path: string, prepare: (place: Place) => Promise<unknown>): Show =>
  within(async (place) => {
    await place.issues({}, secret);
    await prepare(place);
    return (await place.list(path, 'second')).length > 0;
  }, 10);

const roles: Of<'roles'> = {
  'total-counts-hidden': within(async (place) => {
    await place.issues(secret);
    const { headers } = await place.ask('GET', '/issues', undefined, guest);
    return headers.get('X-Total') !== '0';
  }, 10),
  'confidential-by-iid': within(async (place) => {
    await place.issues(secret);
    return isOther(place.ask('GET', '/issues/1', undefined, guest), 404);
  }, 10),
  'confidential-through-link': guestFinds('/issues/1/links', (place) => place.link()),
  'confidential-author-shut-out': within(async (place) => {
    await place.make('/issues', { title: 'Mine', ...secret }, 'second');
    return isOther(place.ask('GET', '/issues/1', undefined, guest), 200);
  }, 10),
  'guest-edits-others': isRefused(403, 'PUT', { level: 10, json: { title: 'Mine' } }),
  'guest-labels-kept': within(async (place) => {
    await place.make('/issues', { title: 'Mine', labels: 'x' }, 'second');
    return (await place.get('/issues/1')).labels.length > 0;
  }, 10),
  'reporter-deletes': isRefused(403, 'DELETE', { level: 20 }),
  'maintainer-makes-owner': within(async (place) => {
    const json = { user_id: third, access_level: 50 };
    return isOther(place.ask('POST', '/members', json, guest), 403);
  }, 40),
  'internal-notes-shown': guestFinds('/issues/1/notes', (place) =>
    place.make('/issues/1/notes', { body: 'Hidden', internal: true }),
  ),
  'move-into-guest-project': within(async (place) => {
    const to = await Place.open(place.client, 10);
    await place.issues({});
    const json = { to_project_id: to.id };
    return isOther(place.ask('POST', '/issues/1/move', json, guest), 403);
  }, 20),
  'milestone-across-projects': within(async (place) => {
    const other = await Place.open(place.client);
    const { id } = await other.make('/milestones', { title: 'v1' });
    return isOther(place.ask('GET', `/milestones/${String(id)}`), 404);
  }),
};

const close = { state_event: 'close' };

/** The issue 1 as it is read after these changes of a new one. */
async function after(place: Place, ...changes: readonly object[]): Promise<View> {
  await place.issues({ labels: 'x, y', due_date: '2027-01-01' });
  for (const change of changes) await place.put(change);
  return place.get('/issues/1');
}

/** How a new issue reads after one change. */
const reads = (change: object | undefined, test: (issue: View) => boolean): Show =>
  within(async (place) => test(await after(place, ...(change === undefined ? [] : [change]))));

const past = { title: 'v1', due_date: '2020-01-01' };

/** A new milestone with an issue, closed. */
async function closedMilestone(place: Place): Promise<string> {
  const { id } = await place.make('/milestones', past);
  await place.issues({ milestone_id: id });
  await place.ask('PUT', `/milestones/${String(id)}`, close);
  return `/milestones/${String(id)}`;
}

const states: Of<'states'> = {
  'close-again-moves-time': within(async (place) => {
    const { closed_at } = await after(place, close);
    return (await place.put(close)).closed_at !== closed_at;
  }),
  'event-drops-other-fields': reads({ ...close, title: 'Done' }, ({ title }) => title !== 'Done'),
  'milestone-closes-issues': within(async (place) => {
    await closedMilestone(place);
    return (await place.get('/issues/1')).state !== 'opened';
  }),
  'close-leaves-no-note': within(async (place) => {
    await after(place, close);
    const [note] = await place.list('/issues/1/notes');
    return note?.system !== true || note.body !== 'closed';
  }),
  'subscription-of-all': within(async (place) => {
    await place.issues({});
    return (await place.get('/issues/1', 'second')).subscribed;
  }, 10),
  'expired-though-closed': within(
    async (place) => (await place.get(await closedMilestone(place))).expired,
  ),
};

/** The answer about an estimate. */
const estimates = (duration: string, test: (view: View) => boolean): Show =>
  within(async (place) => {
    await place.issues({});
    return test(await place.make('/issues/1/time_estimate', { duration }));
  });

const counts: Of<'counts'> = {
  'notes-count-with-system': reads(close, ({ user_notes_count }) => user_notes_count !== 0),
  'label-count-with-closed': within(async (place) => {
    await after(place, close);
    return (await place.list('/labels')).some((label) => label.open_issues_count !== 0);
  }),
  'open-count-without-reopened': within(async (place) => {
    await after(place, close, { state_event: 'reopen' });
    return (await place.get()).open_issues_count !== 1;
  }),
  'day-of-24-hours': estimates('1d', ({ time_estimate }) => time_estimate !== 28_800),
  'duration-first-unit': estimates('1h30m', ({ time_estimate }) => time_estimate !== 5400),
  'human-in-hours': estimates('10h', (stats) => stats.human_time_estimate !== '1d 2h'),
  'tasks-open-only': within(async (place) => {
    const [made] = await place.issues({ description: '- [x] one\n- [ ] two' });
    return made?.task_completion_status.count !== 2;
  }),
  'iid-across-projects': within(async (place) => (await place.issues({}))[0]?.iid !== 1),
  'iid-used-again': within(async (place) => {
    await place.issues({}, {});
    await place.ask('DELETE', '/issues/2');
    return (await place.issues({}))[0]?.iid !== 3;
  }),
};

/** The issue 1 of a project, moved to another one. */
async function moved(place: Place): Promise<{ view: View; to: Place }> {
  const to = await Place.open(place.client);
  await to.issues({});
  await place.issues({});
  await place.make('/issues/1/notes', { body: 'Seen' });
  return { view: await place.make('/issues/1/move', { to_project_id: to.id }), to };
}

/** Whether the end 2 of a link from 1 that blocks is shown otherwise. */
const linksOther = (test: (links: readonly View[]) => boolean): Show =>
  within(async (place) => {
    await place.issues({}, {});
    await place.link('blocks');
    return test(await place.list('/issues/2/links'));
  });

const ends: Of<'ends'> = {
  'link-one-way': linksOther((links) => links.length !== 1),
  'link-type-same-at-both-ends': linksOther(([link]) => link?.link_type !== 'is_blocked_by'),
  'link-twice-from-other-end': within(async (place) => {
    await place.issues({}, {});
    await place.link();
    const json = { target_project_id: place.id, target_issue_iid: 1 };
    return isOther(place.ask('POST', '/issues/2/links', json), 409);
  }),
  'move-loses-notes': within(async (place) => {
    const { view, to } = await moved(place);
    const notes = await to.list(`/issues/${String(view.iid)}/notes`);
    return !notes.some(({ body }) => body === 'Seen');
  }),
  'moved-to-is-iid': within(async (place) => {
    const { view } = await moved(place);
    return (await place.get('/issues/1')).moved_to_id !== view.id;
  }),
  'deleted-label-stays': within(async (place) => {
    const { id } = await place.make('/labels', { name: 'x', color: '#112233' });
    await place.issues({ labels: 'x' });
    await place.ask('DELETE', `/labels/${String(id)}`);
    return (await place.get('/issues/1')).labels.length > 0;
  }),
  'unknown-label-not-listed': within(async (place) => {
    await place.issues({ labels: 'x' });
    return (await place.list('/labels')).length !== 1;
  }),
  'foreign-milestone-accepted': within(async (place) => {
    const other = await Place.open(place.client);
    const { id } = await other.make('/milestones', { title: 'v1' });
    return isOther(place.ask('POST', '/issues', { title: 'One', milestone_id: id }), 400);
  }),
  'removed-member-assigned': within(async (place) => {
    await place.issues({ assignee_ids: [second] });
    await place.ask('DELETE', `/members/${String(second)}`);
    return (await place.get('/issues/1')).assignees.length > 0;
  }, 10),
};

const changes: Of<'changes'> = {
  'add-labels-replaces': reads({ add_labels: 'z' }, ({ labels }) => labels.length !== 3),
  'labels-not-trimmed': reads(undefined, ({ labels }) => !labels.includes('y')),
  'due-date-not-cleared': reads({ due_date: null }, ({ due_date }) => due_date !== null),
  'note-leaves-updated': within(async (place) => {
    const { updated_at } = await after(place);
    await place.make('/issues/1/notes', { body: 'Seen' });
    return (await place.get('/issues/1')).updated_at === updated_at;
  }),
};

const conditions: Of<'conditions'> = {
  'etag-same-after-change': within(async (place) => {
    await place.issues({});
    const read = await place.ask('GET', '/issues/1');
    await place.put({ title: 'Two' });
    const headers = { 'If-None-Match': read.headers.get('ETag') ?? '' };
    return isOther(place.ask('GET', '/issues/1', undefined, { headers }), 200);
  }),
  'unmodified-since-ignored': isRefused(412, 'DELETE', {
    headers: { 'If-Unmodified-Since': 'Mon, 06 Jan 2020 10:00:00 GMT' },
  }),
  'subscribe-again-201': isRefused(304, 'POST /subscribe', {}),
};

const red = { name: 'x', color: '#ff0000' };

const refuses = (status: number, path: string, json: object): Show =>
  within(async (place) => isOther(place.ask('POST', path, json), status));

const validation: Of<'validation'> = {
  'empty-put-accepted': isRefused(400, 'PUT', { json: {} }),
  'start-after-due-accepted': refuses(400, '/milestones', { ...past, start_date: '2020-02-01' }),
  'label-name-twice': within(async (place) => {
    await place.make('/labels', red);
    return isOther(place.ask('POST', '/labels', red), 409);
  }),
  'color-unchecked': refuses(400, '/labels', { ...red, color: 'reddish' }),
  'no-token-empty-list': (client) => isOther(client.ask('GET', base, { as: 'anonymous' }), 401),
  'unknown-user-500': refuses(404, '/members', { user_id: 999_999, access_level: 20 }),
};

/** For each defect: whether it shows to a client that reads the document. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...filters,
  ...order,
  ...pages,
  ...roles,
  ...states,
  ...counts,
  ...ends,
  ...changes,
  ...conditions,
  ...validation,
};
