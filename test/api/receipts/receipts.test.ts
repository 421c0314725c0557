/** The operations of receipts over HTTP: sent, read, searched, downloaded, copied and refused. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { anna, request as write } from '../../activities/customers/customer-fixture.ts';
import { sampleFee } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { type CallOptions, problemOf } from '../support/call.ts';
import { type ReceiptsServer, startReceipts } from './support.ts';

const PATH = '/v1/receipts';
const SEND = `${PATH}/send`;
const KARI = { email: 'kari@example.org' };

describe('receipts over HTTP', () => {
  let server: ReceiptsServer;
  before(async () => {
    server = await startReceipts('receipts-api');
  });
  beforeEach(async () => {
    server.startsFail = false;
    await server.world.reset();
  });
  after(async () => await server.close());

  const bodyOf = ({ id, version }: Pick<Order, 'id' | 'version'>, more: object = {}) => ({
    ...{ orderId: id, orderVersion: version, distribution: KARI },
    ...more,
  });
  const sent = async (body: object, options: CallOptions = {}) => {
    const answer = await server.call(SEND, { body, ...options });
    assert.equal(answer.status, 202, answer.text);
    return String(answer.json.reference);
  };
  const read = async (reference: string) => (await server.call(`${PATH}/${reference}`)).json;
  const settled = async (reference: string) => {
    const isSettled = async () => /SENT|FAILED/.test((await read(reference)).status);
    await until(isSettled, { what: 'the end of the mail' });
    return await read(reference);
  };
  const mails = () => server.world.taking.mails;

  it('are sent to the given address, and shown with all they say', async () => {
    const order = await server.world.fixture.soldOrder(34_900);
    const answer = await server.call(SEND, { body: bodyOf(order, { receiptLanguage: 'eng' }) });
    const { reference } = answer.json;
    assert.deepEqual([answer.status, answer.headers.get('location')], [202, `${PATH}/${reference}`]);
    const shown = await settled(reference);
    const { createdAt, sentAt, lines, payments, ...rest } = shown;
    assert.deepEqual(rest, {
      ...{ reference, serialNumber: `1-${new Date().getUTCFullYear()}-1`, receiptType: 'SALE', copy: false },
      ...{ orderId: order.id, orderVersion: 1, organisationId: 1, total: '349.00', currency: 'NOK', status: 'SENT' },
      ...{ vat: [{ rate: 12, taxCode: 'VAT_LOW', base: '311.61', tax: '37.39' }], credits: [], language: 'nno' },
      seller: {
        ...{ name: 'Fjordbuss AS', vatNumber: '915 123 456 MVA', address: ['Strandgata 7', '5013 Bergen'] },
        contact: 'kundeservice@fjordbuss.example',
      },
    });
    assert.deepEqual(
      [lines.length, lines[0].kind, lines[0].travellerCount, lines[0].price],
      [1, 'LINE', 1, { amount: '349.00', currency: 'NOK', taxAmount: '37.39', taxRate: 12, taxCode: 'VAT_LOW' }],
    );
    assert.deepEqual([payments[0].cardNumber, payments[0].amount], ['1111', '349.00']);
    assert.ok(createdAt <= sentAt);
    assert.deepEqual(
      mails().map(({ to }) => to[0]),
      [KARI.email],
    );
    assert.match(mails()[0]?.mail.subject ?? '', /^Receipt 1-/);
  });

  it('go to the contact where no address is given', async () => {
    const { fixture } = server.world;
    const { customerNumber: contact } = await fixture.profiles.create(anna({ email: 'anna@example.org' }), write());
    const order = await fixture.soldOrder(100, { contact });
    await settled(await sent(bodyOf(order, { distribution: {} })));
    assert.deepEqual(
      mails().map(({ to }) => to[0]),
      ['anna@example.org'],
    );
  });

  it('are sent again on request; a copy is another record with the same number', async () => {
    const order = await server.world.fixture.soldOrder();
    const reference = await sent(bodyOf(order));
    await settled(reference);
    assert.equal(await sent(bodyOf(order, { distribution: { email: 'ola@example.org' } })), reference);
    await until(() => mails().length === 2, { what: 'the second mail' });
    const { serialNumber } = (await server.call(`${PATH}/${reference}`)).json;
    // The clock stands still: of the same time, the references would decide on the order.
    server.world.fixture.now = new Date(server.world.fixture.now.getTime() + 1);
    const copy = await sent(bodyOf(order, { copyReceipt: true, serialNumber }));
    const shown = await settled(copy);
    assert.notEqual(copy, reference);
    assert.deepEqual([shown.copy, shown.copyOf, shown.serialNumber], [true, reference, serialNumber]);
    const { json } = await server.call(`${PATH}?orderId=${order.id}&orderVersion=1&sortBy=asc`);
    assert.deepEqual(
      [json.totalItems, json.items.map((each: { reference: string }) => each.reference)],
      [2, [reference, copy]],
    );
  });

  it('answer a repeat under one key with the same receipt, and send one mail', async () => {
    const order = await server.world.fixture.soldOrder();
    const headers = { 'idempotency-key': randomUUID() };
    const copy = bodyOf(order, { copyReceipt: true });
    const [first, second] = [await sent(copy, { headers }), await sent(copy, { headers })];
    assert.equal(second, first);
    await settled(first);
    assert.equal(mails().length, 1);
    assert.equal((await server.call(`${PATH}?orderId=${order.id}`)).json.totalItems, 2);
  });

  it('are sent later where Temporal is away', async () => {
    server.startsFail = true;
    const reference = await sent(bodyOf(await server.world.fixture.soldOrder()));
    assert.equal((await server.call(`${PATH}/${reference}`)).json.status, 'SENDING');
    const [pending] = await server.world.fixture.here.receipts.listPendingStarts(new Date(Date.now() + 1_000), 9);
    assert.equal(pending?.reference, reference);
  });

  it('say what failed, and are sent to another address then', async () => {
    const order = await server.world.fixture.soldOrder();
    await server.world.failWith('550 5.1.1 unknown');
    const reference = await sent(bodyOf(order));
    const { status, lastFailure } = await settled(reference);
    assert.deepEqual([status, lastFailure], ['FAILED', '550 5.1.1']);
    server.world.mend();
    await sent(bodyOf(order, { distribution: { email: 'ola@example.org' } }));
    await until(async () => (await server.call(`${PATH}/${reference}`)).json.status === 'SENT', { what: 'the mail' });
  });

  it('are downloaded as PDF, whatever is accepted, the same each time', async () => {
    const { receipt } = await server.world.fixture.issue(await server.world.fixture.soldOrder());
    const download = async (accept: string) => {
      const response = await fetch(`${server.url}${PATH}/${receipt.reference}/pdf`, {
        headers: { authorization: 'Bearer web/1/receipts:read', accept },
      });
      return { response, bytes: Buffer.from(await response.arrayBuffer()) };
    };
    const [one, other] = [await download('text/html'), await download('application/pdf')];
    assert.equal(one.response.status, 200);
    assert.equal(one.response.headers.get('content-type'), 'application/pdf');
    assert.match(
      one.response.headers.get('content-disposition') ?? '',
      /^attachment; filename="receipt-1-\d{4}-1\.pdf"$/,
    );
    assert.equal(one.bytes.subarray(0, 5).toString(), '%PDF-');
    assert.deepEqual(one.bytes, other.bytes);
  });

  it('have a type, also before they are made', async () => {
    const { fixture } = server.world;
    const order = await fixture.soldOrder();
    await fixture.orders.change(order.id, (before, now) => addFee(before, { fee: sampleFee('MANUAL', 500) }, now));
    await fixture.sell(order.id);
    const typeOf = async (version: number) =>
      await server.call(`${PATH}/type?orderId=${order.id}&orderVersion=${version}`);
    assert.deepEqual((await typeOf(1)).json, { receiptType: 'SALE' });
    assert.deepEqual((await typeOf(2)).json, { receiptType: 'CHANGE' });
    assert.equal(problemOf(await typeOf(3)), '422 NO_RECEIPT_FOR_VERSION');
    assert.equal(problemOf(await server.call(`${PATH}/type?orderId=AAAAAAAA&orderVersion=1`)), '404 NOT_FOUND');
    assert.equal(
      problemOf(await server.call(`${PATH}/type?orderId=${order.id}`)),
      '400 VALIDATION_FAILED /query/orderVersion',
    );
    assert.equal((await server.call(`${PATH}?orderId=${order.id}`)).json.totalItems, 0, 'asking makes none');
  });

  it('are found by their order, version, type and time', async () => {
    const { fixture } = server.world;
    const order = await fixture.soldOrder();
    await fixture.orders.change(order.id, (before, now) => addFee(before, { fee: sampleFee('MANUAL', 500) }, now));
    const second = await fixture.sell(order.id);
    for (const version of [1, 2]) await fixture.issue({ id: second.id, version });
    const count = async (query: string) => (await server.call(`${PATH}?${query}`)).json.totalItems;
    assert.equal(await count(`orderId=${order.id}`), 2);
    assert.equal(await count(`orderId=${order.id}&orderVersion=2`), 1);
    assert.equal(await count('receiptType=in:CHANGE,CANCEL'), 1);
    assert.equal(await count('createdAt=gt:2100-01-01T00:00:00Z'), 0);
    assert.equal(await count('orderId=AAAAAAAA'), 0);
    assert.equal((await server.call(`${PATH}?perPage=1&page=2`)).json.items.length, 1);
    assert.equal(problemOf(await server.call(`${PATH}?email=x`)), '400 INVALID_SEARCH /query/email');
  });

  describe('are refused', () => {
    const refusal = async (body: object, query = '') => problemOf(await server.call(`${SEND}${query}`, { body }));

    it('for versions without payment or credit, drafts, and orders that are not there', async () => {
      const { fixture } = server.world;
      const free = await fixture.soldOrder(0);
      const { order: draft } = await fixture.orders.create();
      for (const order of [free, draft, { ...free, version: 7 }])
        assert.equal(await refusal(bodyOf(order)), '422 NO_RECEIPT_FOR_VERSION');
      assert.equal(await refusal(bodyOf(draft, { distribution: {} })), '422 NO_RECEIPT_FOR_VERSION');
      assert.equal(await refusal(bodyOf({ ...free, id: 'AAAAAAAA' as never })), '404 NOT_FOUND');
    });

    it('for a telephone, and where nobody has an address', async () => {
      const order = await server.world.fixture.soldOrder();
      const telephone = { countryCode: '+47', number: '99999999' };
      const byPhone = await server.call(SEND, { body: bodyOf(order, { distribution: { telephone } }) });
      assert.equal(problemOf(byPhone), '422 NO_DELIVERY_ADDRESS');
      assert.match(byPhone.json.detail, /telephone.*e-mail/);
      assert.equal(await refusal(bodyOf(order, { distribution: {} })), '422 NO_DELIVERY_ADDRESS');
      assert.equal((await server.call(`${PATH}?orderId=${order.id}`)).json.totalItems, 0, 'no number is used up');
      await sent(bodyOf(order, { distribution: { telephone, ...KARI } }));
    });

    it('for another type or serial number than the caller takes it for', async () => {
      const order = await server.world.fixture.soldOrder();
      assert.equal(await refusal(bodyOf(order), '?receiptType=REFUND'), '422 NO_RECEIPT_FOR_VERSION');
      assert.equal(await refusal(bodyOf(order, { serialNumber: '1-2026-1' })), '422 NO_RECEIPT_FOR_VERSION');
      assert.equal((await server.call(`${PATH}?orderId=${order.id}`)).json.totalItems, 0);
      const { status } = await server.call(`${SEND}?receiptType=SALE`, { body: bodyOf(order) });
      assert.equal(status, 202);
      assert.equal(await refusal(bodyOf(order, { serialNumber: '1-2000-1' })), '422 NO_RECEIPT_FOR_VERSION');
    });

    it('for a wrong form, and without the scope', async () => {
      const order = await server.world.fixture.soldOrder();
      assert.equal(
        await refusal({ ...bodyOf(order), distribution: { email: 'x' } }),
        '400 VALIDATION_FAILED /distribution/email',
      );
      assert.equal(await refusal({ ...bodyOf(order), colour: 'red' }), '400 VALIDATION_FAILED /colour');
      assert.equal(await refusal({ ...bodyOf(order), serialNumber: 'x' }), '400 VALIDATION_FAILED /serialNumber');
      const reader = await server.call(SEND, { body: bodyOf(order), token: 'web/1/receipts:read' });
      assert.equal(problemOf(reader), '403 INSUFFICIENT_SCOPE');
      assert.equal(problemOf(await server.call(`${PATH}/${randomUUID()}`)), '404 NOT_FOUND');
      assert.equal(problemOf(await server.call(`${PATH}/x`)), '400 INVALID_IDENTIFIER /path/reference');
    });
  });
});
