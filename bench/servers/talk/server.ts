import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import { listen, type Routes } from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import { method, type Call, type Form } from './call.ts';
import * as channels from './channels.ts';
import * as messages from './messages.ts';
import { openStore } from './store.ts';
import type { VariantName } from './variants.ts';

const pages = ['limit', 'cursor'] as const;
const reaction: Form = { needs: ['channel', 'timestamp', 'emoji'] };
const channel: Form = { needs: ['channel'] };

type Operate = (call: Call) => Readonly<Record<string, unknown>>;

/** HTTP method, what it does, and its arguments, by method of the service. */
const methods: Readonly<Record<string, readonly ['GET' | 'POST', Operate, Form]>> = {
  'auth.test': ['GET', channels.testAuth, {}],
  'users.list': ['GET', channels.listUsers, { takes: pages }],
  'channels.create': [
    'POST',
    channels.createChannel,
    { needs: ['name'], takes: ['is_private', 'topic'] },
  ],
  'channels.info': ['GET', channels.getChannel, { ...channel, takes: ['include_num_members'] }],
  'channels.list': [
    'GET',
    channels.listChannels,
    { takes: ['exclude_archived', 'types', ...pages] },
  ],
  'channels.rename': ['POST', channels.renameChannel, { needs: ['channel', 'name'] }],
  'channels.setTopic': ['POST', channels.setTopic, { needs: ['channel', 'topic'] }],
  'channels.archive': ['POST', channels.archiveChannel, channel],
  'channels.unarchive': ['POST', channels.unarchiveChannel, channel],
  'channels.invite': ['POST', channels.inviteUsers, { needs: ['channel', 'users'] }],
  'channels.members': ['GET', channels.listMembers, { ...channel, takes: pages }],
  'channels.history': [
    'GET',
    messages.readHistory,
    { ...channel, takes: ['oldest', 'latest', 'inclusive', ...pages] },
  ],
  'channels.replies': ['GET', messages.readThread, { needs: ['channel', 'ts'], takes: pages }],
  'chat.postMessage': [
    'POST',
    messages.postMessage,
    { needs: ['channel', 'text'], takes: ['thread_ts', 'client_msg_id'] },
  ],
  'chat.update': ['POST', messages.updateMessage, { needs: ['channel', 'ts', 'text'] }],
  'chat.delete': ['POST', messages.deleteMessage, { needs: ['channel', 'ts'] }],
  'reactions.add': ['POST', messages.addReaction, reaction],
  'reactions.remove': ['POST', messages.removeReaction, reaction],
};

/** Starts the service for talk on loopback. */
export function startTalk(how: Start = {}): Promise<ServerUnderTest> {
  const service = openStore(how);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && service.varies(manner as VariantName);
  const routes: Routes = Object.fromEntries(
    Object.entries(methods).map(([name, [verb, operate, form]]) => [
      `/api/${name}`,
      { [verb]: method(service, operate, form) },
    ]),
  );
  return listen(routes, { port: how.port, isWritten });
}
