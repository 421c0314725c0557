/**
 * The stop points of a journey pattern in the order of service: by their `order`, which may differ from the order of
 * the file. The open pattern fills it; the next one reuses the same objects.
 *
 * Callers: journey-patterns.ts.
 */
import type { OpenElement } from '../xml/scan.ts';

export interface PatternStop {
  order: number;
  line: number;
  column: number;
  id: string | undefined;
  display: string | undefined;
  /** Undefined when absent, which means yes. */
  forAlighting: boolean | undefined;
  forBoarding: boolean | undefined;
}

export class PatternStops {
  readonly #pool: PatternStop[] = [];
  #count = 0;
  #isSorted = true;
  #hasOrders = true;

  clear(): void {
    this.#count = 0;
    this.#isSorted = true;
    this.#hasOrders = true;
  }

  add(element: OpenElement): PatternStop {
    const stop = this.#next();
    const { id, order } = element.attributes;
    stop.order = order === undefined || order.trim() === '' ? Number.NaN : Number(order);
    stop.line = element.line;
    stop.column = element.column;
    stop.id = id;
    stop.display = undefined;
    stop.forAlighting = undefined;
    stop.forBoarding = undefined;
    const previous = this.#pool[this.#count - 2];
    if (Number.isNaN(stop.order)) this.#hasOrders = false;
    else if (this.#count > 1 && previous && previous.order > stop.order) this.#isSorted = false;
    return stop;
  }

  /** When a stop has no order, all keep the order of the file. Valid until the next `clear`. */
  inOrder(): readonly PatternStop[] {
    const stops = this.#pool.slice(0, this.#count);
    return this.#isSorted || !this.#hasOrders ? stops : stops.sort((a, b) => a.order - b.order);
  }

  #next(): PatternStop {
    let stop = this.#pool[this.#count];
    if (!stop) {
      stop = {
        order: 0,
        line: 0,
        column: 0,
        id: undefined,
        display: undefined,
        forAlighting: undefined,
        forBoarding: undefined,
      };
      this.#pool.push(stop);
    }
    this.#count++;
    return stop;
  }
}
