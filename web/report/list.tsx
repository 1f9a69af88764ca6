import { Fragment, type ComponentChildren, type TargetedEvent, type VNode } from 'preact';
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import type { WithChildren } from '../shared/elements.tsx';
import { countOf, encode, shortened } from '../shared/text.ts';
import type { Facet, Filter, ListPage } from './facets.ts';
import { addressOf, countValues, isChosen, pageOf, sortValues } from './facets.ts';
import { exampleTerms, searchFor } from './search.ts';

/** A link to a part of the report: `<Link to={['operation', id]}>`. */
export function Link({ to, children }: WithChildren & { readonly to: readonly string[] }): VNode {
  return <a href={`#/${to.map(encode).join('/')}`}>{children}</a>;
}

/** Shown in place of an empty list. */
export function Empty({ children }: WithChildren): VNode {
  return <p class="empty">{children}</p>;
}

/** Shown while data is unpacked. */
export function Reading(): VNode {
  return (
    <p class="empty" aria-busy="true">
      Reading…
    </p>
  );
}

interface DetailsProps extends WithChildren {
  readonly class?: string;
  readonly id?: string;
  readonly open?: boolean;
  readonly summary: ComponentChildren;
  /** Called each time that it is opened. */
  readonly onOpen?: (details: HTMLDetailsElement) => void;
}

/** A `details` element whose content is rendered when it is first opened. */
export function LazyDetails(props: DetailsProps): VNode {
  const { summary, open = false, onOpen, children, ...rest } = props;
  const [isFilled, fill] = useState(open);
  const toggle = ({ currentTarget: details }: TargetedEvent<HTMLDetailsElement>): void => {
    if (!details.open) return;
    fill(true);
    onOpen?.(details);
  };
  return (
    <details {...rest} open={open} onToggle={toggle}>
      <summary>{summary}</summary>
      {isFilled ? children : undefined}
    </details>
  );
}

interface TableProps extends WithChildren {
  readonly class?: string;
  readonly caption: string;
  readonly heads: readonly string[];
  /** The headings of numeric columns. */
  readonly numbers?: readonly string[];
}

/** A table in a scrollable region that is reachable by keyboard. */
export function Table(props: TableProps): VNode {
  const { caption, heads, numbers = [], children } = props;
  const id = useId();
  return (
    <div class="scroll" role="group" tabIndex={0} aria-labelledby={id}>
      <table class={props.class}>
        <caption id={id} class="unseen">
          {caption}
        </caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th scope="col" class={numbers.includes(head) ? 'number' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface ListProps<Item> {
  readonly route: string;
  /** The noun of the items: `finding`. */
  readonly noun: string;
  readonly items: readonly Item[];
  readonly facets: readonly Facet<Item>[];
  /** What a search can name by a key: `status:5xx`. */
  readonly keys?: readonly Facet<Item>[];
  /** The text that the words of a search cover. */
  readonly textOf: (item: Item) => string;
  readonly filter: Filter;
  /** Text after the count. */
  readonly more?: string;
  /** Ways to group the items; the first one is the default. Groups are in their first order. */
  readonly groups?: readonly Grouping<Item>[];
  /** Renders the items of one page, out of all that match. */
  readonly show: (
    items: readonly Item[],
    matching: readonly Item[],
    grouping: Grouping<Item> | undefined,
  ) => ComponentChildren;
}

/** The same list each time, so that what is made of it is kept. */
const noKeys: readonly never[] = [];

/** A way to group items, by name: those with the same key are listed together. */
export interface Grouping<Item> {
  readonly name: string;
  readonly keyOf: (item: Item) => string;
}

/**
 * A list with a search, filters and pages. They are part of the address, so that a view can be
 * shared as a link; a changed filter starts at the first page.
 */
export function FilteredList<Item>(list: ListProps<Item>): VNode {
  const { route, noun, items, facets, keys = noKeys, textOf, more = '', show, groups = [] } = list;
  const [filter, setFilter] = useState(list.filter);
  const grouping = groups.find(({ name }) => name === filter['group']) ?? groups[0];
  const isMeant = searchFor(filter['text'] ?? '', { items, keys, textOf });
  const expected = items.filter((item) => isChosen(item, facets, filter) && isMeant(item));
  const matching =
    grouping === undefined ? expected : [...Map.groupBy(expected, grouping.keyOf).values()].flat();
  const page = pageOf(matching, filter);
  const change = (name: string, value: string): void => {
    const { page: _first, ...rest } = filter;
    const changed = { ...rest, [name]: value };
    history.replaceState(history.state, '', addressOf(route, changed));
    setFilter(changed);
  };
  const isAll = matching.length === items.length;
  const count = isAll
    ? countOf(items.length, noun)
    : `${countOf(matching.length, noun)} of ${items.length.toLocaleString('en-US')}`;
  return (
    <section>
      <FilterBar {...{ items, facets, keys, filter, noun, change }} />
      <div class="told">
        <p role="status">
          {`${count}${more} `}
          {isAll ? undefined : <ClearButton route={route} />}
        </p>
        <GroupChoice
          names={groups.map(({ name }) => name)}
          chosen={grouping?.name}
          change={(name) => change('group', name)}
        />
      </div>
      <div class="list">
        {show(page.items, matching, grouping)}
        <Pager
          page={page}
          total={matching.length}
          addressOfPage={(number) => addressOf(route, { ...filter, page: String(number) })}
        />
      </div>
    </section>
  );
}

interface GroupChoiceProps {
  readonly names: readonly string[];
  readonly chosen: string | undefined;
  readonly change: (name: string) => void;
}

function GroupChoice({ names, chosen, change }: GroupChoiceProps): VNode | null {
  if (names.length < 2) return null;
  return (
    <div class="switch" role="group" aria-label="Grouped by">
      {names.map((name) => (
        <button type="button" aria-pressed={name === chosen} onClick={() => change(name)}>
          {`by ${name}`}
        </button>
      ))}
    </div>
  );
}

function ClearButton({ route }: { readonly route: string }): VNode {
  const clear = (): void => {
    location.hash = `#/${route}`;
  };
  return (
    <button type="button" class="clear" onClick={clear}>
      Clear the filters
    </button>
  );
}

interface FilterBarProps<Item> extends Pick<ListProps<Item>, 'items' | 'facets' | 'noun'> {
  readonly keys: readonly Facet<Item>[];
  readonly filter: Filter;
  readonly change: (name: string, value: string) => void;
}

function FilterBar<Item>(bar: FilterBarProps<Item>): VNode {
  const { items, facets, keys, filter, noun, change } = bar;
  const examples = useMemo(() => exampleTerms({ items, keys }), [items, keys]);
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        id="search"
        placeholder="Search   /"
        aria-label={`Search the ${noun}s`}
        aria-describedby={examples.length === 0 ? undefined : 'search-keys'}
        value={filter['text'] ?? ''}
        onInput={(event) => change('text', event.currentTarget.value)}
      />
      {facets.map((facet) => (
        <FacetChoice
          key={facet.name}
          facet={facet}
          items={items}
          chosen={filter[facet.name] ?? ''}
          change={(value) => change(facet.name, value)}
        />
      ))}
      {examples.length === 0 ? undefined : (
        <p id="search-keys" class="dim">
          {'Understands '}
          <Spaced
            items={examples.map((term) => (
              <code>{term}</code>
            ))}
          />
          and words.
        </p>
      )}
    </form>
  );
}

interface FacetChoiceProps<Item> {
  readonly facet: Facet<Item>;
  readonly items: readonly Item[];
  readonly chosen: string;
  readonly change: (value: string) => void;
}

/** A choice among the values of a facet; nothing if all items have the same value. */
function FacetChoice<Item>({ facet, items, chosen, change }: FacetChoiceProps<Item>): VNode | null {
  const { name, valuesOf, labelOf = (value) => value } = facet;
  // A value from the address stays among the choices.
  const { current: first } = useRef(chosen);
  const counts = useMemo(() => countValues(items, valuesOf), [items, valuesOf]);
  if (counts.size < 2 && first === '') return null;
  if (first !== '' && !counts.has(first)) counts.set(first, 0);
  return (
    <select
      aria-label={name}
      value={chosen}
      onChange={(event) => change(event.currentTarget.value)}
    >
      <option value="">{`any ${name}`}</option>
      {sortValues(name, counts).map(([value, count]) => (
        <option key={value} value={value}>
          {`${shortened(labelOf(value), 80)} (${count.toLocaleString('en-US')})`}
        </option>
      ))}
    </select>
  );
}

interface PagerProps {
  readonly page: ListPage<unknown>;
  readonly total: number;
  readonly addressOfPage: (number: number) => string;
}

function Pager({
  page: { items, page, last, from },
  total,
  addressOfPage,
}: PagerProps): VNode | null {
  if (last === 1) return null;
  const to = (name: string, number: number, rel?: string): VNode =>
    number < 1 || number > last || number === page ? (
      <span class="dim">{name}</span>
    ) : (
      <a href={addressOfPage(number)} rel={rel}>
        {name}
      </a>
    );
  const [first, end, all] = [from + 1, from + items.length, total].map((each) =>
    each.toLocaleString('en-US'),
  );
  return (
    <nav class="pager" aria-label="Pages">
      {to('« first', 1)}
      {to('‹ previous', page - 1, 'prev')}
      <span>{`${first ?? ''} to ${end ?? ''} of ${all ?? ''}`}</span>
      {to('next ›', page + 1, 'next')}
      {to('last »', last)}
    </nav>
  );
}

interface StepsProps {
  readonly route: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Links from one item to its neighbours and to the list. */
export function Steps({ route, before, after }: StepsProps): VNode {
  const address = (id: string): string => `#/${route}/${encode(id)}`;
  return (
    <p class="steps">
      <a href={`#/${route}s`}>{`↑ all ${route}s`}</a>
      {before === undefined ? undefined : (
        <a href={address(before)} rel="prev">
          ← before
        </a>
      )}
      {after === undefined ? undefined : (
        <a href={address(after)} rel="next">
          after →
        </a>
      )}
    </p>
  );
}

/** Items separated by blanks, where lines can break. */
export function Spaced({ items }: { readonly items: readonly ComponentChildren[] }): VNode {
  return (
    <>
      {items.map((item, index) => (
        <Fragment key={index}>{item} </Fragment>
      ))}
    </>
  );
}
