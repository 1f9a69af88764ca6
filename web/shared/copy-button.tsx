import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { writeClipboard } from './elements.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What it copies, for readers who do not see where the button stands. */
  readonly what?: string;
}

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, what }: CopyButtonProps): VNode {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    setCopied(await writeClipboard(text));
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button
      type="button"
      aria-label={what === undefined || isCopied ? undefined : `Copy ${what}`}
      onClick={() => void copy()}
    >
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}
