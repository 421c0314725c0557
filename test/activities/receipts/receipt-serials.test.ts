/** Serial numbers under concurrency: 1 to n in each organisation and year, with no gap and no repeat. */
import assert from 'node:assert/strict';
import type { NewReceipt } from '../../../activities/receipts/receipt-store.ts';
import type { DistributionChannelId, OrderId, OrganisationId } from '../../../workflows/shared/ids.ts';
import { OURS, THEIRS } from '../../support/sample-orders.ts';
import { ReceiptFixture } from './receipt-fixture.ts';

const WORK = { correlationId: 'c' };

function content(at: number, organisationId: OrganisationId = OURS): NewReceipt {
  const orderId = `ORDER${String(at).padStart(3, 'A')}` as OrderId;
  const channel = 'SVC:DistributionChannel:Web' as DistributionChannelId;
  const money = { receiptType: 'SALE', currency: 'NOK', totalMinor: 1, lines: [], vat: [], payments: [], credits: [] };
  const facts = { organisationId, distributionChannelId: channel, orderId, orderVersion: 1 };
  return {
    receipt: { ...facts, ...money, seller: { name: 'One' }, language: 'nob' } as NewReceipt['receipt'],
    timeZone: 'Europe/Oslo',
  };
}

describe('serial numbers of receipts', () => {
  const fixture = new ReceiptFixture('receipt-serials');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const numbers = async (organisationId: OrganisationId, year = 2026) => {
    const found = fixture.here.connection.collection('receipts').find({ organisationId, year });
    return (await found.toArray()).map(({ number }) => number as number).sort((one, other) => one - other);
  };
  const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

  it('have no gap and no repeat when 50 are made at once, each asked for three times', async () => {
    const wanted = Array.from({ length: 150 }, (_, at) => content(at % 50));
    const issued = await Promise.all(
      wanted.map(async (each, at) => await (at % 2 ? fixture.here : fixture.there).receipts.issue(each, WORK)),
    );
    assert.deepEqual(await numbers(OURS), upTo(50));
    for (const [at, { receipt }] of issued.entries()) assert.equal(receipt.number, issued[at % 50]?.receipt.number);
  });

  it('begin with 1 in each organisation, and with each year of the catalogue', async () => {
    for (const at of [1, 2]) await fixture.here.receipts.issue(content(at), WORK);
    await fixture.here.receipts.issue(content(3, THEIRS), WORK);
    fixture.now = new Date('2026-12-31T22:59:59Z');
    const last = await fixture.here.receipts.issue(content(4), WORK);
    fixture.now = new Date('2026-12-31T23:00:00Z');
    const first = await fixture.there.receipts.issue(content(5), WORK);
    assert.deepEqual([last.receipt.year, last.receipt.number], [2026, 3]);
    assert.deepEqual([first.receipt.year, first.receipt.number], [2027, 1]);
    assert.deepEqual(await numbers(THEIRS), [1]);
  });

  it('are not used up by an attempt that fails, or by copies', async () => {
    const original = await fixture.here.receipts.issue(content(1), WORK);
    const copied = await fixture.here.receipts.copy(original, {}, { workId: 'copy-1', ...WORK });
    assert.equal(copied.receipt.number, 1);
    const broken = { ...content(2), timeZone: 'Nowhere/Else' };
    await assert.rejects(fixture.here.receipts.issue(broken, WORK), RangeError);
    assert.equal((await fixture.here.receipts.issue(content(3), WORK)).receipt.number, 2);
  });
});
