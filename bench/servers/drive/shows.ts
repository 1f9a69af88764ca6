import type { Client } from '../serving/client.ts';
import { isOther, unique, type Show } from '../serving/showing.ts';
import type { DefectName, defects } from './defects.ts';
import * as use from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const { call, files, upload, newFile, newFolder, newPath, namesIn, rewritten } = use;

/** Whether a call that is to be refused is not. */
const isTaken = (got: use.Answer): Promise<boolean> => isOther(got, 409);

/** Begins with a new file. */
const withFile =
  (show: (client: Client, file: use.Row & { path: string }) => Promise<boolean>): Show =>
  async (client) =>
    show(client, await newFile(client));

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean => a.join() === b.join();

/** The tags and names of what changes in a folder with a file, in which something is done. */
async function changesOf(client: Client, change: (path: string) => Promise<unknown>) {
  const path = await newFolder(client, 'a');
  const pages = await use.allPages(client, 'list_folder', { path });
  await change(path);
  const cursor = pages.at(-1)?.cursor ?? '';
  const changed = await use.allPages(client, 'list_folder/continue', { cursor });
  return changed.flatMap(({ entries }) => entries.map((one) => [one['.tag'], one.name]));
}

const listings: Of<'listings'> = {
  'page-skips-entry': async (client) => {
    const path = await newFolder(client, 'a', 'b', 'c', 'd');
    return !isSame(await namesIn(client, path, { limit: 2 }), ['a', 'b', 'c', 'd']);
  },
  'full-page-has-more': async (client) => {
    const path = await newFolder(client, 'a', 'b');
    const pages = await use.allPages(client, 'list_folder', { path, limit: 2 });
    return pages.some(({ entries }) => entries.length === 0);
  },
  'recursive-lost-on-continue': async (client) => {
    const path = await newFolder(client, 'a', 'b/c', 'b/d');
    const names = await namesIn(client, path, { limit: 2, recursive: true });
    return !isSame(names, ['a', 'b', 'c', 'd']);
  },
  'folder-by-prefix': async (client) => {
    const path = await newFolder(client, 'a');
    await upload(client, `${path} old/b`);
    return !isSame(await namesIn(client, path, { recursive: true }), ['a']);
  },
  'deleted-listed': async (client) => {
    const path = await newFolder(client, 'a', 'b');
    await use.remove(client, `${path}/a`);
    return (await namesIn(client, path)).includes('a');
  },
  'capitals-first': async (client) => {
    const names = await namesIn(client, await newFolder(client, 'apple', 'Berry'));
    return !isSame(names, ['apple', 'Berry']);
  },
  'changes-miss-deletions': async (client) => {
    const found = await changesOf(client, (path) => use.remove(client, `${path}/a`));
    return !isSame(found, ['deleted,a']);
  },
  'changes-miss-moves': async (client) => {
    const found = await changesOf(client, (path) => use.move(client, `${path}/a`, newPath()));
    return !isSame(found, ['deleted,a']);
  },
  'changes-of-whole-home': async (client) =>
    (await changesOf(client, () => newFile(client))).length > 0,
};

const paths: Of<'paths'> = {
  'path-case-sensitive': withFile((client, { path }) =>
    isOther(use.metadata(client, path.toUpperCase()), 200),
  ),
  'display-stale-in-moved-folder': async (client) => {
    const [path, to] = [await newFolder(client, 'a'), newPath()];
    await use.move(client, path, to);
    return (await use.metadata(client, `${to}/a`)).body.path_display !== `${to}/a`;
  },
  'change-of-case-refused': withFile((client, { path }) =>
    isOther(use.move(client, path, path.toUpperCase()), 200),
  ),
  'file-as-folder': async (client) => isTaken(upload(client, `${(await newFile(client)).path}/a`)),
  'number-behind-extension': withFile(async (client, { path, name }) => {
    const { body } = await upload(client, path, { contents: 'Second', autorename: true });
    return body.name !== name.replace('.txt', ' (1).txt');
  }),
  'autorename-tries-once': async (client) => {
    const path = await newFolder(client);
    const again = () => files(client, 'create_folder', { path, autorename: true });
    await again();
    const { metadata } = (await again()).body;
    return `/${metadata?.name}` !== `${path} (2)`;
  },
};

const update = (rev: string) => ({ mode: { '.tag': 'update', update: rev }, contents: 'Final' });

const tagsOf = async (client: Client, path: string): Promise<number | undefined> =>
  (await files(client, 'tags/get', { paths: [path] })).body.paths_to_tags[0]?.tags.length;

async function tagged(client: Client, ...tags: readonly string[]): Promise<string> {
  const { path } = await newFile(client);
  for (const tag_text of tags) await files(client, 'tags/add', { path, tag_text });
  return path;
}

const writes: Of<'writes'> = {
  'add-overwrites': withFile((client, { path }) =>
    isTaken(upload(client, path, { contents: 'Final' })),
  ),
  'update-ignores-rev': async (client) => {
    const { path, rev } = await rewritten(client);
    return isTaken(upload(client, path, update(rev)));
  },
  'rev-kept-by-overwrite': withFile(
    async (client, { path, rev }) => (await use.overwrite(client, path)).body.rev === rev,
  ),
  'client-modified-ignored': async (client) => {
    const file = await newFile(client, { client_modified: '2024-02-29T08:15:00Z' });
    return Date.parse(file.client_modified) !== Date.UTC(2024, 1, 29, 8, 15);
  },
  'size-in-characters': async (client) => (await newFile(client, { contents: 'Café' })).size !== 5,
  'tag-twice': async (client) => (await tagsOf(client, await tagged(client, 'red', 'Red'))) !== 1,
  'hash-of-first-contents': async (client) => {
    const first = await newFile(client);
    const second = await use.overwrite(client, first.path);
    return second.body.content_hash === first.content_hash;
  },
};

const moves: Of<'moves'> = {
  'move-loses-revisions': async (client) => {
    const [{ path }, to] = [await rewritten(client), newPath()];
    await use.move(client, path, to);
    return (await use.revisions(client, to)).length !== 2;
  },
  'moved-into-itself': async (client) => {
    const path = await newFolder(client);
    return isTaken(use.move(client, path, `${path}/a`));
  },
  'copy-keeps-id': withFile(
    async (client, { path, id }) => (await use.copy(client, path)).id === id,
  ),
  'copy-of-folder-is-flat': async (client) => {
    const { path_display: to } = await use.copy(client, await newFolder(client, 'a/b'));
    return use.isGone(client, `${to}/a/b`);
  },
  'copy-has-tags': async (client) => {
    const copy = await use.copy(client, await tagged(client, 'red'));
    return (await tagsOf(client, copy.path_display)) !== 0;
  },
};

const spaceOf = async (client: Client): Promise<use.Body> =>
  (await call(client, 'users/get_space_usage')).body;

const deletions: Of<'deletions'> = {
  'deleted-folder-keeps-contents': async (client) => {
    const path = await newFolder(client, 'a');
    await use.remove(client, path);
    return !(await use.isGone(client, `${path}/a`));
  },
  'deleted-again': withFile(async (client, { path }) => {
    await use.remove(client, path);
    return isTaken(use.remove(client, path));
  }),
  'parent-rev-ignored': async (client) => {
    const { path, rev } = await rewritten(client);
    return isTaken(files(client, 'delete', { path, parent_rev: rev }));
  },
  'links-survive-deletion': withFile(async (client, { path }) => {
    const { url } = (await use.newLink(client, path)).body;
    await use.remove(client, path);
    return isTaken(use.readLink(client, url));
  }),
  'deleted-files-use-space': async (client) => {
    const { used } = await spaceOf(client);
    await use.remove(client, (await newFile(client)).path);
    return (await spaceOf(client)).used !== used;
  },
};

const batches: Of<'batches'> = {
  'batch-stops-at-failure': withFile(async (client, { path }) => {
    await files(client, 'delete_batch', { entries: [{ path: newPath() }, { path }] });
    return !(await use.isGone(client, path));
  }),
  'batch-forgets-autorename': async (client) => {
    const [one, other] = [await newFile(client), await newFile(client)];
    const entry = { from_path: one.path, to_path: other.path };
    await files(client, 'move_batch', { entries: [entry], autorename: true });
    return !(await use.isGone(client, one.path));
  },
};

/** A file with two revisions, the first of which is restored. */
async function restored(client: Client) {
  const first = await rewritten(client);
  return { first, body: (await files(client, 'restore', first)).body };
}

const revisions: Of<'revisions'> = {
  'revisions-oldest-first': async (client) => {
    const { path, rev } = await rewritten(client);
    return (await use.revisions(client, path))[0]?.rev === rev;
  },
  'restore-brings-rev-back': async (client) => {
    const { first, body } = await restored(client);
    return body.rev === first.rev;
  },
  'restore-drops-later': async (client) => {
    const { first } = await restored(client);
    return (await use.revisions(client, first.path)).length !== 3;
  },
  'old-revision-is-current': async (client) => {
    const { rev } = await rewritten(client);
    return (await files(client, 'download', { path: `rev:${rev}` })).body.contents !== 'Draft';
  },
};

const search: Of<'search'> = {
  'search-minds-case': withFile(
    async (client, { name }) => !isSame(await use.found(client, name.toUpperCase()), [name]),
  ),
  'search-beyond-path': async (client) =>
    (await use.found(client, (await newFile(client)).name, { path: '/Reports' })).length > 0,
  'extension-without-dot': async (client) => {
    const word = unique('word');
    await newFile(client, { contents: word });
    return (await use.found(client, word, { file_extensions: ['xt'] })).length > 0;
  },
  'oldest-found-first': async (client) => {
    const { name } = await newFile(client, { contents: 'Revenue' });
    const options = { order_by: { '.tag': 'last_modified_time' } };
    return (await use.found(client, 'revenue', options))[0] !== name;
  },
};

const password = { requested_visibility: { '.tag': 'password' }, link_password: 'herring' };

/** The address of a link for a new file. */
async function linked(client: Client, settings: object = {}): Promise<string> {
  const { path } = await newFile(client);
  return (await use.newLink(client, path, settings)).body.url;
}

/** A time that is so many milliseconds from now. */
const inTime = (time: number): string => new Date(Date.now() + time).toISOString();

const links: Of<'links'> = {
  'second-link-made': withFile(async (client, { path }) => {
    await use.newLink(client, path);
    return isTaken(use.newLink(client, path));
  }),
  'settings-left-out-reset': async (client) => {
    const url = await linked(client, { expires: '2040-01-01T00:00:00Z' });
    const settings = { allow_download: false };
    const { body } = await call(client, 'sharing/modify_shared_link', { url, settings });
    return body.expires === undefined;
  },
  'past-expiry-accepted': async (client) =>
    isTaken(use.newLink(client, (await newFile(client)).path, { expires: inTime(-60_000) })),
  'expired-link-works': async (client) => {
    const url = await linked(client, { expires: inTime(2_000) });
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    return isTaken(use.readLink(client, url));
  },
  'link-password-not-asked': async (client) =>
    isTaken(use.readLink(client, await linked(client, password), { as: 'member' })),
  'team-link-for-everybody': async (client) =>
    isTaken(
      use.readLink(
        client,
        await linked(client, { requested_visibility: { '.tag': 'team_only' } }),
        { as: 'second' },
      ),
    ),
  'direct-only-ignored': async (client) => {
    const path = await newFolder(client, 'a');
    await use.newLink(client, path);
    const json = { path: `${path}/a`, direct_only: true };
    return (await call(client, 'sharing/list_shared_links', json)).body.links.length > 0;
  },
  'link-of-others-changed': async (client) => {
    const url = await linked(client);
    return isTaken(call(client, 'sharing/revoke_shared_link', { url }, { as: 'member' }));
  },
};

const mei = 'mei@harbor.example';

const shared: Of<'sharing'> = {
  'nested-folder-shared': async (client) => {
    const [, path] = await use.newShared(client);
    await files(client, 'create_folder', { path: `${path}/a` });
    return isTaken(call(client, 'sharing/share_folder', { path: `${path}/a` }));
  },
  'members-added-before-refusal': async (client) => {
    const [id] = await use.newShared(client);
    await use.invite(client, id, { [mei]: 'editor', 'nobody@harbor.example': 'viewer' });
    const { body } = await call(client, 'sharing/list_folder_members', { shared_folder_id: id });
    return body.users.some(({ user }) => user.email === mei);
  },
  'editor-invites': async (client) => {
    const [id] = await use.newShared(client);
    return isTaken(use.invite(client, id, { [mei]: 'viewer' }, { as: 'member' }));
  },
  'viewer-writes': async (client) => {
    const [root] = await use.newShared(client, 'viewer');
    return isTaken(upload(client, '/other.txt', {}, { as: 'member', root }));
  },
  'path-root-not-checked': async (client) => {
    const [root] = await use.newShared(client);
    return isTaken(files(client, 'list_folder', { path: '' }, { as: 'other', root }));
  },
};

const account = 'users/get_current_account';

const access: Of<'access'> = {
  'any-token-accepted': (client) => isOther(call(client, account, {}, { as: 'wrongToken' }), 401),
  'id-of-other-account': async (client) => {
    const { id: path } = await newFile(client);
    return isTaken(files(client, 'get_metadata', { path }, { as: 'second' }));
  },
  'member-selects-members': (client) => isOther(call(client, account, {}, { as: 'byMember' }), 401),
  'member-of-other-team-selected': (client) =>
    isOther(call(client, account, {}, { as: 'ofOtherTeam' }), 401),
  'team-space-of-one': async (client) => {
    const { allocation, used } = await spaceOf(client);
    return allocation.used <= used;
  },
};

/** For each defect: whether it shows to a client that reads the document. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...{ ...listings, ...paths, ...writes, ...moves, ...deletions, ...batches },
  ...{ ...revisions, ...search, ...links, ...shared, ...access },
};
