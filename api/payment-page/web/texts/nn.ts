/** The customer's page in Nynorsk. */
import type { PageTexts } from './page-texts.ts';

const MODES: Readonly<Record<string, string>> = {
  bus: 'Buss',
  coach: 'Ekspressbuss',
  rail: 'Tog',
  tram: 'Trikk',
  metro: 'T-bane',
  water: 'Båt',
  air: 'Fly',
};

export const nn: PageTexts = {
  language: 'Nynorsk',
  languages: 'Språk',
  skip: 'Til innhaldet',
  error: 'Feil',
  open: {
    title: 'Betal bestillinga',
    toPay: 'Å betale',
    payBefore: (time) => `Betal innan ${time}.`,
    choose: 'Vel korleis du vil betale',
    chooseHint: 'Du kjem til sida til betalingsleverandøren, og attende hit når du har betalt.',
    pay: (amount, method) => `Betal ${amount} med ${method}`,
    noMethods: 'Ingen betalingsmåtar er opne akkurat no. Ta kontakt med seljaren.',
  },
  held: {
    title: 'Det er ingenting å betale no',
    paragraphs: [
      'Pengar for denne bestillinga er i ferd med å bli betalte attende. Til det er gjort, skuldar du ingenting.',
      'Last sida på nytt seinare, eller ta kontakt med seljaren om du lurer på noko.',
    ],
  },
  order: {
    title: 'Bestillinga',
    count: (travellers) => (travellers === 1 ? '1 reisande' : `${travellers} reisande`),
    supplements: 'Tillegg',
    valid: (from, until) => `Gyldig frå ${from} til ${until}`,
    seats: 'Plassar',
    seat: (carriage, seat) => `vogn ${carriage}, plass ${seat}`,
    stops: (between) => (between === 1 ? '1 stopp undervegs' : `${between} stopp undervegs`),
    leg: (mode) => MODES[mode ?? ''] ?? 'Reise',
    fees: {
      MANUAL: 'Gebyr',
      REFUNDING: 'Refusjonsgebyr',
      ONBOARD: 'Ombordtillegg',
      CHANGE: 'Endringsgebyr',
      INVOICE: 'Fakturagebyr',
      CHANGE_NON_REFUNDABLE: 'Gebyr for endring utan refusjon',
      PENALTY: 'Tilleggsavgift',
      BOOKING: 'Bestillingsgebyr',
      REDUCTION: 'Avslag',
    },
    otherFee: 'Gebyr',
    total: 'Sum',
    paid: 'Betalt tidlegare',
    rest: 'Å betale',
    vat: (rate) => `Av dette meirverdiavgift ${rate}`,
    mixedVat: 'Av dette meirverdiavgift, fleire satsar',
    ofBase: (base) => `av ${base}`,
  },
  processing: {
    title: 'Betalinga er i gang',
    paragraphs: ['Vi ventar på svar om betalinga. Denne sida blir oppdatert når svaret kjem.'],
    goOn: 'Hald fram med betalinga',
    goOnHint: 'Har du ikkje betalt ferdig? Gå attende til betalingsleverandøren.',
    other: 'Vel ein annan betalingsmåte',
    otherHint:
      'Vil du heller betale på ein annan måte? Då avbryt vi betalinga som er i gang, om ho ikkje alt er gjennomført.',
    refresh: 'Sjå etter svar no',
    returned: {
      title: 'Vi kontrollerer betalinga',
      paragraphs: ['Vent litt: dette tek vanlegvis nokre sekund. Du treng ikkje å betale på nytt.'],
      choices: 'Tek det lang tid? Sjå kva du kan gjere',
    },
  },
  paid: {
    title: 'Takk! Betalinga er motteken',
    paragraphs: ['Bestillinga er stadfesta. Billettar og kvittering får du frå seljaren.'],
  },
  paidUndelivered: {
    title: 'Takk! Betalinga er motteken',
    paragraphs: [
      'Bestillinga er stadfesta, men vi har ikkje fått sendt alle billettane og kvitteringa.',
      'Ta kontakt med seljaren og oppgi bestillingsnummeret.',
    ],
  },
  completed: {
    title: 'Takk! Bestillinga er betalt',
    paragraphs: ['Billettar og kvittering er sende på e-post. Finn du dei ikkje, sjå i søppelposten.'],
  },
  completedUnaddressed: {
    title: 'Takk! Bestillinga er betalt',
    paragraphs: [
      'Bestillinga er stadfesta, og billettane er klare. Vi har inga e-postadresse til deg, så ingenting er sendt på e-post.',
      'Billettane og kvitteringa får du frå seljaren. Ta kontakt og oppgi bestillingsnummeret.',
    ],
  },
  credited: {
    title: 'Pengane er betalte attende',
    paragraphs: [
      'Betalinga kom inn, men bestillinga kunne ikkje stadfestast. Difor har vi betalt alt attende til deg.',
      'Det kan ta nokre dagar før pengane er på kontoen din. Du har ingen billett. Ta kontakt med seljaren om du vil bestille på nytt.',
    ],
  },
  creditOutstanding: {
    title: 'Betalinga kunne ikkje betalast attende automatisk',
    paragraphs: [
      'Betalinga kom inn, men bestillinga kunne ikkje stadfestast. Pengane kunne ikkje betalast attende på same måten som du betalte.',
      'Du har ingen billett, og treng ikkje å betale på nytt. Seljaren veit om det og avgjer korleis det vert ordna.',
      'Ta kontakt med seljaren om du lurer på noko, og oppgi bestillingsnummeret.',
    ],
  },
  reference: (orderId) => `Bestillingsnummer ${orderId}`,
  seller: (name) => `Seljar: ${name}`,
  notices: {
    REFUSED: {
      title: 'Kortet vart avvist',
      text: 'Banken din godtok ikkje betalinga, og ingenting er trekt. Prøv igjen, eller vel ein annan betalingsmåte.',
    },
    CANCELLED: {
      title: 'Betalinga vart avbroten',
      text: 'Ingenting er trekt. Bestillinga ventar på deg til fristen går ut.',
    },
    FAILED: {
      title: 'Betalinga vart ikkje fullført',
      text: 'Ingenting er trekt. Prøv igjen, eller vel ein annan betalingsmåte.',
    },
    ORDER_CHANGED: {
      title: 'Bestillinga er endra',
      text: 'Ho vart endra medan du betalte. Difor stoppa vi betalinga, og ingenting er trekt. Sjå over innhaldet og beløpet, og betal på nytt.',
    },
    CHANGED: {
      title: 'Bestillinga er endra',
      text: 'Ho vart endra medan du hadde sida open, og ingenting er trekt. Sjå over innhaldet og beløpet før du betaler.',
    },
    BUSY: {
      title: 'Ei betaling er alt i gang',
      text: 'Vi ventar på svar om henne. Du treng ikkje å betale på nytt.',
    },
    METHOD: {
      title: 'Betalingsmåten kan ikkje brukast',
      text: 'Ingenting er trekt. Vel ein annan betalingsmåte.',
    },
    STOPPED: {
      title: 'Betalingsleverandøren svarar ikkje',
      text: 'Ingenting er trekt. Vent eit minutt og prøv igjen, eller vel ein annan betalingsmåte.',
    },
  },
  notValid: {
    title: 'Lenkja er ikkje gyldig',
    paragraphs: [
      'Ho kan ha gått ut, vere brukt opp eller vere skriven feil. Kontroller at du har fått med heile lenkja.',
      'Ta kontakt med den du bestilte hos om du treng ei ny lenkje.',
    ],
  },
  tooMany: {
    title: 'For mange forsøk',
    paragraphs: ['Det har kome mange ugyldige lenkjer herifrå. Vent eit minutt og prøv igjen.'],
  },
  fault: {
    title: 'Noko gjekk gale hos oss',
    paragraphs: [
      'Vi veit ikkje om sida kunne utføre det du bad om. Vent litt og last sida på nytt: ho viser korleis det står til.',
      'Du betaler aldri to gonger for same bestilling.',
    ],
  },
  refused: {
    title: 'Dette kunne ikkje utførast',
    paragraphs: ['Sida fekk noko ho ikkje forstår. Opne lenkja på nytt og prøv igjen.'],
  },
};
