import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Runner } from './runner.ts';

/** Schemathesis with all of its phases, as it comes. */
export const schemathesis: Runner = schemathesisWith({
  name: 'schemathesis',
  title: 'Schemathesis, all phases',
  limitSeconds: 180,
  phases: [],
});

/** Schemathesis with the phases alone that send what follows from the contract. */
export const schemathesisCoverage: Runner = schemathesisWith({
  name: 'schemathesis-coverage',
  title: 'Schemathesis, examples and coverage',
  limitSeconds: 120,
  phases: ['--phases', 'examples,coverage'],
});

function schemathesisWith({
  name,
  title,
  limitSeconds,
  phases,
}: {
  readonly name: string;
  readonly title: string;
  readonly limitSeconds: number;
  readonly phases: readonly string[];
}): Runner {
  return {
    name,
    title,
    rival: 'schemathesis',
    limitSeconds,
    commands: ({ url, contract, key, headers = [`Authorization: Bearer ${key}`] }, { program }) => [
      // What it remembers of earlier runs would let it find in the second what it missed in the
      // first.
      {
        program,
        args: [
          '-m',
          'schemathesis.cli',
          'run',
          contract,
          '--url',
          url,
          ...headers.flatMap((header) => ['--header', header]),
          ...phases,
          '--generation-database',
          'none',
          '--report',
          'junit',
          '--report-junit-path',
          'junit.xml',
          '--no-color',
        ],
      },
    ],
    findings: ({ folder }, { printed }) => {
      const file = join(folder, 'junit.xml');
      return existsSync(file) ? readCases(readFileSync(file, 'utf8')) : readPrinted(printed);
    },
  };
}

/** The failures of each operation, by the titles of the checks. */
function readCases(xml: string): string[] {
  return [...xml.matchAll(/<testcase name="([^"]*)"[^>]*>([\s\S]*?)<\/testcase>/g)].flatMap(
    ([, operation = '', body = '']) => titlesIn(body).map((title) => `${operation}: ${title}`),
  );
}

function readPrinted(printed: string): string[] {
  return [...printed.matchAll(/^_+ (.+?) _+$([\s\S]*?)(?=^[_=]{3,}|(?![\s\S]))/gm)].flatMap(
    ([, operation = '', body = '']) => titlesIn(body).map((title) => `${operation}: ${title}`),
  );
}

function titlesIn(text: string): string[] {
  return [...text.matchAll(/^\s*- (ST\d+ .+)$/gm)].map(([, title = '']) => title.trim());
}
