import { Fragment, options, type ComponentChildren, type VNode } from 'preact';
import { visible } from './text.ts';

/**
 * Every text that becomes part of a page passes here: hidden characters are shown as escapes, and
 * attributes hold no lone surrogates. Preact writes texts as text nodes; no page uses
 * `dangerouslySetInnerHTML`, so nothing that a server sent is read as HTML.
 */
options.vnode = (vnode: VNode) => {
  if (typeof vnode.type !== 'string' && vnode.type !== Fragment) return;
  const props = vnode.props as Record<string, unknown>;
  for (const [name, value] of Object.entries(props)) {
    if (name === 'children') props[name] = showHidden(value);
    else if (typeof value === 'string') props[name] = value.toWellFormed();
  }
};

function showHidden(children: unknown): unknown {
  if (typeof children === 'string') return visible(children);
  return Array.isArray(children) ? children.map(showHidden) : children;
}

/** What a component may have between its tags. */
export interface WithChildren {
  readonly children?: ComponentChildren;
}

/** A word in a frame, in the colour of its kind: `error`, `warning`, `note`, `kept`, `none`. */
export function Badge({
  kind,
  title,
  children,
}: WithChildren & { readonly kind: string; readonly title?: string | undefined }): VNode {
  return (
    <span class={`badge ${kind}`} title={title}>
      {children}
    </span>
  );
}

/** Scrolls the current one of a row of tabs into view, where the row is wider than the screen. */
export function showCurrentTab(tabs: HTMLElement | null): void {
  const current = tabs?.querySelector<HTMLElement>('[aria-current]');
  if (tabs === null || !current) return;
  tabs.scrollLeft = current.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
}

/** Whether a key was typed into a field, rather than pressed as a command. */
export function isTyping({ target }: Event): boolean {
  return target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
}

/**
 * Puts a text into the clipboard. Where the browser denies it, the text is selected in a hidden
 * field and copied in the old way. Resolves with whether it was copied.
 */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.className = 'unseen';
    area.setAttribute('aria-hidden', 'true');
    area.tabIndex = -1;
    area.value = text;
    const before = document.activeElement;
    document.body.append(area);
    area.select();
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else copies on a page over http
    const isCopied = document.execCommand('copy');
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    return isCopied;
  }
}
