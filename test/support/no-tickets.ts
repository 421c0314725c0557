/** For orders whose drafts change no line that was sold: nobody asks anything of tickets. */
import type { WithdrawnTickets } from '../../activities/orders/withdrawing.ts';

export function noTickets(): WithdrawnTickets {
  const asked = async () => {
    throw new Error('Nobody asks anything of tickets');
  };
  return { disable: asked, restore: asked };
}
