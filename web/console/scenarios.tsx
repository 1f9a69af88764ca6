import type { VNode } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type {
  ClockSetting,
  FaultSetting,
  ScenarioBrief,
  ScenarioList,
} from '../../src/server/console/console-api.ts';
import { Badge } from '../shared/elements.tsx';
import { encode } from '../shared/text.ts';
import { call, callText } from './control-api.ts';
import { Button, Choice, Empty, Field, Head, type Option } from './parts.tsx';
import { type ConsoleApp, guarded, inSession, type Route, say } from './app.tsx';

/** Controls of the mock: scenarios, faults and the clock. */
export async function loadScenarios(_route: Route, app: ConsoleApp): Promise<VNode> {
  const [{ scenarios }, faults, clock] = await Promise.all([
    call<ScenarioList>('GET', inSession(app, '/scenarios')),
    call<FaultSetting>('GET', '/faults'),
    call<ClockSetting>('GET', '/clock'),
  ]);
  return (
    <section>
      <Head title="Scenarios">
        <p class="dim">{`Session ${app.session}`}</p>
      </Head>
      <div class="columns">
        <div>
          {scenarios.length === 0 ? <NoScenarios /> : undefined}
          <ul class="plain rows" hidden={scenarios.length === 0}>
            {scenarios.map((scenario) => (
              <ScenarioSwitch key={scenario.name} app={app} scenario={scenario} />
            ))}
          </ul>
        </div>
        <div>
          <FaultsCard app={app} faults={faults} />
          <ClockCard app={app} clock={clock} />
        </div>
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
        <b>{name}</b>
        <span class="dim">{description}</span>
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
  const clear = async (): Promise<void> => {
    await callText('DELETE', '/faults');
    say('Latency and faults are off.');
    void app.reload();
  };
  return (
    <section class="card">
      <CardHead title="Latency and faults" isOn={delayMs > 0 || fault !== null} />
      <p class="dim">For all requests of all sessions, besides what scenarios say.</p>
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
        <Button act={clear}>Off</Button>
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
  const done = (told: string): void => {
    say(told);
    void app.reload();
  };
  const set = async (body: object, told: string): Promise<void> => {
    await callText('PUT', '/clock', { body });
    done(told);
  };
  const putBack = async (): Promise<void> => {
    await callText('DELETE', '/clock');
    done('The clock is reset to where it started.');
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
        <Button act={putBack}>Reset it</Button>
        <Button act={() => set({ advance: '1d' }, 'A day has passed.')}>+1 day</Button>
        <Button class="primary" act={() => set({ now: moment }, 'The clock is stopped.')}>
          Set
        </Button>
      </div>
    </section>
  );
}
