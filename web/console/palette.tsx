import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { matchesWords } from '../shared/text.ts';
import { chooseTheme, themes } from '../shared/elements.tsx';
import { Icon, type IconName } from '../shared/icons.tsx';
import { addressOf, type ConsoleApp, guarded } from './app.tsx';
import { prefix } from './control-api.ts';
import { openClaim } from './exchange.tsx';
import { openDialog } from './parts.tsx';
import { resetSession, showSnapshots } from './sessions.tsx';
import type { RailItem } from './shell.tsx';
import { loadControls, resetClock, turnOffFaults, turnOffScenarios } from './shell.tsx';
import { clearJournal } from './traffic.tsx';

/** Something that the palette can do. */
export interface Command {
  readonly icon: IconName;
  /** The group: `Page`, `Scenario`, `Action`, `Operation`, `Records`, `Record`. */
  readonly kind: string;
  readonly title: string;
  /** More words to find it by, shown after the title. */
  readonly more?: string | undefined;
  readonly act: () => unknown;
}

/** The maximum number of commands in the list. */
const maxShown = 50;

/** Opens the command palette over the commands, and those that are found in the mock. */
export function openPalette(
  commands: readonly Command[],
  find: () => Promise<readonly Command[]>,
): void {
  openDialog(
    'Commands',
    (dialog) => (
      <Palette
        commands={commands}
        find={find}
        run={(command) => {
          dialog.close();
          void guarded(command.act);
        }}
      />
    ),
    'palette',
  );
}

interface PaletteProps {
  readonly commands: readonly Command[];
  readonly find: () => Promise<readonly Command[]>;
  readonly run: (command: Command) => void;
}

/** The commands that match the typed words, and which of them is chosen. */
function useChoice({ commands: known, find, run }: PaletteProps): {
  readonly words: string;
  readonly at: number;
  readonly found: readonly Command[];
  readonly choose: (at: number) => void;
  readonly write: (words: string) => void;
  readonly press: (event: KeyboardEvent) => void;
} {
  const [words, setWords] = useState('');
  const [at, choose] = useState(0);
  const [loaded, setLoaded] = useState<readonly Command[]>([]);
  useEffect(() => void guarded(async () => setLoaded(await find())), []);
  const found = arrange(known, loaded)
    .filter(({ kind, title, more = '' }) => matchesWords(`${kind} ${title} ${more}`, words))
    .slice(0, maxShown);
  const write = (written: string): void => {
    setWords(written);
    choose(0);
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) choose((at + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') {
      const command = found[at];
      if (command !== undefined) run(command);
    } else return;
    event.preventDefault();
  };
  return { words, at, found, choose, write, press };
}

/** A field that filters a list, of which one row is chosen (ARIA: combobox with a listbox). */
function Palette(props: PaletteProps): VNode {
  const { words, at, found, choose, write, press } = useChoice(props);
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at, words]);
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label="Find a page, a record, an operation or an action"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length === 0 ? undefined : `palette-${String(at)}`}
        placeholder="Find a page, a record, an operation or an action"
        autocomplete="off"
        spellcheck={false}
        value={words}
        onKeyDown={press}
        onInput={({ currentTarget }) => write(currentTarget.value)}
      />
      <ul ref={list} id="palette-list" role="listbox" aria-label="Commands" class="plain">
        {found.map((command, index) => (
          <CommandRow
            command={command}
            id={`palette-${String(index)}`}
            isChosen={index === at}
            choose={() => choose(index)}
            run={() => props.run(command)}
          />
        ))}
      </ul>
      {found.length === 0 ? <p class="empty">Nothing matches.</p> : undefined}
      <p class="palette-keys" aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> run <kbd>Esc</kbd> close
      </p>
    </>
  );
}

/** The pages and the switches first, and what is found in the mock last. */
function arrange(known: readonly Command[], loaded: readonly Command[]): readonly Command[] {
  const isFirst = ({ kind }: Command): boolean => kind === 'Page' || kind === 'Scenario';
  const all = [...known, ...loaded];
  return [...all.filter(isFirst), ...all.filter((each) => !isFirst(each))];
}

interface CommandRowProps {
  readonly command: Command;
  readonly id: string;
  readonly isChosen: boolean;
  readonly choose: () => void;
  readonly run: () => void;
}

function CommandRow({ command, id, isChosen, choose, run }: CommandRowProps): VNode {
  const { icon, title, more, kind } = command;
  return (
    <li id={id} role="option" aria-selected={isChosen} onMouseMove={choose} onClick={run}>
      <Icon name={icon} />
      <span class="title">{title}</span>
      {more === undefined ? undefined : <span class="more">{more}</span>}
      <span class="kind">{kind}</span>
    </li>
  );
}

/** Everything that the palette offers: pages, actions, operations. */
export function commandsOf(
  app: ConsoleApp,
  pages: readonly RailItem[],
  more: readonly Command[],
): readonly Command[] {
  const go = (hash: string) => (): void => {
    location.hash = hash;
  };
  const places = pages.map(({ name, title: text }): Command => {
    return { icon: name, kind: 'Page', title: text, act: go(`#/${name}`) };
  });
  const docs = (): void => location.assign(`${prefix}/docs`);
  const operations = app.facts.operations.map(({ id, method, path, summary }): Command => {
    const told = [id, summary].filter((text) => text !== '').join(' · ');
    const act = go(addressOf(['try', id]));
    return { icon: 'try', kind: 'Operation', title: `${method} ${path}`, more: told, act };
  });
  return [
    ...places,
    { icon: 'docs', kind: 'Page', title: 'Docs', act: docs },
    ...actionsOf(app),
    ...more,
    ...themes.map((theme): Command => {
      const act = (): void => {
        chooseTheme(theme);
        void app.reload();
      };
      return { icon: theme, kind: 'Action', title: `Theme: ${theme}`, act };
    }),
    ...operations,
  ];
}

function actionsOf(app: ConsoleApp): readonly Command[] {
  const action = (icon: IconName, text: string, act: () => unknown): Command => {
    return { icon, kind: 'Action', title: text, act };
  };
  return [
    action('scenarios', 'Turn everything off: scenarios, faults, clock', () => turnAllOff(app)),
    action('records', 'Snapshots of the records', () => showSnapshots(app)),
    action('records', `Reset session ${app.session}`, () => resetSession(app)),
    action('traffic', 'Clear the traffic', () => clearJournal(app)),
    action('traffic', 'Assert that a request happened', () => openClaim(app)),
  ];
}

async function turnAllOff(app: ConsoleApp): Promise<void> {
  const { scenarios } = await loadControls(app);
  if (scenarios.length > 0) await turnOffScenarios(app, scenarios);
  await turnOffFaults(app);
  await resetClock(app);
}
