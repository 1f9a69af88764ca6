import { mailOf, momentText, personOf } from './people-and-dates.ts';
import type { Random } from './random.ts';
import { alternatives, namePattern } from '../contract/infer/infer-names.ts';

/**
 * The random sources of a text: its own, and one that it shares with the other fields of its
 * record.
 */
export interface TextSource {
  readonly random: Random;
  readonly shared: Random;
}

type Texts = readonly string[] | ((source: TextSource, name: string) => string);

const digits = ({ random }: TextSource, length: number): string =>
  Array.from({ length }, () => random.integer(0, 9)).join('');
const hex = ({ random }: TextSource, length: number): string =>
  Array.from({ length }, () => random.integer(0, 15).toString(16)).join('');
const letters = ({ random }: TextSource, length: number): string =>
  Array.from({ length }, () => String.fromCharCode(65 + random.integer(0, 25))).join('');

const words = [
  'amber',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'harbor',
  'iris',
  'juniper',
  'krill',
  'linden',
  'maple',
  'north',
  'opal',
  'pine',
];
const names = [
  'Robin',
  'Bella',
  'Charlie',
  'Daisy',
  'Milo',
  'Luna',
  'Oscar',
  'Ruby',
  'Alma',
  'Bruno',
  'Cleo',
  'Felix',
  'Greta',
  'Hugo',
  'Ida',
  'Jasper',
];
const titles = [
  'A quiet morning',
  'Notes on the weather',
  'The long road',
  'Across the river',
  'What the tide left',
  'Ten small repairs',
  'An early train',
  'The second harvest',
];
const sentences = [
  'A short text for this record.',
  'Everything looks fine today.',
  'Please call before noon.',
  'Delivered in good condition.',
  'Waiting for a reply since Monday.',
  'Works well, and is easy to clean.',
  'Moved to the second floor.',
  'Agreed with both sides.',
];

const people = alternatives(
  'author owner contact customer sender recipient holder billing shipping display assignee',
  'manager driver doctor guest patient employee member person real',
);
const documents = alternatives(
  'invoice order ticket booking tracking account customer reference confirmation',
);
const parts = alternatives(
  'repo repository project branch package service app application module channel workspace',
  'namespace',
);
const pages = ['about', 'items/42', 'guides/start', 'news', 'team', 'contact'];
const slugs = ['quiet-morning', 'long-road', 'early-train', 'small-repairs'];

/**
 * Usual texts by name; the first pattern that matches the normalised name (lower case, letters and
 * digits only) applies.
 */
const usual: readonly [RegExp, Texts][] = [
  [
    /(uuid|guid)$/,
    (source) => {
      const [start, middle] = [hex(source, 8), hex(source, 4)];
      return [start, middle, `4${hex(source, 3)}`, `a${hex(source, 3)}`, hex(source, 12)].join('-');
    },
  ],
  [/etag$/, (source) => `"${hex(source, 16)}"`],
  [/(nodeid|gravatarid)$|sha1?$|checksum|digest|md5|hash$/, (source) => hex(source, 40)],
  [/[a-z]ids?$|^id$/, (source) => `a${digits(source, 6)}`],
  [/iban/, (source) => iban(`37040044${digits(source, 10)}`)],
  [/^(bic|swift)(code)?$/, ['COBADEFFXXX', 'BNPAFRPPXXX', 'BARCGB22XXX']],
  [/(first|given)name|forename/, ({ shared }) => personOf(shared).first],
  [/(last|family|sur)name/, ({ shared }) => personOf(shared).last],
  [/middlename/, ['Lee', 'Ray', 'Ann']],
  [/^(mr|salutation|honorific|nameprefix)/, ['Ms', 'Mr', 'Dr']],
  [
    namePattern('fullname', `(${people})name`, '^(author|contactperson|assignee|reporter)$'),
    ({ shared }) => fullName(shared),
  ],
  [
    /user(name)?$|login|handle|nick|screenname/,
    ({ shared, random }) =>
      `${personOf(shared).first.toLowerCase()}${String(random.integer(1_000, 9_999))}`,
  ],
  [
    /(file|path)name|filename|^file$/,
    ['report.pdf', 'photo.jpg', 'notes.txt', 'invoice-2024-03.pdf', 'team.png'],
  ],
  [/^(file)?path$|folder|directory/, ['docs/start.md', 'src/main.ts', 'images/team.png']],
  [/host(name)?$|domain/, ['www.example.com', 'api.example.com', 'shop.example.org']],
  [/mail/, ({ shared, random }) => mailOf(personOf(shared), random)],
  [/phone|mobile|fax|^tel$/, (source) => `+49301234${digits(source, 4)}`],
  [/^mac(address)?$/, (source) => Array.from({ length: 6 }, () => hex(source, 2)).join(':')],
  [
    /^ip(v4)?|(?<!z)ip(v4)?(address)?$|^(remote|client)addr/,
    ({ random }) => `192.0.2.${String(random.integer(1, 254))}`,
  ],
  [/useragent/, ['Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0', 'curl/8.5.0']],
  [
    /street|address(line)?\d?$/,
    ({ random }) =>
      `${String(random.integer(1, 98))} ` +
      random.pick([
        'Oak Street',
        'Mill Lane',
        'Park Avenue',
        'River Road',
        'Station Square',
        'Garden Walk',
        'Harbor Street',
      ]),
  ],
  [
    /city|town|municipality/,
    [
      'Berlin',
      'Lyon',
      'Porto',
      'Leeds',
      'Utrecht',
      'Ghent',
      'Turin',
      'Gdansk',
      'Malmo',
      'Graz',
      'Seville',
      'Cork',
    ],
  ],
  [/country3|countrycode3|iso3/, ['DEU', 'FRA', 'PRT', 'GBR']],
  [/countryname/, ['Germany', 'France', 'Portugal', 'Ireland', 'Sweden', 'Italy']],
  [/countrycode|^country$|nationality/, ['DE', 'FR', 'PT', 'GB', 'IE', 'SE', 'IT', 'NL']],
  [/^state$|region|province|county/, ['Bavaria', 'Ohio', 'Kent', 'Tuscany', 'Ontario', 'Brittany']],
  [/zip|postal|postcode/, (source) => `1${digits(source, 4)}`],
  [
    /company|organi[sz]ation|vendor|brand|manufacturer|supplier|employer|publisher/,
    [
      'Northwind',
      'Bluebird Ltd',
      'Harbor & Sons',
      'Alder Works',
      'Fjord Foods',
      'Quill & Co',
      'Meridian Group',
    ],
  ],
  [/department|division|team$/, ['Operations', 'Finance', 'Support', 'Research']],
  [
    /job|occupation|profession|position$/,
    ['Engineer', 'Designer', 'Accountant', 'Teacher', 'Nurse'],
  ],
  [
    /product(name)?$|^item(name)?$|articlename/,
    [
      'Oak context',
      'Wool blanket',
      'Desk lamp',
      'Steel kettle',
      'Linen shirt',
      'Hand drill',
      'Rain jacket',
    ],
  ],
  [/isbn/, (source) => `978-3-16-${digits(source, 6)}-0`],
  [/barcode|^(ean|gtin|upc)/, (source) => `40${digits(source, 11)}`],
  [/licen[cs]eplate|platenumber/, (source) => `B-${letters(source, 2)} ${digits(source, 4)}`],
  [/^vin$/, (source) => `WDB${letters(source, 5).replaceAll(/[IOQ]/g, 'A')}${digits(source, 9)}`],
  [/sku|articlenumber|partnumber/, (source) => `${letters(source, 3)}-${digits(source, 4)}`],
  [
    namePattern(`(${documents})(number|no|nr|ref)$`),
    (source, name) => `${name.slice(0, 2).toUpperCase()}-2024-${digits(source, 5)}`,
  ],
  [/title|subject|headline/, titles],
  [
    namePattern(
      'description summary comment content ^body ^text note message reason bio about detail',
      'remark excerpt instructions',
    ),
    sentences,
  ],
  [
    /(image|photo|avatar|picture|logo|icon|thumbnail|cover)s?(url|uri|link|href|src)?$/,
    ({ random }) => `https://example.com/images/${random.pick(words)}.jpg`,
  ],
  [/^git(url)?$|clone(url)?$/, ({ random }) => `https://example.com/${random.pick(words)}.git`],
  [
    /(url|uri|link|href|website|homepage)$/,
    ({ random }) => `https://example.com/${random.pick(pages)}`,
  ],
  [/(hex|rgb)colou?r|colou?r(hex|code)/, (source) => `#${hex(source, 6)}`],
  [/colou?r/, ['blue', 'green', 'amber', 'red', 'white', 'black', 'violet']],
  [/currency(symbol)/, ['€', '$', '£']],
  [/currency/, ['EUR', 'USD', 'GBP']],
  [/timezone|^tz$/, ['Europe/Berlin', 'America/New_York', 'UTC', 'Asia/Tokyo']],
  [/locale|lang(uage)?(code)?$/, ['en', 'de', 'fr', 'pt', 'sv']],
  [/gender|^sex$/, ['female', 'male', 'diverse']],
  [
    /(ed|es|sent|start|end|last|next|valid|expires?|since|until)(at|on)$|(time|timestamp)$/,
    ({ random }, name) => momentText(random, name),
  ],
  [/date|birthday|^dob$/, ({ random }, name) => momentText(random, name).slice(0, 10)],
  [/secret|token|password|passphrase|key$/, (source) => `Quiet-River-${digits(source, 4)}`],
  [/version/, ['1.0.0', '2.3.1', '1.4.0', '0.9.2', '3.0.0']],
  [/mime|mediatype|contenttype/, ['application/json', 'text/plain']],
  [/^(sort|orderby)/, ['name', 'id']],
  [/^(sort)?(direction|order)$/, ['asc', 'desc']],
  [/status|^state$/, ['active', 'open', 'ready']],
  [/priority|severity|urgency/, ['low', 'medium', 'high']],
  [/type|kind|category|class|group|role|level|tier/, ['standard', 'basic', 'general']],
  [/unit(ofmeasure)?$/, ['kg', 'm', 'pcs']],
  [/tag|label|keyword|topic/, words],
  [/slug|permalink/, ({ random }) => `${random.pick(slugs)}-${String(random.integer(10, 99))}`],
  [/code|number|serial|reference/, (source) => `A${digits(source, 4)}`],
  [/query|search|^q$|term|filter/, ['amber', 'birch']],
  [
    namePattern(`^(${parts})(name)?$`),
    ({ random }) => `${random.pick(words)}-${random.pick(['api', 'web', 'tools', 'core'])}`,
  ],
  [/name/, names],
];

/** A German account number with its check digits (ISO 13616-1; ISO 7064, MOD 97-10). */
function iban(account: string): string {
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${account}`;
}

function fullName(shared: Random): string {
  const { first, last } = personOf(shared);
  return `${first} ${last}`;
}

const known = new Map<string, Texts>();
const maxKnown = 10_000;

/**
 * A plausible text for a field of this name. `shared` is the random source of the surrounding
 * record.
 */
export function namedText(name: string, random: Random, shared: Random = random): string {
  const texts = known.get(name) ?? usual.find(([pattern]) => pattern.test(name))?.[1] ?? words;
  if (known.size < maxKnown) known.set(name, texts);
  return typeof texts === 'function' ? texts({ random, shared }, name) : random.pick(texts);
}
