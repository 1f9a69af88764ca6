import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isEmail, isInternationalEmail } from './email-format.ts';

const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
const int64 = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n };

/** Whether a number is an integer that 32 bits hold (OpenAPI format registry, `int32`). */
export function isInt32(value: number | bigint): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= int32.minimum && value <= int32.maximum;
}

/** Whether a number is an integer that 64 bits hold (OpenAPI format registry, `int64`). Exact for `bigint`. */
export function isInt64(value: number | bigint): boolean {
  // What a double holds exactly, 64 bits do: nearly every number that is judged.
  if (Number.isSafeInteger(value)) return true;
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  const exact = BigInt(value);
  return exact >= int64.minimum && exact <= int64.maximum;
}

const always = { type: 'string', validate: () => true } as const;

/** Every format that vouch judges: those of ajv-formats, and those of the OpenAPI format registry. */
export const formats: Readonly<Record<string, Format>> = {
  ...fullFormats,
  email: isEmail,
  'idn-email': isInternationalEmail,
  // No standard has it; that of ajv-formats takes no address of this machine or of a private network.
  url: fullFormats.uri,
  int32: { type: 'number', validate: isInt32 },
  int64: { type: 'number', validate: isInt64 },
  float: { type: 'number', validate: () => true },
  double: { type: 'number', validate: () => true },
  password: always,
  binary: always,
};
