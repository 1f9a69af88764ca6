import { usage } from '../errors.ts';

/** A flag that people look for, the commands without it, and what to do in its place. */
interface RemovedFlag {
  readonly flag: string;
  readonly commands: readonly string[];
  readonly instead: string;
}

/** Flags that were removed, or that other tools have. */
export const removedFlags: readonly RemovedFlag[] = [
  { flag: '--dry-run', commands: ['check'], instead: 'Use --plan.' },
  {
    flag: '--document-header',
    commands: ['check', 'gaps'],
    instead:
      'A document that the target serves gets the headers of --header. Pass any other on stdin: ' +
      "curl -H 'Authorization: …' ADDRESS | vouch check URL -",
  },
  {
    flag: '--document-header',
    commands: ['replay', 'cleanup'],
    instead: 'Download the document and name it: --contract FILE.',
  },
  {
    flag: '--history',
    commands: ['check'],
    instead: 'The report shows the last runs in the folder VOUCH_STATE_DIR: let CI cache it.',
  },
  { flag: '--json', commands: ['check'], instead: 'Use -r json, or -r json=FILE.' },
  { flag: '--forget-all', commands: ['cleanup'], instead: 'Use --forget without names.' },
  {
    flag: '--host-header',
    commands: ['proxy'],
    instead:
      'A service on this machine sees the host of the client, any other its own. The library can ' +
      'choose: startProxy({ hostHeader }).',
  },
  {
    flag: '--prism-port',
    commands: ['mock', 'start'],
    instead: 'Prism takes the port after that of the mock: --port.',
  },
  {
    flag: '--max-records',
    commands: ['mock', 'start'],
    instead: 'Write mock.maxRecords into vouch.config.yaml.',
  },
  {
    flag: '--max-bytes',
    commands: ['mock', 'start'],
    instead: 'Write mock.maxBytes into vouch.config.yaml.',
  },
];

/**
 * Throws a VouchError ('usage') if a command line has a flag that its command no longer has: with
 * what takes its place.
 */
export function refuseRemovedFlags(words: readonly string[]): void {
  const end = words.indexOf('--');
  const own = (end === -1 ? words : words.slice(0, end)).map((word) => word.replace(/=.*/s, ''));
  const found = removedFlags.find(
    ({ flag, commands }) => own.includes(flag) && commands.includes(own[0] ?? ''),
  );
  if (found !== undefined)
    throw usage(`vouch ${own[0] ?? ''} has no ${found.flag}.`, { hint: found.instead });
}
