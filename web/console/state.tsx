import type { ComponentChildren, VNode } from 'preact';
import type {
  PlacedRecord,
  RecordList,
  ResourceBrief,
  ResourceList,
} from '../../src/server/console/console-api.ts';
import { Fact } from '../shared/elements.tsx';
import { indentJson } from '../shared/text.ts';
import { addressOf, type ConsoleApp, inSession, type Route, useFollowing } from './app.tsx';
import { call, Refusal } from './control-api.ts';
import { loadParents, ParentFields, type RecordPlace, recordsPath } from './parents.tsx';
import { Button, Choice, Empty, Field, Head, Link, type Option } from './parts.tsx';
import { addRecord, DeleteButton, editRecord, titleOf } from './record-dialogs.tsx';
import { PlaceOfOne, RecordTable } from './record-table.tsx';
import { resetSession, showSnapshots } from './sessions.tsx';

/** The maximum number of records in a response. */
const maxLoaded = 1000;

/** Shows the records of the mock, and changes them. */
export async function loadState(route: Route, app: ConsoleApp): Promise<VNode> {
  const { resources } = await call<ResourceList>('GET', inSession(app, '/resources'));
  const name = route[1] ?? collectionsOf(resources)[0]?.name ?? '';
  const resource = resources.find((each) => each.name === name);
  if (resource === undefined)
    return (
      <StateView app={app} resources={[]} chosen={name}>
        <Empty>
          {resources.length === 0 ? (
            <>
              <p>The contract has no records: its examples and schemas answer every operation.</p>
              <a href="#/try">Try an operation</a>, or script answers by{' '}
              <a href="#/scenarios">a scenario</a>.
            </>
          ) : (
            <>
              <p>{`There are no records called ${name}.`}</p>
              <a href="#/records">Show those that there are</a>
            </>
          )}
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
  const collection = resources.find(({ name }) => name === chosen)?.collection;
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
          {collectionsOf(resources).map((each) => (
            <Link
              to={['records', each.name]}
              class="chip"
              title={each.path}
              current={each.collection === collection}
            >
              {each.collection}
              <span class="count">{` ${amountOf(each)}`}</span>
            </Link>
          ))}
        </div>
      )}
      {children}
    </section>
  );
}

/** One resource for each collection: others that show the same records are not listed twice. */
function collectionsOf(resources: readonly ResourceBrief[]): readonly ResourceBrief[] {
  const groups = Map.groupBy(resources, ({ collection }) => collection);
  return [...groups].flatMap(
    ([collection, members]) => members.find(({ name }) => name === collection) ?? members[0] ?? [],
  );
}

interface ViewChoiceProps {
  readonly place: RecordPlace;
}

/** Chooses between the resources that show the records of one collection. */
function ViewChoice({ place: { resource, resources } }: ViewChoiceProps): VNode | null {
  const views = resources.filter(({ collection }) => collection === resource.collection);
  if (views.length < 2) return null;
  const options = views.map(({ name, parents }): Option => {
    const [last] = parents.slice(-1);
    return [name, last === undefined ? 'all of them' : `by ${last.parameter}`];
  });
  return (
    <Field label="Show">
      <Choice
        options={options}
        value={resource.name}
        change={(name) => {
          location.hash = addressOf(['records', name]);
        }}
      />
    </Field>
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
  const choices = (
    <>
      <ViewChoice place={place} />
      <ParentFields
        fields={fields}
        any="any"
        change={(chosen) => {
          location.hash = addressOf(['records', resource.name, ...chosen]);
        }}
      />
    </>
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

async function loadOne(place: RecordPlace, choices: VNode): Promise<VNode> {
  const { records } = await call<RecordList>('GET', recordsPath(place));
  return <OneRecord place={place} choices={choices} records={records} />;
}

async function loadMany(place: RecordPlace, choices: VNode): Promise<VNode> {
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
      <div class="filters">{choices}</div>
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
          <DeleteButton place={place} stored={stored} name={name} />
          <Button class="primary" aria-label={`Edit ${name}`} act={() => editRecord(place, stored)}>
            Edit
          </Button>
        </div>
      </div>
      {fields.length === 0 ? <p class="dim">It has no fields.</p> : undefined}
      <dl hidden={fields.length === 0}>
        {fields.map(([field, value]) => (
          <Fact name={field}>
            <FieldValue value={value} />
          </Fact>
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
