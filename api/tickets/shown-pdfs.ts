/** The PDFs that answers hold: of one ticket as it was stored, and of all tickets of an order in one. */
import { ORDER } from '../../activities/shared/order-kind.ts';
import { isPdfIn } from '../../activities/shared/pdf/tagged-pdf.ts';
import { renderTickets } from '../../activities/tickets/pdf/ticket-pdf.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { TextLanguage } from '../../workflows/shared/text.ts';
import type { Distribution, TicketGroup } from '../../workflows/tickets/rules/ticket-group.ts';
import { isLive } from '../../workflows/tickets/rules/ticket-states.ts';
import type { TicketsDependencies } from './dependencies.ts';

type Dependencies = Pick<TicketsDependencies, 'pdfs' | 'sheets' | 'subjectKeys'>;

const ERASED =
  'The PDFs of this order went with a person who was erased. `generate`, or `distribute` with `resend`, makes them again.';

export interface ShownTicket {
  readonly group: TicketGroup;
  readonly ticket: Distribution;
}

/**
 * The PDF that was sent. In another `language` it is drawn again. Throws INVALID_STATE for a ticket that is not valid any more,
 * NOT_FOUND after an erasure, UNAVAILABLE in the moments before it is stored.
 */
export async function readPdf(
  dependencies: Dependencies,
  shown: ShownTicket,
  language?: TextLanguage,
): Promise<Uint8Array> {
  const { status } = shown.ticket;
  if (!isLive(shown.ticket)) throw new ServiceError('INVALID_STATE', `A ticket that is ${status} has no PDF.`);
  const stored = await dependencies.pdfs.read(shown);
  if (!stored) throw await absent(dependencies, shown);
  // Its own language: that of the customer may have changed since.
  const isOther = language !== undefined && !isPdfIn(language, stored);
  return isOther ? await drawPdf(dependencies, [shown], language) : stored;
}

/** All tickets in one, one on each page. */
export async function drawPdf(
  dependencies: Dependencies,
  shown: readonly ShownTicket[],
  language: TextLanguage | undefined,
): Promise<Uint8Array> {
  const [first] = shown;
  if (!first) throw new ServiceError('INVALID_STATE', 'None of these tickets is valid any more.');
  const { sheets } = dependencies;
  const drawn = await sheets.make(shown, language ?? (await sheets.languageOf(first.group)));
  if (drawn.length < shown.length) throw await absent(dependencies, first);
  return await renderTickets(drawn);
}

/** Those with a barcode. A ticket that a refund holds has none. */
export function liveTickets(groups: readonly TicketGroup[]): readonly ShownTicket[] {
  return groups.flatMap((group) =>
    group.ticketDistributions.flatMap((ticket) => (isLive(ticket) && ticket.signed ? [{ group, ticket }] : [])),
  );
}

async function absent({ subjectKeys }: Dependencies, { group }: ShownTicket): Promise<ServiceError> {
  const isErased = !(await subjectKeys.existsFor(ORDER.subjectOf(group.orderId)));
  if (isErased) return new ServiceError('NOT_FOUND', ERASED);
  return new ServiceError('UNAVAILABLE', 'The PDF is being made.', { headers: { 'Retry-After': '2' } });
}
