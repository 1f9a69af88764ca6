import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type {
  OperationBrief,
  OperationDetail,
  ServiceBrief,
  ShownAnswer,
  TryReply,
  TryStart,
} from '../../src/server/console/console-api.ts';
import { Badge, MethodMark } from '../shared/elements.tsx';
import { countOf, duration, encode, matchesWords, prettyBody } from '../shared/text.ts';
import { groupOperations } from '../shared/group-operations.ts';
import { type ConsoleApp, inSession, messageOf, type Route } from './app.tsx';
import { call } from './control-api.ts';
import { BodyView, copyCurl, Headers, StatusMark } from './exchange.tsx';
import type { Option } from './parts.tsx';
import { Button, Choice, Empty, Field, Form, Head, Link, SearchBox } from './parts.tsx';

/** A service that requests can be sent to. */
type Service = Pick<ServiceBrief, 'name' | 'url'> & {
  readonly kind: ServiceBrief['kind'] | 'mock';
};

const thisMock: Service = { name: 'mock', kind: 'mock', url: '' };

function titleOf({ kind, name }: Service): string {
  if (kind === 'mock') return 'This mock';
  return kind === 'prism' ? 'Prism' : name;
}

/**
 * Fills in a request, sends it to the mock and other services, and shows their responses side by
 * side.
 */
export async function loadTry(route: Route, app: ConsoleApp): Promise<VNode> {
  const { operations } = app.facts;
  const id = route[1] ?? operations[0]?.id;
  if (id === undefined)
    return (
      <section>
        <Head title="Try" />
        <Empty>
          The contract has no operations. Add paths to the document; with --watch, the mock reads it
          again.
        </Empty>
      </section>
    );
  const isKnown = operations.some((each) => each.id === id);
  const path = inSession(app, `/operations/${encode(id)}`);
  const operation = isKnown ? await call<OperationDetail>('GET', path) : undefined;
  return (
    <section>
      <Head title="Try">
        <p class="dim">{countOf(operations.length, 'operation')}</p>
      </Head>
      <div class="columns try">
        <OperationPicker operations={operations} chosen={id} />
        {operation === undefined ? (
          <Empty>{`The contract has no operation ${id}. Choose one of the list.`}</Empty>
        ) : (
          <TryForm key={id} app={app} operation={operation} />
        )}
      </div>
    </section>
  );
}

interface OperationPickerProps {
  readonly operations: readonly OperationBrief[];
  readonly chosen: string;
}

/** The operations by tag, with a search. */
function OperationPicker({ operations, chosen }: OperationPickerProps): VNode {
  const [words, setWords] = useState('');
  const fitting = operations.filter(({ id, method, path, summary, tags }) =>
    matchesWords([id, method, path, summary, ...tags].join(' '), words),
  );
  const groups = groupOperations(fitting);
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div class="operations">
      <SearchBox what="operations" words={words} change={setWords} />
      <div ref={list} class="operation-list" role="region" aria-label="Operations" tabIndex={0}>
        {fitting.length === 0 ? (
          <Empty>No operation matches. Search for a part of its path, or clear the search.</Empty>
        ) : undefined}
        {groups.map(([title, members]) => (
          <>
            {title === '' ? undefined : <h2>{title}</h2>}
            <ul class="plain">
              {members.map((operation) => (
                <OperationRow
                  key={operation.id}
                  operation={operation}
                  isChosen={operation.id === chosen}
                />
              ))}
            </ul>
          </>
        ))}
      </div>
    </div>
  );
}

interface OperationRowProps {
  readonly operation: OperationBrief;
  readonly isChosen: boolean;
}

function OperationRow({ operation, isChosen }: OperationRowProps): VNode {
  const { id, method, path, summary, deprecated } = operation;
  return (
    <li>
      <Link
        to={['try', id]}
        class={`operation-row${deprecated ? ' deprecated' : ''}`}
        title={summary === '' ? id : `${id}: ${summary}`}
        current={isChosen}
      >
        <MethodMark method={method} />
        <span class="target">
          {path.split(/(?=\/)/).map((segment) => (
            <>
              <wbr />
              {segment}
            </>
          ))}
        </span>
      </Link>
    </li>
  );
}

/** The input of the form. */
interface Draft {
  /** The parameter values, in order. */
  readonly values: readonly string[];
  readonly body: string;
  readonly key: string;
  /** The names of the other selected services. */
  readonly services: readonly string[];
}

interface TryProps {
  readonly app: ConsoleApp;
  readonly operation: OperationDetail;
}

function TryForm({ app, operation }: TryProps): VNode {
  const others = app.facts.services.filter(({ itself }) => !itself);
  const [draft, setDraft] = useState(() => firstDraft(app, operation));
  const [asked, setAsked] = useState<readonly Asked[]>([]);
  const submit = (): void => {
    const services = [thisMock, ...others.filter(({ name }) => draft.services.includes(name))];
    setAsked(
      services.map((service) => ({
        service,
        reply: call<TryReply>('POST', '/try', { body: tryStartOf(app, operation, draft, service) }),
      })),
    );
  };
  return (
    <div class={others.length === 0 ? 'try-panes' : 'try-panes several'}>
      <Form class="card" submit={submit}>
        <OperationLine operation={operation} />
        <RequestFields
          operation={operation}
          keys={app.facts.keys}
          draft={draft}
          change={(changed) => setDraft({ ...draft, ...changed })}
        />
        <OtherServices
          others={others}
          chosen={draft.services}
          change={(services) => setDraft({ ...draft, services })}
        />
        <div class="actions">
          <button type="submit" class="primary">
            Send
          </button>
        </div>
      </Form>
      <Answers app={app} asked={asked} isAlone={others.length === 0} />
    </div>
  );
}

function OperationLine({ operation }: Pick<TryProps, 'operation'>): VNode {
  const { id, method, base, path, summary, deprecated } = operation;
  return (
    <div class="operation-line">
      <p class="line">
        <MethodMark method={method} />
        {` ${base}${path}`}
        {deprecated ? (
          <>
            {' '}
            <Badge kind="warning">deprecated</Badge>
          </>
        ) : undefined}
      </p>
      <p class="dim">{summary === '' ? id : `${summary} · ${id}`}</p>
    </div>
  );
}

interface AnswersProps {
  readonly app: ConsoleApp;
  readonly asked: readonly Asked[];
  /** The mock is the only service. */
  readonly isAlone: boolean;
}

function Answers({ app, asked, isAlone }: AnswersProps): VNode {
  return (
    <div class="answers" aria-live="polite">
      {asked.length === 0 ? (
        <Empty>
          {isAlone
            ? 'The response appears here.'
            : 'The response appears here, beside those of the other services.'}
        </Empty>
      ) : undefined}
      {asked.map((each) => (
        <AnswerCard key={each.service.name} app={app} asked={each} />
      ))}
    </div>
  );
}

/** The example of the contract; optional parameters are left out. */
function firstDraft({ facts }: ConsoleApp, operation: OperationDetail): Draft {
  return {
    values: operation.parameters.map(({ required, in: place, value }) =>
      isFilled(required, place) ? value : '',
    ),
    body: operation.body === null ? '' : prettyBody(operation.body.text),
    key: operation.secured ? (facts.keys[0] ?? '') : '',
    services: facts.services
      .filter(({ kind, itself }) => kind === 'prism' && !itself)
      .map(({ name }) => name),
  };
}

function isFilled(required: boolean, place: string): boolean {
  return required || place === 'path';
}

function tryStartOf(
  { session }: ConsoleApp,
  { id, parameters, body }: OperationDetail,
  draft: Draft,
  service: Service,
): TryStart {
  return {
    operation: id,
    service: service.name,
    key: draft.key === '' ? null : draft.key,
    parameters: parameters.map((parameter, index) => ({
      in: parameter.in,
      name: parameter.name,
      value: draft.values[index] ?? '',
    })),
    headers: session === 'default' || service.kind !== 'mock' ? [] : [['Vouch-Session', session]],
    body: draft.body === '' ? null : draft.body,
    mediaType: body?.mediaType ?? null,
  };
}

interface RequestFieldsProps {
  readonly operation: OperationDetail;
  readonly keys: readonly string[];
  readonly draft: Draft;
  readonly change: (changed: Partial<Draft>) => void;
}

function RequestFields({ operation, keys, draft, change }: RequestFieldsProps): VNode {
  const { parameters, body, secured } = operation;
  const noKey = secured ? 'none: send no credential' : 'none';
  return (
    <>
      {parameters.map(({ name, required, in: place, value }, index) => (
        <Field
          key={`${place} ${name}`}
          label={`${name}${required ? ' *' : ''}`}
          hint={value === '' || isFilled(required, place) ? place : `${place}, such as ${value}`}
        >
          <input
            value={draft.values[index] ?? ''}
            placeholder="not sent"
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget }) =>
              change({ values: draft.values.with(index, currentTarget.value) })
            }
          />
        </Field>
      ))}
      {body === null ? undefined : (
        <Field label="Body" hint={body.mediaType}>
          <textarea
            rows={10}
            spellcheck={false}
            aria-label={`Body, as ${body.mediaType}`}
            value={draft.body}
            onInput={({ currentTarget }) => change({ body: currentTarget.value })}
          />
        </Field>
      )}
      <Field label="Key">
        <Choice
          options={[['', noKey], ...keys.map((key): Option => [key, key])]}
          value={draft.key}
          change={(key) => change({ key })}
        />
      </Field>
    </>
  );
}

interface OtherServicesProps {
  readonly others: readonly ServiceBrief[];
  readonly chosen: readonly string[];
  readonly change: (chosen: readonly string[]) => void;
}

function OtherServices({ others, chosen, change }: OtherServicesProps): VNode {
  if (others.length === 0)
    return (
      <p class="dim">
        Start with --prism, or name targets in vouch.config.yaml, to see other answers beside this
        one.
      </p>
    );
  return (
    <fieldset>
      <legend>Ask also</legend>
      {others.map((service) => (
        <label key={service.name} class="check">
          <input
            type="checkbox"
            aria-label={`Ask ${service.name} too`}
            checked={chosen.includes(service.name)}
            onChange={({ currentTarget: { checked } }) => {
              const rest = chosen.filter((name) => name !== service.name);
              change(checked ? [...rest, service.name] : rest);
            }}
          />{' '}
          {titleOf(service)}
          <small>{` ${service.url}`}</small>
        </label>
      ))}
    </fieldset>
  );
}

/** A service with its pending response. */
interface Asked {
  readonly service: Service;
  readonly reply: Promise<TryReply>;
}

interface AnswerCardProps {
  readonly app: ConsoleApp;
  readonly asked: Asked;
}

function AnswerCard({ app, asked: { service, reply } }: AnswerCardProps): VNode {
  const outcome = useOutcome(reply);
  return (
    <article class="card answer">
      <div class="head">
        <h2>{titleOf(service)}</h2>
        <AnswerLinks app={app} exchange={outcome?.exchange} />
      </div>
      {outcome === undefined ? <p class="dim">Waiting…</p> : undefined}
      {outcome === undefined ? undefined : 'problem' in outcome ? (
        <p class="verdict error">{outcome.problem}</p>
      ) : (
        <Answer answer={outcome} durationMs={outcome.durationMs} />
      )}
    </article>
  );
}

interface AnswerLinksProps {
  readonly app: ConsoleApp;
  readonly exchange: number | undefined;
}

/** Leads to the exchange of a response in the traffic. */
function AnswerLinks({ app, exchange }: AnswerLinksProps): VNode | null {
  if (exchange === undefined) return null;
  return (
    <div class="actions">
      <Link to={['traffic', String(exchange)]} class="button">
        Show in traffic
      </Link>
      <Button act={() => copyCurl(app, exchange)}>Copy as curl</Button>
    </div>
  );
}

type Outcome = TryReply | { readonly problem: string; readonly exchange?: undefined };

/** The response after it arrives; a failure is a result too. */
function useOutcome(reply: Promise<TryReply>): Outcome | undefined {
  const [outcome, setOutcome] = useState<Outcome>();
  useLayoutEffect(() => {
    let isCurrent = true;
    const take = (taken: Outcome): void => {
      if (isCurrent) setOutcome(taken);
    };
    setOutcome(undefined);
    reply.then(take, (error: unknown) => take({ problem: messageOf(error) }));
    return () => {
      isCurrent = false;
    };
  }, [reply]);
  return outcome;
}

interface AnswerProps {
  readonly answer: ShownAnswer;
  readonly durationMs: number;
}

function Answer({ answer, durationMs }: AnswerProps): VNode {
  const { status, headers, body, bytes, delayMs = 0, fault } = answer;
  return (
    <>
      <p class="facts">
        <StatusMark status={status} />
        {` ${duration(durationMs)}`}
        {delayMs > 0 ? ` · would wait ${duration(delayMs)}` : undefined}
        {fault === null || fault === undefined ? undefined : (
          <>
            {' · '}
            <Badge kind="error">{`${fault} on the wire`}</Badge>
          </>
        )}
      </p>
      <BodyView body={body} bytes={bytes} truncated={false} label="The body of the response" />
      <Headers headers={headers} />
    </>
  );
}
