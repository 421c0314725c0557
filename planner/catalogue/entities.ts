/**
 * The entities of one kind, by index or by id. Ids are in the order of their UTF-8 bytes, so a binary search finds one.
 */
import type { Entities } from '../model/catalogue.ts';
import type { TextColumn } from './table.ts';
import type { Texts } from './texts.ts';

interface NamedRows {
  readonly rowCount: number;
  readonly id: TextColumn;
}

export function entitiesOf<Kind, Index extends number>(
  rows: NamedRows,
  texts: Texts,
  viewOf: (index: Index) => Kind,
): Entities<Kind, Index> {
  return {
    count: rows.rowCount,
    at: (index) => {
      if (!(index >= 0 && index < rows.rowCount)) throw new RangeError(`no row ${index} of ${rows.rowCount}`);
      return viewOf(index);
    },
    find: (id) => {
      const row = rowOf(rows, texts, id);
      return row === undefined ? undefined : viewOf(row as Index);
    },
  };
}

/** Caches views in a table of `places` entries, for kinds whose views are costly to make. */
export function keepingViews<Kind, Index extends number>(
  places: number,
  viewOf: (index: Index) => Kind & { readonly index: Index },
): (index: Index) => Kind {
  const kept = new Map<number, Kind & { readonly index: Index }>();
  return (index) => {
    const known = kept.get(index % places);
    if (known !== undefined && known.index === index) return known;
    const view = viewOf(index);
    kept.set(index % places, view);
    return view;
  };
}

function rowOf(rows: NamedRows, texts: Texts, id: string): number | undefined {
  const bytes = Buffer.from(id);
  let low = 0;
  let high = rows.rowCount - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = texts.compare(rows.id.numberAt(middle), bytes);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}
