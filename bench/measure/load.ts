import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One request, sent over and over. */
export interface LoadRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoadOptions {
  readonly seconds: number;
  readonly connections: number;
}

/**
 * Sends a request over and over on kept connections with wrk, and answers requests per second.
 * Rejects where one of them fails.
 */
export async function requestsPerSecond(
  url: string,
  request: LoadRequest,
  { seconds, connections }: LoadOptions,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-load-'));
  try {
    const script = join(folder, 'request.lua');
    writeFileSync(script, writeLua(request));
    const printed = await run('wrk', [
      '-t1',
      `-c${String(connections)}`,
      `-d${String(seconds)}s`,
      '-s',
      script,
      url + request.path,
    ]);
    return readRate(printed);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeLua({ method = 'GET', headers = {}, body }: LoadRequest): string {
  const fields = Object.entries(headers).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  );
  return [
    `wrk.method = ${JSON.stringify(method)}`,
    ...fields,
    ...(body === undefined ? [] : [`wrk.body = [==[${body}]==]`]),
  ].join('\n');
}

function readRate(printed: string): number {
  const rate = Number(/^Requests\/sec:\s+([\d.]+)/m.exec(printed)?.[1] ?? Number.NaN);
  const failed = /Non-2xx or 3xx responses: \d+|Socket errors: .*/.exec(printed)?.[0];
  if (failed !== undefined || Number.isNaN(rate))
    throw new Error(`The load did not go through. ${failed ?? ''}\n${printed}`);
  return rate;
}

function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, [...args], { encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else if ('code' in error && error.code === 'ENOENT')
        reject(
          new Error(
            `${program} is not installed. On Debian: apt-get install ${program}; ` +
              `with Homebrew: brew install ${program}.`,
          ),
        );
      else reject(new Error(`${program}: ${stderr || error.message}`));
    });
  });
}
