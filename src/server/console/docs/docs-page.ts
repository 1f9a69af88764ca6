import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { headerValue, type HeaderList, type HttpResponse } from '../../../http/message.ts';
import type { Contract } from '../../../contract/model.ts';
import { escapeHtml, fileAnswer, hashOf, pageAnswer } from '../page-answer.ts';

/** Below `/docs/`: what is served of Swagger UI, by its name there and as what. */
const files: ReadonlyMap<string, string> = new Map([
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
]);

/**
 * The interactive documentation of a contract. Where the mock stands on another port, operations
 * are shown and not sent.
 */
export async function docsPage(
  { title, version }: Pick<Contract, 'title' | 'version'>,
  headers: HeaderList,
  apart: boolean,
): Promise<HttpResponse> {
  const { script, style } = await import('#pages/docs');
  const name = escapeHtml(`${title} ${version}`);
  const folder = folderSource(headers);
  return pageAnswer(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} · documentation</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<style>${style}</style>
</head>
<body>
<nav aria-label="vouch"><b>vouch</b><a href="./">Console</a><span>Documentation</span></nav>
<main><div id="docs" data-tries="${String(!apart)}"></div></main>
<script src="docs/swagger-ui-bundle.js"></script>
<script>${script}</script>
</body>
</html>
`,
    {
      scripts: [folder, hashOf(script)],
      styles: [folder, hashOf(style)],
      images: ['data:'],
    },
  );
}

/**
 * Only what stands in this folder, since what the mock answers comes from the same origin; all of
 * it, where CSP has no way to say so.
 */
function folderSource(headers: HeaderList): string {
  const host = headerValue(headers, 'Host') ?? '';
  return /^[\w.-]+(:\d+)?$/.test(host) ? `${host}/__vouch/docs/` : "'self'";
}

/** A file of Swagger UI; undefined for any other name. */
export async function docsFile(name: string): Promise<HttpResponse | undefined> {
  const mediaType = files.get(name);
  if (mediaType === undefined) return undefined;
  return fileAnswer(
    await readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`)),
    mediaType,
    [['Cache-Control', 'private, max-age=600']],
  );
}
