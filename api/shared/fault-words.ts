/** What is wrong with a value, in words for the developer who sent it. Caller: the check of schemas. */
import type { ErrorObject } from 'ajv/dist/2020.js';

/** What values of a format look like. Other formats are named as they are. */
const FORMS: Readonly<Record<string, string>> = {
  'date-time': 'an instant with an offset, as 2026-11-24T08:00:00+01:00 or 2026-11-24T07:00:00Z',
  date: 'a day, as 2026-11-24',
  uuid: 'a UUID',
  email: 'an e-mail address, as anna@example.no',
  uri: 'an address with a scheme, as https://shop.example/done',
  ipv4: 'an IPv4 address, as 192.0.2.7',
  ipv6: 'an IPv6 address, as 2001:db8::7',
};
/** Their schemas say in words, as `x-form`, what they accept. */
const WITH_FORM = new Set(['pattern', 'anyOf', 'oneOf', 'not']);

/** The compiler says "must NOT have fewer than 1 items", "must be >= 1", and "must be string". */
const LIMITS: Readonly<Record<string, (limit: number) => string>> = {
  minItems: (limit) => `must have at least ${counted(limit, 'element')}`,
  maxItems: (limit) => `must have at most ${counted(limit, 'element')}`,
  minLength: (limit) => `must have at least ${counted(limit, 'character')}`,
  maxLength: (limit) => `must have at most ${counted(limit, 'character')}`,
  minProperties: (limit) => `must have at least ${counted(limit, 'member')}`,
  maxProperties: (limit) => `must have at most ${counted(limit, 'member')}`,
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  exclusiveMinimum: (limit) => `must be more than ${limit}`,
  exclusiveMaximum: (limit) => `must be less than ${limit}`,
};

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

export function wordsOfFault({ keyword, params, parentSchema, message }: ErrorObject): string {
  const { allowedValues, allowedValue, format, type, i, j } = params;
  const form: unknown = WITH_FORM.has(keyword) ? parentSchema?.['x-form'] : FORMS[String(format)];
  if (typeof form === 'string') return `must be ${form}`;
  if (Array.isArray(allowedValues)) return `must be one of ${allowedValues.join(', ')}`;
  if (keyword === 'type') return `must be ${[type].flat().map(kindOf).join(' or ')}`;
  if (keyword === 'const') return `must be ${JSON.stringify(allowedValue)}`;
  if (keyword === 'uniqueItems') return `must not have the same element twice: elements ${j} and ${i} are equal`;
  return LIMITS[keyword]?.(params.limit) ?? message ?? 'is not valid';
}

function kindOf(type: unknown): string {
  return KINDS[String(type)] ?? String(type);
}

/** Without the faults of each choice, where the schema says in words what it accepts. */
export function withoutChoices(faults: readonly ErrorObject[]): readonly ErrorObject[] {
  const told = faults.filter(
    ({ keyword, parentSchema }) =>
      (keyword === 'anyOf' || keyword === 'oneOf') && typeof parentSchema?.['x-form'] === 'string',
  );
  if (told.length === 0) return faults;
  return faults.filter(
    ({ instancePath, schemaPath }) =>
      !told.some((each) => instancePath.startsWith(each.instancePath) && schemaPath.startsWith(`${each.schemaPath}/`)),
  );
}

function counted(limit: number, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`;
}
