import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import {
  listen,
  Refused,
  type Answer,
  type Handler,
  type Routes,
  type ServiceRequest,
} from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import { fail, failWith } from './call.ts';
import * as files from './files.ts';
import * as history from './history.ts';
import * as links from './links.ts';
import * as listing from './listing.ts';
import { fill } from './seeds.ts';
import * as sharing from './sharing.ts';
import { openDrive, type Account, type Call, type Root, type Service } from './store.ts';

type Operation = (call: Call) => Answer;

/** Starts the API of two teams on loopback. */
export function startDrive(how: Start = {}): Promise<ServerUnderTest> {
  const service = openDrive(how);
  fill(service);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && (service.varies as (name: string) => boolean)(manner);
  return listen(routesOf(service), { port: how.port, isWritten });
}

/** Whom the request acts for; refuses others with 401. */
function accountFor({ headers }: ServiceRequest, service: Service): Account {
  const { has, people, accounts } = service;
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const anybody = token !== '' && has('any-token-accepted') ? accounts[0] : undefined;
  const person = people.get(token) ?? anybody ?? failWith(401, 'invalid_access_token');
  const given = headers['loftbay-select-member'];
  if (given === undefined) return person;
  const mayAct = person.isAdmin || has('member-selects-members');
  const isIn = ({ team }: Account): boolean =>
    team === person.team || has('member-of-other-team-selected');
  const member = accounts.find((one) => one.account_id === given && mayAct && isIn(one));
  return member ?? failWith(401, 'invalid_select_member');
}

/** Where the paths of the request begin; refuses a folder of other people. */
function rootOf({ headers }: ServiceRequest, home: Account, service: Service): Root {
  const given = headers['loftbay-path-root'];
  if (given === undefined) return { home, folder: undefined, canWrite: true };
  const folder = service.folders.find(({ id }) => id === given);
  const role = folder?.members.get(home);
  const isAny = service.has('path-root-not-checked') && folder !== undefined;
  if (folder === undefined || (role === undefined && !isAny)) return fail('invalid_root');
  const canWrite = role === 'owner' || role === 'editor';
  return { home: folder.item.home, folder, canWrite };
}

/** A refusal whose summary ends in dots. */
function reword(answer: Answer): Answer {
  const json = answer.json as { readonly error_summary: string } | undefined;
  if (json === undefined) return answer;
  return { ...answer, json: { ...json, error_summary: `${json.error_summary}...` } };
}

function routesOf(service: Service): Routes {
  const on =
    (operation: Operation): Handler =>
    (incoming) => {
      try {
        const account = accountFor(incoming, service);
        const own: Root = { home: account, folder: undefined, canWrite: true };
        const isFiles = incoming.path.startsWith('/2/files/');
        const root = isFiles ? rootOf(incoming, account, service) : own;
        return operation({ incoming, service, account, root });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return service.varies('summaries-have-dots') ? reword(error.answer) : error.answer;
      }
    };
  const table: Readonly<Record<string, Operation>> = {
    'files/list_folder': listing.listFolder,
    'files/list_folder/continue': listing.continueListing,
    ...{ 'files/get_metadata': files.getMetadata, 'files/create_folder': files.createFolder },
    ...{ 'files/upload': files.upload, 'files/download': files.downloadFile },
    ...{ 'files/move': files.moveItem, 'files/copy': files.copyItem },
    ...{ 'files/delete': files.deleteItem, 'files/move_batch': files.moveBatch },
    ...{ 'files/delete_batch': files.deleteBatch, 'files/list_revisions': history.listRevisions },
    ...{ 'files/restore': history.restore, 'files/search': listing.searchFiles },
    ...{ 'files/search/continue': listing.continueSearch, 'files/tags/add': history.addTag },
    ...{ 'files/tags/remove': history.removeTag, 'files/tags/get': history.getTags },
    'sharing/create_shared_link': links.createLink,
    'sharing/modify_shared_link': links.modifyLink,
    'sharing/get_shared_link_metadata': links.getLink,
    'sharing/list_shared_links': links.listLinks,
    'sharing/revoke_shared_link': links.revokeLink,
    ...{ 'sharing/share_folder': sharing.shareFolder, 'sharing/list_folders': sharing.listFolders },
    'sharing/add_folder_members': sharing.addMembers,
    'sharing/remove_folder_member': sharing.removeMember,
    'sharing/list_folder_members': sharing.listMembers,
    'users/get_current_account': sharing.getAccount,
    'users/get_space_usage': sharing.getSpace,
  };
  const routes = Object.entries(table).map(([path, operation]) => {
    return [`/2/${path}`, { POST: on(operation) }] as const;
  });
  return Object.fromEntries(routes);
}
