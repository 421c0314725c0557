/** What must hold of the receipts of a service, whatever died meanwhile. */
import assert from 'node:assert/strict';
import type { Connection } from 'mongoose';
import { RECEIPT_DOCUMENTS, type ReceiptDocument } from '../../activities/receipts/receipt-document.ts';

/** Answers the originals. */
export async function checkReceipts(connection: Connection): Promise<readonly ReceiptDocument[]> {
  const all = await RECEIPT_DOCUMENTS.open(connection).find().toArray();
  const originals = all.filter(({ isOriginal }) => isOriginal) as ReceiptDocument[];
  const versions = new Set(originals.map(({ orderId, orderVersion }) => `${orderId}/${orderVersion}`));
  assert.equal(versions.size, originals.length, 'a version of an order has two receipts');
  for (const [series, numbers] of seriesOf(originals)) {
    const sorted = numbers.toSorted((one, other) => one - other);
    assert.deepEqual(
      sorted,
      [...numbers.keys()].map((at) => at + 1),
      `numbers of ${series}`,
    );
  }
  for (const { _id, lines, vat, payments, credits, totalMinor } of originals) {
    const sums = [
      lines.map(({ price }) => price.amountMinor),
      vat.map(({ baseMinor, taxMinor }) => baseMinor + taxMinor),
      [...payments.map(({ amountMinor }) => amountMinor), ...credits.map(({ amountMinor }) => -amountMinor)],
    ];
    for (const amounts of sums)
      assert.equal(
        amounts.reduce((sum, each) => sum + each, 0),
        totalMinor,
        _id,
      );
  }
  return originals;
}

function seriesOf(originals: readonly ReceiptDocument[]): ReadonlyMap<string, number[]> {
  const series = new Map<string, number[]>();
  for (const { organisationId, year, number } of originals) {
    const name = `${organisationId}-${year}`;
    series.set(name, [...(series.get(name) ?? []), number]);
  }
  return series;
}
