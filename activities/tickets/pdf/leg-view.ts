/** The texts of the legs of a ticket. Pure. */
import type { Formats } from '../../shared/pdf/formats.ts';
import { NO_BREAK } from '../../shared/pdf/styles.ts';
import type { SheetCall, SheetLeg, TicketSheet } from './ticket-sheet.ts';
import { modeName, type TicketWords } from './ticket-words.ts';

const SHORT_NAME = 24;

export interface LegView {
  readonly from: CallView;
  readonly to: CallView;
  /** `F6 Oslo S · Tog`. */
  readonly line: string;
  readonly via?: string;
  readonly seats: readonly string[];
}

export interface CallView {
  /** Where it is not that of the call before, or of the title. */
  readonly day?: string;
  /** Empty where it is unknown. */
  readonly time: string;
  readonly name: string;
}

/** Days are named where they change. */
export function viewLegs(
  { legs }: TicketSheet,
  words: TicketWords,
  formats: Formats,
  titleDay: string,
): readonly LegView[] {
  let shown = titleDay;
  const newDay = (at: Date | undefined) => {
    const day = at === undefined ? shown : formats.longDay(at);
    if (day === shown) return {};
    shown = day;
    return { day };
  };
  return legs.map((leg) => ({
    from: { ...viewCall(leg.from, formats), ...newDay(leg.from.time) },
    to: { ...viewCall(leg.to, formats), ...newDay(leg.to.time) },
    line: [leg.line, modeName(words, leg)].filter((part) => part).join(' · '),
    ...(leg.via.length > 0 && {
      via: `${words.via} ${leg.via.map((call) => viaText(call, formats)).join(`${NO_BREAK}· `)}`,
    }),
    seats: seatsOf(leg, words),
  }));
}

function viewCall({ name, time }: SheetCall, formats: Formats): CallView {
  return { name, time: time === undefined ? '' : formats.time(time) };
}

/** A stop and its time stay on one line. */
function viaText(call: SheetCall, formats: Formats): string {
  const { name, time } = viewCall(call, formats);
  return `${name} ${time}`.trim().replaceAll(' ', NO_BREAK);
}

/** A text for each carriage; for its berths another one than for its seats. */
function seatsOf({ seats }: SheetLeg, words: TicketWords): readonly string[] {
  const byKind = Map.groupBy(seats, ({ carriageNumber, accommodation }) => `${accommodation} ${carriageNumber}`);
  return [...byKind.values()].flatMap((taken) => {
    const [first] = taken;
    return first ? [words.seats(first.carriageNumber, taken.map(seatText), first.accommodation)] : [];
  });
}

/** A seat and its traveller stay on one line. A longer name may need two on a phone. */
function seatText({ seatNumber, traveller }: SheetLeg['seats'][number]): string {
  if (traveller === undefined) return seatNumber;
  const name = traveller.length <= SHORT_NAME ? traveller.replaceAll(' ', NO_BREAK) : traveller;
  return `${seatNumber}${NO_BREAK}(${name})`;
}
