const token =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?[^>]*>|<(\/?)([A-Za-z_:\u0080-\uFFFF][\w:.\u0080-\uFFFF-]*)((?:"[^"]*"|'[^']*'|[^<>"'])*)>/g;

/**
 * Why a text is certainly no well-formed XML document (XML 1.0, section 2.1), in a clause;
 * undefined where nothing speaks against it.
 */
export function whyNotXml(text: string): string | undefined {
  const document = text.replace(/^\uFEFF/, '').trim();
  if (!document.startsWith('<')) return 'it does not begin with an element';
  const open: string[] = [];
  let roots = 0;
  let end = 0;
  for (const { 0: whole, 1: slash, 2: name, 3: rest = '', index } of document.matchAll(token)) {
    const between = document.slice(end, index);
    end = index + whole.length;
    if (between.includes('<'))
      return `a < stands where no element begins${open.length === 0 ? '' : `, in ${open.at(-1) ?? ''}`}`;
    if (open.length === 0 && between.trim() !== '')
      return 'text stands outside of the root element';
    if (name === undefined) continue;
    if (slash === '/') {
      const opened = open.pop();
      if (opened !== name)
        return opened === undefined
          ? `${name} ends and never began`
          : `${opened} is ended by ${name}`;
    } else {
      if (open.length === 0) roots += 1;
      if (!rest.endsWith('/')) open.push(name);
    }
  }
  if (open.length > 0) return `${open.at(-1) ?? ''} never ends`;
  if (document.slice(end).trim() !== '') return 'text stands after the root element';
  return roots === 1 ? undefined : `it has ${String(roots)} root elements`;
}
