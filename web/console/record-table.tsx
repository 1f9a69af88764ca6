import type { ComponentChildren, VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type {
  PlacedRecord,
  RecordList,
  ResourceBrief,
} from '../../src/server/console/console-api.ts';
import { countOf } from '../shared/text.ts';
import { LinksBelow, type RecordPlace } from './parents.tsx';
import { Button, Choice, Empty, type Option, Table, type TableSort, SearchBox } from './parts.tsx';
import { addRecord, DeleteButton, editRecord } from './record-dialogs.tsx';
import { matchesSearch, type RecordSearch } from './record-search.ts';
import { compareValues, isNested, isOpaque, readableValue } from './readable-value.ts';

/** The number of columns and of rows at first. */
const maxColumns = 7;
const maxRows = 200;

interface RecordTableProps {
  readonly place: RecordPlace;
  readonly choices: ComponentChildren;
  readonly list: RecordList;
}

/** The records of one resource, the last added first unless a column sorts them. */
export function RecordTable({ place, choices, list: { records, total } }: RecordTableProps): VNode {
  const { resource } = place;
  const [search, setSearch] = useState<RecordSearch>({ words: '', field: '' });
  const [max, setMax] = useState(maxRows);
  const isFresh = useFresh(place, records);
  const isOne = resource.kind === 'singleton';
  const found = records.filter((stored) => matchesSearch(stored, search)).toReversed();
  const [isWide, setWide] = useState(false);
  const layout = layOut(place, records, isWide);
  const { sort, sorted } = useSort(layout.columns);
  const fitting = sorted(found);
  return (
    <div>
      {isOne ? <PlaceOfOne place={place} /> : undefined}
      <RecordFilters
        place={place}
        choices={choices}
        records={records}
        fields={columnsOf(records, resource.identifier)}
        search={search}
        change={setSearch}
      />
      <div class="table-head">
        <p class="dim" role="status">
          {countText(Math.min(max, fitting.length), search.words === '' ? total : records.length)}
        </p>
        {layout.all > maxColumns ? (
          <Button class="quiet" aria-pressed={isWide} act={() => setWide(!isWide)}>
            {`All ${String(layout.all)} columns`}
          </Button>
        ) : undefined}
      </div>
      {records.length === 0 ? (
        <Empty>
          {isOne ? 'There is none yet.' : 'No records yet. Add one here, or by a request.'}
        </Empty>
      ) : fitting.length === 0 ? (
        <Empty>
          <p>{`No record has this${search.field === '' ? '' : ` in ${search.field}`}.`}</p>
          <Button act={() => setSearch({ words: '', field: '' })}>Clear the search</Button>
        </Empty>
      ) : (
        <Table
          caption={`Records of ${resource.name}`}
          heads={headsOf(resource, layout)}
          sort={sort}
        >
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

/** The location of a singleton: `One record for each record of owners, at /owners/{id}/profile.` */
export function PlaceOfOne({
  place: { resource, resources },
}: {
  readonly place: RecordPlace;
}): VNode {
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

interface SortedTable {
  readonly sort: TableSort;
  readonly sorted: (records: readonly PlacedRecord[]) => readonly PlacedRecord[];
}

/** Sorts by a column: upwards, downwards, and then as the records were added. */
function useSort(columns: readonly string[]): SortedTable {
  const [order, setOrder] = useState<TableSort['order']>();
  const choose = (column: string): void => {
    const isSame = order?.column === column;
    if (isSame && order.isDown) setOrder(undefined);
    else setOrder({ column, isDown: isSame });
  };
  const sorted = (records: readonly PlacedRecord[]): readonly PlacedRecord[] => {
    if (order === undefined) return records;
    const { column, isDown } = order;
    const up = records.toSorted((left, right) =>
      compareValues(left.record[column], right.record[column]),
    );
    return isDown ? up.toReversed() : up;
  };
  return { sort: { columns, order, choose }, sorted };
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
  readonly fields: readonly string[];
  readonly search: RecordSearch;
  readonly change: (search: RecordSearch) => void;
}

function RecordFilters(props: RecordFiltersProps): VNode {
  const { place, choices, records, fields, search, change } = props;
  return (
    <div class="filters">
      {choices}
      <SearchBox
        what={place.resource.name}
        words={search.words}
        change={(words) => change({ ...search, words })}
      />
      <Choice
        label="Search in the field"
        options={[['', 'Any field'], ...fields.map((name): Option => [name, name])]}
        value={search.field}
        change={(field) => change({ ...search, field })}
      />
      <Button class="primary" act={() => addRecord(place, records)}>
        Add a record
      </Button>
    </div>
  );
}

/** The columns of a table of records. */
interface Layout {
  /** The number of fields that the records have. */
  readonly all: number;
  /** Fields of the records, the identifier first if there is one. */
  readonly columns: readonly string[];
  /** Whether the table has records of all parents. */
  readonly isOpen: boolean;
  /** Whether a separate column shows the parents of a record. */
  readonly hasParents: boolean;
}

function layOut(
  { resource, parents }: RecordPlace,
  records: readonly PlacedRecord[],
  isWide: boolean,
): Layout {
  const isOpen = parents.length < resource.parents.length;
  const above = resource.parents.map(({ field }) => field);
  const all = columnsOf(records, resource.identifier);
  const columns = all
    .slice(0, isWide ? undefined : maxColumns)
    .filter((column) => isOpen || column === resource.identifier || !above.includes(column));
  const saysAbove = above.every((field) => field !== null && columns.includes(field));
  return {
    all: all.length,
    columns,
    isOpen,
    hasParents: isOpen && resource.kind !== 'singleton' && !saysAbove,
  };
}

/** The identifier first, then the most common fields; nested ones last. */
function columnsOf(records: readonly PlacedRecord[], identifier: string | null): string[] {
  const weights = new Map<string, number>();
  for (const { record } of records.slice(0, 50))
    for (const [name, value] of Object.entries(record))
      weights.set(name, (weights.get(name) ?? 0) + (isNested(value) ? 0.4 : 1));
  const names = [...weights].sort(([, left], [, right]) => right - left).map(([name]) => name);
  const others = names.filter((name) => name !== identifier);
  return [...(identifier === null ? [] : [identifier]), ...others];
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
          {isOne ? above : <Text text={stored.id} />}
        </Button>
      </td>
      {columns
        .filter((column) => column !== resource.identifier)
        .map((column) => (
          <Cell key={column} label={column} value={stored.record[column]} />
        ))}
      {hasParents ? <td>{above}</td> : undefined}
      <td class="row-actions">
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
        <DeleteButton place={place} stored={stored} name={name} />
      </td>
    </tr>
  );
}

/** A shortened value, whose title has all of it. Dates and numbers are not wrapped. */
function Cell({ label, value }: { readonly label: string; readonly value: unknown }): VNode {
  const whole = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const text = readableValue(value);
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return (
    <td
      class={/^.{1,20}$/.test(short) ? 'whole' : 'long'}
      data-label={label}
      title={short === whole ? undefined : whole}
    >
      <Text text={short} />
    </td>
  );
}

/** A text of which the beginning is shown if it is a long key. It is whole when it is copied. */
function Text({ text }: { readonly text: string }): VNode {
  return isOpaque(text) ? (
    <span class="opaque" title={text}>
      {text}
    </span>
  ) : (
    <>{text}</>
  );
}
