import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ContentReference, SchemaNode } from '../../src/server/console/console-api.ts';
import { Badge, MethodMark } from '../shared/elements.tsx';
import { Markdown } from './markdown.tsx';
import { type PanelProps, RequestPanel } from './panel.tsx';

/** An operation: what it does on the left, its request and answer on the right. */
export function OperationPage(props: PanelProps): VNode {
  const { operation } = props;
  const { method, path, base, summary, description, parameters, bodies, responses } = operation;
  const place = (
    <>
      <MethodMark method={method} /> <code>{base + path}</code>
    </>
  );
  return (
    <div class="docs-operation">
      <article class="docs-text">
        <h1>{summary === '' ? place : summary}</h1>
        <p class="docs-place">
          {summary === '' ? undefined : place}{' '}
          {operation.deprecated ? <Badge kind="warning">deprecated</Badge> : undefined}{' '}
          {operation.secured ? <Badge kind="none">needs a key</Badge> : undefined}
        </p>
        <Markdown text={description} isWhole />
        {parameters.length === 0 ? undefined : (
          <>
            <h2>Parameters</h2>
            <ul class="members plain">
              {parameters.map(({ name, in: from, required, schema }) => (
                <li>
                  <Member node={{ ...schema, name, required }} depth={1} place={from} />
                </li>
              ))}
            </ul>
          </>
        )}
        {bodies.length === 0 ? undefined : (
          <>
            <h2>Body</h2>
            <Contents contents={bodies} />
          </>
        )}
        <h2>Answers</h2>
        {responses.map((response, index) => (
          <details class="answer" open={index === 0}>
            <summary>
              <b class={`s${response.status.slice(0, 1)}`}>{response.status}</b>{' '}
              {(response.description.split('\n', 1)[0] ?? '').replaceAll('`', '')}
            </summary>
            {hasMore(response.description) ? <Markdown text={response.description} /> : undefined}
            {response.headers.length === 0 ? undefined : (
              <p>
                Headers: <code>{response.headers.join(', ')}</code>
              </p>
            )}
            <Contents contents={response.contents} />
          </details>
        ))}
      </article>
      <RequestPanel {...props} />
    </div>
  );
}

function hasMore(text: string): boolean {
  return text.trim().includes('\n');
}

/** The schema of each media type; a choice if there are several. */
function Contents({ contents }: { readonly contents: readonly ContentReference[] }): VNode {
  const [chosen, choose] = useState(0);
  const current = contents[chosen];
  if (current === undefined) return <p class="dim">No body.</p>;
  return (
    <>
      {contents.length === 1 ? (
        <p class="dim">{current.mediaType}</p>
      ) : (
        <select
          aria-label="Media type"
          value={String(chosen)}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
        >
          {contents.map(({ mediaType }, index) => (
            <option value={String(index)}>{mediaType}</option>
          ))}
        </select>
      )}
      {current.schema === null ? undefined : <SchemaTree schema={current.schema} />}
    </>
  );
}

/** A schema: its type, and its members as a tree, in which deeper levels are folded. */
function SchemaTree({ schema }: { readonly schema: SchemaNode }): VNode {
  const hasParts = schema.members.length + schema.variants.length > 0;
  return (
    <div class="schema">
      <p>
        <span class="type">{schema.type}</span> <Rules node={schema} />
      </p>
      {schema.description === '' ? undefined : <Markdown text={schema.description} />}
      {hasParts ? <Parts node={schema} depth={0} /> : undefined}
    </div>
  );
}

function Parts({ node, depth }: { readonly node: SchemaNode; readonly depth: number }): VNode {
  return (
    <>
      {node.members.length === 0 ? undefined : (
        <ul class="members plain">
          {node.members.map((member) => (
            <li key={member.name}>
              <Member node={member} depth={depth} />
            </li>
          ))}
        </ul>
      )}
      {node.variants.map((variant) => (
        <details class="variant" key={variant.name}>
          <summary>
            <span class="name">{variant.name}</span> <span class="type">{variant.type}</span>
          </summary>
          <Parts node={variant} depth={depth + 1} />
        </details>
      ))}
    </>
  );
}

/** A member of an object, or a parameter. */
function Member({
  node,
  depth = 0,
  place,
}: {
  readonly node: SchemaNode;
  readonly depth?: number;
  readonly place?: string;
}): VNode {
  const hasParts = node.members.length + node.variants.length > 0;
  return (
    <>
      <p class="member">
        <code class="name">{node.name}</code> <span class="type">{node.type}</span>
        {place === undefined ? undefined : <span class="type">{` in ${place}`}</span>}{' '}
        {node.required ? <span class="must">required</span> : undefined}
        {node.readOnly ? <span class="type"> read-only</span> : undefined}
        {node.deprecated ? <span class="type"> deprecated</span> : undefined} <Rules node={node} />
      </p>
      {node.description === '' ? undefined : (
        <div class="about">
          <Markdown text={node.description} />
        </div>
      )}
      {hasParts ? (
        <details open={depth < 1}>
          <summary>{`The members of ${node.name}`}</summary>
          <Parts node={node} depth={depth + 1} />
        </details>
      ) : undefined}
    </>
  );
}

function Rules({ node: { rule, choices, fallback } }: { readonly node: SchemaNode }): VNode {
  const words = [
    ...(rule === null ? [] : [rule]),
    ...(choices.length === 0 ? [] : [`one of ${choices.join(', ')}`]),
    ...(fallback === null ? [] : [`default ${fallback}`]),
  ];
  return <span class="rule">{words.join('; ')}</span>;
}
