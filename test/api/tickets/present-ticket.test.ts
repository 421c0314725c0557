/** Tickets in JSON. */
import assert from 'node:assert/strict';
import { presentTicket } from '../../../api/tickets/present-ticket.ts';
import { groupOf, soldOrder, theTicket } from '../../support/sample-tickets.ts';

describe('the JSON of a ticket', () => {
  it('names its supplements, as the PDF does', () => {
    const ticket = theTicket(groupOf(soldOrder()));
    const name = [{ lang: 'nob', value: 'Sykkel' }] as const;
    const shown = presentTicket({ ...ticket, supplementNames: [name, name] }, 'NOK', undefined);
    assert.deepEqual(shown.supplements, [{ name }, { name }]);
    assert.equal(presentTicket(ticket, 'NOK', undefined).supplements, undefined);
  });
});
