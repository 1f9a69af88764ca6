import type { Client } from '../serving/client.ts';
import { isOther, pathOf, type Show } from '../serving/showing.ts';
import type { DefectName, defects } from './defects.ts';
import {
  act,
  addCampaign,
  address,
  ask,
  after,
  isTaken,
  get,
  hashOf,
  join,
  listOf,
  newCampaign,
  newList,
  newMember,
  type Reply,
  type Request,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const email_address = 'Nora.Vik@post.example';
const nora = { email_address, merge_fields: { FNAME: 'Nora', LNAME: 'Vik' }, tags: ['Cake'] };
const noraIn = (list: string): string => `${list}/members/${hashOf(email_address)}`;
const back = { status: 'subscribed' };
const noraPath = async (client: Client): Promise<string> => newMember(client, nora);

const noraAfter = async (client: Client, ...requests: Request[]): Promise<Reply> =>
  after(client, await noraPath(client), ...requests);

/** Adds a merge field with the tag X to the list. */
const addField = (client: Client, list: string, more: object): ReturnType<typeof ask> =>
  ask(client, `POST ${list}/merge-fields`, { name: 'X', tag: 'X', type: 'text', ...more });

const answers: Of<'answers'> = {
  'member-exists-200': async (client) => {
    const list = await listOf(client, nora);
    return isTaken(client, `POST ${list}/members`, { ...nora, ...back });
  },
  'problem-as-json': async (client) => {
    const { headers } = await ask(client, 'GET /lists/none');
    return headers.get('content-type')?.startsWith('application/problem+json') !== true;
  },
  'instance-differs': async (client) => {
    const { headers, body } = await ask(client, 'GET /lists/none');
    return headers.get('x-request-id') !== body.instance;
  },
  'archive-answers-200': async (client) =>
    isOther(ask(client, `DELETE ${await noraPath(client)}`), 204),
  'challenge-missing': async (client) =>
    !(await ask(client, 'GET /lists', undefined, 'anonymous')).headers.has('www-authenticate'),
  'self-link-broken': async (client) => {
    const { _links } = await get(client, await noraPath(client));
    const { href = '' } = _links.find(({ rel }) => rel === 'self') ?? {};
    return isOther(client.ask('GET', pathOf(href)), 200);
  },
  'count-1001-accepted': (client) => isTaken(client, 'GET /lists?count=1001'),
  'negative-offset-500': (client) => isTaken(client, 'GET /campaigns?offset=-1'),
  'status-archived-accepted': async (client) => {
    const json = { email_address, status: 'archived' };
    return isTaken(client, `POST ${await newList(client)}/members`, json);
  },
  'number-as-text-accepted': async (client) => {
    const list = await listOf(client, nora);
    await addField(client, list, { type: 'number' });
    return isTaken(client, `PATCH ${noraIn(list)}`, { merge_fields: { X: 'many' } });
  },
  'required-field-skipped': async (client) => {
    const list = await newList(client);
    await addField(client, list, { required: true });
    return isTaken(client, `POST ${list}/members`, { email_address, ...back });
  },
  'schedule-off-quarter': async (client) => {
    const path = await newCampaign(client, await listOf(client, nora));
    const json = { schedule_time: '2044-05-01T09:07:00+00:00' };
    return isTaken(client, `POST ${path}/actions/schedule`, json);
  },
};

const times = ['2026-03-01T10:00:00+00:00', '2026-03-02T10:00:00+00:00'];
const timed = times.map((timestamp_opt) => ({ timestamp_opt }));

/** How many there are in all of the members of a new list with this query. */
async function total(client: Client, query: string, ...members: object[]): Promise<number> {
  return (await get(client, `${await listOf(client, ...members)}/members?${query}`)).total_items;
}

const since = (time = ''): string => `since_timestamp_opt=${encodeURIComponent(time)}`;

const lists: Of<'lists'> = {
  'total-of-page': async (client) => (await total(client, 'count=1', {}, {})) !== 2,
  'offset-counts-pages': async (client) => {
    const list = await listOf(client, {}, {}, {});
    return (await get(client, `${list}/members?offset=1&count=2`)).members.length !== 2;
  },
  'archived-listed': async (client) => {
    const path = await noraPath(client);
    await ask(client, `DELETE ${path}`);
    return (await get(client, path.replace(/\/[^/]*$/, ''))).members.length !== 0;
  },
  'since-opt-excludes-moment': async (client) =>
    (await total(client, since(times[1]), ...timed)) !== 1,
  'times-compared-as-texts': async (client) =>
    (await total(client, since('2026-03-02T14:00:00+05:00'), ...timed)) !== 1,
  'before-send-finds-unsent': async (client) => {
    const list = await newList(client);
    await addCampaign(client, list);
    const query = `list_id=${list.replace('/lists/', '')}&before_send_time=2044-01-01T00:00:00Z`;
    return (await get(client, `/campaigns?${query}`)).total_items !== 0;
  },
  'vip-only-false-filters': async (client) => (await total(client, 'vip_only=false', {})) !== 1,
  'sort-dir-ignored': async (client) => {
    const list = await listOf(client, ...timed.map((one, at) => ({ ...one, vip: at === 1 })));
    const query = 'sort_field=timestamp_opt&sort_dir=DESC&fields=members.vip';
    const { text } = await ask(client, `GET ${list}/members?${query}`);
    return !/true[^]*false/.test(text);
  },
  'fields-parent-whole': async (client) => {
    const { stats } = await get(client, `${await newList(client)}?fields=stats.member_count`);
    return Object.keys(stats).length !== 1;
  },
  'exclude-dotted-ignored': async (client) => {
    const path = `${await newList(client)}?exclude_fields=stats.member_count,id`;
    return 'member_count' in (await get(client, path)).stats;
  },
  'list-email-case-matters': async (client) => {
    const email = address();
    await newMember(client, { email_address: email });
    return (await get(client, `/lists?email=${email.toUpperCase()}`)).total_items !== 1;
  },
};

const june = { settings: { title: 'June' } };
const put = { email_address, status_if_new: 'subscribed' };

const records: Of<'records'> = {
  'merge-fields-replaced': async (client) => {
    const { merge_fields } = await noraAfter(client, ['PATCH', { merge_fields: { FNAME: 'Eli' } }]);
    return merge_fields['LNAME'] !== 'Vik';
  },
  'put-takes-status-if-new': async (client) => {
    const path = await newMember(client, { ...nora, status: 'unsubscribed' });
    return (await after(client, path, ['PUT', put])).status !== 'unsubscribed';
  },
  'put-drops-tags': async (client) => (await noraAfter(client, ['PUT', put])).tags_count !== 1,
  'hash-of-address-as-given': async (client) =>
    isOther(ask(client, `GET ${await noraPath(client)}`), 200),
  'old-hash-answers': async (client) => {
    const path = await noraPath(client);
    await ask(client, `PATCH ${path}`, { email_address: 'vik@post.example' });
    return isOther(ask(client, `GET ${path}`), 404);
  },
  'archived-returns-empty': async (client) => {
    const { merge_fields } = await noraAfter(client, ['DELETE'], ['PATCH', back]);
    return merge_fields['FNAME'] !== 'Nora';
  },
  'settings-replaced': async (client) => {
    const path = await newCampaign(client, await newList(client));
    const { settings } = await after(client, path, ['PATCH', june]);
    return settings['preview_text'] !== 'Hi';
  },
  'refused-change-kept': async (client) => {
    const json = { language: 'nb', merge_fields: { BDAY: '2000-01-01' } };
    return (await noraAfter(client, ['PATCH', json])).language !== 'en';
  },
  'deleted-field-remains': async (client) => {
    const list = await newList(client);
    const { merge_id } = (await addField(client, list, {})).body;
    const path = await join(client, list, { merge_fields: { X: 'one' } });
    await ask(client, `DELETE ${list}/merge-fields/${String(merge_id)}`);
    return 'X' in (await get(client, path)).merge_fields;
  },
  'default-not-shown': async (client) => {
    const list = await listOf(client, nora);
    await addField(client, list, { default_value: 'friend' });
    return (await get(client, noraIn(list))).merge_fields['X'] !== 'friend';
  },
  'last-changed-still': async (client) => {
    const [found] = (await get(client, '/lists?sort_field=date_created')).lists;
    const path = `/lists/${found?.id ?? ''}/members`;
    const [first] = (await get(client, `${path}?sort_field=last_changed`)).members;
    const now = await after(client, `${path}/${first?.id ?? ''}`, ['PATCH', { language: 'da' }]);
    return now.last_changed === first?.last_changed;
  },
};

/** Adds a segment of who is called Nora or Dahl. */
const addSegment = (client: Client, list: string): ReturnType<typeof ask> => {
  const first = { field: 'FNAME', op: 'is', value: 'nora' };
  const options = {
    match: 'any',
    conditions: [first, { ...first, field: 'LNAME', value: 'Dahl' }],
  };
  return ask(client, `POST ${list}/segments`, { name: 'Noras', options });
};

const countOf = async (client: Client, list: string, id: string): Promise<number> =>
  (await get(client, `${list}/segments/${id}/members`)).total_items;

const references: Of<'references'> = {
  'merge-tag-taken': async (client) =>
    isOther(addField(client, await newList(client), { tag: 'FNAME' }), 400),
  'segment-of-other-list': async (client) => {
    const { id } = (await addSegment(client, await newList(client))).body;
    const segment_opts = { saved_segment_id: Number(id) };
    return isOther(addCampaign(client, await newList(client), { segment_opts }), 400);
  },
  'segment-frozen': async (client) => {
    const list = await newList(client);
    const { id } = (await addSegment(client, list)).body;
    await join(client, list, { merge_fields: { FNAME: 'Nora', LNAME: 'Dahl' } });
    return (await countOf(client, list, id)) !== 1;
  },
  'any-taken-for-all': async (client) => {
    const list = await listOf(client, nora);
    return (await countOf(client, list, (await addSegment(client, list)).body.id)) !== 1;
  },
  'tag-not-a-segment': async (client) => {
    const list = await listOf(client, nora);
    return (await get(client, `${list}/segments?type=static`)).total_items !== 1;
  },
  'list-name-stays': async (client) => {
    const list = await newList(client);
    const path = await newCampaign(client, list);
    await ask(client, `PATCH ${list}`, { name: 'Renamed' });
    return (await get(client, path)).recipients['list_name'] !== 'Renamed';
  },
  'list-with-schedule-deleted': async (client) => {
    const list = await listOf(client, nora);
    await newCampaign(client, list, 'schedule');
    return isTaken(client, `DELETE ${list}`);
  },
};

/** A campaign for a list with one member, after these actions. */
const campaign = async (client: Client, ...actions: string[]): Promise<string> =>
  newCampaign(client, await listOf(client, nora), ...actions);

const cleaned = { ...nora, status: 'cleaned' };

const states: Of<'states'> = {
  'cleaned-resubscribed': async (client) =>
    isTaken(client, `PATCH ${await newMember(client, cleaned)}`, back),
  'cleaned-by-batch': async (client) => {
    const json = { members: [{ email_address, ...back }], update_existing: true };
    const { body } = await ask(client, `POST ${await listOf(client, cleaned)}`, json);
    return body.error_count !== 1;
  },
  'send-twice': async (client) => isOther(act(client, await campaign(client, 'send'), 'send'), 400),
  'scheduled-changed': async (client) => {
    const path = await campaign(client, 'schedule');
    return isTaken(client, `PATCH ${path}`, june);
  },
  'unscheduled-send-time': async (client) =>
    (await get(client, await campaign(client, 'schedule', 'unschedule'))).send_time !== null,
  'replica-is-sent': async (client) =>
    (await act(client, await campaign(client, 'send'), 'replicate')).body.status !== 'save',
  'reason-stays': async (client) => {
    const path = await newMember(client, { status: 'unsubscribed' });
    return (await after(client, path, ['PATCH', back])).unsubscribe_reason !== null;
  },
};

const figures: Of<'figures'> = {
  'pending-counted': async (client) =>
    (await get(client, await listOf(client, {}, { status: 'pending' }))).stats['member_count'] !==
    1,
  'unsubscribes-only-grow': async (client) => {
    const list = await listOf(client, { ...nora, status: 'unsubscribed' });
    await ask(client, `PATCH ${noraIn(list)}`, back);
    return (await get(client, list)).stats['unsubscribe_count'] !== 0;
  },
  'sent-to-all': async (client) => {
    const list = await listOf(client, {}, { status: 'unsubscribed' }, { status: 'pending' });
    return (await get(client, await newCampaign(client, list, 'send'))).emails_sent !== 1;
  },
  'recipients-without-segment': async (client) => {
    const list = await listOf(client, nora, {});
    const segment_opts = { saved_segment_id: Number((await addSegment(client, list)).body.id) };
    const { recipients } = (await addCampaign(client, list, { segment_opts })).body;
    return recipients['recipient_count'] !== 1;
  },
  'since-send-not-reset': async (client) => {
    const list = await listOf(client, {});
    await newCampaign(client, list, 'send');
    return (await get(client, list)).stats['member_count_since_send'] !== 0;
  },
};

/** The answer to a batch of such members for a list that has Nora. */
async function batch(client: Client, ...addresses: string[]): Promise<Reply> {
  const members = addresses.map((one) => ({ email_address: one, ...back }));
  return (await ask(client, `POST ${await listOf(client, nora)}`, { members })).body;
}

const batches: Of<'batches'> = {
  'batch-stops-at-error': async (client) =>
    (await batch(client, 'no address', address())).new_members.length !== 1,
  'batch-updates-unasked': async (client) => (await batch(client, email_address)).error_count !== 1,
  'batch-repeats-taken': async (client) =>
    (await batch(client, 'a@b.example', 'A@b.example')).error_count !== 1,
};

const access: Of<'access'> = {
  'any-key-accepted': (client) => isOther(ask(client, 'GET /lists', undefined, 'wrongKey'), 401),
  'members-of-other-account': async (client) =>
    isOther(ask(client, `GET ${await newList(client, 'second')}/members`), 404),
  'campaign-of-other-sent': async (client) => {
    const list = await newList(client, 'second');
    await join(client, list, {}, 'second');
    const { id } = (await addCampaign(client, list, { as: 'second' })).body;
    return isOther(act(client, `/campaigns/${id}`, 'send'), 404);
  },
  'campaign-to-list-of-other': async (client) =>
    isOther(addCampaign(client, await newList(client, 'second')), 400),
};

/** For each defect: whether it shows to a client that reads the document. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...{ ...answers, ...lists, ...records, ...references },
  ...{ ...states, ...figures, ...batches, ...access },
};
