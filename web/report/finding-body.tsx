import type { VNode } from 'preact';
import type { PageFinding } from '../../src/report/html/page-data.ts';
import { CopyButton } from '../shared/copy-button.tsx';
import { Fact } from '../shared/elements.tsx';
import { FixDocument } from '../shared/fix-document.tsx';
import { encode } from '../shared/text.ts';
import { data, longestMessage, nameOf, run } from './data.ts';
import { Command, ControlDifference, ExchangeView } from './exchanges.tsx';
import { writeFinding } from './finding-text.ts';
import { Link, Spaced } from './list.tsx';

export interface FindingProps {
  readonly finding: PageFinding;
}

interface FindingBodyProps extends FindingProps {
  /** Whether to show the rule, which the title of a group may say already. */
  readonly hasRule: boolean;
}

/** What an open finding shows. */
export function FindingBody({ finding, hasRule }: FindingBodyProps): VNode {
  const { exchange, control, matter } = finding;
  return (
    <div class="finding-body">
      <Contrast finding={finding} />
      <FindingFacts finding={finding} hasRule={hasRule} />
      {exchange === undefined || control === undefined ? undefined : (
        <ControlDifference exchange={exchange} control={control} />
      )}
      <FixDocument overlay={finding.overlay} />
      <Reproduction finding={finding} />
      {exchange === undefined ? (
        <div class="exchange">
          <ContractLines finding={finding} />
        </div>
      ) : (
        <>
          <h2>The contract, and the exchange that shows it</h2>
          <ExchangeView
            exchange={exchange}
            matter={matter}
            beside={<ContractLines finding={finding} />}
          />
        </>
      )}
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
  contract: 'By the contract',
  protocol: 'By a standard: an RFC says MUST',
  inferred: 'By convention: inferred from the contract',
  advice: 'Good practice: an RFC says SHOULD, or it is good habit',
};

/** Where a rule comes from, as the other reports say it: `by convention`. */
export function basisWords(basis: PageFinding['basis']): string {
  const [words = ''] = bases[basis].split(':');
  return words.toLowerCase();
}

/** What was expected and what came, above one another so that they can be compared. */
export function Contrast({ finding: { expected, actual, severity } }: FindingProps): VNode {
  return (
    <dl class="contrast">
      {expected === '' ? undefined : (
        <>
          <dt class="kept">expected</dt>
          <dd>{expected}</dd>
        </>
      )}
      <dt class={severity}>actual</dt>
      <dd>{actual}</dd>
    </dl>
  );
}

function FindingFacts({ finding, hasRule }: FindingBodyProps): VNode {
  const { check, message, trying, evidence } = finding;
  return (
    <>
      <dl>
        {message.length > longestMessage ? <Fact name="in full">{message}</Fact> : undefined}
        {hasRule ? (
          <TextFact name="rule" text={(data.rules[check] ?? '').replaceAll('`', '')} />
        ) : undefined}
        <TextFact name="tried" text={trying} />
        <TextFact name="confirmed by" text={evidence} />
      </dl>
      <FindingLine finding={finding} />
    </>
  );
}

/** What most readers skip: why it is a finding, whose fault it is, and where it was seen. */
function FindingLine({ finding }: FindingProps): VNode {
  const { id, basis, blame, accepted } = finding;
  return (
    <div class="aside">
      <p class="dim">
        {`${bases[basis] ?? basis} · fault of ${blames[blame]} · seen on `}
        <SeenOn finding={finding} />
        {accepted === undefined
          ? undefined
          : ` · accepted by the baseline; by itself it is of severity ${accepted}`}
      </p>
      <p>
        <a href={`#finding-${encode(id)}`}>Link to it</a>{' '}
        <CopyButton
          text={writeFinding(finding, run)}
          what="this finding"
          label="Copy for an issue"
        />
      </p>
    </div>
  );
}

/** A fact, unless its text is empty. */
function TextFact({ name, text }: { readonly name: string; readonly text: string }): VNode | null {
  return text === '' ? null : <Fact name={name}>{text}</Fact>;
}

function SeenOn({ finding: { operations, entries = [] } }: FindingProps): VNode {
  return (
    <>
      {operations.map((id, index) => (
        <>
          {index === 0 ? '' : ', '}
          <Link to={['operation', id]}>{id}</Link>
        </>
      ))}
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
    </>
  );
}

function ContractLines({ finding: { place, pointer, frame } }: FindingProps): VNode {
  const isHere = (line: string): boolean => /^ *>/.test(line) || /^ *\| *\^/.test(line);
  return (
    <>
      <h3>In the contract</h3>
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
      {replay ? <Command text={`npx vouch replay ${id}`} what="the replay command" /> : undefined}
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
