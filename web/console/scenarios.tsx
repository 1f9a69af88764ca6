import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ScenarioBrief, ScenarioList } from '../../src/server/console/console-api.ts';
import { encode, matchesWords } from '../shared/text.ts';
import { call, callText } from './control-api.ts';
import { Button, Empty, Head, Link, SearchBox } from './parts.tsx';
import { type ConsoleApp, guarded, inSession, type Route, say } from './app.tsx';
import { useInput } from './faults.tsx';
import { exampleYaml, loadNewScenario, loadScenario } from './scenario-editor.tsx';
import { turnOffScenarios } from './shell.tsx';

/** Scenarios as switches with a search, or one in its editor. */
export async function loadScenarios(route: Route, app: ConsoleApp): Promise<VNode> {
  const [, page, name] = route;
  if (page === 'new') return loadNewScenario(name, app);
  if (page === 'edit' && name !== undefined) return loadScenario(name, app);
  const { scenarios } = await call<ScenarioList>('GET', inSession(app, '/scenarios'));
  const example = scenarios.length === 0 ? exampleYaml(app) : '';
  return <ScenariosView app={app} scenarios={scenarios} example={example} />;
}

interface ScenariosProps {
  readonly app: ConsoleApp;
  readonly scenarios: readonly ScenarioBrief[];
  /** The YAML of an example, shown while there are none. */
  readonly example: string;
}

function ScenariosView({ app, scenarios, example }: ScenariosProps): VNode {
  const [words, setWords] = useState('');
  const active = scenarios.filter((scenario) => scenario.active).map(({ name }) => name);
  const countOn = `${String(active.length)} of ${String(scenarios.length)}`;
  const fitting = scenarios.filter(({ name, description }) =>
    matchesWords(`${name} ${description}`, words),
  );
  return (
    <section>
      <Head title="Scenarios">
        <p class="dim">
          {scenarios.length === 0
            ? `Session ${app.session}`
            : `${countOn} on, in session ${app.session}`}
        </p>
        {scenarios.length === 0 ? undefined : (
          <div class="actions">
            <Button disabled={active.length === 0} act={() => turnOffScenarios(app, active)}>
              Turn all off
            </Button>
            <Link to={['scenarios', 'new']} class="button primary">
              Create a scenario
            </Link>
          </div>
        )}
      </Head>
      {scenarios.length === 0 ? (
        <NoScenarios example={example} />
      ) : (
        <div class="filters">
          <SearchBox what="scenarios" words={words} change={setWords} />
        </div>
      )}
      {scenarios.length > 0 && fitting.length === 0 ? (
        <Empty>
          <p>No scenario matches.</p>
          <Button act={() => setWords('')}>Clear the search</Button>
        </Empty>
      ) : undefined}
      <ul class="plain rows" hidden={fitting.length === 0}>
        {fitting.map((scenario) => (
          <ScenarioSwitch key={scenario.name} app={app} scenario={scenario} />
        ))}
      </ul>
    </section>
  );
}

/** What a scenario looks like, and how to make the first one. */
function NoScenarios({ example }: { readonly example: string }): VNode {
  return (
    <div class="card first-scenario">
      <p class="big">No scenario yet.</p>
      <p>
        A scenario scripts answers: errors, delays, broken connections, one after another. It is a
        YAML file such as this one.
      </p>
      <pre tabIndex={0}>{example}</pre>
      <p class="dim">“Copy as scenario” of an exchange repeats an answer that you have seen.</p>
      <div class="actions">
        <Link to={['scenarios', 'new']} class="button primary">
          Create a scenario
        </Link>
      </div>
    </div>
  );
}

interface ScenarioSwitchProps {
  readonly app: ConsoleApp;
  readonly scenario: ScenarioBrief;
}

export async function switchScenario(
  { session }: ConsoleApp,
  name: string,
  active: boolean,
): Promise<void> {
  await callText('POST', `/scenarios/${encode(name)}`, { body: { active, session } });
  say(`${name} is ${active ? 'on' : 'off'}.`);
}

function ScenarioSwitch({ app, scenario }: ScenarioSwitchProps): VNode {
  const { name, description } = scenario;
  const [isOn, setOn] = useInput(scenario.active, scenario);
  const change = async (active: boolean): Promise<void> => {
    setOn(active);
    try {
      await switchScenario(app, name, active);
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
      <Link to={['scenarios', 'edit', name]} label={`Edit ${name}`}>
        Edit
      </Link>
    </li>
  );
}
