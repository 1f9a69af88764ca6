import type { VNode } from 'preact';
import type {
  ParentBrief,
  PlacedRecord,
  RecordList,
  ResourceBrief,
} from '../../src/server/console/console-api.ts';
import { encode, shortened } from '../shared/text.ts';
import { call } from './control-api.ts';
import { inSession, type ConsoleApp } from './app.tsx';
import { Choice, Field, Link, type Option } from './parts.tsx';

/** A resource below other records, and the other resources. */
export interface RecordPlace {
  readonly app: ConsoleApp;
  readonly resource: ResourceBrief;
  readonly resources: readonly ResourceBrief[];
  /** The ids of the parent records, outermost first, as far as they are chosen. */
  readonly parents: readonly string[];
}

export function recordsPath({ app, resource, parents }: RecordPlace, id?: string): string {
  const place = parents.length === 0 ? '' : `?parent=${encode(parents.map(encode).join('/'))}`;
  const one = id === undefined ? '' : `/${encode(id)}`;
  return inSession(app, `/resources/${encode(resource.name)}/records${one}${place}`);
}

/** One parent: its possible records, or undefined if the id must be typed. */
export interface ParentField {
  readonly parameter: string;
  readonly value: string;
  readonly options: readonly Option[] | undefined;
}

/**
 * A field for each parent, as far as the ones above it are chosen. If the choices cannot be loaded,
 * the id is typed.
 */
export async function loadParents(place: RecordPlace): Promise<ParentField[]> {
  const { resource, parents } = place;
  const known = resource.parents.slice(0, parents.length + 1);
  return Promise.all(
    known.map(async (parent, index) => {
      const value = parents[index] ?? '';
      const options = await optionsAbove(place, parent, index).catch(() => undefined);
      const isKnown = value === '' || options?.some(([id]) => id === value) !== false;
      return {
        parameter: parent.parameter,
        value,
        options: options && (isKnown ? options : [...options, [value, value]]),
      };
    }),
  );
}

/** The maximum number of choices; a longer list is not useful. */
const maxOptions = 200;

async function optionsAbove(
  { app, resources, parents }: RecordPlace,
  parent: ParentBrief,
  index: number,
): Promise<readonly Option[] | undefined> {
  const above = resources.find(({ name }) => name === parent.resource);
  if (above === undefined) return undefined;
  const place = { app, resource: above, resources, parents: parents.slice(0, index) };
  const path = recordsPath({ ...place, parents: place.parents.slice(0, above.parents.length) });
  const { records, total } = await call<RecordList>('GET', `${path}&limit=${String(maxOptions)}`);
  return total > maxOptions
    ? undefined
    : records.map((record): Option => [record.id, labelOf(record)]);
}

/** A record by id and name. A long id comes last, because it may be cut off. */
function labelOf(placed: PlacedRecord): string {
  const { id } = placed;
  const short = nameOf(placed);
  if (short === undefined) return id;
  return id.length > 12 ? `${short} · ${id}` : `${id} · ${short}`;
}

/** The name of a record for people, shortened; undefined if it has none. */
export function nameOf({ id, record }: PlacedRecord): string | undefined {
  const name = ['name', 'title', 'label', 'email', 'summary']
    .map((member) => record[member])
    .find((value) => typeof value === 'string' && value !== '' && value !== id);
  return typeof name === 'string' ? shortened(name, 40) : undefined;
}

interface ParentFieldsProps {
  readonly fields: readonly ParentField[];
  /** The label of no choice. */
  readonly any: string;
  /** Called with the chosen ids; a change resets the choices below it. */
  readonly change: (parents: readonly string[]) => void;
}

/** Fields to choose the parent records. */
export function ParentFields({ fields, any, change }: ParentFieldsProps): VNode {
  const chosen = fields.map(({ value }) => value);
  return (
    <>
      {fields.map(({ parameter, value, options }, index) => {
        const above = chosen.slice(0, index);
        const set = (id: string): void => change(id === '' ? above : [...above, id]);
        return (
          <Field key={parameter} label={parameter}>
            {options === undefined ? (
              <input
                value={value}
                spellcheck={false}
                autocomplete="off"
                placeholder={any}
                onChange={({ currentTarget }) => set(currentTarget.value.trim())}
              />
            ) : (
              <Choice
                options={[['', options.length === 0 ? 'there is none' : any], ...options]}
                value={value}
                change={set}
              />
            )}
          </Field>
        );
      })}
    </>
  );
}

/** Links to the resources directly below a record. */
export function LinksBelow({ resource, resources, parents }: Omit<RecordPlace, 'app'>): VNode {
  const below = resources.filter(
    (each) =>
      each.parents.length === resource.parents.length + 1 &&
      each.parents.at(-1)?.resource === resource.name,
  );
  return (
    <>
      {below.map(({ name }) => (
        <Link
          to={['records', name, ...parents]}
          class="below"
          label={`${name} of ${parents.at(-1) ?? ''}`}
        >
          {name.split('.').at(-1)}
        </Link>
      ))}
    </>
  );
}
