import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path/posix';
import { makeMarkdown, type Token } from './marked.ts';

/** A Markdown file of the repository as a page of the site. */
export interface SitePage {
  /** From the root of the repository: `docs/guides/mock.md`. */
  readonly file: string;
  /** From the root of the site: `guides/mock.html`. */
  readonly url: string;
  readonly title: string;
  /** The heading of the sidebar under which it stands. */
  readonly group: string;
  readonly headings: readonly Heading[];
  readonly tokens: readonly Token[];
}

/** A heading with its anchor, as GitHub makes it. */
export interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly id: string;
}

/** The pages outside of folders, in the order of the sidebar. */
const single = [
  ['docs/README.md', 'First steps'],
  ['README.md', 'First steps'],
  ['docs/figures.md', 'Reference'],
  ['CHANGELOG.md', 'Project'],
  ['SECURITY.md', 'Project'],
  ['CONTRIBUTING.md', 'Project'],
  ['ARCHITECTURE.md', 'Project'],
  ['CONTEXT.md', 'Project'],
] as const;
/** Both have the name of the program as their heading. */
const titles = new Map([
  ['docs/README.md', 'Welcome'],
  ['README.md', 'Overview'],
]);
const folders = [
  ['docs/guides', 'Guides'],
  ['docs/reference', 'Reference'],
  ['docs/decisions', 'Decisions'],
] as const;
/** What the sidebar has below the guides. */
const lastGroups = ['Reference', 'Project', 'Decisions'];

/**
 * Reads the pages of the site in the order of the sidebar. The guides have the groups and the order
 * of the table at the end of the README, so that there is one list of them.
 */
export async function readPages(root: string): Promise<SitePage[]> {
  const { lexer } = await makeMarkdown();
  const topics = readTopics(readFileSync(join(root, 'README.md'), 'utf8'));
  const files = [
    ...single.filter(([file]) => existsSync(join(root, file))),
    ...folders.flatMap(([folder, group]) =>
      listMarkdown(root, folder).map((file) => [file, topics.get(file) ?? group] as const),
    ),
  ];
  const groups = ['First steps', ...topics.values(), 'Guides'];
  const order = [...new Set(groups.filter((group) => !lastGroups.includes(group))), ...lastGroups];
  const linked = [...topics.keys()];
  return files
    .toSorted(([one], [other]) => linked.indexOf(one) - linked.indexOf(other))
    .toSorted(([, one], [, other]) => order.indexOf(one) - order.indexOf(other))
    .map(([file, group]) => readPage(file, group, lexer(readFileSync(join(root, file), 'utf8'))));
}

/** The topic of each page in the table of the README: `| the tools | [mock](docs/…), … |`. */
function readTopics(readme: string): Map<string, string> {
  const rows = readme.matchAll(/^\| ([a-z][^|]*) \| (\[.*) \|$/gm);
  return new Map(
    [...rows].flatMap(([, topic = '', links = '']) =>
      [...links.matchAll(/\]\((docs\/[^)]+)\)/g)].map(
        ([, file = '']) => [file, `${topic.slice(0, 1).toUpperCase()}${topic.slice(1)}`] as const,
      ),
    ),
  );
}

function listMarkdown(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => join(folder, name));
}

function readPage(file: string, group: string, tokens: readonly Token[]): SitePage {
  const headings = headingsOf(tokens);
  const title = titles.get(file) ?? headings[0]?.text ?? file;
  return { file, url: urlOf(file), title, group, headings, tokens };
}

function urlOf(file: string): string {
  if (file === 'docs/README.md') return 'index.html';
  const path = file.replace(/^docs\//, '').replace(/\.md$/, '.html');
  return dirname(path) === '.' ? path.toLowerCase() : path.replace('README', 'index');
}

function headingsOf(tokens: readonly Token[]): Heading[] {
  const used = new Map<string, number>();
  return tokens.flatMap((token) => {
    if (token.type !== 'heading') return [];
    const text = plainText(token.tokens ?? []).trim();
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    const before = used.get(slug) ?? 0;
    used.set(slug, before + 1);
    const id = before === 0 ? slug : `${slug}-${String(before)}`;
    return [{ depth: token.depth ?? 1, text, id }];
  });
}

/** The text of tokens without marks. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      const parts = childrenOf(token);
      if (parts.length > 0) return plainText(parts);
      return token.type === 'html' ? '' : unescape(token.text ?? '');
    })
    .join('');
}

function unescape(text: string): string {
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (all, name: string) => names[name] ?? all);
}

/** The tokens directly inside another one: text, items of a list, cells of a table. */
export function childrenOf({ tokens, items, header, rows }: Token): readonly Token[] {
  if (header !== undefined && rows !== undefined)
    return [...header, ...rows.flat()].flatMap((cell) => cell.tokens ?? []);
  return items ?? tokens ?? [];
}

/** Where a link of a page leads: another page with an anchor, a file, or elsewhere. */
export type LinkTarget =
  | { readonly kind: 'page'; readonly page: SitePage; readonly anchor: string }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'dead'; readonly reason: string };

/** Finds the target of a link; `dead` if it has none. */
export function resolveLink(
  href: string,
  from: SitePage,
  { pages, root }: { readonly pages: readonly SitePage[]; readonly root: string },
): LinkTarget {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return { kind: 'elsewhere' };
  const [path = '', anchor = ''] = href.split('#');
  const file = path === '' ? from.file : normalize(join(dirname(from.file), decodeURI(path)));
  const page = pages.find((each) => each.file === file);
  if (page === undefined)
    return existsSync(join(root, file)) && !file.startsWith('..')
      ? { kind: 'file', file }
      : { kind: 'dead', reason: `there is no file ${file}` };
  return anchor === '' || page.headings.some(({ id }) => id === anchor)
    ? { kind: 'page', page, anchor }
    : { kind: 'dead', reason: `${file} has no heading #${anchor}` };
}

/** Each link that leads nowhere, as `docs/guides/mock.md: figures.md#rivals (…)`. */
export function findDeadLinks(pages: readonly SitePage[], root: string): string[] {
  return pages.flatMap((page) =>
    linksIn(page.tokens).flatMap((href) => {
      const target = resolveLink(href, page, { pages, root });
      return target.kind === 'dead' ? [`${page.file}: ${href} (${target.reason})`] : [];
    }),
  );
}

function linksIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => [
    ...(token.type === 'link' || token.type === 'image' ? [token.href ?? ''] : []),
    ...linksIn(childrenOf(token)),
  ]);
}

/** The relative URL from one page to another file of the site. */
export function relativeUrl(from: SitePage, to: string): string {
  return relative(dirname(from.url), to) || basename(to);
}
