import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type {
  SessionBrief,
  SessionList,
  SnapshotList,
} from '../../src/server/console/console-api.ts';
import { Badge } from '../shared/elements.tsx';
import { countOf, encode, timeOf } from '../shared/text.ts';
import { type ConsoleApp, type Route, say } from './app.tsx';
import { call, callText } from './control-api.ts';
import { Button, confirm, Form, Head, openDialog, Table } from './parts.tsx';

/** The isolated copies of the records. */
export async function loadSessions(_route: Route, app: ConsoleApp): Promise<VNode> {
  const { sessions, browser } = await call<SessionList>('GET', '/sessions');
  return (
    <section>
      <Head title="Sessions">
        <p class="dim">{countOf(sessions.length, 'session')}</p>
      </Head>
      <p class="dim">
        A session is an isolated copy of the records. A request names one with the header{' '}
        <code>Vouch-Session: name</code>; without it, the session is <code>default</code>. For a new
        one, send a request with it, or choose “A new session…” in the menu of sessions.
      </p>
      <Table
        caption="Sessions"
        heads={['Session', 'Records', 'Exchanges', '']}
        numbers={['Records', 'Exchanges']}
      >
        {sessions.map((session) => (
          <SessionRow
            key={session.name}
            app={app}
            session={session}
            isOwn={session.name === browser}
          />
        ))}
      </Table>
    </section>
  );
}

interface SessionRowProps {
  readonly app: ConsoleApp;
  readonly session: SessionBrief;
  /** Whether the start page gave it to this browser. */
  readonly isOwn: boolean;
}

function SessionRow({ app, session: { name, records, exchanges }, isOwn }: SessionRowProps): VNode {
  const isShown = name === app.session;
  const show = (): void => {
    app.chooseSession(name);
    location.hash = '#/records';
  };
  return (
    <tr>
      <td>
        <b>{name}</b>
        {isOwn ? <small class="dim"> this browser</small> : undefined}
        {isShown ? (
          <>
            {' '}
            <Badge kind="kept">shown</Badge>
          </>
        ) : undefined}
      </td>
      <td class="number">{records ?? 'many'}</td>
      <td class="number">{exchanges}</td>
      <td class="number">
        {isShown ? undefined : (
          <Button aria-label={`Show ${name}`} act={show}>
            Show
          </Button>
        )}{' '}
        <Button class="quiet" aria-label={`Drop ${name}`} act={() => dropSession(app, name)}>
          Drop
        </Button>
      </td>
    </tr>
  );
}

function dropSession(app: ConsoleApp, name: string): void {
  confirm({
    title: `Drop session ${name}?`,
    text: 'Its records, how far its scenarios have come, and its exchanges are forgotten.',
    verb: 'Drop',
    act: async () => {
      await callText('DELETE', `/sessions/${encode(name)}`);
      say('Dropped.');
      await app.feed.reload();
      void app.reload();
    },
  });
}

/** Resets a session to its fixtures after confirmation. */
export function resetSession(app: ConsoleApp): void {
  confirm({
    title: `Reset session ${app.session}?`,
    text:
      'Its records go back to the fixtures, every scenario to its first step, ' +
      'and its exchanges are forgotten.',
    verb: 'Reset',
    act: async () => {
      await callText('POST', '/reset', { body: { session: app.session } });
      say('Reset.');
      await app.feed.reload();
      void app.reload();
    },
  });
}

type Snapshot = SnapshotList['snapshots'][number];

/** Takes snapshots of the records and restores them. */
export async function showSnapshots(app: ConsoleApp): Promise<void> {
  const snapshots = await loadSnapshots();
  openDialog('Snapshots', (dialog) => (
    <Snapshots app={app} snapshots={snapshots} close={() => dialog.close()} />
  ));
}

async function loadSnapshots(): Promise<readonly Snapshot[]> {
  return (await call<SnapshotList>('GET', '/snapshots')).snapshots;
}

interface SnapshotsProps {
  readonly app: ConsoleApp;
  readonly snapshots: readonly Snapshot[];
  readonly close: () => void;
}

function Snapshots({ app, snapshots: first, close }: SnapshotsProps): VNode {
  const { session } = app;
  const [snapshots, setSnapshots] = useState(first);
  const [name, setName] = useState(
    `before-${new Date().toTimeString().slice(0, 5).replace(':', '')}`,
  );
  const tell = async (text: string): Promise<void> => {
    say(text);
    setSnapshots(await loadSnapshots());
  };
  const take = async (): Promise<void> => {
    await callText('POST', '/snapshots', { body: { name, session } });
    await tell('Taken.');
  };
  const restore = async (each: string): Promise<void> => {
    await callText('POST', `/snapshots/${encode(each)}/restore`, { body: { session } });
    await tell('Restored.');
    void app.reload();
  };
  const forget = async (each: string): Promise<void> => {
    await callText('DELETE', `/snapshots/${encode(each)}`);
    await tell('Forgotten.');
  };
  return (
    <>
      <Form class="inline" submit={take}>
        <input
          aria-label="Name of the snapshot"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" class="primary">
          {`Take one of ${session}`}
        </button>
      </Form>
      <SnapshotRows snapshots={snapshots} restore={restore} forget={forget} />
      <div class="actions">
        <Button act={close}>Close</Button>
      </div>
    </>
  );
}

interface SnapshotRowsProps {
  readonly snapshots: readonly Snapshot[];
  readonly restore: (name: string) => Promise<void>;
  readonly forget: (name: string) => Promise<void>;
}

function SnapshotRows({ snapshots, restore, forget }: SnapshotRowsProps): VNode {
  return (
    <ul class="plain rows">
      {snapshots.length === 0 ? (
        <li class="dim">None yet. A snapshot keeps the records as they are, to go back to.</li>
      ) : undefined}
      {snapshots.map(({ name, takenAt, records }) => (
        <li key={name}>
          <div>
            <b>{name}</b>
            <div class="dim">{`${timeOf(takenAt)} · ${countOf(records, 'record')}`}</div>
          </div>
          <Button act={() => restore(name)}>Restore</Button>
          <Button class="quiet" act={() => forget(name)}>
            Forget
          </Button>
        </li>
      ))}
    </ul>
  );
}
