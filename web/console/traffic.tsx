import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TrafficEntry } from '../../src/server/console/console-api.ts';
import { Badge } from '../shared/elements.tsx';
import { countOf, duration, matchesWords, timeOf } from '../shared/text.ts';
import { type ConsoleApp, mockOrigin } from './app.tsx';
import { call } from './control-api.ts';
import { ExchangePanel, judgements, MethodMark, openClaim, StatusMark } from './exchange.tsx';
import { Button, Choice, Empty, Head, Link, type Option } from './parts.tsx';

/** The filters of the list; '' for no filter. */
interface Filters {
  readonly text: string;
  readonly method: string;
  readonly status: string;
  readonly operation: string;
  readonly session: string;
}

/** The filters persist while other parts are shown. */
let lastFilters: Filters = { text: '', method: '', status: '', operation: '', session: '' };

const statusClasses: readonly Option[] = [
  ['', 'Any status'],
  ['2', '2xx'],
  ['3', '3xx'],
  ['4', '4xx'],
  ['5', '5xx'],
  ['invalid', 'Invalid requests'],
  ['refused', 'Refused requests'],
  ['near', 'Near misses'],
];

function isWanted(
  entry: TrafficEntry,
  { text, method, status, operation, session }: Filters,
): boolean {
  const { reason, near, fault, scenario } = entry;
  return (
    (method === '' || entry.method === method) &&
    (operation === '' || entry.operation === operation) &&
    (session === '' || entry.session === session) &&
    hasStatus(entry, status) &&
    (text === '' ||
      matchesWords(
        [
          ...[entry.method, entry.target, entry.status, entry.operation, scenario],
          ...[entry.session, reason, near?.name, fault],
        ].join(' '),
        text,
      ))
  );
}

function hasStatus({ status, near, judgement }: TrafficEntry, wanted: string): boolean {
  if (wanted === '') return true;
  if (wanted === 'near') return near !== null;
  return /^\d$/.test(wanted) ? String(status).startsWith(wanted) : judgement === wanted;
}

/** The maximum number of exchanges in the list. */
const maxShown = 200;

interface TrafficProps {
  readonly app: ConsoleApp;
  /** The open exchange beside the list. */
  readonly chosen: number | undefined;
}

/** The exchanges as they arrive, newest first. */
export function TrafficView({ app, chosen }: TrafficProps): VNode {
  const { feed } = app;
  const [filters, setFilters] = useState(lastFilters);
  const [paused, setPaused] = useState(false);
  const { entries, newFrom, refresh } = useEntries(app, paused);
  const fitting = entries.filter((entry) => isWanted(entry, filters));
  const change = (changed: Partial<Filters>): void => {
    lastFilters = { ...filters, ...changed };
    setFilters(lastFilters);
    refresh();
  };
  const pause = (): void => {
    setPaused(!paused);
    if (paused) refresh();
  };
  return (
    <section class={chosen === undefined ? 'traffic' : 'traffic open'}>
      <Head title="Traffic">
        <p class="dim" id="traffic-count">
          {countText(app, filters, paused)}
        </p>
        <div class="actions">
          <Button act={() => openClaim(app)}>Verify…</Button>
          <Button id="pause" aria-pressed={paused} act={pause}>
            {paused ? 'Resume' : 'Pause'}
          </Button>
          <Button act={() => clearJournal(app)}>Clear</Button>
        </div>
      </Head>
      <FilterBar entries={feed.entries} filters={filters} change={change} />
      <div class="panes">
        <ol class="exchanges" aria-label="Exchanges, the newest first">
          {fitting.length === 0 ? (
            <li>{feed.entries.length === 0 ? <Welcome app={app} /> : <NothingFits />}</li>
          ) : undefined}
          {fitting.slice(0, maxShown).map((entry) => (
            <TrafficRow
              key={entry.id}
              entry={entry}
              isChosen={entry.id === chosen}
              isFresh={entry.id > newFrom}
            />
          ))}
        </ol>
        {chosen === undefined ? undefined : <ExchangePanel key={chosen} app={app} id={chosen} />}
      </div>
    </section>
  );
}

interface ShownEntries {
  readonly entries: readonly TrafficEntry[];
  /** Whether later exchanges arrived while the list was paused. */
  readonly newFrom: number;
  /** Adds the exchanges that arrived in the meantime. */
  refresh(): void;
}

/** The entries of the feed; while it is paused, those from before. */
function useEntries({ feed }: ConsoleApp, paused: boolean): ShownEntries {
  const takeAll = (): Omit<ShownEntries, 'refresh'> => ({
    entries: feed.entries,
    newFrom: feed.entries[0]?.id ?? 0,
  });
  const [shown, setShown] = useState(takeAll);
  useLayoutEffect(
    () =>
      feed.listen(({ kind }) => {
        setShown((before) => {
          if (paused || kind === 'live') return { ...before };
          return kind === 'replaced' ? takeAll() : { ...before, entries: feed.entries };
        });
      }),
    [paused],
  );
  return { ...shown, refresh: () => setShown(takeAll()) };
}

function countText({ feed: { entries } }: ConsoleApp, filters: Filters, paused: boolean): string {
  if (paused) return 'Paused: new exchanges wait.';
  const fitting = entries.filter((entry) => isWanted(entry, filters)).length;
  return fitting === entries.length
    ? countOf(fitting, 'exchange')
    : `${String(fitting)} of ${countOf(entries.length, 'exchange')}`;
}

async function clearJournal({ feed }: ConsoleApp): Promise<void> {
  await call('DELETE', '/journal');
  await feed.reload();
  location.hash = '#/traffic';
}

function NothingFits(): VNode {
  return <Empty>No exchange fits these filters.</Empty>;
}

function Welcome({ app }: { readonly app: ConsoleApp }): VNode {
  return (
    <Empty>
      <p class="big">No requests yet.</p>
      <p>
        Send a request to <code>{mockOrigin(app) + (app.facts.operations[0]?.base ?? '')}</code>,
        and it appears here at once. Or <a href="#/try">try an operation</a>.
      </p>
    </Empty>
  );
}

interface FilterBarProps {
  readonly entries: readonly TrafficEntry[];
  readonly filters: Filters;
  readonly change: (changed: Partial<Filters>) => void;
}

/** An open list of choices does not change. */
function FilterBar({ entries, filters, change }: FilterBarProps): VNode {
  const bar = useRef<HTMLDivElement>(null);
  const known = useRef(entries);
  if (bar.current?.contains(document.activeElement) !== true) known.current = entries;
  const choices = (
    label: string,
    member: 'method' | 'operation' | 'session',
  ): readonly Option[] => {
    const names = new Set(known.current.flatMap((entry) => entry[member] ?? []));
    return [['', label], ...[...names].sort().map((name): Option => [name, name])];
  };
  return (
    <div ref={bar} class="filters">
      <input
        type="search"
        id="search"
        placeholder="Search, or press /"
        aria-label="Search in traffic"
        value={filters.text}
        onInput={({ currentTarget: { value } }) => change({ text: value })}
      />
      <Choice
        label="Method"
        options={choices('Any method', 'method')}
        value={filters.method}
        change={(method) => change({ method })}
      />
      <Choice
        label="Status"
        options={statusClasses}
        value={filters.status}
        change={(status) => change({ status })}
      />
      <Choice
        label="Operation"
        options={choices('Any operation', 'operation')}
        value={filters.operation}
        change={(operation) => change({ operation })}
      />
      <Choice
        label="Session"
        options={choices('Any session', 'session')}
        value={filters.session}
        change={(session) => change({ session })}
      />
    </div>
  );
}

interface TrafficRowProps {
  readonly entry: TrafficEntry;
  readonly isChosen: boolean;
  readonly isFresh: boolean;
}

function TrafficRow({ entry, isChosen, isFresh }: TrafficRowProps): VNode {
  const { id, at, method, target, status, durationMs } = entry;
  return (
    <li class={isFresh ? 'fresh' : undefined}>
      <Link to={['traffic', String(id)]} class="exchange-row" current={isChosen} id={id}>
        <time dateTime={at} class="dim">
          {timeOf(at)}
        </time>
        <MethodMark method={method} />
        <span class="target">{target}</span>
        <StatusMark status={status} />
        <span class="dim number">{duration(durationMs)}</span>
        <Marks entry={entry} />
      </Link>
    </li>
  );
}

/** Notable facts about an exchange. */
function Marks({ entry }: { readonly entry: TrafficEntry }): VNode {
  const { judgement, scenario, near, fault, session, reason } = entry;
  const { kind, word } = judgements[judgement];
  const isPlain = judgement === 'valid' || (judgement === 'unknown' && scenario !== null);
  const why = reason ?? near?.message;
  return (
    <span class="marks">
      {isPlain ? undefined : (
        <Badge kind={kind} title={reason ?? undefined}>
          {word}
        </Badge>
      )}
      {near === null ? undefined : (
        <Badge kind="note" title={near.message}>{`nearly ${near.name}`}</Badge>
      )}
      {scenario === null ? undefined : (
        <Badge kind="note" title="The scenario that took part in the response">
          {scenario}
        </Badge>
      )}
      {fault === null ? undefined : (
        <Badge kind="error" title="The network fault of the response">
          {fault}
        </Badge>
      )}
      {session === null || session === 'default' ? undefined : (
        <Badge kind="none" title="The session">
          {session}
        </Badge>
      )}
      {why === undefined ? undefined : <span class="reason dim">{why}</span>}
    </span>
  );
}
