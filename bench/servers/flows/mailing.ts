import { createHash } from 'node:crypto';
import { counts, has, isThere, lacks, matches, not } from './claims.ts';
import type { Flow, Step } from './step.ts';

const hashOf = (email: string): string => createHash('md5').update(email).digest('hex');

const ada = hashOf('ada.lund@flow.example');
const bo = hashOf('bo@flow.example');
const list = '/3.0/lists/{list}';
const campaign = '/3.0/campaigns/{campaign}';

const lists: Step[] = [
  {
    does: 'is refused without a key',
    send: 'GET /3.0/lists',
    as: 'anonymous',
    status: 401,
    sees: {
      title: 'API Key Invalid',
      instance: isThere,
      'header:www-authenticate': matches(/^Basic/),
    },
  },
  {
    does: 'adds a list',
    send: 'POST /3.0/lists',
    json: {
      name: 'Flow readers',
      permission_reminder: 'You asked for it.',
      contact: { company: 'Flow AS', address1: 'Elvegata 1', city: 'Tromsø', country: 'NO' },
      campaign_defaults: {
        from_name: 'Flow',
        from_email: 'post@flow.example',
        subject: 'News of the river',
        language: 'nb',
      },
    },
    sees: { name: 'Flow readers', visibility: 'pub', 'stats member_count': 0 },
    keeps: { list: 'id' },
  },
  {
    does: 'changes a part of it',
    send: `PATCH ${list}`,
    json: { name: 'Flow', contact: { city: 'Bodø' } },
    sees: { name: 'Flow', 'contact city': 'Bodø', 'contact company': 'Flow AS' },
  },
  {
    does: 'finds the two merge fields of a new list',
    send: `GET ${list}/merge-fields`,
    sees: { 'merge_fields * tag': has('FNAME', 'LNAME'), total_items: 2 },
  },
  {
    does: 'adds a required dropdown',
    send: `POST ${list}/merge-fields`,
    json: { name: 'Size', tag: 'SIZE', type: 'dropdown', required: true, choices: ['S', 'M'] },
    sees: { tag: 'SIZE', choices: ['S', 'M'], list_id: '{list}' },
    keeps: { size: 'merge_id' },
  },
];

const members: Step[] = [
  {
    does: 'is refused a member without the required field',
    send: `POST ${list}/members`,
    json: { email_address: 'Ada.Lund@flow.example', status: 'subscribed' },
    status: 400,
    sees: { title: 'Invalid Resource', 'errors 0 field': 'merge_fields.SIZE' },
  },
  {
    does: 'adds the member',
    send: `POST ${list}/members`,
    json: {
      email_address: 'Ada.Lund@flow.example',
      status: 'subscribed',
      merge_fields: { FNAME: 'Ada', SIZE: 'M' },
      timestamp_opt: '2026-01-10T12:00:00+00:00',
      tags: ['Early'],
    },
    sees: { id: ada, email_address: 'Ada.Lund@flow.example', tags_count: 1, vip: false },
  },
  {
    does: 'is refused the same address in other case',
    send: `POST ${list}/members`,
    json: {
      email_address: 'ADA.lund@flow.example',
      status: 'pending',
      merge_fields: { SIZE: 'S' },
    },
    status: 400,
    sees: { title: 'Member Exists' },
  },
  {
    does: 'adds a second member by PUT',
    send: `PUT ${list}/members/${bo}`,
    query: { skip_merge_validation: true },
    json: {
      email_address: 'bo@flow.example',
      status_if_new: 'pending',
      merge_fields: { FNAME: 'Bo' },
    },
    sees: { id: bo, status: 'pending', timestamp_opt: null, 'merge_fields SIZE': '' },
  },
  {
    does: 'changes it by PUT and leaves its status',
    send: `PUT ${list}/members/${bo}`,
    json: { email_address: 'bo@flow.example', status_if_new: 'subscribed', vip: true },
    sees: { status: 'pending', vip: true, 'merge_fields FNAME': 'Bo' },
  },
  {
    does: 'confirms it',
    send: `PATCH ${list}/members/${bo}`,
    json: { status: 'subscribed' },
    sees: { status: 'subscribed', timestamp_opt: isThere, vip: true },
  },
  {
    does: 'lists those who opted in before a moment',
    send: `GET ${list}/members`,
    query: { before_timestamp_opt: '2026-01-10T13:00:01+01:00' },
    sees: { 'members * id': [ada], total_items: 1 },
  },
  {
    does: 'sorts by that time',
    send: `GET ${list}/members`,
    query: { sort_field: 'timestamp_opt', sort_dir: 'DESC', fields: 'members.id,total_items' },
    sees: { '': { members: [{ id: bo }, { id: ada }], total_items: 2 } },
  },
  {
    does: 'gives and takes tags',
    send: `POST ${list}/members/${ada}/tags`,
    json: {
      tags: [
        { name: 'Early', status: 'inactive' },
        { name: 'Rowers', status: 'active' },
      ],
    },
    status: 204,
  },
  {
    does: 'finds the new tag at the member',
    send: `GET ${list}/members/${ada}`,
    sees: { 'tags * name': ['Rowers'], tags_count: 1 },
    keeps: { tag: 'tags 0 id' },
  },
  {
    does: 'finds the tag among the segments',
    send: `GET ${list}/segments`,
    query: { type: 'static' },
    sees: { 'segments [id={tag}] member_count': [1], 'segments [name=Early] member_count': [0] },
  },
  {
    does: 'adds a segment by conditions',
    send: `POST ${list}/segments`,
    json: {
      name: 'Called Bo',
      options: { match: 'all', conditions: [{ field: 'FNAME', op: 'is', value: 'bo' }] },
    },
    sees: { type: 'saved', member_count: 1 },
    keeps: { segment: 'id' },
  },
  {
    does: 'subscribes a batch with one bad entry and one that exists',
    send: `POST ${list}`,
    json: {
      members: [
        { email_address: 'nobody', status: 'subscribed', merge_fields: { SIZE: 'S' } },
        { email_address: 'BO@flow.example', status: 'unsubscribed' },
        { email_address: 'cleo@flow.example', status: 'subscribed', merge_fields: { SIZE: 'S' } },
      ],
    },
    sees: {
      total_created: 1,
      total_updated: 0,
      error_count: 2,
      'errors * error_code': has('ERROR_CONTACT_EXISTS', 'ERROR_GENERIC'),
    },
  },
  {
    does: 'unsubscribes one by a batch',
    send: `POST ${list}`,
    json: {
      update_existing: true,
      members: [{ email_address: 'cleo@flow.example', status: 'unsubscribed' }],
    },
    sees: { total_updated: 1, 'updated_members 0 status': 'unsubscribed', errors: counts(0) },
  },
  {
    does: 'sees the figures of the list',
    send: `GET ${list}`,
    query: { fields: 'stats.member_count,stats.unsubscribe_count,stats.merge_field_count' },
    sees: { '': { stats: { member_count: 2, unsubscribe_count: 1, merge_field_count: 3 } } },
  },
];

const campaigns: Step[] = [
  {
    does: 'adds a campaign for the segment',
    send: 'POST /3.0/campaigns',
    json: {
      type: 'regular',
      recipients: { list_id: '{list}', segment_opts: { saved_segment_id: '{segment}' } },
      settings: { title: 'Spring flood' },
    },
    sees: {
      status: 'save',
      'recipients recipient_count': 1,
      'settings subject_line': 'News of the river',
      'settings reply_to': 'post@flow.example',
    },
    keeps: { campaign: 'id' },
  },
  {
    does: 'is refused a time that is not on a quarter',
    send: `POST ${campaign}/actions/schedule`,
    json: { schedule_time: '2044-03-01T08:20:00+00:00' },
    status: 400,
  },
  {
    does: 'schedules it',
    send: `POST ${campaign}/actions/schedule`,
    json: { schedule_time: '2044-03-01T08:15:00+00:00' },
    status: 204,
  },
  {
    does: 'is refused a change while it is scheduled',
    send: `PATCH ${campaign}`,
    json: { settings: { title: 'Autumn' } },
    status: 400,
  },
  {
    does: 'is refused to delete its list',
    send: `DELETE ${list}`,
    status: 400,
  },
  { does: 'unschedules it', send: `POST ${campaign}/actions/unschedule`, status: 204 },
  { does: 'sends it', send: `POST ${campaign}/actions/send`, status: 204 },
  {
    does: 'sees that it was sent to one',
    send: `GET ${campaign}`,
    sees: { status: 'sent', emails_sent: 1, send_time: isThere, 'settings title': 'Spring flood' },
  },
  {
    does: 'replicates it',
    send: `POST ${campaign}/actions/replicate`,
    sees: { id: not('{campaign}'), status: 'save', emails_sent: 0, send_time: null },
    keeps: { replica: 'id' },
  },
  {
    does: 'finds both among the campaigns of the list',
    send: 'GET /3.0/campaigns',
    query: { list_id: '{list}' },
    sees: { 'campaigns * id': has('{campaign}', '{replica}'), total_items: 2 },
  },
  { does: 'archives a member', send: `DELETE ${list}/members/${bo}`, status: 204 },
  {
    does: 'does not list it any more',
    send: `GET ${list}/members`,
    sees: { 'members * id': lacks(bo), total_items: 2 },
  },
  {
    does: 'is another account, which does not see the list',
    send: `GET ${list}`,
    as: 'second',
    status: 404,
    sees: { title: 'Resource Not Found' },
  },
];

/** The marketing service: members, tags, segments, campaigns. */
export const mailing: Flow = { name: 'mailing', steps: [...lists, ...members, ...campaigns] };
