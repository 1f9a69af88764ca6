import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { writeClipboard } from './elements.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What it copies, for readers who do not see where the button stands. */
  readonly what?: string;
  readonly label?: string;
}

/** Copies a text, and shows for a moment whether that worked. */
export function CopyButton({ text, what, label = 'Copy' }: CopyButtonProps): VNode {
  const [outcome, setOutcome] = useState<string>();
  const copy = async (): Promise<void> => {
    setOutcome((await writeClipboard(text)) ? 'Copied' : 'Select it by hand');
    setTimeout(() => setOutcome(undefined), 2_000);
  };
  return (
    <button
      type="button"
      class="copy"
      aria-label={what === undefined ? undefined : (outcome ?? `${label} ${what}`)}
      onClick={() => void copy()}
    >
      {outcome ?? label}
    </button>
  );
}
