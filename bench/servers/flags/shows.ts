import type { Client } from '../serving/client.ts';
import { isOther, unique, type Show } from '../serving/showing.ts';
import type { DefectName, defects } from './defects.ts';
import * as use from './use.ts';
import type { Made } from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const { ask, askWith, get, instruct, itemsOf, keysOf, logOf, newFlag, newFlags } = use;
const { newProject, newSegment, nextOf, on, patch, serve, settings } = use;

const keys = (...all: readonly (Made | undefined)[]): string =>
  all.map((one) => one?.flag.key).join();

const lists: Of<'lists'> = {
  'limit-101-accepted': (client) => isOther(ask(client, 'GET members?limit=101'), 400),
  'total-of-page': async (client) => {
    const [{ project } = await newFlag(client)] = await newFlags(client, {}, {}, {});
    return (await get(client, `flags/${project}?limit=2`)).totalCount !== 3;
  },
  'total-counts-archived': async (client) => {
    const [made = await newFlag(client)] = await newFlags(client, {}, {});
    await instruct(client, made, { kind: 'archiveFlag' });
    return (await get(client, `flags/${made.project}`)).totalCount !== 1;
  },
  'next-loses-filter': async (client) => {
    const tags = ['beta'];
    const [made] = await newFlags(client, { tags }, {}, { tags });
    const page = await get(client, `flags/${made?.project ?? ''}?limit=1&filter=tag:beta`);
    return (await keysOf(client, nextOf(page) ?? '')) !== keys(made);
  },
  'offset-in-pages': async (client) => {
    const [first, second] = await newFlags(client, {}, {}, {}, {});
    const found = await keysOf(client, `flags/${first?.project ?? ''}?limit=2&offset=2`);
    return found !== keys(second, first);
  },
  'page-before-sort': async (client) => {
    const [first, second] = await newFlags(client, { name: 'A' }, { name: 'B' }, { name: 'C' });
    const found = await keysOf(client, `flags/${first?.project ?? ''}?limit=2&sort=name`);
    return found !== keys(first, second);
  },
};

const filters: Of<'filters'> = {
  'filter-first-part-only': async (client) => {
    const [first, second] = await newFlags(client, { tags: ['ui'] }, { tags: ['ui', 'beta'] });
    const path = `flags/${first?.project ?? ''}?filter=type:permanent,tag:beta`;
    return (await keysOf(client, path)) !== keys(second);
  },
  'filter-unknown-accepted': (client) => isOther(ask(client, 'GET members?filter=team:web'), 400),
  'query-in-keys-only': async (client) => {
    const [first] = await newFlags(client, { name: 'Sunny side' }, {});
    const path = `flags/${first?.project ?? ''}?filter=query:nny`;
    return (await keysOf(client, path)) !== keys(first);
  },
  'tags-any': async (client) => {
    const [first, second] = await newFlags(client, { tags: ['ui'] }, { tags: ['ui', 'beta'] });
    const path = `flags/${first?.project ?? ''}?filter=tag:ui,tag:beta`;
    return (await keysOf(client, path)) !== keys(second);
  },
  'archived-listed': async (client) => {
    const [first = await newFlag(client), second] = await newFlags(client, {}, {});
    await instruct(client, first, { kind: 'archiveFlag' });
    return (await keysOf(client, `flags/${first.project}`)) !== keys(second);
  },
  'on-in-any-environment': async (client) => {
    const made = await newFlag(client);
    await instruct(client, made, on);
    return (await itemsOf(client, `flags/${made.project}?filter=on:production`)).length > 0;
  },
  'env-ignored-in-list': async (client) => {
    const { project } = await newFlag(client);
    const [found] = await itemsOf(client, `flags/${project}?env=test`);
    return Object.keys(found?.environments ?? {}).join() !== 'test';
  },
  'expand-ignored-in-list': async (client) => {
    const key = await newProject(client);
    const [found] = await itemsOf(client, `projects?expand=environments&filter=query:${key}`);
    return found?.environments === undefined;
  },
};

const patches: Of<'patches'> = {
  'patch-test-ignored': async (client) => {
    const test = { op: 'test', path: '/_version', value: 9 };
    const rename = { op: 'replace', path: '/name', value: 'Other' };
    return isOther(patch(client, await newFlag(client), test, rename), 409);
  },
  'add-at-index-replaces': async (client) => {
    const made = await newFlag(client, { tags: ['ui', 'beta'] });
    const { body } = await patch(client, made, { op: 'add', path: '/tags/0', value: 'ops' });
    return body.tags.length !== 3;
  },
  'read-only-accepted': async (client) => {
    const made = await newFlag(client);
    return isOther(patch(client, made, { op: 'replace', path: '/creationDate', value: 1 }), 400);
  },
  'unknown-instruction-skipped': async (client) =>
    isOther(instruct(client, await newFlag(client), { kind: 'turnFlag' }, on), 400),
  'comment-not-required': async (client) => {
    const environments = [{ key: 'test', name: 'Test', requireComments: true }];
    const project = await newProject(client, { environments });
    return isOther(instruct(client, await newFlag(client, {}, project), on), 400);
  },
  'target-in-two-variations': async (client) => {
    const made = await newFlag(client);
    for (const variationId of made.ids)
      await instruct(client, made, { kind: 'addTargets', variationId, values: ['kim'] });
    return (await settings(client, made)).targets.length !== 1;
  },
};

const atomicity: Of<'atomicity'> = {
  'refused-patch-kept': async (client) => {
    const made = await newFlag(client);
    const rename = { op: 'replace', path: '/name', value: 'Other' };
    await patch(client, made, rename, { op: 'remove', path: '/nothing' });
    return (await get(client, made.path)).name !== made.flag.name;
  },
  'refused-instructions-kept': async (client) => {
    const made = await newFlag(client);
    await instruct(client, made, on, { kind: 'removeRule', ruleId: 'none' });
    return (await settings(client, made)).on;
  },
  'refused-invitations-kept': async (client) => {
    const [first, second] = [invitation(), invitation()];
    await ask(client, 'POST members', [first]);
    await ask(client, 'POST members', [second, first]);
    return (await itemsOf(client, `members?filter=query:${second.email}`)).length !== 0;
  },
};

const invitation = () => ({ email: `${unique('lee')}@post.example` });

const versions: Of<'versions'> = {
  'version-per-instruction': async (client) => {
    const rename = { kind: 'updateName', value: 'Other' };
    return (await instruct(client, await newFlag(client), on, rename)).body._version !== 2;
  },
  'version-without-change': async (client) => {
    const made = await newFlag(client);
    return (await instruct(client, made, { kind: 'turnFlagOff' })).body._version !== 1;
  },
  'versions-of-all-environments': async (client) => {
    const made = await newFlag(client);
    await instruct(client, made, on);
    return (await settings(client, made, 'production')).version !== 1;
  },
  'copy-version-ignored': async (client) => {
    const { path } = await newFlag(client);
    const ends = { source: { key: 'test', currentVersion: 7 }, target: { key: 'production' } };
    return isOther(ask(client, `POST ${path}/copy`, ends), 409);
  },
  'last-modified-still': async (client) => {
    const made = await newFlag(client);
    const before = await settings(client, made);
    // A moment has a millisecond.
    await new Promise((resolve) => setTimeout(resolve, 3));
    await instruct(client, made, on);
    return (await settings(client, made)).lastModified === before.lastModified;
  },
};

/** Two flags, of which the second has the first as prerequisite. */
async function dependent(client: Client): Promise<[Made, Made]> {
  const [first = await newFlag(client), second = first] = await newFlags(client, {}, {});
  await need(client, second, first);
  return [first, second];
}

const need = (client: Client, made: Made, { flag, ids }: Made) =>
  instruct(client, made, { kind: 'addPrerequisite', key: flag.key, variationId: ids[0] });

const [archive, restore] = [{ kind: 'archiveFlag' }, { kind: 'restoreFlag' }];

const states: Of<'states'> = {
  'archived-changed': async (client) => {
    const made = await newFlag(client);
    await instruct(client, made, archive);
    return isOther(instruct(client, made, on), 409);
  },
  'archived-date-stays': async (client) => {
    const made = await newFlag(client);
    await instruct(client, made, archive);
    await instruct(client, made, restore);
    return (await get(client, made.path)).archivedDate !== null;
  },
  'archived-evaluated': async (client) => {
    const made = await newFlag(client);
    await instruct(client, made, archive);
    return (await serve(client, made)) !== undefined;
  },
  'prerequisite-archived': async (client) =>
    isOther(instruct(client, (await dependent(client))[0], archive), 409),
  'prerequisite-deleted': async (client) =>
    isOther(ask(client, `DELETE ${(await dependent(client))[0].path}`), 409),
  'last-admin-demoted': async (client) => {
    const admins = await itemsOf(client, 'members?filter=role:admin');
    if (admins.length !== 1) return false;
    const path = `members/${admins[0]?._id ?? ''}`;
    return isOther(patch(client, { path }, { op: 'replace', path: '/role', value: 'writer' }), 409);
  },
};

/** A new flag with three variations, which serves the second one when it is off. */
const threefold = (client: Client): Promise<Made> =>
  newFlag(client, {
    variations: [{ value: 'a' }, { value: 'b' }, { value: 'c' }],
    defaults: { onVariation: 2, offVariation: 1 },
  });

const references: Of<'references'> = {
  'prerequisite-circle': async (client) => {
    const [first, second] = await dependent(client);
    return isOther(need(client, first, second), 400);
  },
  'prerequisite-missing': async (client) => {
    const made = await newFlag(client);
    const missing = { kind: 'addPrerequisite', key: unique('none'), variationId: made.ids[0] };
    return isOther(instruct(client, made, missing), 400);
  },
  'variation-in-use-removed': async (client) => {
    const made = await threefold(client);
    const [variationId] = made.ids;
    await instruct(client, made, { kind: 'addTargets', variationId, values: ['kim'] });
    return isOther(instruct(client, made, { kind: 'removeVariation', variationId }), 409);
  },
  'indexes-stay-after-removal': async (client) => {
    const made = await threefold(client);
    await instruct(client, made, { kind: 'removeVariation', variationId: made.ids[0] });
    return (await settings(client, made)).fallthrough.variation !== 1;
  },
  'segment-in-use-deleted': async (client) =>
    isOther(ask(client, `DELETE ${(await newSegment(client)).path}`), 409),
  'environment-stays-in-flags': async (client) => {
    const { project, path } = await newFlag(client);
    await ask(client, `DELETE projects/${project}/environments/production`);
    return Object.keys((await get(client, path)).environments).join() !== 'test';
  },
};

/** A flag that is on and serves its first variation to those whom a rule with this matches. */
async function ruled(client: Client, ...clauses: object[]): Promise<Made> {
  const made = await newFlag(client, { defaults: { onVariation: 1, offVariation: 1 } });
  await instruct(client, made, on, { kind: 'addRule', clauses, variationId: made.ids[0] });
  return made;
}

const norwegian = { attribute: 'country', op: 'in', values: ['NO'] };

const evaluation: Of<'evaluation'> = {
  'weights-not-summed': async (client) => {
    const made = await newFlag(client);
    const rollout = made.ids.map((variationId) => ({ variationId, weight: 40_000 }));
    return isOther(instruct(client, made, { kind: 'updateFallthrough', rollout }), 400);
  },
  'summary-counts-entries': async (client) => {
    const made = await newFlag(client);
    const values = ['kim', 'lee'];
    await instruct(client, made, { kind: 'addTargets', variationId: made.ids[0], values });
    return (await settings(client, made))._summary.targets !== 2;
  },
  'last-rule-decides': async (client) => {
    const made = await ruled(client, norwegian);
    const rule = { kind: 'addRule', clauses: [norwegian], variationId: made.ids[1] };
    await instruct(client, made, rule);
    return (await serve(client, made, { country: 'NO' }))?.value !== true;
  },
  'negated-absent-matches': async (client) =>
    (await serve(client, await ruled(client, { ...norwegian, negate: true })))?.value !== false,
  'off-prerequisite-met': async (client) => {
    const [first = await newFlag(client), second = first] = await newFlags(
      client,
      { defaults: { onVariation: 0, offVariation: 0 } },
      {},
    );
    await need(client, second, first);
    await instruct(client, second, on);
    return (await serve(client, second))?.value !== false;
  },
  'excluded-by-clauses': async (client) => {
    const { made } = await newSegment(client, { excluded: ['kim'], clauses: [norwegian] });
    return (await serve(client, made, { country: 'NO' }))?.value !== false;
  },
};

const uniqueness: Of<'uniqueness'> = {
  'flag-key-taken-replaces': async (client) => {
    const { project, flag } = await newFlag(client);
    const json = { key: flag.key, name: 'Other' };
    return isOther(ask(client, `POST flags/${project}`, json), 409);
  },
  'email-taken-in-other-case': async (client) => {
    const { email } = invitation();
    await ask(client, 'POST members', [{ email }]);
    return isOther(ask(client, 'POST members', [{ email: email.toUpperCase() }]), 409);
  },
};

const newToken = async (client: Client, role: string) =>
  (await ask(client, 'POST tokens', { name: unique('token'), role })).body;

const access: Of<'access'> = {
  'any-token-accepted': (client) =>
    isOther(ask(client, 'GET projects', undefined, 'wrongToken'), 401),
  'reader-changes-flags': async (client) => {
    const { path } = await newFlag(client);
    const { token } = await newToken(client, 'reader');
    const json = [{ op: 'replace', path: '/name', value: 'Other' }];
    return isOther(askWith(client, `PATCH ${path}`, token, json), 403);
  },
  'revoked-token-works': async (client) => {
    const { token, _id } = await newToken(client, 'writer');
    await ask(client, `DELETE tokens/${_id}`);
    return isOther(askWith(client, 'GET projects', token), 401);
  },
  'project-of-other-account': async (client) =>
    isOther(ask(client, `GET projects/${await newProject(client, {}, 'second')}`), 404),
  'audit-of-other-account': async (client) => {
    const key = await newProject(client, {}, 'second');
    return (await itemsOf(client, `auditlog?resource=proj/${key}`)).length !== 0;
  },
  'token-listed': async (client) => {
    const { token } = await newToken(client, 'reader');
    return (await ask(client, 'GET tokens')).text.includes(token);
  },
};

const errors: Of<'errors'> = {
  'missing-project-empty': (client) => isOther(ask(client, `GET flags/${unique('none')}`), 404),
  'unknown-property-accepted': async (client) => {
    const json = { key: unique('flag'), name: 'Flag', owner: 'Kim' };
    return isOther(ask(client, `POST flags/${await newProject(client)}`, json), 400);
  },
};

const auditLog: Of<'audit-log'> = {
  'comment-lost': async (client) => {
    const made = await newFlag(client);
    const json = { comment: 'Because.', patch: [{ op: 'add', path: '/tags/-', value: 'ui' }] };
    await ask(client, `PATCH ${made.path}`, json);
    return (await itemsOf(client, logOf(made)))[0]?.comment !== 'Because.';
  },
  'copy-not-logged': async (client) => {
    const made = await newFlag(client);
    await instruct(client, made, on);
    const ends = { source: { key: 'test' }, target: { key: 'production' } };
    await ask(client, `POST ${made.path}/copy`, ends);
    return (await itemsOf(client, logOf(made))).length !== 3;
  },
  'refusal-logged': async (client) => {
    const made = await newFlag(client);
    await patch(client, made, { op: 'remove', path: '/nothing' });
    return (await itemsOf(client, logOf(made))).length !== 1;
  },
  'before-includes-it': async (client) => {
    const made = await newFlag(client);
    const [entry] = await itemsOf(client, logOf(made));
    const found = await itemsOf(client, `${logOf(made)}&before=${String(entry?.date)}`);
    return found.length !== 0;
  },
};

/** For each defect: whether it shows to a client that reads the document. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...{ ...lists, ...filters, ...patches, ...atomicity, ...versions, ...states },
  ...{ ...references, ...evaluation, ...uniqueness, ...access, ...errors, ...auditLog },
};
