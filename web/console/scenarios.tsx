import type { VNode } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type {
  ClockSetting,
  FaultSetting,
  ScenarioBrief,
  ScenarioList,
} from '../../src/server/console/console-api.ts';
import { Badge } from '../shared/elements.tsx';
import { encode, matchesWords } from '../shared/text.ts';
import { call, callText } from './control-api.ts';
import { Button, Choice, Empty, Field, Head, type Option } from './parts.tsx';
import { type ConsoleApp, guarded, inSession, type Route, say } from './app.tsx';
import { resetClock, turnOffFaults, turnOffScenarios } from './shell.tsx';

/** Scenarios as switches, with a search. */
export async function loadScenarios(_route: Route, app: ConsoleApp): Promise<VNode> {
  const { scenarios } = await call<ScenarioList>('GET', inSession(app, '/scenarios'));
  return <ScenariosView app={app} scenarios={scenarios} />;
}

interface ScenariosProps {
  readonly app: ConsoleApp;
  readonly scenarios: readonly ScenarioBrief[];
}

function ScenariosView({ app, scenarios }: ScenariosProps): VNode {
  const [words, setWords] = useState('');
  const active = scenarios.filter((scenario) => scenario.active).map(({ name }) => name);
  const fitting = scenarios.filter(({ name, description }) =>
    matchesWords(`${name} ${description}`, words),
  );
  return (
    <section>
      <Head title="Scenarios">
        <p class="dim">
          {`${String(active.length)} of ${String(scenarios.length)} on, in session ${app.session}`}
        </p>
        <div class="actions">
          <Button disabled={active.length === 0} act={() => turnOffScenarios(app, active)}>
            Turn all off
          </Button>
        </div>
      </Head>
      {scenarios.length === 0 ? (
        <NoScenarios />
      ) : (
        <div class="filters">
          <input
            type="search"
            id="search"
            placeholder="Search, or press /"
            aria-label="Search in scenarios"
            value={words}
            onInput={({ currentTarget }) => setWords(currentTarget.value)}
          />
        </div>
      )}
      {scenarios.length > 0 && fitting.length === 0 ? (
        <Empty>No scenario matches.</Empty>
      ) : undefined}
      <ul class="plain rows" hidden={fitting.length === 0}>
        {fitting.map((scenario) => (
          <ScenarioSwitch key={scenario.name} app={app} scenario={scenario} />
        ))}
      </ul>
    </section>
  );
}

/** A delay and a network fault for all responses, and the clock. */
export async function loadFaults(_route: Route, app: ConsoleApp): Promise<VNode> {
  const [faults, clock] = await Promise.all([
    call<FaultSetting>('GET', '/faults'),
    call<ClockSetting>('GET', '/clock'),
  ]);
  return (
    <section>
      <Head title="Faults and clock">
        <p class="dim">For all requests of all sessions</p>
      </Head>
      <div class="columns even">
        <FaultsCard app={app} faults={faults} />
        <ClockCard app={app} clock={clock} />
      </div>
    </section>
  );
}

function NoScenarios(): VNode {
  return (
    <Empty>
      No scenario yet. A scenario is a YAML file that scripts answers; “Copy as scenario” of an
      exchange writes one. Put it into the folder that mock.scenarios names in vouch.config.yaml.
    </Empty>
  );
}

interface ScenarioSwitchProps {
  readonly app: ConsoleApp;
  readonly scenario: ScenarioBrief;
}

function ScenarioSwitch({ app, scenario }: ScenarioSwitchProps): VNode {
  const { name, description } = scenario;
  const [isOn, setOn] = useDraft(scenario.active, scenario);
  const change = async (active: boolean): Promise<void> => {
    setOn(active);
    try {
      const body = { active, session: app.session };
      await callText('POST', `/scenarios/${encode(name)}`, { body });
      say(`${name} is ${active ? 'on' : 'off'}.`);
      void app.reload();
    } catch (error) {
      setOn(!active);
      throw error;
    }
  };
  return (
    <li class="scenario">
      <input
        type="checkbox"
        role="switch"
        id={`scenario-${name}`}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => void guarded(() => change(checked))}
      />
      <label for={`scenario-${name}`}>
        <b>{name}</b> <span class="dim">{description}</span>
      </label>
    </li>
  );
}

/** The input of a field until the mock reports a new state, which is another object. */
function useDraft<Value>(value: Value, source: object): [Value, (value: Value) => void] {
  const [draft, setDraft] = useState(value);
  useLayoutEffect(() => setDraft(value), [source]);
  return [draft, setDraft];
}

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
const shares: readonly Option[] = [
  ['1', 'every answer'],
  ['0.5', 'one in two'],
  ['0.2', 'one in five'],
  ['0.1', 'one in ten'],
  ['0.01', 'one in a hundred'],
];

interface FaultsCardProps {
  readonly app: ConsoleApp;
  readonly faults: FaultSetting;
}

function FaultsCard({ app, faults }: FaultsCardProps): VNode {
  const { delayMs, fault, share } = faults;
  const isListed = shares.some(([value]) => value === String(share));
  const [delay, setDelay] = useDraft(delayMs === 0 ? '' : `${String(delayMs)}ms`, faults);
  const [kind, setKind] = useDraft(fault ?? '', faults);
  const [part, setPart] = useDraft(isListed ? String(share) : '1', faults);
  const set = async (): Promise<void> => {
    const body = { delay, fault: kind === '' ? null : kind, share: Number(part) };
    await callText('PUT', '/faults', { body });
    say('Set for all requests.');
    void app.reload();
  };
  return (
    <section class="card">
      <CardHead title="Latency and faults" isOn={delayMs > 0 || fault !== null} />
      <p class="dim">Besides what scenarios say. Requests still take effect.</p>
      <Field label="Delay">
        <input
          inputMode="text"
          placeholder="500ms, 2s"
          value={delay}
          onInput={({ currentTarget }) => setDelay(currentTarget.value)}
        />
      </Field>
      <Field label="Network fault">
        <Choice options={faultKinds} value={kind} change={setKind} />
      </Field>
      <Field label="Of">
        <Choice options={shares} value={part} change={setPart} />
      </Field>
      <div class="actions">
        <Button act={() => turnOffFaults(app)}>Off</Button>
        <Button class="primary" act={set}>
          Set
        </Button>
      </div>
    </section>
  );
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
  const [when, setWhen] = useDraft(now.slice(0, 19), clock);
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
        <Button act={() => resetClock(app)}>Reset it</Button>
        <Button act={() => set({ advance: '1d' }, 'A day has passed.')}>+1 day</Button>
        <Button class="primary" act={() => set({ now: moment }, 'The clock is stopped.')}>
          Set
        </Button>
      </div>
    </section>
  );
}
