import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TrafficEntry, TrafficNews } from '../../src/server/console/console-api.ts';
import { Badge, MethodMark } from '../shared/elements.tsx';
import { countOf, duration, encode, timeOf } from '../shared/text.ts';
import { type ConsoleApp, guarded, mockOrigin } from './app.tsx';
import { call } from './control-api.ts';
import { ExchangePanel, judgements, openClaim, StatusMark } from './exchange.tsx';
import { Button, Choice, Empty, Head, Link, type Option, SearchBox } from './parts.tsx';

/** The filters of the list; '' for no filter. */
interface Filters {
  readonly text: string;
  readonly method: string;
  readonly status: string;
  readonly operation: string;
  readonly session: string;
  /** `true`: sent by a check; `false`: by others. */
  readonly check: string;
}

const noFilters: Filters = {
  text: '',
  method: '',
  status: '',
  operation: '',
  session: '',
  check: '',
};

/** The filters persist while other pages are shown. */
let lastFilters = noFilters;

const statusClasses: readonly Option[] = [
  ['', 'Any status'],
  ['2XX', '2xx'],
  ['3XX', '3xx'],
  ['4XX', '4xx'],
  ['5XX', '5xx'],
  ['invalid', 'Invalid requests'],
  ['refused', 'Refused requests'],
  ['near', 'Near misses'],
];

const senders: readonly Option[] = [
  ['', 'Any sender'],
  ['false', 'Not a check'],
  ['true', 'A check'],
];

/** The filters as the query of `GET /traffic`; '' without filters. */
function queryOf({ text, status, method, operation, session, check }: Filters): string {
  const filters = {
    ...(status === 'near'
      ? { near: 'true' }
      : { [/^\dXX$/.test(status) ? 'status' : 'judgement']: status }),
    ...{ search: text.trim(), method, operation, session, check },
  };
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  return given.map(([name, value]) => `${name}=${encode(value)}`).join('&');
}

/** How many exchanges are shown at first, and how many more each time. */
const step = 200;

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
  const list = useList(app, queryOf(filters), paused);
  const change = (changed: Partial<Filters>): void => {
    lastFilters = { ...filters, ...changed };
    setFilters(lastFilters);
  };
  return (
    <section class={chosen === undefined ? 'traffic' : 'traffic open'}>
      <Head title="Traffic">
        <p class="dim" id="traffic-count" role="status">
          {paused ? 'Paused: new exchanges wait.' : countText(list) + droppedText(feed.forgotten)}
        </p>
        <div class="actions">
          <Button act={() => openClaim(app)}>Assert…</Button>
          <Button id="pause" aria-pressed={paused} act={() => setPaused(!paused)}>
            {paused ? 'Resume' : 'Pause'}
          </Button>
          <Button act={() => clearJournal(app)}>Clear</Button>
        </div>
      </Head>
      <FilterBar entries={feed.entries} filters={filters} change={change} />
      <div class="panes">
        <ExchangeList app={app} list={list} chosen={chosen} clear={() => change(noFilters)} />
        {chosen === undefined ? undefined : <ExchangePanel key={chosen} app={app} id={chosen} />}
      </div>
    </section>
  );
}

interface ExchangeListProps {
  readonly app: ConsoleApp;
  readonly list: TrafficList;
  readonly chosen: number | undefined;
  readonly clear: () => void;
}

function ExchangeList({ app, list, chosen, clear }: ExchangeListProps): VNode {
  const { entries, matching, newFrom, showMore } = list;
  return (
    <div class="exchanges">
      <div class="exchange-head" aria-hidden="true">
        <span>Time</span>
        <span>Method</span>
        <span>Request</span>
        <span>Result</span>
        <span>Status</span>
        <span class="number">Duration</span>
      </div>
      {entries.length === 0 ? (
        list.total === 0 ? (
          <Welcome app={app} />
        ) : (
          <Empty>
            <p>No exchange matches these filters.</p>
            <Button act={clear}>Clear the filters</Button>
          </Empty>
        )
      ) : undefined}
      <ol class="plain" aria-label="Exchanges, the newest first">
        {rowsOf(entries, list.folds).map((row) => (
          <TrafficRows
            key={(list.folds ? row[0]?.run : undefined) ?? row[0]?.id}
            entries={row}
            chosen={chosen}
            newFrom={newFrom}
          />
        ))}
      </ol>
      {matching > entries.length ? (
        <Button class="more" act={showMore}>
          {`Load ${countOf(Math.min(step, matching - entries.length), 'older exchange')}`}
        </Button>
      ) : undefined}
    </div>
  );
}

/**
 * The rows of the list: one for each exchange, and one for all that a run of a check has sent,
 * where its newest is.
 */
function rowsOf(
  entries: readonly TrafficEntry[],
  folds: boolean,
): readonly (readonly TrafficEntry[])[] {
  if (!folds) return entries.map((entry) => [entry]);
  return [...Map.groupBy(entries, ({ id, run }) => run ?? id).values()];
}

/** The newest exchanges, as many as fill this number of rows. */
function firstRows(entries: readonly TrafficEntry[], limit: number): readonly TrafficEntry[] {
  const shown = new Set(rowsOf(entries, true).slice(0, limit).flat());
  return entries.filter((entry) => shown.has(entry));
}

interface RowsProps {
  /** One exchange, or those of a run. */
  readonly entries: readonly TrafficEntry[];
  readonly chosen: number | undefined;
  readonly newFrom: number;
}

/** An exchange, or a run of a check that opens to show its exchanges. */
function TrafficRows({ entries, chosen, newFrom }: RowsProps): VNode {
  const [newest] = entries;
  const [isOpen, setOpen] = useState(entries.some(({ id }) => id === chosen));
  const isRun = entries.length > 1;
  return (
    <>
      {isRun && newest !== undefined ? (
        <li>
          <Button class="run-row" aria-expanded={isOpen} act={() => setOpen(!isOpen)}>
            <time dateTime={newest.at} class="dim">
              {timeOf(newest.at)}
            </time>
            <span>{`A check: ${countOf(entries.length, 'request')}`}</span>
            <span class="dim">{newest.run}</span>
          </Button>
        </li>
      ) : undefined}
      {isRun && !isOpen
        ? undefined
        : entries.map((entry) => (
            <TrafficRow
              key={entry.id}
              entry={entry}
              isChosen={entry.id === chosen}
              isFresh={entry.id > newFrom}
            />
          ))}
    </>
  );
}

/** The exchanges in the list, of all that match. */
interface TrafficList {
  readonly entries: readonly TrafficEntry[];
  /** How many exchanges match the filters, and how many there are. */
  readonly matching: number;
  readonly total: number;
  /** Exchanges after this one arrived while the page was open. */
  readonly newFrom: number;
  readonly showMore: () => Promise<void>;
  /** Whether a run of a check is one row: a search shows each exchange that it has found. */
  readonly folds: boolean;
}

/** Of the feed without filters; otherwise the mock searches its whole journal. */
function useList(app: ConsoleApp, query: string, paused: boolean): TrafficList {
  const { feed } = app;
  const [limit, setLimit] = useState(step);
  const [newFrom] = useState(feed.entries[0]?.id ?? 0);
  const entries = useFeed(app, paused);
  const found = useSearch(app, query, paused);
  useLayoutEffect(() => setLimit(step), [query]);
  if (query !== '' && found !== undefined)
    return { ...found, total: feed.total, newFrom, folds: false, showMore: () => found.loadMore() };
  return {
    entries: firstRows(entries, limit),
    folds: true,
    matching: feed.total,
    total: feed.total,
    newFrom,
    showMore: async () => {
      if (limit + step > entries.length) await feed.loadOlder();
      setLimit(limit + step);
    },
  };
}

/** The entries of the feed; while it is paused, those from before. */
function useFeed({ feed }: ConsoleApp, paused: boolean): readonly TrafficEntry[] {
  const [, draw] = useState<object>();
  const shown = useRef(feed.entries);
  if (!paused) shown.current = feed.entries;
  useLayoutEffect(() => feed.listen(() => draw({})), []);
  return shown.current;
}

interface Found {
  readonly entries: readonly TrafficEntry[];
  readonly matching: number;
}

const typingMs = 150;
const refreshMs = 300;

/** A page of the exchanges that match a query. */
async function searchTraffic(query: string, before?: number): Promise<Found> {
  const place = before === undefined ? '' : `&before=${String(before)}`;
  const { exchanges, matching } = await call<TrafficNews>('GET', `/traffic?${query}${place}`);
  return { entries: exchanges.toReversed(), matching };
}

/** The first page again, with the older exchanges that are loaded already. */
function renewed(first: Found, { entries }: Found, older: number): Found {
  const last = first.entries.at(-1)?.id ?? 0;
  const rest = entries.filter(({ id }) => id < last).slice(0, older);
  return { ...first, entries: [...first.entries, ...rest] };
}

/**
 * Searches the journal of the mock: once typing ends, and again after exchanges arrive. Undefined
 * before the first result.
 */
function useSearch(
  { feed }: ConsoleApp,
  query: string,
  paused: boolean,
): (Found & { readonly loadMore: () => Promise<void> }) | undefined {
  const [found, setFound] = useState<Found>();
  const older = useRef(0);
  useEffect(() => {
    if (query === '') setFound(undefined);
    if (query === '' || paused) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCurrent = true;
    older.current = 0;
    const search = async (): Promise<void> => {
      timer = undefined;
      const first = await searchTraffic(query);
      if (isCurrent) setFound((before) => (before ? renewed(first, before, older.current) : first));
    };
    const later = (pause: number): void => {
      timer ??= setTimeout(() => void guarded(search), pause);
    };
    later(typingMs);
    const unlisten = feed.listen(({ kind }) => {
      if (kind !== 'live') later(refreshMs);
    });
    return () => {
      isCurrent = false;
      clearTimeout(timer);
      unlisten();
    };
  }, [query, paused]);
  if (found === undefined) return undefined;
  const loadMore = async (): Promise<void> => {
    const more = await searchTraffic(query, found.entries.at(-1)?.id);
    older.current += step;
    setFound({ ...more, entries: [...found.entries, ...more.entries] });
  };
  return { ...found, loadMore };
}

/** `12 exchanges`, `200 of 1,000 exchanges`, `200 of 431 matches in 1,000 exchanges`. */
function countText({ entries, matching, total }: TrafficList): string {
  const all = countOf(total, 'exchange');
  const number = (count: number): string => count.toLocaleString('en-US');
  if (entries.length === total) return all;
  if (entries.length === matching || matching === total)
    return `${number(entries.length)} of ${all}`;
  return `${number(entries.length)} of ${number(matching)} matches in ${all}`;
}

/** The journal keeps the newest exchanges. */
function droppedText(forgotten: number): string {
  return forgotten === 0 ? '' : `; ${countOf(forgotten, 'older one')} dropped to make room`;
}

export async function clearJournal({ feed }: ConsoleApp): Promise<void> {
  await call('DELETE', '/journal');
  await feed.reload();
  location.hash = '#/traffic';
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
  const [isOpen, setOpen] = useState(false);
  const { text: _text, ...chosen } = filters;
  const active = Object.values(chosen).filter((value) => value !== '').length;
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
    <div ref={bar} class={isOpen ? 'filters' : 'filters folded'}>
      <SearchBox what="traffic" words={filters.text} change={(text) => change({ text })} />
      <Button class="unfold" aria-expanded={isOpen} act={() => setOpen(!isOpen)}>
        {active === 0 ? 'Filters' : `Filters (${String(active)})`}
      </Button>
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
      <Choice
        label="Sender"
        options={senders}
        value={filters.check}
        change={(check) => change({ check })}
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
        <Marks entry={entry} />
        <StatusMark status={status} />
        <span class="dim number">{duration(durationMs)}</span>
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
