import { spawn } from 'node:child_process';

/** How a platform opens a page, the URL behind the words. */
const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
/** An opener that has not failed by then has a browser in its hands. */
const startupMs = 1_000;

/** The command that opens a page here; undefined where there is no screen to open it on. */
export function findOpener(
  platform: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] | undefined {
  const own = openers[platform];
  if (own !== undefined) return own;
  // Without a display xdg-open takes a browser of the terminal, which is in use.
  const display = env['DISPLAY'] ?? env['WAYLAND_DISPLAY'] ?? '';
  return display === '' ? undefined : ['xdg-open'];
}

/**
 * Opens a page in the user's browser. Whether that could be done: false where there is none, or no
 * screen.
 */
export async function openInBrowser(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const [command, ...words] = findOpener(process.platform, env) ?? [];
  if (command === undefined) return false;
  return new Promise((resolve) => {
    const child = spawn(command, [...words, url], { detached: true, stdio: 'ignore' });
    const soon = setTimeout(() => resolve(true), startupMs);
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
    child.on('close', () => clearTimeout(soon));
    child.unref();
  });
}
