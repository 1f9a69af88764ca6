import { type Command, Help, type Option } from 'commander';
import { hangText, keepTogether, wrapText } from '../text/wrap-text.ts';
import { asCalled } from './io.ts';

/** The sections of a command's help after its flags. */
export interface HelpSections {
  /** Command lines with their explanation; the short help has the first four. */
  readonly examples: readonly (readonly [command: string, does: string])[];
  /** The meaning of the exit codes; only in the full help. */
  readonly exitCodes: string;
  /** The environment variables with their meaning; only in the full help. */
  readonly environment?: readonly (readonly [name: string, means: string])[];
}

const stops = '0 stopped, 2 usage error, 70 internal error.';
const token = [
  'VOUCH_TOKEN',
  'token of the target, for the one security scheme without its own --auth',
] as const;
const stateFolder = ['VOUCH_STATE_DIR', 'folder that stores runs for replay and cleanup'] as const;
const mockEnvironment = [
  ['VOUCH_PORT', 'first port to try'],
  ['VOUCH_PERSIST', 'same as --persist'],
  ['VOUCH_STORE', 'same as --store; keeps a password out of the process list'],
  ['NO_COLOR, FORCE_COLOR', 'disable or force colored output'],
] as const;

/** The sections of each command, by its path. */
const helpSections: Readonly<Record<string, HelpSections>> = {
  '': {
    examples: [
      ['vouch demo', 'see in two minutes what vouch does'],
      ['vouch openapi.yaml', 'serve your contract as a mock, as vouch mock does'],
      ['vouch check http://127.0.0.1:4010/v1', 'test a deployment against the contract'],
      ['vouch lint openapi.yaml', 'lint the contract'],
    ],
    exitCodes:
      '0 passed, 1 failed, 2 usage error, 3 inconclusive, 70 internal error, 130 interrupted.',
  },
  start: {
    examples: [
      ['vouch start', 'the contract of vouch.config.yaml, or the one of this folder'],
      ['vouch start openapi.yaml --no-prism', 'lint, then serve only the mock'],
    ],
    exitCodes: '0 stopped, 1 lint errors, 2 usage error, 70 internal error.',
    environment: mockEnvironment,
  },
  mock: {
    examples: [
      ['vouch mock openapi.yaml', 'on port 4010, or the next free port'],
      [
        'vouch mock openapi.yaml --watch --persist state.db',
        'reload on change, keep records across restarts',
      ],
      ['vouch mock --scenario slow-list --auth any', 'slow list responses, any credential'],
      ['vouch mock --explain openapi.yaml', 'print what was inferred, without serving'],
    ],
    exitCodes: stops,
    environment: mockEnvironment,
  },
  proxy: {
    examples: [
      ['vouch proxy http://localhost:3000 api.yaml', 'until Ctrl-C, then the report'],
      ['vouch proxy http://localhost:3000 api.yaml -- npm test', 'as long as the tests run'],
      ['vouch proxy http://localhost:3000 api.yaml --fallback mock', ''],
      ['vouch proxy https://api.example.com --for 10m -r junit=report.xml --record traffic', ''],
    ],
    exitCodes:
      '0 passed, 1 failed, 2 usage error, 3 inconclusive, 70 internal error; if the contract ' +
      'holds and the command fails, the exit code of the command.',
    environment: [['NO_COLOR, FORCE_COLOR', 'disable or force colored output']],
  },
  check: {
    examples: [
      ['VOUCH_TOKEN=demo-key vouch check http://127.0.0.1:4010/v1', ''],
      ['vouch check https://api.example.com openapi.yaml --auth env:API_KEY -r html=a.html', ''],
      ['vouch check $URL --auth user=env:USER_TOKEN --auth admin=env:ADMIN_KEY', ''],
      ['vouch check --self openapi.yaml', ''],
      ['vouch check http://localhost:3000 openapi.yaml --watch', 'until all is fixed'],
      [
        'vouch check staging openapi.yaml --against production',
        'compare two targets of the configuration',
      ],
      ['vouch check --har traffic.har openapi.yaml', ''],
      ["vouch check $URL --header 'X-Tenant: acme' --header X-Edge-Key=env:EDGE_KEY", ''],
      ['vouch check --prove openapi.yaml --min-score 95', ''],
    ],
    exitCodes:
      '0 passed, 1 failed, 2 usage error, 3 inconclusive, 70 internal error, 130 interrupted.',
    environment: [
      token,
      ['VOUCH_MODE, VOUCH_SEED', 'same as --mode and --seed'],
      ['VOUCH_RATE, VOUCH_MAX_REQUESTS, VOUCH_MAX_TIME', 'same as the flags of these names'],
      [
        'VOUCH_TIMEOUT, VOUCH_CONCURRENCY, VOUCH_SLOW_MS',
        'same as timeout, concurrency and slowMs in the configuration',
      ],
      stateFolder,
      ['NO_COLOR, FORCE_COLOR', 'disable or force colored output'],
    ],
  },
  replay: {
    examples: [
      ['vouch replay', 'all findings of the last run'],
      ['vouch replay 6755ad8090', 'one finding'],
      [
        'vouch replay report.json --url http://127.0.0.1:4010/v1',
        'findings of a report, against another target',
      ],
    ],
    exitCodes:
      '0 all findings are fixed, or there are none; 1 a finding is still failing; ' +
      '3 inconclusive.',
    environment: [token, stateFolder],
  },
  cleanup: {
    examples: [
      ['vouch cleanup --list', 'list the runs that may have left records'],
      ['VOUCH_TOKEN=demo-key vouch cleanup', 'delete their records'],
      ['vouch cleanup vouch-7f3a9c', 'delete the records of one run'],
    ],
    exitCodes: '0 no records are left, 1 some records remain.',
    environment: [token, stateFolder],
  },
  lint: {
    examples: [
      ['vouch lint openapi.yaml', ''],
      ['vouch lint openapi.yaml --format github', 'annotations in a pull request'],
    ],
    exitCodes: '0 no errors, 1 errors, 2 usage error.',
  },
  gaps: {
    examples: [
      ['vouch gaps openapi.yaml', ''],
      ['vouch gaps http://127.0.0.1:4010/v1 openapi.yaml', 'and what the target does'],
    ],
    exitCodes: '0 listed, 2 usage error, 3 inconclusive.',
    environment: [token],
  },
  report: {
    examples: [
      ['vouch report merge shard-*.blob -r html=report.html', 'merge the shards of a run'],
      ['vouch report show run.blob', 'render the report of a run again'],
      ['vouch report open', 'open the HTML report that was written last'],
    ],
    exitCodes: 'the exit code of the run.',
  },
  mcp: {
    examples: [
      ['vouch mcp', 'as the command of a server in the settings of an assistant'],
      ['vouch mcp --target staging --auth env:STAGING_TOKEN', 'staging may be checked, read-only'],
      ['vouch mcp --allow-writes', 'services on this machine may be changed'],
    ],
    exitCodes: '0 stopped, 2 usage error.',
    environment: [token, stateFolder],
  },
  'report open': {
    examples: [
      ['vouch report open', 'the one that was written last'],
      ['vouch report open report.html', ''],
    ],
    exitCodes: '0 opened or printed, 2 there is none.',
    environment: [stateFolder],
  },
  'report merge': {
    examples: [
      [
        'vouch check $URL --seed $CI_BUILD --shard 1/4 -r blob=shard-1.blob',
        'in each of four jobs',
      ],
      ['vouch report merge shard-*.blob -r pretty -r html=report.html', 'in the job after them'],
    ],
    exitCodes: 'the exit code of the merged run; 3 if a shard is missing.',
  },
  'report show': {
    examples: [['vouch report show run.blob -r html=report.html', '']],
    exitCodes: 'the exit code of the run.',
  },
  explain: {
    examples: [
      ['vouch explain', 'list all checks'],
      ['vouch explain filter-holds', 'describe one check'],
    ],
    exitCodes: '0 explained, 2 unknown check.',
  },
  types: {
    examples: [
      ['vouch types -o src/contract.ts', 'of the contract in this folder'],
      ['vouch types api/orders.yaml', 'to the terminal'],
    ],
    exitCodes: '0 written, 2 nothing written.',
  },
  init: {
    examples: [
      ['vouch init', 'for the document in this folder'],
      ['vouch init api/orders.yaml --dry-run', 'print the file without writing it'],
    ],
    exitCodes: '0 written, 2 nothing written.',
  },
  doctor: {
    examples: [
      ['vouch doctor', 'all targets of vouch.config.yaml'],
      ['vouch doctor http://127.0.0.1:4010/v1', 'a target on this machine'],
    ],
    exitCodes: '0 no failures, 1 failures.',
    environment: [token, stateFolder, ['VOUCH_PORT, VOUCH_STORE', 'same as for vouch mock']],
  },
  demo: {
    examples: [['vouch demo', 'step by step on a terminal']],
    exitCodes: '0 shown, 70 internal error.',
  },
};

/** Every option of a command, whatever its help shows. */
export function optionsOf(command: Command): Option[] {
  return Help.prototype.visibleOptions.call(new Help(), command);
}

/** The path of a command below the program: `report merge`. */
export function commandPath(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${commandPath(parent)} ${command.name()}` : command.name();
}

/** How to format the help. */
export interface HelpLayout {
  /** Whether to print the short help, without variables and exit codes. */
  readonly isShort: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** How to start vouch on this machine, such as `npx vouch`. */
  readonly program?: string | undefined;
}

const maxExamples = 4;

/** The examples (at most four in the short help); in the full help variables and exit codes too. */
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
  const shown = isShort ? examples.slice(0, maxExamples) : examples;
  return [
    '',
    `${shown.length === 1 ? 'Example' : 'Examples'}:`,
    ...writeRows(
      shown.map(([words, does]) => [asCalled(words, program), does]),
      width,
    ),
    ...whole,
  ].join('\n');
}

/**
 * Formats terms with their explanation beside them, or below them if the terminal is too narrow. A
 * command line that is longer than the terminal continues on the next one, as a shell reads it.
 */
function writeRows(
  pairs: readonly (readonly [words: string, text: string])[],
  width: number,
): string[] {
  const longest = Math.max(
    ...pairs.filter(([, text]) => text !== '').map(([words]) => words.length),
    0,
  );
  return pairs.flatMap(([words, text]) =>
    text === ''
      ? wrapText(withValues(words), width - 6).map((line, index, lines) => {
          const rest = index < lines.length - 1 ? ' \\' : '';
          return `${index === 0 ? '  ' : '    '}${line}${rest}`;
        })
      : hangText(`  ${words.padEnd(longest)}   `, text, width),
  );
}

/** A command line of which no flag is apart from its value when it is wrapped. */
function withValues(words: string): string {
  return words.replaceAll(/ --?[a-z-]+ \S+/g, (flag) => ` ${keepTogether(flag.trim())}`);
}

/** Flags of every command that sends requests, in one line each. */
const sendFlags = {
  '--config': 'default: vouch.config.yaml',
  '--auth': 'environment variable with the token',
  '--header': "header of every request: 'X-Tenant: acme'",
} as const;

const mockFlags = {
  '--port': 'default: 4010, or the next free one',
  '--host': 'address to listen on (default: 127.0.0.1)',
  '--auth': 'accepted credentials: known (default), any or off',
  '--scenario': 'scenario for every request',
  '--persist': 'keep changes in a file, across restarts',
  '--watch': 'reload what has changed',
  '--help': 'print help',
} as const;

/**
 * The flags in the short help (`-h`) of commands with many flags, at most eight, in one line each;
 * `--help-all` prints all of them with all that is to say.
 */
const oftenUsed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  check: {
    '--auth': sendFlags['--auth'],
    '--mode': 'read-only, read-write or fuzz',
    '--include': "operations: getUser, tag:users, 'GET /users/**'",
    '--plan': 'print the requests and send nothing',
    '--reporter': 'pretty, html=FILE, junit=FILE, github, gitlab, …',
    '--baseline': 'fail only on findings that are not in this file',
    '--watch': 'repeat what failed until it is fixed',
    '--help': 'print help',
  },
  mock: {
    ...mockFlags,
    '--cors': 'allow pages of this origin, or of all (default: of this machine)',
    '--explain': 'print what was inferred, without serving',
  },
  start: { ...mockFlags, '--quiet': 'do not log requests', '--no-prism': 'do not start Prism' },
  proxy: {
    '--port': 'default: 4020, or the next free one',
    '--for': 'end after this time, such as 90s or 10m',
    '--headers': 'add the verdict to each response',
    '--enforce': 'answer requests that violate the contract with its own error',
    '--fallback': 'mock: answers what the service does not have',
    '--record': 'write HAR, fixtures and scenarios into this folder',
    '--reporter': 'pretty, html=FILE, junit=FILE, github, gitlab, …',
    '--help': 'print help',
  },
  replay: {
    ...sendFlags,
    '--url': 'base URL in place of the one that was checked',
    '--mode': 'read-only, read-write or fuzz',
    '--help': 'print help',
  },
  cleanup: {
    ...sendFlags,
    '--list': 'list the runs, and send nothing',
    '--forget': 'forget the named runs, or all; their records stay',
    '--verbose': 'name each record',
    '--help': 'print help',
  },
  lint: {
    '--config': 'default: vouch.config.yaml',
    '--overlay': 'apply an OpenAPI Overlay to the document',
    '--header': 'header for the request of a document that is named by its URL',
    '--format': 'pretty (default), json, github, …',
    '--all': 'show every problem, not five of each rule',
    '--help': 'print help',
  },
  gaps: { ...sendFlags, '--format': 'pretty (default) or json', '--help': 'print help' },
};

/** The flags in the short help of a command; those of a command with many are described briefly. */
export function chooseOften(command: Command, options: readonly Option[]): Option[] {
  const flags = oftenUsed[command.name()];
  if (flags === undefined) return options.filter(({ long }) => long !== '--help-all');
  return options.flatMap((option) => {
    const description = flags[option.long ?? ''];
    if (description === undefined) return [];
    const brief = { description, argChoices: undefined, defaultValue: undefined };
    return [Object.assign(Object.create(option) as Option, brief)];
  });
}

/** Describes a flag with its possible values and its default. */
export function describeOption({
  description,
  argChoices,
  defaultValue,
  required,
  optional,
}: Option): string {
  const showsDefault =
    (required || optional) &&
    (typeof defaultValue === 'string' || typeof defaultValue === 'number');
  const more = [
    ...(argChoices === undefined ? [] : [argChoices.join(', ')]),
    ...(showsDefault ? [`default: ${String(defaultValue)}`] : []),
  ].join('; ');
  return more === '' ? description : `${description} (${more})`;
}
