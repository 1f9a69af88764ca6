import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  SavedScenario,
  ScenarioDraft,
  ScenarioIssue,
  ScenarioList,
  ScenarioSource,
  WrittenScenario,
} from '../../src/server/console/console-api.ts';
import { Badge } from '../shared/elements.tsx';
import { encode } from '../shared/text.ts';
import { addressOf, type ConsoleApp, say } from './app.tsx';
import { call, callText, Refusal } from './control-api.ts';
import { Button, confirm, copyText, Empty, Field, Head, Verdict } from './parts.tsx';

/** A scenario as it is opened. */
interface Opened {
  readonly name: string;
  readonly yaml: string;
  /** Whether it is saved already, so that its name is fixed. */
  readonly isSaved: boolean;
  /** The YAML that saving replaces; null for none. */
  readonly before: string | null;
}

/** What is written and not saved stays while other pages are shown, by the address of the editor. */
const unsaved = new Map<string, Omit<Opened, 'isSaved'>>();

/** A scenario that any contract allows, as YAML. */
export function exampleYaml({ facts }: Pick<ConsoleApp, 'facts'>): string {
  return `description: An answer comes two seconds late.
rules:
  - operation: ${JSON.stringify(facts.operations[0]?.id ?? '*')}
    answers:
      - { pass: true, delay: 2s }
`;
}

/** Opens a new scenario: the example, or one that repeats the answer of an exchange. */
export async function loadNewScenario(
  exchange: string | undefined,
  app: ConsoleApp,
): Promise<VNode> {
  const [{ folder }, written] = await Promise.all([
    call<ScenarioList>('GET', '/scenarios'),
    exchange === undefined
      ? { name: '', yaml: exampleYaml(app) }
      : call<WrittenScenario>('GET', `/traffic/${encode(exchange)}/scenario`),
  ]);
  const opened = { ...written, isSaved: false, before: null };
  return <ScenarioEditor app={app} opened={opened} folder={folder} />;
}

/** Opens a scenario that exists. */
export async function loadScenario(name: string, app: ConsoleApp): Promise<VNode> {
  const [{ folder }, source] = await Promise.all([
    call<ScenarioList>('GET', '/scenarios'),
    call<ScenarioSource>('GET', `/scenarios/${encode(name)}`),
  ]);
  const { yaml, file } = source;
  if (yaml === null)
    return (
      <section>
        <Head title={name} />
        <Empty>
          This scenario is in no YAML file: a program gave it to the mock, or its file is JSON.
        </Empty>
      </section>
    );
  const opened = { name, yaml, isSaved: true, before: yaml };
  return <ScenarioEditor app={app} opened={opened} folder={file === null ? null : folder} />;
}

function judge(name: string, yaml: string, signal: AbortSignal): Promise<ScenarioDraft> {
  const path = `/scenarios/${encode(name === '' ? 'new' : name)}?dry=true`;
  return call<ScenarioDraft>('PUT', path, { body: { yaml }, signal });
}

interface EditorProps {
  readonly app: ConsoleApp;
  readonly opened: Opened;
  /** Where it is saved; null: in memory. */
  readonly folder: string | null;
}

/** A scenario as YAML, with what is wrong with it. */
function ScenarioEditor({ app, opened: loaded, folder }: EditorProps): VNode {
  const work = useWork(loaded);
  const { opened, name, setName, draft, forget } = work;
  const { problem, setProblem, save } = useSaving(app, work);
  const change = <Value,>(act: (value: Value) => void) => {
    return (value: Value): void => {
      setProblem(undefined);
      act(value);
    };
  };
  return (
    <section>
      <EditorHead
        title={opened.isSaved ? `Edit ${name}` : 'A new scenario'}
        cancel={() => {
          forget();
          location.hash = addressOf(['scenarios']);
        }}
        save={save}
      />
      <p class="dim">{whereText(folder, name)}</p>
      <NotSaved problem={problem} />
      <div class="scenario-editor">
        <NameField
          name={name}
          isFixed={opened.isSaved}
          issue={name === '' ? undefined : draft.issues.find(({ at }) => at === 'name')?.detail}
          change={change(setName)}
        />
        <YamlArea name={name} draft={draft} write={change(draft.write)} />
      </div>
    </section>
  );
}

/** A scenario that is open in the editor. */
interface Work {
  readonly opened: Opened;
  readonly name: string;
  readonly setName: (name: string) => void;
  readonly draft: Draft;
  /** The YAML that saving replaces. */
  readonly before: { current: string | null };
  /** Forgets what is written and not saved. */
  readonly forget: () => void;
}

function useWork(loaded: Opened): Work {
  const [address] = useState(location.hash);
  const [opened] = useState(() => ({ ...loaded, ...unsaved.get(address) }));
  const [name, setName] = useState(opened.name);
  const draft = useDraft(name, opened);
  const before = useRef(opened.before);
  useEffect(() => {
    const { yaml } = draft;
    if (name !== loaded.name || yaml !== loaded.yaml)
      unsaved.set(address, { name, yaml, before: before.current });
  }, [name, draft.yaml]);
  return { opened, name, setName, draft, before, forget: () => void unsaved.delete(address) };
}

interface Saving {
  /** Why it is not saved. */
  readonly problem: string | undefined;
  readonly setProblem: (problem: string | undefined) => void;
  /** Saves the scenario, and switches it on if wanted. */
  readonly save: (isOn: boolean) => Promise<void>;
}

function useSaving(app: ConsoleApp, { opened, name, draft, before, forget }: Work): Saving {
  const [problem, setProblem] = useState<string>();
  const save = async (isOn: boolean, replaces = opened.isSaved): Promise<void> => {
    if (name === '') return setProblem('Give it a name first.');
    const body = { yaml: draft.yaml, before: before.current };
    try {
      const saved = await putScenario(name, body, replaces);
      before.current = saved.yaml;
      forget();
      await showSaved(app, saved, isOn);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.status !== 409) return setProblem('The scenario is not valid yet.');
      askToReplace(name, {
        isOpen: opened.isSaved,
        now: error.problem.yaml ?? null,
        load: (yaml) => {
          before.current = yaml;
          draft.write(yaml);
        },
        replace: (now) => {
          before.current = now;
          return save(isOn, true);
        },
      });
    }
  };
  return { problem, setProblem, save };
}

interface EditorHeadProps {
  readonly title: string;
  readonly cancel: () => void;
  readonly save: (isOn: boolean) => Promise<void>;
}

function EditorHead({ title, cancel, save }: EditorHeadProps): VNode {
  return (
    <Head title={title}>
      <div class="actions">
        <Button act={cancel}>Cancel</Button>
        <Button act={() => save(false)}>Save</Button>
        <Button class="primary" act={() => save(true)}>
          Save and switch on
        </Button>
      </div>
    </Head>
  );
}

function NotSaved({ problem }: { readonly problem: string | undefined }): VNode {
  return (
    <div role="alert">
      {problem === undefined ? undefined : (
        <Verdict kind="error">
          <Badge kind="error">not saved</Badge>
          <b>{problem}</b>
        </Verdict>
      )}
    </div>
  );
}

interface NameProps {
  readonly name: string;
  /** Whether there is a file of that name already. */
  readonly isFixed: boolean;
  readonly issue: string | undefined;
  readonly change: (name: string) => void;
}

function NameField({ name, isFixed, issue, change }: NameProps): VNode {
  return (
    <Field label="Name" issue={issue}>
      <input
        value={name}
        disabled={isFixed}
        placeholder="such as sold-out"
        spellcheck={false}
        autocomplete="off"
        aria-invalid={issue !== undefined}
        onInput={({ currentTarget }) => change(currentTarget.value.trim())}
      />
    </Field>
  );
}

function whereText(folder: string | null, name: string): string {
  const file = name === '' ? 'NAME' : name;
  return folder === null
    ? 'It is kept in memory until the mock stops or reloads. Copy or download the YAML to keep it.'
    : `It is saved as ${folder}/${file}.yaml.`;
}

/** What stands where a scenario is to be saved. */
interface Conflict {
  /** Whether it is the scenario that was opened, which was changed meanwhile. */
  readonly isOpen: boolean;
  /** Its YAML; null if there is none. */
  readonly now: string | null;
  readonly load: (yaml: string) => void;
  readonly replace: (now: string | null) => Promise<void>;
}

function askToReplace(name: string, { isOpen, now, load, replace }: Conflict): void {
  const act = (): Promise<void> => replace(now);
  if (!isOpen)
    return confirm({
      title: `Replace ${name}?`,
      text: 'There is a scenario of that name. Its file is overwritten.',
      verb: 'Replace',
      act,
    });
  if (now === null)
    return confirm({
      title: `Save ${name} again?`,
      text: 'It is no longer there. Nothing was saved.',
      verb: 'Save',
      act,
    });
  confirm({
    title: `Overwrite ${name}?`,
    text: 'It was changed elsewhere since you opened it. Nothing was saved.',
    verb: 'Overwrite',
    act,
    other: { verb: 'Load what is there now', act: () => load(now) },
  });
}

function putScenario(
  name: string,
  body: Pick<Opened, 'yaml' | 'before'>,
  replaces: boolean,
): Promise<SavedScenario> {
  const path = `/scenarios/${encode(name)}${replaces ? '?replace=true' : ''}`;
  return call<SavedScenario>('PUT', path, { body });
}

async function showSaved(
  app: ConsoleApp,
  { name, file, why }: SavedScenario,
  isOn: boolean,
): Promise<void> {
  const body = { active: true, session: app.session };
  if (isOn) await callText('POST', `/scenarios/${encode(name)}`, { body });
  say(file === null ? `Kept in memory. ${why ?? ''}` : `Saved as ${file}.`);
  const next = addressOf(file === null ? ['scenarios', 'edit', name] : ['scenarios']);
  if (location.hash === next) await app.reload();
  else location.hash = next;
}

/** A scenario that is being written. */
interface Draft {
  readonly yaml: string;
  readonly issues: readonly ScenarioIssue[];
  readonly write: (yaml: string) => void;
}

const pauseMs = 150;

/** Has the mock validate what is written. */
function useDraft(name: string, opened: Opened): Draft {
  const [yaml, write] = useState(opened.yaml);
  const [issues, setIssues] = useState<readonly ScenarioIssue[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    const update = async (): Promise<void> =>
      setIssues((await judge(name, yaml, abort.signal)).issues);
    const timer = setTimeout(() => void update().catch(() => {}), pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [name, yaml]);
  return { yaml, issues, write };
}

interface YamlProps {
  readonly name: string;
  readonly draft: Draft;
  readonly write: (yaml: string) => void;
}

function YamlArea({ name, draft: { yaml, issues: all }, write }: YamlProps): VNode {
  const issues = all.filter(({ at }) => at !== 'name');
  const file = `${name === '' ? 'scenario' : name}.yaml`;
  return (
    <div class="record-json">
      <div class="area-head">
        <span class="dim" aria-hidden="true">
          {file}
        </span>
        <Button class="quiet" act={() => copyText(yaml, 'the YAML')}>
          Copy
        </Button>
        <a
          class="button quiet"
          download={file}
          href={`data:application/yaml;charset=utf-8,${encode(yaml)}`}
        >
          Download
        </a>
      </div>
      <textarea
        rows={16}
        spellcheck={false}
        aria-label="The scenario, as YAML"
        aria-invalid={issues.length > 0}
        aria-describedby={issues.length > 0 ? 'yaml-issues' : undefined}
        value={yaml}
        onInput={({ currentTarget }) => write(currentTarget.value)}
      />
      {issues.length === 0 ? undefined : (
        <ul class="hints" id="yaml-issues">
          {issues.map(({ line, detail }) => (
            <li class="field-error">{`Line ${String(line)}: ${detail}`}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
