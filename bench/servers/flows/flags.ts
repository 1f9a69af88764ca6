import { counts, has, isThere, lacks, matches, more, not, only } from './claims.ts';
import type { Flow, Step } from './step.ts';

const base = '/api/v2';
const project = 'flow-web-q4';
const flag = `${base}/flags/${project}/checkout-style`;
const gate = `${base}/flags/${project}/payments`;
const evaluate = `POST ${base}/projects/${project}/environments/test/evaluate`;

const setting: Step[] = [
  {
    does: 'is refused without a token',
    send: `GET ${base}/projects`,
    as: 'anonymous',
    status: 401,
    sees: { code: 'unauthorized' },
  },
  {
    does: 'creates a project with three environments',
    send: `POST ${base}/projects`,
    json: {
      key: project,
      name: 'Flow web',
      environments: [
        { key: 'test', name: 'Test' },
        { key: 'staging', name: 'Staging' },
        { key: 'production', name: 'Production', requireComments: true },
      ],
    },
    status: 201,
    sees: { key: project, environments: undefined, '_links self href': isThere },
    keeps: { moment: 'creationDate' },
  },
  {
    does: 'is refused the key again',
    send: `POST ${base}/projects`,
    json: { key: project, name: 'Again' },
    status: 409,
    sees: { code: 'conflict' },
  },
  {
    does: 'finds it with its environments',
    send: `GET ${base}/projects`,
    query: { filter: 'query:FLOW W', expand: 'environments' },
    sees: {
      totalCount: 1,
      'items 0 key': project,
      'items 0 environments items * key': ['test', 'staging', 'production'],
    },
  },
  {
    does: 'creates a boolean flag',
    send: `POST ${base}/flags/${project}`,
    json: { key: 'payments', name: 'New payments', tags: ['ops'], temporary: true },
    status: 201,
    sees: {
      kind: 'boolean',
      _version: 1,
      'variations * value': [true, false],
      'environments staging on': false,
      defaults: { onVariation: 0, offVariation: 1 },
    },
    keeps: { yes: 'variations 0 _id', member: 'maintainerId' },
  },
  {
    does: 'creates a flag with three texts',
    send: `POST ${base}/flags/${project}`,
    json: {
      key: 'checkout-style',
      name: 'Style of the checkout',
      tags: ['ui', 'beta'],
      variations: [{ value: 'classic' }, { value: 'compact' }, { value: 'wide', name: 'Wide' }],
    },
    status: 201,
    sees: { kind: 'multivariate', 'environments test offVariation': 2, archivedDate: null },
    keeps: { classic: 'variations 0 _id', compact: 'variations 1 _id', wide: 'variations 2 _id' },
  },
  {
    does: 'renames it by a JSON Patch that is guarded',
    send: `PATCH ${flag}`,
    json: [
      { op: 'test', path: '/_version', value: 1 },
      { op: 'replace', path: '/name', value: 'Checkout style' },
      { op: 'add', path: '/tags/-', value: 'growth' },
    ],
    sees: { _version: 2, name: 'Checkout style', tags: has('ui', 'beta', 'growth') },
  },
  {
    does: 'is refused the same patch, whose test fails now',
    send: `PATCH ${flag}`,
    json: [
      { op: 'replace', path: '/name', value: 'Lost' },
      { op: 'test', path: '/_version', value: 1 },
    ],
    status: 409,
  },
  {
    does: 'turns it on in the test environment, and adds targets',
    send: `PATCH ${flag}`,
    json: {
      environmentKey: 'test',
      comment: 'For a try',
      instructions: [
        { kind: 'turnFlagOn' },
        { kind: 'addTargets', variationId: '{compact}', values: ['mia', 'noa'] },
        { kind: 'addTargets', variationId: '{classic}', values: ['noa'] },
      ],
    },
    sees: {
      name: 'Checkout style',
      _version: 3,
      'environments test version': 2,
      'environments staging version': 1,
      'environments test targets': [
        { variation: 0, values: ['noa'] },
        { variation: 1, values: ['mia'] },
      ],
      'environments test _summary targets': 2,
    },
    keeps: { changed: 'environments test lastModified' },
  },
  {
    does: 'turns it on in production, which needs a comment',
    send: `PATCH ${flag}`,
    json: { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] },
    status: 400,
  },
  {
    does: 'finds it among those that are on in test',
    send: `GET ${base}/flags/${project}`,
    query: { filter: 'on:test,tag:ui,type:permanent', env: 'test' },
    sees: {
      totalCount: 1,
      'items * key': ['checkout-style'],
      'items 0 environments staging': undefined,
    },
  },
];

const serving: Step[] = [
  {
    does: 'creates a segment',
    send: `POST ${base}/segments/${project}/test`,
    json: {
      key: 'nordic',
      name: 'Nordic customers',
      included: ['mia'],
      excluded: ['per'],
      clauses: [{ attribute: 'country', op: 'in', values: ['NO', 'SE'] }],
    },
    status: 201,
    sees: { _version: 1, 'clauses 0 negate': false, description: '' },
  },
  {
    does: 'moves a key from one list of it to the other',
    send: `PATCH ${base}/segments/${project}/test/nordic`,
    json: { instructions: [{ kind: 'addExcluded', values: ['mia', 'ola'] }] },
    sees: { included: counts(0), excluded: has('per', 'mia', 'ola'), _version: 2 },
  },
  {
    does: 'adds a rule about the segment, and a rollout',
    send: `PATCH ${flag}`,
    json: {
      environmentKey: 'test',
      instructions: [
        {
          kind: 'addRule',
          variationId: '{wide}',
          clauses: [{ attribute: 'key', op: 'segmentMatch', values: ['nordic'] }],
        },
        {
          kind: 'updateFallthrough',
          rollout: [
            { variationId: '{classic}', weight: 0 },
            { variationId: '{compact}', weight: 100_000 },
          ],
        },
      ],
    },
    sees: {
      'environments test rules 0 variation': 2,
      'environments test fallthrough rollout 1': { variation: 1, weight: 100_000 },
    },
    keeps: { rule: 'environments test rules 0 _id' },
  },
  {
    does: 'is served the style of the target',
    send: evaluate,
    json: { context: { key: 'noa', country: 'NO' }, flagKeys: ['checkout-style'] },
    sees: {
      totalCount: 1,
      'items 0 value': 'classic',
      'items 0 reason kind': 'TARGET_MATCH',
    },
  },
  {
    does: 'is served the style of the segment',
    send: evaluate,
    json: { context: { key: 'liv', country: 'SE' } },
    sees: {
      'items * key': ['checkout-style', 'payments'],
      'items 0 value': 'wide',
      'items 0 reason ruleId': '{rule}',
      'items 1 reason kind': 'OFF',
      'items 1 value': false,
    },
  },
  {
    does: 'is excluded from the segment, and served the rollout',
    send: evaluate,
    json: { context: { key: 'per', country: 'NO' }, flagKeys: ['checkout-style', 'none'] },
    sees: { 'items * value': ['compact'], 'items 0 reason kind': 'FALLTHROUGH' },
  },
  {
    does: 'makes the other flag its prerequisite',
    send: `PATCH ${flag}`,
    json: {
      environmentKey: 'test',
      instructions: [{ kind: 'addPrerequisite', key: 'payments', variationId: '{yes}' }],
    },
    sees: { 'environments test _summary': { targets: 2, rules: 1, prerequisites: 1 } },
    keeps: { version: 'environments test version' },
  },
  {
    does: 'is served what the flag has when the prerequisite is not met',
    send: evaluate,
    json: { context: { key: 'noa' }, flagKeys: ['checkout-style'] },
    sees: {
      'items 0 value': 'wide',
      'items 0 reason kind': 'PREREQUISITE_FAILED',
      'items 0 reason prerequisiteKey': 'payments',
    },
  },
  {
    does: 'is refused to archive the prerequisite',
    send: `PATCH ${gate}`,
    json: { instructions: [{ kind: 'archiveFlag' }] },
    status: 409,
  },
  {
    does: 'sees whose prerequisite it is',
    send: `GET ${gate}`,
    query: { expand: 'dependents' },
    sees: { dependents: ['checkout-style'], archived: false, _version: 1 },
  },
  {
    does: 'is refused a rule of the segment in an environment that lacks it',
    send: `POST ${flag}/copy`,
    json: { source: { key: 'test' }, target: { key: 'staging' } },
    status: 409,
  },
  {
    does: 'copies some of the settings to production, with a comment',
    send: `POST ${flag}/copy`,
    json: {
      source: { key: 'test', currentVersion: '{version}' },
      target: { key: 'production', currentVersion: 1 },
      includedActions: ['updateOn', 'updateTargets'],
      comment: 'Launch',
    },
    sees: {
      'environments production on': true,
      'environments production _summary targets': 2,
      'environments production rules': counts(0),
      'environments production lastModified': not('{changed}'),
      'environments test version': '{version}',
    },
  },
  {
    does: 'is refused to remove a variation that is in use',
    send: `PATCH ${flag}`,
    json: { instructions: [{ kind: 'removeVariation', variationId: '{wide}' }] },
    status: 409,
  },
  {
    does: 'is refused to delete the segment, which is in use',
    send: `DELETE ${base}/segments/${project}/test/nordic`,
    status: 409,
  },
  {
    does: 'removes the rule and the prerequisite',
    send: `PATCH ${flag}`,
    json: {
      environmentKey: 'test',
      instructions: [
        { kind: 'removeRule', ruleId: '{rule}' },
        { kind: 'removePrerequisite', key: 'payments' },
      ],
    },
    sees: {
      'environments test rules': counts(0),
      'environments test version': more('{version}', 1),
    },
  },
  {
    does: 'deletes the segment',
    send: `DELETE ${base}/segments/${project}/test/nordic`,
    status: 204,
  },
];

const ending: Step[] = [
  {
    does: 'archives the other flag',
    send: `PATCH ${gate}`,
    json: { comment: 'Done', patch: [{ op: 'replace', path: '/archived', value: true }] },
    sees: { archived: true, archivedDate: isThere, _version: 2 },
  },
  {
    does: 'is refused another change of it',
    send: `PATCH ${gate}`,
    json: [{ op: 'replace', path: '/name', value: 'Old payments' }],
    status: 409,
  },
  {
    does: 'does not find it among the flags',
    send: `GET ${base}/flags/${project}`,
    query: { sort: 'key' },
    sees: { 'items * key': lacks('payments'), totalCount: 1 },
  },
  {
    does: 'finds it among the archived ones',
    send: `GET ${base}/flags/${project}`,
    query: { filter: 'archived:true,maintainer:{member}' },
    sees: { 'items * key': ['payments'] },
  },
  {
    does: 'reads the log of it, the newest first',
    send: `GET ${base}/auditlog`,
    query: { resource: `proj/${project}:flag/payments`, after: '{moment}' },
    sees: {
      totalCount: 2,
      'items * action': ['updated', 'created'],
      'items * comment': ['Done', null],
      'items * member _id': only('{member}'),
    },
  },
  {
    does: 'follows the pages of the log of the other one to the end',
    send: `GET ${base}/auditlog`,
    query: { resource: `proj/${project}:flag/checkout-style`, filter: 'action:updated', limit: 2 },
    next: { at: '_links next href' },
    sees: {
      'pages 0 totalCount': 6,
      'pages 2 items': counts(2),
      'pages 0 items 1 comment': 'Launch',
    },
  },
  {
    does: 'creates a token that can only read',
    send: `POST ${base}/tokens`,
    json: { name: 'Flow' },
    status: 201,
    sees: { role: 'reader', memberId: '{member}', token: matches(/.{8}/) },
    keeps: { token: 'token', tokenId: '_id' },
  },
  {
    does: 'is refused a deletion with it',
    send: `DELETE ${gate}`,
    headers: { Authorization: '{token}' },
    status: 403,
    sees: { code: 'forbidden' },
  },
  { does: 'revokes it', send: `DELETE ${base}/tokens/{tokenId}`, status: 204 },
  {
    does: 'cannot read with it any more',
    send: `GET ${gate}`,
    headers: { Authorization: '{token}' },
    status: 401,
  },
  {
    does: 'is another account, which does not see the project',
    send: `GET ${base}/projects/${project}`,
    as: 'second',
    status: 404,
    sees: { code: 'not_found' },
  },
  { does: 'deletes the project', send: `DELETE ${base}/projects/${project}`, status: 204 },
  {
    does: 'still finds the deletion in the log',
    send: `GET ${base}/auditlog`,
    query: { filter: 'kind:project,action:deleted', resource: `proj/${project}` },
    sees: { totalCount: 1, 'items 0 name': 'Flow web' },
  },
];

/** An API for feature flags: patches, instructions, evaluations, archive, audit log, tokens. */
export const flags: Flow = { name: 'flags', steps: [...setting, ...serving, ...ending] };
