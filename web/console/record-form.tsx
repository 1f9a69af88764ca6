import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { FormField, Problem } from '../../src/server/console/console-api.ts';
import { ExactNumber, readJson } from '../shared/text.ts';
import { Button } from './parts.tsx';

/** Members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;
export type Issue = NonNullable<Problem['issues']>[number];

export function isMembers(value: unknown): value is Members {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber)
  );
}

interface RecordFormProps {
  readonly fields: readonly FormField[];
  /** Members without a field, because the address of the record states them. */
  readonly addressed: readonly string[];
  readonly record: Members;
  readonly issues: readonly Issue[];
  readonly change: (record: Members) => void;
}

/** A form for a record. Members that the schema does not name stay as they are. */
export function RecordForm(props: RecordFormProps): VNode {
  const { fields, addressed, record, issues, change } = props;
  const known = [...addressed, ...fields.map(({ name }) => name)];
  const others = Object.keys(record).filter((name) => !known.includes(name));
  return (
    <div class="record-form" role="group" aria-label="The record, as a form">
      <Fields fields={fields} members={record} pointer="" issues={issues} change={change} />
      {others.length === 0 ? undefined : <small>{`Only in the JSON: ${others.join(', ')}.`}</small>}
    </div>
  );
}

/** The issues that no field of the form shows. */
export function otherIssues(
  fields: readonly FormField[],
  record: unknown,
  issues: readonly Issue[],
): readonly Issue[] {
  const shown = new Set(isMembers(record) ? pointersOf(fields, record, '') : []);
  return issues.filter((issue) => !shown.has(placeOf(issue)));
}

function pointersOf(fields: readonly FormField[], members: Members, pointer: string): string[] {
  return fields.flatMap((field) => {
    const at = below(pointer, field.name);
    const value = members[field.name];
    return [at, ...pointersBelow(field, value, at)];
  });
}

function pointersBelow({ kind, fields, item }: FormField, value: unknown, at: string): string[] {
  if (kind === 'object' && isMembers(value)) return pointersOf(fields, value, at);
  if (kind !== 'list' || item === null || !Array.isArray(value)) return [];
  return value.flatMap((each, index) => {
    const place = below(at, String(index));
    return [place, ...pointersBelow(item, each, place)];
  });
}

/** Where an issue is shown: at the member that is missing, or at the value. */
function placeOf({ at = '', property }: Issue): string {
  return property === undefined ? at : below(at, property);
}

/** RFC 6901, section 3. */
function below(pointer: string, name: string): string {
  return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

interface FieldsProps {
  readonly fields: readonly FormField[];
  readonly members: Members;
  readonly pointer: string;
  readonly issues: readonly Issue[];
  readonly change: (members: Members) => void;
}

function Fields({ fields, members, pointer, issues, change }: FieldsProps): VNode {
  return (
    <>
      {fields.map((field) => (
        <FieldRow
          key={field.name}
          field={field}
          label={field.name}
          value={members[field.name]}
          pointer={below(pointer, field.name)}
          issues={issues}
          change={(value) => change(withMember(members, field.name, value))}
        />
      ))}
    </>
  );
}

/** Without the member if the value is undefined. */
function withMember(members: Members, name: string, value: unknown): Members {
  const { [name]: _old, ...rest } = members;
  if (value === undefined) return rest;
  return Object.hasOwn(members, name) ? { ...members, [name]: value } : { ...rest, [name]: value };
}

interface FieldProps {
  readonly field: FormField;
  readonly label: string;
  readonly value: unknown;
  readonly pointer: string;
  readonly issues: readonly Issue[];
  /** Undefined removes the value. */
  readonly change: (value: unknown) => void;
}

/** A field with its label, its rule and what is wrong with it. */
function FieldRow(props: FieldProps): VNode {
  const { field, pointer, issues } = props;
  const id = `field${pointer}`;
  const found = issues.filter((issue) => placeOf(issue) === pointer);
  const errorId = found.length > 0 ? `${id}-error` : undefined;
  const problem =
    errorId === undefined ? undefined : (
      <small class="field-error" id={errorId}>
        {found.map(({ detail }) => withoutPlace(detail)).join(' ')}
      </small>
    );
  if (field.kind === 'object' || field.kind === 'list')
    return (
      <fieldset class="form-group" aria-describedby={errorId}>
        <legend>
          <FieldTitle {...props} />
        </legend>
        {problem}
        {field.kind === 'object' ? <ObjectField {...props} /> : <ListField {...props} />}
      </fieldset>
    );
  return (
    <div class="form-row">
      <label for={id}>
        <FieldTitle {...props} />
      </label>
      <div class="form-value">
        <ValueField {...props} id={id} describedBy={errorId} isWrong={errorId !== undefined} />
        {field.nullable ? <NullBox {...props} /> : undefined}
      </div>
      {problem}
      {field.description === null ? undefined : <small>{field.description}</small>}
    </div>
  );
}

function FieldTitle({ field, label }: FieldProps): VNode {
  const words = [kindWords(field), field.rule].filter((word) => word !== null);
  return (
    <>
      {label}
      {field.required ? <span aria-hidden="true"> *</span> : undefined}
      <small>{words.join(' · ')}</small>
    </>
  );
}

function NullBox({ field, label, value, change }: FieldProps): VNode {
  return (
    <label class="check">
      <input
        type="checkbox"
        aria-label={`${label} is null`}
        checked={value === null}
        onChange={({ currentTarget }) =>
          change(currentTarget.checked ? null : field.required ? '' : undefined)
        }
      />
      null
    </label>
  );
}

function kindWords({ kind, readOnly }: FormField): string | null {
  const words = { text: null, choice: null, json: 'JSON', object: null, list: 'list' };
  const word = kind in words ? words[kind as keyof typeof words] : kind;
  return readOnly ? [word, 'read-only'].filter((each) => each !== null).join(', ') : word;
}

/** The place stands at the field: `/name must be…` is `must be…`. */
function withoutPlace(detail: string): string {
  return detail.replace(/^(?:\/\S*|The record) /, '');
}

interface ValueProps extends FieldProps {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly isWrong: boolean;
}

function ValueField(props: ValueProps): VNode {
  const { field, value, change, id, describedBy, isWrong } = props;
  const common = {
    id,
    'aria-describedby': describedBy,
    'aria-invalid': isWrong,
    disabled: value === null,
  };
  if (field.kind === 'json') return <JsonField {...props} />;
  if (field.kind === 'choice' || field.kind === 'boolean') {
    const choices = choicesOf(field, value);
    return (
      <select
        {...common}
        value={value === undefined || value === null ? '' : String(value)}
        onChange={({ currentTarget: { value: chosen } }) =>
          change(
            field.kind === 'boolean' ? { true: true, false: false }[chosen] : chosen || undefined,
          )
        }
      >
        {choices.map((choice) => (
          <option value={choice}>{choice === '' ? 'not set' : choice}</option>
        ))}
      </select>
    );
  }
  const isNumber = field.kind !== 'text';
  return (
    <input
      {...common}
      type="text"
      inputMode={isNumber ? 'decimal' : undefined}
      spellcheck={false}
      autocomplete="off"
      placeholder={value === undefined ? 'not set' : undefined}
      value={textOf(value)}
      onInput={({ currentTarget: { value: written } }) => {
        if (written === '' && !field.required) change(undefined);
        else change(isNumber ? numberOf(written) : written);
      }}
    />
  );
}

/** The choices, also that of a value which is none of them; '' removes an optional value. */
function choicesOf({ kind, choices, required }: FormField, value: unknown): readonly string[] {
  const known = kind === 'boolean' ? ['true', 'false'] : choices.map(String);
  const current = value === undefined || value === null ? '' : String(value);
  const isOther = !known.includes(current) && current !== '';
  return [...(required && current !== '' ? [] : ['']), ...(isOther ? [current] : []), ...known];
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A number with every digit; other text stays a text, which the contract refuses. */
function numberOf(written: string): unknown {
  const text = written.trim();
  return /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? readJson(text) : written;
}

/** A value of no simple kind, as JSON. While it is not valid, the record keeps the last one. */
function JsonField({ field, value, change, id, describedBy, isWrong }: ValueProps): VNode {
  const [draft, setDraft] = useState<string>();
  const write = (text: string): void => {
    try {
      change(text.trim() === '' && !field.required ? undefined : readJson(text));
      setDraft(undefined);
    } catch {
      setDraft(text);
    }
  };
  return (
    <>
      <textarea
        id={id}
        rows={2}
        spellcheck={false}
        aria-describedby={describedBy}
        aria-invalid={isWrong || draft !== undefined}
        value={draft ?? (value === undefined ? '' : JSON.stringify(value))}
        onInput={({ currentTarget }) => write(currentTarget.value)}
      />
      {draft === undefined ? undefined : <small class="field-error">is not valid JSON.</small>}
    </>
  );
}

function ObjectField({ field, label, value, pointer, issues, change }: FieldProps): VNode {
  if (!isMembers(value))
    return (
      <Button aria-label={`Add ${label}`} act={() => change(emptyOf(field))}>
        Add
      </Button>
    );
  return (
    <>
      <Fields
        fields={field.fields}
        members={value}
        pointer={pointer}
        issues={issues}
        change={change}
      />
      {field.required ? undefined : (
        <Button class="quiet" aria-label={`Remove ${label}`} act={() => change(undefined)}>
          Remove
        </Button>
      )}
    </>
  );
}

function ListField({ field: { item }, label, value, pointer, issues, change }: FieldProps): VNode {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <>
      {items.map((each, index) => (
        <div class="form-item">
          {item === null ? undefined : (
            <FieldRow
              field={{ ...item, required: true }}
              label={`${label} ${String(index + 1)}`}
              value={each}
              pointer={below(pointer, String(index))}
              issues={issues}
              change={(changed) => change(items.with(index, changed))}
            />
          )}
          <Button
            class="quiet"
            aria-label={`Remove ${label} ${String(index + 1)}`}
            act={() => change(items.toSpliced(index, 1))}
          >
            Remove
          </Button>
        </div>
      ))}
      <Button
        aria-label={`Add an item to ${label}`}
        act={() => change([...items, item === null ? '' : emptyOf(item)])}
      >
        Add an item
      </Button>
    </>
  );
}

/** A first value: required members only. */
function emptyOf({ kind, choices, fields }: FormField): unknown {
  if (kind === 'object')
    return Object.fromEntries(
      fields.filter(({ required }) => required).map((field) => [field.name, emptyOf(field)]),
    );
  const values = {
    list: [],
    boolean: false,
    integer: 0,
    number: 0,
    choice: choices[0],
    json: null,
  };
  return kind in values ? values[kind as keyof typeof values] : '';
}
