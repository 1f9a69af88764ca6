import { render, type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { StartFacts, StartResource } from '../../src/server/console/console-api.ts';
import { ask } from '../shared/ask.ts';
import { takeKey } from '../shared/console-key.ts';
import { CopyButton } from '../shared/copy-button.tsx';
import { applyTheme, Fact, readTheme } from '../shared/elements.tsx';
import { encode } from '../shared/text.ts';
import { ThemeSwitch } from '../shared/theme-switch.tsx';

/** The control API; the page stands at the root of the port. */
const api = '/__vouch/';

const modes: readonly {
  readonly mode: StartFacts['mode'];
  readonly title: string;
  readonly effect: string;
}[] = [
  { mode: 'slow', title: 'Slow', effect: 'Each answer comes two seconds later.' },
  { mode: 'empty', title: 'Empty', effect: 'There are no records. Yours come back afterwards.' },
  { mode: 'error', title: 'Error 500', effect: 'Each answer is a 500, and nothing is done.' },
  { mode: 'out', title: 'Logged out', effect: 'Credentials are ignored, as if they had expired.' },
];

function Page({ first }: { readonly first: StartFacts }): VNode {
  const [facts, setFacts] = useState(first);
  const [problem, setProblem] = useState('');
  const load = async (): Promise<void> => {
    try {
      setFacts(await ask<StartFacts>(`${api}start`));
      setProblem('');
    } catch {
      setProblem('The mock does not answer. Is it still running?');
    }
  };
  const act = async (change: () => Promise<unknown>): Promise<void> => {
    await change().catch(() => undefined);
    await load();
  };
  useEffect(() => {
    const follow = (): void => void (document.hidden || load());
    addEventListener('focus', follow);
    document.addEventListener('visibilitychange', follow);
    return () => {
      removeEventListener('focus', follow);
      document.removeEventListener('visibilitychange', follow);
    };
  }, []);
  return (
    <>
      <header class="page-top">
        <b class="start-brand">vouch</b>
        <nav aria-label="Pages of the mock">
          <a href={api}>Console</a> <a href={`${api}docs`}>Documentation</a>
        </nav>
        <ThemeSwitch />
      </header>
      <main>
        <h1>
          {facts.title} <small>{facts.version}</small>
        </h1>
        <p class="dim">A mock of this contract. It keeps what is sent to it until it stops.</p>
        {facts.console ? undefined : (
          <p class="dim">
            To use the console in this browser, press <kbd>o</kbd> in the terminal of the mock, or
            open the link that it shows: the console can send your credentials to other servers, so
            this page alone does not open it.
          </p>
        )}
        <Where facts={facts} />
        <p class="problem" role="alert">
          {problem}
        </p>
        <First facts={facts} />
        <ThisBrowser facts={facts} act={act} />
        <Resources facts={facts} />
      </main>
    </>
  );
}

/** Where clients reach the mock, and the key that it accepts. */
function Where({ facts: { bases, key, secured } }: { readonly facts: StartFacts }): VNode {
  return (
    <dl class="where-list">
      {bases.map((base, index) => (
        <Fact name={index === 0 ? 'Address' : 'Also'}>
          <code>{base}</code> <CopyButton text={base} what={base} />
        </Fact>
      ))}
      <Fact name="Key">
        {key === null ? (
          secured ? (
            'as the mock was started: its terminal shows it'
          ) : (
            'none needed'
          )
        ) : (
          <>
            <code>{key}</code> <CopyButton text={key} what="the key" />
          </>
        )}
      </Fact>
    </dl>
  );
}

/** The same request for a terminal and for a page. */
function First({ facts: { first } }: { readonly facts: StartFacts }): VNode | null {
  if (first === null) return null;
  const samples = [
    ['curl', first.curl],
    ['fetch', first.javascript],
  ] as const;
  return (
    <section>
      <div class="start-head">
        <h2>A first request</h2>
        <a href={`${api}docs#/${encode(first.operation)}`}>{first.operation}</a>
      </div>
      <div class="start-samples">
        {samples.map(([name, text]) => (
          <figure>
            <figcaption>
              {name} <CopyButton text={text} what={`the ${name} command`} />
            </figcaption>
            <pre tabIndex={0}>
              <code>{text}</code>
            </pre>
          </figure>
        ))}
      </div>
    </section>
  );
}

interface BrowserProps {
  readonly facts: StartFacts;
  readonly act: (change: () => Promise<unknown>) => Promise<void>;
}

/** How the mock treats this browser. */
function ThisBrowser({ facts: { mode, session, secured }, act }: BrowserProps): VNode {
  const choose = (chosen: StartFacts['mode']): Promise<void> =>
    act(() => ask(`${api}browser`, { mode: chosen }, 'PUT'));
  // Nobody is logged in where the contract asks for no credentials.
  const offered = modes.filter((each) => each.mode !== 'out' || secured);
  const effect = modes.find((each) => each.mode === mode)?.effect;
  return (
    <section>
      <div class="start-head">
        <h2>Try your frontend with</h2>
        <button
          type="button"
          onClick={() => void act(() => ask(`${api}browser/reset`, undefined, 'POST'))}
        >
          Reset
        </button>
      </div>
      <div class="start-modes" role="group" aria-label="How the mock answers this browser">
        {offered.map(({ mode: each, title }) => (
          <button
            type="button"
            aria-pressed={each === mode}
            onClick={() => void choose(each === mode ? 'usual' : each)}
          >
            {title}
          </button>
        ))}
      </div>
      <p role="status">
        {effect ?? (session === null ? 'Everything as usual.' : 'As usual, on records of its own.')}
      </p>
      <p class="dim">
        For this browser alone: for every request with its User-Agent, from pages of any address,
        with or without a proxy between. Not for curl, other programs and other browsers, nor for
        requests with the header <code>Vouch-Session</code>; the same version of the browser on
        another machine counts as this one. Reset brings back the first records and the usual
        answers.
      </p>
      {session === null ? undefined : (
        <p>
          This browser has its own records now, in the session <code>{session}</code>.{' '}
          <button
            type="button"
            onClick={() => void act(() => ask(`${api}browser`, undefined, 'DELETE'))}
          >
            Share those of all again
          </button>
        </p>
      )}
    </section>
  );
}

function Resources({ facts: { resources, more } }: { readonly facts: StartFacts }): VNode | null {
  if (resources.length === 0) return null;
  return (
    <section>
      <div class="start-head">
        <h2>Records</h2>
      </div>
      <ul class="start-resources">
        {resources.map(({ name, path, count }) => (
          <li>
            <a href={`${api}#/records/${encode(name)}`}>{name}</a> <code>{path}</code>
            <span class="number">{countText(count)}</span>
          </li>
        ))}
      </ul>
      {more === 0 ? undefined : <p class="dim">{`and ${String(more)} more in the console`}</p>}
    </section>
  );
}

/** Below too many parents, records are not counted. */
function countText(count: StartResource['count']): string {
  return count === null ? '' : count.toLocaleString('en-US');
}

async function start(place: HTMLElement): Promise<void> {
  applyTheme(readTheme());
  takeKey('');
  const facts = await ask<StartFacts>(`${api}start`);
  place.replaceChildren();
  render(<Page first={facts} />, place);
}

const place = document.getElementById('start');
if (place !== null)
  void start(place).catch((error: unknown) => {
    place.textContent = error instanceof Error ? error.message : String(error);
  });
