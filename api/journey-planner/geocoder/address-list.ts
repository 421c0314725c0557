/**
 * Addresses of a CSV file by name and by position: `id,name,street number,post code,place,lat,lon`, with or without a
 * heading. The file is read once, as a stream and in slices, and texts stay bytes. Invalid lines are counted and
 * skipped. Caller: `geocoder.ts`.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { greatCircleMetres } from '../../../planner/geo/great-circle.ts';
import { foldWords } from './fold-text.ts';
import type { NameIndex } from './name-index.ts';
import { NameIndexBuilder } from './name-index-builder.ts';
import { PlaceCells } from './place-cells.ts';

export interface Address {
  readonly id: string;
  readonly street: string;
  readonly houseNumber: string;
  readonly postCode: string;
  readonly place: string;
  readonly latitude: number;
  readonly longitude: number;
}

export interface AddressList {
  readonly count: number;
  readonly rejected: number;
  readonly names: NameIndex;
  at(index: number): Address;
  near(latitude: number, longitude: number, radiusMetres: number): { index: number; distanceMetres: number }[];
}

const FIELDS = 7;
/** Addresses rank below stop places of the same name. */
const IMPORTANCE = 0;

export async function readAddressList(path: string): Promise<AddressList> {
  const builder = new NameIndexBuilder();
  const texts = new TextColumn();
  const positions: number[] = [];
  let rejected = 0;
  let isFirst = true;
  for await (const line of createInterface({
    input: createReadStream(path, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const fields = splitCsvLine(isFirst ? line.replace(/^\uFEFF/, '') : line);
    const [id = '', street = '', number = '', , place = ''] = fields;
    const latitude = toDegrees(fields[5], 90);
    const longitude = toDegrees(fields[6], 180);
    if (fields.length === FIELDS && id !== '' && street !== '' && latitude !== undefined && longitude !== undefined) {
      texts.add(JSON.stringify(fields.slice(0, 5)));
      positions.push(latitude, longitude);
      builder.add([...foldWords(street), ...foldWords(number)], foldWords(place), IMPORTANCE);
    } else if (line.trim() !== '' && !isFirst) rejected += 1;
    isFirst = false;
    if (builder.slicer.isOver) await builder.slicer.rest();
  }
  const packed = Float64Array.from(positions);
  const names = await builder.finish();
  const cells = await PlaceCells.build(packed, builder.slicer);
  const at = (index: number): Address => {
    const [id = '', street = '', houseNumber = '', postCode = '', place = ''] = JSON.parse(texts.at(index)) as string[];
    const [latitude = 0, longitude = 0] = packed.subarray(2 * index, 2 * index + 2);
    return { id, street, houseNumber, postCode, place, latitude, longitude };
  };
  return {
    count: packed.length / 2,
    rejected,
    names,
    at,
    near: (latitude, longitude, radiusMetres) =>
      cells
        .around(latitude, longitude, radiusMetres)
        .map((index) => ({
          index,
          distanceMetres: greatCircleMetres(latitude, longitude, packed[2 * index] ?? 0, packed[2 * index + 1] ?? 0),
        }))
        .filter(({ distanceMetres }) => distanceMetres <= radiusMetres)
        .sort((one, other) => one.distanceMetres - other.distanceMetres),
  };
}

/** Fields may have quotes, doubled within the field, but no line breaks. */
export function splitCsvLine(line: string): readonly string[] {
  if (!line.includes('"')) return line.split(',').map((field) => field.trim());
  const fields: string[] = [];
  for (const match of line.matchAll(/(?:^|,)\s*(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    fields.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
  }
  return fields;
}

function toDegrees(text: string | undefined, limit: number): number | undefined {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return Math.abs(value) <= limit ? value : undefined;
}

/** Stores texts as bytes, one after the other. */
class TextColumn {
  #bytes = Buffer.allocUnsafe(1 << 16);
  #ends = new Float64Array(1 << 10);
  #count = 0;
  #length = 0;

  add(text: string): void {
    const size = Buffer.byteLength(text);
    while (this.#length + size > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes], this.#bytes.length * 2);
    }
    this.#length += this.#bytes.write(text, this.#length);
    if (this.#count === this.#ends.length) {
      const larger = new Float64Array(this.#ends.length * 2);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    this.#ends[this.#count++] = this.#length;
  }

  at(index: number): string {
    return this.#bytes.toString('utf8', index === 0 ? 0 : this.#ends[index - 1], this.#ends[index]);
  }
}
