import type { Command, Option } from 'commander';
import { hangText } from '../text/wrap-text.ts';
import { asCalled } from './program-name.ts';

/** What the help of a command says behind its flags. */
export interface HelpSections {
  /** Command lines with what they do: in the short help and in the whole one. */
  readonly examples: readonly (readonly [command: string, does: string])[];
  /** What its exit codes mean; in the whole help. */
  readonly exitCodes: string;
  /** Variables that it reads; in the whole help. */
  readonly environment?: readonly (readonly [name: string, means: string])[];
}

const stops = '0 stopped when it was told to, 2 asked wrongly, 70 a fault of vouch.';
const token = [
  'VOUCH_TOKEN',
  'the token of the target, for the one security scheme that --auth does not name a variable for',
] as const;
const stateFolder = [
  'VOUCH_STATE_DIR',
  'where runs are remembered for replay and cleanup',
] as const;
const mockEnvironment = [
  ['VOUCH_PORT', 'the first port to try'],
  ['VOUCH_PERSIST', 'as --persist'],
  ['VOUCH_STORE', 'as --store: keeps a password out of the list of processes'],
  ['NO_COLOR, FORCE_COLOR', 'without colours; with them, whoever reads'],
] as const;

/** The sections of each command, by its words. */
export const helpSections: Readonly<Record<string, HelpSections>> = {
  start: {
    examples: [
      ['vouch start', 'the contract of vouch.config.yaml, else the bundled one'],
      ['vouch start openapi.yaml --no-prism', 'lint, then the mock alone'],
    ],
    exitCodes:
      '0 stopped when it was told to, 1 the lint has errors, 2 asked wrongly, 70 a fault of vouch.',
    environment: mockEnvironment,
  },
  mock: {
    examples: [
      ['vouch mock openapi.yaml', 'on port 4010, or the next free one'],
      [
        'vouch mock openapi.yaml --watch --persist state.db',
        'follow edits, keep records over restarts',
      ],
      ['vouch mock --scenario slow-list --auth any', 'a slow list, and any key will do'],
      ['vouch mock --explain openapi.yaml', 'what was inferred, without serving it'],
    ],
    exitCodes: stops,
    environment: mockEnvironment,
  },
  check: {
    examples: [
      ['VOUCH_TOKEN=demo-key vouch check http://127.0.0.1:4010/v1', ''],
      ['vouch check https://api.example.com openapi.yaml --auth env:API_KEY -r html=a.html', ''],
      ['vouch check $URL --auth user=env:USER_TOKEN --auth admin=env:ADMIN_KEY', ''],
      ["vouch check $URL --header 'X-Tenant: acme' --header X-Edge-Key=env:EDGE_KEY", ''],
      ['vouch check staging openapi.yaml --against production', 'targets of the config'],
      ['vouch check --har traffic.har openapi.yaml', ''],
      ['vouch check --self openapi.yaml', ''],
      ['vouch check --prove openapi.yaml --min-caught 95', ''],
    ],
    exitCodes:
      '0 kept, 1 broken, 2 asked wrongly, 3 inconclusive, 70 a fault of vouch, 130 interrupted.',
    environment: [
      token,
      ['VOUCH_MODE, VOUCH_SEED', 'as --mode and --seed'],
      ['VOUCH_RATE, VOUCH_MAX_REQUESTS, VOUCH_MAX_TIME', 'as the flags of these names'],
      [
        'VOUCH_TIMEOUT, VOUCH_CONCURRENCY, VOUCH_SLOW_MS',
        'as timeout, concurrency and slowMs of the configuration',
      ],
      stateFolder,
      ['NO_COLOR, FORCE_COLOR', 'without colours; with them, whoever reads'],
    ],
  },
  replay: {
    examples: [
      ['vouch replay', 'every finding of the last run'],
      ['vouch replay 6755ad8090', 'one of them'],
      [
        'vouch replay report.json --url http://127.0.0.1:4010/v1',
        'those of a report, on another target',
      ],
    ],
    exitCodes: '0 all are fixed, or there are none; 1 one still fails; 3 it cannot be told.',
    environment: [token, stateFolder],
  },
  cleanup: {
    examples: [
      ['vouch cleanup --list', 'what may be left'],
      ['VOUCH_TOKEN=demo-key vouch cleanup', 'delete it'],
      ['vouch cleanup vouch-7f3a9c', 'of one run'],
    ],
    exitCodes: '0 nothing is left, 1 something had to stay.',
    environment: [token, stateFolder],
  },
  lint: {
    examples: [
      ['vouch lint openapi.yaml', ''],
      ['vouch lint openapi.yaml --format github', 'marks in a pull request'],
    ],
    exitCodes: '0 no error, 1 an error, 2 asked wrongly.',
  },
  gaps: {
    examples: [
      ['vouch gaps openapi.yaml', ''],
      ['vouch gaps http://127.0.0.1:4010/v1 openapi.yaml', 'with what that target does'],
    ],
    exitCodes: '0 listed, 2 asked wrongly, 3 nothing answered.',
    environment: [token],
  },
  report: {
    examples: [
      ['vouch report merge shard-*.blob -r html=report.html', 'join the parts of a run'],
      ['vouch report show run.blob', 'show a run again'],
    ],
    exitCodes: 'those of the run.',
  },
  'report merge': {
    examples: [
      [
        'vouch check $URL --seed $CI_BUILD --shard 1/4 -r blob=shard-1.blob',
        'in each of four jobs',
      ],
      ['vouch report merge shard-*.blob -r pretty -r html=report.html', 'in the job after them'],
    ],
    exitCodes: 'those of the run; 3 where a shard is missing.',
  },
  'report show': {
    examples: [['vouch report show run.blob -r html=report.html', '']],
    exitCodes: 'those of the run.',
  },
  explain: {
    examples: [
      ['vouch explain', 'every check in a line'],
      ['vouch explain filter-holds', 'all about one'],
    ],
    exitCodes: '0 explained, 2 there is no such check.',
  },
  init: {
    examples: [
      ['vouch init', 'for the document that is here'],
      ['vouch init api/orders.yaml --dry-run', 'only show what would be written'],
    ],
    exitCodes: '0 written, 2 nothing was written, and why.',
  },
  doctor: {
    examples: [
      ['vouch doctor', 'every target of vouch.config.yaml'],
      ['vouch doctor http://127.0.0.1:4010/v1', 'a target on this machine'],
    ],
    exitCodes: '0 nothing fails, 1 something does.',
    environment: [token, stateFolder, ['VOUCH_PORT, VOUCH_STORE', 'as in vouch mock']],
  },
  completion: {
    examples: [
      ['source <(vouch completion bash)', 'in ~/.bashrc'],
      ['source <(vouch completion zsh)', 'in ~/.zshrc, after compinit'],
      ['vouch completion fish > ~/.config/fish/completions/vouch.fish', 'once'],
      ['vouch completion powershell | Out-String | Invoke-Expression', 'in $PROFILE'],
    ],
    exitCodes: '0 printed, 2 there is none for that shell.',
  },
};

/** The words of a command below the program: `report merge`. */
export function commandPath(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null
    ? command.name()
    : `${commandPath(parent)} ${command.name()}`;
}

/** How the help is written. */
export interface HelpLayout {
  /** Whether it is the short one, without variables and exit codes. */
  readonly isShort: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** How a person starts vouch here. */
  readonly program?: string | undefined;
}

/** What stands behind the flags: examples, and in the whole help variables and exit codes too. */
export function writeSections(path: string, { isShort, width, program }: HelpLayout): string {
  const sections = helpSections[path];
  if (sections === undefined) return '';
  const { examples, exitCodes, environment = [] } = sections;
  const whole = isShort
    ? []
    : [
        ...(environment.length === 0 ? [] : ['', 'Environment:', ...writeRows(environment, width)]),
        '',
        ...hangText('Exit codes: ', exitCodes, width),
      ];
  return [
    '',
    `${examples.length === 1 ? 'Example' : 'Examples'}:`,
    ...writeRows(
      examples.map(([words, does]) => [asCalled(words, program), does]),
      width,
    ),
    ...whole,
  ].join('\n');
}

/** Words with what they mean beside them; below them, where that would leave no room. */
function writeRows(
  pairs: readonly (readonly [words: string, text: string])[],
  width: number,
): string[] {
  const longest = Math.max(
    ...pairs.filter(([, text]) => text !== '').map(([words]) => words.length),
    0,
  );
  return pairs.flatMap(([words, text]) =>
    text === '' ? [`  ${words}`] : hangText(`  ${words.padEnd(longest)}   `, text, width),
  );
}

/** The flags that `-h` shows of commands that have many; `--help` shows all. */
const oftenUsed: Readonly<Record<string, readonly string[]>> = {
  check: [
    '--auth',
    '--header',
    '--server',
    '--self',
    '--mode',
    '--include',
    '--only',
    '--plan',
    '--seed',
    '--reporter',
    '--fail-on',
    '--baseline',
    '--config',
    '--help',
  ],
  mock: [
    '--port',
    '--host',
    '--auth',
    '--scenario',
    '--persist',
    '--watch',
    '--quiet',
    '--prism',
    '--explain',
    '--config',
    '--help',
  ],
};

/** Whether a flag stands in the short help of its command. */
export function isOftenUsed(command: Command, { long }: Option): boolean {
  return oftenUsed[command.name()]?.includes(long ?? '') ?? true;
}

/** What the help says of a flag: what it may be, and what it is when nobody says so. */
export function describeOption({
  description,
  argChoices,
  defaultValue,
  required,
  optional,
}: Option): string {
  const isTold =
    (required || optional) &&
    (typeof defaultValue === 'string' || typeof defaultValue === 'number');
  const more = [
    ...(argChoices === undefined ? [] : [argChoices.join(', ')]),
    ...(isTold ? [`default: ${String(defaultValue)}`] : []),
  ].join('; ');
  return more === '' ? description : `${description} (${more})`;
}
