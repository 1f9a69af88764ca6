import { type Random, hex, plainUuid } from './random.ts';
import { localityOf, phoneIn, pointIn } from './localities.ts';
import { mailOf, momentText, personOf } from './people-and-dates.ts';
import { alternatives, namePattern } from '../contract/infer/infer-names.ts';

/**
 * The random sources of a text: its own, and one that it shares with the other fields of its
 * record.
 */
export interface TextSource {
  readonly random: Random;
  readonly shared: Random;
  /** Where the record is: shared with the objects inside it and around it. */
  readonly where: Random;
  readonly around: TextSurroundings;
}

/** What is around a field, in normalised names. */
export interface TextSurroundings {
  /** All fields of its object. */
  readonly beside: readonly string[];
  /** What its object is: `customer`; empty if that is not known. */
  readonly owner: string;
}

/** One of a list, or the ways to write one text, the most usual first. */
type Texts = readonly string[] | ((source: TextSource, name: string) => string | readonly string[]);

const digits = ({ random }: TextSource, length: number): string =>
  Array.from({ length }, () => random.integer(0, 9)).join('');
const letters = ({ random }: TextSource, length: number): string =>
  Array.from({ length }, () => String.fromCharCode(65 + random.integer(0, 25))).join('');

const words = (
  'amber birch cedar delta ember fjord grove harbor iris juniper krill linden maple north ' +
  'opal pine'
).split(' ');
const names = (
  'Robin, Bella, Charlie, Daisy, Milo, Luna, Oscar, Ruby, Alma, Bruno, Cleo, ' +
  'Felix, Greta, Hugo, Ida, Jasper'
).split(', ');
const adjectives = 'Amber Blue Early Golden Green North Open Quiet Silver'.split(' ');
const openings = (
  'Notes on|A short guide to|Questions about|A closer look at|Plans for|' +
  'What we learned from|First steps with|An update on'
).split('|');
const matters = (
  'the weather|the long road|quiet mornings|the second harvest|small repairs|' +
  'the early train|the river crossing|the new garden'
).split('|');
const sentences = (
  'A short text for this record.|Everything looks fine today.|Please call before noon.|' +
  'Delivered in good condition.|Waiting for a reply since Monday.|' +
  'Works well, and is easy to clean.|Moved to the second floor.|Agreed with both sides.'
).split('|');

const people = alternatives(
  'author owner contact customer sender recipient holder billing shipping assignee',
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
const persons = namePattern(
  `^(${people})s?$`,
  `(${alternatives('user contact customer employee patient author member owner student')})$`,
  '(teacher|passenger|subscriber)$',
);
const companyNames =
  'Northwind|Bluebird Ltd|Harbor & Sons|Alder Works|Fjord Foods|Quill & Co|Meridian Group'.split(
    '|',
  );
const productNames =
  'Oak table|Wool blanket|Desk lamp|Steel kettle|Linen shirt|Hand drill|Rain jacket'.split('|');
const animals = namePattern('animal dog ^cats?$ horse bird');
const besideAnimals = namePattern('breed species ^age$');
const besidePersons = namePattern(
  '^e?mail(address)?$ ^phone(number)?$ ^mobile birth ^dob$ ^gender$ jobtitle',
);
const besideCompanies = namePattern(
  '^vat ^taxid taxnumber industry employees legalname headquarter',
);
const besideProducts = namePattern('price sku stock barcode ^ean$ gtin');
const companies = namePattern(
  'company organi[sz]ation vendor brand manufacturer supplier employer publisher merchant',
);
const besidePlaces = namePattern('city town zip postal country street');

function countryCodes({ where }: TextSource): readonly string[] {
  const { code, code3, name } = localityOf(where).country;
  return [code, code3, name];
}

/** The codes of what has codes of its own. */
const isoTexts: readonly [RegExp, (source: TextSource) => readonly string[]][] = [
  [/country(iso)?code$/, countryCodes],
  [/currency(iso)?code$/, ({ where }) => [localityOf(where).country.currency]],
  [/lang(uage)?(iso)?code$/, ({ where }) => [localityOf(where).country.language]],
];

/**
 * Usual texts by name; the first pattern that matches the normalised name (lower case, letters and
 * digits only) applies.
 */
const usual: readonly [RegExp, Texts][] = [
  [/(uuid|guid)$/, ({ random }) => plainUuid(random)],
  [/etag$/, ({ random }) => `"${hex(random, 16)}"`],
  [/(nodeid|gravatarid)$|sha1?$|checksum|digest|md5|hash$/, ({ random }) => hex(random, 40)],
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
  [
    /phone|mobile|fax|^tel$|msisdn|e164/,
    ({ where, random }) => {
      const number = phoneIn(localityOf(where).country, random);
      return [number, number.slice(1)];
    },
  ],
  [/^mac(address)?$/, ({ random }) => Array.from({ length: 6 }, () => hex(random, 2)).join(':')],
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
  [/^lat(itude)?$/, ({ where, random }) => String(pointIn(localityOf(where).latitude, random))],
  [
    /^(lon|lng|long|longitude)$/,
    ({ where, random }) => String(pointIn(localityOf(where).longitude, random)),
  ],
  [
    /(?<!capa|velo|electri|ethni|publi)city|town(?!er)|municipality/,
    ({ where }) => localityOf(where).city,
  ],
  [/country3|countrycode3|iso3|alpha3/, ({ where }) => localityOf(where).country.code3],
  [/countrycode|countryiso|nationality|alpha2/, countryCodes],
  [
    /country/,
    ({ where }) => {
      const { code, code3, name } = localityOf(where).country;
      return [name, code, code3];
    },
  ],
  [
    /^state$/,
    ({ where, random, around }) =>
      around.beside.some((name) => besidePlaces.test(name))
        ? localityOf(where).region
        : random.pick(['active', 'open', 'ready']),
  ],
  [/region|province|county|^statename$/, ({ where }) => localityOf(where).region],
  [/zip|postal|postcode/, ({ where }) => localityOf(where).zip],
  [companies, companyNames],
  [/department|division|team$/, ['Operations', 'Finance', 'Support', 'Research']],
  [
    /job|occupation|profession|position$/,
    ['Engineer', 'Designer', 'Accountant', 'Teacher', 'Nurse'],
  ],
  [/product(name)?$|^item(name)?$|articlename/, productNames],
  [/isbn/, (source) => `978-3-16-${digits(source, 6)}-0`],
  [/barcode|^(ean|gtin|upc)/, (source) => `40${digits(source, 11)}`],
  [/licen[cs]eplate|platenumber/, (source) => `B-${letters(source, 2)} ${digits(source, 4)}`],
  [/^vin$/, (source) => `WDB${letters(source, 5).replaceAll(/[IOQ]/g, 'A')}${digits(source, 9)}`],
  [/sku|articlenumber|partnumber/, (source) => `${letters(source, 3)}-${digits(source, 4)}`],
  [
    namePattern(`(${documents})(number|no|nr|ref)$`),
    (source, name) => `${name.slice(0, 2).toUpperCase()}-2024-${digits(source, 5)}`,
  ],
  [/title|subject|headline/, ({ random }) => `${random.pick(openings)} ${random.pick(matters)}`],
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
  [/(hex|rgb)colou?r|colou?r(hex|code)/, ({ random }) => `#${hex(random, 6)}`],
  [/colou?r/, ['blue', 'green', 'amber', 'red', 'white', 'black', 'violet']],
  [/currencysymbol/, ({ where }) => localityOf(where).country.symbol],
  [/currencyname/, ({ where }) => localityOf(where).country.currencyName],
  [/currency/, ({ where }) => localityOf(where).country.currency],
  [/timezone|^tz$/, ({ where }) => localityOf(where).zone],
  [
    /locale|lang(uage)?(code)?$/,
    ({ where }) => {
      const { language, code } = localityOf(where).country;
      return [language, `${language}-${code}`, `${language}_${code}`];
    },
  ],
  [/gender|^sex$/, ['female', 'male', 'diverse']],
  [
    /(ed|es|sent|start|end|last|next|valid|expires?|since|until)(at|on)$|(time|timestamp)$/,
    ({ random }, name) => momentText(random, name),
  ],
  [/date|birthday|^dob$/, ({ random }, name) => momentText(random, name).slice(0, 10)],
  [
    /(price|amount|cost|total|(?<!cof)fee|balance|salary|revenue)(value|paid|due|net|gross)?$/,
    ({ random }) => {
      const cents = random.integer(500, 24_999);
      return [(cents / 100).toFixed(2), String(cents)];
    },
  ],
  // RFC 6750, section 4, of the member that RFC 6749, section 5.1, has beside a token.
  [/^tokentype$/, ['bearer']],
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
  [/(creat|updat|modifi|delet|approv|assign|invit)ed(by|to)$/, ({ random }) => fullName(random)],
  [/location$/, ({ where }) => localityOf(where).city],
  [/slug|permalink/, ({ random }) => `${random.pick(slugs)}-${String(random.integer(10, 99))}`],
  [
    /code|number|serial|reference/,
    (source, name) => {
      const kind = `${source.around.owner}${name}`;
      const own = kind === name ? undefined : isoTexts.find(([pattern]) => pattern.test(kind))?.[1];
      return own === undefined ? `A${digits(source, 4)}` : own(source);
    },
  ],
  [/query|search|^q$|term|filter/, ['amber', 'birch']],
  [
    namePattern(`^(${parts})(name)?$`),
    ({ random }) => `${random.pick(words)}-${random.pick(['api', 'web', 'tools', 'core'])}`,
  ],
  [/name/, nameOf],
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

/** The name of what is named: a person, a company, a product, or any other thing. */
function nameOf(source: TextSource, name: string): readonly string[] {
  const { shared, random, around } = source;
  const { beside, owner } = around;
  const isBeside = (pattern: RegExp): boolean => beside.some((other) => pattern.test(other));
  if (!/^(display|full|long)?name$/.test(name)) return [random.pick(names)];
  if (isBeside(/^(last|sur|family)name$/)) return [personOf(shared).first];
  if (companies.test(owner) || isBeside(besideCompanies)) return [random.pick(companyNames)];
  if (persons.test(owner)) return [fullName(shared)];
  if (isBeside(besideProducts) || /product|article$/.test(owner))
    return [random.pick(productNames)];
  if (isBeside(besidePersons)) return [fullName(shared)];
  const kind = `${owner}name`;
  const own = ownTexts(kind);
  if (own !== undefined && own !== nameOf) return formsOf(own, kind, source);
  if (owner === '' || animals.test(owner) || isBeside(besideAnimals)) return [random.pick(names)];
  const [first, last] = [random.pick(adjectives), random.pick(words)];
  const capital = last.charAt(0).toUpperCase() + last.slice(1);
  return [`${first} ${capital}`, `${first}-${last}`.toLowerCase(), `${first}${last}`.toLowerCase()];
}

function ownTexts(name: string): Texts | undefined {
  return usual.find(([pattern]) => pattern.test(name))?.[1];
}

const known = new Map<string, Texts>();
const maxKnown = 10_000;

/** Where nothing is known around a field. */
const nowhere: TextSurroundings = { beside: [], owner: '' };

/** The random sources of a text, and what is around it; its own source stands for the others. */
export type NamedSource = Pick<TextSource, 'random'> & Partial<TextSource>;

/**
 * A plausible text for a field of this name, in the ways to write it, the most usual first, then
 * others for such a field.
 */
export function namedForms(name: string, source: NamedSource): readonly string[] {
  const { random, shared = random, where = shared, around = nowhere } = source;
  const texts = known.get(name) ?? ownTexts(name) ?? words;
  if (known.size < maxKnown) known.set(name, texts);
  return formsOf(texts, name, { random, shared, where, around });
}

function formsOf(texts: Texts, name: string, source: TextSource): readonly string[] {
  if (typeof texts !== 'function') return [source.random.pick(texts), ...texts];
  const made = texts(source, name);
  return typeof made === 'string' ? [made] : made;
}

/** The most usual plausible text for a field of this name. */
export function namedText(name: string, source: NamedSource): string {
  return namedForms(name, source)[0] ?? '';
}

/** Whether fields of this name have texts of their own. */
export function isNamed(name: string): boolean {
  return known.has(name) ? known.get(name) !== words : ownTexts(name) !== undefined;
}
