/**
 * One scan of a file for entities, calendar and stops. Callers: the planner's importer, the differences between
 * datasets.
 */
import type { OpenElement, ScanListener } from '../xml/scan.ts';
import type { CalendarListener } from './calendar-listener.ts';
import { type EntityFilter, EntityReader, type EntitySink } from './entity-reader.ts';

export class FileListener implements ScanListener {
  readonly calendar: CalendarListener;
  readonly #entities: EntityReader;
  readonly #stops: ScanListener;

  constructor(sink: EntitySink, isLeftOut: EntityFilter | undefined, calendar: CalendarListener, stops: ScanListener) {
    this.calendar = calendar;
    this.#entities = new EntityReader(sink, isLeftOut);
    this.#stops = stops;
  }

  start(element: OpenElement): void {
    this.#entities.start(element);
    if (!this.#entities.isInside) this.calendar.start(element);
    this.#stops.start?.(element);
  }

  end(element: OpenElement): void {
    if (!this.#entities.isInside) this.calendar.end(element);
    this.#entities.end(element);
    this.#stops.end?.(element);
  }
}
