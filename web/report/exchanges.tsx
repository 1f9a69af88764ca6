import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PageExchange, PageMatter } from '../../src/report/html/page-data.ts';
import { CopyButton } from '../shared/copy-button.tsx';
import { Badge, Fact } from '../shared/elements.tsx';
import { JsonView } from '../shared/json.tsx';
import { countOf, duration, shortened } from '../shared/text.ts';
import {
  compareRequests,
  isJson,
  markJson,
  markText,
  mediaTypeOf,
  type Message,
  type MessageWay,
  views,
  writeMessage,
} from './body.ts';
import {
  allRows,
  classOf,
  data,
  type ExchangeRow,
  findings,
  kindOf,
  longestMessage,
  readExchange,
  run,
  titleOf,
} from './data.ts';
import type { Facet, Filter } from './facets.ts';
import { Empty, FilteredList, Link, Reading, Spaced, Steps, Table } from './list.tsx';
import { writeCurl } from './write-curl.ts';

type RowFacet = Facet<ExchangeRow>;
const byOperation: RowFacet = {
  name: 'operation',
  valuesOf: ({ operation }) => [operation],
  labelOf: titleOf,
};
const byStatus: RowFacet = {
  name: 'status',
  valuesOf: ({ outcome }) => [classOf(outcome), String(outcome)],
};
const byMethod: RowFacet = { name: 'method', valuesOf: ({ method }) => [method] };
const byPhase: RowFacet = { name: 'phase', valuesOf: ({ phase }) => [phase] };
const facets = [byOperation, byStatus, byPhase];
const keys = [byStatus, byOperation, byMethod, byPhase];

function textOf(row: ExchangeRow): string {
  const { number, operation, phase, title, method, target, outcome } = row;
  return [`#${String(number)}`, operation, phase, title, method, target, outcome].join(' ');
}

/** Every exchange of the run, with its filters. */
export function ExchangesView({ filter }: { readonly filter: Filter }): VNode {
  const more =
    data.leftOut === 0
      ? ''
      : `; the rows of ${countOf(data.leftOut, 'exchange')} more had no room in this file`;
  return (
    <FilteredList
      route="exchanges"
      noun="exchange"
      items={allRows()}
      facets={facets}
      keys={keys}
      textOf={textOf}
      filter={filter}
      more={more}
      show={(rows) => <ExchangeTable rows={rows} />}
    />
  );
}

export function ExchangeTable({ rows }: { readonly rows: readonly ExchangeRow[] }): VNode {
  if (rows.length === 0) return <Empty>No exchange matches.</Empty>;
  return (
    <Table
      class="exchanges"
      caption="Exchanges"
      heads={['#', 'answer', 'time', 'request', 'tried', 'phase']}
      numbers={['#', 'time']}
    >
      {rows.map((row) => (
        <tr key={row.number}>
          <td class="number">
            <ExchangeLink number={row.number} />
          </td>
          <td>
            <Badge kind={kindOf(row.outcome)}>{String(row.outcome)}</Badge>
          </td>
          <td class="number">{duration(row.ms)}</td>
          <td class="target">
            <b>{row.method}</b> {row.target}
          </td>
          <td>{row.title}</td>
          <td class="dim">{row.phase}</td>
        </tr>
      ))}
    </Table>
  );
}

/** A link to an exchange, by its number: `#17`. */
function ExchangeLink({ number }: { readonly number: number }): VNode {
  return <Link to={['exchange', String(number)]}>{`#${String(number)}`}</Link>;
}

export function ExchangePage({ number }: { readonly number: number }): VNode {
  const rows = allRows();
  const row = rows[number];
  if (row === undefined)
    return <Empty>{`There is no exchange ${String(number)} in this report.`}</Empty>;
  return (
    <section>
      <Steps
        route="exchange"
        before={number > 0 ? String(number - 1) : undefined}
        after={number + 1 < rows.length ? String(number + 1) : undefined}
      />
      <h2>{`Exchange ${String(number)}`}</h2>
      <p>
        <Link to={['operation', row.operation]}>{titleOf(row.operation)}</Link>
        {` · ${row.phase} · ${row.title} · ${duration(row.at)} into the run`}
      </p>
      <ShownFindings number={number} />
      <RecordedExchange number={number} />
    </section>
  );
}

/** An exchange, which is unpacked when it is shown. */
function RecordedExchange({ number }: { readonly number: number }): VNode {
  const [read, setRead] = useState<{ readonly exchange: PageExchange | undefined }>();
  useEffect(() => {
    void readExchange(number).then((exchange) => setRead({ exchange }));
  }, [number]);
  if (read === undefined) return <Reading />;
  if (read.exchange !== undefined) return <ExchangeView exchange={read.exchange} />;
  return (
    <Empty>
      Its headers and bodies had no room in this file; --reporter blob keeps every byte.
    </Empty>
  );
}

/** The findings that an exchange demonstrates. */
function ShownFindings({ number }: { readonly number: number }): VNode | null {
  const shown = findings.filter(({ entries = [] }) => entries.includes(number));
  if (shown.length === 0) return null;
  return (
    <p>
      {'Findings: '}
      <Spaced
        items={shown.map(({ id, severity, check, message }) => (
          <>
            <Badge kind={severity}>{severity}</Badge>{' '}
            <Link to={['finding', id]}>{`${check}: ${shortened(message, longestMessage)}`}</Link>
          </>
        ))}
      />
    </p>
  );
}

interface ExchangeViewProps {
  readonly exchange: PageExchange;
  readonly matter?: PageMatter | undefined;
  /** What to read beside the response: it is above the request. */
  readonly beside?: VNode;
}

/** One exchange: the request and the response. */
export function ExchangeView({ exchange, matter, beside }: ExchangeViewProps): VNode {
  const { request, baseUrl } = exchange;
  const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
  const message = { ...request, startLine: `${request.method} ${request.target}` };
  const curl = writeCurl(exchange);
  const isBeside =
    beside !== undefined ||
    [request, exchange.response].every((each) => (each?.body.text ?? '') !== '');
  return (
    <div class={isBeside ? 'exchange beside' : 'exchange'}>
      <section>
        {beside}
        <h3>Request</h3>
        <p class="line">
          <b>{request.method}</b> {origin + request.target}{' '}
          {curl === undefined ? undefined : (
            <CopyButton text={curl} what="this request" label="Copy as curl" />
          )}
        </p>
        <MessageView message={message} name="request" />
      </section>
      <ResponseView exchange={exchange} matter={matter} />
    </div>
  );
}

function ResponseView({ exchange, matter }: ExchangeViewProps): VNode {
  const { response, fault, breaches = [], durationMs, resent } = exchange;
  return (
    <section>
      <h3>Answer</h3>
      <p class="line">
        {response === undefined ? (
          <Badge kind="error">no answer</Badge>
        ) : (
          <>
            <Badge kind={kindOf(response.status)}>{String(response.status)}</Badge>
            {` ${mediaTypeOf(response.headers)}`}
          </>
        )}
        {` · ${duration(durationMs)}`}
      </p>
      {fault === undefined ? undefined : <p>{`${fault.kind}: ${fault.message}`}</p>}
      {breaches.map(({ kind, message }) => (
        <p>
          <Badge kind="error">{kind}</Badge> {message}
        </p>
      ))}
      {resent === undefined ? undefined : <p class="dim">{`Sent twice: ${resent}`}</p>}
      {response === undefined ? undefined : (
        <MessageView
          message={{ ...response, startLine: String(response.status) }}
          matter={matter}
          name="answer"
        />
      )}
    </section>
  );
}

interface ControlDifferenceProps {
  readonly exchange: PageExchange;
  readonly control: PageExchange;
}

/** The parts in which the request differs from the one next to it that the server accepts. */
export function ControlDifference({ exchange, control }: ControlDifferenceProps): VNode | null {
  const lines = compareRequests(control.request, exchange.request, run?.id ?? '');
  if (lines.control.length + lines.request.length === 0) return null;
  const show = (sign: string, parts: readonly string[]): VNode[] =>
    parts.map((part) => (
      <span class={sign === '+' ? 'plus' : 'minus'}>
        {`${sign} ${shortened(part, longestPart)}\n`}
      </span>
    ));
  return (
    <>
      <h2>What differs from a request that the server accepts</h2>
      <p class="line">
        <span class="minus">{`− the control, answered ${outcomeOf(control)}`}</span>{' '}
        <span class="plus">{`+ this request, answered ${outcomeOf(exchange)}`}</span>
      </p>
      <pre class="difference" tabIndex={0} role="group" aria-label="Difference from the control">
        {show('−', lines.control)}
        {show('+', lines.request)}
      </pre>
    </>
  );
}

const longestPart = 400;

function outcomeOf({ response, fault }: PageExchange): string {
  return String(response?.status ?? fault?.kind ?? 'nothing');
}

interface MessageViewProps {
  readonly message: Message;
  readonly matter?: PageMatter | undefined;
  readonly name: 'request' | 'answer';
}

function MessageView({ message, matter, name }: MessageViewProps): VNode {
  const [shown, setShown] = useState<Shown>({ way: 'pretty', isWhole: false });
  const { headers, body } = message;
  return (
    <>
      {headers.length === 0 ? undefined : (
        <Fields headers={headers} hidden={shown.way === 'raw' && body.text !== ''} />
      )}
      {body.text === '' ? (
        <p class="dim">{`The ${name} has no body.`}</p>
      ) : (
        <BodyView message={message} matter={matter} name={name} shown={shown} show={setShown} />
      )}
      <BodyNote body={body} />
    </>
  );
}

interface BodyViewProps extends MessageViewProps {
  readonly shown: Shown;
  readonly show: (shown: Shown) => void;
}

/** A body in three formats, of which one is shown. */
function BodyView({ message, matter, name, shown: { way, isWhole }, show }: BodyViewProps): VNode {
  const { body } = message;
  const marks = useMemo(() => markJson(body.text, matter), [body.text, matter]);
  return (
    <>
      <div class="switch" role="group" aria-label={`How to show the ${name}`}>
        {views.map((each) => (
          <button
            type="button"
            aria-pressed={each === way}
            onClick={() => show({ way: each, isWhole: false })}
          >
            {each}
          </button>
        ))}
        {body.encoding === 'utf8' ? (
          <CopyButton
            text={body.text}
            what={`${body.cut === undefined ? '' : 'this part of '}the body of the ${name}`}
          />
        ) : undefined}
      </div>
      {way === 'pretty' && isJson(message) ? (
        <JsonView text={body.text} label={`The ${name}`} marks={marks} />
      ) : (
        <BodyText
          text={writeMessage(message, way)}
          matter={way === 'hex' ? undefined : matter}
          isWhole={isWhole}
          name={name}
          showAll={() => show({ way, isWhole: true })}
        />
      )}
    </>
  );
}

interface Shown {
  readonly way: MessageWay;
  readonly isWhole: boolean;
}

interface BodyTextProps {
  readonly text: string;
  readonly matter: PageMatter | undefined;
  readonly isWhole: boolean;
  readonly name: string;
  readonly showAll: () => void;
}

function BodyText({ text, matter, isWhole, name, showAll }: BodyTextProps): VNode {
  const pre = useRef<HTMLPreElement>(null);
  const { parts, rest } = markText(text, matter, isWhole);
  useLayoutEffect(() => {
    if (pre.current !== null && !isWhole) scrollToMark(pre.current);
  }, [text, isWhole]);
  const more = (): void => {
    showAll();
    pre.current?.focus();
  };
  return (
    <pre ref={pre} class="body" tabIndex={0} role="group" aria-label={`The ${name}`}>
      {parts.map((part) => (part.isMarked ? <mark>{part.text}</mark> : part.text))}
      {rest === 0 ? undefined : (
        <button type="button" class="more" onClick={more}>
          {`Show all of it (${countOf(rest, 'more character')})`}
        </button>
      )}
    </pre>
  );
}

/** Scrolls the first highlight to the middle of its scrollable text; the page does not scroll. */
export function scrollToMark(pre: HTMLElement): void {
  const mark = pre.querySelector('mark');
  if (mark !== null) pre.scrollTop = mark.offsetTop - pre.offsetTop - pre.clientHeight / 2;
}

function Fields({
  headers,
  hidden,
}: {
  readonly headers: Message['headers'];
  readonly hidden: boolean;
}): VNode {
  return (
    <details hidden={hidden}>
      <summary>{countOf(headers.length, 'header field')}</summary>
      <dl class="fields">
        {headers.map(([name, value]) => (
          <Fact name={name}>{value}</Fact>
        ))}
      </dl>
    </details>
  );
}

function BodyNote({ body: { encoding, cut } }: Pick<Message, 'body'>): VNode | null {
  const binary = encoding === 'utf8' ? '' : 'The body is not UTF-8, so it is shown byte by byte. ';
  const left =
    cut === undefined
      ? ''
      : `${countOf(cut, 'byte')} more are left out of this report; ` +
        '--reporter blob keeps every byte.';
  return binary + left === '' ? null : <p class="dim">{binary + left}</p>;
}

/** A text for a shell, with a button that copies it. */
export function Command({ text, what }: { readonly text: string; readonly what: string }): VNode {
  return (
    <div class="command">
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
