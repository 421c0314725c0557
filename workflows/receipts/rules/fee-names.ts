/** The names of fees on receipts. The reason that a caller gives for a fee may tell of a person, so receipts leave it out. */
import type { FeeType } from '../../orders/rules/order.ts';
import type { Text } from '../../shared/text.ts';

const NAMES: Readonly<Record<FeeType, readonly [nob: string, nno: string, eng: string]>> = {
  MANUAL: ['Gebyr', 'Gebyr', 'Fee'],
  REFUNDING: ['Refusjonsgebyr', 'Refusjonsgebyr', 'Refund fee'],
  ONBOARD: ['Ombordtillegg', 'Ombordtillegg', 'Onboard fee'],
  CHANGE: ['Endringsgebyr', 'Endringsgebyr', 'Change fee'],
  INVOICE: ['Fakturagebyr', 'Fakturagebyr', 'Invoice fee'],
  CHANGE_NON_REFUNDABLE: [
    'Prisforskjell som ikke refunderes',
    'Prisskilnad som ikkje blir refundert',
    'Price difference that is not refunded',
  ],
  PENALTY: ['Tilleggsavgift', 'Tilleggsavgift', 'Penalty fare'],
  BOOKING: ['Bestillingsgebyr', 'Tingingsgebyr', 'Booking fee'],
  REDUCTION: ['Avslag', 'Avslag', 'Reduction'],
};

export function feeName(type: FeeType): readonly Text[] {
  const [nob, nno, eng] = NAMES[type];
  return [
    { lang: 'nob', value: nob },
    { lang: 'nno', value: nno },
    { lang: 'eng', value: eng },
  ];
}
