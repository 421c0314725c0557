/**
 * What a version of an order has sold and taken back, beside the version that was confirmed before it. Each entry is a line of
 * its receipt; what was taken back is negative. Pure.
 */
import { isLive } from '../../orders/rules/amounts.ts';
import { partsOf } from '../../orders/rules/line-parts.ts';
import type { Fee, OrderContent, OrderLine } from '../../orders/rules/order.ts';
import { type NamedProducts, supplementNames } from '../../orders/rules/supplement-names.ts';
import { type Price, totalPrice } from '../../shared/price.ts';
import { feeName } from './fee-names.ts';
import type { ReceiptLine } from './receipt.ts';

export type SoldContent = Pick<OrderContent, 'orderLines' | 'fees'>;

/** A line of the receipt with the prices that it adds up: they may have different rates of tax. */
export interface SoldEntry {
  readonly line: ReceiptLine;
  readonly parts: readonly Price[];
}

/** `before`: undefined for the first version. Without the catalogue's `products`, supplements are named by their ids. */
export function soldDifference(
  before: SoldContent | undefined,
  after: SoldContent,
  products: NamedProducts = new Map(),
): readonly SoldEntry[] {
  const [lines, fees] = [byId(before?.orderLines.filter(isLive)), byId(before?.fees)];
  const soldNow = byId(after.orderLines.filter(isLive));
  const feesNow = byId(after.fees);
  const gone = [...lines.values()].filter(({ id }) => !soldNow.has(id));
  const goneFees = [...fees.values()].filter(({ id }) => !feesNow.has(id));
  return [
    ...gone.map((line) => entryOf(line, -1, products)),
    ...[...soldNow.values()].flatMap((line) => lineEntries(lines.get(line.id), line, products)),
    ...goneFees.map((fee) => feeEntry(fee, -1)),
    ...after.fees.flatMap((fee) => feeEntries(fees.get(fee.id), fee)),
  ];
}

/** A line that was exchanged for another is taken back and sold; of one that was refunded in part, that part is taken back. */
function lineEntries(before: OrderLine | undefined, after: OrderLine, products: NamedProducts): readonly SoldEntry[] {
  if (!before) return [entryOf(after, 1, products)];
  const [was, is] = [partPrices(before), partPrices(after)];
  if (isSameText(before, after) && isSamePrice(before.price, after.price)) {
    const entry = madeOf(after, [...is, ...was.map(negative)], products);
    return isNothing(entry.line.price) ? [] : [entry];
  }
  return [entryOf(before, -1, products), entryOf(after, 1, products)];
}

function feeEntries(before: Fee | undefined, after: Fee): readonly SoldEntry[] {
  if (!before) return [feeEntry(after, 1)];
  return isSamePrice(before.price, after.price) ? [] : [feeEntry(before, -1), feeEntry(after, 1)];
}

function entryOf(line: OrderLine, sign: 1 | -1, products: NamedProducts): SoldEntry {
  const parts = partPrices(line);
  return madeOf(line, sign === 1 ? parts : parts.map(negative), products);
}

function madeOf(line: OrderLine, parts: readonly Price[], products: NamedProducts): SoldEntry {
  const { id, description, travellers, fareProducts } = line;
  const names = supplementNames(fareProducts, products);
  const named = { description, ...(names.length > 0 && { supplementNames: names }) };
  const facts = { kind: 'LINE' as const, orderLineId: id, ...named, travellerCount: travellers.length };
  return { line: { ...facts, price: totalPrice(parts) }, parts };
}

function feeEntry({ type, price }: Fee, sign: 1 | -1): SoldEntry {
  const signed = sign === 1 ? price : negative(price);
  return { line: { kind: 'FEE', description: feeName(type), travellerCount: 0, price: signed }, parts: [signed] };
}

function partPrices(line: OrderLine): readonly Price[] {
  return partsOf(line).map(({ price }) => price);
}

/** Adding 0 turns -0 into 0. */
function negative(price: Price): Price {
  return { ...price, amountMinor: -price.amountMinor + 0, taxMinor: -price.taxMinor + 0 };
}

function isNothing({ amountMinor, taxMinor }: Price): boolean {
  return amountMinor === 0 && taxMinor === 0;
}

function isSamePrice(one: Price, other: Price): boolean {
  const members = ['amountMinor', 'taxMinor', 'taxBasisPoints', 'taxCode'] as const;
  return members.every((member) => one[member] === other[member]);
}

function isSameText(one: OrderLine, other: OrderLine): boolean {
  if (one.travellers.length !== other.travellers.length || one.description.length !== other.description.length)
    return false;
  return one.description.every(({ lang, value }, at) => {
    const text = other.description[at];
    return text?.lang === lang && text.value === value;
  });
}

function byId<Item extends { readonly id: string }>(items: readonly Item[] = []): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}
