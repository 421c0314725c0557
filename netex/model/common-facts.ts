/**
 * Gathers the facts of common files for the line files, in the scan that reads their ids.
 *
 * Callers: the activity that indexes common files, tests. Pass `reader` to `addStreamIds` or `addFileIds` for each
 * file; `build` makes the bytes for `ValidationContext.commonFacts`.
 */
import type { ElementHandler } from '../rules/check.ts';
import type { ScanListener } from '../xml/scan.ts';
import { factReaders } from './fact-readers.ts';
import { FactsBuilder } from './facts-builder.ts';

export class CommonFactsBuilder {
  readonly #facts = new FactsBuilder();

  /** A listener for the elements of one file. */
  reader(): ScanListener {
    const starts = new Map<string, ElementHandler[]>();
    const ends = new Map<string, ElementHandler[]>();
    for (const { start, end } of factReaders(this.#facts)) {
      addAll(starts, start);
      addAll(ends, end);
    }
    const forward = (handlers: ReadonlyMap<string, ElementHandler[]>): ElementHandler => {
      return (element) => {
        const named = handlers.get(element.name);
        if (named) for (const handler of named) handler(element);
      };
    };
    return { start: forward(starts), end: forward(ends) };
  }

  /** Facts of all files read so far. */
  build(): Uint8Array {
    return this.#facts.build();
  }
}

function addAll(handlers: Map<string, ElementHandler[]>, added: Readonly<Record<string, ElementHandler>>): void {
  for (const [name, handler] of Object.entries(added)) handlers.set(name, [...(handlers.get(name) ?? []), handler]);
}
