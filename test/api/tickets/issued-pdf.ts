/** The ticket that a customer of the whole service gets: others read its barcode from the page, and it verifies with published keys. */
import assert from 'node:assert/strict';
import { type InspectionKey, keysOf } from '../../../barcode/inspection-file.ts';
import { readBarcode, verifyBarcode } from '../../../barcode/signed-barcode.ts';
import { PAGE_CHANNEL, type PagedOrders } from '../../support/paged-orders.ts';
import { readPdfs } from '../../support/read-pdfs.ts';
import { until } from '../../support/until.ts';

export function describeIssuedPdf(useOrders: () => PagedOrders): void {
  describe('the PDF of a ticket that was issued', () => {
    it('shows a barcode that others read, and that verifies with the published keys alone', async () => {
      const orders = useOrders();
      const order = await orders.sell({ product: 'SAVER' });
      const headers = { 'service-distribution-channel': PAGE_CHANNEL };
      const find = async () =>
        (await orders.call(`/v1/ticket-distributions?orderId=${order.orderId}`, { headers })).json.items[0];
      await until(async () => (await find())?.status === 'DISTRIBUTED', { what: 'a delivered ticket' });
      const ticket = await find();
      const authorization = `Bearer ${await orders.service.token(['tickets:read'])}`;
      const url = `${orders.service.apiUrl}/v1/ticket-distributions/${ticket.id}/pdf`;
      const answer = await fetch(url, { headers: { ...headers, authorization } });
      assert.equal(answer.status, 200);
      const [pdf] = await readPdfs([new Uint8Array(await answer.arrayBuffer())]);
      const [page, ...others] = pdf?.pages ?? [];
      assert.deepEqual([pdf?.faults, others], [[], []]);
      const { printed, photo } = page?.symbol ?? assert.fail('no symbol');
      assert.equal(photo, printed);

      const barcode = Buffer.from(printed, 'hex');
      const { issuingDetail, transportDocument = [] } = readBarcode(barcode).ticket;
      assert.equal(issuingDetail.issuerPNR, order.orderId);
      const [leg] = ticket.leg;
      const [seat] = ticket.seatReservations;
      assert.partialDeepStrictEqual(transportDocument, [
        { ticket: { openTicket: { referenceIA5: String(ticket.id), fromStationIA5: leg.fromStopPlaceId } } },
        { ticket: { reservation: { places: { coach: seat.carriageNumber, placeNum: [Number(seat.seatNumber)] } } } },
      ]);

      const published = await fetch(`${orders.service.apiUrl}/v1/ticket-keys`);
      const findKey = keysOf({ keys: (await published.json()) as readonly InspectionKey[] });
      assert.equal(verifyBarcode(barcode, findKey, new Date()), 'VALID');
      for (let bit = 0; bit < barcode.length * 8; bit += 1) {
        const flipped = Buffer.from(barcode);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (128 >> (bit % 8));
        assert.notEqual(verifyBarcode(flipped, findKey, new Date()), 'VALID', `bit ${bit}`);
      }
    });
  });
}
