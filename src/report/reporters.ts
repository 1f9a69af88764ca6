import { blob } from './blob/blob.ts';
import { dot } from './dot.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { har } from './har.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { ndjson } from './ndjson.ts';
import { pretty } from './pretty.ts';
import { sarif } from './sarif.ts';
import type { Reporter } from './reporter.ts';

/** Every reporter, in the order in which `--help` names them. */
export const reporters = [
  pretty,
  dot,
  json,
  ndjson,
  junit,
  sarif,
  html,
  github,
  gitlab,
  markdown,
  har,
  blob,
] as const satisfies readonly Reporter[];
export type ReporterId = (typeof reporters)[number]['id'];
