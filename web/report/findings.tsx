import type { VNode } from 'preact';
import type { PageFinding } from '../../src/report/html/page-data.ts';
import { Badge, type WithChildren } from '../shared/elements.tsx';
import { countOf, shortened } from '../shared/text.ts';
import { data, findings, longestMessage, longestTitle, nameOf, summary, titleOf } from './data.ts';
import { scrollToMark } from './exchanges.tsx';
import type { Facet, Filter } from './facets.ts';
import { basisWords, Contrast, FindingBody, type FindingProps } from './finding-body.tsx';
import { Empty, FilteredList, type Grouping, LazyDetails, Link, Steps } from './list.tsx';

const facets: readonly Facet<PageFinding>[] = [
  { name: 'severity', valuesOf: ({ severity }) => [severity] },
  { name: 'basis', valuesOf: ({ basis }) => [basisWords(basis)] },
  { name: 'check', valuesOf: ({ check }) => [check] },
  { name: 'operation', valuesOf: ({ operations }) => operations, labelOf: titleOf },
  { name: 'baseline', valuesOf: (finding) => [isAccepted(finding) ? 'accepted' : 'new'] },
];

function isAccepted({ accepted }: PageFinding): boolean {
  return accepted !== undefined;
}

function textOf(finding: PageFinding): string {
  const { id, check, operation, operations, message, expected, actual, trying, pointer } = finding;
  return [
    ...[id, check, operation.method, operation.path, ...operations],
    ...[message, expected, actual, trying, pointer],
  ].join(' ');
}

/** Accepted findings are grouped apart, and notes come after what fails a run. */
function rankOf(finding: PageFinding): string {
  if (isAccepted(finding)) return 'accepted';
  return finding.severity === 'note' ? 'note' : 'fault';
}

const groupings: readonly Grouping<PageFinding>[] = [
  { name: 'cause', keyOf: (finding) => `${rankOf(finding)} ${finding.check}` },
  { name: 'operation', keyOf: (finding) => `${rankOf(finding)} ${nameOf(finding.operation)}` },
];

/**
 * The findings with their filters, grouped; notes are folded unless the reader filters, and those
 * in the baseline have a separate section.
 */
export function FindingsView({ filter }: { readonly filter: Filter }): VNode {
  if (findings.length === 0) return <NoFindings />;
  return (
    <FilteredList
      route="findings"
      noun="finding"
      items={findings}
      facets={facets}
      keys={facets}
      textOf={textOf}
      filter={filter}
      groups={groupings}
      show={(items, matching, grouping) => (
        <FindingList items={items} matching={matching} grouping={grouping} />
      )}
    />
  );
}

function NoFindings(): VNode {
  return (
    <section>
      <Empty>
        {summary.verdict === 'passed' ? 'No findings. ' : 'No findings in what was seen. '}
        What was asked is in <Link to={['operations']}>Operations</Link> and{' '}
        <Link to={['exchanges']}>Exchanges</Link>; what was covered of the contract, in{' '}
        <Link to={['coverage']}>Coverage</Link>.
      </Empty>
    </section>
  );
}

interface FindingListProps {
  readonly items: readonly PageFinding[];
  readonly matching: readonly PageFinding[];
  readonly grouping: Grouping<PageFinding> | undefined;
}

function FindingList({ items, matching, grouping }: FindingListProps): VNode {
  if (items.length === 0) return <Empty>No finding matches.</Empty>;
  const ranks = Map.groupBy(items, rankOf);
  const [faults, notes, accepted] = ['fault', 'note', 'accepted'].map(
    (rank) => ranks.get(rank) ?? [],
  );
  const show = (own: readonly PageFinding[] = []): VNode => (
    <FindingGroups items={own} grouping={grouping} isOpen={matching.length === 1} />
  );
  const isAll = matching.length === findings.length;
  return (
    <>
      {show(faults)}
      {notes === undefined || notes.length === 0 ? undefined : (
        <Notes count={notes.length} isFolded={isAll && notes.length < items.length}>
          {show(notes)}
        </Notes>
      )}
      {accepted === undefined || accepted.length === 0 ? undefined : (
        <>
          <h2 id="accepted">
            Accepted by the baseline
            <span class="count">{` ${String(matching.filter(isAccepted).length)}`}</span>
          </h2>
          <p class="dim">
            Known; they do not fail the run. Fixed findings leave the baseline with
            --update-baseline.
          </p>
          {show(accepted)}
        </>
      )}
    </>
  );
}

interface NotesProps extends WithChildren {
  readonly count: number;
  readonly isFolded: boolean;
}

/** Notes do not fail a run: they are folded beside findings that do. */
function Notes({ count, isFolded, children }: NotesProps): VNode {
  if (!isFolded) return <>{children}</>;
  return (
    <LazyDetails class="notes" summary={`${countOf(count, 'note')}, which do not fail the run`}>
      {children}
    </LazyDetails>
  );
}

interface FindingGroupsProps {
  readonly items: readonly PageFinding[];
  readonly grouping: Grouping<PageFinding> | undefined;
  readonly isOpen: boolean;
}

/**
 * Findings below the rule that they break, or below their operation. A group of one would say
 * everything twice: those without company are listed together, without a title.
 */
function FindingGroups({ items, grouping, isOpen }: FindingGroupsProps): VNode {
  const byCause = grouping?.name === 'cause';
  return (
    <>
      {groupsOf(items, grouping?.keyOf ?? rankOf).map(({ key, isTitled, members }) => (
        <section class="group" key={key}>
          {isTitled ? (
            <h2>
              <GroupTitle finding={members[0]} byCause={byCause} />
              <span class="count">{` ${String(members.length)}`}</span>
            </h2>
          ) : undefined}
          {members.map((finding) => (
            <FindingItem
              key={finding.id}
              finding={finding}
              isOpen={isOpen}
              groupedBy={isTitled ? grouping?.name : undefined}
            />
          ))}
        </section>
      ))}
    </>
  );
}

interface FindingGroup {
  readonly key: string;
  readonly isTitled: boolean;
  readonly members: PageFinding[];
}

/** The groups in their order; groups of one that follow each other are one without a title. */
function groupsOf(
  items: readonly PageFinding[],
  keyOf: (finding: PageFinding) => string,
): readonly FindingGroup[] {
  const groups: FindingGroup[] = [];
  for (const [key, members] of Map.groupBy(items, keyOf)) {
    const isTitled = members.length > 1;
    const last = groups.at(-1);
    if (isTitled || last === undefined || last.isTitled) groups.push({ key, isTitled, members });
    else last.members.push(...members);
  }
  return groups;
}

interface GroupTitleProps {
  readonly finding: PageFinding | undefined;
  readonly byCause: boolean;
}

function GroupTitle({ finding, byCause }: GroupTitleProps): VNode | null {
  if (finding === undefined) return null;
  const { check, operation } = finding;
  if (!byCause) return <>{shortened(nameOf(operation), longestTitle)}</>;
  const rule = data.rules[check];
  return (
    <>
      {`${check} `}
      {rule === undefined ? undefined : <span class="rule">{rule.replaceAll('`', '')}</span>}
    </>
  );
}

export function FindingPage({ id }: { readonly id: string }): VNode {
  const at = findings.findIndex((finding) => finding.id === id);
  const finding = findings[at];
  if (finding === undefined) return <Empty>{`There is no finding ${id} in this report.`}</Empty>;
  return (
    <section>
      <Steps route="finding" before={findings[at - 1]?.id} after={findings[at + 1]?.id} />
      <FindingItem finding={finding} isOpen />
    </section>
  );
}

interface FindingItemProps {
  readonly finding: PageFinding;
  readonly isOpen: boolean;
  /** What the title of its group says already. */
  readonly groupedBy?: string | undefined;
}

/** A finding, whose details are rendered when they are opened. */
export function FindingItem({ finding, isOpen, groupedBy }: FindingItemProps): VNode {
  const { id, severity, accepted, message } = finding;
  const summaryLine = (
    <>
      <Badge kind={accepted ?? severity}>
        {accepted === undefined ? severity : `accepted ${accepted}`}
      </Badge>
      <span class="message">{shortened(message, longestMessage)}</span>
      <AboutFinding finding={finding} groupedBy={groupedBy} />
    </>
  );
  return (
    <LazyDetails
      class={`finding ${severity}`}
      id={`finding-${id}`}
      open={isOpen}
      summary={summaryLine}
      onOpen={(details) => details.querySelectorAll<HTMLElement>('pre.body').forEach(scrollToMark)}
    >
      <FindingBody finding={finding} hasRule={groupedBy !== 'cause'} />
    </LazyDetails>
  );
}

interface AboutFindingProps {
  readonly finding: PageFinding;
  readonly groupedBy?: string | undefined;
}

function AboutFinding({ finding, groupedBy }: AboutFindingProps): VNode {
  const { operation, operations, check, count } = finding;
  const others = operations.length - 1;
  const parts = [
    ...(others > 0 ? [`and ${countOf(others, 'other operation')}`] : []),
    ...(groupedBy === 'cause' ? [] : [check]),
    ...(count > 1 ? [countOf(count, 'time')] : []),
  ];
  return (
    <span class="about">
      {groupedBy === 'operation' ? undefined : (
        <>
          <b>{shortened(nameOf(operation), longestTitle)}</b>
          {parts.length === 0 ? undefined : ' · '}
        </>
      )}
      {parts.join(' · ')}
    </span>
  );
}

/** The findings on paper: what came instead of what, where, and how to see it again. */
export function PaperFindings(): VNode {
  const shown = findings.slice(0, maxOnPaper);
  const left = findings.length - shown.length;
  return (
    <>
      {shown.map((finding) => (
        <PaperFinding finding={finding} />
      ))}
      {left === 0 ? undefined : <p>{`${countOf(left, 'finding')} more are in the report.`}</p>}
    </>
  );
}

const maxOnPaper = 200;

function PaperFinding({ finding }: FindingProps): VNode {
  const { severity, accepted, message, place, curl } = finding;
  const isNote = severity === 'note';
  const badge = accepted === undefined ? severity : `accepted ${accepted}`;
  return (
    <article class={`finding ${severity}`}>
      <p>
        <Badge kind={severity}>{badge}</Badge> <b>{shortened(message, longestMessage)}</b>
      </p>
      <p>
        <AboutFinding finding={finding} />
        <span class="about">{` · ${place.file}:${String(place.line)}`}</span>
      </p>
      {isNote ? undefined : <Contrast finding={finding} />}
      {isNote || curl.length === 0 ? undefined : <pre>{shortened(curl.join('\n'), 1200)}</pre>}
    </article>
  );
}
