import type { Random } from './random.ts';

type Texts = readonly string[] | ((random: Random) => string);

const digits = (random: Random, length: number): string => Array.from({ length }, () => random.integer(0, 9)).join('');
const word = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'harbor'];
const moment = (random: Random): string => `2024-0${random.integer(1, 9)}-1${random.integer(0, 9)}T09:30:00Z`;

/** What texts of a name usually are; the first that fits the normalised name (lower case, letters and digits only) counts. */
const usual: readonly [RegExp, Texts][] = [
  [/(uuid|guid)$/, (random) => `7f9c24e8-3b12-4fef-91e0-${digits(random, 12)}`],
  [/[a-z]ids?$|^id$/, (random) => `a${digits(random, 6)}`],
  [/(first|given)name|forename/, ['Robin', 'Alex', 'Sam', 'Kim']],
  [/(last|family|sur)name/, ['Miller', 'Morgan', 'Carter', 'Lopez']],
  [/user(name)?$|login|handle|nick/, (random) => `${random.pick(['robin', 'alex', 'sam'])}${digits(random, 4)}`],
  [/(file|path)name|filename|^file$/, ['report.pdf', 'photo.jpg', 'notes.txt']],
  [/host(name)?$|domain/, ['www.example.com', 'api.example.com']],
  [/mail/, (random) => `${random.pick(['robin', 'alex', 'sam'])}${digits(random, 4)}@example.com`],
  [/phone|mobile|fax|^tel$/, (random) => `+49301234${digits(random, 4)}`],
  [/street|address(line)?\d?$/, ['12 Oak Street', '7 Mill Lane', '48 Park Avenue']],
  [/city|town/, ['Berlin', 'Lyon', 'Porto', 'Leeds']],
  [/countrycode|^country$|nationality/, ['DE', 'FR', 'PT', 'GB']],
  [/state|region|province/, ['Bavaria', 'Ohio', 'Kent']],
  [/zip|postal|postcode/, (random) => `1${digits(random, 4)}`],
  [/company|organi[sz]ation|vendor|brand|manufacturer/, ['Northwind', 'Bluebird Ltd', 'Harbor & Sons']],
  [/title|subject|headline/, ['A quiet morning', 'Notes on the weather', 'The long road']],
  [/description|summary|comment|content|^body|^text|note|message|reason|bio|about|detail/, ['A short text for this record.', 'Everything looks fine today.', 'Please call before noon.']],
  [/(url|uri|link|href|website|homepage)$/, ['https://example.com/about', 'https://example.com/items/42']],
  [/(image|photo|avatar|picture|logo|icon|thumbnail)/, ['https://example.com/photo.jpg', 'https://example.com/logo.png']],
  [/colou?r/, ['blue', 'green', 'amber']],
  [/currency/, ['EUR', 'USD', 'GBP']],
  [/timezone|^tz$/, ['Europe/Berlin', 'America/New_York', 'UTC']],
  [/locale|lang(uage)?$/, ['en', 'de', 'fr']],
  [/(ed|es|sent)at$|(time|timestamp)$/, moment],
  [/date|birthday|^dob$/, (random) => moment(random).slice(0, 10)],
  [/secret|token|password|passphrase|key$/, (random) => `Quiet-River-${digits(random, 4)}`],
  [/version/, ['1.0.0', '2.3.1', '1.4.0']],
  [/mime|mediatype|contenttype/, ['application/json', 'text/plain']],
  [/^(sort|orderby)/, ['name', 'id']],
  [/status/, ['active', 'open', 'ready']],
  [/type|kind|category|class|group|role/, ['standard', 'basic', 'general']],
  [/tag|label|keyword/, word],
  [/slug/, (random) => `quiet-morning-${digits(random, 4)}`],
  [/code|sku|number|serial|reference/, (random) => `A${digits(random, 4)}`],
  [/query|search|^q$|term|filter/, ['amber', 'birch']],
  [/name/, ['Robin', 'Bella', 'Charlie', 'Daisy', 'Milo', 'Luna', 'Oscar', 'Ruby', 'Alma', 'Bruno', 'Cleo', 'Felix', 'Greta', 'Hugo', 'Ida', 'Jasper']],
];

/** A text that a person would write into a field of this name. */
export function namedText(name: string, random: Random): string {
  const texts = usual.find(([pattern]) => pattern.test(name))?.[1] ?? word;
  return typeof texts === 'function' ? texts(random) : random.pick(texts);
}

/** A field's name as the tables of names are read: `Last-Name`, `last_name` and `lastName` are `lastname`. */
export function normaliseName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
