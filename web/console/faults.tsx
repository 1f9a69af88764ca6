import type { VNode } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { ClockSetting, FaultSetting } from '../../src/server/console/console-api.ts';
import { Badge } from '../shared/elements.tsx';
import { type ConsoleApp, type Route, say } from './app.tsx';
import { call, callText, Refusal } from './control-api.ts';
import { Button, Choice, Field, Head, operationOption, type Option } from './parts.tsx';
import { resetClock, turnOffFaults } from './shell.tsx';

/** Delays and failures for all responses or those of one operation, and the clock. */
export async function loadFaults(_route: Route, app: ConsoleApp): Promise<VNode> {
  const [faults, clock] = await Promise.all([
    call<FaultSetting>('GET', '/faults'),
    call<ClockSetting>('GET', '/clock'),
  ]);
  return (
    <section>
      <Head title="Faults and clock">
        <p class="dim">For the requests of all sessions</p>
      </Head>
      <div class="columns even">
        <FaultsCard app={app} faults={faults} />
        <ClockCard app={app} clock={clock} />
      </div>
    </section>
  );
}

/** The network faults, each with what a client sees. */
const faultKinds: readonly Option[] = [
  ['', 'None'],
  ['reset', 'reset: the connection is reset'],
  ['empty', 'empty: it closes without a byte'],
  ['garbage', 'garbage: bytes that are no HTTP'],
  ['hang', 'hang: no byte for a minute'],
  ['truncated', 'truncated: half of the body'],
  ['truncated-chunks', 'truncated-chunks: no last chunk'],
  ['malformed-chunk', 'malformed-chunk: a chunk without a size'],
  ['wrong-length', 'wrong-length: Content-Length is off by one'],
  ['dribble', 'dribble: a byte at a time'],
];
const [noFailure = ['', 'None'], ...onWire] = faultKinds;
const failures: readonly Option[] = [
  noFailure,
  ['500', '500: an internal error'],
  ['503', '503: the service is unavailable'],
  ['429', '429: too many requests'],
  ...onWire,
];
const shares: readonly Option[] = [
  ['1', 'every answer'],
  ['0.5', 'one in two'],
  ['0.2', 'one in five'],
  ['0.1', 'one in ten'],
  ['0.01', 'one in a hundred'],
];
const speeds: readonly Option[] = [
  ['', 'full speed'],
  ['200000', '1.6 Mbit/s, as fast 3G'],
  ['50000', '400 kbit/s, as slow 3G'],
  ['6000', '48 kbit/s, as GPRS'],
];

/** The input of the form. */
interface Draft {
  /** The operation; '' for all. */
  readonly operation: string;
  readonly share: string;
  readonly delay: string;
  readonly speed: string;
  /** A status or the kind of a network fault; '' for none. */
  readonly failure: string;
}

const noFaults: Omit<Draft, 'operation'> = { share: '1', delay: '', speed: '', failure: '' };

/** Settings of one click, for the operation that is chosen. */
const presets: readonly (readonly [string, Partial<Draft>])[] = [
  ['300 ms', { delay: '300ms' }],
  ['2 s', { delay: '2s' }],
  ['Slow 3G', { delay: '2s', speed: '50000' }],
  ['500 now and then', { failure: '500', share: '0.2' }],
  ['Lost now and then', { failure: 'reset', share: '0.2' }],
];

function draftOf({
  delayMs,
  bytesPerSecond,
  status,
  fault,
  share,
  operation,
}: FaultSetting): Draft {
  return {
    operation: operation ?? '',
    share: String(share),
    delay: delayMs === 0 ? '' : `${String(delayMs)}ms`,
    speed: String(bytesPerSecond ?? ''),
    failure: fault ?? String(status ?? ''),
  };
}

function bodyOf({ operation, share, delay, speed, failure }: Draft): object {
  const isStatus = /^\d+$/.test(failure);
  return {
    delay,
    bytesPerSecond: speed === '' ? null : Number(speed),
    status: isStatus ? Number(failure) : null,
    fault: isStatus || failure === '' ? null : failure,
    share: Number(share),
    operation: operation === '' ? null : operation,
  };
}

/** The input of a field until the mock reports a new state, which is another object. */
export function useInput<Value>(value: Value, source: object): [Value, (value: Value) => void] {
  const [input, setInput] = useState(value);
  useLayoutEffect(() => setInput(value), [source]);
  return [input, setInput];
}

interface FaultsCardProps {
  readonly app: ConsoleApp;
  readonly faults: FaultSetting;
}

function FaultsCard({ app, faults }: FaultsCardProps): VNode {
  const [draft, setDraft] = useInput(draftOf(faults), faults);
  const [problem, setProblem] = useState<string>();
  const set = async (wanted: Draft): Promise<void> => {
    setProblem(undefined);
    try {
      await callText('PUT', '/faults', { body: bodyOf(wanted) });
    } catch (error) {
      // Only the delay is typed.
      if (!(error instanceof Refusal) || error.status !== 400) throw error;
      return setProblem(error.message);
    }
    say(`Set for ${wanted.operation === '' ? 'all requests' : wanted.operation}.`);
    void app.reload();
  };
  const { delayMs, bytesPerSecond, status, fault } = faults;
  return (
    <section class="card">
      <CardHead
        title="Latency and faults"
        isOn={delayMs > 0 || (bytesPerSecond ?? status ?? fault) !== null}
      />
      <p class="dim">Added to what a scenario does; requests are still carried out.</p>
      <div class="presets" role="group" aria-label="Presets">
        {presets.map(([name, setting]) => (
          <Button act={() => set({ ...noFaults, operation: draft.operation, ...setting })}>
            {name}
          </Button>
        ))}
      </div>
      <FaultFields
        app={app}
        draft={draft}
        problem={problem}
        change={(changed) => {
          setProblem(undefined);
          setDraft({ ...draft, ...changed });
        }}
      />
      <div class="actions">
        <Button act={() => turnOffFaults(app)}>Off</Button>
        <Button class="primary" act={() => set(draft)}>
          Set
        </Button>
      </div>
    </section>
  );
}

interface FaultFieldsProps {
  readonly app: ConsoleApp;
  readonly draft: Draft;
  /** Why the delay is refused. */
  readonly problem: string | undefined;
  readonly change: (changed: Partial<Draft>) => void;
}

function FaultFields({ app, draft, problem, change }: FaultFieldsProps): VNode {
  const { operations } = app.facts;
  return (
    <>
      <Field label="Applies to">
        <Choice
          options={[['', 'every operation'], ...operations.map(operationOption)]}
          value={draft.operation}
          change={(operation) => change({ operation })}
        />
      </Field>
      <Field label="How often">
        <Choice
          options={withValue(shares, draft.share)}
          value={draft.share}
          change={(share) => change({ share })}
        />
      </Field>
      <Field label="Delay" issue={problem}>
        <input
          inputMode="text"
          placeholder="none, or 500ms, 2s"
          aria-invalid={problem !== undefined}
          value={draft.delay}
          onInput={({ currentTarget }) => change({ delay: currentTarget.value })}
        />
      </Field>
      <Field label="Speed">
        <Choice
          options={withValue(speeds, draft.speed)}
          value={draft.speed}
          change={(speed) => change({ speed })}
        />
      </Field>
      <Field label="Failure">
        <Choice
          options={withValue(failures, draft.failure)}
          value={draft.failure}
          change={(failure) => change({ failure })}
        />
      </Field>
    </>
  );
}

/** The options, with a value that was set elsewhere. */
function withValue(options: readonly Option[], value: string): readonly Option[] {
  return options.some(([each]) => each === value) ? options : [...options, [value, value]];
}

interface CardHeadProps {
  readonly title: string;
  readonly isOn: boolean;
  readonly word?: string;
}

function CardHead({ title, isOn, word = isOn ? 'on' : 'off' }: CardHeadProps): VNode {
  return (
    <div class="head">
      <h2>{title}</h2>
      <Badge kind={isOn ? 'warning' : 'none'}>{word}</Badge>
    </div>
  );
}

const clockWords = { given: 'runs', fixed: 'stopped', offset: 'moved' } as const;

interface ClockCardProps {
  readonly app: ConsoleApp;
  readonly clock: ClockSetting;
}

function ClockCard({ app, clock }: ClockCardProps): VNode {
  const { now, mode } = clock;
  const [when, setWhen] = useInput(now.slice(0, 19), clock);
  const set = async (body: object, told: string): Promise<void> => {
    await callText('PUT', '/clock', { body });
    say(told);
    void app.reload();
  };
  // Without seconds if they are 0.
  const moment = when.length === 16 ? `${when}:00Z` : `${when}Z`;
  return (
    <section class="card">
      <CardHead title="Clock" isOn={mode !== 'given'} word={clockWords[mode]} />
      <p class="clock">
        {`${now.slice(0, 10)} ${now.slice(11, 19)}`}
        <span class="dim"> UTC</span>
      </p>
      <Field label="Stop it at (UTC)">
        <input
          type="datetime-local"
          step="1"
          value={when}
          onInput={({ currentTarget }) => setWhen(currentTarget.value)}
        />
      </Field>
      <div class="actions">
        <Button act={() => resetClock(app)}>Reset the clock</Button>
        <Button act={() => set({ advance: '1d' }, 'A day has passed.')}>+1 day</Button>
        <Button class="primary" act={() => set({ now: moment }, 'The clock is stopped.')}>
          Stop the clock
        </Button>
      </div>
    </section>
  );
}
