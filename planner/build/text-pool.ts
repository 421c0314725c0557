/** Texts of the builder, as UTF-8; the empty text is no text. */
import { BytePool } from './byte-pool.ts';

export class TextPool extends BytePool {
  numberOf(text: string | undefined): number {
    if (text === undefined || text === '') return 0;
    return this.numberOfWritten(this.bytes.write(text));
  }

  text(number: number): string | undefined {
    if (number === 0) return undefined;
    return this.bytes.memory().toString('utf8', this.start.at(number), this.start.at(number + 1));
  }

  /** Compares by the UTF-8 bytes: the order in which ids are numbered. */
  compare(left: number, right: number): number {
    const memory = this.bytes.memory();
    const start = this.start;
    return memory.compare(memory, start.at(right), start.at(right + 1), start.at(left), start.at(left + 1));
  }
}
