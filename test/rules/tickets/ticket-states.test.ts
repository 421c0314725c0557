/** The states of a ticket: every trigger in every state. */
import assert from 'node:assert/strict';
import type { TicketStatus } from '../../../workflows/tickets/rules/ticket-group.ts';
import { isLiveStatus, nextStates, type TicketTrigger } from '../../../workflows/tickets/rules/ticket-states.ts';

const STATES = [
  ...(['GENERATED', 'DISTRIBUTING', 'DISTRIBUTED', 'FAILED', 'REPLACED'] as const),
  // Disabled, and what it was before.
  ...(['DISABLED:GENERATED', 'DISABLED:DISTRIBUTING', 'DISABLED:DISTRIBUTED', 'DISABLED:FAILED'] as const),
] as const;
type State = (typeof STATES)[number];

/** The state after the trigger; `-` has no effect. Columns are in the order of STATES. */
const TABLE: Readonly<Record<TicketTrigger, string>> = {
  SEND: 'DISTRIBUTING - DISTRIBUTING DISTRIBUTING - - - - -',
  ARRIVE: 'DISTRIBUTED DISTRIBUTED - - - DISABLED:DISTRIBUTED DISABLED:DISTRIBUTED - -',
  GIVE_UP: '- FAILED - - - - DISABLED:FAILED - -',
  DROP: '- GENERATED - - - - DISABLED:GENERATED - -',
  DISABLE: 'DISABLED:GENERATED DISABLED:DISTRIBUTING DISABLED:DISTRIBUTED DISABLED:FAILED - - - - -',
  RESTORE: '- - - - - GENERATED DISTRIBUTING DISTRIBUTED FAILED',
  REPLACE: 'REPLACED REPLACED REPLACED REPLACED - - - - -',
};

function parse(state: string) {
  const [status, statusBefore] = state.split(':') as [TicketStatus, TicketStatus?];
  return { status, ...(statusBefore && { statusBefore }) };
}

describe('the states of a ticket', () => {
  for (const [trigger, row] of Object.entries(TABLE) as [TicketTrigger, string][]) {
    const outcomes = row.split(' ');
    for (const [at, from] of STATES.entries()) {
      const to = outcomes[at] ?? '';
      it(`${trigger} in ${from}: ${to === '-' ? 'no effect' : to}`, () => {
        assert.deepEqual(nextStates(parse(from), trigger), to === '-' ? undefined : parse(to));
      });
    }
  }

  it('has a column for every state, and a row for every trigger', () => {
    for (const row of Object.values(TABLE)) assert.equal(row.split(' ').length, STATES.length);
    assert.equal(Object.keys(TABLE).length, 7);
  });

  it('never leaves REPLACED, and comes back from DISABLED by a restore alone', () => {
    for (const trigger of Object.keys(TABLE) as TicketTrigger[]) {
      assert.equal(nextStates({ status: 'REPLACED' }, trigger), undefined);
      // Without the state before there is nothing to go back to.
      assert.equal(nextStates({ status: 'DISABLED' }, trigger), undefined);
      const disabled = STATES.filter((state): state is State => state.startsWith('DISABLED'));
      const live = disabled.filter((state) => {
        const next = nextStates(parse(state), trigger);
        return next !== undefined && isLiveStatus(next.status);
      });
      assert.equal(live.length, trigger === 'RESTORE' ? disabled.length : 0);
    }
  });
});
