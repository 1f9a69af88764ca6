import { describe, expect, test } from 'vitest';
import { findingsOf } from './fixture/inline-service.ts';
import { memberContract, memberService, type Said, type Trait } from './fixture/member-service.ts';

async function told(trait?: Trait, said?: Said): Promise<string[]> {
  const findings = await findingsOf(memberContract(said), memberService(trait));
  return findings
    .filter(({ severity }) => severity !== 'note')
    .map(
      ({ severity, check, operation, message }) =>
        `${severity} ${check} ${operation.id}: ${message}`,
    );
}

describe('a service that does what its descriptions say', () => {
  test.each<[string, Trait | undefined, Said]>([
    ['as most do', undefined, {}],
    ['and refuses read-only fields', 'read-only-refused', {}],
    [
      'and takes one email twice, if nothing calls it unique',
      'email-not-unique',
      { unique: 'Adds a member.' },
    ],
    [
      'and tells emails apart by case, if nothing says otherwise',
      'email-by-case',
      { unique: 'The email is unique.' },
    ],
    [
      'and lets an email repeat that need not be unique',
      'email-not-unique',
      { unique: 'The email is not unique.' },
    ],
    ['and keeps tags as a set', 'tags-sorted', {}],
    ['and lists in any order, if nothing states one', 'by-creation', { list: 'All members.' }],
  ])('has no finding: %s', async (_name, trait, said) => {
    expect(await told(trait, said)).toEqual([]);
  });
});

describe('each defect of a field is reported by its check', () => {
  test.each<[Trait, RegExp]>([
    [
      'email-not-unique',
      /^error unique-is-kept addMember: The server accepted \(201\) the email of another record/,
    ],
    ['email-by-case', /^error unique-is-kept addMember: .*"KIM\.vouch-/],
    ['email-free-on-change', /^error unique-is-kept changeMember: The server accepted \(200\)/],
    [
      'conflict-is-400',
      /^error unique-is-kept addMember: The server answered 400 to a request whose email is that of another record; the contract documents 409/,
    ],
    [
      'default-is-pro',
      /^error default-is-applied addMember: A record that was sent without plan has the plan "pro"; the contract states the default "free"\.$/,
    ],
    [
      'default-left-out',
      /^error default-is-applied addMember: A record that was sent without plan has none; the contract states the default "free"\.$/,
    ],
    [
      'status-taken',
      /^error read-only-is-ignored addMember: The server took status from a request: the record has "closed"/,
    ],
    [
      'visits-taken-on-change',
      /^error read-only-is-ignored changeMember: The server took visits from a request/,
    ],
    ['any-tag', /^error filter-holds listMembers: The list filtered by tag=amber,basalt holds/],
    ['last-tag', /^error filter-holds listMembers: The list filtered by tag=amber,basalt holds/],
    [
      'joined-from',
      /^error filter-holds listMembers: The list bounded by joinedAfter=\S+ holds .* outside the bound/,
    ],
    ['fee-above', /^error filter-holds listMembers: The list bounded by minFee=\S+ lacks/],
    [
      'fee-as-text',
      /^error filter-holds listMembers: The list bounded by minFee=\S+ (holds|lacks)/,
    ],
    [
      'by-creation',
      /^error sort-holds listMembers: The list is not in the order that its description states: name is/,
    ],
  ])('%s', async (trait, line) => {
    expect(await told(trait)).toContainEqual(expect.stringMatching(line));
  });
});
