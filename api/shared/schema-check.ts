/**
 * Compiles the schemas of an OpenAPI document into checks that answer with JSON pointers. Strict: a schema with a misspelt
 * keyword or unknown format does not compile.
 */
import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import { withoutChoices, wordsOfFault } from './fault-words.ts';
import { countParts, escapePointer } from './json.ts';
import { faultsOfLargeValue } from './large-value-faults.ts';
import type { Json } from './openapi-reference.ts';

export type Check = (value: unknown) => readonly ErrorItem[];

/** Which faults a compiled check finds. */
type Faults = 'ALL' | 'FIRST';

/** Lists the first faults only, so that the answer stays small. */
const MAX_ITEMS = 50;
/**
 * Values with more members and elements are checked up to their first fault, again and again. The compiled checks copy the
 * faults found so far for each part of a value, so the time to find all at once grows with the square of their number.
 */
const MAX_PARTS = 5_000;
/** Members of OpenAPI that say nothing about a value. */
const ANNOTATIONS = [
  'components',
  'paths',
  'example',
  'externalDocs',
  'xml',
  'x-open',
  'x-operators',
  'x-identifier',
  'x-form',
];

/**
 * The schemas of one document. Those of a document that was checked before ({@link LoadedDocument}) compile when a request
 * first needs them: most starts, and most processes, never need most.
 */
export class SchemaChecks {
  readonly #name: string;
  readonly #root: Json;
  readonly #isChecked: boolean;
  readonly #compilers = new Map<Faults, Ajv2020>();

  constructor(name: string, root: Json, { isChecked = false } = {}) {
    this.#name = name;
    this.#root = root;
    this.#isChecked = isChecked;
  }

  /** `pointer`: the schema's place in the document. */
  compile(pointer: string): Check {
    const compiled = new Map<Faults, ValidateFunction>();
    const validator = (faults: Faults): ValidateFunction => {
      const validate = compiled.get(faults) ?? this.#compile(pointer, faults);
      compiled.set(faults, validate);
      return validate;
    };
    if (!this.#isChecked) validator('ALL');
    const check = (faults: Faults, value: unknown, most: number) => {
      const validate = validator(faults);
      return validate(value)
        ? []
        : withoutChoices(validate.errors ?? [])
            .slice(0, most)
            .map(toItem);
    };
    return (value) => {
      if (countParts(value, MAX_PARTS) <= MAX_PARTS) return check('ALL', value, MAX_ITEMS);
      const first: Check = (each) => check('FIRST', each, 1);
      const all: Check = (each) => check('ALL', each, MAX_PARTS);
      return faultsOfLargeValue(value, first, all).slice(0, MAX_ITEMS);
    };
  }

  #compile(pointer: string, faults: Faults): ValidateFunction {
    const id = `urn:openapi:${this.#name}`;
    const ajv = this.#compilers.get(faults) ?? createAjv(id, this.#root, this.#isChecked, faults);
    this.#compilers.set(faults, ajv);
    const fragment = pointer.split('/').map(encodeURIComponent).join('/');
    return ajv.compile({ $ref: `${id}#${fragment}` });
  }
}

function createAjv(id: string, { components = {}, paths = {} }: Json, isChecked: boolean, faults: Faults): Ajv2020 {
  // Without the precision 0.07 would be no multiple of 0.01: binary fractions divide inexactly.
  const options = {
    allErrors: faults === 'ALL',
    allowUnionTypes: true,
    ownProperties: true,
    discriminator: true,
    multipleOfPrecision: 6,
    // So that an error holds its schema, whose `x-form` says in words what a pattern means.
    verbose: true,
  };
  // Loaded for the first schema that compiles, so not at most starts.
  const require = createRequire(import.meta.url);
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const { default: addFormats } = require('ajv-formats') as typeof import('ajv-formats');
  const ajv = new Ajv2020({ ...options, validateSchema: !isChecked, meta: !isChecked });
  ajv.addVocabulary(ANNOTATIONS);
  addFormats.default(ajv, { mode: 'full', keywords: false });
  ajv.addFormat('date-time', isInstant);
  ajv.addSchema({ $id: id, components: withoutMappings(components), paths });
  return ajv;
}

/** The compiler finds the choices of a discriminator by their constants, and refuses the `mapping` that readers need. */
function withoutMappings(components: unknown): unknown {
  return JSON.parse(
    JSON.stringify(components, (name, value) =>
      name === 'discriminator' && typeof value?.propertyName === 'string'
        ? { propertyName: value.propertyName }
        : value,
    ),
  );
}

const INSTANT = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/** RFC 3339, and an instant that can be stored: the plugin's format also accepts leap seconds and incomplete offsets. */
function isInstant(text: string): boolean {
  const day = INSTANT.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(text))) return false;
  // `Date` turns 30 February into a day of March.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

function toItem(error: ErrorObject): ErrorItem {
  const at = (member: unknown) => `${error.instancePath}/${escapePointer(String(member))}`;
  switch (error.keyword) {
    case 'additionalProperties':
      return { pointer: at(error.params.additionalProperty), code: 'UNKNOWN_PROPERTY', detail: 'is not known here' };
    case 'unevaluatedProperties':
      return {
        pointer: at(error.params.unevaluatedProperty),
        code: 'UNKNOWN_PROPERTY',
        detail: 'is not known here',
      };
    case 'required':
      return { pointer: at(error.params.missingProperty), code: 'REQUIRED', detail: 'is required' };
    case 'dependentRequired':
      return {
        pointer: at(error.params.missingProperty),
        code: 'REQUIRED',
        detail: `is required together with ${error.params.property}`,
      };
    case 'discriminator':
      return {
        pointer: at(error.params.tag),
        code: 'ENUM',
        detail: 'is none of the kinds here',
      };
    default:
      return { pointer: error.instancePath, code: toCode(error.keyword), detail: wordsOfFault(error) };
  }
}

/** `minLength` → `MIN_LENGTH`. */
function toCode(keyword: string): string {
  return keyword.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
