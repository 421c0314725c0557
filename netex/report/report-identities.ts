/**
 * Identifies a report's findings without their texts, for comparison with the codespace's next report. Ten bytes a
 * finding, stored next to the report, so that a comparison never reads a large report again.
 *
 * Callers: the comparison; the activity that writes reports and stores these bytes.
 */
import { HashSet } from '../dataset/hash-set.ts';
import { IdHasher } from '../dataset/id-hash.ts';
import type { Finding } from '../finding.ts';
import { growingInt32, growingUint32 } from '../packed/growing-array.ts';

/** Limit per report; larger ones are not compared. Comparing takes some 30 bytes each. */
export const COMPARED_AT_MOST = 500_000;

const END_OF_HEAD = 0;
const BYTES_PER_FINDING = 10;
/** A finding's position is not part of its identity. */
const POSITION = /\b(lines?|columns?) \d+/g;

export class ReportIdentities {
  readonly #codes: readonly string[];
  /** Two halves of a hash per finding, in the order of the report. */
  readonly #halves: Uint32Array;
  /** Index of each finding's code. */
  readonly #codeNumbers: Uint16Array;

  private constructor(codes: readonly string[], halves: Uint32Array, codeNumbers: Uint16Array) {
    this.#codes = codes;
    this.#halves = halves;
    this.#codeNumbers = codeNumbers;
  }

  /** Undefined when there are too many findings to compare. */
  static async of(findings: AsyncIterable<Finding>): Promise<ReportIdentities | undefined> {
    const [halves, codeNumbers] = [growingUint32(), growingInt32()];
    const codes = new Map<string, number>();
    const hasher = new FindingHasher();
    for await (const finding of findings) {
      if (codeNumbers.length === COMPARED_AT_MOST) return undefined;
      const { high, low } = hasher.hash(finding);
      halves.push(high);
      halves.push(low);
      const code = codes.get(finding.code) ?? codes.size;
      codes.set(finding.code, code);
      codeNumbers.push(code);
    }
    return new ReportIdentities([...codes.keys()], halves.values().slice(), Uint16Array.from(codeNumbers.values()));
  }

  /** Opens the result of `bytes()`. Throws for anything else. */
  static open(bytes: Uint8Array): ReportIdentities {
    const headEnd = bytes.indexOf(END_OF_HEAD);
    const count = (bytes.length - headEnd - 1) / BYTES_PER_FINDING;
    if (headEnd < 0 || !Number.isInteger(count)) throw new Error('These are no identities of a report');
    const codes = JSON.parse(new TextDecoder().decode(bytes.subarray(0, headEnd))) as string[];
    const numbers = Uint8Array.from(bytes.subarray(headEnd + 1)).buffer;
    return new ReportIdentities(
      codes,
      new Uint32Array(numbers, 0, 2 * count),
      new Uint16Array(numbers, 8 * count, count),
    );
  }

  bytes(): Uint8Array {
    const parts = [this.#halves, this.#codeNumbers].map((part) =>
      Buffer.from(part.buffer, part.byteOffset, part.byteLength),
    );
    return Buffer.concat([Buffer.from(JSON.stringify(this.#codes)), Buffer.of(END_OF_HEAD), ...parts]);
  }

  get count(): number {
    return this.#codeNumbers.length;
  }

  /** Code of the finding at this place of the report. */
  codeAt(place: number): string {
    return this.#codes[this.#codeNumbers[place] as number] as string;
  }

  isIn(set: HashSet, place: number): boolean {
    return set.has(this.#halves[2 * place] as number, this.#halves[2 * place + 1] as number);
  }

  /** All identities without repetitions. */
  toSet(): HashSet {
    const set = new HashSet(this.count);
    for (let at = 0; at < this.#halves.length; at += 2)
      set.add(this.#halves[at] as number, this.#halves[at + 1] as number);
    return set;
  }

  /** Number of listed findings of each rule. */
  listedPerRule(): Readonly<Record<string, number>> {
    const counts = new Uint32Array(this.#codes.length);
    for (const code of this.#codeNumbers) counts[code] = (counts[code] as number) + 1;
    return Object.fromEntries(this.#codes.map((code, number) => [code, counts[number] as number]));
  }
}

/** Findings are the same when rule, file, element and message agree; numbers of lines and columns do not count. */
export class FindingHasher {
  readonly #hasher = new IdHasher();

  /** Valid until the next call. */
  hash({ code, fileName, objectId, message }: Finding): { readonly high: number; readonly low: number } {
    this.#hasher.hash(`${code}\n${fileName ?? ''}\n${objectId ?? ''}\n${message.replace(POSITION, '$1')}`);
    return this.#hasher;
  }
}
