import { existsSync } from 'node:fs';

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const named = process.env['VOUCH_BROWSER'];

/**
 * The command of a Chromium: what VOUCH_BROWSER says, else the one of this machine; undefined where
 * there is none.
 */
export const browserPath: string | undefined =
  named !== undefined && named !== '' ? named : usual.find((path) => existsSync(path));
