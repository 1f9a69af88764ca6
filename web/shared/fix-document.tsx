import type { VNode } from 'preact';
import type { WrittenOverlay } from '../../src/check/engine/overlay/make-overlay.ts';
import { CopyButton } from './copy-button.tsx';
import { encode } from './text.ts';

interface FixDocumentProps {
  /** Nothing is shown without one. */
  readonly overlay: WrittenOverlay | null | undefined;
}

/** The change of the document that answers a finding or a gap, folded until it is asked for. */
export function FixDocument({ overlay }: FixDocumentProps): VNode | null {
  if (!overlay) return null;
  const { head, action } = overlay;
  const file = encode(head + action);
  return (
    <details class="fix">
      <summary>Fix the document</summary>
      <p>
        If the service is right, this action of an OpenAPI Overlay makes the document say so. Apply
        the file with <code>--overlay FILE</code>. The option <code>--write-overlay FILE</code> of
        the check writes the actions of a whole run.
      </p>
      <pre tabIndex={0} role="group" aria-label="The Overlay action">
        {action}
      </pre>
      <p class="actions">
        <CopyButton text={action} what="the Overlay action" />
        <a
          class="button"
          href={`data:application/yaml;charset=utf-8,${file}`}
          download="fix.overlay.yaml"
        >
          Download as an Overlay
        </a>
      </p>
    </details>
  );
}
