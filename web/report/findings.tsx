import type { ComponentChildren, VNode } from 'preact';
import type { PageFinding } from '../../src/report/html/page-data.ts';
import { Badge } from '../shared/elements.tsx';
import { countOf, shortened } from '../shared/text.ts';
import { data, findings, longestMessage, longestTitle, nameOf, summary, titleOf } from './data.ts';
import { Command, ExchangeView, scrollToMark } from './exchanges.tsx';
import type { Facet, Filter } from './facets.ts';
import { Empty, Fact, FilteredList, LazyDetails, Link, Spaced, Steps, Table } from './list.tsx';

const facets: readonly Facet<PageFinding>[] = [
  { name: 'severity', valuesOf: ({ severity }) => [severity] },
  { name: 'basis', valuesOf: ({ basis }) => [basis] },
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

/** The findings with their filters; those in the baseline have a separate section. */
export function FindingsView({ filter }: { readonly filter: Filter }): VNode {
  if (findings.length === 0) return <NoFindings />;
  return (
    <FilteredList
      route="findings"
      noun="finding"
      items={findings}
      facets={facets}
      textOf={textOf}
      filter={filter}
      show={(items, matching) => <FindingList items={items} matching={matching} />}
    />
  );
}

function NoFindings(): VNode {
  return (
    <section>
      <Empty>
        {summary.verdict === 'passed' ? 'No findings. ' : 'No findings in what was seen. '}
        What was asked is in <Link to={['operations']}>Operations</Link> and{' '}
        <Link to={['exchanges']}>Exchanges</Link>; what was reached of the contract, in{' '}
        <Link to={['coverage']}>Coverage</Link>.
      </Empty>
    </section>
  );
}

interface FindingListProps {
  readonly items: readonly PageFinding[];
  readonly matching: readonly PageFinding[];
}

function FindingList({ items, matching }: FindingListProps): VNode {
  if (items.length === 0) return <Empty>No finding matches.</Empty>;
  const accepted = items.filter(isAccepted);
  const show = (group: readonly PageFinding[]): VNode[] =>
    group.map((finding) => (
      <FindingItem key={finding.id} finding={finding} isOpen={matching.length === 1} />
    ));
  return (
    <>
      {show(items.filter((finding) => !isAccepted(finding)))}
      {accepted.length === 0 ? undefined : (
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

/** The page of one finding. */
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
}

/** A finding, whose details are rendered when they are opened. */
export function FindingItem({ finding, isOpen }: FindingItemProps): VNode {
  const { id, severity, accepted, message } = finding;
  const summaryLine = (
    <>
      <Badge kind={accepted ?? severity}>
        {accepted === undefined ? severity : `accepted ${accepted}`}
      </Badge>
      <span class="message">{shortened(message, longestMessage)}</span>
      <AboutFinding finding={finding} />
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
      <FindingBody finding={finding} />
    </LazyDetails>
  );
}

function AboutFinding({ finding: { operation, check, basis, count } }: FindingProps): VNode {
  const times = count > 1 ? ` · ${countOf(count, 'time')}` : '';
  return (
    <span class="about">
      <b>{shortened(nameOf(operation), longestTitle)}</b>
      {` · ${check} · basis: ${basis}${times}`}
    </span>
  );
}

interface FindingProps {
  readonly finding: PageFinding;
}

function FindingBody({ finding }: FindingProps): VNode {
  const { exchange, matter } = finding;
  return (
    <div class="finding-body">
      <FindingFacts finding={finding} />
      {exchange === undefined ? undefined : (
        <>
          <h2>The exchange that shows it</h2>
          <ExchangeView exchange={exchange} matter={matter} />
        </>
      )}
      <ContractLines finding={finding} />
      <Reproduction finding={finding} />
      <SameCause finding={finding} />
    </div>
  );
}

const blames: Readonly<Record<PageFinding['blame'], string>> = {
  server: 'the server',
  contract: 'the contract, rather than the server',
  undecided: 'the server or the contract: undecided',
};
const bases: Readonly<Record<PageFinding['basis'], string>> = {
  contract: 'the contract says it',
  protocol: 'an RFC says MUST',
  inferred: 'it was inferred from the contract',
  advice: 'an RFC says SHOULD, or it is good habit',
};

function FindingFacts({ finding }: FindingProps): VNode {
  const { id, message, expected, actual, trying, evidence, basis, blame, accepted } = finding;
  return (
    <dl>
      {message.length > longestMessage ? <Fact name="in full">{message}</Fact> : undefined}
      <TextFact name="expected" text={expected} />
      <Fact name="actual">
        <strong>{actual}</strong>
      </Fact>
      <TextFact name="tried" text={trying} />
      <TextFact name="confirmed by" text={evidence} />
      <Fact name="basis">{`${basis}: ${bases[basis] ?? 'which is unknown here'}`}</Fact>
      <TextFact name="fault of" text={blames[blame]} />
      <SeenFact finding={finding} />
      {accepted === undefined ? undefined : (
        <Fact name="accepted">{`by the baseline; by itself it is of severity ${accepted}`}</Fact>
      )}
      <Fact name="address">
        <Link to={['finding', id]}>{`#/finding/${id}`}</Link>
      </Fact>
    </dl>
  );
}

/** A fact, unless its text is empty. */
function TextFact({ name, text }: { readonly name: string; readonly text: string }): VNode | null {
  return text === '' ? null : <Fact name={name}>{text}</Fact>;
}

function SeenFact({ finding: { count, operations, entries = [] } }: FindingProps): VNode {
  const separated = (id: string, index: number): ComponentChildren => (
    <>
      {index === 0 ? '' : ', '}
      <Link to={['operation', id]}>{id}</Link>
    </>
  );
  return (
    <Fact name="seen">
      {`${countOf(count, 'time')}, on `}
      {operations.map(separated)}
      {entries.length === 0 ? undefined : (
        <>
          {entries.length === 1 ? ' · exchange ' : ' · exchanges '}
          <Spaced
            items={entries.slice(0, 10).map((number) => (
              <Link to={['exchange', String(number)]}>{`#${String(number)}`}</Link>
            ))}
          />
        </>
      )}
    </Fact>
  );
}

function ContractLines({ finding: { place, pointer, frame } }: FindingProps): VNode {
  const isHere = (line: string): boolean => /^ *>/.test(line) || /^ *\| *\^/.test(line);
  return (
    <>
      <h2>In the contract</h2>
      <p class="line">
        {`${place.file}:${String(place.line)}:${String(place.column)}`}
        <span class="dim">{` ${pointer}`}</span>
      </p>
      <pre class="frame" tabIndex={0} role="group" aria-label="Lines of the contract">
        {frame.split('\n').map((line) => (
          <span class={isHere(line) ? 'here' : ''}>{`${line}\n`}</span>
        ))}
      </pre>
    </>
  );
}

function Reproduction({ finding: { id, curl, replay } }: FindingProps): VNode | null {
  if (curl.length === 0 && !replay) return null;
  return (
    <>
      <h2>Reproduce it</h2>
      {curl.length === 0 ? undefined : <Command text={curl.join('\n')} what="the curl commands" />}
      {replay ? <Command text={`vouch replay ${id}`} what="the replay command" /> : undefined}
    </>
  );
}

function SameCause({ finding: { alsoSeenAs } }: FindingProps): VNode | null {
  if (alsoSeenAs.length === 0) return null;
  return (
    <>
      <h2>Has the same cause</h2>
      <ul class="plain">
        {alsoSeenAs.map(({ check, operation, message }) => (
          <li>
            <b>{check}</b>
            {` on ${nameOf(operation)}: ${message}`}
          </li>
        ))}
      </ul>
    </>
  );
}

const { gaps, skipped, left, crashed, differences } = data;
const skippedFindings = summary.skippedFindings ?? [];
const identities = summary.identities ?? [];

/** The number of observations besides the findings. */
export const observedCount =
  gaps.length +
  skipped.length +
  skippedFindings.length +
  left.length +
  crashed.length +
  identities.length;

/**
 * Observations that are not findings: gaps of the contract, skipped operations, left records,
 * internal errors.
 */
export function ObservedView(): VNode {
  return (
    <section>
      {observedCount === 0 ? <Empty>Nothing besides the findings.</Empty> : undefined}
      <Group
        title="Gaps of the contract, and what was seen there"
        items={gaps.map(({ id, message, observed }) => (
          <WithRemark remark={`Seen: ${observed} (${id})`}>{message}</WithRemark>
        ))}
      />
      <Group
        title="Operations without requests"
        items={skipped.map(({ operation, reason }) => (
          <>
            <b>{nameOf(operation)}</b>
            {`: ${reason}`}
          </>
        ))}
      />
      <AccessGroup />
      <Group
        title="Findings that the configuration skips"
        items={skippedFindings.map(({ check, operation, message, reason, until }) => (
          <WithRemark
            remark={`Skipped ${until === undefined ? 'for good' : `until ${until}`}: ${reason}`}
          >
            <b>{check}</b>
            {` on ${operation}: ${message}`}
          </WithRemark>
        ))}
      />
      <Group
        title="Records left behind"
        items={left.map(({ operation, record, reason }) => `${record} of ${operation}: ${reason}`)}
      />
      <Group
        title="Internal errors of vouch"
        items={crashed.map(({ check, message, stack }) => (
          <>
            {`The check ${check} crashed: ${message}`}
            <pre tabIndex={0}>{stack}</pre>
          </>
        ))}
      />
    </section>
  );
}

/** Who could do what: an entry for each identity. */
function AccessGroup(): VNode {
  return (
    <Group
      title="Who could do what"
      items={identities.map(({ name, state, operations }) => (
        <WithRemark remark={accessWords(operations)}>
          <b>{name}</b>
          {state === 'asked' ? '' : ` (${state})`}
        </WithRemark>
      ))}
    />
  );
}

/** What one identity was allowed and refused, by operation. */
function accessWords(operations: Readonly<Record<string, string>>): string {
  const byAccess = Map.groupBy(Object.entries(operations), ([, access]) => access);
  const parts = [...byAccess].map(
    ([access, own]) => `${access}: ${own.map(([id]) => id).join(', ')}`,
  );
  return parts.length === 0 ? 'not asked' : parts.join('; ');
}

interface GroupProps {
  readonly title: string;
  readonly items: readonly ComponentChildren[];
}

function Group({ title, items }: GroupProps): VNode | null {
  if (items.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul class="plain">
        {items.map((item) => (
          <li>{item}</li>
        ))}
      </ul>
    </>
  );
}

interface WithRemarkProps {
  readonly remark: string;
  readonly children: ComponentChildren;
}

function WithRemark({ remark, children }: WithRemarkProps): VNode {
  return (
    <>
      {children}
      <br />
      <span class="dim">{remark}</span>
    </>
  );
}

/** The differences between the responses of two deployments, by operation. */
export function DifferencesView(): VNode {
  if (differences.length === 0) return <Empty>The deployments do not differ.</Empty>;
  const byOperation = Map.groupBy(differences, ({ operation }) => nameOf(operation));
  return (
    <section>
      <h2>{data.differencesTitle}</h2>
      <p class="dim">Differences are not findings: both deployments may conform.</p>
      {[...byOperation].map(([name, alike]) => (
        <>
          <h3>{name}</h3>
          <Table
            caption={`Differences of ${name}`}
            heads={['severity', 'in what', 'here', 'there', 'seen']}
          >
            {alike.map(({ severity, place, left: here, right: there, count, trying }) => (
              <tr>
                <td>
                  <Badge kind={severity}>{severity}</Badge>
                </td>
                <td>{place}</td>
                <td>{here}</td>
                <td>{there}</td>
                <td>{`${countOf(count, 'time')}: ${trying}`}</td>
              </tr>
            ))}
          </Table>
        </>
      ))}
    </section>
  );
}
