import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type {
  ClockSetting,
  FaultSetting,
  ScenarioList,
} from '../../src/server/console/console-api.ts';
import {
  chooseTheme,
  readTheme,
  type Theme,
  themes,
  type WithChildren,
} from '../shared/elements.tsx';
import { duration, encode } from '../shared/text.ts';
import { type ConsoleApp, inSession, say, Toasts } from './app.tsx';
import { call, callText, type Feed, prefix, token } from './control-api.ts';
import { Button, Field, Form } from './parts.tsx';

/** The shapes of the icons, in a box of 16 by 16. */
const shapes = {
  traffic: 'M2 5.5h11M10 2.5l3 3-3 3M14 10.5H3M6 7.5l-3 3 3 3',
  records:
    'M2.5 4c0-1.1 2.5-2 5.5-2s5.5.9 5.5 2-2.5 2-5.5 2-5.5-.9-5.5-2Zm0 0v8c0 1.1 2.5 2 5.5 2' +
    's5.5-.9 5.5-2V4M2.5 8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2',
  scenarios:
    'M5 4.5h6a3.5 3.5 0 0 1 0 7H5a3.5 3.5 0 0 1 0-7Z' +
    'm6 1.8a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4Z',
  faults: 'M9 1.5 3.5 9H8l-1 5.5L12.5 7H8l1-5.5Z',
  check: 'M8 1.5 13 3.5v4c0 3.2-2 5.7-5 7-3-1.3-5-3.8-5-7v-4l5-2Zm-2.4 6.2 1.7 1.7 3.1-3.3',
  try: 'M2.5 7.5 13.5 2.5 9.5 13.5 7.5 8.5l-5-1Zm5 1 2.7-2.7',
  sessions: 'M8 2l6 3-6 3-6-3 6-3ZM2 8l6 3 6-3M2 11l6 3 6-3',
  docs:
    'M2.5 3H7a1 1 0 0 1 1 1v9.5a1 1 0 0 0-1-1H2.5V3Z' +
    'm11 0H9a1 1 0 0 0-1 1v9.5a1 1 0 0 1 1-1h4.5V3Z',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14',
  light:
    'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15' +
    'M3 3l1.1 1.1M11.9 11.9 13 13M13 3l-1.1 1.1M4.1 11.9 3 13',
  dark: 'M13.5 9.5A5.8 5.8 0 0 1 6.5 2.5a5.8 5.8 0 1 0 7 7Z',
  system: 'M2 3h12v8H2V3Zm4 11h4M8 11v3',
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 2.8V8l2.3 1.6',
  close: 'M4 4l8 8M12 4l-8 8',
  open: 'M9 2.5h4.5V7M13.5 2.5 7.5 8.5M11.5 9v4.5h-9v-9H7',
} as const;
export type IconName = keyof typeof shapes;

/** An icon, which only decorates: the text beside it, or the label of its button, has the meaning. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={shapes[name]} />
    </svg>
  );
}

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
  const isFaulty = faults.delayMs > 0 || faults.fault !== null;
  const isPlain = scenarios.length === 0 && !isFaulty && clock.mode === 'given';
  return (
    <section class="state-bar" aria-label="What is on" tabIndex={isPlain ? undefined : 0}>
      {isPlain ? (
        <span class="quiet-state">No scenario, no fault; the clock runs.</span>
      ) : undefined}
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
      {isFaulty ? (
        <StateChip
          icon="faults"
          to="faults"
          text={faultText(faults)}
          what="faults"
          off={() => turnOffFaults(app)}
        />
      ) : undefined}
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

function faultText({ delayMs, fault, share }: FaultSetting): string {
  const delay = delayMs > 0 ? [`${duration(delayMs)} delay`] : [];
  const part = share < 1 ? `, 1 in ${String(Math.round(1 / share))}` : '';
  return [...delay, ...(fault === null ? [] : [fault + part])].join(' and ');
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

const themeTitles: Readonly<Record<Theme, string>> = {
  system: 'As the system',
  light: 'Light',
  dark: 'Dark',
};

/** Chooses the colors: light, dark, or those of the system. */
export function ThemeSwitch(): VNode {
  const [, draw] = useState<Theme>();
  // The palette changes it too.
  const theme = readTheme();
  const choose = (chosen: Theme): void => {
    chooseTheme(chosen);
    draw(chosen);
  };
  return (
    <div class="theme" role="group" aria-label="Theme">
      {themes.map((each) => (
        <button
          type="button"
          title={themeTitles[each]}
          aria-label={themeTitles[each]}
          aria-pressed={each === theme}
          onClick={() => choose(each)}
        >
          <Icon name={each} />
        </button>
      ))}
    </div>
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
  const submit = (): Promise<void> => {
    token.set(given.trim().replace(/^.*#(?:token=)?/, ''));
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
              placeholder="the token, or the whole address"
              value={given}
              onInput={({ currentTarget }) => setGiven(currentTarget.value)}
            />
          </Field>
          <p class="dim">
            The mock shows it in the terminal when it starts, under “console”. It opens this mock on
            this machine alone, until it stops.
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
