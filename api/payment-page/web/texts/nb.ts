/** The customer's page in Bokmål. */
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

export const nb: PageTexts = {
  language: 'Bokmål',
  languages: 'Språk',
  skip: 'Til innholdet',
  error: 'Feil',
  open: {
    title: 'Betal bestillingen',
    toPay: 'Å betale',
    payBefore: (time) => `Betal innen ${time}.`,
    choose: 'Velg hvordan du vil betale',
    chooseHint: 'Du kommer til betalingsleverandørens side, og tilbake hit når du har betalt.',
    pay: (amount, method) => `Betal ${amount} med ${method}`,
    noMethods: 'Ingen betalingsmåter er åpne akkurat nå. Ta kontakt med selgeren.',
  },
  held: {
    title: 'Det er ingenting å betale nå',
    paragraphs: [
      'Penger for denne bestillingen er i ferd med å bli betalt tilbake. Til det er gjort, skylder du ingenting.',
      'Last siden på nytt senere, eller ta kontakt med selgeren hvis du lurer på noe.',
    ],
  },
  order: {
    title: 'Bestillingen',
    count: (travellers) => (travellers === 1 ? '1 reisende' : `${travellers} reisende`),
    supplements: 'Tillegg',
    valid: (from, until) => `Gyldig fra ${from} til ${until}`,
    seats: 'Plasser',
    seat: (carriage, seat) => `vogn ${carriage}, plass ${seat}`,
    stops: (between) => (between === 1 ? '1 stopp underveis' : `${between} stopp underveis`),
    leg: (mode) => MODES[mode ?? ''] ?? 'Reise',
    fees: {
      MANUAL: 'Gebyr',
      REFUNDING: 'Refusjonsgebyr',
      ONBOARD: 'Ombordtillegg',
      CHANGE: 'Endringsgebyr',
      INVOICE: 'Fakturagebyr',
      CHANGE_NON_REFUNDABLE: 'Gebyr for endring uten refusjon',
      PENALTY: 'Tilleggsavgift',
      BOOKING: 'Bestillingsgebyr',
      REDUCTION: 'Avslag',
    },
    otherFee: 'Gebyr',
    total: 'Sum',
    paid: 'Betalt tidligere',
    rest: 'Å betale',
    vat: (rate) => `Herav merverdiavgift ${rate}`,
    mixedVat: 'Herav merverdiavgift, flere satser',
    ofBase: (base) => `av ${base}`,
  },
  processing: {
    title: 'Betalingen er i gang',
    paragraphs: ['Vi venter på svar om betalingen. Denne siden oppdateres når svaret kommer.'],
    goOn: 'Fortsett betalingen',
    goOnHint: 'Har du ikke betalt ferdig? Gå tilbake til betalingsleverandøren.',
    other: 'Velg en annen betalingsmåte',
    otherHint:
      'Vil du heller betale på en annen måte? Da avbryter vi betalingen som er i gang, om den ikke alt er gjennomført.',
    refresh: 'Se etter svar nå',
    returned: {
      title: 'Vi kontrollerer betalingen',
      paragraphs: ['Vent litt: dette tar vanligvis noen sekunder. Du trenger ikke å betale på nytt.'],
      choices: 'Tar det lang tid? Se hva du kan gjøre',
    },
  },
  paid: {
    title: 'Takk! Betalingen er mottatt',
    paragraphs: ['Bestillingen er bekreftet. Billetter og kvittering får du fra selgeren.'],
  },
  paidUndelivered: {
    title: 'Takk! Betalingen er mottatt',
    paragraphs: [
      'Bestillingen er bekreftet, men vi har ikke fått sendt alle billettene og kvitteringen.',
      'Ta kontakt med selgeren og oppgi bestillingsnummeret.',
    ],
  },
  completed: {
    title: 'Takk! Bestillingen er betalt',
    paragraphs: ['Billetter og kvittering er sendt på e-post. Finner du dem ikke, se i søppelposten.'],
  },
  completedUnaddressed: {
    title: 'Takk! Bestillingen er betalt',
    paragraphs: [
      'Bestillingen er bekreftet, og billettene er klare. Vi har ingen e-postadresse til deg, så ingen ting er sendt på e-post.',
      'Billettene og kvitteringen får du fra selgeren. Ta kontakt og oppgi bestillingsnummeret.',
    ],
  },
  credited: {
    title: 'Pengene er betalt tilbake',
    paragraphs: [
      'Betalingen kom inn, men bestillingen kunne ikke bekreftes. Derfor har vi betalt alt tilbake til deg.',
      'Det kan ta noen dager før pengene er på kontoen din. Du har ingen billett. Ta kontakt med selgeren hvis du vil bestille på nytt.',
    ],
  },
  creditOutstanding: {
    title: 'Betalingen kunne ikke betales tilbake automatisk',
    paragraphs: [
      'Betalingen kom inn, men bestillingen kunne ikke bekreftes. Pengene kunne ikke betales tilbake på samme måte som du betalte.',
      'Du har ingen billett, og trenger ikke å betale på nytt. Selgeren vet om det og avgjør hvordan det ordnes.',
      'Ta kontakt med selgeren hvis du lurer på noe, og oppgi bestillingsnummeret.',
    ],
  },
  reference: (orderId) => `Bestillingsnummer ${orderId}`,
  seller: (name) => `Selger: ${name}`,
  notices: {
    REFUSED: {
      title: 'Kortet ble avvist',
      text: 'Banken din godtok ikke betalingen, og ingen ting er trukket. Prøv igjen, eller velg en annen betalingsmåte.',
    },
    CANCELLED: {
      title: 'Betalingen ble avbrutt',
      text: 'Ingen ting er trukket. Bestillingen venter på deg til fristen går ut.',
    },
    FAILED: {
      title: 'Betalingen ble ikke fullført',
      text: 'Ingen ting er trukket. Prøv igjen, eller velg en annen betalingsmåte.',
    },
    ORDER_CHANGED: {
      title: 'Bestillingen er endret',
      text: 'Den ble endret mens du betalte. Derfor stoppet vi betalingen, og ingen ting er trukket. Se over innholdet og beløpet, og betal på nytt.',
    },
    CHANGED: {
      title: 'Bestillingen er endret',
      text: 'Den ble endret mens du hadde siden åpen, og ingen ting er trukket. Se over innholdet og beløpet før du betaler.',
    },
    BUSY: {
      title: 'En betaling er alt i gang',
      text: 'Vi venter på svar om den. Du trenger ikke å betale på nytt.',
    },
    METHOD: {
      title: 'Betalingsmåten kan ikke brukes',
      text: 'Ingen ting er trukket. Velg en annen betalingsmåte.',
    },
    STOPPED: {
      title: 'Betalingsleverandøren svarer ikke',
      text: 'Ingen ting er trukket. Vent et minutt og prøv igjen, eller velg en annen betalingsmåte.',
    },
  },
  notValid: {
    title: 'Lenken er ikke gyldig',
    paragraphs: [
      'Den kan være utløpt, brukt opp eller skrevet feil. Kontroller at du har fått med hele lenken.',
      'Ta kontakt med den du bestilte hos hvis du trenger en ny lenke.',
    ],
  },
  tooMany: {
    title: 'For mange forsøk',
    paragraphs: ['Det har kommet mange ugyldige lenker herfra. Vent et minutt og prøv igjen.'],
  },
  fault: {
    title: 'Noe gikk galt hos oss',
    paragraphs: [
      'Vi vet ikke om siden kunne utføre det du ba om. Vent litt og last siden på nytt: den viser hvordan det står til.',
      'Du betaler aldri to ganger for samme bestilling.',
    ],
  },
  refused: {
    title: 'Dette kunne ikke utføres',
    paragraphs: ['Siden fikk noe den ikke forstår. Åpne lenken på nytt og prøv igjen.'],
  },
};
