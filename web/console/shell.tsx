import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type {
  ClockSetting,
  FaultSetting,
  ScenarioList,
} from '../../src/server/console/console-api.ts';
import type { WithChildren } from '../shared/elements.tsx';
import { Icon, type IconName } from '../shared/icons.tsx';
import { encode } from '../shared/text.ts';
import { type ConsoleApp, inSession, mockOrigin, say, Toasts } from './app.tsx';
import { call, callText, enterWith, type Feed, prefix } from './control-api.ts';
import { Button, copyText, Field, Form } from './parts.tsx';

/** The name of the program with its mark, which is the icon of the page too. */
export function Brand({ children }: WithChildren): VNode {
  return (
    <div class="brand">
      <b>
        <svg class="mark" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
          <circle cx="8" cy="8" r="7" />
          <path d="m4.5 8.2 2.4 2.4 4.6-5" />
        </svg>
        vouch
      </b>
      {children}
    </div>
  );
}

/** What changes the responses of the mock now. */
export interface MockControls {
  /** The names of the active scenarios. */
  readonly scenarios: readonly string[];
  readonly faults: FaultSetting;
  readonly clock: ClockSetting;
}

/** Reads the controls of the selected session. */
export async function loadControls(app: ConsoleApp): Promise<MockControls> {
  const [{ scenarios }, faults, clock] = await Promise.all([
    call<ScenarioList>('GET', inSession(app, '/scenarios')),
    call<FaultSetting>('GET', '/faults'),
    call<ClockSetting>('GET', '/clock'),
  ]);
  const active = scenarios.filter((each) => each.active).map(({ name }) => name);
  return { scenarios: active, faults, clock };
}

/** Deactivates scenarios in the selected session. */
export async function turnOffScenarios(app: ConsoleApp, names: readonly string[]): Promise<void> {
  for (const name of names)
    await callText('POST', `/scenarios/${encode(name)}`, {
      body: { active: false, session: app.session },
    });
  say(names.length === 1 ? `${names[0] ?? ''} is off.` : 'The scenarios are off.');
  await app.reload();
}

export async function turnOffFaults(app: ConsoleApp): Promise<void> {
  await callText('DELETE', '/faults');
  say('Latency and faults are off.');
  await app.reload();
}

export async function resetClock(app: ConsoleApp): Promise<void> {
  await callText('DELETE', '/clock');
  say('The clock is reset to where it started.');
  await app.reload();
}

interface StateBarProps {
  readonly app: ConsoleApp;
  /** Undefined until they are loaded. */
  readonly controls: MockControls | undefined;
}

/** What is on, on every page, each with a button that turns it off. */
export function StateBar({ app, controls }: StateBarProps): VNode {
  if (controls === undefined) return <div class="state-bar" />;
  const { scenarios, faults, clock } = controls;
  const text = faultText(faults);
  return (
    <section class="state-bar" aria-label="The mock, and what is on" tabIndex={0}>
      <Where app={app} />
      {scenarios.map((name) => (
        <StateChip
          key={name}
          icon="scenarios"
          to="scenarios"
          text={name}
          what={`scenario ${name}`}
          off={() => turnOffScenarios(app, [name])}
        />
      ))}
      {text === '' ? undefined : (
        <StateChip
          icon="faults"
          to="faults"
          text={text}
          what="faults"
          off={() => turnOffFaults(app)}
        />
      )}
      {clock.mode === 'given' ? undefined : (
        <StateChip
          icon="clock"
          to="faults"
          text={clockText(clock)}
          what="the clock"
          off={() => resetClock(app)}
        />
      )}
    </section>
  );
}

/** Where clients reach the mock, and the key that it accepts: each with a button that copies it. */
function Where({ app }: { readonly app: ConsoleApp }): VNode {
  const { operations, keys } = app.facts;
  const base = mockOrigin(app) + (operations[0]?.base ?? '');
  const [key] = operations.some(({ secured }) => secured) ? keys : [];
  return (
    <>
      <Copied text={base} what="the address of the mock" />
      {key === undefined ? undefined : <Copied text={key} what="the key" />}
    </>
  );
}

function Copied({ text, what }: { readonly text: string; readonly what: string }): VNode {
  return (
    <span class="where">
      <code>{text}</code>
      <Button class="quiet" aria-label={`Copy ${what}`} act={() => copyText(text, what)}>
        Copy
      </Button>
    </span>
  );
}

interface StateChipProps {
  readonly icon: IconName;
  readonly to: string;
  readonly text: string;
  readonly what: string;
  readonly off: () => Promise<void>;
}

function StateChip({ icon, to, text, what, off }: StateChipProps): VNode {
  return (
    <span class="state-chip">
      <a href={`#/${to}`}>
        <Icon name={icon} />
        {text}
      </a>
      <Button aria-label={`Off: ${what}`} act={off}>
        Off
      </Button>
    </span>
  );
}

/** `2 s delay and 500, 1 in 5, of listPets`; '' if there is none. */
function faultText(faults: FaultSetting): string {
  const { delayMs, bytesPerSecond, status, fault, share, operation } = faults;
  const parts = [
    delayMs === 0 ? [] : delayMs < 1000 ? `${delayMs} ms delay` : `${delayMs / 1000} s delay`,
    bytesPerSecond === null ? [] : `${String(Math.round(bytesPerSecond / 125))} kbit/s`,
    status ?? [],
    fault ?? [],
  ].flat();
  if (parts.length === 0) return '';
  const part = share < 1 ? `, 1 in ${String(Math.round(1 / share))}` : '';
  return `${parts.join(' and ')}${part}${operation === null ? '' : `, of ${operation}`}`;
}

function clockText({ now, mode }: ClockSetting): string {
  const moment = `${now.slice(0, 10)} ${now.slice(11, 16)}`;
  return mode === 'fixed' ? `Clock stopped at ${moment}` : `Clock moved to ${moment}`;
}

/** A page of the console in the rail. */
export interface RailItem {
  readonly name: IconName;
  readonly title: string;
}

interface RailProps {
  readonly items: readonly RailItem[];
  readonly current: string;
}

/** The pages of the console; on a narrow screen, a bar that scrolls. */
export function Rail({ items, current }: RailProps): VNode {
  return (
    <nav aria-label="Pages of the console">
      {items.map(({ name, title }) => (
        <a href={`#/${name}`} aria-current={name === current ? 'page' : undefined}>
          <Icon name={name} />
          <span>{title}</span>
        </a>
      ))}
      <a href={`${prefix}/docs`}>
        <Icon name="docs" />
        <span>Docs</span>
      </a>
    </nav>
  );
}

/** Whether the connection to the journal is live. */
export function Light({ live }: Pick<Feed, 'live'>): VNode {
  const words = { live: 'live', connecting: 'connecting', lost: 'not connected' };
  return (
    <span class={`light ${live}`} role="status">
      {words[live]}
    </span>
  );
}

interface LockProps {
  readonly title: string;
  readonly why: string;
  readonly enter: () => Promise<void>;
}

/** The form for the token. */
export function Lock({ title, why, enter }: LockProps): VNode {
  const [given, setGiven] = useState('');
  const submit = async (): Promise<void> => {
    const [link] = /\/open\/\w+$/.exec(given.trim()) ?? [];
    if (link !== undefined) return location.assign(prefix + link);
    await enterWith(given.trim());
    return enter();
  };
  return (
    <>
      <main class="lock">
        <Brand />
        <h1>{title}</h1>
        <p>{why}</p>
        <Form class="card" submit={submit}>
          <Field label="Control token">
            <input
              type="password"
              autocomplete="off"
              required
              placeholder="the token, or a new link"
              value={given}
              onInput={({ currentTarget }) => setGiven(currentTarget.value)}
            />
          </Field>
          <p class="dim">
            Press o in the terminal of the mock, which opens the console in this browser. Or enter
            the token or the console link that the terminal shows.
          </p>
          <div class="actions">
            <a href={`${prefix}/docs`}>Documentation</a>
            <button type="submit" class="primary">
              Enter
            </button>
          </div>
        </Form>
      </main>
      <Toasts />
    </>
  );
}
