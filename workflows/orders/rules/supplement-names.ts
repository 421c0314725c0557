/** What the supplements of a line are called: tickets and receipts keep these names. Pure. */
import type { FareProduct } from '../../shared/fares.ts';
import type { Text } from '../../shared/text.ts';
import type { LineProduct } from './order.ts';

/** Products of the catalogue, by their ids. */
export type NamedProducts = ReadonlyMap<string, Pick<FareProduct, 'name'>>;

/** One for each that was paid for, in their order. What has left the catalogue is named by its id. */
export function supplementNames(
  products: readonly Pick<LineProduct, 'id' | 'kind'>[],
  catalogue: NamedProducts,
): readonly (readonly Text[])[] {
  return products
    .filter(({ kind }) => kind === 'SUPPLEMENT')
    .map(({ id }) => catalogue.get(id)?.name ?? [{ lang: 'nob', value: id }]);
}
