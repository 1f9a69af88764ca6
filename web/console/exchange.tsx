import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type {
  ExchangeDetail,
  Judgement,
  Problem,
  ShownMessage,
  Verification,
} from '../../src/server/console/console-api.ts';
import { Badge, Fact, MethodMark } from '../shared/elements.tsx';
import { JsonView } from '../shared/json.tsx';
import { countOf, duration, encode, prettyBody, timeOf } from '../shared/text.ts';
import { type ConsoleApp, guarded, mockOrigin } from './app.tsx';
import { call, Refusal } from './control-api.ts';
import { Button, copyText, Empty, Link, openDialog, Verdict } from './parts.tsx';
import { Icon } from '../shared/icons.tsx';

/** The label and color of each judgement. */
export const judgements: Readonly<
  Record<Judgement, { readonly kind: string; readonly word: string }>
> = {
  valid: { kind: 'kept', word: 'valid' },
  invalid: { kind: 'error', word: 'invalid' },
  refused: { kind: 'warning', word: 'refused' },
  unknown: { kind: 'none', word: 'not judged' },
};

/** A status in its color. */
export function StatusMark({ status }: { readonly status: number }): VNode {
  return <span class={`code s${String(status).slice(0, 1)}`}>{String(status)}</span>;
}

interface BodyProps {
  readonly body: ShownMessage['body'];
  readonly bytes: number;
  readonly truncated: boolean;
  /** Its accessible name. */
  readonly label: string;
}

/** A body: JSON formatted or unchanged, other text unchanged, bytes in base64. */
export function BodyView({ body, bytes, truncated, label }: BodyProps): VNode {
  const [isRaw, setRaw] = useState(false);
  if (body === null) return <p class="dim">No body.</p>;
  if ('base64' in body)
    return (
      <>
        <p class="dim">{`${countOf(bytes, 'byte')}, no text. In base64:`}</p>
        <pre tabIndex={0}>{body.base64}</pre>
      </>
    );
  const isJson = prettyBody(body.text) !== body.text || /^\s*[[{]/.test(body.text);
  return (
    <>
      {isJson ? (
        <div class="switch">
          <Button aria-pressed={!isRaw} act={() => setRaw(false)}>
            pretty
          </Button>
          <Button aria-pressed={isRaw} act={() => setRaw(true)}>
            raw
          </Button>
        </div>
      ) : undefined}
      {isJson && !isRaw ? (
        <JsonView text={body.text} label={label} />
      ) : (
        <pre tabIndex={0}>{body.text}</pre>
      )}
      {truncated ? (
        <p class="dim">{`Only the beginning of ${countOf(bytes, 'byte')} was kept.`}</p>
      ) : undefined}
    </>
  );
}

export function Headers({ headers }: Pick<ShownMessage, 'headers'>): VNode {
  return (
    <details>
      <summary>{countOf(headers.length, 'header')}</summary>
      {headers.length === 0 ? (
        <p class="dim">No headers.</p>
      ) : (
        <dl class="headers">
          {headers.map(([name, value]) => (
            <Fact name={name}>{value}</Fact>
          ))}
        </dl>
      )}
    </details>
  );
}

function MessageView({
  title,
  message,
}: {
  readonly title: string;
  readonly message: ShownMessage;
}): VNode {
  return (
    <section>
      <h3>{title}</h3>
      <BodyView {...message} label={`The body of the ${title.toLowerCase()}`} />
      <Headers headers={message.headers} />
    </section>
  );
}

interface PanelProps {
  readonly app: ConsoleApp;
  readonly id: number;
}

export function ExchangePanel({ app, id }: PanelProps): VNode {
  const [content, show] = useState<ComponentChildren>();
  useEffect(() => {
    void guarded(async () => show(await loadExchange(app, id)));
  }, []);
  return (
    <aside class="detail" aria-label="The exchange">
      {content ?? <p class="dim">Loading…</p>}
    </aside>
  );
}

/** The path of an exchange, whose curl command names the origin of the mock. */
function pathOfExchange(app: ConsoleApp, id: number): string {
  return `/traffic/${String(id)}?origin=${encode(mockOrigin(app))}`;
}

/** Copies a curl command that sends the request of an exchange again. */
export async function copyCurl(app: ConsoleApp, id: number): Promise<void> {
  const { curl } = await call<ExchangeDetail>('GET', pathOfExchange(app, id));
  await copyText(curl, 'a curl command');
}

async function loadExchange(app: ConsoleApp, id: number): Promise<VNode> {
  try {
    const entry = await call<ExchangeDetail>('GET', pathOfExchange(app, id));
    return <ExchangeView app={app} entry={entry} />;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404)
      return (
        <Empty>
          <p>{error.message}</p>
          <a href="#/traffic">Back to the traffic</a>
        </Empty>
      );
    throw error;
  }
}

interface ExchangeProps {
  readonly app: ConsoleApp;
  readonly entry: ExchangeDetail;
}

function ExchangeView({ app, entry }: ExchangeProps): VNode {
  return (
    <>
      <div class="head">
        <h2>
          <MethodMark method={entry.method} /> <span class="target">{entry.target}</span>
        </h2>
        <Link to={['traffic']} class="close" label="Close the exchange">
          <Icon name="close" />
        </Link>
      </div>
      <ExchangeFacts entry={entry} />
      <JudgementView entry={entry} />
      <NearView entry={entry} />
      <div class="actions">
        <Button act={() => copyText(entry.curl, 'a curl command')}>Copy as curl</Button>
        {entry.operation === null ? undefined : (
          <>
            <Link to={['scenarios', 'new', String(entry.id)]} class="button">
              Copy as scenario
            </Link>
            <Button act={() => openClaim(app, entry)}>Assert…</Button>
          </>
        )}
      </div>
      <MessageView title="Request" message={entry.request} />
      <MessageView title="Response" message={entry.response} />
      <section>
        <h3>curl</h3>
        <pre tabIndex={0}>{entry.curl}</pre>
      </section>
    </>
  );
}

interface EntryProps {
  readonly entry: ExchangeDetail;
}

function ExchangeFacts({ entry }: EntryProps): VNode {
  const { status, durationMs, at, operation, session, scenario, fault, callbacks } = entry;
  const more = [
    session === null ? [] : `session ${session}`,
    scenario === null ? [] : `scenario ${scenario}`,
    fault === null ? [] : `${fault} on the wire`,
    callbacks === 0 ? [] : countOf(callbacks, 'callback'),
  ].flat();
  return (
    <p class="facts">
      <StatusMark status={status} />
      {` ${duration(durationMs)} · ${timeOf(at)}`}
      {operation === null ? undefined : (
        <>
          {' · '}
          <Link to={['try', operation]}>{operation}</Link>
        </>
      )}
      {more.map((fact) => ` · ${fact}`)}
    </p>
  );
}

function JudgementView({ entry: { judgement, reason, scenario, status } }: EntryProps): VNode {
  const { kind, word } = judgements[judgement];
  const told: Readonly<Record<Judgement, string>> = {
    valid: 'The request conforms to the contract.',
    invalid: 'The request does not conform to the contract.',
    refused: 'The request conforms to the contract; what it asks for is not possible now.',
    unknown:
      scenario === null
        ? 'The request was not validated.'
        : `The scenario ${scenario} answered with ${String(status)}.`,
  };
  return (
    <Verdict kind={kind}>
      <Badge kind={kind}>{word}</Badge>
      <div>
        <b>{told[judgement]}</b>
        {reason === null ? undefined : <p>{reason}</p>}
      </div>
    </Verdict>
  );
}

function NearView({ entry: { near } }: EntryProps): VNode | null {
  if (near === null) return null;
  return (
    <Verdict kind="note">
      <Badge kind="note">{`nearly ${near.name}`}</Badge>
      <div>
        {near.message}
        {near.kind === 'operation' && !near.name.startsWith('/') ? (
          <>
            {' '}
            <Link to={['try', near.name]}>Try it</Link>.
          </>
        ) : undefined}
      </div>
    </Verdict>
  );
}

/** Asserts a claim about recorded requests, and shows the nearest misses if it does not hold. */
export function openClaim(app: ConsoleApp, entry?: ExchangeDetail): void {
  const claim =
    entry === undefined
      ? { operation: app.facts.operations[0]?.id, atLeast: 1 }
      : { operation: entry.operation ?? undefined, status: entry.status, count: 1 };
  openDialog('Assert that it happened', (dialog) => (
    <ClaimForm claim={JSON.stringify(claim, null, 2)} close={() => dialog.close()} />
  ));
}

interface ClaimFormProps {
  readonly claim: string;
  readonly close: () => void;
}

function ClaimForm({ claim, close }: ClaimFormProps): VNode {
  const [text, setText] = useState(claim);
  const [outcome, setOutcome] = useState<VNode>();
  return (
    <>
      <p class="dim">
        A claim names an operation, method, path, status, query, headers or body, and count, atLeast
        or atMost: what a test asserts.
      </p>
      <textarea
        rows={8}
        spellcheck={false}
        aria-label="The claim, as JSON"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div aria-live="polite">{outcome}</div>
      <div class="actions">
        <Button act={close}>Close</Button>
        <Button class="primary" act={async () => setOutcome(await assertClaim(text))}>
          Assert
        </Button>
      </div>
    </>
  );
}

async function assertClaim(claim: string): Promise<VNode> {
  try {
    const { count } = await call<Verification>('POST', '/verify', { body: claim });
    return (
      <Verdict kind="kept">
        <Badge kind="kept">holds</Badge>
        <b>{`It happened ${countOf(count, 'time')}.`}</b>
      </Verdict>
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 409) throw error;
    return (
      <>
        <Verdict kind="error">
          <Badge kind="error">does not hold</Badge>
          <b>{error.message}</b>
        </Verdict>
        <NearMisses problem={error.problem} />
      </>
    );
  }
}

function NearMisses({ problem: { nearMisses = [] } }: { readonly problem: Problem }): VNode {
  if (nearMisses.length === 0) return <p class="dim">No exchange comes near.</p>;
  return (
    <div>
      <h3>What came nearest</h3>
      <ul class="plain misses">
        {nearMisses.map(({ exchange: { method, target, status }, failed }) => (
          <li>
            <code>{`${method} ${target} ${String(status)}`}</code>
            <ul>
              {failed.map(({ message }) => (
                <li>{message}</li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </div>
  );
}
