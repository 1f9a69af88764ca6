import type { VNode } from 'preact';
import { CopyButton } from './copy-button.tsx';

interface FixDocumentProps {
  /** An OpenAPI Overlay, as YAML. Nothing is shown without one. */
  readonly overlay: string | null | undefined;
}

/** The change of the document that answers a finding or a gap, folded until it is asked for. */
export function FixDocument({ overlay }: FixDocumentProps): VNode | null {
  return overlay ? (
    <details>
      <summary>Fix the document</summary>
      <pre tabIndex={0}>{overlay}</pre>
      <CopyButton text={overlay} what="the Overlay" />
    </details>
  ) : null;
}
