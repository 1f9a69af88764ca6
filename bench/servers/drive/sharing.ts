import { email, fields, listOf, text } from '../serving/fields.ts';
import { compare, type Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { type Account, type Service, type SharedFolder } from './store.ts';
import * as tree from './tree.ts';

type Call = api.Call;

function showFolder(folder: SharedFolder, call: Call): Json {
  const { id, item, members } = folder;
  return {
    ...{ shared_folder_id: id, name: item.name },
    ...(item.home === call.account ? { path_lower: item.key } : {}),
    access_type: { '.tag': members.get(call.account) ?? 'viewer' },
  };
}

export function addFolder(service: Service, item: SharedFolder['item']): SharedFolder {
  const members = new Map([[item.home, 'owner']]);
  const folder = { id: service.newId('8'), item, members };
  service.folders.push(folder);
  item.shared = folder;
  return folder;
}

const sharing = fields({ path: api.anyPath }, ['path']);

export function shareFolder(call: Call): Answer {
  const { path } = api.readBody(call, sharing);
  const { service } = call;
  const item = tree.lookUp(call, path, 'bad_path');
  if (item.kind === 'file') api.fail('bad_path', 'is_file');
  if (item.shared !== undefined) api.fail('bad_path', 'already_shared');
  const outer = service.has('nested-folder-shared') ? undefined : api.folderOf(item, service);
  if (outer !== undefined) api.fail('bad_path', 'inside_shared_folder');
  if (tree.inside(item.home, item.key).some((one) => one.shared !== undefined))
    api.fail('bad_path', 'contains_shared_folder');
  return api.done(showFolder(addFolder(service, item), call));
}

export function listFolders(call: Call): Answer {
  const { service, account } = call;
  const entries = service.folders
    .filter(({ members }) => members.has(account))
    .toSorted((a, b) => compare(a.item.name.toLowerCase(), b.item.name.toLowerCase()))
    .map((one) => showFolder(one, call));
  return api.done({ entries });
}

const id = text(1, 64);

const personOf = ({ accounts }: Service, address: unknown): Account | undefined =>
  accounts.find((one) => one.email === String(address).toLowerCase());

/** A shared folder that the account belongs to. */
function folderFor({ service, account }: Call, given: unknown): SharedFolder {
  const found = service.folders.find((one) => one.id === given && one.members.has(account));
  return found ?? api.fail('access_error', 'invalid_id');
}

/** A shared folder that the account owns. */
function ownFolder(call: Call, given: unknown): SharedFolder {
  const folder = folderFor(call, given);
  const isOwn = folder.item.home === call.account;
  const isAny = folder.members.get(call.account) === 'editor' && call.service.has('editor-invites');
  return isOwn || isAny ? folder : api.fail('access_error', 'no_permission');
}

const invitation = fields({ email, access_level: api.tagged(['editor', 'viewer']) }, ['email']);
const members = listOf(invitation, { min: 1, max: 20 });
const adding = fields({ shared_folder_id: id, members }, ['shared_folder_id', 'members']);

export function addMembers(call: Call): Answer {
  const { shared_folder_id: key, members: given } = api.readBody(call, adding);
  const { service } = call;
  const folder = ownFolder(call, key);
  const added = new Map<Account, string>();
  for (const { email: address, access_level: level = { '.tag': 'viewer' } } of given as Json[]) {
    const person = personOf(service, address) ?? api.fail('bad_member', 'unknown_account');
    if (folder.members.has(person) || added.has(person)) api.fail('bad_member', 'already_member');
    added.set(person, api.tagOf(level));
    if (service.has('members-added-before-refusal')) folder.members.set(person, api.tagOf(level));
  }
  for (const [person, role] of added) folder.members.set(person, role);
  return api.nothing;
}

const naming = fields({ shared_folder_id: id, email }, ['shared_folder_id', 'email']);

export function removeMember(call: Call): Answer {
  const { shared_folder_id: key, email: address } = api.readBody(call, naming);
  const person = personOf(call.service, address);
  const folder = person === call.account ? folderFor(call, key) : ownFolder(call, key);
  if (person === undefined || !folder.members.has(person))
    return api.fail('member_error', 'not_a_member');
  if (person === folder.item.home) api.fail('member_error', 'folder_owner');
  folder.members.delete(person);
  return api.nothing;
}

const listing = fields({ shared_folder_id: id }, ['shared_folder_id']);
const ranks = ['owner', 'editor', 'viewer'];

export function listMembers(call: Call): Answer {
  const { shared_folder_id: key } = api.readBody(call, listing);
  const users = [...folderFor(call, key).members]
    .toSorted(([a, one], [b, other]) => {
      return ranks.indexOf(one) - ranks.indexOf(other) || compare(a.email, b.email);
    })
    .map(([{ account_id, email: address, display_name, team }, role]) => ({
      access_type: { '.tag': role },
      user: { account_id, email: address, display_name, same_team: team === call.account.team },
    }));
  return api.done({ users });
}

export function getAccount({ account }: Call): Answer {
  const { account_id, email: address, display_name, team, isAdmin } = account;
  const role = { '.tag': isAdmin ? 'team_admin' : 'member' };
  const own = { account_id, email: address, display_name };
  return api.done({ ...own, team: { name: team }, team_role: role });
}

/** The bytes of the files in a home. */
function usedBy({ items, gone }: Account, { has }: Service): number {
  const deleted = [...gone.values()].flatMap(({ file }) => file ?? []);
  const all = [...items.values(), ...(has('deleted-files-use-space') ? deleted : [])];
  const files = all.filter(({ kind }) => kind === 'file');
  return files.reduce((sum, one) => sum + Buffer.byteLength(api.currentOf(one).contents), 0);
}

export function getSpace({ service, account }: Call): Answer {
  const { accounts, has } = service;
  const team = accounts.filter((one) =>
    has('team-space-of-one') ? one === account : one.team === account.team,
  );
  const used = team.reduce((sum, one) => sum + usedBy(one, service), 0);
  const allocation = { '.tag': 'team', used, allocated: 3_298_534_883_328 };
  return api.done({ used: usedBy(account, service), allocation });
}
