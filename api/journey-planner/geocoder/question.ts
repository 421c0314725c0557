/**
 * Parses the geocoder's query parameters. Every error has status 400 and names the parameter. The functions are pure.
 */
import { type ErrorItem, ServiceError } from '../../../workflows/shared/service-error.ts';

export type Layer = 'venue' | 'address';

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

export interface Autocomplete {
  readonly text: string;
  readonly size: number;
  readonly lang: string;
  readonly layers: ReadonlySet<Layer>;
  readonly focus: Position | undefined;
}

export interface Reverse {
  readonly point: Position;
  readonly size: number;
  readonly lang: string;
  readonly layers: ReadonlySet<Layer>;
  readonly radiusMetres: number;
}

const DEFAULT_SIZE = 10;
const MAX_SIZE = 50;
const MAX_TEXT = 200;
const MAX_RADIUS_KM = 100;
/** Layers of the Pelias interface without data here. Requesting them is no error. */
const EMPTY_LAYERS =
  /^(street|neighbourhood|borough|localadmin|locality|county|macrocounty|region|macroregion|country|coarse|postalcode|stop)$/;

export function readAutocomplete(query: URLSearchParams): Autocomplete {
  const reader = new Reader(query);
  const text = (query.get('text') ?? '').trim();
  if (text === '') reader.refuse('text', 'is required');
  if (text.length > MAX_TEXT) reader.refuse('text', `must have at most ${MAX_TEXT} characters`);
  const focus = reader.position('focus.point', false);
  return reader.checked({ text, focus, ...reader.common() });
}

export function readReverse(query: URLSearchParams): Reverse {
  const reader = new Reader(query);
  const point = reader.position('point', true) ?? { latitude: 0, longitude: 0 };
  const kilometres = reader.number('boundary.circle.radius', 0, MAX_RADIUS_KM) ?? 1;
  return reader.checked({ point, radiusMetres: kilometres * 1_000, ...reader.common() });
}

class Reader {
  readonly #query: URLSearchParams;
  readonly #errors: ErrorItem[] = [];

  constructor(query: URLSearchParams) {
    this.#query = query;
  }

  refuse(name: string, detail: string): void {
    this.#errors.push({ pointer: `/query/${name}`, code: 'PARAMETER', detail });
  }

  checked<Question>(question: Question): Question {
    if (this.#errors.length === 0) return question;
    const [first] = this.#errors;
    const detail = `${first?.pointer.slice('/query/'.length)} ${first?.detail}.`;
    throw new ServiceError('VALIDATION_FAILED', detail, { errors: this.#errors });
  }

  common(): { size: number; lang: string; layers: ReadonlySet<Layer> } {
    const size = this.number('size', 1, MAX_SIZE) ?? DEFAULT_SIZE;
    if (!Number.isInteger(size)) this.refuse('size', 'must be a whole number');
    return { size, lang: (this.#query.get('lang') ?? 'no').slice(0, 10), layers: this.#layers() };
  }

  number(name: string, minimum: number, maximum: number): number | undefined {
    const text = this.#query.get(name);
    if (text === null || text === '') return undefined;
    const value = Number(text);
    if (text.trim() !== '' && value >= minimum && value <= maximum) return value;
    this.refuse(name, `must be a number from ${minimum} to ${maximum}`);
    return undefined;
  }

  position(prefix: string, isRequired: boolean): Position | undefined {
    const latitude = this.number(`${prefix}.lat`, -90, 90);
    const longitude = this.number(`${prefix}.lon`, -180, 180);
    if (latitude !== undefined && longitude !== undefined) return { latitude, longitude };
    for (const [part, value] of [
      ['lat', latitude],
      ['lon', longitude],
    ] as const) {
      const isGiven = (this.#query.get(`${prefix}.${part}`) ?? '') !== '';
      const isHalf = latitude !== undefined || longitude !== undefined;
      if (value === undefined && !isGiven && (isRequired || isHalf)) this.refuse(`${prefix}.${part}`, 'is required');
    }
    return undefined;
  }

  #layers(): ReadonlySet<Layer> {
    const names = (this.#query.get('layers') ?? '')
      .split(',')
      .map((layer) => layer.trim())
      .filter((layer) => layer !== '');
    const layers = new Set<Layer>();
    for (const layer of names) {
      if (layer === 'venue' || layer === 'address') layers.add(layer);
      else if (!EMPTY_LAYERS.test(layer)) this.refuse('layers', 'must be venue, address or both');
    }
    return names.length === 0 ? new Set<Layer>(['venue', 'address']) : layers;
  }
}
