/**
 * The entities that a file of a dataset can refer to: its own, then those of the common files. Callers: the mappings of
 * this folder. A common file sees all common files.
 */
import type * as netex from '../../../netex/entities/entity-types.ts';
import type { EntityStore } from './entity-store.ts';

type MapName =
  | 'brandings'
  | 'directions'
  | 'routes'
  | 'serviceLinks'
  | 'displays'
  | 'stopAssignments'
  | 'headways'
  | 'notices';
type Found<Name extends MapName> = EntityStore[Name] extends Map<string, infer T> ? T : never;

/** Data of a pattern that journeys and interchanges need. */
export interface MappedPattern {
  readonly id: string;
  readonly lineId: string;
  readonly stops: readonly netex.PatternStopEntity[];
  /** Keyed by the id of the StopPointInJourneyPattern. */
  readonly positions: ReadonlyMap<string, number>;
  readonly hopMetres: readonly number[];
  /** Some stop is an area, which trips cannot start or end at by place. */
  readonly hasArea: boolean;
}

export class Scope {
  readonly file: EntityStore;
  readonly #common: Scope | undefined;
  readonly patterns = new Map<string, MappedPattern>();
  readonly lines = new Map<string, netex.LineEntity>();

  constructor(file: EntityStore, common?: Scope) {
    this.file = file;
    this.#common = common;
  }

  find<Name extends MapName>(map: Name, id: string | undefined): Found<Name> | undefined {
    if (id === undefined) return undefined;
    const own = (this.file[map] as Map<string, Found<Name>>).get(id);
    return own ?? this.#common?.find(map, id);
  }

  findPattern(id: string | undefined): MappedPattern | undefined {
    if (id === undefined) return undefined;
    return this.patterns.get(id) ?? this.#common?.findPattern(id);
  }

  /** Lines that were given to the builder. */
  findLine(id: string | undefined): netex.LineEntity | undefined {
    if (id === undefined) return undefined;
    return this.lines.get(id) ?? this.#common?.findLine(id);
  }
}
