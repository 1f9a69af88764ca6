import { createHash } from 'node:crypto';
import { script, style } from '#pages/report';
import { writeJson } from '../../text/json-text.ts';

/**
 * What a browser may do with the page: its own script and style by their hashes, and nothing else.
 * No word of a server can run.
 */
const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`;

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}

/** The beginning of the page, up to where its data stands. */
export const pageStart = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>vouch check</title>
<style>${style}</style>
</head>
<body>
<p id="wait">Reading the report. It needs JavaScript, which is part of this file; it fetches nothing.</p>
`;

/** The end of the page, behind its data. */
export const pageEnd = `<script>${script}</script>
</body>
</html>
`;

/**
 * Data as the page reads it: a block that no browser runs. What could end the block early is
 * written as an escape.
 */
export function dataBlock(attribute: string, value: unknown): string {
  return `<script type="application/json" ${attribute}>${writeJson(value).replaceAll('<', '\\u003c')}</script>\n`;
}
