import { Fragment, options, type ComponentChildren, type VNode } from 'preact';
import { visible } from './text.ts';

/**
 * Every text of a page passes through here: hidden characters become escapes, and attributes
 * contain no lone surrogates. Preact writes texts as text nodes, and no page uses
 * `dangerouslySetInnerHTML`, so text from a server is never parsed as HTML.
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

export interface WithChildren {
  readonly children?: ComponentChildren;
}

/** A label in the color of its kind: `error`, `warning`, `note`, `kept`, `none`. */
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

/** A term and its description, within a `dl`. */
export function Fact({
  name,
  children,
}: WithChildren & { readonly name: ComponentChildren }): VNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A method in its color. */
export function MethodMark({ method }: { readonly method: string }): VNode {
  return <span class={`method m-${method.toLowerCase()}`}>{method}</span>;
}

/** Scrolls the current tab into view if the row is wider than the screen. */
export function showCurrentTab(tabs: HTMLElement | null): void {
  const current = tabs?.querySelector<HTMLElement>('[aria-current]');
  if (tabs === null || !current) return;
  tabs.scrollLeft = current.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
}

/** Whether a key was typed into a field, as opposed to a shortcut. */
export function isTyping({ target }: Event): boolean {
  return target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
}

/**
 * Copies a text to the clipboard. If the browser denies it, copies from a hidden field with the
 * deprecated API. Resolves to whether it was copied.
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

/** `system` follows the setting of the operating system. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const themeKey = 'vouch-theme';

/** The chosen theme. Pages of one origin share it; a browser without storage follows the system. */
export function readTheme(): Theme {
  try {
    return themes.find((each) => each === localStorage.getItem(themeKey)) ?? 'system';
  } catch {
    return 'system';
  }
}

/** Applies a theme to the page: `base.css` reads `data-theme` of the root element. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}

/** Applies a theme, and stores it where the browser allows that. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(themeKey, theme);
  } catch {
    // A page without storage keeps the theme until it is closed.
  }
}
