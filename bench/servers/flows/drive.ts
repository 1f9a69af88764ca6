import { counts, has, inOrder, isEmpty, isThere, lacks, matches, not, only } from './claims.ts';
import type { Flow, Step } from './step.ts';

const files = 'POST /2/files';
const sharing = 'POST /2/sharing';

const basics: Step[] = [
  {
    does: 'is refused without a token',
    send: 'POST /2/users/get_current_account',
    as: 'anonymous',
    status: 401,
    sees: { 'error .tag': 'invalid_access_token' },
  },
  {
    does: 'is an administrator who acts for a member',
    send: 'POST /2/users/get_current_account',
    as: 'forMember',
    sees: { display_name: 'Ivo Brandt', 'team_role .tag': 'member' },
    keeps: { email: 'email' },
  },
  {
    does: 'creates a folder, and the folder above it',
    send: `${files}/create_folder`,
    json: { path: '/Flow/Plans' },
    sees: { 'metadata .tag': 'folder', 'metadata path_display': '/Flow/Plans' },
    keeps: { folder: 'metadata id' },
  },
  {
    does: 'is refused to create it in another case',
    send: `${files}/create_folder`,
    json: { path: '/flow/PLANS' },
    status: 409,
    sees: { error_summary: matches(/^path\/conflict\/folder/) },
  },
  {
    does: 'uploads a file',
    send: `${files}/upload`,
    json: {
      path: '/flow/plans/Quay.md',
      contents: '# Quay\nCafé at the crane',
      client_modified: '2025-11-03T07:45:00Z',
    },
    sees: {
      path_display: '/Flow/Plans/Quay.md',
      path_lower: '/flow/plans/quay.md',
      client_modified: matches(/^2025-11-03T07:45:00/),
      size: 25,
    },
    keeps: { file: 'id', rev: 'rev', hash: 'content_hash' },
  },
  {
    does: 'is refused other contents at its path',
    send: `${files}/upload`,
    json: { path: '/Flow/Plans/Quay.md', contents: 'Other' },
    status: 409,
    sees: { 'error path conflict .tag': 'file' },
  },
  {
    does: 'lets the service find another name',
    send: `${files}/upload`,
    json: { path: '/Flow/Plans/Quay.md', contents: 'Other', autorename: true },
    sees: { name: 'Quay (1).md', id: not('{file}') },
  },
  {
    does: 'updates the file at its revision',
    send: `${files}/upload`,
    json: {
      path: '/Flow/Plans/Quay.md',
      contents: '# Quay\nTwo cranes',
      mode: { '.tag': 'update', update: '{rev}' },
    },
    sees: { id: '{file}', rev: not('{rev}'), content_hash: not('{hash}') },
    keeps: { second: 'rev' },
  },
  {
    does: 'is refused to update the old revision again',
    send: `${files}/upload`,
    json: {
      path: '/Flow/Plans/Quay.md',
      contents: '# Quay',
      mode: { '.tag': 'update', update: '{rev}' },
    },
    status: 409,
    sees: { 'error path .tag': 'conflict' },
  },
  {
    does: 'downloads the old revision',
    send: `${files}/download`,
    json: { path: 'rev:{rev}' },
    sees: { contents: '# Quay\nCafé at the crane', 'metadata content_hash': '{hash}' },
  },
  {
    does: 'lists the folder by its id, page by page',
    send: `${files}/list_folder`,
    json: { path: '{folder}', limit: 1 },
    sees: { 'entries * name': ['Quay (1).md'], has_more: true },
    keeps: { page: 'cursor' },
  },
  {
    does: 'continues to the end',
    send: `${files}/list_folder/continue`,
    json: { cursor: '{page}' },
    sees: { 'entries * id': ['{file}'], has_more: false },
    keeps: { cursor: 'cursor' },
  },
];

const changes: Step[] = [
  {
    does: 'moves the file to another folder with another name',
    send: `${files}/move`,
    json: { from_path: '{file}', to_path: '/Flow/Done/Harbour.md' },
    sees: { 'metadata id': '{file}', 'metadata rev': '{second}' },
  },
  {
    does: 'sees its old path among the changes of the folder',
    send: `${files}/list_folder/continue`,
    json: { cursor: '{cursor}' },
    sees: { 'entries * .tag': ['deleted'], 'entries 0 path_lower': '/flow/plans/quay.md' },
  },
  {
    does: 'copies the folder',
    send: `${files}/copy`,
    json: { from_path: '/Flow/Done', to_path: '/Flow/Copy' },
    sees: { 'metadata .tag': 'folder', 'metadata name': 'Copy' },
  },
  {
    does: 'finds all of it, in order',
    send: `${files}/list_folder`,
    json: { path: '/Flow', recursive: true },
    sees: {
      'entries * path_lower': inOrder(
        '/flow/copy/harbour.md',
        '/flow/done/harbour.md',
        '/flow/plans',
        '/flow/plans/quay (1).md',
      ),
      'entries * .tag': lacks('deleted'),
    },
  },
  {
    does: 'lists the revisions of the moved file',
    send: `${files}/list_revisions`,
    json: { path: '/Flow/Done/Harbour.md' },
    sees: { 'entries * rev': ['{second}', '{rev}'], is_deleted: false, has_more: false },
  },
  {
    does: 'tags the file',
    send: `${files}/tags/add`,
    json: { path: '{file}', tag_text: 'Board' },
  },
  {
    does: 'reads its tag',
    send: `${files}/tags/get`,
    json: { paths: ['/flow/done/harbour.md', '/Flow/Copy/Harbour.md'] },
    sees: {
      'paths_to_tags 0 tags * tag_text': ['board'],
      'paths_to_tags 1 tags': isEmpty,
    },
  },
  {
    does: 'searches for a word in the contents',
    send: `${files}/search`,
    json: { query: 'TWO CRANES', options: { path: '/Flow', file_extensions: ['md'] } },
    sees: {
      matches: counts(2),
      'matches * match_type .tag': only('file_content'),
      'matches * metadata path_lower': ['/flow/copy/harbour.md', '/flow/done/harbour.md'],
    },
  },
  {
    does: 'deletes a file that is there, and one that is not',
    send: `${files}/delete_batch`,
    json: { entries: [{ path: '/Flow/None' }, { path: '{file}', parent_rev: '{second}' }] },
    sees: {
      'entries 0 failure path_lookup .tag': 'not_found',
      'entries 1 success id': '{file}',
    },
  },
  {
    does: 'restores its first revision',
    send: `${files}/restore`,
    json: { path: '/Flow/Done/Harbour.md', rev: '{rev}' },
    sees: { id: '{file}', content_hash: '{hash}', rev: not('{rev}') },
  },
];

const sharings: Step[] = [
  {
    does: 'makes a link with a password',
    send: `${sharing}/create_shared_link`,
    json: {
      path: '/Flow/Done/Harbour.md',
      settings: { requested_visibility: { '.tag': 'password' }, link_password: 'herring' },
    },
    sees: { name: 'Harbour.md', 'link_permissions resolved_visibility .tag': 'password' },
    keeps: { url: 'url' },
  },
  {
    does: 'is somebody else, who needs the password',
    send: `${sharing}/get_shared_link_metadata`,
    json: { url: '{url}', link_password: 'mackerel' },
    as: 'second',
    status: 409,
    sees: { 'error .tag': 'shared_link_access_denied' },
  },
  {
    does: 'lets the link expire, and changes nothing else',
    send: `${sharing}/modify_shared_link`,
    json: { url: '{url}', settings: { expires: '2040-05-01T00:00:00Z' } },
    sees: {
      expires: matches(/^2040-05-01/),
      'link_permissions resolved_visibility .tag': 'password',
    },
  },
  {
    does: 'lists the links for the file',
    send: `${sharing}/list_shared_links`,
    json: { path: '/Flow/Done/Harbour.md' },
    sees: { 'links * url': ['{url}'], has_more: false },
  },
  {
    does: 'shares the folder',
    send: `${sharing}/share_folder`,
    json: { path: '/Flow/Done' },
    sees: { 'access_type .tag': 'owner', shared_folder_id: isThere },
    keeps: { shared: 'shared_folder_id' },
  },
  {
    does: 'adds a viewer',
    send: `${sharing}/add_folder_members`,
    json: {
      shared_folder_id: '{shared}',
      members: [{ email: '{email}', access_level: { '.tag': 'viewer' } }],
    },
  },
  {
    does: 'lists the members, the owner first',
    send: `${sharing}/list_folder_members`,
    json: { shared_folder_id: '{shared}' },
    sees: { 'users * access_type .tag': ['owner', 'viewer'], 'users 1 user email': '{email}' },
  },
  {
    does: 'is the viewer, who reads the file below the shared folder',
    send: `${files}/get_metadata`,
    json: { path: '/harbour.md' },
    as: 'member',
    headers: { 'Loftbay-Path-Root': '{shared}' },
    sees: { id: '{file}', path_display: '/Harbour.md' },
  },
  {
    does: 'is the viewer, who does not write there',
    send: `${files}/upload`,
    json: { path: '/New.md', contents: 'New' },
    as: 'member',
    headers: { 'Loftbay-Path-Root': '{shared}' },
    status: 409,
    sees: { 'error path .tag': 'no_write_permission' },
  },
  {
    does: 'deletes everything',
    send: `${files}/delete`,
    json: { path: '/flow' },
    sees: { 'metadata path_display': '/Flow' },
  },
  {
    does: 'does not find the link any more',
    send: `${sharing}/get_shared_link_metadata`,
    json: { url: '{url}' },
    status: 409,
    sees: { 'error .tag': 'shared_link_not_found' },
  },
  {
    does: 'finds that the folder is not shared any more',
    send: `${sharing}/list_folders`,
    json: {},
    sees: { 'entries * shared_folder_id': lacks('{shared}'), 'entries * name': has('Contracts') },
  },
];

/** Files: paths, revisions, changes, batches, tags, search, links and shared folders. */
export const drive: Flow = { name: 'drive', steps: [...basics, ...changes, ...sharings] };
