import { makeHighlight } from './highlight.ts';
import { makeMarkdown, type Token } from './marked.ts';
import {
  childrenOf,
  type LinkTarget,
  type SitePage,
  plainText,
  relativeUrl,
  resolveLink,
} from './pages.ts';

/** What a page of the site needs of the others. */
export interface Site {
  readonly root: string;
  readonly pages: readonly SitePage[];
  /** Called for each file that a page shows or links to, such as a picture. */
  keepFile(file: string): void;
}

/** The HTML of a page: the sidebar, with the headings of the page, and the text. */
export async function renderPage(page: SitePage, site: Site): Promise<string> {
  const at = (file: string): string => relativeUrl(page, file);
  const body = await renderText(page, site);
  const isLanding = page.url === 'index.html';
  const kind = isLanding ? ' class="landing"' : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${isLanding ? 'vouch' : `${escape(page.title)} · vouch`}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${at('site.css')}">
<script src="${at('theme.js')}"></script>
<script defer src="${at('page.js')}"></script>
<script defer src="${at('search.js')}"></script>
</head>
<body data-root="${at('index.html').replace(/index\.html$/, '')}"${kind}>
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="home" href="${at('index.html')}">vouch</a>
${searchForm}
${themeButton}
</header>
<div class="columns">
<details class="menu" open><summary>Pages</summary>
<nav aria-label="Pages">${sidebar(page, site)}</nav></details>
<main id="text" tabindex="-1">
${body}
${neighbours(page, site)}
</main>
</div>
</body>
</html>
`;
}

const policy =
  "default-src 'none'; img-src 'self' data:; font-src data:; style-src 'self'; script-src 'self'";

const searchForm = `<form role="search">
<input type="search" id="search" placeholder="Search (press /)" autocomplete="off"
aria-label="Search the documentation" role="combobox" aria-expanded="false"
aria-controls="results" aria-autocomplete="list">
<ul id="results" role="listbox" aria-label="Results" hidden></ul>
</form>`;

/** The script names the theme that it is for; without a script there is no choice. */
const themeButton = '<button type="button" id="theme" hidden></button>';

/** Links to the pages before and behind this one, in the order of the sidebar. */
function neighbours(page: SitePage, { pages }: Site): string {
  const at = pages.indexOf(page);
  const links = (
    [
      ['prev', 'Previous', pages[at - 1]],
      ['next', 'Next', pages[at + 1]],
    ] as const
  ).map(([rel, word, other]) =>
    other === undefined
      ? ''
      : `<a rel="${rel}" href="${relativeUrl(page, other.url)}"><small>${word}</small> ` +
        `${escape(other.title)}</a>`,
  );
  return `<nav class="neighbours" aria-label="Previous and next page">${links.join('')}</nav>`;
}

function sidebar(page: SitePage, { pages }: Site): string {
  return [...Map.groupBy(pages, ({ group }) => group)]
    .map(([group, members]) => {
      const links = members.map((each) => {
        const current = each === page ? ' aria-current="page"' : '';
        const url = relativeUrl(page, each.url);
        const here = each === page ? hereList(page) : '';
        return `<li><a href="${url}"${current}>${escape(each.title)}</a>${here}</li>`;
      });
      const open = group === 'Decisions' && page.group !== group ? '' : ' open';
      return `<details${open}><summary>${group}</summary><ul>${links.join('')}</ul></details>`;
    })
    .join('\n');
}

function hereList({ headings }: SitePage): string {
  const links = headings
    .filter(({ depth }) => depth === 2)
    .map(({ id, text }) => `<li><a href="#${id}">${escape(text)}</a></li>`);
  return links.length < 2 ? '' : `<ul aria-label="On this page">${links.join('')}</ul>`;
}

async function renderText(page: SitePage, site: Site): Promise<string> {
  let heading = -1;
  const highlight = await makeHighlight();
  const { parser } = await makeMarkdown({
    heading({ tokens = [], depth = 1 }) {
      heading += 1;
      const id = page.headings[heading]?.id ?? '';
      const name = `h${String(depth)}`;
      const label = `Link to ${escape(plainText(tokens))}`;
      const anchor = `<a class="anchor" href="#${id}" aria-label="${label}">#</a>`;
      return `<${name} id="${id}">${this.parser.parseInline(tokens)} ${anchor}</${name}>\n`;
    },
    link({ href = '', tokens = [] }) {
      const url = urlOfLink(href, page, site);
      return `<a href="${escape(url)}">${this.parser.parseInline(tokens)}</a>`;
    },
    image: ({ href = '', text = '' }) => renderPicture({ href, text }, page, site),
    // Long lines scroll, also with the keyboard.
    code: ({ text = '', lang }) =>
      `<pre tabindex="0"><code>${highlight(text, lang) ?? escape(text)}</code></pre>\n`,
    html: () => '',
  });
  const html = parser(page.tokens);
  return html
    .replaceAll(/<th( [^>]*)?><\/th>/g, '<td></td>')
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}

/**
 * A picture, which opens in its full size; of those beside it, `NAME-dark` is shown in the dark and
 * `NAME-phone` on a narrow page.
 */
function renderPicture(
  { href, text }: { readonly href: string; readonly text: string },
  page: SitePage,
  site: Site,
): string {
  const beside = (look: string): string | undefined => {
    const name = href.replace(/\.(?=\w+$)/, `-${look}.`);
    return resolveLink(name, page, site).kind === 'file' ? name : undefined;
  };
  const draw = (name: string, look: string, narrow?: string): string => {
    const url = escape(urlOfLink(name, page, site));
    const picture = `<img src="${url}" alt="${escape(text)}" loading="lazy">`;
    const source =
      narrow === undefined
        ? ''
        : `<source media="(width < 40rem)" srcset="${escape(urlOfLink(narrow, page, site))}">`;
    return `<a class="picture${look}" href="${url}"><picture>${source}${picture}</picture></a>`;
  };
  const dark = beside('dark');
  return dark === undefined
    ? draw(href, '', beside('phone'))
    : draw(href, ' of-light', beside('phone')) + draw(dark, ' of-dark');
}

function urlOfLink(href: string, page: SitePage, site: Site): string {
  const target: LinkTarget = resolveLink(href, page, site);
  if (target.kind === 'page') {
    const anchor = target.anchor === '' ? '' : `#${target.anchor}`;
    return target.page === page && anchor !== ''
      ? anchor
      : relativeUrl(page, target.page.url) + anchor;
  }
  if (target.kind !== 'file') return href;
  site.keepFile(target.file);
  return relativeUrl(page, `files/${target.file}`);
}

/** One section of a page, as the search knows it. */
export interface Section {
  /** From the root of the site, with the anchor. */
  readonly url: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** The sections of a page: each heading with the text below it. */
export function sectionsOf(page: SitePage): Section[] {
  const sections: { url: string; page: string; heading: string; text: string }[] = [];
  for (const token of page.tokens) {
    if (token.type === 'heading') {
      const { id = '', text = '' } = page.headings[sections.length] ?? {};
      sections.push({ url: `${page.url}#${id}`, page: page.title, heading: text, text: '' });
      continue;
    }
    const last = sections.at(-1);
    if (last !== undefined) last.text = `${last.text} ${wordsOf(token)}`.trim();
  }
  return sections;
}

function wordsOf(token: Token): string {
  const parts = childrenOf(token);
  if (token.type === 'html' || token.type === 'space') return '';
  if (token.type === 'table' || token.type === 'list')
    return parts.map((part) => wordsOf(part)).join(' ');
  return (parts.length > 0 ? plainText(parts) : plainText([token])).replaceAll(/\s+/g, ' ');
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
