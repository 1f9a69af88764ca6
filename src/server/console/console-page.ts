import type { Contract } from '../../contract/model.ts';
import type { HttpResponse } from '../../http/message.ts';
import { escapeHtml, hashOf, pageAnswer } from './page-answer.ts';

/** Without one, browsers ask the mock for `/favicon.ico`, which is a path of the contract's. */
const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#1b6e3c"/><path d="m4.5 8.2 2.4 2.4 4.6-5" stroke="#fff" stroke-width="1.8" fill="none"/></svg>')}`;

/**
 * The console as one page: script and style are in it, and its data comes from the control API
 * alone.
 */
export async function consolePage({
  title,
  version,
}: Pick<Contract, 'title' | 'version'>): Promise<HttpResponse> {
  const { script, style } = await import('#pages/console');
  const name = escapeHtml(`${title} ${version}`);
  return pageAnswer(
    `<!doctype html>
<html lang="en" data-title="${name}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} · vouch</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
</head>
<body>
<p id="wait">The console needs JavaScript, which is part of this page; it asks nobody but the mock.</p>
<script>${script}</script>
</body>
</html>
`,
    { scripts: [hashOf(script)], styles: [hashOf(style)], images: ['data:'] },
  );
}
