import type { XmlNode } from './read-xml.ts';

/**
 * What junit-10.xsd (Jenkins' xUnit plugin) allows of the elements that vouch writes: attributes
 * (required ones with a `!`) and children.
 */
const grammar: Readonly<
  Record<string, { readonly attributes: string; readonly children: string }>
> = {
  testsuites: { attributes: 'name time tests failures errors', children: 'testsuite' },
  testsuite: {
    attributes:
      'name! tests! failures! errors! group time skipped timestamp hostname id ' +
      'package file log url',
    children: 'testsuite properties testcase system-out system-err',
  },
  testcase: {
    attributes: 'name! time classname group',
    children: 'skipped error failure system-out system-err',
  },
  failure: { attributes: 'type message', children: '' },
  error: { attributes: 'type message', children: '' },
  skipped: { attributes: 'type message', children: '' },
  'system-out': { attributes: '', children: '' },
  properties: { attributes: '', children: 'property' },
  property: { attributes: 'name! value!', children: '' },
};
const surefireTime = /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$/;

/**
 * Every way in which a document leaves the schema, and every count that is wrong. Empty for a valid
 * one.
 */
export function junitFaults(node: XmlNode): string[] {
  const rule = grammar[node.name];
  if (rule === undefined) return [`<${node.name}> is no element of it`];
  const known = rule.attributes.split(' ');
  const names = known.map((name) => name.replace('!', ''));
  const strange = Object.keys(node.attributes)
    .filter((name) => !names.includes(name))
    .map((name) => `<${node.name}> has no attribute ${name}`);
  const missing = known
    .filter((name) => name.endsWith('!') && node.attributes[name.slice(0, -1)] === undefined)
    .map((name) => `<${node.name}> needs ${name}`);
  const misplaced = node.children
    .filter((child) => !rule.children.split(' ').includes(child.name))
    .map((child) => `<${child.name}> in <${node.name}>`);
  const stray =
    node.children.length > 0 && node.text.trim() !== ''
      ? [`text between the children of <${node.name}>`]
      : [];
  const time =
    node.attributes['time'] === undefined || surefireTime.test(node.attributes['time'])
      ? []
      : [`the time ${node.attributes['time']}`];
  return [
    ...strange,
    ...missing,
    ...misplaced,
    ...stray,
    ...time,
    ...countFaults(node),
    ...node.children.flatMap(junitFaults),
  ];
}

function countFaults(node: XmlNode): string[] {
  if (node.name !== 'testsuite' && node.name !== 'testsuites') return [];
  const cases = casesIn(node);
  const having = (name: string): number =>
    cases.filter((each) => each.children.some((child) => child.name === name)).length;
  const counted: Readonly<Record<string, number>> = {
    tests: cases.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
  };
  return Object.entries(counted)
    .filter(
      ([name, number]) =>
        node.attributes[name] !== undefined && node.attributes[name] !== String(number),
    )
    .map(
      ([name, number]) =>
        `<${node.name}> says ${name}=${String(node.attributes[name])}, but has ${String(number)}`,
    );
}

/** All test cases below an element. */
export function casesIn(node: XmlNode): XmlNode[] {
  return node.children.flatMap((child) => (child.name === 'testcase' ? [child] : casesIn(child)));
}
