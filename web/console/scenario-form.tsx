import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type {
  OperationBrief,
  OperationReference,
  ScenarioIssue,
} from '../../src/server/console/console-api.ts';
import { encode, readJson } from '../shared/text.ts';
import { call } from './control-api.ts';
import { faultKinds } from './faults.tsx';
import { Button, Choice, Field, operationOption, type Option } from './parts.tsx';
import { isMembers, type Members } from './record-form.tsx';

/** A part of a scenario in the form: its value, and its place as a JSON Pointer. */
interface PartProps {
  readonly value: Members;
  readonly at: string;
  readonly issues: readonly ScenarioIssue[];
  readonly change: (value: Members) => void;
}

interface ScenarioFormProps extends Omit<PartProps, 'at'> {
  readonly operations: readonly OperationBrief[];
}

/** A scenario as a form. What the form does not show stays as it is in the YAML. */
export function ScenarioForm({ value, issues, change, operations }: ScenarioFormProps): VNode {
  const rules = listIn(value, 'rules');
  const setRules = (changed: readonly unknown[]): void => change({ ...value, rules: changed });
  const added = { operation: operations[0]?.id ?? '*', answers: [{ pass: true }] };
  return (
    <>
      <TextField
        label="Description"
        {...{ value, issues, change }}
        at=""
        member="description"
        isKept
      />
      {rules.map((rule, index) => (
        <RuleFields
          key={index}
          title={`Rule ${String(index + 1)}`}
          value={isMembers(rule) ? rule : {}}
          at={`/rules/${String(index)}`}
          issues={issues}
          operations={operations}
          change={(changed) => setRules(rules.with(index, changed))}
          remove={() => setRules(rules.toSpliced(index, 1))}
        />
      ))}
      <Button act={() => setRules([...rules, added])}>Add a rule</Button>
    </>
  );
}

export function listIn(value: Members, member: string): readonly unknown[] {
  const list = value[member];
  return Array.isArray(list) ? list : [];
}

/** The value with another member; without it if the member is undefined. */
export function withMember(value: Members, member: string, given: unknown): Members {
  const { [member]: _before, ...rest } = value;
  if (given === undefined) return rest;
  return Object.hasOwn(value, member)
    ? { ...value, [member]: given }
    : { ...rest, [member]: given };
}

/** The details of the issues of a field: those at its place or below it. */
function issueAt(issues: readonly ScenarioIssue[], at: string): string | undefined {
  const found = issues.filter((issue) => issue.at === at || issue.at.startsWith(`${at}/`));
  return found.length === 0 ? undefined : found.map(({ detail }) => detail).join(' ');
}

interface MemberProps extends PartProps {
  readonly label: string;
  readonly member: string;
  readonly placeholder?: string;
  readonly list?: string;
  /** An empty text is a value too. */
  readonly isKept?: boolean;
}

/** A text or a number in its field; an empty field removes the member. */
function TextField(props: MemberProps): VNode {
  const { label, value, at, member, issues, change, placeholder, list, isKept = false } = props;
  const issue = issueAt(issues, `${at}/${member}`);
  const written = value[member];
  const text = isMembers(written) ? JSON.stringify(written) : String(written ?? '');
  return (
    <Field label={label} issue={issue}>
      <input
        value={text}
        placeholder={placeholder}
        list={list}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={issue !== undefined}
        onInput={({ currentTarget }) => {
          const given = isKept ? currentTarget.value : readWord(currentTarget.value);
          change(withMember(value, member, given));
        }}
      />
    </Field>
  );
}

/** A word as YAML reads it: a number, a boolean, an object or a text; undefined if it is empty. */
function readWord(text: string): unknown {
  if (text.trim() === '') return undefined;
  return /^(-?\d+(\.\d+)?|true|false|[{["].*)$/s.test(text) ? (readValue(text) ?? text) : text;
}

function readValue(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

interface RuleProps extends PartProps {
  readonly title: string;
  readonly operations: readonly OperationBrief[];
  readonly remove: () => void;
}

const anyOperation: Option = ['*', 'every operation'];

function RuleFields(props: RuleProps): VNode {
  const { title, value, at, issues, operations, change, remove } = props;
  const operation = value['operation'];
  const reference = useReference(operations, operation);
  const known = [anyOperation, ...operations.map(operationOption)];
  const isKnown = known.some(([id]) => id === operation);
  const other: Option = ['', nameOfOthers(value)];
  const answers = listIn(value, 'answers');
  const setAnswers = (changed: readonly unknown[]): void => change({ ...value, answers: changed });
  const issue = issueAt(issues, `${at}/operation`) ?? issueExactly(issues, at);
  return (
    <Part title={title} remove={remove}>
      <Field label="Operation" issue={issue}>
        <Choice
          options={isKnown ? known : [other, ...known]}
          value={isKnown ? String(operation) : ''}
          change={(id) =>
            change(id === '' ? value : { ...withMember(value, 'tag', undefined), operation: id })
          }
        />
      </Field>
      <Conditions {...{ value, at, issues, change, reference }} />
      {answers.map((answer, index) => (
        <AnswerFields
          key={index}
          title={answers.length === 1 ? 'Answer' : `Answer ${String(index + 1)}`}
          value={isMembers(answer) ? answer : {}}
          at={`${at}/answers/${String(index)}`}
          issues={issues}
          statuses={reference?.responses.map(({ status }) => status) ?? []}
          change={(changed) => setAnswers(answers.with(index, changed))}
          remove={answers.length === 1 ? undefined : () => setAnswers(answers.toSpliced(index, 1))}
        />
      ))}
      {answers.length < 2 ? undefined : (
        <Field label="After the last answer" issue={issueAt(issues, `${at}/then`)}>
          <Choice
            options={endings}
            value={String(value['then'] ?? 'last')}
            change={(then) => change(withMember(value, 'then', then === 'last' ? undefined : then))}
          />
        </Field>
      )}
      <Button act={() => setAnswers([...answers, { pass: true }])}>Then another answer</Button>
    </Part>
  );
}

const endings: readonly Option[] = [
  ['last', 'it repeats'],
  ['repeat', 'all start again'],
  ['pass', 'the mock answers as usual'],
];

function nameOfOthers({ operation, tag }: Members): string {
  if (operation === undefined && tag === undefined) return 'choose one';
  return [operation ?? tag].flat().map(String).join(', ');
}

function issueExactly(issues: readonly ScenarioIssue[], at: string): string | undefined {
  return issues.find((issue) => issue.at === at)?.detail;
}

/** What the contract says of an operation; undefined until it is loaded. */
function useReference(
  operations: readonly OperationBrief[],
  operation: unknown,
): OperationReference | undefined {
  const [reference, setReference] = useState<OperationReference>();
  useEffect(() => {
    setReference(undefined);
    const known = operations.find(({ id }) => id === operation);
    if (known === undefined) return;
    let isCurrent = true;
    void call<OperationReference>('GET', `/reference/${encode(known.id)}`).then(
      (loaded) => isCurrent && setReference(loaded),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [operation]);
  return reference;
}

interface ConditionsProps extends PartProps {
  readonly reference: OperationReference | undefined;
}

const shares: readonly Option[] = [
  ['', 'every request that matches'],
  ['0.5', 'one in two'],
  ['0.2', 'one in five'],
  ['0.1', 'one in ten'],
];
const groups = ['path', 'query', 'headers', 'cookies'] as const;
const groupOf: Readonly<Record<string, string>> = { header: 'headers', cookie: 'cookies' };

/** The conditions of a rule: the values of parameters, and the share of the requests. */
function Conditions({ value, at, issues, change, reference }: ConditionsProps): VNode {
  const match = isMembers(value['match']) ? value['match'] : {};
  const set = (changed: Members): void =>
    change(withMember(value, 'match', Object.keys(changed).length === 0 ? undefined : changed));
  const inGroup = (group: string): Members => (isMembers(match[group]) ? match[group] : {});
  const setGroup = (group: string, changed: Members): void =>
    set(withMember(match, group, Object.keys(changed).length === 0 ? undefined : changed));
  const used = groups.flatMap((group) =>
    Object.keys(inGroup(group)).map((name) => ({ group, name })),
  );
  const free = (reference?.parameters ?? [])
    .map((parameter) => ({ ...parameter, group: groupOf[parameter.in] ?? parameter.in }))
    .filter(({ group, name }) => !Object.hasOwn(inGroup(group), name));
  const share = String(match['probability'] ?? '');
  return (
    <>
      {used.map(({ group, name }) => (
        <div class="form-item" key={`${group} ${name}`}>
          <TextField
            label={`${name} in the ${group.replace(/s$/, '')} is`}
            member={name}
            value={inGroup(group)}
            at={`${at}/match/${group}`}
            issues={issues}
            change={(changed) => setGroup(group, { [name]: '', ...changed })}
          />
          <Button
            class="quiet"
            aria-label={`Remove the condition on ${name}`}
            act={() => setGroup(group, withMember(inGroup(group), name, undefined))}
          >
            Remove
          </Button>
        </div>
      ))}
      {free.length === 0 ? undefined : (
        <Field label="Only when">
          <Choice
            options={[
              ['', used.length === 0 ? 'always' : 'add a condition'],
              ...free.map(({ group, name }, index): Option => [
                String(index),
                `${name} in the ${group.replace(/s$/, '')} has a value`,
              ]),
            ]}
            value=""
            change={(index) => {
              const chosen = free[Number(index)];
              if (index !== '' && chosen !== undefined)
                setGroup(chosen.group, {
                  ...inGroup(chosen.group),
                  [chosen.name]: readWord(chosen.value) ?? '',
                });
            }}
          />
        </Field>
      )}
      <Field label="Share" issue={issueAt(issues, `${at}/match/probability`)}>
        <Choice
          options={shares.some(([each]) => each === share) ? shares : [[share, share], ...shares]}
          value={share}
          change={(given) => set(withMember(match, 'probability', readWord(given)))}
        />
      </Field>
    </>
  );
}

interface AnswerProps extends PartProps {
  readonly title: string;
  /** The statuses that the contract documents. */
  readonly statuses: readonly string[];
  readonly remove: (() => void) | undefined;
}

function AnswerFields(props: AnswerProps): VNode {
  const { title, value, at, issues, statuses, change, remove } = props;
  const isUsual = value['pass'] === true || value['patch'] !== undefined;
  const listId = `statuses${at}`;
  const field = { value, at, issues, change };
  const setKind = (kind: string): void => {
    const { pass: _pass, patch: _patch, status: _status, body: _body, ...rest } = value;
    const [first = '500'] = statuses.filter((status) => /^[45]\d\d$/.test(status));
    change(kind === 'usual' ? { pass: true, ...rest } : { status: Number(first), ...rest });
  };
  const fault = isMembers(value['fault']) ? value['fault']['kind'] : value['fault'];
  return (
    <Part title={title} remove={remove}>
      <Field label="What is answered" issue={issueExactly(issues, at)}>
        <Choice
          options={[
            ['usual', 'what the mock answers'],
            ['own', 'a status of your choice'],
          ]}
          value={isUsual ? 'usual' : 'own'}
          change={setKind}
        />
      </Field>
      {isUsual ? undefined : (
        <>
          <TextField {...field} label="Status" member="status" list={listId} />
          <datalist id={listId}>
            {statuses
              .filter((status) => /^\d+$/.test(status))
              .map((status) => (
                <option value={status} />
              ))}
          </datalist>
        </>
      )}
      <JsonField
        {...field}
        label={isUsual ? 'Changed members, as JSON' : 'Body, as JSON'}
        member={isUsual ? 'patch' : 'body'}
        placeholder={isUsual ? 'none' : 'written by the mock'}
      />
      <div class="form-pair">
        <TextField {...field} label="Delay" member="delay" placeholder="500ms, 2s" />
        <TextField {...field} label="Times" member="times" placeholder="once" />
      </div>
      <Field label="Network fault" issue={issueAt(issues, `${at}/fault`)}>
        <Choice
          options={faultKinds}
          value={String(fault ?? '')}
          change={(kind) => change(withMember(value, 'fault', kind === '' ? undefined : kind))}
        />
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={value['offContract'] === true}
          onChange={({ currentTarget: { checked } }) =>
            change(withMember(value, 'offContract', checked ? true : undefined))
          }
        />
        Allow what the contract does not
      </label>
    </Part>
  );
}

/** A value as JSON; text that is not JSON yet is kept in the field alone. */
function JsonField({ label, value, at, member, issues, change, placeholder }: MemberProps): VNode {
  const stored = value[member];
  const written = stored === undefined ? '' : JSON.stringify(stored, null, 2);
  const [text, setText] = useState(written);
  const isBroken = text.trim() !== '' && readValue(text) === undefined;
  useEffect(() => {
    if (JSON.stringify(readValue(text)) !== JSON.stringify(stored) && !isBroken) setText(written);
  }, [written]);
  const issue = isBroken ? 'This is not JSON yet.' : issueAt(issues, `${at}/${member}`);
  return (
    <Field label={label} issue={issue}>
      <textarea
        rows={Math.min(12, Math.max(2, text.split('\n').length))}
        spellcheck={false}
        placeholder={placeholder}
        aria-invalid={issue !== undefined}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          const given = readValue(currentTarget.value);
          if (given !== undefined || currentTarget.value.trim() === '')
            change(withMember(value, member, given));
        }}
      />
    </Field>
  );
}

interface GroupProps {
  readonly title: string;
  readonly remove: (() => void) | undefined;
  readonly children: ComponentChildren;
}

/** A group of fields that can be removed. */
function Part({ title, remove, children }: GroupProps): VNode {
  return (
    <fieldset class="form-part">
      <legend>{title}</legend>
      {children}
      {remove === undefined ? undefined : (
        <Button class="quiet" aria-label={`Remove ${title.toLowerCase()}`} act={remove}>
          Remove
        </Button>
      )}
    </fieldset>
  );
}
