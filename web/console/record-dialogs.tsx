import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  OnlyRecord,
  OperationDetail,
  FormField,
  PlacedRecord,
  Problem,
  RecordForm,
  ResourceBrief,
} from '../../src/server/console/console-api.ts';
import { Badge, type WithChildren } from '../shared/elements.tsx';
import { encode, indentJson, readJson } from '../shared/text.ts';
import { call, callText, Refusal } from './control-api.ts';
import type { ParentField, RecordPlace } from './parents.tsx';
import { loadParents, ParentFields, recordsPath } from './parents.tsx';
import { exampleOf, loadMaker, NotSaved, postRecord } from './make-record.ts';
import { Button, confirm, Field, openDialog, Verdict } from './parts.tsx';
import type { Issue, Members } from './record-form.tsx';
import { isMembers, otherIssues, RecordForm as RecordFormView } from './record-form.tsx';
import { type ConsoleApp, guarded, say } from './app.tsx';

const onlyId: OnlyRecord = 'only';

type RecordName = Pick<PlacedRecord, 'id' | 'parents'>;

/** A record by its resource and parents: `settings below 3`, `pets 7`. */
export function titleOf({ kind, name }: ResourceBrief, { id, parents }: RecordName): string {
  if (kind !== 'singleton') return [name, ...parents, id].join(' ');
  return parents.length === 0 ? name : `${name} below ${parents.join(' / ')}`;
}

/** Opens a record in an editor as its original text, so that no digit of a number is lost. */
export async function editRecord(place: RecordPlace, { id, parents }: RecordName): Promise<void> {
  const { app, resource } = place;
  const path = recordsPath({ ...place, parents }, id);
  const [text, form] = await Promise.all([callText('GET', path), loadFields(resource)]);
  openDialog(
    `Edit ${titleOf(resource, { id, parents })}`,
    (dialog) => (
      <RecordEditor
        dialog={dialog}
        text={indentJson(text)}
        form={form}
        path={() => path}
        save={(body) => putRecord(app, path, { body })}
      />
    ),
    'wide',
  );
}

/**
 * Opens a new record: a copy of one, or the example of the request that adds one. The mock names
 * it, if the contract has such a request.
 */
export async function addRecord(
  place: RecordPlace,
  records: readonly PlacedRecord[],
  copied?: PlacedRecord,
): Promise<void> {
  const { app, resource } = place;
  const [parents, form, maker] = await Promise.all([
    loadParents(place),
    loadFields(resource),
    loadMaker(app, resource),
  ]);
  const template = templateOf(resource, form, { copied, maker, last: records.at(-1) });
  const text = JSON.stringify(template, null, 2);
  const proposed = resource.kind === 'singleton' ? onlyId : nextId(resource, records);
  openDialog(
    `A new record of ${resource.name}`,
    (dialog) => <NewRecord {...{ dialog, place, parents, form, proposed, text, maker }} />,
    'wide',
  );
}

/** The fields of a form, and the members that the address of a record states. */
interface AddressedForm {
  readonly fields: readonly FormField[];
  readonly addressed: readonly string[];
}

/** The form for records; undefined if only JSON can describe them. */
async function loadFields(resource: ResourceBrief): Promise<AddressedForm | undefined> {
  const path = `/resources/${encode(resource.name)}/form`;
  const { fields } = await call<RecordForm>('GET', path);
  const names = [resource.identifier, ...resource.parents.map(({ field }) => field)];
  const addressed = names.filter((name) => name !== null);
  return fields === null
    ? undefined
    : { fields: fields.filter(({ name }) => !addressed.includes(name)), addressed };
}

interface DeleteButtonProps {
  readonly place: RecordPlace;
  readonly stored: RecordName;
  readonly name: string;
}

/** Asks to delete a record; nothing where records of its kind are not removed. */
export function DeleteButton({ place, stored, name }: DeleteButtonProps): VNode | null {
  if (!place.resource.removable) return null;
  return (
    <Button class="quiet" aria-label={`Delete ${name}`} act={() => deleteRecord(place, stored)}>
      Delete
    </Button>
  );
}

/** Deletes a record after confirmation. */
function deleteRecord(place: RecordPlace, { id, parents }: RecordName): void {
  const { app, resource } = place;
  const name =
    resource.kind === 'singleton'
      ? titleOf(resource, { id, parents })
      : [...parents, id].join(' / ');
  confirm({
    title: `Delete ${name}?`,
    text:
      `The record goes from session ${app.session}. ` +
      'A reset brings back what the session began with.',
    verb: 'Delete',
    act: async () => {
      await callText('DELETE', recordsPath({ ...place, parents }, id));
      say('Deleted.');
      void app.reload();
    },
  });
}

async function putRecord(
  app: ConsoleApp,
  path: string,
  given: { readonly body: string; readonly headers?: Readonly<Record<string, string>> },
): Promise<void> {
  await callText('PUT', path, given);
  say('Saved.');
  void app.reload();
}

type Template = Record<string, unknown>;

/**
 * A record without its id and the ids of its parents: a copy without what only the mock sets, the
 * example of the request that adds one, or else the last one.
 */
function templateOf(
  resource: ResourceBrief,
  form: AddressedForm | undefined,
  known: {
    readonly copied: PlacedRecord | undefined;
    readonly maker: OperationDetail | undefined;
    readonly last: PlacedRecord | undefined;
  },
): Template {
  const { copied, maker, last } = known;
  const isMade = maker !== undefined && resource.kind !== 'singleton';
  const one = copied ?? (isMade ? undefined : last);
  const template =
    one === undefined ? exampleOf(maker) : (readJson(JSON.stringify(one.record)) as Template);
  if (copied !== undefined)
    for (const { name, readOnly } of form?.fields ?? []) if (readOnly) delete template[name];
  if (resource.identifier !== null) delete template[resource.identifier];
  for (const { field } of resource.parents) if (field !== null) removeField(template, field);
  return template;
}

/** Removes a field, which may be nested: `owner.id`. */
function removeField(template: Template, field: string): void {
  const names = field.split('.');
  const last = names.pop() ?? '';
  const holder = names.reduce<unknown>(
    (inner, name) => (isMembers(inner) ? inner[name] : undefined),
    template,
  );
  if (isMembers(holder)) delete (holder as Template)[last];
}

/** The next number if ids are numbers, otherwise a UUID if the browser can make one. */
function nextId({ identifierType }: ResourceBrief, records: readonly PlacedRecord[]): string {
  const numbers = records.flatMap(({ id }) => (/^\d{1,15}$/.test(id) ? Number(id) : []));
  const isCounted =
    identifierType === 'integer' || (numbers.length === records.length && numbers.length > 0);
  if (isCounted) return String(Math.max(0, ...numbers) + 1);
  // Browsers have it only on pages from this machine or over HTTPS.
  return (crypto as Partial<Crypto>).randomUUID?.() ?? '';
}

interface NewRecordProps {
  readonly dialog: HTMLDialogElement;
  readonly place: RecordPlace;
  readonly parents: readonly ParentField[];
  readonly form: AddressedForm | undefined;
  /** An id that no record has: what the mock might assign. */
  readonly proposed: string;
  readonly text: string;
  readonly maker: OperationDetail | undefined;
}

function NewRecord(props: NewRecordProps): VNode {
  const { dialog, place, form, proposed, text, maker } = props;
  const { app, resource } = place;
  const [choices, setChoices] = useState(props.parents);
  const isNamed = maker !== undefined && resource.kind !== 'singleton';
  const [id, setId] = useState(isNamed ? '' : proposed);
  const parents = useRef(place.parents);
  const change = (chosen: readonly string[]): void => {
    parents.current = chosen;
    setChoices(choices.slice(0, chosen.length));
    void guarded(async () => {
      const loaded = await loadParents({ ...place, parents: chosen });
      if (parents.current === chosen) setChoices(loaded);
    });
  };
  const isPlaced = (): boolean =>
    resource.parents.length === parents.current.length && (id !== '' || proposed !== '');
  const path = (): string => {
    const name = id === '' ? proposed : id;
    return recordsPath({ ...place, parents: parents.current }, name);
  };
  const save = async (body: string): Promise<void> => {
    const missing = resource.parents[parents.current.length];
    if (missing !== undefined)
      throw new NotSaved(`Choose ${missing.parameter} first: the record needs a parent.`);
    if (id === '' && maker !== undefined)
      return postRecord(place, maker, { parents: parents.current, body });
    if (id === '') throw new NotSaved(`Write ${resource.identifier ?? 'the identifier'} first.`);
    await putRecord(app, path(), { body, headers: { 'If-None-Match': '*' } });
  };
  return (
    <RecordEditor
      dialog={dialog}
      text={text}
      form={form}
      path={() => (isPlaced() ? path() : undefined)}
      assigned={id === '' ? resource.identifier : null}
      save={save}
    >
      <ParentFields fields={choices} any="choose one" change={change} />
      {resource.kind === 'singleton' ? undefined : (
        <Field label={resource.identifier ?? ''}>
          <input
            value={id}
            placeholder={maker === undefined ? '' : 'assigned by the mock'}
            onInput={({ currentTarget }) => setId(currentTarget.value)}
          />
        </Field>
      )}
    </RecordEditor>
  );
}

/** Why the contract or the state of the mock does not allow a record. */
const refusals = [400, 404, 409, 412];

interface RecordEditorProps extends WithChildren {
  readonly dialog: HTMLDialogElement;
  readonly text: string;
  readonly form: AddressedForm | undefined;
  /** The path of the record; undefined while it has none. */
  readonly path: () => string | undefined;
  readonly save: (text: string) => Promise<void>;
  /** The member that the mock assigns on saving: it is not judged before. */
  readonly assigned?: string | null;
}

/**
 * A record as a form and as JSON, which is what is saved: the form reads and writes it. Escape asks
 * once before it discards changes.
 */
function RecordEditor(props: RecordEditorProps): VNode {
  const { dialog, text: first, form, path, save, assigned = null, children } = props;
  const [text, setText] = useState(first);
  const [problem, setProblem] = useState<VNode>();
  const current = useRef(text);
  const isOpen = ({ at }: Issue): boolean => at !== `/${assigned ?? ''}`;
  const issues = useIssues(text, path).filter(isOpen);
  const record = readRecord(text);
  useEffect(() => warnBeforeCancel(dialog, current, setProblem), []);
  const change = (written: string): void => {
    current.current = written;
    setText(written);
  };
  const submit = async (): Promise<void> => {
    try {
      const place = assigned === null ? undefined : path();
      const found = place === undefined ? [] : (await checkRecord(place, text)).filter(isOpen);
      if (found.length > 0) return setProblem(<Unsaved why={notAllowed} issues={found} />);
      await save(text);
      dialog.close();
    } catch (error) {
      if (error instanceof NotSaved) setProblem(<Unsaved why={error.message} />);
      else if (error instanceof Refusal && refusals.includes(error.status))
        setProblem(<Refused error={error} />);
      else throw error;
    }
  };
  return (
    <>
      <div class="record-editor">
        <div class="record-fields">
          {children}
          {form === undefined ? undefined : (
            <FormOf
              {...{ form, record, issues }}
              change={(made) => change(JSON.stringify(made, null, 2))}
            />
          )}
        </div>
        <JsonArea text={text} isValid={record !== undefined} change={change} />
      </div>
      <div class="dialog-foot">
        <div role="alert">{problem}</div>
        {problem === undefined ? (
          <Hints issues={otherIssues(form?.fields ?? [], record, issues)} />
        ) : undefined}
        <div class="actions">
          <Button act={() => dialog.close()}>Cancel</Button>
          <Button class="primary" act={submit}>
            Save
          </Button>
        </div>
      </div>
    </>
  );
}

/** The value of a text, or undefined if it is not JSON. */
function readRecord(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

interface FormOfProps {
  readonly form: AddressedForm;
  readonly record: unknown;
  readonly issues: readonly Issue[];
  readonly change: (record: Members) => void;
}

function FormOf({ form, record, issues, change }: FormOfProps): VNode {
  if (!isMembers(record))
    return <p class="dim">The form is back when the JSON beside it is an object again.</p>;
  if (form.fields.length === 0) return <p class="dim">The schema names no other members.</p>;
  return <RecordFormView {...form} record={record} issues={issues} change={change} />;
}

interface JsonAreaProps {
  readonly text: string;
  readonly isValid: boolean;
  readonly change: (text: string) => void;
}

function JsonArea({ text, isValid, change }: JsonAreaProps): VNode {
  return (
    <div class="record-json">
      <span class="dim" aria-hidden="true">
        JSON
      </span>
      <textarea
        rows={16}
        spellcheck={false}
        aria-label="The record, as JSON"
        aria-invalid={!isValid}
        aria-describedby={isValid ? undefined : 'json-error'}
        value={text}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      {isValid ? undefined : (
        <small class="field-error" id="json-error">
          This is not valid JSON.
        </small>
      )}
    </div>
  );
}

/** What the contract does not allow, where no field shows it. */
function Hints({ issues }: { readonly issues: readonly Issue[] }): VNode | null {
  if (issues.length === 0) return null;
  return (
    <ul class="hints" aria-label="Not valid yet">
      {issues.map(({ detail }) => (
        <li class="field-error">{detail}</li>
      ))}
    </ul>
  );
}

const checkMs = 250;

/** The violations of the contract in a record, checked once typing pauses. Nothing is stored. */
function useIssues(text: string, path: () => string | undefined): readonly Issue[] {
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const place = path();
      if (place === undefined || readRecord(text) === undefined) return;
      void checkRecord(place, text, abort.signal).then(setIssues, () => {});
    }, checkMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  return issues;
}

/** Errors other than violations of the contract are shown on saving. */
async function checkRecord(
  path: string,
  body: string,
  signal?: AbortSignal,
): Promise<readonly Issue[]> {
  const dry = `${path}${path.includes('?') ? '&' : '?'}dry=true`;
  try {
    await callText('PUT', dry, { body, ...(signal && { signal }) });
    return [];
  } catch (error) {
    return error instanceof Refusal ? (error.problem.issues ?? []) : [];
  }
}

/** Keeps the dialog open the first time that Escape would discard changes. */
function warnBeforeCancel(
  dialog: HTMLDialogElement,
  text: { readonly current: string },
  show: (warning: VNode) => void,
): () => void {
  const first = text.current;
  let warned = first;
  const warn = (event: Event): void => {
    if (text.current === first || text.current === warned) return;
    event.preventDefault();
    warned = text.current;
    show(<Unsaved why="This is not saved. Press Esc again to discard it." />);
  };
  dialog.addEventListener('cancel', warn);
  return () => dialog.removeEventListener('cancel', warn);
}

const notAllowed = 'The contract does not allow this record.';

function Refused({ error: { message, problem } }: { readonly error: Refusal }): VNode {
  const { issues = [] } = problem;
  return issues.length === 0 ? (
    <Unsaved why={message} />
  ) : (
    <Unsaved why={notAllowed} issues={issues} />
  );
}

interface UnsavedProps {
  readonly why: string;
  readonly issues?: NonNullable<Problem['issues']>;
}

function Unsaved({ why, issues = [] }: UnsavedProps): VNode {
  return (
    <Verdict kind="error">
      <Badge kind="error">not saved</Badge>
      <div>
        <b>{why}</b>
        {issues.length === 0 ? undefined : (
          <ul>
            {issues.map(({ detail, contract }) => (
              <li>
                {detail}
                {contract === undefined ? undefined : <small>{` ${contract}`}</small>}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Verdict>
  );
}
