/** Elements that only format text. Of their attributes, none is kept. */
const formatting = new Set(
  [
    'a b blockquote br caption code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i kbd li',
    'ol p pre s small span strong sub summary sup table tbody td th thead tr u ul',
  ].flatMap((line) => line.split(' ')),
);

/** Between `<` and what would make it a tag: a browser takes both for text, wherever they are. */
const gap = '\u200b';
const harmless = 'about:blank';

/** Code of Markdown: nothing in it is markup, unless a browser and Markdown disagree about it. */
const code = /(```[^]*?```|~~~[^]*?~~~|`[^`]*`)/;

/**
 * A text in Markdown whose HTML only formats, and whose links lead to web pages, mail addresses and
 * places in the document. Other HTML is shown as text.
 */
export function safeMarkdown(text: string): string {
  return text
    .split(code)
    .map((piece, index) => (index % 2 === 1 ? disarmTags(piece) : safeLinks(safeTags(piece))))
    .join('');
}

function disarmTags(text: string): string {
  return text.replaceAll(/<(?=[a-z/!?])/gi, `<${gap}`);
}

function safeTags(text: string): string {
  return text.replaceAll(/<(?:(\/?)([a-z][a-z0-9]*)(\s[^<>]*|\/)?>|(?=[a-z/!?]))/gi, (...found) => {
    const [written, slash, name, attributes = ''] = found as (string | undefined)[];
    if (name === undefined || !formatting.has(name.toLowerCase())) {
      return (written ?? '').replace('<', `<${gap}`);
    }
    return `<${slash ?? ''}${name}${slash === '' ? hrefOf(name, attributes) : ''}>`;
  });
}

function hrefOf(name: string, attributes: string): string {
  const href = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes);
  const url = href?.[1] ?? href?.[2] ?? href?.[3];
  if (name.toLowerCase() !== 'a' || url === undefined || !isSafeUrl(url)) return '';
  return ` href="${url.replaceAll('"', '%22')}"`;
}

const destination = '<[^>\\n]*>?|[^\\s)]*';
const inlineLink = new RegExp(`(\\]\\(\\s*)(${destination})`, 'g');
const definition = /^([ >\t]*\[[^\]\n]+\]:\s*)(\S+)/gm;
/** An image is fetched without being asked for: the contract alone decides where from. */
const image = new RegExp(`(!\\[[^[\\]]{0,1000}\\]\\(\\s*)(?:${destination})`, 'g');

/** The destinations of `[text](destination)`, `[name]: destination` and `![image](destination)`. */
function safeLinks(text: string): string {
  const toSafe = (written: string, start: string, to: string): string =>
    isSafeUrl(unwrapped(to)) ? written : `${start}${harmless}`;
  return text
    .replaceAll(inlineLink, toSafe)
    .replaceAll(definition, toSafe)
    .replaceAll(image, (_written, start: string) => `${start}${harmless}`);
}

function unwrapped(link: string): string {
  return link.replaceAll(/[<>]|\u200b/g, '');
}

/**
 * Whether following a URL can run no script: it is relative, or of the web, or of mail. What is
 * escaped before the first slash may hide a scheme.
 */
export function isSafeUrl(url: string): boolean {
  const [start = ''] = url.split(/[/?#]/, 1);
  return /^(?:https?|mailto|tel):/i.test(url) || /^[\w.{}~+-]*$/.test(start);
}
