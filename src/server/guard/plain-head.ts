import { methods } from '../../contract/model.ts';
import type { HeaderList } from '../../http/message.ts';
import { headerBlockLimit, headerCountLimit, targetLimit } from '../limits.ts';
import type { RequestHead } from '../request-head.ts';
import { parseAuthority } from './authority.ts';

const known: ReadonlySet<string> = new Set(methods);

/**
 * Whether a head is like nearly all of them: sound in every part, and with none of the fields that
 * the rules for bodies are about. Such a head keeps every rule, and one look is enough to see that.
 * False says nothing.
 */
export function isPlainHead(head: RequestHead): boolean {
  if (head !== lastPlain && !looksPlain(head)) return false;
  lastPlain = head;
  return true;
}

/** The last one that was: the same head comes as the same object. */
let lastPlain: RequestHead | undefined;

function looksPlain({ version, method, target, headers }: RequestHead): boolean {
  if (version !== '1.1' || !known.has(method)) return false;
  if (target.charCodeAt(0) !== slash || target.length > targetLimit || target.includes('#'))
    return false;
  return headers.length <= headerCountLimit && hasPlainFields(headers);
}

const slash = 0x2f;

/**
 * The fields that a rule is about, by the length of their names: most names are told apart by that
 * alone.
 */
const lengths: ReadonlySet<number> = new Set(
  ['host', 'expect', 'content-type', 'authorization', 'content-encoding', 'transfer-encoding'].map(
    ({ length }) => length,
  ),
);

function hasPlainFields(headers: HeaderList): boolean {
  let size = 0;
  let hosts = 0;
  let types = 0;
  let credentials = 0;
  for (const [name, value] of headers) {
    size += name.length + value.length + 4;
    if (!lengths.has(name.length)) continue;
    switch (name.toLowerCase()) {
      case 'host':
        hosts += 1;
        if (!isKnownHost(value)) return false;
        break;
      case 'content-type':
        types += 1;
        break;
      case 'authorization':
        credentials += 1;
        break;
      case 'expect':
      case 'content-encoding':
      case 'transfer-encoding':
        return false;
    }
  }
  return hosts === 1 && types <= 1 && credentials <= 1 && size <= headerBlockLimit;
}

/** The last host that was found sound: clients of a mock call it by one name. */
let lastHost = 'localhost';

function isKnownHost(host: string): boolean {
  if (host === lastHost) return true;
  if (parseAuthority(host) === undefined) return false;
  lastHost = host;
  return true;
}
