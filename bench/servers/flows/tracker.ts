import { has, isEmpty, isThere, lacks, matches, not } from './claims.ts';
import type { Flow, Step } from './step.ts';

const base = '/api/v4/projects';
const at = `${base}/{project}`;
const issue = `${at}/issues/{first}`;

const planning: Step[] = [
  {
    does: 'is refused without a token',
    send: `GET ${base}`,
    as: 'anonymous',
    status: 401,
    sees: { message: isThere },
  },
  {
    does: 'makes a project and owns it',
    send: `POST ${base}`,
    json: { name: 'Flow of Issues', description: 'Steps of a client' },
    status: 201,
    sees: {
      name: 'Flow of Issues',
      open_issues_count: 0,
      'permissions project_access access_level': 50,
    },
    keeps: { project: 'id', path: 'path_with_namespace' },
  },
  {
    does: 'makes a second project with a path',
    send: `POST ${base}`,
    json: { name: 'Other', path: 'flow-other' },
    status: 201,
    sees: { path: 'flow-other', path_with_namespace: matches(/\/flow-other$/) },
    keeps: { other: 'id' },
  },
  {
    does: 'is hidden from who is no member',
    send: `GET ${at}`,
    as: 'second',
    status: 404,
  },
  {
    does: 'adds a Guest',
    send: `POST ${at}/members`,
    json: { user_id: 7, access_level: 10 },
    status: 201,
    sees: { id: 7, access_level: 10 },
  },
  {
    does: 'makes a label',
    send: `POST ${at}/labels`,
    json: { name: 'bug', color: '#d9534f' },
    status: 201,
    sees: { name: 'bug', open_issues_count: 0 },
    keeps: { label: 'id' },
  },
  {
    does: 'is refused to make labels as a Guest',
    send: `POST ${at}/labels`,
    as: 'second',
    json: { name: 'mine', color: '#d9534f' },
    status: 403,
  },
  {
    does: 'makes a milestone',
    send: `POST ${at}/milestones`,
    json: { title: 'v1', start_date: '2027-01-01', due_date: '2099-01-31' },
    status: 201,
    sees: { iid: 1, state: 'active', expired: false },
    keeps: { milestone: 'id' },
  },
];

const issues: Step[] = [
  {
    does: 'makes an issue with a new label',
    send: `POST ${at}/issues`,
    json: {
      title: 'Cart is empty',
      description: '- [x] look\n- [ ] fix',
      labels: 'bug, cart',
      milestone_id: '{milestone}',
      due_date: '2027-01-20',
    },
    status: 201,
    sees: {
      iid: 1,
      state: 'opened',
      labels: has('bug', 'cart'),
      'milestone id': '{milestone}',
      'task_completion_status count': 2,
      'task_completion_status completed_count': 1,
      subscribed: true,
    },
    keeps: { first: 'iid', id: 'id' },
  },
  {
    does: 'finds the new label in the project',
    send: `GET ${at}/labels`,
    sees: { '* name': has('bug', 'cart'), '[name=cart] open_issues_count': [1] },
  },
  {
    does: 'makes a confidential issue',
    send: `POST ${at}/issues`,
    json: { title: 'Key has leaked', confidential: true },
    status: 201,
    sees: { iid: 2, confidential: true },
    keeps: { second: 'iid', secret: 'id' },
  },
  {
    does: 'makes an issue as a Guest, without the label it sent',
    send: `POST ${at}/issues`,
    as: 'second',
    json: { title: 'Login is slow', labels: 'bug' },
    status: 201,
    sees: { iid: 3, labels: [], 'author id': 7 },
    keeps: { third: 'iid', guests: 'id' },
  },
  {
    does: 'shows a Guest what is not confidential',
    send: `GET ${at}/issues`,
    as: 'second',
    query: { sort: 'asc' },
    sees: { '* id': ['{id}', '{guests}'], 'header:x-total': '2' },
  },
  {
    does: 'hides the confidential issue from a Guest',
    send: `GET ${at}/issues/{second}`,
    as: 'second',
    status: 404,
  },
  {
    does: 'finds issues without a label',
    send: `GET ${at}/issues`,
    query: { 'not[labels]': 'bug,cart' },
    sees: { '* id': ['{guests}', '{secret}'] },
  },
  {
    does: 'finds by a part of the title in other case',
    send: `GET ${at}/issues`,
    query: { search: 'CART', in: 'title', labels: 'bug,cart', milestone: 'v1' },
    sees: { '* id': ['{id}'] },
  },
  {
    does: 'goes through the pages',
    send: `GET ${at}/issues`,
    query: { sort: 'asc', per_page: 2 },
    next: { at: 'header:link' },
    sees: { 'pages * * id': ['{id}', '{secret}', '{guests}'] },
  },
  {
    does: 'is told that the last page is the last',
    send: `GET ${at}/issues`,
    query: { per_page: 2, page: 2 },
    sees: { 'header:x-next-page': isEmpty, 'header:x-prev-page': '1', 'header:x-total-pages': '2' },
  },
  {
    does: 'reads the issue by the path of the project',
    send: `GET ${base}/nora%2Fflow-of-issues/issues/{first}`,
    sees: { id: '{id}', 'references full': '{path}#1' },
    keeps: { tag: 'header:etag' },
  },
  {
    does: 'is told that it has not changed',
    send: `GET ${issue}`,
    headers: { 'If-None-Match': '{tag}' },
    status: 304,
  },
];

const work: Step[] = [
  {
    does: 'adds one label and removes another',
    send: `PUT ${issue}`,
    json: { add_labels: 'urgent', remove_labels: 'cart' },
    sees: { labels: has('bug', 'urgent'), title: 'Cart is empty', due_date: '2027-01-20' },
  },
  {
    does: 'estimates the time',
    send: `POST ${issue}/time_estimate`,
    json: { duration: '1d 2h' },
    sees: { time_estimate: 36_000, human_time_estimate: '1d 2h' },
  },
  {
    does: 'adds time and reads the sum',
    send: `POST ${issue}/add_spent_time`,
    json: { duration: '1h30m' },
    status: 201,
    sees: { total_time_spent: 5400, human_total_time_spent: '1h 30m', time_estimate: 36_000 },
  },
  {
    does: 'links the issue to the one of the Guest',
    send: `POST ${issue}/links`,
    json: { target_project_id: '{project}', target_issue_iid: '{third}', link_type: 'blocks' },
    status: 201,
    sees: { link_type: 'blocks', 'target_issue id': '{guests}' },
  },
  {
    does: 'finds the link at the other end',
    send: `GET ${at}/issues/{third}/links`,
    sees: { '* id': ['{id}'], '* link_type': ['is_blocked_by'] },
  },
  {
    does: 'writes a note',
    send: `POST ${issue}/notes`,
    json: { body: 'I can repeat it.' },
    status: 201,
    sees: { body: 'I can repeat it.', system: false, noteable_iid: '{first}' },
  },
  {
    does: 'subscribes as a Guest',
    send: `POST ${issue}/subscribe`,
    as: 'second',
    status: 201,
    sees: { subscribed: true },
  },
  {
    does: 'is subscribed already',
    send: `POST ${issue}/subscribe`,
    as: 'second',
    status: 304,
  },
  {
    does: 'moves the issue with its note',
    send: `POST ${issue}/move`,
    json: { to_project_id: '{other}' },
    status: 201,
    sees: {
      id: not('{id}'),
      iid: 1,
      project_id: '{other}',
      labels: [],
      milestone: null,
      state: 'opened',
      user_notes_count: 1,
    },
    keeps: { moved: 'id' },
  },
  {
    does: 'finds the old issue closed',
    send: `GET ${issue}`,
    sees: { state: 'closed', closed_at: isThere, moved_to_id: '{moved}', user_notes_count: 1 },
  },
  {
    does: 'finds a system note about that',
    send: `GET ${issue}/notes`,
    sees: { '* body': ['closed', 'I can repeat it.'], '0 system': true },
  },
  {
    does: 'deletes the issue of the Guest, and its link with it',
    send: `DELETE ${at}/issues/{third}`,
    status: 204,
  },
  {
    does: 'finds no link any more',
    send: `GET ${issue}/links`,
    sees: { '* id': lacks('{guests}') },
  },
  {
    does: 'counts what is left open',
    send: `GET ${at}`,
    sees: { open_issues_count: 1 },
  },
];

/** The tracker: levels, labels, confidential issues, links, times, moves. */
export const tracker: Flow = { name: 'tracker', steps: [...planning, ...issues, ...work] };
