import type { VNode } from 'preact';
import type { SchemaNode } from '../../src/server/console/console-api.ts';
import { Markdown } from './markdown.tsx';

/** A schema: its type, and its members as a tree, in which deeper levels are folded. */
export function SchemaTree({ schema }: { readonly schema: SchemaNode }): VNode {
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
export function Member({
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
