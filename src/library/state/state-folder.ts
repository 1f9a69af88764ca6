import { join } from 'node:path';

/**
 * The folder in which vouch remembers its runs on this machine: `VOUCH_STATE_DIR`, else where the
 * system keeps such things (XDG Base Directory Specification; LOCALAPPDATA on Windows). Undefined
 * where the environment names no home.
 */
export function stateFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): string | undefined {
  const { VOUCH_STATE_DIR: told, XDG_STATE_HOME: state, LOCALAPPDATA: local, HOME: home } = env;
  if (isSet(told)) return told;
  if (platform === 'win32') return isSet(local) ? join(local, 'vouch') : undefined;
  if (isSet(state)) return join(state, 'vouch');
  return isSet(home) ? join(home, '.local', 'state', 'vouch') : undefined;
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
