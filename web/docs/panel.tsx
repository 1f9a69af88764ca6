import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type {
  OperationReference,
  RequestSamples,
  WrittenRequest,
} from '../../src/server/console/console-api.ts';
import { ask } from '../shared/ask.ts';
import { CopyButton } from '../shared/copy-button.tsx';
import { JsonView } from '../shared/json.tsx';
import { duration, prettyBody } from '../shared/text.ts';

const languages: Readonly<Record<keyof RequestSamples, string>> = {
  curl: 'Shell',
  javascript: 'JavaScript',
  python: 'Python',
  go: 'Go',
  java: 'Java',
};
const languageNames = Object.keys(languages) as (keyof RequestSamples)[];

/** What a reader filled in: parameters by place and name, and the body. */
interface Values {
  readonly parameters: ReadonlyMap<string, string>;
  readonly body: string;
}

/** What came of a request that the page sent. */
interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/** An operation, and how its page shows and sends it. */
export interface PanelProps {
  readonly operation: OperationReference;
  readonly credential: string;
  readonly language: keyof RequestSamples;
  readonly chooseLanguage: (language: keyof RequestSamples) => void;
  readonly canSend: boolean;
}

/** The request of an operation: its values, the code for it, and the answer of the mock. */
export function RequestPanel({
  operation,
  credential,
  language,
  chooseLanguage,
  canSend,
}: PanelProps): VNode {
  const [values, setValues] = useState(() => firstValues(operation));
  const [written, setWritten] = useState<WrittenRequest>();
  const [outcome, setOutcome] = useState<Outcome | string>();
  useEffect(() => {
    const soon = setTimeout(() => {
      void write(operation, values, credential).then(setWritten, () => setWritten(undefined));
    }, 150);
    return () => clearTimeout(soon);
  }, [operation, values, credential]);
  const send = async (): Promise<void> => {
    const request = await write(operation, values, credential);
    setOutcome(await sendRequest(request, values.body));
  };
  return (
    <aside class="panel" aria-label="Request">
      <div class="panel-head">
        <h2>Request</h2>
        <select
          aria-label="Language of the example"
          value={language}
          onChange={({ currentTarget }) =>
            chooseLanguage(languageNames.find((each) => each === currentTarget.value) ?? 'curl')
          }
        >
          {languageNames.map((each) => (
            <option value={each}>{languages[each]}</option>
          ))}
        </select>
        <CopyButton text={written?.samples[language] ?? ''} />
      </div>
      <pre class="sample" tabIndex={0}>
        <code>{written?.samples[language] ?? ''}</code>
      </pre>
      {canSend && operation.tries ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <Fields operation={operation} values={values} change={setValues} />
          <button type="submit" class="primary">
            Send to this mock
          </button>
        </form>
      ) : undefined}
      <div role="status">{outcome === undefined ? undefined : <Answer outcome={outcome} />}</div>
      {outcome === undefined ? <Examples operation={operation} /> : undefined}
    </aside>
  );
}

function firstValues({ parameters, bodies }: OperationReference): Values {
  const required = parameters.filter((each) => each.required);
  return {
    parameters: new Map(required.map((each) => [placeOf(each), each.value])),
    body: prettyBody(bodies[0]?.example ?? ''),
  };
}

function placeOf({ in: place, name }: { readonly in: string; readonly name: string }): string {
  return `${place} ${name}`;
}

function write(
  { id, parameters, bodies }: OperationReference,
  values: Values,
  credential: string,
): Promise<WrittenRequest> {
  return ask('reference', {
    operation: id,
    parameters: parameters.flatMap(({ in: place, name }) => {
      const value = values.parameters.get(placeOf({ in: place, name })) ?? '';
      return value === '' ? [] : [{ in: place, name, value }];
    }),
    ...(bodies[0] === undefined ? {} : { body: values.body, mediaType: bodies[0].mediaType }),
    key: credential === '' ? null : credential,
  });
}

/** Headers that a page may not set. */
const forbidden = /^(?:host|content-length|cookie)$/i;

/** Sends a request to the mock, which has the origin of the page. */
async function sendRequest(
  { method, target, headers }: WrittenRequest,
  body: string,
): Promise<Outcome | string> {
  const began = performance.now();
  const hasBody = body !== '' && method !== 'GET' && method !== 'HEAD';
  try {
    const response = await fetch(target, {
      method,
      headers: headers
        .filter(([name]) => !forbidden.test(name))
        .map(([name, value]) => [name, value]),
      credentials: 'omit',
      ...(hasBody ? { body } : {}),
    });
    const text = await response.text();
    return { status: response.status, text, ms: performance.now() - began };
  } catch {
    return 'The mock did not answer. Does it still run?';
  }
}

interface FieldsProps {
  readonly operation: OperationReference;
  readonly values: Values;
  readonly change: (values: Values) => void;
}

function Fields({ operation: { parameters, bodies }, values, change }: FieldsProps): VNode {
  const set = (place: string, value: string): void =>
    change({ ...values, parameters: new Map([...values.parameters, [place, value]]) });
  return (
    <>
      {parameters.map((parameter) => {
        const place = placeOf(parameter);
        return (
          <label class="field">
            <span>
              <code>{parameter.name}</code>
              {parameter.required ? undefined : <small> optional</small>}
            </span>
            <input
              value={values.parameters.get(place) ?? ''}
              placeholder={parameter.value === '' ? '' : `such as ${parameter.value}`}
              onInput={({ currentTarget }) => set(place, currentTarget.value)}
            />
          </label>
        );
      })}
      {bodies[0] === undefined ? undefined : (
        <label class="field">
          <span>{`Body, ${bodies[0].mediaType}`}</span>
          <textarea
            rows={Math.min(12, values.body.split('\n').length + 1)}
            value={values.body}
            onInput={({ currentTarget }) => change({ ...values, body: currentTarget.value })}
          />
        </label>
      )}
    </>
  );
}

function Answer({ outcome }: { readonly outcome: Outcome | string }): VNode {
  if (typeof outcome === 'string') return <p class="problem">{outcome}</p>;
  const { status, text, ms } = outcome;
  return (
    <>
      <h2>
        Answer <span class={`code s${String(Math.floor(status / 100))}`}>{status}</span>{' '}
        <small>{duration(ms)}</small>
      </h2>
      <Body text={text} label="The body of the answer" />
    </>
  );
}

function Body({ text, label }: { readonly text: string; readonly label: string }): VNode {
  if (text === '') return <p class="dim">No body.</p>;
  return /^\s*[[{"\d]/.test(text) ? (
    <JsonView text={text} label={label} />
  ) : (
    <pre tabIndex={0}>{text}</pre>
  );
}

/** An example of each documented answer. */
function Examples({ operation: { responses } }: { readonly operation: OperationReference }): VNode {
  const shown = responses.filter(({ contents }) => contents.some(({ example }) => example !== ''));
  const [status, setStatus] = useState(shown[0]?.status);
  const current = shown.find((each) => each.status === status) ?? shown[0];
  if (current === undefined) return <></>;
  const { example = '' } = current.contents.find((each) => each.example !== '') ?? {};
  return (
    <>
      <div class="panel-head">
        <h2>Answer</h2>
        <select
          aria-label="Example of an answer"
          value={current.status}
          onChange={({ currentTarget }) => setStatus(currentTarget.value)}
        >
          {shown.map((each) => (
            <option>{each.status}</option>
          ))}
        </select>
      </div>
      <Body key={current.status} text={example} label={`An example of ${current.status}`} />
    </>
  );
}
