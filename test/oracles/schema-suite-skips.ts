/**
 * Cases of one file that vouch judges otherwise than the suite, and why. A case is `group |
 * description`.
 */
export interface Skip {
  readonly reason: string;
  readonly file: string;
  readonly cases: readonly string[];
}

/**
 * Every case that is skipped. One that would pass fails the test, so that nothing stays here that
 * need not.
 */
export const skips: readonly Skip[] = [
  {
    file: 'defs.json',
    reason:
      'The meta-schema extends itself by `$dynamicRef`s that are bound several ' +
      'times over, and these are taken as they come: schemas are judged by the ' +
      'lint.',
    cases: ['validate definition against metaschema | invalid definition schema'],
  },
  {
    file: 'optional/ecmascript-regex.json',
    reason:
      'The meta-schema extends itself by `$dynamicRef`s that are bound several ' +
      'times over, and these are taken as they come: schemas are judged by the ' +
      'lint.',
    cases: ['\\a is not an ECMA 262 control escape | when used as a pattern'],
  },
  {
    file: 'dynamicRef.json',
    reason:
      'A `$dynamicAnchor` that stands in several places is bound on the way ' +
      'there; where no schema on the way says what it means, vouch takes ' +
      'whatever comes.',
    cases: [
      '$ref and $dynamicAnchor are independent of order - $defs first | incorrect extended schema',
      '$ref and $dynamicAnchor are independent of order - $ref first | incorrect extended schema',
      '$dynamicRef skips over intermediate resources - direct reference | string property fails',
    ],
  },
  {
    file: 'optional/dynamicRef.json',
    reason:
      'A `$dynamicAnchor` that stands in several places is bound on the way ' +
      'there; where no schema on the way says what it means, vouch takes ' +
      'whatever comes.',
    cases: [
      '$dynamicRef skips over intermediate resources - pointer reference ' +
        'across resource boundary | string property fails',
    ],
  },
  {
    file: 'format.json',
    reason:
      "OpenAPI's tools judge formats, and a client relies on them: vouch " +
      'asserts each format that it knows (JSON Schema Validation 2020-12, ' +
      'section 7.2.2).',
    cases: [
      'email format | invalid email string is only an annotation by default',
      'idn-email format | invalid idn-email string is only an annotation by default',
      'regex format | invalid regex string is only an annotation by default',
      'ipv4 format | invalid ipv4 string is only an annotation by default',
      'ipv6 format | invalid ipv6 string is only an annotation by default',
      'hostname format | invalid hostname string is only an annotation by default',
      'date format | invalid date string is only an annotation by default',
      'date-time format | invalid date-time string is only an annotation by default',
      'time format | invalid time string is only an annotation by default',
      'json-pointer format | invalid json-pointer string is only an annotation by default',
      'relative-json-pointer format | invalid relative-json-pointer string is ' +
        'only an annotation by default',
      'uri format | invalid uri string is only an annotation by default',
      'uri-reference format | invalid uri-reference string is only an annotation by default',
      'uri-template format | invalid uri-template string is only an annotation by default',
      'uuid format | invalid uuid string is only an annotation by default',
      'duration format | invalid duration string is only an annotation by default',
    ],
  },
  {
    file: 'optional/cross-draft.json',
    reason:
      'A document of OpenAPI 3.1 is 2020-12 throughout: a `$schema` in one of ' +
      'its schemas does not change the keywords.',
    cases: [
      'refs to historic drafts are processed as historic drafts | first item not a string is valid',
    ],
  },
  {
    file: 'optional/format/idn-hostname.json',
    reason:
      'Labels in other scripts need the tables of IDNA 2008; `idn-hostname` is ' +
      'taken as it comes, so nobody is accused for it.',
    cases: [
      'validation of internationalized host names | illegal first char U+302E ' +
        'Hangul single dot tone mark',
      'validation of internationalized host names | contains illegal char ' +
        'U+302E Hangul single dot tone mark',
      'validation of internationalized host names | a host name with a component too long',
      'validation of internationalized host names | invalid label, correct Punycode',
      'validation of internationalized host names | invalid Punycode',
      'validation of internationalized host names | U-label contains "--" in ' +
        'the 3rd and 4th position',
      'validation of internationalized host names | U-label starts with a dash',
      'validation of internationalized host names | U-label ends with a dash',
      'validation of internationalized host names | U-label starts and ends with a dash',
      'validation of internationalized host names | Begins with a Spacing Combining Mark',
      'validation of internationalized host names | Begins with a Nonspacing Mark',
      'validation of internationalized host names | Begins with an Enclosing Mark',
      'validation of internationalized host names | Exceptions that are ' +
        'DISALLOWED, right-to-left chars',
      'validation of internationalized host names | Exceptions that are ' +
        'DISALLOWED, left-to-right chars',
      "validation of internationalized host names | MIDDLE DOT with no preceding 'l'",
      'validation of internationalized host names | MIDDLE DOT with nothing preceding',
      "validation of internationalized host names | MIDDLE DOT with no following 'l'",
      'validation of internationalized host names | MIDDLE DOT with nothing following',
      'validation of internationalized host names | Greek KERAIA not followed by Greek',
      'validation of internationalized host names | Greek KERAIA not followed by anything',
      'validation of internationalized host names | Hebrew GERESH not preceded by Hebrew',
      'validation of internationalized host names | Hebrew GERESH not preceded by anything',
      'validation of internationalized host names | Hebrew GERSHAYIM not preceded by Hebrew',
      'validation of internationalized host names | Hebrew GERSHAYIM not preceded by anything',
      'validation of internationalized host names | KATAKANA MIDDLE DOT with ' +
        'no Hiragana, Katakana, or Han',
      'validation of internationalized host names | KATAKANA MIDDLE DOT with no other characters',
      'validation of internationalized host names | Arabic-Indic digits mixed ' +
        'with Extended Arabic-Indic digits',
      'validation of internationalized host names | ZERO WIDTH JOINER not preceded by Virama',
      'validation of internationalized host names | ZERO WIDTH JOINER not preceded by anything',
    ],
  },
  {
    file: 'optional/format/iri-reference.json',
    reason: '`iri` and `iri-reference` are taken as they come, so nobody is accused for them.',
    cases: [
      'validation of IRI References | an invalid IRI Reference',
      'validation of IRI References | an invalid IRI fragment',
    ],
  },
  {
    file: 'optional/format/iri.json',
    reason: '`iri` and `iri-reference` are taken as they come, so nobody is accused for them.',
    cases: [
      'validation of IRIs | an invalid IRI based on IPv6',
      'validation of IRIs | an invalid relative IRI Reference',
      'validation of IRIs | an invalid IRI',
      'validation of IRIs | an invalid IRI though valid IRI reference',
    ],
  },
  {
    file: 'optional/unknownKeyword.json',
    reason:
      'References are found without knowing every keyword: a name inside an ' +
      'unknown keyword counts, so that `$id` in an extension can be referred ' +
      'to.',
    cases: [
      '$id inside an unknown keyword is not a real identifier | type matches ' +
        'second anyOf, which has a real schema in it',
      '$id inside an unknown keyword is not a real identifier | type matches ' +
        'non-schema in third anyOf',
    ],
  },
  {
    file: 'properties.json',
    reason:
      'Ajv leaves the property `__proto__` out on purpose, and no value has ' +
      'it: the JSON reader refuses it.',
    cases: ['properties whose names are Javascript object property names | __proto__ not valid'],
  },
  {
    file: 'unevaluatedItems.json',
    reason:
      'Ajv forgets that one branch of `anyOf` has evaluated every item when ' +
      'another branch evaluates none.',
    cases: [
      'unevaluatedItems with nested items | with no additional items',
      'unevaluatedItems with nested items | with invalid additional item',
    ],
  },
  {
    file: 'unevaluatedItems.json',
    reason:
      'Ajv takes every item for evaluated beside a `contains`, as 2019-09 had ' +
      'it not; a miss, never an accusation.',
    cases: [
      'unevaluatedItems depends on adjacent contains | contains passes, second ' +
        'item is not evaluated',
      'unevaluatedItems depends on multiple nested contains | 7 not evaluated, ' +
        'fails unevaluatedItems',
      'unevaluatedItems and contains interact to control item dependency ' +
        "relationship | only b's are invalid",
      'unevaluatedItems and contains interact to control item dependency ' +
        "relationship | only c's are invalid",
      'unevaluatedItems and contains interact to control item dependency ' +
        "relationship | only b's and c's are invalid",
      'unevaluatedItems and contains interact to control item dependency ' +
        "relationship | only a's and c's are invalid",
    ],
  },
  {
    file: 'unevaluatedItems.json',
    reason:
      'Ajv counts what an `if` has looked at as evaluated, whether it held or ' +
      'not; a miss, never an accusation.',
    cases: [
      'unevaluatedItems can see annotations from if without then and else | ' +
        'invalid in case if is evaluated',
    ],
  },
  {
    file: 'unevaluatedProperties.json',
    reason:
      'Ajv counts what an `if` has looked at as evaluated, whether it held or ' +
      'not; a miss, never an accusation.',
    cases: [
      'unevaluatedProperties with if/then/else, then not defined | when if is ' +
        'false and has unevaluated properties',
    ],
  },
  {
    file: 'vocabulary.json',
    reason:
      'A meta-schema of its own that switches a vocabulary off is nothing that ' +
      'an OpenAPI document is known to have.',
    cases: [
      'schema that uses custom metaschema with with no validation vocabulary | ' +
        'no validation: invalid number, but it still validates',
    ],
  },
];
