import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { configFileNames } from '../../config/config.ts';
import { loadContract } from '../../contract/load.ts';
import { absoluteSource, isAddress, isStandardInput } from '../../contract/load/source.ts';
import type { Contract, Operation } from '../../contract/model.ts';
import { usage } from '../../errors.ts';
import { hostOf, isLoopbackHost } from '../../http/host.ts';
import { findOnlyDocument } from '../../library/find-documents.ts';
import { packageFolder } from '../../library/package-files.ts';
import { exampleRequest } from '../../mock/control/example-request.ts';
import { countOf } from '../../text/counts.ts';
import { cleanLine } from '../../text/safe-text.ts';
import { type ContractFlags, referenceChoice } from '../find-contract.ts';
import type { Io } from '../io.ts';

export interface InitFlags extends Pick<
  ContractFlags,
  'allowRefHost' | 'root' | 'documentHeaders'
> {
  readonly force: boolean;
  readonly dryRun: boolean;
}

/**
 * Writes a first configuration for the given document, or for the one in `folder`. Throws a
 * VouchError ('usage') if the document is ambiguous, or if a configuration exists.
 */
export async function runInitCommand(
  io: Io,
  folder: string,
  { document, flags }: { readonly document: string | undefined; readonly flags: InitFlags },
): Promise<void> {
  if (!flags.dryRun && !flags.force) refuseToOverwrite(folder);
  const source = document ?? (await findOnlyDocument(folder));
  if (isStandardInput(source))
    throw usage('A configuration cannot name the standard input.', {
      hint: 'Write the document to a file, and name that.',
    });
  const full = absoluteSource(source, document === undefined ? folder : undefined);
  const contract = await loadContract(full, referenceChoice(flags));
  const file = isAddress(full) ? full : relative(folder, full);
  const text = configText({
    contract,
    document: file.replaceAll('\\', '/'),
    schema: schemaPath(folder),
  });
  if (flags.dryRun) return io.out(text);
  await io.writeFile(join(folder, configFileNames[0]), text);
  io.err(
    [
      `Wrote ${configFileNames[0]} for ${cleanLine(isAddress(file) ? contract.file : file)}: ` +
        `${cleanLine(contract.title)} ${cleanLine(contract.version)}, ` +
        `${countOf(contract.operations.length, 'operation')}.`,
      '',
      'Next:',
      '  vouch mock           serve it as a mock',
      '  vouch lint           lint the document',
      '  vouch check --self   see what a check does, against the mock',
      '  vouch check local    test your own server (its address is in the file)',
      '  vouch doctor         check the setup',
      '',
    ].join('\n'),
  );
}

function refuseToOverwrite(folder: string): void {
  const there = configFileNames.find((name) => existsSync(join(folder, name)));
  if (there === undefined) return;
  throw usage(`${there} already exists and was not changed.`, {
    hint:
      there === configFileNames[0]
        ? 'Preview the new file with --dry-run, or overwrite it with --force.'
        : 'Preview the new file with --dry-run. --force writes ' +
          `${configFileNames[0]}, which overrides ${there}.`,
  });
}

/**
 * The schema of the installed package if this folder has it installed; the cache of npx is
 * temporary.
 */
function schemaPath(folder: string): string {
  const inPackage = 'schemas/config.schema.json';
  const own = relative(folder, join(packageFolder, inPackage)).replaceAll('\\', '/');
  if (!own.startsWith('..')) return `./${own}`;
  return `./node_modules/vouch/${inPackage}`;
}

/** The values in a first configuration. */
interface ConfigFacts {
  readonly contract: Contract;
  /** The path of the document in the file. */
  readonly document: string;
  /** The location of the schema for editors: a relative path or a URL. */
  readonly schema: string;
}

const port = 4010;

/** A valid configuration with comments. Common settings are active, others are commented out. */
export function configText({ contract, document, schema }: ConfigFacts): string {
  const { operations, servers } = contract;
  const keys = operations.some(({ security }) => security.length > 0)
    ? '  # The credentials that the mock accepts. They are not valid anywhere else.\n' +
      '  keys: [demo-key]\n'
    : '';
  const base = servers[0]?.basePath ?? '';
  const create =
    operations.find(({ method }) => method === 'POST')?.id ?? operations[0]?.id ?? 'OPERATION';
  const read = operations.find(({ method, path }) => method === 'GET' && path.includes('{'));
  const example = (read === undefined ? undefined : exampleOf(read)) ?? 'getItem: { itemId: 7 }';
  // The first loopback server of the contract that does not use the port of the mock.
  const own = servers
    .map(({ url }) => url)
    .find((url) => isPlain(url) && isHere(url) && new URL(url).port !== String(port));
  const source = own === undefined ? '; its port is a guess' : ', as in the contract';
  const remote =
    servers.map(({ url }) => url).find((url) => isPlain(url) && !isHere(url)) ??
    'https://staging.example.com';
  return `# yaml-language-server: $schema=${schema}
# How vouch serves and checks the contract of this folder. Paths are relative to this file.
# Editors with YAML support complete every setting.
contract: ${quote(document)}

mock:
  port: ${String(port)}
${keys}  # Initial records, one file per resource; without them, the contract's examples.
  # fixtures: fixtures
  # Scripted responses: errors, delays, network faults.
  # scenarios: scenarios
  # What the mock assumes where the contract is silent; vouch gaps lists these places.
  # assume:
  #   - { operation: ${quote(create)}, status: 201, because: the created record is returned }

# Settings for every check.
# check:
#   timeout: 5
#   examples: { ${example} }   # values that only you know

# Deployments by name: vouch check local. Name the variable of a token; never write the token here.
targets:
  # Your own server on this machine${source}.
  # To check the mock, use vouch check --self.
  local: { url: ${quote(own ?? `http://127.0.0.1:8080${base}`)}, mode: read-write }
  # staging: { url: ${quote(remote)}, auth: env:STAGING_TOKEN, rate: 5 }
`;
}

function isPlain(url: string): boolean {
  return /^https?:\/\/[^{}]+$/.test(url) && URL.canParse(url);
}

function isHere(url: string): boolean {
  return isLoopbackHost(hostOf(new URL(url)));
}

/** A value for the first path parameter, valid under its schema. */
function exampleOf(operation: Operation): string | undefined {
  const first = exampleRequest(operation, 'init').parameters.find(
    ({ parameter }) => parameter.in === 'path',
  );
  if (first === undefined || first.value === '') return undefined;
  return (
    `${quote(operation.id)}: { ${quote(first.parameter.name)}: ` +
    `${/^\d{1,15}$/.test(first.value) ? first.value : quote(first.value)} }`
  );
}

/** Formats a text as YAML: plain if that is unambiguous, otherwise quoted. */
function quote(text: string): string {
  return /^[A-Za-z./][\w./:-]*$/.test(text) &&
    !/^(true|false|null|yes|no|on|off)$/i.test(text) &&
    !text.endsWith(':')
    ? text
    : JSON.stringify(text);
}
