/** Tickets in JSON. */
import assert from 'node:assert/strict';
import { presentTicket } from '../../../api/tickets/present-ticket.ts';
import { sampleTraveller } from '../../support/sample-orders.ts';
import { groupOf, soldOrder, theTicket } from '../../support/sample-tickets.ts';

describe('the JSON of a ticket', () => {
  it('names its supplements, as the PDF does', () => {
    const ticket = theTicket(groupOf(soldOrder()));
    const name = [{ lang: 'nob', value: 'Sykkel' }] as const;
    const shown = presentTicket({ ...ticket, supplementNames: [name, name] }, 'NOK', undefined);
    assert.deepEqual(shown.supplements, [{ name }, { name }]);
    assert.equal(presentTicket(ticket, 'NOK', undefined).supplements, undefined);
  });

  it('names fare zones by the deprecated names of tariff zones, too', () => {
    const ticket = theTicket(groupOf(soldOrder()));
    const zones = { fareZones: ['Z1', 'Z2'], fromFareZone: 'Z1', toFareZone: 'Z2', zoneType: 'RING' as const };
    assert.deepEqual(presentTicket({ ...ticket, topology: zones }, 'NOK', undefined).topology, {
      ...zones,
      fromTariffZone: 'Z1',
      toTariffZone: 'Z2',
    });
    const { topology } = presentTicket({ ...ticket, topology: { fareZones: [] } }, 'NOK', undefined);
    assert.equal(topology.zoneType, null);
  });

  it('names a berth by the deprecated names of its kind and number, too', () => {
    const seatingProperties = { fareClass: 'FIRST', accommodationFacility: 'SLEEPER', facilities: [] } as const;
    const travellerId = sampleTraveller().id;
    const berth = { legId: 'leg-1', travellerId, carriageNumber: '5', seatNumber: '11', seatingProperties };
    const ticket = { ...theTicket(groupOf(soldOrder())), seatReservations: [berth] };
    assert.deepEqual(presentTicket(ticket, 'NOK', undefined).seatReservations, [
      { ...berth, seatType: 'SLEEPER', seatCode: '11' },
    ]);
  });
});
