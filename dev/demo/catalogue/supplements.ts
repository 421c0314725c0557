/** Supplements of the demo: some decide the seat and are chosen with the offer, others may be added later. */
import { type Parties, type Sold, supplement, VAT_HIGH } from './product.ts';
import { kroner, texts } from './texts.ts';

/** Of the buses and boats. */
export function townSupplements(parties: Parties): readonly Sold[] {
  return [
    supplement({ ...parties, id: 'town-dog', name: texts('Hund', 'Dog'), modifiesSeating: false }, kroner(22)),
    supplement(
      { ...parties, id: 'town-bicycle', name: texts('Sykkel', 'Bicycle', 'Sykkel'), modifiesSeating: false },
      kroner(44),
    ),
  ];
}

/** Of the coaches, whose every ticket has a seat. */
export function coachSupplements(parties: Parties): readonly Sold[] {
  return [
    supplement(
      {
        ...parties,
        id: 'coach-window',
        name: texts('Vindusplass', 'Window seat', 'Vindaugsplass'),
        modifiesSeating: true,
        seatFacility: 'WINDOW',
      },
      kroner(29),
    ),
    supplement(
      {
        ...parties,
        id: 'coach-table',
        name: texts('Plass ved bord', 'Seat at a table'),
        modifiesSeating: true,
        seatFacility: 'TABLE',
      },
      kroner(39),
    ),
    supplement(
      { ...parties, id: 'coach-luggage', name: texts('Ekstra bagasje', 'Extra luggage'), modifiesSeating: false },
      kroner(59),
    ),
    supplement(
      { ...parties, id: 'coach-meal', name: texts('Matpakke', 'Packed lunch'), tax: VAT_HIGH, modifiesSeating: false },
      kroner(89),
    ),
  ];
}

/** Of the trains. */
export function railSupplements(parties: Parties): readonly Sold[] {
  const named = (id: string, nob: string, eng: string) => ({ ...parties, id: `rail-${id}`, name: texts(nob, eng) });
  return [
    supplement(
      { ...named('seat', 'Plassreservasjon', 'Seat reservation'), modifiesSeating: true, reservesSeat: true },
      kroner(49),
    ),
    supplement(
      {
        ...named('window', 'Plass ved vindu', 'Seat by the window'),
        modifiesSeating: true,
        seatFacility: 'WINDOW',
        reservesSeat: true,
      },
      kroner(69),
    ),
    supplement({ ...named('bicycle', 'Sykkel på toget', 'Bicycle on the train'), modifiesSeating: false }, kroner(99)),
    supplement({ ...named('cafe', 'Kafékupong', 'Café voucher'), tax: VAT_HIGH, modifiesSeating: false }, kroner(120)),
    supplement({ ...named('service', 'Servering', 'Served meal'), tax: VAT_HIGH, modifiesSeating: false }, kroner(95)),
    supplement({ ...named('breakfast', 'Frokost', 'Breakfast'), tax: VAT_HIGH, modifiesSeating: false }, kroner(149)),
  ];
}
