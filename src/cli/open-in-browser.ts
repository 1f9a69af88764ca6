import { spawn } from 'node:child_process';

/** The command that opens a page on each platform; the URL is appended. */
const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
/** A command that has not failed after this many milliseconds has opened the browser. */
const startupMs = 1_000;

/** The command that opens a page here; undefined without a screen. */
export function findOpener(
  platform: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] | undefined {
  const own = openers[platform];
  if (own !== undefined) return own;
  // Without a display, xdg-open would start a text browser in this terminal.
  const display = env['DISPLAY'] ?? env['WAYLAND_DISPLAY'] ?? '';
  return display === '' ? undefined : ['xdg-open'];
}

/** Opens a page in the browser of the user. Returns false if there is no browser or no screen. */
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
