import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  CheckFinding,
  CheckGap,
  CheckLine,
  CheckStart,
  ServiceBrief,
} from '../../src/server/console/console-api.ts';
import { Badge, Fact } from '../shared/elements.tsx';
import { FixDocument } from '../shared/fix-document.tsx';
import { countOf, encode, readJson, shellQuote } from '../shared/text.ts';
import { type ConsoleApp, mockOrigin } from './app.tsx';
import { prefix, readParts, Refusal, send } from './control-api.ts';
import { Button, Choice, copyText, Field, Form, Head, type Option, Verdict } from './parts.tsx';
import { Icon } from '../shared/icons.tsx';

const modes = [
  ['read-only', 'read-only: GET, HEAD and OPTIONS alone'],
  ['read-write', 'read-write: also creates records, and deletes them'],
] as const satisfies readonly Option[];

/** What is checked unless it is a target: this mock, or a URL. No target can have these names. */
const thisMock = '/this';
const aUrl = '/url';

/** The input of the form. */
interface Draft {
  readonly target: string;
  readonly url: string;
  readonly mode: CheckStart['mode'];
}

interface Progress {
  readonly planned: number;
  readonly done: number | undefined;
  readonly findings: readonly CheckFinding[];
  /** Gaps of the contract that a change of the document closes. */
  readonly gaps: readonly CheckGap[];
  readonly isStopped: boolean;
  readonly end: Extract<CheckLine, { readonly type: 'finished' | 'failed' }> | undefined;
}

const started: Progress = {
  planned: 0,
  done: undefined,
  findings: [],
  gaps: [],
  isStopped: false,
  end: undefined,
};

function advance(progress: Progress, line: CheckLine): Progress {
  switch (line.type) {
    case 'planned':
      return { ...progress, planned: line.requests };
    case 'progress':
      return { ...progress, done: line.done };
    case 'finding':
      return { ...progress, findings: [...progress.findings, line.finding] };
    case 'gap':
      return { ...progress, gaps: [...progress.gaps, line.gap] };
    default:
      return { ...progress, end: line };
  }
}

/** Checks a server against the contract. */
export function CheckView({ app }: { readonly app: ConsoleApp }): VNode {
  const { progress, start, stop } = useCheck();
  return (
    <section>
      <Head title="Check">
        <p class="dim">Does a server conform to the contract?</p>
      </Head>
      <CheckForm app={app} start={start} />
      <div class="outcome">
        {progress === undefined ? undefined : <CheckOutcome progress={progress} stop={stop} />}
      </div>
    </section>
  );
}

interface CheckFormProps {
  readonly app: ConsoleApp;
  readonly start: (start: CheckStart) => Promise<void>;
}

function CheckForm({ app, start }: CheckFormProps): VNode {
  const targets = app.facts.services.filter(({ kind }) => kind === 'target');
  const [draft, setDraft] = useState<Draft>({
    target: thisMock,
    url: '',
    mode: 'read-only',
  });
  const [problem, setProblem] = useState<string>();
  const change = (changed: Partial<Draft>): void => {
    setProblem(undefined);
    setDraft({ ...draft, ...changed });
  };
  const submit = async (): Promise<void> => {
    try {
      await start(tryStartOf(draft));
    } catch (error) {
      // Only a URL is typed.
      if (!(error instanceof Refusal) || draft.target !== aUrl) throw error;
      setProblem(error.message);
    }
  };
  return (
    <Form class="card check-form" submit={submit}>
      <ServerFields {...{ app, targets, draft, problem, change }} />
      <Field label="Mode">
        <Choice
          options={modes}
          value={draft.mode}
          change={(mode) => change({ mode: mode === 'read-write' ? mode : 'read-only' })}
        />
      </Field>
      <SameCommand command={commandOf(app, draft)} />
      {app.facts.checks ? (
        <div class="actions">
          <button type="submit" class="primary">
            Check
          </button>
        </div>
      ) : (
        <p class="dim">This mock cannot check servers: use the command.</p>
      )}
    </Form>
  );
}

interface ServerFieldsProps {
  readonly app: ConsoleApp;
  readonly targets: readonly ServiceBrief[];
  readonly draft: Draft;
  /** Why the URL is refused. */
  readonly problem: string | undefined;
  readonly change: (changed: Partial<Draft>) => void;
}

/** The server: this mock, a target of the configuration, or a base URL on this machine. */
function ServerFields({ app, targets, draft, problem, change }: ServerFieldsProps): VNode {
  const options = targets
    .filter(({ itself }) => !itself)
    .map(({ name, url }): Option => [name, `${name} (${url})`]);
  return (
    <>
      <Field label="Server" hint={hintOf(app, draft)}>
        <Choice
          options={[
            [thisMock, `this mock (${ownUrl(app)})`],
            ...options,
            [aUrl, 'another server on this machine'],
          ]}
          value={draft.target}
          change={(target) => change({ target })}
        />
      </Field>
      <Field
        label="Base URL"
        hint="Name those of other machines in vouch.config.yaml."
        hidden={draft.target !== aUrl}
        issue={problem}
      >
        <input
          type="url"
          placeholder="http://127.0.0.1:8080/v1"
          aria-invalid={problem !== undefined}
          spellcheck={false}
          autocomplete="off"
          value={draft.url}
          onInput={({ currentTarget }) => change({ url: currentTarget.value })}
        />
      </Field>
    </>
  );
}

/** Which credential the check sends. */
function hintOf({ facts }: ConsoleApp, { target }: Draft): string {
  const { key, fromEnvironment } = facts.checkAccess;
  if (target !== thisMock && target !== aUrl)
    return 'Its token comes from the environment of the mock: the variable in its auth.';
  if (target === aUrl && fromEnvironment)
    return 'VOUCH_TOKEN is sent, as in the environment of the mock.';
  return key === null ? 'No credential is sent.' : 'The key of the mock is sent.';
}

function ownUrl(app: ConsoleApp): string {
  return mockOrigin(app) + (app.facts.operations[0]?.base ?? '');
}

function tryStartOf({ target, url, mode }: Draft): CheckStart {
  if (target === thisMock) return { itself: true, mode };
  return target === aUrl ? { url, mode } : { target, mode };
}

/** The equivalent command line. */
function commandOf(app: ConsoleApp, { target, url, mode }: Draft): string {
  const { contract, checkAccess } = app.facts;
  const command = (server: string): string => `npx vouch check ${server} --mode ${mode}`;
  if (target !== thisMock && target !== aUrl)
    return command(/^[\w.-]+$/.test(target) ? target : shellQuote(target));
  const given = target === thisMock ? ownUrl(app) : url === '' ? 'URL' : url;
  const place = `${shellQuote(given)} ${shellQuote(contract)}`;
  const { key, fromEnvironment, schemes } = checkAccess;
  if (key === null || (target === aUrl && fromEnvironment)) return command(place);
  const auth = schemes.map((name) => ` --auth ${shellQuote(`${name}=env:VOUCH_TOKEN`)}`).join('');
  return `VOUCH_TOKEN=${shellQuote(key)} ${command(place)}${auth}`;
}

function SameCommand({ command }: { readonly command: string }): VNode {
  return (
    <div class="command">
      <span class="dim">The same on the command line</span>
      <code>{command}</code>
      <Button aria-label="Copy the command" act={() => copyText(command, 'the command')}>
        Copy
      </Button>
    </div>
  );
}

interface RunningCheck {
  /** Undefined before the first check. */
  readonly progress: Progress | undefined;
  readonly start: (start: CheckStart) => Promise<void>;
  readonly stop: () => void;
}

/** Runs one check at a time; a new check or leaving the page stops it. */
function useCheck(): RunningCheck {
  const running = useRef<AbortController>(undefined);
  const [progress, setProgress] = useState<Progress>();
  useEffect(() => () => running.current?.abort(), []);
  const update = (change: (before: Progress) => Progress): void =>
    setProgress((before) => before && change(before));
  const start = async (body: CheckStart): Promise<void> => {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    setProgress(started);
    try {
      const response = await send('POST', '/check', { body, signal: mine.signal });
      await readParts(response, '\n', (line) => {
        if (line !== '') update((before) => advance(before, readJson(line) as CheckLine));
      });
    } catch (error) {
      if (mine.signal.aborted) return;
      setProgress(undefined);
      throw error;
    }
  };
  const stop = (): void => {
    running.current?.abort();
    update((before) => ({ ...before, isStopped: true }));
  };
  return { progress, start, stop };
}

interface CheckOutcomeProps {
  readonly progress: Progress;
  readonly stop: () => void;
}

function CheckOutcome({ progress, stop }: CheckOutcomeProps): VNode {
  const { end, findings, gaps } = progress;
  if (end?.type === 'failed') return <p class="verdict error">{`${end.message} ${end.hint}`}</p>;
  return (
    <>
      {end === undefined ? (
        <ProgressBar progress={progress} stop={stop} />
      ) : (
        <CheckVerdict verdict={end} />
      )}
      <div class="findings">
        {findings.map((finding) => (
          <FindingView key={finding.id} finding={finding} />
        ))}
      </div>
      {gaps.length === 0 ? undefined : <h2>Gaps of the contract</h2>}
      {gaps.map(({ id, message, observed, overlay }) => (
        <div key={id} class="gap">
          {message} <span class="dim">{observed}</span>
          <FixDocument overlay={overlay} />
        </div>
      ))}
    </>
  );
}

function ProgressBar({ progress, stop }: CheckOutcomeProps): VNode {
  const { planned, done, isStopped } = progress;
  const max = Math.max(1, planned);
  const told =
    done === undefined ? 'Planning…' : `${String(done)} of about ${countOf(planned, 'request')}`;
  return (
    <>
      <div class="running">
        <progress
          max={planned === 0 ? 100 : max}
          value={planned === 0 ? undefined : Math.min(done ?? 0, max)}
          aria-label="Progress of the check"
        />
        <Button act={stop}>Stop</Button>
      </div>
      <p class="dim" role="status">
        {isStopped ? 'Stopped. What was created is cleaned up.' : told}
      </p>
    </>
  );
}

interface CheckVerdictProps {
  readonly verdict: Extract<CheckLine, { readonly type: 'finished' }>;
}

function CheckVerdict({
  verdict: { verdict, reason, requests, report },
}: CheckVerdictProps): VNode {
  const kind = verdict === 'passed' ? 'kept' : verdict === 'failed' ? 'error' : 'warning';
  return (
    <Verdict kind={kind} role="status">
      <Badge kind={kind}>{verdict}</Badge>
      <div>
        <b>{reason}</b>
        <p>{countOf(requests, 'request')}</p>
      </div>
      <a
        class="button primary"
        href={`${prefix}/reports/${encode(report)}`}
        target="_blank"
        rel="noopener"
      >
        Open report <Icon name="open" />
      </a>
    </Verdict>
  );
}

function FindingView({ finding }: { readonly finding: CheckFinding }): VNode {
  const { severity, operation, message, expected, actual, place, frame, curl, check, overlay } =
    finding;
  const commands = curl.join('\n');
  const facts = { expected, actual, check, contract: place };
  return (
    <details class={`finding ${severity}`}>
      <summary>
        <Badge kind={severity}>{severity}</Badge> <b>{operation}</b> {message}
      </summary>
      <dl>
        {Object.entries(facts).map(([name, fact]) => (
          <Fact name={name}>{fact}</Fact>
        ))}
      </dl>
      <pre tabIndex={0} class="frame">
        {frame}
      </pre>
      {commands === '' ? undefined : (
        <>
          <pre tabIndex={0}>{commands}</pre>
          <Button act={() => copyText(commands, 'the commands')}>Copy as curl</Button>
        </>
      )}
      <FixDocument overlay={overlay} />
    </details>
  );
}
