/** What is wrong with a value, in words for the developer who sent it. Caller: the check of schemas. */
import type { ErrorObject } from 'ajv/dist/2020.js';

/** What values of a format look like. Other formats are named as they are. */
const FORMS: Readonly<Record<string, string>> = {
  'date-time': 'an instant with an offset, as 2026-11-24T08:00:00+01:00 or 2026-11-24T07:00:00Z',
  date: 'a day, as 2026-11-24',
  uuid: 'a UUID',
};

/** The compiler says "must NOT have fewer than 1 items", and "must be string". */
const COUNTS: Readonly<Record<string, (limit: number) => string>> = {
  minItems: (limit) => `must have at least ${counted(limit, 'element')}`,
  maxItems: (limit) => `must have at most ${counted(limit, 'element')}`,
  minLength: (limit) => `must have at least ${counted(limit, 'character')}`,
  maxLength: (limit) => `must have at most ${counted(limit, 'character')}`,
  minProperties: (limit) => `must have at least ${counted(limit, 'member')}`,
  maxProperties: (limit) => `must have at most ${counted(limit, 'member')}`,
};

const KINDS: Readonly<Record<string, string>> = {
  string: 'must be a string',
  integer: 'must be an integer',
  number: 'must be a number',
  boolean: 'must be true or false',
  array: 'must be an array',
  object: 'must be an object',
};

export function wordsOfFault({ keyword, params, parentSchema, message }: ErrorObject): string {
  const { allowedValues, format } = params;
  const form: unknown = keyword === 'pattern' ? parentSchema?.['x-form'] : FORMS[String(format)];
  if (typeof form === 'string') return `must be ${form}`;
  if (Array.isArray(allowedValues)) return `must be one of ${allowedValues.join(', ')}`;
  return COUNTS[keyword]?.(params.limit) ?? KINDS[String(params.type)] ?? message ?? 'is not valid';
}

function counted(limit: number, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`;
}
