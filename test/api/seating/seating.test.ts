/** Seating arrangements over HTTP: who may see them, what is free, and moving a traveller to another seat. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { JOURNEY, type SeatingServer, startSeating } from './support.ts';

const OWN = { authorization: 'Bearer web/1/seating:read,seating:write' };
const READER = { authorization: 'Bearer web/1/seating:read' };
const OTHER = { authorization: 'Bearer other/2/seating:read,seating:write' };
const OPERATOR = { authorization: 'Bearer operator/9/seating:read,seating:write,organisation:any' };
const PATH = '/v1/seating-arrangements';

describe('seating arrangements over HTTP', () => {
  let server: SeatingServer;
  beforeEach(async () => {
    server = await startSeating();
  });
  afterEach(() => server?.close());

  async function ask(path: string, headers: Record<string, string> = OWN, init: RequestInit = {}) {
    const response = await fetch(`${server.url}${PATH}${path}`, { ...init, headers: { ...headers, ...init.headers } });
    // biome-ignore lint/suspicious/noExplicitAny: tests read members by name, and assertions check them
    return { status: response.status, body: (await response.json()) as any };
  }
  const put = (id: string, seat: unknown, headers: Record<string, string> = OWN) =>
    ask(`/${id}`, { ...headers, 'content-type': 'application/json' }, { method: 'PUT', body: JSON.stringify(seat) });
  const find = async (query: string, headers = OWN) => (await ask(`?${query}`, headers)).body.items;
  const free = async (to: string, from = 'TST:Quay:A') => {
    const { body } = await ask(`/availability?${new URLSearchParams({ datedServiceJourneyId: JOURNEY, from, to })}`);
    return body.carriages.map(
      ({ carriageNumber, seats }: { carriageNumber: string; seats: { free: boolean; seatNumber: string }[] }) =>
        [carriageNumber, ...seats.filter((seat) => seat.free).map(({ seatNumber }) => seatNumber)].join(' '),
    );
  };

  it('are found and read by the organisation that sold them, and by none else', async () => {
    const order = await server.reserve('B');
    const [reservation] = order.reservations;
    const [line] = order.orderLines;
    const expected = {
      id: reservation?.id,
      reservationId: reservation?.id,
      orderId: order.id,
      orderLineId: line?.id,
      travellerId: reservation?.travellerId,
      datedServiceJourneyId: JOURNEY,
      fromStopPlaceId: 'TST:Quay:A',
      toStopPlaceId: 'TST:Quay:B',
      carriageNumber: '1',
      seatNumber: '1',
      seatingProperties: { fareClass: 'STANDARD', accommodationFacility: 'SEATING', facilities: [] },
      status: 'HELD',
    };
    assert.deepEqual(await ask(`/${reservation?.id}`), { status: 200, body: expected });
    assert.equal((await ask(`/${reservation?.id.toUpperCase()}`)).status, 200);
    const queries = [
      `orderId=${order.id}`,
      `orderLineId=${line?.id}`,
      `reservationId=${reservation?.id}`,
      `datedServiceJourneyId=${encodeURIComponent(JOURNEY)}`,
      `reservationId=${reservation?.id.toUpperCase()}`,
      'status=in:HELD,CONFIRMED',
      '',
    ];
    for (const query of queries) assert.deepEqual(await find(query), [expected], query);
    assert.deepEqual(await find('status=RELEASED'), []);
    assert.equal((await ask(`/${reservation?.id}`, OTHER)).status, 404);
    assert.deepEqual(await find(`orderId=${order.id}`, OTHER), []);
    assert.equal((await put(reservation?.id ?? '', { carriageNumber: '1', seatNumber: '2' }, OTHER)).status, 404);
    assert.equal((await ask(`/${reservation?.id}`, OPERATOR)).status, 200);
    assert.equal((await find('', OPERATOR)).length, 1);
    assert.equal((await ask(`/${randomUUID()}`)).status, 404);
    assert.equal((await ask('/no-uuid')).body.code, 'INVALID_IDENTIFIER');
    assert.equal((await ask('?seatNumber=1')).body.code, 'INVALID_SEARCH');
  });

  it('come in pages, the newest first', async () => {
    for (let count = 0; count < 3; count++) await server.reserve('B');
    const { body } = await ask('?perPage=2&page=2');
    assert.deepEqual([body.items.length, body.totalItems, body.totalPages], [1, 3, 2]);
  });

  it('follow the order: sold with it, and given up with it', async () => {
    const order = await server.confirm(await server.reserve('B'));
    assert.deepEqual(
      (await find(`orderId=${order.id}`)).map(({ status }: { status: string }) => status),
      ['CONFIRMED'],
    );
    await server.keeper.release(
      order.id,
      order.reservations.map(({ id }) => id),
    );
    assert.deepEqual((await find('status=RELEASED')).length, 1);
    const { status, body } = await put(order.reservations[0]?.id ?? '', { carriageNumber: '1', seatNumber: '2' });
    assert.deepEqual([status, body.code], [409, 'INVALID_STATE']);
  });

  it('say which seats are free between two places', async () => {
    assert.deepEqual(await free('TST:Quay:C'), ['1 1 2 3', '2 1 2']);
    await server.reserve('B');
    assert.deepEqual(await free('TST:Quay:B'), ['1 2 3', '2 1 2']);
    assert.deepEqual(await free('TST:Quay:C'), ['1 2 3', '2 1 2']);
    assert.deepEqual(await free('TST:Quay:C', 'TST:Quay:B'), ['1 1 2 3', '2 1 2']);
    const { body } = await ask(`/availability?datedServiceJourneyId=${JOURNEY}&from=TST:Quay:A&to=TST:Quay:B`);
    assert.deepEqual(body.carriages[1].seats[0], {
      seatNumber: '1',
      free: true,
      seatingProperties: { fareClass: 'FIRST', accommodationFacility: 'SEATING', facilities: [] },
    });
  });

  it('name what is wrong with a question about free seats', async () => {
    const question = async (query: Record<string, string>) => {
      const given = { datedServiceJourneyId: JOURNEY, from: 'TST:Quay:A', to: 'TST:Quay:C', ...query };
      const { status, body } = await ask(`/availability?${new URLSearchParams(given)}`);
      return [
        status,
        body.code ?? body.carriages.length,
        body.errors?.map(({ pointer }: { pointer: string }) => pointer).join(),
      ];
    };
    assert.deepEqual(await question({ datedServiceJourneyId: 'TST:ServiceJourney:9@2026-11-24' }), [
      404,
      'NOT_FOUND',
      undefined,
    ]);
    assert.deepEqual(await question({ from: 'TST:Quay:X' }), [400, 'VALIDATION_FAILED', '/query/from']);
    assert.deepEqual(await question({ from: 'TST:Quay:C', to: 'TST:Quay:A' }), [400, 'VALIDATION_FAILED', '/query/to']);
    const unseated = 'TST:ServiceJourney:2-1@2026-11-24';
    assert.deepEqual(await question({ datedServiceJourneyId: unseated }), [200, 0, undefined]);
    assert.equal((await ask('/availability?from=A&to=B')).body.code, 'VALIDATION_FAILED');
    assert.equal((await ask('/availability', { authorization: 'Bearer web/1/orders:read' })).status, 403);
  });

  it('move a traveller to another seat, under the same id', async () => {
    const order = await server.reserve('B');
    const id = order.reservations[0]?.id ?? '';
    const { status, body } = await put(id, { carriageNumber: '1', seatNumber: '3' });
    assert.deepEqual([status, body.id, body.seatNumber, body.status], [200, id, '3', 'HELD']);
    assert.notEqual(body.reservationId, id);
    assert.deepEqual((await ask(`/${id}`)).body, body);
    assert.deepEqual((await ask(`/${body.reservationId}`)).body, body, 'the reservation of the order names it too');
    assert.equal((await ask(`/${body.reservationId}`, OTHER)).status, 404);
    assert.deepEqual((await put(body.reservationId, { carriageNumber: '1', seatNumber: '3' })).body, body);
    assert.deepEqual(await find(`orderId=${order.id}`), [body]);
    const stored = (await server.orders.get('ANY', order.id)).order;
    assert.deepEqual(
      stored.reservations.map((each) => [each.id, each.seatNumber]),
      [[body.reservationId, '3']],
    );
    assert.deepEqual(await free('TST:Quay:B'), ['1 1 2', '2 1 2'], 'the old seat is free');
    assert.deepEqual(
      (await put(id, { carriageNumber: '1', seatNumber: '3' })).body,
      body,
      'a second time is no change',
    );
  });

  it('keep the sold seat beside the new one until the order is confirmed, or reset', async () => {
    const order = await server.confirm(await server.reserve('B'));
    const id = order.reservations[0]?.id ?? '';
    await put(id, { carriageNumber: '1', seatNumber: '2' });
    assert.deepEqual(await free('TST:Quay:B'), ['1 3', '2 1 2']);
    assert.equal((await ask(`/${id}`)).body.seatNumber, '2');
    await server.reset(order);
    const { body } = await ask(`/${id}`);
    assert.deepEqual([body.seatNumber, body.status, body.reservationId], ['1', 'CONFIRMED', id]);
    assert.deepEqual(await find(`orderId=${order.id}`), [body]);
    assert.deepEqual(await free('TST:Quay:B'), ['1 2 3', '2 1 2']);
    await put(id, { carriageNumber: '1', seatNumber: '3' });
    await server.confirm((await server.orders.get('ANY', order.id)).order);
    const [sold] = await find(`orderId=${order.id}&status=CONFIRMED`);
    assert.deepEqual([sold.id, sold.seatNumber], [id, '3']);
    assert.deepEqual(await free('TST:Quay:B'), ['1 1 2', '2 1 2']);
  });

  it('refuse a seat that another has, that is none, or that is of another class', async () => {
    const [one, two] = [await server.reserve('C'), await server.reserve('B')];
    const id = two.reservations[0]?.id ?? '';
    const taken = { carriageNumber: one.reservations[0]?.carriageNumber, seatNumber: one.reservations[0]?.seatNumber };
    for (const seat of [taken, { carriageNumber: '1', seatNumber: '77' }, { carriageNumber: '2', seatNumber: '1' }]) {
      const { status, body } = await put(id, seat);
      assert.deepEqual([status, body.code], [409, 'SEAT_UNAVAILABLE'], JSON.stringify(seat));
    }
    assert.equal((await ask(`/${id}`)).body.seatNumber, '2');
    assert.equal((await put(id, { carriageNumber: '1' })).body.code, 'VALIDATION_FAILED');
    assert.equal((await put(id, { carriageNumber: '1', seatNumber: '3' }, READER)).status, 403);
  });

  /** The server dies at the next call of this kind, as its client sees it. */
  function dieAt<Name extends string>(target: Record<Name, unknown>, name: Name): void {
    target[name] = async () => {
      delete target[name];
      throw new Error('the process died');
    };
  }
  const keyed = () => ({ ...OWN, 'idempotency-key': randomUUID() });
  const TO_3 = { carriageNumber: '1', seatNumber: '3' };

  for (const state of ['a draft', 'a sold order'] as const) {
    it(`show no seat that a dead process has held, before ${state} has it; a repeat moves`, async () => {
      const draft = await server.reserve('B');
      const order = state === 'a draft' ? draft : await server.confirm(draft);
      const id = order.reservations[0]?.id ?? '';
      const [before] = await find(`orderId=${order.id}`);
      const headers = keyed();
      dieAt(server.orders as unknown as Record<'change', unknown>, 'change');
      assert.equal((await put(id, TO_3, headers)).status, 500);
      assert.deepEqual((await ask(`/${id}`)).body, before);
      assert.deepEqual(await find(`orderId=${order.id}`), [before]);
      const other = await put(id, TO_3);
      assert.deepEqual([other.status, other.body.code], [409, 'SEAT_UNAVAILABLE'], 'another request has not moved it');
      const { status, body } = await put(id, TO_3, headers);
      assert.deepEqual([status, body.id, body.seatNumber], [200, id, '3']);
      const stored = (await server.orders.get('ANY', order.id)).order;
      assert.deepEqual(
        stored.reservations.map((each) => [each.id, each.seatNumber]),
        [[body.reservationId, '3']],
      );
      assert.deepEqual(await find(`orderId=${order.id}`), [body]);
    });

    it(`show the seat that ${state} has, when the process died right after its write`, async () => {
      const draft = await server.reserve('B');
      const order = state === 'a draft' ? draft : await server.confirm(draft);
      const id = order.reservations[0]?.id ?? '';
      const headers = keyed();
      dieAt(server.keeper as unknown as Record<'show', unknown>, 'show');
      assert.equal((await put(id, TO_3, headers)).status, 500);
      const { body } = await ask(`/${id}`);
      assert.deepEqual([body.id, body.seatNumber, body.status], [id, '3', 'HELD']);
      assert.deepEqual((await put(id, TO_3, headers)).body, body);
      assert.deepEqual(await find(`orderId=${order.id}`), [body]);
      assert.equal((await server.orders.get('ANY', order.id)).order.version, state === 'a draft' ? 1 : 2);
    });
  }

  it('may move to a third seat while a dead process holds another', async () => {
    const order = await server.reserve('B');
    const id = order.reservations[0]?.id ?? '';
    dieAt(server.orders as unknown as Record<'change', unknown>, 'change');
    assert.equal((await put(id, TO_3)).status, 500);
    const { status, body } = await put(id, { carriageNumber: '1', seatNumber: '2' });
    assert.deepEqual([status, body.seatNumber], [200, '2']);
    assert.deepEqual(await find(`orderId=${order.id}`), [body]);
  });

  it('show the seat that was sold after a crash, also once the new one is sold', async () => {
    const order = await server.confirm(await server.reserve('B'));
    const id = order.reservations[0]?.id ?? '';
    dieAt(server.keeper as unknown as Record<'show', unknown>, 'show');
    assert.equal((await put(id, TO_3)).status, 500);
    await server.confirm((await server.orders.get('ANY', order.id)).order);
    const { body } = await ask(`/${id}`);
    assert.deepEqual([body.seatNumber, body.status], ['3', 'CONFIRMED']);
    await server.sweep();
    assert.deepEqual(await find(`orderId=${order.id}`), [body]);
  });

  for (const [end, seat, status] of [
    ['is confirmed', '3', 'CONFIRMED'],
    ['is reset', '1', 'CONFIRMED'],
  ] as const) {
    it(`are shown once, also when a sold seat is moved twice before the order ${end}`, async () => {
      const order = await server.confirm(await server.reserve('B'));
      const id = order.reservations[0]?.id ?? '';
      await put(id, { carriageNumber: '1', seatNumber: '2' });
      await put(id, TO_3);
      assert.deepEqual(
        (await find(`orderId=${order.id}`)).map((each: { seatNumber: string }) => each.seatNumber),
        ['3'],
      );
      const draft = (await server.orders.get('ANY', order.id)).order;
      await (end === 'is reset' ? server.reset(draft) : server.confirm(draft));
      const { body } = await ask(`/${id}`);
      assert.deepEqual([body.id, body.seatNumber, body.status], [id, seat, status]);
      assert.deepEqual(await find(`orderId=${order.id}`), [body]);
    });
  }

  it('give one of two travellers the seat that both want at once', async () => {
    const orders = [await server.reserve('B'), await server.reserve('B')];
    const answers = await Promise.all(
      orders.map(({ reservations }) => put(reservations[0]?.id ?? '', { carriageNumber: '1', seatNumber: '3' })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  });
});
