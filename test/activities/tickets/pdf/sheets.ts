/** Tickets of many kinds for tests, benchmarks and looks at their design. */
import { createHash } from 'node:crypto';
import type { SheetLeg, TicketSheet } from '../../../../activities/tickets/pdf/ticket-sheet.ts';
import type { TextLanguage } from '../../../../workflows/shared/text.ts';

const DAY = '2026-11-24T';

function at(time: string): Date {
  return new Date(`${DAY}${time}:00+01:00`);
}

/** Octets as random as those of a signature, and the same in each run. */
export function barcodeOf(length: number, seed = 'ticket'): Uint8Array {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, block) =>
    createHash('sha256').update(`${seed} ${block}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

export const BERGEN: SheetLeg = {
  mode: 'rail',
  line: 'F4 Bergen',
  from: { name: 'Oslo S', time: at('08:25') },
  to: { name: 'Bergen stasjon', time: at('14:57') },
  via: [
    ['Drammen', '09:00'],
    ['Hønefoss', '09:56'],
    ['Nesbyen', '10:57'],
    ['Gol', '11:11'],
    ['Ål', '11:32'],
    ['Geilo', '11:53'],
    ['Finse', '12:37'],
    ['Myrdal', '13:02'],
    ['Voss', '13:46'],
    ['Arna', '14:47'],
  ].map(([name = '', time = '']) => ({ name, time: at(time) })),
  seats: [{ carriageNumber: '3', seatNumber: '42', accommodation: 'SEATING' }],
};

const BUS: SheetLeg = {
  mode: 'bus',
  line: '31 Fornebu – Grorud T',
  from: { name: 'Jernbanetorget', time: at('08:03') },
  to: { name: 'Oslo S', time: at('08:11') },
  via: [],
  seats: [],
};

export function sheetOf(language: TextLanguage, changes: Partial<TicketSheet> = {}): TicketSheet {
  return {
    ticketId: '4503599627370497',
    orderId: 'K7PQ2MZX',
    issuer: 'Samferd Tog AS',
    issuedAt: new Date('2026-11-20T10:15:30Z'),
    productName: { nob: 'Enkeltbillett', nno: 'Enkeltbillett', eng: 'Single ticket' }[language],
    fareClass: 'STANDARD',
    supplements: [],
    travellers: [
      { name: 'Kari Nordmann', userType: { nob: 'Voksen', nno: 'Vaksen', eng: 'Adult' }[language], entitlements: [] },
    ],
    legs: [BERGEN],
    startOfValidity: at('04:00'),
    endOfValidity: new Date('2026-11-25T04:00:00+01:00'),
    price: { amountMinor: 89_900, taxMinor: 9_632, taxBasisPoints: 1_200, taxCode: 'VAT_LOW' },
    currency: 'NOK',
    specimen: false,
    barcode: barcodeOf(260),
    timeZone: 'Europe/Oslo',
    language,
    ...changes,
  };
}

const NAMES = [
  'Kari Nordmann',
  'Siobhán O’Brien',
  'Áilu Ŋuorgŧu-Šávvon',
  'Bjørn-Erik Håkon Sørensen Østgård-Ærøskøbing',
  'Þórdís Ðaníelsdóttir',
  'Đorđe Živković',
  'Zażółć Gęślą-Jaźń',
  'Νίκος Παπαδόπουλος',
  'Wolfeschlegelsteinhausenbergerdorff Hubert',
];

export function nineTravellers(language: TextLanguage): TicketSheet {
  const seats = NAMES.map((traveller, at) => ({
    carriageNumber: '3',
    seatNumber: String(41 + at),
    accommodation: 'SEATING' as const,
    traveller,
  }));
  const [adult, child, student] = {
    nob: ['Voksen', 'Barn', 'Studentbevis'],
    nno: ['Vaksen', 'Barn', 'Studentbevis'],
    eng: ['Adult', 'Child', 'Student card'],
  }[language] as [string, string, string];
  const travellers = NAMES.map((name, at) => ({
    name,
    userType: at < 6 ? adult : child,
    entitlements: at === 2 ? [student] : [],
  }));
  return sheetOf(language, {
    travellers,
    legs: [BUS, { ...BERGEN, seats }],
    barcode: barcodeOf(620),
    fareClass: 'FIRST',
  });
}

export function manyLegs(language: TextLanguage): TicketSheet {
  const night: SheetLeg = {
    mode: 'rail',
    line: 'F7 Bodø',
    from: { name: 'Trondheim S', time: at('23:35') },
    to: { name: 'Bodø stasjon', time: new Date('2026-11-25T09:17:00+01:00') },
    via: [
      { name: 'Steinkjer', time: new Date('2026-11-25T01:32:00+01:00') },
      { name: 'Mosjøen', time: new Date('2026-11-25T05:01:00+01:00') },
    ],
    seats: [{ carriageNumber: '5', seatNumber: '11', accommodation: 'SLEEPER' }],
  };
  const ferry = { name: 'Værøy ferjekai', time: new Date('2026-11-25T13:45:00+01:00') };
  const quay = { name: 'Bodø hurtigbåtterminal', time: new Date('2026-11-25T10:30:00+01:00') };
  const boat: SheetLeg = {
    mode: 'water',
    line: '23-741 Bodø – Værøy – Moskenes',
    from: quay,
    to: ferry,
    via: [],
    seats: [],
  };
  const bodoBus: SheetLeg = {
    ...BUS,
    line: '1 Bodø sentrum',
    from: { name: 'Bodø stasjon', time: new Date('2026-11-25T09:40:00+01:00') },
    to: { ...quay, time: new Date('2026-11-25T09:52:00+01:00') },
  };
  const trondheim = { name: 'Trondheim S', time: at('15:20') };
  const legs = [
    BUS,
    { ...BERGEN, line: 'F6 Trondheim', to: trondheim, via: BERGEN.via.slice(0, 3) },
    night,
    bodoBus,
    boat,
  ];
  return sheetOf(language, { legs, barcode: barcodeOf(330) });
}

export function zoneTicket(language: TextLanguage): TicketSheet {
  return sheetOf(language, {
    legs: [],
    productName: '30-dagersbillett',
    zones: { names: ['1', '2V', '3Ø'].map((zone) => `Sone ${zone}`), allZones: false },
    endOfValidity: new Date('2026-12-24T04:00:00+01:00'),
    issuer: 'Ruter',
  });
}

/** More than a page holds. */
export function manyOfAll(language: TextLanguage): TicketSheet {
  const { travellers, legs } = nineTravellers(language);
  return sheetOf(language, { travellers, legs: [...legs, ...legs, ...legs, ...legs, ...legs] });
}

/** In more zones than a title holds. */
export function manyZones(language: TextLanguage): TicketSheet {
  const names = Array.from({ length: 24 }, (_, at) => `Sone ${at + 1}`);
  return { ...zoneTicket(language), zones: { names, allZones: false } };
}
