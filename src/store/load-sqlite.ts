import type { DatabaseSync } from 'node:sqlite';
import { VouchError } from '../errors.ts';

/**
 * Node's own SQLite, without the warning that it is experimental. Throws a VouchError
 * ('store-unusable') where this Node has none.
 */
export function loadSqlite(): typeof DatabaseSync {
  const loaded = withoutWarning(() => process.getBuiltinModule('node:sqlite'));
  // Its type says that it is always there; some builds of Node leave it out.
  const sqlite = loaded as typeof loaded | undefined;
  if (sqlite !== undefined) return sqlite.DatabaseSync;
  throw new VouchError(
    'store-unusable',
    `Records cannot be kept in a file: this Node (${process.version}) was built without SQLite.`,
    { hint: 'Use a Node from nodejs.org, or leave --persist out.' },
  );
}

/**
 * Node warns once, while the module is loaded. The format is ours and tested; other warnings are
 * none of our business.
 */
function withoutWarning<Result>(load: () => Result): Result {
  const { emitWarning } = process;
  const quiet = (...args: Parameters<typeof emitWarning>): void => {
    if (!/SQLite is an experimental feature/.test(String(args[0])))
      Reflect.apply(emitWarning, process, args);
  };
  // `emitWarning` has several forms, all of which are handed on as they come.
  process.emitWarning = quiet as typeof emitWarning;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
