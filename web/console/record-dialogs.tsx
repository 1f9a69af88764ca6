import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  OnlyRecord,
  OperationDetail,
  PlacedRecord,
  Problem,
  ResourceBrief,
} from '../../src/server/console/console-api.ts';
import { Badge, type WithChildren } from '../shared/elements.tsx';
import { encode, indentJson, readJson } from '../shared/text.ts';
import { call, callText, Refusal } from './control-api.ts';
import {
  loadParents,
  type ParentField,
  ParentFields,
  type RecordPlace,
  recordsPath,
} from './parents.tsx';
import { Button, confirm, Field, openDialog, Verdict } from './parts.tsx';
import { type ConsoleApp, guarded, say } from './app.tsx';

/** The id of the record of a singleton. */
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
  const text = indentJson(await callText('GET', path));
  openDialog(`Edit ${titleOf(resource, { id, parents })}`, (dialog) => (
    <RecordEditor dialog={dialog} text={text} save={(body) => putRecord(app, path, { body })} />
  ));
}

/** Opens a new record with the values of the last one, or of a sample request. */
export async function addRecord(
  place: RecordPlace,
  records: readonly PlacedRecord[],
): Promise<void> {
  const fields = await loadParents(place);
  const text = JSON.stringify(await templateOf(place, records), null, 2);
  const id = place.resource.kind === 'singleton' ? onlyId : nextId(place.resource, records);
  openDialog(`A new record of ${place.resource.name}`, (dialog) => (
    <NewRecord dialog={dialog} place={place} fields={fields} id={id} text={text} />
  ));
}

/** Deletes a record after confirmation. */
export function deleteRecord(place: RecordPlace, { id, parents }: RecordName): void {
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

/** The last record without its id and the ids of its parents. */
async function templateOf(
  { app, resource }: RecordPlace,
  records: readonly PlacedRecord[],
): Promise<Template> {
  const last = records.at(-1);
  const template =
    last === undefined
      ? await exampleOf(app, resource)
      : (readJson(JSON.stringify(last.record)) as Template);
  if (resource.identifier !== null) delete template[resource.identifier];
  for (const { field } of resource.parents) if (field !== null) removeField(template, field);
  return template;
}

/** Removes a field, which may be nested: `owner.id`. */
function removeField(template: Template, field: string): void {
  const names = field.split('.');
  const last = names.pop() ?? '';
  const holder = names.reduce<unknown>(
    (inner, name) => (isTemplate(inner) ? inner[name] : undefined),
    template,
  );
  if (isTemplate(holder)) delete holder[last];
}

function isTemplate(value: unknown): value is Template {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The sample body of the operation that adds a record, or changes the record of a singleton. */
async function exampleOf(app: ConsoleApp, { kind, path }: ResourceBrief): Promise<Template> {
  const methods = kind === 'singleton' ? ['PUT', 'PATCH'] : ['POST'];
  const operation = methods
    .map((method) =>
      app.facts.operations.find((each) => each.path === path && each.method === method),
    )
    .find((each) => each !== undefined);
  if (operation === undefined) return {};
  const { body } = await call<OperationDetail>('GET', `/operations/${encode(operation.id)}`);
  if (body === null || !/json/i.test(body.mediaType)) return {};
  const example = readJson(body.text);
  return isTemplate(example) ? example : {};
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
  readonly fields: readonly ParentField[];
  readonly id: string;
  readonly text: string;
}

function NewRecord({ dialog, place, fields: first, id: proposed, text }: NewRecordProps): VNode {
  const { app, resource } = place;
  const [fields, setFields] = useState(first);
  const [id, setId] = useState(proposed);
  const parents = useRef(place.parents);
  const change = (chosen: readonly string[]): void => {
    parents.current = chosen;
    setFields(fields.slice(0, chosen.length));
    void guarded(async () => {
      const loaded = await loadParents({ ...place, parents: chosen });
      if (parents.current === chosen) setFields(loaded);
    });
  };
  const save = async (body: string): Promise<void> => {
    const missing = resource.parents[parents.current.length];
    if (missing !== undefined)
      throw new NotSaved(`Choose ${missing.parameter} first: the record needs a parent.`);
    const path = recordsPath({ ...place, parents: parents.current }, id);
    await putRecord(app, path, { body, headers: { 'If-None-Match': '*' } });
  };
  return (
    <RecordEditor dialog={dialog} text={text} save={save}>
      <div>
        <ParentFields fields={fields} any="choose one" change={change} />
      </div>
      {resource.kind === 'singleton' ? undefined : (
        <Field label={resource.identifier ?? ''}>
          <input value={id} onInput={({ currentTarget }) => setId(currentTarget.value)} />
        </Field>
      )}
    </RecordEditor>
  );
}

/** Why a record cannot be sent. */
class NotSaved extends Error {}

/** Why the contract or the state of the mock does not allow a record. */
const refusals = [400, 404, 409, 412];

interface RecordEditorProps extends WithChildren {
  readonly dialog: HTMLDialogElement;
  readonly text: string;
  readonly save: (text: string) => Promise<void>;
}

/** A record as JSON. Escape asks once before it discards changes. */
function RecordEditor({ dialog, text: first, save, children }: RecordEditorProps): VNode {
  const [text, setText] = useState(first);
  const [problem, setProblem] = useState<VNode>();
  const current = useRef(text);
  useEffect(() => warnBeforeCancel(dialog, current, setProblem), []);
  const change = (written: string): void => {
    current.current = written;
    setText(written);
  };
  const submit = async (): Promise<void> => {
    try {
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
      {children}
      <textarea
        rows={16}
        spellcheck={false}
        aria-label="The record, as JSON"
        value={text}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <div role="alert">{problem}</div>
      <div class="actions">
        <Button act={() => dialog.close()}>Cancel</Button>
        <Button class="primary" act={submit}>
          Save
        </Button>
      </div>
    </>
  );
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

function Refused({ error: { message, problem } }: { readonly error: Refusal }): VNode {
  const { issues = [] } = problem;
  return issues.length === 0 ? (
    <Unsaved why={message} />
  ) : (
    <Unsaved why="The contract does not allow this record." issues={issues} />
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
