import type { ComponentChildren, VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type {
  PlacedRecord,
  RecordList,
  ResourceBrief,
  ResourceList,
} from '../../src/server/console/console-api.ts';
import { countOf, ExactNumber, indentJson, matchesWords } from '../shared/text.ts';
import { addressOf, type ConsoleApp, inSession, type Route, useFollowing } from './app.tsx';
import { call, Refusal } from './control-api.ts';
import {
  LinksBelow,
  loadParents,
  ParentFields,
  type RecordPlace,
  recordsPath,
} from './parents.tsx';
import { Button, Empty, Head, Link, Table } from './parts.tsx';
import { addRecord, deleteRecord, editRecord, titleOf } from './record-dialogs.tsx';
import { resetSession, showSnapshots } from './sessions.tsx';

/** Shows the records of the mock, and changes them. */
export async function loadState(route: Route, app: ConsoleApp): Promise<VNode> {
  const { resources } = await call<ResourceList>('GET', inSession(app, '/resources'));
  const name = route[1] ?? resources[0]?.name ?? '';
  const resource = resources.find((each) => each.name === name);
  if (resource === undefined)
    return (
      <StateView app={app} resources={[]} chosen={name}>
        <Empty>
          {resources.length === 0
            ? 'The contract has no records: ' +
              'every operation is answered from its examples and schemas.'
            : `There are no records called ${name}.`}
        </Empty>
      </StateView>
    );
  const words = route.slice(2, 2 + resource.parents.length);
  const place = { app, resource, resources, parents: words.filter((word) => word !== '') };
  return (
    <StateView app={app} resources={resources} chosen={name}>
      {await loadKind(place)}
    </StateView>
  );
}

interface StateViewProps {
  readonly app: ConsoleApp;
  readonly resources: readonly ResourceBrief[];
  /** The name of the current resource. */
  readonly chosen: string;
  readonly children: ComponentChildren;
}

function StateView({ app, resources, chosen, children }: StateViewProps): VNode {
  useFollowing(app);
  return (
    <section>
      <Head title="Records">
        <p class="dim">{`Session ${app.session}`}</p>
        <div class="actions">
          <Button act={() => showSnapshots(app)}>Snapshots…</Button>
          <Button act={() => resetSession(app)}>Reset…</Button>
        </div>
      </Head>
      {resources.length === 0 ? undefined : (
        <div class="chips" role="group" aria-label="Kinds of records">
          {resources.map((each) => (
            <Link
              to={['records', each.name]}
              class="chip"
              title={each.path}
              current={each.name === chosen}
            >
              {each.name}
              <span class="count">{` ${amountOf(each)}`}</span>
            </Link>
          ))}
        </div>
      )}
      {children}
    </section>
  );
}

/** The number of records; '' if too many parents would have to be searched. */
function amountOf({ kind, parents, count }: ResourceBrief): string {
  if (count === null) return '';
  if (kind === 'singleton' && parents.length === 0) return count === 0 ? 'none' : 'one record';
  return String(count);
}

/** Shows one record in full and several in a table, also for singletons below other records. */
async function loadKind(place: RecordPlace): Promise<VNode> {
  const { resource, parents } = place;
  const fields = await loadParents(place);
  const choices =
    fields.length === 0 ? undefined : (
      <ParentFields
        fields={fields}
        any="any"
        change={(chosen) => {
          location.hash = addressOf(['records', resource.name, ...chosen]);
        }}
      />
    );
  const isOne = resource.kind === 'singleton' && parents.length === resource.parents.length;
  try {
    return isOne ? await loadOne(place, choices) : await loadMany(place, choices);
  } catch (error) {
    // The parent records may have been deleted; others can be chosen.
    if (!(error instanceof Refusal) || error.status !== 404) throw error;
    return (
      <div>
        <div class="filters">{choices}</div>
        <Empty>{error.message}</Empty>
      </div>
    );
  }
}

async function loadOne(place: RecordPlace, choices: VNode | undefined): Promise<VNode> {
  const { records } = await call<RecordList>('GET', recordsPath(place));
  return <OneRecord place={place} choices={choices} records={records} />;
}

async function loadMany(place: RecordPlace, choices: VNode | undefined): Promise<VNode> {
  const { resource, parents } = place;
  if (resource.count === null && parents.length < resource.parents.length)
    return (
      <div>
        <div class="filters">{choices}</div>
        <Empty>There are too many parent records to list all of these. Choose one parent.</Empty>
      </div>
    );
  // Those that were added last, in the order in which they were added.
  const offset = Math.max(0, (resource.count ?? 0) - maxLoaded);
  const path = `${recordsPath(place)}&limit=${String(maxLoaded)}`;
  const list = await call<RecordList>(
    'GET',
    parents.length === resource.parents.length && parents.length === 0
      ? `${path}&offset=${String(offset)}`
      : path,
  );
  return <RecordTable place={place} choices={choices} list={list} />;
}

interface OneRecordProps {
  readonly place: RecordPlace;
  readonly choices: ComponentChildren;
  readonly records: readonly PlacedRecord[];
}

/** The record of a singleton, field by field. */
function OneRecord({ place, choices, records }: OneRecordProps): VNode {
  const [stored] = records;
  return (
    <div>
      <PlaceOfOne place={place} />
      {choices === undefined ? undefined : <div class="filters">{choices}</div>}
      {stored === undefined ? (
        <Empty>
          <p>There is none now: requests for it get an error.</p>
          <Button class="primary" act={() => addRecord(place, records)}>
            Add it
          </Button>
        </Empty>
      ) : (
        <RecordCard place={place} stored={stored} />
      )}
    </div>
  );
}

/** The location of a singleton: `One record for each record of owners, at /owners/{id}/profile.` */
function PlaceOfOne({ place: { resource, resources } }: { readonly place: RecordPlace }): VNode {
  const above = resource.parents.at(-1);
  const isKnown = resources.some(({ name }) => name === above?.resource);
  const each =
    above === undefined
      ? ''
      : ` for each ${isKnown ? `record of ${above.resource ?? ''}` : above.parameter}`;
  return (
    <p class="dim">
      {`One record${each}, at `}
      <code>{resource.path}</code>.
    </p>
  );
}

interface RecordCardProps {
  readonly place: RecordPlace;
  readonly stored: PlacedRecord;
}

function RecordCard({ place, stored }: RecordCardProps): VNode {
  const name = titleOf(place.resource, stored);
  const fields = Object.entries(stored.record);
  return (
    <section class="card one" aria-label={name}>
      <div class="head">
        <h2>{name}</h2>
        <div class="actions">
          {place.resource.removable ? (
            <Button
              class="quiet"
              aria-label={`Delete ${name}`}
              act={() => deleteRecord(place, stored)}
            >
              Delete
            </Button>
          ) : undefined}
          <Button class="primary" aria-label={`Edit ${name}`} act={() => editRecord(place, stored)}>
            Edit
          </Button>
        </div>
      </div>
      {fields.length === 0 ? <p class="dim">It has no fields.</p> : undefined}
      <dl hidden={fields.length === 0}>
        {fields.map(([field, value]) => (
          <>
            <dt>{field}</dt>
            <dd>
              <FieldValue value={value} />
            </dd>
          </>
        ))}
      </dl>
    </section>
  );
}

/** Nested values are shown as JSON; numbers keep every digit. */
function FieldValue({ value }: { readonly value: unknown }): VNode {
  if (value === '') return <span class="dim">an empty text</span>;
  if (typeof value === 'string') return <>{value}</>;
  const text = JSON.stringify(value);
  return <code>{text.length > 30 ? indentJson(text) : text}</code>;
}

/** The maximum number of columns, and of rows at first. */
const maxColumns = 7;
const maxRows = 200;
/** The maximum number of records in a response. */
const maxLoaded = 1000;

interface RecordTableProps {
  readonly place: RecordPlace;
  readonly choices: ComponentChildren;
  readonly list: RecordList;
}

/** The records of one resource, the last added first, with a search. */
function RecordTable({ place, choices, list: { records, total } }: RecordTableProps): VNode {
  const { resource } = place;
  const [words, setWords] = useState('');
  const [max, setMax] = useState(maxRows);
  const isFresh = useFresh(place, records);
  const isOne = resource.kind === 'singleton';
  const fitting = records
    .filter(({ id, record }) => matchesWords(`${id} ${JSON.stringify(record)}`, words))
    .toReversed();
  const layout = layOut(place, records);
  return (
    <div>
      {isOne ? <PlaceOfOne place={place} /> : undefined}
      <RecordFilters
        place={place}
        choices={choices}
        records={records}
        words={words}
        search={setWords}
      />
      <p class="dim" role="status">
        {countText(Math.min(max, fitting.length), words === '' ? total : records.length)}
      </p>
      {records.length === 0 ? (
        <Empty>
          {isOne ? 'There is none yet.' : 'No records yet. Add one here, or by a request.'}
        </Empty>
      ) : (
        <Table caption={`Records of ${resource.name}`} heads={headsOf(resource, layout)}>
          {fitting.slice(0, max).map((stored) => (
            <RecordRow
              key={keyOf(stored)}
              place={place}
              layout={layout}
              stored={stored}
              isFresh={isFresh(stored)}
            />
          ))}
        </Table>
      )}
      {fitting.length > max ? (
        <Button class="more" act={() => setMax(max + maxRows)}>
          {`Show ${countOf(Math.min(maxRows, fitting.length - max), 'older record')}`}
        </Button>
      ) : undefined}
    </div>
  );
}

function countText(shown: number, total: number): string {
  const all = countOf(total, 'record');
  return shown === total ? all : `${String(shown)} of ${all}`;
}

function keyOf({ parents, id }: PlacedRecord): string {
  return [...parents, id].join('/');
}

/** Marks the records that were added while the table is open. */
function useFresh(
  { resource, parents }: RecordPlace,
  records: readonly PlacedRecord[],
): (record: PlacedRecord) => boolean {
  const place = [resource.name, ...parents].join('/');
  const known = useRef({ place: '', keys: new Set<string>() });
  if (known.current.place !== place) known.current = { place, keys: new Set(records.map(keyOf)) };
  const { keys } = known.current;
  return (record) => !keys.has(keyOf(record));
}

interface RecordFiltersProps {
  readonly place: RecordPlace;
  readonly choices: ComponentChildren;
  readonly records: readonly PlacedRecord[];
  readonly words: string;
  readonly search: (words: string) => void;
}

function RecordFilters(props: RecordFiltersProps): VNode {
  const { place, choices, records, words, search } = props;
  return (
    <div class="filters">
      {choices}
      <input
        type="search"
        id="search"
        placeholder="Search, or press /"
        aria-label={`Search in ${place.resource.name}`}
        value={words}
        onInput={({ currentTarget }) => search(currentTarget.value)}
      />
      <Button class="primary" act={() => addRecord(place, records)}>
        Add a record
      </Button>
    </div>
  );
}

/** The columns of a table of records. */
interface Layout {
  /** Fields of the records, the identifier first if there is one. */
  readonly columns: readonly string[];
  /** Whether the table has records of all parents. */
  readonly isOpen: boolean;
  /** Whether a separate column shows the parents of a record. */
  readonly hasParents: boolean;
}

function layOut({ resource, parents }: RecordPlace, records: readonly PlacedRecord[]): Layout {
  const isOpen = parents.length < resource.parents.length;
  const above = resource.parents.map(({ field }) => field);
  const columns = columnsOf(records, resource.identifier).filter(
    (column) => isOpen || column === resource.identifier || !above.includes(column),
  );
  const saysAbove = above.every((field) => field !== null && columns.includes(field));
  return { columns, isOpen, hasParents: isOpen && resource.kind !== 'singleton' && !saysAbove };
}

/** The identifier first, then the most common fields; nested ones last. */
function columnsOf(records: readonly PlacedRecord[], identifier: string | null): string[] {
  const weights = new Map<string, number>();
  for (const { record } of records.slice(0, 50))
    for (const [name, value] of Object.entries(record))
      weights.set(name, (weights.get(name) ?? 0) + (isDeep(value) ? 0.4 : 1));
  const names = [...weights].sort(([, left], [, right]) => right - left).map(([name]) => name);
  const others = names.filter((name) => name !== identifier);
  return [...(identifier === null ? [] : [identifier]), ...others].slice(0, maxColumns);
}

function isDeep(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

/** Records of a singleton are identified by their parents. */
function headsOf(resource: ResourceBrief, { columns, hasParents }: Layout): string[] {
  const parameters = resource.parents.map(({ parameter }) => parameter).join(' / ');
  const isOne = resource.kind === 'singleton';
  return [...(isOne ? [parameters] : []), ...columns, ...(hasParents ? [parameters] : []), ''];
}

interface RecordRowProps {
  readonly place: RecordPlace;
  readonly layout: Layout;
  readonly stored: PlacedRecord;
  readonly isFresh: boolean;
}

function RecordRow({ place, layout, stored, isFresh }: RecordRowProps): VNode {
  const { resource, resources } = place;
  const { columns, isOpen, hasParents } = layout;
  const isOne = resource.kind === 'singleton';
  const above = stored.parents.join(' / ');
  const name = isOpen ? `${isOne ? resource.name : stored.id} below ${above}` : stored.id;
  return (
    <tr class={isFresh ? 'fresh' : undefined}>
      <td>
        <Button
          class="plain-link"
          aria-label={`Edit ${name}`}
          act={() => editRecord(place, stored)}
        >
          {isOne ? above : stored.id}
        </Button>
      </td>
      {columns
        .filter((column) => column !== resource.identifier)
        .map((column) => (
          <Cell key={column} value={stored.record[column]} />
        ))}
      {hasParents ? <td>{above}</td> : undefined}
      <td class="number">
        {isOne ? undefined : (
          <LinksBelow
            resource={resource}
            resources={resources}
            parents={[...stored.parents, stored.id]}
          />
        )}
        {isOne ? undefined : (
          <Button
            class="quiet"
            aria-label={`Duplicate ${name}`}
            act={() => addRecord(place, [stored], stored)}
          >
            Duplicate
          </Button>
        )}
        {resource.removable ? (
          <Button
            class="quiet"
            aria-label={`Delete ${name}`}
            act={() => deleteRecord(place, stored)}
          >
            Delete
          </Button>
        ) : undefined}
      </td>
    </tr>
  );
}

/** A shortened value. Dates and numbers are not wrapped. */
function Cell({ value }: { readonly value: unknown }): VNode {
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return (
    <td
      class={/^\S{1,20}$/.test(short) ? 'whole' : 'long'}
      title={short === text ? undefined : text}
    >
      {short}
    </td>
  );
}
