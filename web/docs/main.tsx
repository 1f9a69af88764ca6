import { render, type VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type {
  OperationBrief,
  OperationReference,
  Reference,
  RequestSamples,
  StartFacts,
} from '../../src/server/console/console-api.ts';
import { applyTheme, Fact, isTyping, MethodMark, readTheme } from '../shared/elements.tsx';
import { ask } from '../shared/ask.ts';
import { CopyButton } from '../shared/copy-button.tsx';
import { ThemeSwitch } from '../shared/theme-switch.tsx';
import { groupOperations } from '../shared/group-operations.ts';
import { countOf, decode, encode, matchesWords } from '../shared/text.ts';
import { Markdown } from './markdown.tsx';
import { OperationPage } from './operation.tsx';

/** The operation in the address: `#/listPets`. */
function operationInAddress(): string | undefined {
  const id = /^#\/(.+)$/.exec(location.hash)?.[1];
  return id === undefined ? undefined : decode(id);
}

interface PageProps {
  readonly reference: Reference;
  readonly start: StartFacts;
  /** Whether the mock has the origin of the page, so that the page can send requests to it. */
  readonly canSend: boolean;
}

function Page({ reference, start, canSend }: PageProps): VNode {
  const [id, setId] = useState(operationInAddress);
  const [credential, setCredential] = useState(reference.key ?? '');
  const [language, setLanguage] = useState<keyof RequestSamples>('curl');
  const [operation, setOperation] = useState<OperationReference | string>();
  useEffect(() => {
    const follow = (): void => setId(operationInAddress());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => {
    setOperation(undefined);
    if (id === undefined) return;
    ask<OperationReference>(`reference/${encode(id)}`).then(setOperation, () =>
      setOperation(`There is no operation ${id} in this contract.`),
    );
  }, [id]);
  return (
    <>
      <Top
        reference={reference}
        base={start.bases[0] ?? ''}
        credential={credential}
        setCredential={setCredential}
      />
      <Sidebar operations={reference.operations} current={id} />
      <main id="main" tabIndex={-1}>
        {id === undefined ? (
          <Overview reference={reference} start={start} />
        ) : typeof operation === 'string' ? (
          <p>{operation}</p>
        ) : operation === undefined || operation.id !== id ? (
          <p class="dim">Loading…</p>
        ) : (
          <OperationPage
            key={operation.id}
            {...{ operation, credential, language, canSend }}
            chooseLanguage={setLanguage}
          />
        )}
      </main>
    </>
  );
}

interface TopProps {
  readonly reference: Reference;
  readonly base: string;
  readonly credential: string;
  readonly setCredential: (credential: string) => void;
}

/** The bar above all: where the mock is, and the key with which to ask it. */
function Top({ reference, base, credential, setCredential }: TopProps): VNode {
  return (
    <header class="page-top docs-top">
      <a class="docs-brand" href="#/" onClick={() => history.replaceState(null, '', '#')}>
        {reference.title} <small>{reference.version}</small>
      </a>
      <span class="docs-base">
        <code>{base}</code> <CopyButton text={base} />
      </span>
      {reference.schemes.length === 0 ? undefined : (
        <label class="docs-key">
          Key{' '}
          <input
            value={credential}
            placeholder="YOUR_KEY"
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setCredential(currentTarget.value)}
          />
        </label>
      )}
      <a href="./">Console</a>
      <ThemeSwitch />
    </header>
  );
}

interface SidebarProps {
  readonly operations: readonly OperationBrief[];
  readonly current: string | undefined;
}

/** The operations by tag, with a search for those that have all words. */
function Sidebar({ operations, current }: SidebarProps): VNode {
  const [words, setWords] = useState('');
  // On a narrow screen the list is above the operation, and folded.
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [current]);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      if (event.key !== '/' || isTyping(event)) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const found = useMemo(
    () =>
      operations.filter(({ id, method, path, summary, tags }) =>
        matchesWords(`${method} ${path} ${summary} ${id} ${tags.join(' ')}`, words),
      ),
    [operations, words],
  );
  return (
    <nav class={isOpen || words !== '' ? 'docs-side open' : 'docs-side'} aria-label="Operations">
      <input
        ref={field}
        type="search"
        placeholder="Search  /"
        aria-label="Search the operations"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {countOf(operations.length, 'operation')}
      </button>
      <p class="unseen" role="status">
        {words === ''
          ? ''
          : `${String(found.length)} of ${countOf(operations.length, 'operation')}`}
      </p>
      {groupOperations(found).map(([tag, members]) => (
        <section>
          {tag === '' ? undefined : <h3>{tag}</h3>}
          <ul class="plain">
            {members.map(({ id, method, path, summary, deprecated }) => (
              <li>
                <a
                  href={`#/${encode(id)}`}
                  class={deprecated ? 'deprecated' : ''}
                  aria-current={id === current ? 'page' : undefined}
                >
                  <MethodMark method={method} /> <span>{summary === '' ? path : summary}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

/** A welcome: what the service is, how to call it, and then all that the contract says of it. */
function Overview({ reference, start }: Pick<PageProps, 'reference' | 'start'>): VNode {
  const { title, version, description, operations } = reference;
  // What stands before the first heading says what the service is.
  const at = description.search(/^#/m);
  const lead = at === -1 ? description : description.slice(0, at);
  return (
    <article class="docs-text">
      <h1>{`${title} ${version}`}</h1>
      <p class="dim">{`${countOf(operations.length, 'operation')}, answered by this mock.`}</p>
      <Markdown text={lead} isWhole />
      <FirstCall reference={reference} start={start} />
      <Markdown text={description.slice(lead.length)} isWhole />
    </article>
  );
}

/** The address, the key and a request that works. */
function FirstCall({ reference, start }: Pick<PageProps, 'reference' | 'start'>): VNode {
  const { bases, first, key } = start;
  const [base = ''] = bases;
  return (
    <section class="docs-first" aria-label="First call">
      <h2>First call</h2>
      <dl>
        <Fact name="Address">
          <code>{base}</code> <CopyButton text={base} what="the address" />
        </Fact>
        <Fact name="Key">
          {key === null ? (
            start.secured ? (
              'as the mock was started'
            ) : (
              'none needed'
            )
          ) : (
            <>
              <code>{key}</code> <CopyButton text={key} what="the key" />
            </>
          )}
          {reference.schemes.map((scheme) => (
            <div class="dim">{scheme}</div>
          ))}
        </Fact>
      </dl>
      {first === null ? undefined : (
        <>
          <pre tabIndex={0}>
            <code>{first.curl}</code>
          </pre>
          <p>
            <CopyButton text={first.curl} what="the command" />{' '}
            <a href={`#/${encode(first.operation)}`}>{`See ${first.operation}`}</a>
          </p>
        </>
      )}
    </section>
  );
}

async function show(place: HTMLElement): Promise<void> {
  applyTheme(readTheme());
  const [reference, facts] = await Promise.all([
    ask<Reference>('reference'),
    ask<StartFacts>('start'),
  ]);
  render(
    <Page reference={reference} start={facts} canSend={place.dataset['tries'] === 'true'} />,
    place,
  );
}

const place = document.getElementById('docs');
if (place !== null)
  void show(place).catch((error: unknown) => {
    place.textContent = error instanceof Error ? error.message : String(error);
  });
