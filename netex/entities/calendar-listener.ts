/**
 * Passes day types, their assignments, periods and days to a FactsBuilder, from the same scan as the entities. Skips
 * what is not public. Callers: the planner's importer.
 */
import { calendarReaders } from '../model/calendar-readers.ts';
import { FactsBuilder } from '../model/facts-builder.ts';
import type { ElementHandler } from '../rules/check.ts';
import type { OpenElement, ScanListener } from '../xml/scan.ts';

const ENTITIES: ReadonlySet<string> = new Set([
  'DayType',
  'DayTypeAssignment',
  'OperatingPeriod',
  'UicOperatingPeriod',
]);

export class CalendarListener implements ScanListener {
  readonly #facts = new FactsBuilder();
  readonly #starts = new Map<string, ElementHandler[]>();
  readonly #ends = new Map<string, ElementHandler[]>();
  #isEmpty = true;

  constructor() {
    for (const { start, end } of calendarReaders(this.#facts)) {
      for (const [name, handler] of Object.entries(start)) append(this.#starts, name, handler);
      for (const [name, handler] of Object.entries(end)) append(this.#ends, name, handler);
    }
  }

  /** True when the scan had no calendar elements. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  start(element: OpenElement): void {
    const handlers = this.#starts.get(element.name);
    if (handlers === undefined) return;
    if (ENTITIES.has(element.name)) this.#isEmpty = false;
    for (const handler of handlers) handler(element);
  }

  end(element: OpenElement): void {
    const handlers = this.#ends.get(element.name);
    if (handlers === undefined) return;
    if (element.name === 'CalendarDate') this.#isEmpty = false;
    for (const handler of handlers) handler(element);
  }

  /** Returns the bytes that `TimetableFacts.open` takes. */
  build(): Uint8Array {
    return this.#facts.build();
  }
}

function append(handlers: Map<string, ElementHandler[]>, name: string, handler: ElementHandler): void {
  const named = handlers.get(name);
  if (named) named.push(handler);
  else handlers.set(name, [handler]);
}
