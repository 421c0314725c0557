/** Metrics of the files that the validation worker has validated. */
import { Counter, type Registry } from 'prom-client';

export class FileMetrics {
  readonly #files: Counter;
  readonly #bytes: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#files = new Counter({
      name: 'timetable_files_validated_total',
      help: 'Files validated; one validated again after a crash counts again',
      registers,
    });
    this.#bytes = new Counter({
      name: 'timetable_validated_bytes_total',
      help: 'Unpacked XML of those files',
      registers,
    });
  }

  fileValidated({ bytes }: { readonly bytes: number }): void {
    this.#files.inc();
    this.#bytes.inc(bytes);
  }
}
