/**
 * Compiles the schemas of an OpenAPI document once at start into checks that answer with JSON pointers. Strict: a schema
 * with a misspelt keyword or unknown format stops the process.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import { escapePointer } from './json.ts';
import type { Json } from './openapi-reference.ts';

export type Check = (value: unknown) => readonly ErrorItem[];

/** Lists the first faults only, so that the answer stays small. */
const MAX_ITEMS = 50;
/** Members of OpenAPI that say nothing about a value. */
const ANNOTATIONS = [
  'components',
  'paths',
  'example',
  'externalDocs',
  'xml',
  'discriminator',
  'x-open',
  'x-operators',
  'x-identifier',
];

export class SchemaChecks {
  readonly #ajv: Ajv2020;
  readonly #id: string;

  constructor(name: string, root: Json) {
    this.#ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, ownProperties: true, validateSchema: true });
    this.#ajv.addVocabulary(ANNOTATIONS);
    formatsPlugin.default(this.#ajv, { mode: 'full', keywords: false });
    this.#ajv.addFormat('date-time', isInstant);
    this.#id = `urn:openapi:${name}`;
    this.#ajv.addSchema({ $id: this.#id, components: root.components ?? {}, paths: root.paths ?? {} });
  }

  /** `pointer`: the schema's place in the document. */
  compile(pointer: string): Check {
    const fragment = pointer.split('/').map(encodeURIComponent).join('/');
    const validate = this.#ajv.compile({ $ref: `${this.#id}#${fragment}` });
    return (value) => (validate(value) ? [] : toItems(validate));
  }
}

const INSTANT = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/** RFC 3339, and an instant that can be stored: the plugin's format also accepts leap seconds and incomplete offsets. */
function isInstant(text: string): boolean {
  const day = INSTANT.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(text))) return false;
  // `Date` turns 30 February into a day of March.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

function toItems(validate: ValidateFunction): readonly ErrorItem[] {
  return (validate.errors ?? []).slice(0, MAX_ITEMS).map(toItem);
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
    default:
      return { pointer: error.instancePath, code: toCode(error.keyword), detail: detailOf(error) };
  }
}

function detailOf(error: ErrorObject): string {
  const allowed: unknown = error.params.allowedValues;
  return Array.isArray(allowed) ? `must be one of ${allowed.join(', ')}` : (error.message ?? 'is not valid');
}

/** `minLength` → `MIN_LENGTH`. */
function toCode(keyword: string): string {
  return keyword.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
