/** What a sold version, a change of it, a refund and an import mean in the ledger. */
import assert from 'node:assert/strict';
import { importOrder } from '../../workflows/orders/rules/creation.ts';
import { newLine } from '../../workflows/orders/rules/lines.ts';
import type { ConfirmedVersion, OrderLine } from '../../workflows/orders/rules/order.ts';
import { importedEntry, postedEvents, soldEntry } from '../../workflows/orders/rules/postings.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import type { JournalEntry } from '../../workflows/shared/journal-entry.ts';
import { priceWithTax, totalPrice } from '../../workflows/shared/price.ts';
import { draftOrder, NOW, sampleFee, sampleLine, sampleOrder, VAT } from '../support/sample-orders.ts';

const HIGH = { code: 'VAT_HIGH', basisPoints: 2_500 };
const ORDER = draftOrder();

function sold(lines: readonly OrderLine[], fees: ConfirmedVersion['fees'] = []): ConfirmedVersion {
  return { version: 1, confirmedAt: NOW, travellers: [], reservations: [], orderLines: lines, fees };
}

function lineOf(
  ...parts: readonly { readonly amountMinor: number; readonly tax?: typeof VAT; readonly carrier?: number }[]
) {
  const fareProducts = parts.map(({ amountMinor, tax = VAT, carrier }, at) => ({
    ...{ id: `P${at}`, version: 1, kind: 'PREASSIGNED' as const, price: priceWithTax(amountMinor, tax) },
    ...(carrier !== undefined && { carrierOrganisationId: carrier as OrganisationId }),
  }));
  return { ...newLine(sampleLine({ fareProducts, price: totalPrice(fareProducts.map(({ price }) => price)) }), NOW) };
}

function accounts(entry: JournalEntry | undefined): Record<string, number> {
  return Object.fromEntries((entry?.postings ?? []).map(({ account, amountMinor }) => [account, amountMinor]));
}

describe('the entry of a confirmation', () => {
  it('posts sales without tax, the tax by its code, and what the customer owes', () => {
    const line = lineOf({ amountMinor: 11_200 }, { amountMinor: 12_500, tax: HIGH, carrier: 9 });
    assert.deepEqual(accounts(soldEntry(ORDER, undefined, sold([line]))), {
      receivables: 23_700,
      'sales/1': -10_000,
      'vat/VAT_LOW': -1_200,
      'sales/9': -10_000,
      'vat/VAT_HIGH': -2_500,
    });
  });

  it('posts fees by their type', () => {
    const fees = [
      { ...sampleFee('BOOKING', 1_120), orderVersion: 1 },
      { ...sampleFee('REDUCTION', -560), orderVersion: 1 },
    ];
    assert.deepEqual(accounts(soldEntry(ORDER, undefined, sold([], fees))), {
      receivables: 560,
      'fees/BOOKING': -1_000,
      'vat/VAT_LOW': -60,
      'fees/REDUCTION': 500,
    });
  });

  it('posts the difference to the version before alone', () => {
    const [kept, dropped, added] = [
      lineOf({ amountMinor: 5_600 }),
      lineOf({ amountMinor: 2_240 }),
      lineOf({ amountMinor: 1_120 }),
    ];
    const cancelled = { ...dropped, status: 'CANCELLED' as const };
    const entry = soldEntry(ORDER, sold([kept, dropped]), sold([kept, cancelled, added]));
    assert.deepEqual(accounts(entry), { receivables: -1_120, 'sales/1': 1_000, 'vat/VAT_LOW': 120 });
  });

  it('posts nothing when the version costs the same, account by account', () => {
    const line = lineOf({ amountMinor: 5_600 });
    assert.equal(soldEntry(ORDER, sold([line]), sold([{ ...line, usedAt: NOW }])), undefined);
  });

  it('takes back what was refunded in proportion to the products, and keeps every unit', () => {
    const line = lineOf({ amountMinor: 10_001 }, { amountMinor: 5_003, tax: HIGH, carrier: 9 });
    const before = sold([line]);
    for (const refundedShareMinor of [1, 333, 7_502, 15_003, 15_004]) {
      const after = sold([{ ...line, refundedShareMinor }]);
      const posted = accounts(soldEntry(ORDER, before, after));
      assert.equal(posted.receivables, -refundedShareMinor);
      assert.equal(
        Object.values(posted).reduce((sum, each) => sum + each, 0),
        0,
      );
      if (refundedShareMinor === 15_004) assert.deepEqual(posted, accounts(soldEntry(ORDER, before, sold([]))));
    }
  });

  it('posts a line without products as one sale', () => {
    const line = { ...lineOf({ amountMinor: 11_200 }), fareProducts: [] };
    assert.deepEqual(accounts(soldEntry(ORDER, undefined, sold([line]))), {
      receivables: 11_200,
      'sales/1': -10_000,
      'vat/VAT_LOW': -1_200,
    });
  });
});

describe('the entry of an import', () => {
  it('posts the sale and the money that others have taken, with the event of the import', () => {
    const transaction = {
      amountMinor: 10_000,
      paymentTypeGroup: 'CASH',
      paymentType: 'CASH',
      confirmedAt: NOW,
      rrn: '1',
    };
    const change = importOrder(
      {
        ...sampleOrder(),
        ...{ externalReference: 'X', importedAt: NOW, lines: [sampleLine()], capturedMinor: 10_000 },
        importedTransactions: [transaction],
      },
      NOW,
    );
    const events = postedEvents(undefined, change);
    const posted = events.filter((event) => 'entry' in event);
    assert.deepEqual(
      posted.map(({ type }) => type),
      ['OrderImported'],
    );
    assert.deepEqual(accounts(importedEntry(change.order)), {
      'sales/1': -8_929,
      'vat/VAT_LOW': -1_071,
      'book/CASH': 10_000,
    });
  });
});
